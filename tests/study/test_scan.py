"""Recordings scanned: what is reported of a run, and which runs are wanted."""

import json
import os

import msgspec
import pytest

from headway.core.decision import Action
from headway.readers import NothingReadableError
from headway.sources import Source
from headway.study import scan as scanning
from headway.study import watched
from headway.study.scan import ScanOptions, scan, scan_one, scanned
from tests.reports.scans import Recording, honest, searching, stuck


def source_of(recording, folder):
    return Source(recording.write(folder))


def reports(recording, folder, **asked):
    return [one.report for one in scanned(source_of(recording, folder), ScanOptions(**asked))]


def test_a_run_is_told_with_what_it_did_and_spent(tmp_path):
    (report,) = reports(honest("fine", 6, 1), tmp_path)
    calls = sum(report.kinds.values())
    assert ("fine", "example", "example-large", 2) == (report.run, report.agent, report.model, report.user_turns)
    assert calls == report.steps == report.spent.steps
    assert {"read": 6, "edit": 2, "test": 2, "search": 1} == report.kinds
    assert sum(9_000 + 400 * n for n in range(1, calls + 1)) == report.spent.tokens_in
    assert pytest.approx(0.012 * calls) == report.spent.cost_usd
    assert Action.CONTINUE is report.verdict and report.first_stop is None and 0 == report.after_stop.steps


def test_a_run_is_known_by_its_first_prompt_and_its_project(tmp_path):
    recording = Recording("known").add("run_started", root="/home/ada/shop/")
    recording.user(f"Fix the cart, token=ghp_{'a' * 36}. {'Please. ' * 90}").user("And the tax.")
    (report,) = reports(recording, tmp_path)
    assert "shop" == report.project and report.prompt.startswith("Fix the cart, token=")
    assert (
        "aaaa" not in report.prompt
        and watched.MAX_PROMPT_CHARACTERS >= len(report.prompt)
        and report.prompt.endswith("…")
    )
    (bare,) = reports(recording, tmp_path, content=False)
    assert bare.project.startswith("#") and "cart" not in bare.prompt and bare.prompt.startswith("#")


def test_what_came_after_a_stop_is_counted_up_to_the_users_next_word(tmp_path):
    recording = Recording("two turns").user("rename it")
    edit = {"file_path": "a.py", "old_string": "x", "new_string": "y"}
    for _ in range(9):
        recording.call("Edit", edit, "Error: String to replace not found in file.", failed=True)
    recording.user("never mind, what does it say?")
    for n in range(5):
        recording.call("Read", {"file_path": f"{n}.py"}, f"content {n}")
    (report,) = reports(recording, tmp_path)

    assert Action.STOP is report.verdict
    assert 14 == report.steps
    assert 9 - report.first_stop == report.after_stop.steps > 0
    # what a call used is recorded after its result, and so after a stop that its result earned
    assert sum(9_000 + 400 * n for n in range(report.first_stop, 10)) == report.after_stop.tokens_in


def test_a_total_that_is_told_in_one_piece_has_no_share_after_the_stop(tmp_path):
    """Some programs tell what a run took when it is over: stopping would not have saved all of it."""
    recording = stuck("told at the end", 12, 1)
    recording.lines = [line for line in recording.lines if line["type"] != "used"]
    recording.add("used", tokens_in=500_000, tokens_out=9_000, cost_usd=1.15)
    (report,) = reports(recording, tmp_path)
    assert (500_000, 1.15) == (report.spent.tokens_in, report.spent.cost_usd)
    assert report.after_stop.steps > 0
    assert (0, None) == (report.after_stop.tokens, report.after_stop.cost_usd)


def test_a_persons_stop_saves_nothing(tmp_path):
    recording = Recording("told to stop").user("go").call("Read", {"file_path": "a"}, "x")
    recording.add("stopped", reason="enough").call("Read", {"file_path": "b"}, "y")
    (report,) = reports(recording, tmp_path)
    assert (Action.STOP, None, 0) == (report.verdict, report.first_stop, report.after_stop.steps)


def test_many_runs_in_one_file_are_packed_up_without_a_trace(tmp_path, monkeypatch):
    """More runs than are held ready, their events in turn: the same reports as one by one."""
    runs = [stuck(f"run-{n}", 8, n).lines for n in range(7)]
    mixed = [line for lines in zip(*(run + [None] * 200 for run in runs), strict=False) for line in lines if line]
    path = tmp_path / "mixed.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in mixed))
    whole = list(scan(Source(path)))
    monkeypatch.setattr(scanning, "LIVE", 2)
    assert whole == list(scan(Source(path)))
    assert [f"run-{n}" for n in range(7)] == [report.run for report in whole]


