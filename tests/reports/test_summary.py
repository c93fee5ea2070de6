"""What many runs come to, in bounded memory, and in words."""

import msgspec
import pytest

from headway.core.decision import Action
from headway.core.finding import Severity
from headway.core.run_report import ReportedFinding, RunReport, ScannedFile, ScannedRun, Spent
from headway.reports.scan_charts import charts
from headway.reports.scan_markdown import scan_markdown
from headway.reports.summary import MAX_NAMES, Summary
from headway.reports.words import clock, counted, headline, large, money, saved_in_words

EMPTY = RunReport("r", "s", "headway", "a", "m", 0, 0, Action.CONTINUE, (), ())


def run(name="r", verdict=Action.CONTINUE, steps=10, after=0, **fields):
    report = msgspec.structs.replace(
        EMPTY,
        run=name,
        verdict=verdict,
        steps=steps,
        spent=Spent(steps, 1_000 * steps, 0, 0.5),
        after_stop=Spent(after),
        **fields,
    )
    return ScannedRun(report, b"0" * 100)


def summary_of(*runs, keep=10, room=10_000):
    summary = Summary(keep, room)
    for number, one in enumerate(runs):
        summary.add(ScannedFile(f"{number}.jsonl", (one,)))
    return summary


def test_totals_add_up():
    summary = summary_of(run("a", Action.STOP, 10, after=4), run("b", steps=20), run("c", Action.STOP, 30, after=1))
    totals = summary.totals()
    assert (3, 60, {"continue": 1, "stop": 2}) == (totals["runs"], totals["steps"], totals["verdicts"])
    assert Spent(60, 60_000, 0, 1.5) == totals["spent"]
    assert "3 runs, 60 steps: 1 continue, 2 stop" == headline(summary)
    assert (
        "5 steps (8.3 % of all steps) came after the point where Headway would have stopped, in 2 runs"
        == saved_in_words(summary)
    )


def test_each_share_is_of_its_own_unit():
    """Tokens are a share of the tokens, and money of the cost: neither is a share of the steps."""
    one = run("a", Action.STOP, 40)
    saved = Spent(4, 30_000, 0, 0.05)
    summary = summary_of(ScannedRun(msgspec.structs.replace(one.report, after_stop=saved)), run("b", steps=60))
    assert (
        "4 steps (4.0 % of all steps), 30.0 k tokens (30.0 % of all tokens), $0.05 (5.0 % of the cost, recorded or estimated) "
        "came after the point where Headway would have stopped, in 1 run"
    ) == saved_in_words(summary)


def test_files_in_no_known_format_are_named():
    summary = Summary()
    summary.add(ScannedFile("a.json", passed_over="a.json: not a recording"))
    assert ["a.json: not a recording"] == summary.totals()["skipped_files"]
    assert 1 == summary.totals()["files_passed_over"]


def test_the_chart_over_time_says_which_runs_it_does_not_show():
    days = [run(f"{n}", started_at=1.79e9 + n * 86_400, ended_at=1.79e9 + n * 86_400) for n in range(3)]
    undated = [run(f"u{n}", started_at=5.0, ended_at=9.0) for n in range(4)] + [run("none")]
    assert "5 runs without a date: not drawn." in charts(summary_of(*days, *undated), {}, Severity.LOW)
    assert "not drawn" not in charts(summary_of(*days), {}, Severity.LOW)
    old = [run(f"o{n}", started_at=1e9, ended_at=1e9) for n in range(6)]
    assert "6 earlier runs: not drawn." in charts(summary_of(*days, *old), {}, Severity.LOW)


def test_the_worst_runs_are_kept_whatever_order_they_come_in():
    runs = [run(f"{n}", Action.STOP if n % 3 == 0 else Action.NUDGE, 10, after=n) for n in range(400)]
    forward, backward = summary_of(*runs, keep=5), summary_of(*reversed(runs), keep=5)
    assert ["399", "396", "393", "390", "387"] == [one.report.run for one in forward.worst()]
    assert forward.worst() == backward.worst()


def test_memory_does_not_grow_with_the_number_of_runs():
    summary = summary_of(*(run(f"{n}", agent=f"agent {n}", model=f"model {n}") for n in range(3_000)), keep=5, room=250)
    assert 2 == sum(bool(one.timeline) for one in summary.worst())
    assert 5 == len(summary.worst()) and len(summary._worst) <= 5
    assert MAX_NAMES + 1 == len(summary.agents) and 3_000 - MAX_NAMES == summary.agents["others"]
    assert 3_000 == summary.runs


def test_timelines_never_take_much_more_than_their_room():
    """Whatever order the runs come in: long runs would otherwise wait in memory until there are enough of them."""
    summary, most = Summary(keep=1_000, room=5_000), 0
    for n in range(300):
        summary.add(ScannedFile(f"{n}.jsonl", (run(f"{n}", Action.STOP, after=n),)))
        most = max(most, sum(len(one.timeline) for _, one in summary._worst))
    assert most <= 10_100
    assert [f"{n}" for n in range(299, 249, -1)] == [one.report.run for one in summary.worst() if one.timeline]


def test_troubles_are_named_up_to_a_point():
    summary = Summary()
    for n in range(MAX_NAMES + 7):
        summary.add(ScannedFile(f"{n}", trouble=f"{n}: broken"))
    assert (MAX_NAMES, 7) == (len(summary.troubles), summary.more_troubles)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (counted(1, "run"), "1 run"), (counted(1_204, "run"), "1,204 runs"), (large(950), "950"), (large(12_345), "12.3 k"), (large(999_949), "999.9 k"), (large(999_950), "1.0 M"),
        (large(4_500_000), "4.5 M"), (large(2_000_000_000), "2.0 G"), (money(1_204.5), "$1,204.50"), (money(0.0123), "$0.0123"),
        (clock(1_790_000_000.0), "14:13:20"), (clock(12.34), "12.3 s"), (clock(None), ""), (clock(1e300), ""),
    ],
)  # fmt: skip
def test_numbers_in_words(said, expected):
    assert expected == said


def test_what_did_not_fit_into_a_report_is_counted_in_markdown():
    finding = ReportedFinding("doom_loop", Severity.HIGH, 1.0, "Round and round.", {}, "x", 3, 9, 4)
    one = run("a", Action.STOP, findings=(finding,), more_findings=7)
    text = "".join(scan_markdown(summary_of(one), [one.report]))
    assert "- steps 3–9, **high** doom_loop: Round and round.\n- and 7 more findings\n" in text


def test_markdown_shows_hostile_names_as_text():
    summary = summary_of(run("<b>x</b> | [a](b) `c`", Action.STOP, after=3))
    text = "".join(scan_markdown(summary, [one.report for one in summary.worst()]))
    assert "<b>" not in text and "[a](b)" not in text
    assert "## Worst runs" in text and "| 10 | 3 | stop |" in text


def test_a_sub_agent_whose_cost_is_in_that_of_its_main_agent_keeps_its_outputs():
    part = msgspec.structs.replace(run("a/x", agent_id="x"), outputs=b"{}")
    kept = {one.report.run: one.outputs for one in summary_of(run("a"), part).worst()}
    assert b"{}" == kept["a/x"]


def test_a_sub_agent_that_comes_before_its_main_agent_is_not_paid_twice():
    part = run("a/x", agent_id="x").report
    part = msgspec.structs.replace(part, spent=Spent(1, 1_000, 0, None, 3.0))
    summary = Summary()
    summary.add(ScannedFile("a.jsonl", (ScannedRun(part), run("a"))))
    assert (0.5, None) == (summary.spent.cost_usd, summary.spent.estimated_usd)
