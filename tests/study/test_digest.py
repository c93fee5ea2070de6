"""A digest: these days apart from the days before, the worst runs, and what hooks did."""

import json

import msgspec
import pytest

from headway.core.decision import Action
from headway.core.run_report import Cause, ReportedDecision, RunReport, ScannedFile, ScannedRun, Spent
from headway.store.overview import KeptDecision, SessionOverview
from headway.study.digest import Digest, as_markdown, as_text, rows

NOW = 1_794_312_000.0  # 2026-11-10, noon
DAY = 86_400.0
EMPTY = RunReport("r", "s", "headway", "a", "m", 0, 0, Action.CONTINUE, (), ())


def run(name, days_ago, **fields):
    ended = None if days_ago is None else NOW - days_ago * DAY
    return ScannedRun(
        msgspec.structs.replace(EMPTY, run=name, source=f"{name}.jsonl", ended_at=ended, started_at=ended, **fields)
    )


def stopped(name, days_ago, wasted):
    decision = ReportedDecision(5, Action.STOP, "doom_loop", "")
    after = Spent(wasted, cost_usd=wasted / 10, active_seconds=60.0 * wasted)
    spent = Spent(20, 1_000, 0, 4.0, None, 3_600.0)
    return run(
        name,
        days_ago,
        verdict=Action.STOP,
        decisions=(decision,),
        after_stop=after,
        spent=spent,
        project="shop",
        prompt=f"fix {name}",
    )


@pytest.fixture
def digest():
    found = Digest(NOW, 7)
    for scanned in (
        run("new", 1, spent=Spent(80, 9_000, 0, None, 2.0, 1_800.0), causes=(Cause("program", "rg", 2),)),
        *(stopped(f"bad{n}", 2, n) for n in (3, 9, 6, 1)),
        run("old", 8, spent=Spent(10, 500, 0, 12.0, None, 900.0)),
        run("older", 20),
        run("undated", None),
    ):
        found.add(ScannedFile(scanned.report.source, (scanned,)))
    return found


def test_a_run_from_the_future_is_left_out_and_told(digest):
    before = list(rows(digest))
    digest.add(ScannedFile("s", (run("future", -3_650, spent=Spent(5, 100, 0, 99.0)),)))
    assert before == list(rows(digest))
    assert "1 run with a date in the future: left out." in "\n".join(as_text(digest))
    assert 1 == digest.as_data()["runs_in_future"]


def test_a_clock_that_is_a_little_ahead_is_no_reason_to_leave_a_run_out(digest):
    digest.add(ScannedFile("s", (run("fast", -0.1),)))
    assert 6 == digest.this.runs


def test_these_days_and_the_days_before(digest):
    figures = {row[0]: row[1:] for row in rows(digest)}
    assert ("5", "1", "+400 %") == figures["runs"]
    assert ("4h30m", "15m00s", "+1700 %") == figures["active time"]
    assert ("$18.00 (of which $2.00 estimated)", "$12.00", "+50 %") == figures["cost"]
    assert ("4 of 5 runs", "0 of 1 run", "") == figures["would have been stopped"]
    assert ("19 steps, $1.90, 19m00s (11.9 % of the steps)", "nothing", "") == figures["after the stop"]
    assert 1 == digest.undated


def test_the_worst_three_are_those_with_most_waste(digest):
    assert ["bad9", "bad6", "bad3"] == [one.report.run for one in digest.worst()]


def test_what_hooks_did_and_which_sessions_have_no_recording(digest):
    def session(name, *actions, days_ago=1, agent=""):
        made = tuple(KeptDecision(step=1, at=NOW - DAY, action=one, reason="", message="") for one in actions)
        return SessionOverview(
            host="claude-code", session=name, agent=agent, cwd="", model=None, started_at=0, seen_at=NOW - days_ago * DAY,
            ended=True, steps=1, last_tool=None, verdict="nudge", off=False, decisions=made,
        )  # fmt: skip

    live = [
        session("new", "nudge", "block"),
        session("new", "stop", agent="a1"),
        session("gone"),
        session("x", days_ago=9),
    ]
    digest.add_live(live)
    assert (2, 1, 1, 1, 1) == msgspec.structs.astuple(digest.live)
    text = "\n".join(as_text(digest))
    assert "Hooks watched 2 sessions: 1 nudge, 1 refused call, 1 stop." in text
    assert (
        "1 watched session without a recording: only counted here." in text
        and "1 run without a date: left out." in text
    )


def test_the_text_names_runs_and_suggestions(digest):
    text = "\n".join(as_text(digest))
    assert text.startswith("Headway digest, 2026-11-03 to 2026-11-10\n")
    assert (
        "Worst 3 runs\n  fix bad9 (shop): stop at step 5: doom_loop, then 9 more steps ($0.90, 9m00s); headway show bad9.jsonl"
        in text
    )
    assert "What to change\n  `rg` is not installed here. (2 times in 1 run)" in text


def test_markdown_and_json_say_the_same(digest):
    markdown = "\n".join(as_markdown(digest))
    assert "| runs | 5 | 1 | +400 % |" in markdown and "## Worst 3 runs" in markdown
    data = json.loads(msgspec.json.encode(digest.as_data()))
    assert (1, 7, 5, 1) == (data["version"], data["days"], data["this"]["runs"], data["before"]["runs"])
    assert ["bad9", "bad6", "bad3"] == [one["run"] for one in data["worst"]] and 1 == len(data["suggestions"])


def test_a_digest_of_nothing_says_so():
    assert "  cost                              –            –" in list(as_text(Digest(NOW, 7)))


def test_days_without_runs_have_no_figures():
    found = Digest(NOW, 7)
    found.add(ScannedFile("new.jsonl", (run("new", 1, spent=Spent(3)),)))
    assert {"–"} == {row[2] for row in list(rows(found))[2:]}
    assert ("unknown", "–", "") == next(row[1:] for row in rows(found) if row[0] == "active time")


def test_what_was_not_recorded_is_unknown_and_has_no_change():
    found = Digest(NOW, 7)
    found.add(ScannedFile("new.jsonl", (run("new", 1, spent=Spent(3, cost_usd=0.0)),)))
    found.add(ScannedFile("old.jsonl", (run("old", 8, spent=Spent(10, 500, 0, 12.0)),)))
    figures = {row[0]: row[1:] for row in rows(found)}
    assert ("unknown", "500", "") == figures["tokens"]
    assert ("unknown", "$12.00", "") == figures["cost"]


def test_commands_are_code_in_markdown_and_nothing_else_is_markup():
    found = Digest(NOW, 7)
    causes = (Cause("program", "r*g", 2), Cause("program", "a`b", 2))
    found.add(ScannedFile("new.jsonl", (run("new", 1, spent=Spent(3), causes=causes),)))
    lines = [line for line in as_markdown(found) if "installed" in line]
    assert 1 == len(lines) and lines[0].startswith("- `r*g` is not installed here")  # the other is no program's name
