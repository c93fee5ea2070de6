"""Many recordings in several processes: the same as in one, and hard to break."""

import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path

import pytest

from headway.sources import Source
from headway.study import pool
from headway.study.pool import chunks, largest_first
from headway.study.scan import ScanOptions, scan_all
from tests.deadly import Deadly
from tests.reports.scans import a_month_of_runs


@pytest.fixture
def many(tmp_path, monkeypatch):
    """Recordings that are worth several processes, handed out a few at a time."""
    monkeypatch.setattr("headway.study.scan.WORTH_IT", 0)
    monkeypatch.setattr(pool, "MAX_FILES_PER_CHUNK", 4)
    return [Source(path) for path in sorted(a_month_of_runs(tmp_path / "runs", 22).glob("*.jsonl"))]


def test_two_processes_find_the_same_as_one_in_the_same_order(many):
    asked = ScanOptions(timelines=True)
    alone = list(scan_all(many, asked, 1))
    assert alone == list(scan_all(many, asked, 2))
    assert [source.name for source in many] == [file.name for file in alone]
    assert 22 == sum(len(file.runs) for file in alone)


@pytest.mark.slow
def test_a_process_that_dies_is_named_and_costs_nothing_else(many):
    deadly = Deadly(many[6].path, name="deadly.jsonl")
    files = list(scan_all([*many[:6], deadly, *many[6:]], ScanOptions(), 2))
    assert ["deadly.jsonl: the process that read it died, perhaps for lack of memory; it was left out"] == [
        file.trouble for file in files if file.trouble
    ]
    assert 22 == sum(len(file.runs) for file in files)
    assert [source.name for source in many] == [file.name for file in files if file.name != "deadly.jsonl"]


@pytest.mark.slow
def test_a_pool_that_broke_while_nobody_looked_loses_nothing(many):
    files = scan_all([Deadly(many[0].path, name="deadly.jsonl"), *many], ScanOptions(), 2)
    found = []
    for file in files:
        found.append(file)
        time.sleep(0.05)  # long enough for the processes to be found dead before the next chunk is handed out
    assert 1 == sum(bool(file.trouble) for file in found)
    assert [source.name for source in many] == [file.name for file in found if not file.trouble]


def test_chunks_are_bounded_in_files_and_bytes(many, monkeypatch):
    assert [4, 4, 4, 4, 4, 2] == [len(chunk) for chunk in chunks(many)]
    monkeypatch.setattr(pool, "CHUNK", 1)
    assert [1] * 22 == [len(chunk) for chunk in chunks(many)]


def test_the_largest_recordings_are_scanned_first_and_reported_in_their_place(many, monkeypatch):
    monkeypatch.setattr(pool, "MAX_FILES_PER_CHUNK", 1)
    sizes = sorted((source.size for source in many), reverse=True)
    monkeypatch.setattr(pool, "LARGE", sizes[2])
    order = largest_first(list(chunks(many)))
    assert sizes[:3] == [many[place].size for place in order[:3]]
    assert sorted(order[3:]) == order[3:]
    assert sorted(order) == list(range(len(many)))
    assert list(scan_all(many, ScanOptions(), 1)) == list(scan_all(many, ScanOptions(), 2))


def test_only_some_results_wait_for_their_turn(many, monkeypatch):
    monkeypatch.setattr(pool, "MAX_FILES_PER_CHUNK", 1)
    monkeypatch.setattr(pool, "LARGE", 1)
    monkeypatch.setattr(pool, "MAX_EARLY", 5)
    order = largest_first(list(chunks(many)))
    assert sorted(order[5:]) == order[5:]


def test_leaving_early_ends_the_processes(many):
    files = scan_all(many, ScanOptions(), 2)
    next(files)
    files.close()
    deadline = time.monotonic() + 100
    while active_children() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [] == active_children()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc here to look for processes in")
@pytest.mark.slow
def test_processes_do_not_outlive_a_parent_that_is_killed(many, tmp_path):
    program = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from headway.study import scan\n"
        "from headway.sources import Source\n"
        "if __name__ == '__main__':\n"
        "    scan.WORTH_IT = 0\n"
        "    sources = [Source(p) for p in sorted(Path(sys.argv[1]).glob('*.jsonl'))] * 50\n"
        "    files = scan.scan_all(sources, scan.ScanOptions(), 2)\n"
        "    next(files)\n"
        "    print('ready', flush=True)\n"
        "    time.sleep(60)\n"
    )
    script = tmp_path / "program.py"
    script.write_text(program)
    process = subprocess.Popen(
        [sys.executable, str(script), str(many[0].path.parent)], stdout=subprocess.PIPE, start_new_session=True
    )
    assert b"ready\n" == process.stdout.readline()
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 100
    while in_session(process.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert [] == in_session(process.pid)


def in_session(session):
    """Processes of a session that are still alive, from their line in /proc: pid (name) state parent group session …"""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, of_session = stat.read_text().rpartition(")")[2].split()[:4]
        except OSError:  # it ended just now
            continue
        if int(of_session) == session and state != "Z":
            found.append(stat.parent.name)
    return found
