"""Packed sessions: the same reports as from the recordings, in shards, from recordings and from tables of events."""

import json
from pathlib import Path

import msgspec
import pyarrow
import pyarrow.parquet
import pytest

from headway.cli import run
from headway.core import events
from headway.core.iteration import Measurements
from headway.readers import read, recordings_in
from headway.shapes.packed_events import event_of, row_of
from headway.sources import Source
from headway.sources.storage import LocalFolder
from headway.study.packing import Session, Shards, sessions_in
from headway.study.scan import ScanOptions, scan_one
from tests.command import headway
from tests.readers.samples_read import SAMPLES
from tests.reports.scans import a_month_of_runs

EVERY_KIND = [
    events.RunStarted(seq=1, at=1.5, task="edit", model="m", root="/r", targets=("a.py",), program="p"),
    events.UserSpoke(seq=2, text="please\n"),
    events.AgentSpoke(seq=3, text="ok"),
    events.ToolCalled(seq=4, call="c", tool="Read", args={"path": "a", "n": [1, {"x": None}], "big": 2**70}, batch="b"),
    events.ToolReturned(seq=5, call="c", output="x", failed=False, exit_code=0, denied=True, hits=0),
    events.ContextCompacted(seq=6),
    events.Ticked(seq=60, at=9.5),
    events.Advised(seq=7, text="t", tool="Grep"),
    events.Used(seq=8, tokens_in=1, tokens_out=2, cost_usd=0.5, tokens_cached=3, tokens_written=4),
    events.Stopped(seq=9, reason="enough"),
    events.IterationEnded(seq=10, output="", measured=Measurements(tests_passed=3), based_on=0, snapshot="s"),
    events.TurnEnding(seq=11, text="done"),
    events.RunEnded(seq=12, outcome="solved"),
]


def reports_of(folder):
    """What is found, without where it was found."""
    files = [scan_one(source, ScanOptions()) for source in recordings_in(folder)]
    found = [one.report for file in files for one in file.runs]
    return [msgspec.structs.replace(one, source="", reader="", skipped_records=0) for one in found]


@pytest.mark.parametrize("event", EVERY_KIND, ids=lambda event: type(event).__name__)
def test_every_kind_of_event_survives(event):
    given = msgspec.structs.replace(event, run="r", agent="a")
    assert given == event_of(row_of(given), "r", "a")


def test_no_kind_of_event_is_missing_here():
    assert set(events.AnyEvent.__args__) == set(map(type, EVERY_KIND))


def test_half_characters_and_huge_numbers_can_be_packed(tmp_path):
    odd = [
        events.ToolCalled(call="c", tool="t\ud83d", args={"text \ud83d": ["\ud83d"]}),
        events.ToolReturned(call="c", output="half \ud83d", exit_code=2**80),
    ]
    shards = Shards(LocalFolder(str(tmp_path)))
    session = Session("r", "", "s", "x")
    for event in odd:
        session.add(row_of(event))
    shards.add(session)
    shards.close()
    called, returned = read(Source(tmp_path / shards.names[0]))
    assert {"text ?": ["?"]} == called.args and "half ?" == returned.output


def test_packed_runs_are_reported_as_the_recordings_are(tmp_path):
    runs = a_month_of_runs(tmp_path / "runs", 12)
    packed = headway("pack", runs, tmp_path / "packed", text=True)
    assert 0 == packed.returncode and "12 sessions" in packed.stderr, packed.stderr
    assert reports_of(runs) == reports_of(tmp_path / "packed")


@pytest.mark.slow
def test_every_sample_of_every_format_is_reported_the_same_when_packed(tmp_path):
    packed = headway("pack", SAMPLES, tmp_path / "packed", text=True)
    assert packed.returncode in (0, 2), packed.stderr
    before, after = reports_of(SAMPLES), reports_of(tmp_path / "packed")
    assert len(before) == len(after) > 50
    kept = ("agent", "model", "steps", "verdict", "spent", "failed_steps", "kinds", "started_at", "ended_at", "prompt")
    assert [[getattr(one, name) for name in kept] for one in before] == [
        [getattr(one, name) for name in kept] for one in after
    ]


def test_runs_of_the_same_name_stay_apart(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / "runs" / folder).mkdir(parents=True)
        line = {"type": "user_spoke", "run": "same", "text": folder}
        (tmp_path / "runs" / folder / "x.jsonl").write_text(json.dumps(line) + "\n")
    assert 0 == headway("pack", tmp_path / "runs", tmp_path / "packed").returncode
    names = {report.run for report in reports_of(tmp_path / "packed")}
    assert {"same", f"{tmp_path}/runs/b/x.jsonl#same"} == names


def test_shards_have_about_the_size_that_was_asked_for(tmp_path):
    shards = Shards(LocalFolder(str(tmp_path)), 10_000)
    for number in range(50):
        session = Session(f"r{number}", "", "s", "x")
        session.add({"type": "user_spoke", "text": "x" * 1_000})
        shards.add(session)
    shards.close()
    rows = [pyarrow.parquet.read_metadata(tmp_path / name).num_rows for name in shards.names]
    assert [10, 10, 10, 10, 10] == rows


def flat_table(path: Path, rows: list[dict]) -> None:
    columns = {name: [row.get(name) for row in rows] for name in dict.fromkeys(name for row in rows for name in row)}
    pyarrow.parquet.write_table(pyarrow.table(columns), path)


