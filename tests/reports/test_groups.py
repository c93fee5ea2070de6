"""Runs added up by what was asked for."""

import msgspec
import pytest

from headway.core.decision import Action
from headway.core.finding import Severity
from headway.core.run_report import ReportedFinding, RunReport, ScannedFile, ScannedRun, Spent
from headway.reports.groups import MAX_GROUPS, Groups
from headway.reports.scan_markdown import scan_markdown
from headway.reports.summary import Summary
from headway.reports.tables import group_rows
from headway.rolling.dates import day_of, week_of

EMPTY = RunReport("r", "s", "headway", "a", "m", 0, 0, Action.CONTINUE, (), ())
NOV_10 = 1_794_312_000.0


def finding(detector):
    return ReportedFinding(detector, Severity.HIGH, 1.0, "", {}, "", 1, 1, 1)


def run(**fields):
    return msgspec.structs.replace(EMPTY, **fields)


RUNS = (
    run(model="big", project="shop", agent="codex", steps=10, failed_steps=2, spent=Spent(10, 1_000, 0, 2.0),
        verdict=Action.STOP, after_stop=Spent(4, 0, 0, 0.5), tools={"Bash": (6, 2), "Read": (4, 0)},
        findings=(finding("doom_loop"), finding("doom_loop"), finding("test_rerun")), ended_at=NOV_10),
    run(model="big", project="site", steps=5, spent=Spent(5, 500, 0, None, 3.0), tools={"Bash": (5, 1)},
        ended_at=NOV_10 - 7 * 86_400),
    run(model=None, project="shop", steps=1, spent=Spent(1), tools={"Read": (1, 1)}),
)  # fmt: skip


def added_up(*by):
    groups = Groups(by)
    for one in RUNS:
        groups.add(one)
    return groups


def names(groups):
    return [key for key, _ in groups.rows()]


def test_by_model_the_dearest_first():
    (big, unknown) = added_up("model").as_data()
    assert ("big", 2, 15, 2, 1) == tuple(big[name] for name in ("model", "runs", "steps", "failed_steps", "stopped"))
    assert (2.0, 3.0, 4) == (big["spent"]["cost_usd"], big["spent"]["estimated_usd"], big["after_stop"]["steps"])
    assert "unknown" == unknown["model"]


def test_the_time_of_a_sub_agent_is_in_its_main_agents_as_in_the_totals():
    summary = Summary(groups=Groups(("agent",)))
    main = run(run="r", spent=Spent(2, active_seconds=240.0), after_stop=Spent(1, active_seconds=60.0))
    sub = msgspec.structs.replace(main, run="r/sub", agent_id="sub")
    summary.add(ScannedFile("r.jsonl", (ScannedRun(main), ScannedRun(sub))))
    (row,) = summary.groups.as_data()
    assert 240.0 == row["spent"]["active_seconds"] == summary.spent.active_seconds
    assert 60.0 == row["after_stop"]["active_seconds"] == summary.after_stop.active_seconds
    assert (2, 4) == (row["runs"], row["spent"]["steps"])


def test_by_two_things_at_once():
    assert [("big", "site"), ("big", "shop"), ("unknown", "shop")] == names(added_up("model", "project"))


def test_by_tool_the_steps_of_each_and_no_cost():
    groups = added_up("tool")
    rows = {key[0]: (one.runs, one.steps, one.failed_steps, one.spent) for key, one in groups.rows()}
    assert {"Bash": (2, 11, 3, None), "Read": (2, 5, 1, None)} == rows
    assert [("tool", "runs", "steps", "failed", "would have been stopped"), ("Bash", "2", "11", "27.3 %", "1")] == list(
        group_rows(groups, 1)
    )


def test_by_detector_a_run_counts_once_for_each():
    assert {("doom_loop",): 1, ("test_rerun",): 1} == {key: one.runs for key, one in added_up("detector").rows()}


def test_by_week_in_order_of_time():
    assert [("2026-W45",), ("2026-W46",), ("undated",)] == names(added_up("week"))


def test_a_cost_that_is_partly_estimated_is_marked():
    heading, big, _ = group_rows(added_up("model"), 9)
    assert ("~$5.00", "–", "4 steps, $0.50") == big[heading.index("cost") :]


def test_memory_does_not_grow_with_the_number_of_names():
    groups = Groups(("project",))
    for n in range(MAX_GROUPS + 50):
        groups.add(run(project=f"p{n}"))
    assert MAX_GROUPS + 1 == len(groups.rows()) and 50 == dict(groups.rows())[("others",)].runs


@pytest.mark.parametrize(
    ("seconds", "week"), [(NOV_10, "2026-W46"), (12.0, ""), (None, ""), (1e30, ""), (1.7672e9, "2026-W01")]
)
def test_the_week_of_a_time(seconds, week):
    assert week == week_of(seconds) and bool(week) is (day_of(seconds) is not None)


def test_by_detector_only_what_is_severe_enough_to_be_shown():
    groups = Groups(("detector",), Severity.HIGH)
    low = msgspec.structs.replace(finding("file_churn"), severity=Severity.LOW)
    groups.add(run(findings=(low, finding("doom_loop"))))
    assert [("doom_loop",)] == names(groups)


def test_one_step_after_the_stop_is_one_step():
    groups = Groups(("agent",))
    groups.add(run(steps=3, after_stop=Spent(1)))
    assert "1 step" == list(group_rows(groups, 1))[1][-1]


def test_markdown_says_how_many_groups_it_leaves_out():
    summary = Summary(groups=Groups(("project",)))
    for number in range(103):
        summary.add(ScannedFile("x", (ScannedRun(run(project=f"p{number}")),)))
    assert "and 3 more groups; `--format json` has them all" in "".join(scan_markdown(summary))
