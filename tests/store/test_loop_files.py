"""The files of a loop: the seed's tree, always whole."""

import json
import os
import random
import re
import subprocess
import sys
import time

import pytest

from headway.cli import run
from headway.store.loop_files import LARGEST_LOOP, LoopFiles, StorageError, loops, read_loop, write_atomically

WRITER = """
import sys
from pathlib import Path
from headway.store.loop_files import LoopFiles

root, mark, times = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
filling = "x" * 4_000_000
print("writing", flush=True)
for count in range(times):
    small = f'{{"by": "{mark}", "count": {count}, "end": true}}'.encode()
    large = f'{{"filling": "{filling}", "end": true}}'.encode()
    LoopFiles(root, "fix").write_round(
        count % 2, metrics=small, manifest=small, report=filling + "the end", trajectory=small, best=small, loop=large
    )
"""


def written(number: int = 1, text: str = "{}", **more) -> dict:
    data = text.encode()
    return {
        "number": number, "metrics": data, "manifest": data, "report": "# report", "trajectory": data, "best": data,
        "loop": data, **more,
    }  # fmt: skip


def tree(folder) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("[!.]*") if path.is_file())


def writer(root, mark: str = "a", times: int = 10**9) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(root), mark, str(times)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def test_the_tree_is_the_seeds(tmp_path):
    files = LoopFiles(tmp_path / "loops", "ralph-001")
    files.write_round(**written(0))
    files.write_round(**written(1, results={"junit.xml": b"<testsuites/>"}))
    files.write_selection(report="# selection", best=b"{}", loop=b'{"over": true}')
    assert [
        "best-tracker.json",
        "iterations/iteration-000/manifest.json",
        "iterations/iteration-000/metrics.json",
        "iterations/iteration-001/junit.xml",
        "iterations/iteration-001/manifest.json",
        "iterations/iteration-001/metrics.json",
        "loop.json",
        "progress/iteration-000-baseline.json",
        "progress/iteration-001-metrics.json",
        "progress/trajectory.json",
        "reports/iteration-000-report.md",
        "reports/iteration-001-report.md",
        "reports/output-selection-report.md",
    ] == tree(tmp_path / "loops" / "ralph-001")
    assert b'{"over": true}' == files.load() == read_loop(tmp_path / "loops" / "ralph-001")


def test_a_round_written_again_replaces_itself(tmp_path):
    files = LoopFiles(tmp_path, "fix")
    files.write_round(**written(1, '{"try": 1}'))
    files.write_round(**written(1, '{"try": 2}'))
    assert b'{"try": 2}' == (files.folder / "progress" / "iteration-001-metrics.json").read_bytes() == files.load()


def test_loops_are_listed_by_what_they_hold(tmp_path):
    for name in ("b", "a"):
        LoopFiles(tmp_path, name).write_round(**written())
    (tmp_path / "not-a-loop").mkdir()
    (tmp_path / "file").touch()
    assert ["a", "b"] == loops(tmp_path)


@pytest.mark.parametrize(
    "loop_id", ["", ".", "..", "a/b", "/etc", "a\\b", "../a", "a..b", ".hidden", "-x", "a b", "a\n", "é", "a\0", "x" * 101]
)  # fmt: skip
def test_an_id_that_could_lead_elsewhere_is_refused(tmp_path, loop_id):
    with pytest.raises(ValueError, match="is not a loop id: expected at most 100 letters"):
        LoopFiles(tmp_path, loop_id)


@pytest.mark.parametrize("loop_id", ["ralph-001", "2026-02-02T10.15", "x" * 100, "a_b"])
def test_a_plain_id_is_taken(tmp_path, loop_id):
    assert tmp_path / loop_id == LoopFiles(tmp_path, loop_id).folder


def test_a_result_cannot_leave_its_folder(tmp_path):
    with pytest.raises(ValueError, match="is not a file name"):
        LoopFiles(tmp_path, "fix").write_round(**written(results={"../../x": b""}))
    assert [] == list(tmp_path.iterdir())


def test_a_negative_round_is_refused(tmp_path):
    with pytest.raises(ValueError, match="from 0 on, not -1"):
        LoopFiles(tmp_path, "fix").write_round(**written(-1))


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "loops").touch()
    with pytest.raises(StorageError, match=re.escape(f"{tmp_path / 'loops' / 'fix'}: ") + ".*expected a folder"):
        LoopFiles(tmp_path / "loops", "fix").write_round(**written())


