"""Scans in shards: the same bytes whatever the number of workers and the order, continued, and hard to break."""

import json
import re
from pathlib import Path

import msgspec
import pyarrow.parquet
import pytest

from headway.cli import run
from headway.config.settings import Settings
from headway.core.decision import Action
from headway.core.run_report import RunReport, ScannedFile, ScannedRun
from headway.sources import Source
from headway.sources.storage import LocalFolder
from headway.study.batch import Batch, SetAside, prefix
from headway.study.engines import Failure, InThisProcess
from headway.study.engines.local import LocalEngine
from headway.study.scan import ScanOptions
from headway.study.shards import shards_of
from headway.study.tables import Tables, scanned_files
from tests.command import headway
from tests.deadly import Deadly, DeadlyOnce, raises_at_first
from tests.reports.scans import Recording, a_month_of_runs


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return a_month_of_runs(tmp_path_factory.mktemp("month") / "runs", 12)


@pytest.fixture
def sources(runs):
    return [Source(path) for path in sorted(runs.glob("*.jsonl"))]


def shards_in_threes(sources):
    """Shards of three recordings each."""
    size = sum(source.size for source in sources[:3])
    found, held = [], []
    for source in sources:
        held.append(source)
        if len(held) == 3:
            found += shards_of(held, 10 * size)
            held = []
    return found