def test_flat_tables_in_any_order_become_sessions(tmp_path):
    runs = a_month_of_runs(tmp_path / "runs", 6)
    rows = [
        {"run": event.run, "agent": event.agent, **row_of(event)}
        for source in recordings_in(runs) for event in read(source)
    ]  # fmt: skip
    (tmp_path / "flat").mkdir()
    backwards = sorted(rows, key=lambda row: (row["seq"], row["run"]), reverse=True)
    for number in range(3):
        flat_table(tmp_path / "flat" / f"{number}.parquet", backwards[number::3])
    done = headway("pack", tmp_path / "flat", tmp_path / "packed", text=True)
    assert 0 == done.returncode and "6 sessions" in done.stderr, done.stderr
    by_name = {report.run: report for report in reports_of(tmp_path / "packed")}
    assert {report.run: report for report in reports_of(runs)} == by_name


def test_a_row_that_is_no_event_is_counted(tmp_path):
    flat_table(tmp_path / "t.parquet", [{"run": "r", "type": "user_spoke", "text": "x"}, {"run": "r", "type": "what"}])
    done = headway("pack", tmp_path / "t.parquet", tmp_path / "packed", text=True)
    assert 2 == done.returncode and "1 event could not be read; the first: run 'r'" in done.stderr


def test_packed_sessions_are_not_overwritten_unasked(tmp_path):
    runs = a_month_of_runs(tmp_path / "runs", 2)
    assert 0 == headway("pack", runs, tmp_path / "packed").returncode
    again = headway("pack", runs, tmp_path / "packed", text=True)
    assert 2 == again.returncode and "use --force" in again.stderr
    assert 0 == headway("pack", runs, tmp_path / "packed", "--force").returncode
    assert 2 == len(reports_of(tmp_path / "packed"))


def test_other_tables_and_damaged_ones_are_told(tmp_path):
    flat_table(tmp_path / "other.parquet", [{"x": 1}])
    other = headway("scan", tmp_path / "other.parquet", text=True)
    assert 2 == other.returncode and "not a recording" in other.stderr
    flat_table(tmp_path / "odd.parquet", [{"run": "r", "agent": "", "events": "none"}])
    odd = headway("scan", tmp_path / "odd.parquet", text=True)
    assert 2 == odd.returncode and "its column `events` is not a list of events" in odd.stderr
    (tmp_path / "cut.parquet").write_bytes((tmp_path / "other.parquet").read_bytes()[:-20])
    cut = headway("scan", tmp_path / "cut.parquet", text=True)
    assert 2 == cut.returncode and "the Parquet file is damaged" in cut.stderr, cut.stderr


def test_what_comes_before_a_damage_counts(tmp_path):
    runs = a_month_of_runs(tmp_path / "runs", 40)
    shards = Shards(LocalFolder(str(tmp_path / "packed")))
    for source in recordings_in(runs):
        for session in sessions_in(source):
            shards.add(session)
            shards._write()  # a group of rows for each
    shards.close()
    path = tmp_path / "packed" / shards.names[0]
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 2_000] = bytes(2_000)
    path.write_bytes(content)
    file = scan_one(Source(path), ScanOptions())
    assert "the Parquet file is damaged" in file.trouble and 10 < len(file.runs) < 40


def test_packed_sessions_are_not_removed_before_they_are_read(tmp_path, capsys):
    a_month_of_runs(tmp_path / "runs", 3)
    packed = tmp_path / "packed"
    assert 0 == run(["pack", str(tmp_path / "runs"), str(packed)])
    before = (packed / "sessions-00000.parquet").read_bytes()
    for place in (str(packed), f"file://{packed}"):
        assert 2 == run(["pack", str(packed), place, "--force"])
        assert "would be replaced before it is read" in capsys.readouterr().err
    (tmp_path / "notes.jsonl").write_text("hello")
    assert 2 == run(["pack", str(tmp_path / "notes.jsonl"), str(packed), "--force"])
    assert before == (packed / "sessions-00000.parquet").read_bytes()


def test_a_damaged_table_does_not_cost_the_recordings_beside_it(tmp_path, capsys):
    a_month_of_runs(tmp_path / "runs", 3)
    texts = [f"{number * 7919:x}" for number in range(9_000)]
    flat = pyarrow.table({"run": texts, "type": ["agent_spoke"] * 9_000, "text": texts})
    pyarrow.parquet.write_table(flat, tmp_path / "runs" / "flat.parquet", compression="zstd")
    content = bytearray((tmp_path / "runs" / "flat.parquet").read_bytes())
    content[1_000:5_000] = bytes(4_000)
    (tmp_path / "runs" / "flat.parquet").write_bytes(content)
    assert 2 == run(["pack", str(tmp_path / "runs"), str(tmp_path / "packed")])
    told = capsys.readouterr().err
    assert "Error: " in told and "flat.parquet" in told and "3 sessions" in told and "Traceback" not in told


def test_the_name_of_a_table_is_not_a_pattern(tmp_path, capsys):
    for name in ("a*.parquet", "a[12]?.parquet", "ab.parquet"):
        pyarrow.parquet.write_table(pyarrow.table({"run": [name], "type": ["agent_spoke"]}), tmp_path / name)
    assert 0 == run(["pack", str(tmp_path), str(tmp_path / "packed")])
    assert "3 sessions with 3 events" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_told_in_one_line(tmp_path, capsys):
    a_month_of_runs(tmp_path / "runs", 1)
    (tmp_path / "file").write_text("")
    assert 2 == run(["pack", str(tmp_path / "runs"), str(tmp_path / "file")])
    assert f"Error: {tmp_path}/file: cannot be written: File exists\n" == capsys.readouterr().err