def test_a_report_is_bounded_and_says_what_it_left_out(tmp_path, monkeypatch):
    (whole,) = reports(stuck("long", 40, 3), tmp_path)
    monkeypatch.setattr(watched, "MAX_FINDINGS", 2)
    monkeypatch.setattr(watched, "MAX_DECISIONS", 3)
    (short,) = reports(stuck("long", 40, 3), tmp_path)
    assert (2, len(whole.findings) - 2) == (len(short.findings), short.more_findings)
    assert (3, len(whole.decisions) - 3) == (len(short.decisions), short.more_decisions)
    assert whole.verdict is short.verdict and whole.after_stop == short.after_stop
    assert {"high"} == {str(finding.severity) for finding in short.findings}


@pytest.mark.parametrize(
    ("agents", "found"), [((), 1), (("codex",), 1), (("CODEX",), 1), (("co*", "x"), 1), (("gemini",), 0)]
)
def test_agents_can_be_chosen(tmp_path, agents, found):
    assert found == len(reports(honest("a", 3, 1, program="codex"), tmp_path, agents=agents))


def test_since_goes_by_the_time_of_the_events(tmp_path):
    recording = honest("a", 3, 1, at=1_790_000_000)
    assert 1 == len(reports(recording, tmp_path, since=1_790_000_000.0))
    assert 0 == len(reports(recording, tmp_path, since=1_790_100_000.0))


def test_since_goes_by_the_file_where_events_have_no_time(tmp_path):
    recording = honest("a", 3, 1)
    for line in recording.lines:
        del line["at"]
    source = source_of(recording, tmp_path)
    os.utime(source.path, (1_790_000_000, 1_790_000_000))
    assert 1 == len(list(scanned(source, ScanOptions(since=1_789_999_000.0))))
    assert 0 == len(list(scanned(source, ScanOptions(since=1_790_001_000.0))))


def test_a_file_that_was_written_long_before_is_not_even_read(tmp_path):
    source = source_of(honest("a", 3, 1), tmp_path)
    source.path.write_text("not read")
    os.utime(source.path, (1_000_000_000, 1_000_000_000))
    file = scan_one(source, ScanOptions(since=1_790_000_000.0))
    assert ((), "", "") == (file.runs, file.passed_over, file.trouble)


def test_a_database_is_as_new_as_its_log_and_a_folder_as_its_newest_file(tmp_path):
    database, log = tmp_path / "x.db", tmp_path / "x.db-wal"
    database.touch()
    log.touch()
    os.utime(database, (1_000, 1_000))
    os.utime(log, (2_000, 2_000))
    assert 2_000 == Source(database).last_changed
    folder = tmp_path / "conversation"
    (folder / "events").mkdir(parents=True)
    for name, when in (("base.json", 3_000), ("events/1.json", 4_000)):
        (folder / name).touch()
        os.utime(folder / name, (when, when))
    assert 4_000 == Source(folder).last_changed
    assert Source(tmp_path / "gone").last_changed is None and Source(content=b"").last_changed is None


def test_nothing_to_read_is_said(tmp_path):
    path = tmp_path / "empty.jsonl"
    path.write_text('{"type": "tool_called"}\n')
    with pytest.raises(NothingReadableError, match="recognised as headway, but 1 of its records could not be read"):
        list(scan(Source(path)))


def test_a_timeline_has_a_cell_for_each_step_and_words_for_many(tmp_path):
    (one,) = scanned(source_of(searching("s", 9, 1), tmp_path), ScanOptions(timelines=True))
    timeline = msgspec.json.decode(one.timeline)
    assert one.report.steps == len(timeline["kinds"]) == len(timeline["words"])
    assert [1, 1_790_000_028, "Grep 'convert_currency_0'", "ok, nothing found: No matches found"] == timeline["words"][
        0
    ]


def test_a_fault_of_ours_costs_only_the_one_recording(tmp_path):
    class Broken(Source):
        def head(self):
            raise ZeroDivisionError("oops")

    path = source_of(honest("a", 3, 1), tmp_path).path
    file = scan_one(Broken(path), ScanOptions())
    assert f"{path}: Headway failed on it (ZeroDivisionError: oops); please report this" == file.trouble