def test_what_is_not_there_is_named(tmp_path):
    with pytest.raises(StorageError, match=re.escape(f"{tmp_path / 'fix' / 'loop.json'}: No such file")):
        LoopFiles(tmp_path, "fix").load()
    with pytest.raises(StorageError, match=re.escape(f"{tmp_path / 'none'}: No such file")):
        loops(tmp_path / "none")


LOOKING = [["report", "./fix", "--root", "."], ["diff", "./fix", "baseline", "1", "--root", "."]]


@pytest.fixture
def fix(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fix").mkdir()
    return tmp_path / "fix" / "loop.json"


@pytest.mark.parametrize("arguments", LOOKING)
def test_nobody_waits_for_a_pipe(arguments, fix):
    """In a process of its own, which can be ended if it does wait."""
    os.mkfifo(fix)
    code = f"import sys; from headway.cli import run; sys.exit(run({arguments!r}))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert 2 == done.returncode
    assert "fix/loop.json: it is not a regular file; expected a work loop" in done.stderr


@pytest.mark.parametrize("arguments", LOOKING)
def test_a_link_to_a_device_is_not_read(arguments, fix, capsys):
    fix.symlink_to(os.devnull)
    assert 2 == run(arguments)
    assert "fix/loop.json: it is not a regular file; expected a work loop" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", LOOKING)
def test_a_file_that_is_far_too_large_is_not_read(arguments, fix, capsys):
    fix.touch()
    os.truncate(fix, LARGEST_LOOP + 1)
    assert 2 == run(arguments)
    assert "fix/loop.json: it has more than 64,000,000 bytes; expected a work loop" in capsys.readouterr().err


def test_a_link_to_a_loop_is_read(fix, tmp_path):
    (tmp_path / "elsewhere.json").write_bytes(b"{}")
    fix.symlink_to(tmp_path / "elsewhere.json")
    assert b"{}" == read_loop(fix.parent)


def test_a_file_that_finds_no_room_is_named_and_the_old_one_stays(tmp_path):
    """The system refuses to write more than 1,000 bytes, as a full disk would refuse to write any."""
    target = tmp_path / "loop.json"
    write_atomically(target, b"old")
    code = f"""
import resource
from pathlib import Path
from headway.store.loop_files import StorageError, write_atomically
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_atomically(Path({str(target)!r}), b"x" * 100_000)
except StorageError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert f"{target}: File too large; expected a place that can be written, with room for it\n" == done.stdout
    assert b"old" == target.read_bytes()
    assert [target] == list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_killed_writer_leaves_only_whole_files(tmp_path):
    chance = random.Random(7)
    written_by_all = {"loop.json", "best-tracker.json", "reports/iteration-000-report.md"}
    seen, kills = set(), 0
    while kills < 20 or not written_by_all <= seen:  # a busy machine may kill the first twenty before they have written
        process = writer(tmp_path)
        assert b"writing\n" == process.stdout.readline()
        kills += 1
        time.sleep(0.015 * max(kills, 20) * chance.random())
        process.kill()
        process.communicate()
        for name in tree(tmp_path / "fix"):
            content = (tmp_path / "fix" / name).read_text()
            assert content.endswith(("the end", '"end": true}'))
        seen |= set(tree(tmp_path / "fix"))


def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path):
    files = LoopFiles(tmp_path, "fix")
    files.write_round(**written())
    left = files.folder / "reports" / ".headway-0123456789abcdef.tmp"
    left.write_text("half a rep")
    files.write_round(**written(2))
    assert not left.exists()


def test_two_writers_of_one_loop_leave_files_that_fit_together(tmp_path):
    """Each round is written as one: its files are never half one writer's and half the other's."""
    for process in [writer(tmp_path, "a", 20), writer(tmp_path, "b", 20)]:
        _, complaint = process.communicate(timeout=60)
        assert (0, b"") == (process.returncode, complaint)
    names = ("best-tracker.json", "progress/trajectory.json")
    documents = [json.loads((tmp_path / "fix" / name).read_bytes()) for name in names]
    assert 1 == len({(one["by"], one["count"]) for one in documents})
    assert [] == list(tmp_path.rglob(".headway-*"))
