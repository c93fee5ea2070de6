"""A real project, round by round: what changed reaches the progress score and the oscillation detector."""

import subprocess

from headway import Monitor
from headway.core.events import IterationEnded
from headway.loop.changes import changed_between
from headway.snapshots import take


def project(folder, with_git=True):
    folder.mkdir()
    if with_git:
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
    (folder / "a.py").write_text("one\n" * 10)
    return folder


def test_lines_and_contents_of_a_round(tmp_path):
    folder = project(tmp_path / "p")
    before = take(folder, "loop/0", "baseline")
    (folder / "a.py").write_text("one\n" * 9 + "two\n")
    (folder / "new.py").write_text("x\n" * 40)
    after = take(folder, "loop/1", "round 1")

    found = changed_between(before, after)
    assert 42 == found.lines
    assert {"a.py", "new.py"} == set(found.files)
    assert all(found.files.values())


def test_a_folder_without_git_gives_the_same_numbers(tmp_path):
    numbers = []
    for with_git in (True, False):
        folder = project(tmp_path / f"p{with_git}", with_git)
        before = take(folder, "loop/0", "baseline")
        (folder / "a.py").unlink()
        (folder / "b.py").write_text("x\n" * 7)
        numbers.append(changed_between(before, take(folder, "loop/1", "round 1")))
    assert numbers[0] == numbers[1]
    assert 17 == numbers[0].lines
    assert "" == numbers[0].files["a.py"]


def test_without_snapshots_changes_are_unknown():
    assert changed_between(None, None) is None


def test_alternating_file_changes_are_found(tmp_path):
    folder, monitor = project(tmp_path / "p"), Monitor()
    last, found = take(folder, "loop/0", "baseline"), []
    monitor.feed(IterationEnded(output="baseline"))
    for number, text in enumerate(["first\n", "second\n", "first\n", "second\n"], 1):
        (folder / "a.py").write_text(text * 10)
        now = take(folder, f"loop/{number}", f"round {number}")
        outcome = monitor.feed(IterationEnded(output=f"words of {number}", changes=changed_between(last, now)))
        found += [(number, finding.detector) for finding in outcome.findings]
        last = now
    assert (4, "oscillation") in found
    assert 0.2 == next(p.score for p in monitor.session.iterations[-1].progress.parts if p.name == "file_changes")
