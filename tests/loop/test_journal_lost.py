"""A loop whose own files are lost or damaged: what is left is named, and its rounds can still be restored."""

import shutil

import pytest

from headway.cli import run
from tests.loop.projects import agent, repair, suite

LOST = ["t1 ok", "t2 ok", "t3 bad", "t4 bad"]


@pytest.fixture
def kept(loop, folder):
    """The folder of a loop of two rounds, each of which repaired a test."""
    loop("--max-rounds", 2, "--", agent(folder, r1=repair("t3"), r2=repair("t4")))
    return folder / ".headway" / "loops" / "it"


def without_line(number):
    def spoil(path):
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[: number - 1] + lines[number:]))

    return spoil


def made_a_folder(path):
    path.unlink()
    path.mkdir()


SPOILED = [
    (lambda path: path.unlink(), "No such file or directory; expected the journal of a loop."),
    (lambda path: path.write_bytes(b""), "expected the journal of a loop in format 1."),
    (lambda path: path.write_bytes(b"\xff\xfe\0\n" * 9), "line 1: expected a fact of a loop"),
    (lambda path: path.write_bytes(path.read_bytes().replace(b'"format":1', b'"format":2')), "in format 1."),
    (without_line(1), "expected the journal of a loop in format 1."),
    (without_line(2), "facts are missing in the middle of it."),
    (without_line(4), "facts are missing in the middle of it."),
    (made_a_folder, "Is a directory; expected the journal of a loop."),
]


def test_resuming_without_a_journal_says_what_to_do(loop, kept):
    """One loop is enough, because a resume that is refused changes nothing."""
    journal = kept / "journal.jsonl"
    whole = journal.read_bytes()
    for spoil, why in SPOILED:
        journal.write_bytes(whole)
        spoil(journal)
        for name in ("it", "last"):
            assert 2 == loop.run("--resume", name)[0], why
            said = " ".join(loop.said.split())
            assert f"{journal}: " in said and why in said
            assert "`headway report it` shows them, `headway rollback it ROUND` restores one" in said
            assert "Traceback" not in said


@pytest.mark.parametrize(
    "lose",
    [
        lambda kept: (kept / "loop.json").unlink(),
        lambda kept: (kept / "loop.json").write_text("{"),
        lambda kept: shutil.rmtree(kept.parent.parent),
    ],
)
def test_rounds_can_be_restored_from_git_without_a_journal(kept, folder, tmp_path, capfd, lose):
    lose(kept)
    assert 0 == run(["rollback", "it", "1", "--yes"])
    assert "using the rounds that git has" in capfd.readouterr().err
    assert ["t3 ok", "t4 bad"] == suite(folder)[2:]
    assert 0 == run(["rollback", "it", "baseline", "--yes"])
    assert LOST == suite(folder)
    assert 0 == run(["diff", "it", "round-001", "2", "--stat"])
    assert "1 file, +1 -1" in capfd.readouterr().out
    assert 0 == run(["export", "it", "2", str(tmp_path / "out")])
    assert (tmp_path / "out" / "tests.txt").is_file()
    capfd.readouterr()
    assert 2 == run(["rollback", "it", "best", "--yes"])
    assert "it has no round 'best'; available: " in capfd.readouterr().err


def test_a_missing_loop_json_is_named_and_nothing_is_created(kept, folder, tmp_path, monkeypatch, capfd):
    (kept / "loop.json").unlink()
    assert 2 == run(["report", "it"])
    assert ".headway/loops/it/loop.json does not exist, so this is not a loop" in capfd.readouterr().err
    assert 0 == run(["report"])
    assert f"no loops in {kept.parent}; `headway loop` starts one" in capfd.readouterr().err
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert 2 == run(["rollback", "it", "1", "--yes"])
    assert "no loop 'it'; there are no loops here" in capfd.readouterr().err
    assert [] == [*(tmp_path / "elsewhere").iterdir()]