def content(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def done(shards, out, workers=0, asked=None):
    """The batch and its results: in so many processes, or in this one."""
    batch = Batch(["runs"], shards, asked or ScanOptions(), str(out), "1")
    engine = LocalEngine(workers) if workers else InThisProcess()
    try:
        return batch, list(batch.run(engine))
    finally:
        engine.close()


@pytest.fixture(scope="module")
def expected(runs, tmp_path_factory):
    """The results of this process."""
    out = tmp_path_factory.mktemp("expected")
    sources = [Source(path) for path in sorted(runs.glob("*.jsonl"))]
    done(shards_in_threes(sources), out)
    return content(out)


def test_the_bytes_do_not_depend_on_workers_and_order(sources, expected, tmp_path):
    shards = shards_in_threes(sources)
    assert 4 == len(shards) and 4 * 4 + 1 == len(expected)
    done(shards, tmp_path / "two", 2)
    assert expected == content(tmp_path / "two")
    batch = Batch(["runs"], shards, ScanOptions(), str(tmp_path / "backwards"), "1")
    batch.waiting = batch.waiting[::-1]
    engine = LocalEngine(1)
    list(batch.run(engine))
    engine.close()
    assert expected == content(tmp_path / "backwards")


@pytest.mark.parametrize("written", range(4))
def test_what_ends_while_tables_are_written_costs_nothing(sources, expected, tmp_path, monkeypatch, written):
    """Each shard has four tables: so many of the second shard's are written when it ends."""
    put, places = LocalFolder.put, []

    def ends(storage, path, name):
        places.append(name)
        if len(places) > 4 + written:
            raise KeyboardInterrupt
        put(storage, path, name)

    shards = shards_in_threes(sources)
    monkeypatch.setattr(LocalFolder, "put", ends)
    with pytest.raises(KeyboardInterrupt):
        done(shards, tmp_path)
    monkeypatch.undo()
    assert 3 == len(done(shards, tmp_path)[1])
    assert expected == content(tmp_path)


def test_what_is_done_is_not_done_again(sources, expected, tmp_path):
    shards = shards_in_threes(sources)
    batch, results = done(shards, tmp_path)
    assert 4 == len(results)
    (Path(batch.place) / "runs" / f"{shards[2].id}.parquet").unlink()
    _, results = done(shards, tmp_path)
    assert [shards[2].id] == [one.id for one in results]
    assert expected == content(tmp_path)


@pytest.mark.slow
def test_a_killed_process_costs_nothing(sources, expected, tmp_path):
    once = [DeadlyOnce(source.path) if number == 4 else source for number, source in enumerate(sources)]
    _, results = done(shards_in_threes(once), tmp_path, 2)
    sources[4].path.with_name(f"{sources[4].path.name}.killed").unlink()
    assert not any(isinstance(one, SetAside) for one in results)
    assert expected == content(tmp_path)


@pytest.mark.slow
def test_a_deadly_recording_is_left_out_and_named_and_the_rest_of_its_shard_counts(sources, tmp_path):
    deadly = [*sources[:4], Deadly(sources[4].path), *sources[5:]]
    _, results = done(shards_in_threes(deadly), tmp_path, 2)
    assert [] == [one for one in results if isinstance(one, SetAside)]
    told = [trouble for one in results for trouble in one.troubles]
    assert [f"{sources[4].name}: the process that read it died, perhaps for lack of memory; it was left out"] == told
    assert 11 == sum(one.runs for one in results)


@pytest.mark.slow
def test_a_deadly_shard_is_set_aside_and_named_and_tried_again_the_next_time(sources, tmp_path):
    alone = [*shards_of([sources[0]]), *shards_of([Deadly(sources[1].path)]), *shards_of([sources[2]])]
    batch, results = done(alone, tmp_path, 2)
    (aside,) = [one for one in results if isinstance(one, SetAside)]
    assert sources[1].name == aside.name and "died" in aside.why
    written = Path(batch.place, "set-aside", f"{aside.id}.json")
    assert aside == msgspec.json.decode(written.read_bytes(), type=SetAside)
    _, results = done(_healthy(sources), tmp_path)
    assert [aside.id] == [one.id for one in results] and not written.exists()


def _healthy(sources):
    return [shard for source in sources[:3] for shard in shards_of([source])]


def test_changed_settings_go_to_another_place(sources, tmp_path):
    one, _ = done(_healthy(sources), tmp_path)
    before = content(tmp_path)
    strict = Settings.of({"policy": {"stop_after_high": 1}})
    other, results = done(_healthy(sources), tmp_path, asked=ScanOptions(settings=strict))
    assert one.place != other.place and 3 == len(results)
    assert before.items() <= content(tmp_path).items()
    assert 3 == len(
        {
            prefix(["runs"], ScanOptions(), "1"),
            prefix(["other"], ScanOptions(), "1"),
            prefix(["runs"], ScanOptions(), "2"),
        }
    )


def test_results_of_recordings_that_changed_are_replaced(sources, tmp_path):
    copies = tmp_path / "copies"
    copies.mkdir()
    for source in sources[:2]:
        (copies / source.path.name).write_bytes(source.path.read_bytes())
    first, second = sorted(copies.iterdir())
    done([*shards_of([Source(first)]), *shards_of([Source(second)])], tmp_path / "out")
    first.write_bytes(first.read_bytes() + b"{}\n")
    batch, results = done([*shards_of([Source(first)]), *shards_of([Source(second)])], tmp_path / "out")
    assert 1 == len(results) and 2 == len(list(Path(batch.place, "runs").iterdir()))


def test_work_that_fails_is_tried_three_times(tmp_path):
    engine = LocalEngine(1)
    (tmp_path / "b").write_text("xx")
    (_, result), (_, other) = engine.run(raises_at_first, [str(tmp_path / "a"), str(tmp_path / "b")], 3)
    assert "done" == result == other
    ((_, failed),) = engine.run(raises_at_first, [str(tmp_path / "c")], 9)
    engine.close()
    assert Failure("OSError: the network is down") == failed and "xxx" == (tmp_path / "c").read_text()


def test_the_command_writes_tables_and_says_where(runs, tmp_path):
    scan = headway("scan", runs, "-o", f"{tmp_path}/results/", "--steps", "-j", "1", text=True)
    assert 0 == scan.returncode, scan.stderr
    place = Path(scan.stdout.strip())
    assert {"files", "runs", "findings", "decisions", "steps", "timelines"} == {
        path.name for path in place.iterdir() if path.is_dir()
    }
    assert 12 == pyarrow.parquet.read_table(place / "runs").num_rows
    again = headway("scan", runs, "-o", f"{tmp_path}/results/", "--steps", "-j", "1", text=True)
    assert "1 of 1 shard done by an earlier scan" in again.stderr and again.stdout == scan.stdout


def test_a_dry_run_says_how_much_there_is_and_writes_nothing(runs, tmp_path):
    dry = headway("scan", runs, "--out", f"{tmp_path}/results/", "--dry-run", text=True)
    assert 0 == dry.returncode and dry.stdout.startswith("1 shard, ")
    assert re.search(r"\([1-9][\d.]* [kM]B/s each, measured on ", dry.stdout) and "about 0" not in dry.stdout
    assert not (tmp_path / "results").exists()


def test_a_dry_run_on_a_small_recording_has_a_speed_that_is_not_0(tmp_path):
    path = Recording("small").user("go").call("Read", {"file_path": "a"}, "x").write(tmp_path)
    dry = headway("scan", path, "--out", f"{tmp_path}/results/", "--dry-run", text=True)
    assert re.search(r"\([1-9][\d.]* k?B/s each, measured on \d+B\)", dry.stdout), dry.stdout


def test_damaged_recordings_are_named_and_the_exit_code_is_1(runs, tmp_path):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "cut.jsonl.gz").write_bytes(b"\x1f\x8bnothing")
    scan = headway("scan", runs, tmp_path / "bad", "-o", f"{tmp_path}/results/", "-j", "1", text=True)
    assert 1 == scan.returncode and "cut.jsonl.gz" in scan.stderr and "12 runs" in scan.stderr


def test_bad_use_is_told(runs, tmp_path):
    for wrong in (["--engine", "local"], ["-o", f"{tmp_path}/x/", "--by", "model"], ["--format", "text", "--steps"]):
        done = headway("scan", runs, *wrong, text=True)
        assert 2 == done.returncode and "Parquet tables" in done.stderr


