"""Two groups of runs side by side, with intervals that statistics books give."""

from pathlib import Path

import msgspec
import pytest

from headway.cli.compared import compared_paths, comparison_of, first_moment
from headway.core.decision import Action
from headway.core.run_report import RunReport, Spent
from headway.reports.comparison import Comparison, Share, difference
from headway.reports.tables import comparison_rows

EMPTY = RunReport("r", "s", "headway", "a", "m", 0, 0, Action.CONTINUE, (), ())


def run(name="r", **fields):
    return msgspec.structs.replace(EMPTY, run=name, **fields)


def test_the_interval_of_a_share_is_wilsons():
    """Newcombe 1998, table I: 81 of 263, and 0 of 20."""
    assert Share(81, 263).interval == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert Share(0, 20).interval == pytest.approx((0.0, 0.1611), abs=5e-5)


def test_the_interval_of_a_difference_is_newcombes():
    """Newcombe 1998, table II: 56 of 70 against 48 of 80."""
    assert difference(Share(48, 80), Share(56, 70)) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)


def test_runs_are_put_on_the_sides_they_belong_to():
    known = {"a1": True, "a2": False, "b1": True}
    sides = (("A", lambda report: report.run[0] == "a"), ("B", lambda report: report.run[0] == "b"))
    comparison = Comparison(sides, lambda report: known.get(report.run))
    for name, steps, cost, verdict in (
        ("a1", 10, 1.0, Action.STOP),
        ("a2", 20, 3.0, Action.NUDGE),
        ("b1", 5, 0.5, Action.NUDGE),
    ):
        comparison.add(run(name, steps=steps, spent=Spent(steps, cost_usd=cost), verdict=verdict))
    comparison.add(run("b2", spent=Spent(15)))
    comparison.add(run("c"))
    rows = {row[0]: row[1:] for row in comparison_rows(comparison)}
    assert ("2", "2", "") == rows["runs"]
    assert ("15.0", "10.0", "-33 %") == rows["steps a run"]
    assert ("$2.00", "$0.50", "-75 %") == rows["cost a run (recorded or estimated for 2 and 1)"]
    assert rows["would have been stopped"][0].startswith("50.0 % (") and rows["solved"][1].startswith("100.0 % (")
    data = comparison.as_data()["shares"]["solved"]
    assert (0.5, 1.0, 0.5) == (data["a"]["share"], data["b"]["share"], data["difference"]["share"])
    assert data["difference"]["interval"][0] < 0 < data["difference"]["interval"][1]


def test_an_estimated_cost_is_marked():
    sides = (("A", lambda report: report.run == "a"), ("B", lambda report: report.run == "b"))
    comparison = Comparison(sides)
    comparison.add(run("a", spent=Spent(1, cost_usd=1.0)))
    comparison.add(run("b", spent=Spent(1, estimated_usd=2.0)))
    assert ("cost a run", "$1.00", "~$2.00", "+100 %") in list(comparison_rows(comparison))


def test_sides_that_share_runs_have_a_difference_without_an_interval():
    comparison = Comparison((("A", lambda _: True), ("B", lambda report: report.run == "b")))
    for name in "ab":
        comparison.add(run(name, steps=1, spent=Spent(1)))
    (stopped,) = (row for row in comparison_rows(comparison) if row[0] == "would have been stopped")
    assert "+0.0 points" == stopped[3]
    data = comparison.as_data()
    assert (1, None) == (data["on_both"], data["shares"]["would_be_stopped"]["difference"]["interval"])


def test_an_empty_side_has_no_figures():
    comparison = Comparison((("A", lambda _: True), ("B", lambda _: False)))
    comparison.add(run())
    assert [("", "A", "B", "difference"), ("runs", "1", "0", "")] == list(comparison_rows(comparison))


def test_two_models_by_pattern_and_by_the_name_that_snapshots_share():
    comparison = comparison_of(("claude-opus*", "claude-sonnet-4-5"), None)
    for model in ("claude-opus-4-5-20251101", "anthropic/claude-sonnet-4.5", "gpt-5", None):
        comparison.add(run(model=model))
    assert (1, 1) == (comparison.a.runs, comparison.b.runs)
    assert () == compared_paths(("claude-opus*", "x"))


def test_two_weeks():
    weeks = ("2026-W45", "2026-w46")
    comparison = comparison_of(weeks, None)
    for ended in (1_794_312_000.0, 1_794_312_000.0 - 7 * 86_400, 5.0):
        comparison.add(run(ended_at=ended))
    assert (1, 1) == (comparison.a.runs, comparison.b.runs)
    assert 1_793_577_600.0 == first_moment(weeks) and first_moment(("x", "2026-W46")) is None


def test_two_folders_with_outcomes(tmp_path):
    for name in ("before", "after"):
        (tmp_path / name).mkdir()
    names = (str(tmp_path / "before"), str(tmp_path / "after"))
    (tmp_path / "solved.csv").write_text("run,solved\none,true\ntwo,false\n")
    comparison = comparison_of(names, tmp_path / "solved.csv")
    for folder, run_name in (("before", "one"), ("after", "x"), ("after-all", "y")):
        stem = "two" if run_name == "x" else run_name
        comparison.add(run(run_name, source=str(Path(tmp_path, folder, f"{stem}.jsonl"))))
    assert (1, 1) == (comparison.a.runs, comparison.b.runs), "a folder whose name begins alike is another one"
    assert [(1, 1), (0, 1)] == [(side.solved, side.with_outcome) for side in (comparison.a, comparison.b)]
    assert names == compared_paths(names)