def test_half_characters_break_no_shard(tmp_path):
    half = {"type": "tool_called", "run": "r", "call": "c", "tool": "Edit", "args": {"file_path": "a\ud83d"}}
    (tmp_path / "half.jsonl").write_text(json.dumps(half) + "\n")
    _, results = done(
        list(shards_of([Source(tmp_path / "half.jsonl")])), tmp_path / "out", asked=ScanOptions(steps=True)
    )
    assert [1] == [one.runs for one in results]
    report = RunReport(
        "r\ud83d", "s", "x", "a", "m", 1, 0, Action.STOP, (), (), prompt="\ud83d", tools={"\ud83d": (1, 1)}
    )
    tables = Tables()
    tables.add_run(ScannedRun(report, steps=({"tool": "\ud83d"},)))
    tables.add_file(ScannedFile("x", trouble="\ud83d"), 1)
    (file,) = scanned_files(*map(iter, (tables.files, tables.runs, tables.findings, tables.decisions)))
    assert ("r?", "?", {"?": (1, 1)}, "?") == (
        file.runs[0].report.run, file.runs[0].report.prompt, file.runs[0].report.tools, file.trouble
    )  # fmt: skip


def test_other_bytes_from_standard_input_are_another_shard():
    (one,), (other,) = (list(shards_of([Source(content=content)])) for content in (b"a", b"b"))
    assert one.id != other.id


def test_a_scan_of_what_is_done_already_tells_the_same(runs, tmp_path, capsys):
    command = ["scan", str(runs), "-o", f"{tmp_path}/", "--fail-on", "nudge", "-j", "1"]
    assert 1 == run(command)
    first = capsys.readouterr().err
    assert 1 == run(command)
    again = capsys.readouterr().err
    assert "12 runs in 1 shard" in first and again == f"1 of 1 shard done by an earlier scan\n{first}"


def test_a_shard_whose_recordings_are_gone_is_removed_though_nothing_is_left_to_do(
    sources, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr("headway.study.shards.MAX_FILES_PER_SHARD", 1)
    folder = tmp_path / "runs"
    folder.mkdir()
    for source in sources[:3]:
        (folder / source.path.name).write_bytes(source.path.read_bytes())
    assert 0 == run(["scan", str(folder), "-o", f"{tmp_path}/out/", "-j", "1"])
    max(folder.iterdir()).unlink()
    assert 0 == run(["scan", str(folder), "-o", f"{tmp_path}/out/", "-j", "1"])
    assert "2 runs in 2 shards" in capsys.readouterr().err
    assert 0 == run(["report", f"{tmp_path}/out"])
    assert capsys.readouterr().out.startswith("2 runs")


def test_results_inside_the_folder_that_is_scanned_are_no_recordings(sources, tmp_path, monkeypatch, capsys):
    (tmp_path / "run.jsonl").write_bytes(sources[0].path.read_bytes())
    monkeypatch.chdir(tmp_path)
    for setting in ("1", "2", "1"):
        assert 0 == run(["scan", ".", "-o", "results/", "-j", "1", "--set", f"policy.stop_after_high={setting}"])
    assert "1 of 1 shard done by an earlier scan\n1 run in 1 shard" in capsys.readouterr().err


def test_recordings_without_a_readable_record_are_told(tmp_path, capsys):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "damaged.jsonl").write_text('{"type":"tool_called","run":"x"')
    assert 1 == run(["scan", str(tmp_path / "in"), "-o", f"{tmp_path}/out/", "-j", "1"])
    assert "damaged.jsonl: recognised as headway, but" in capsys.readouterr().err


def test_a_file_that_is_no_recording_is_told(tmp_path, capsys):
    (tmp_path / "notes.txt").write_text("hello")
    assert 2 == run(["scan", str(tmp_path / "notes.txt"), "-o", f"{tmp_path}/out/", "-j", "1"])
    assert "no recordings found in" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_told_in_one_line(runs, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert 2 == run(["scan", str(runs), "-o", f"{tmp_path}/file/"])
    assert 1 == capsys.readouterr().err.count("\n")


@pytest.mark.slow
def test_folders_of_the_same_name_do_not_replace_each_others_results(sources, tmp_path, monkeypatch, capsys):
    for place, source in zip(("a", "b"), sources, strict=False):
        (tmp_path / place / "runs").mkdir(parents=True)
        (tmp_path / place / "runs" / "run.jsonl").write_bytes(source.path.read_bytes())
        monkeypatch.chdir(tmp_path / place)
        assert 0 == run(["scan", "runs", "-o", f"{tmp_path}/out/", "-j", "1"])
    one, other = capsys.readouterr().out.split()
    assert one != other and all(any(Path(place, "runs").iterdir()) for place in (one, other))
