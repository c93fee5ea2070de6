"""`headway rollback`, `headway diff` and `headway export` over a loop that was kept."""

import os
import pty
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from headway.cli import run
from headway.core.iteration import Measurements
from headway.loop.lock import project_lock
from headway.loop.round_files import write_round
from headway.loop.tracker import Tracker
from headway.snapshots import Repository, list_snapshots, take
from headway.store.loop_files import LoopFiles
from tests.snapshots.projects import found, git, own_settings, plain, project, users_git, write

PASSED = (3, 5, 4)
"""Tests that passed in the baseline and in two rounds: the first one is the best."""
PROGRAM = [sys.executable, "-c", "from headway.cli import main; main()"]


@pytest.fixture(scope="module", autouse=True)
def person(tmp_path_factory) -> Iterator[None]:
    """Somebody whom git knows, with nothing of the machine's settings."""
    with pytest.MonkeyPatch.context() as patch:
        own_settings(tmp_path_factory.mktemp("settings"), patch)
        yield


@pytest.fixture(scope="module")
def templates(tmp_path_factory) -> Path:
    """The same project with git and without, in each of which a loop of two rounds was run."""
    place = tmp_path_factory.mktemp("templates")
    start = {"a.py": b"start\n", ".gitignore": b"*.log\n"}
    for kind, make in (("git", project), ("plain", plain)):
        loop_of_two_rounds(make(place / kind, start), "fix-login")
        write(place / kind, {"x.log": b"ignored\n"})
    return place


@pytest.fixture(params=["git", "plain"])
def either(request, templates, tmp_path, monkeypatch) -> Path:
    """The project, with git and without; it is the present folder."""
    return copied(templates / request.param, tmp_path, monkeypatch)


@pytest.fixture
def folder(templates, tmp_path, monkeypatch) -> Path:
    """The project with git; it is the present folder."""
    return copied(templates / "git", tmp_path, monkeypatch)


def copied(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(shutil.copytree(template, tmp_path / "project", symlinks=True))
    return tmp_path / "project"


def loop_of_two_rounds(folder: Path, loop_id: str) -> None:
    tracker, files = Tracker(loop_id), LoopFiles(folder / ".headway" / "loops", loop_id)
    for number, passed in enumerate(PASSED):
        write(folder, {"a.py": b"round %d\nred \x1b[31m\n" % number, f"added-{number}": b"x\n"})
        ref = take(folder, f"loops/{loop_id}/round-{number:03d}", "m").ref
        measured = Measurements(test_count=6, tests_passed=passed, tests_failed=6 - passed)
        if number:
            tracker.post_iteration(measured, f"output {number}", snapshot=ref)
        else:
            tracker.pre_loop(measured, snapshot=ref)
        write_round(tracker, files)


def kept_names(folder: Path) -> list[str]:
    refs = [one.ref.removeprefix("refs/headway/loops/fix-login/") for one in list_snapshots(folder)]
    return [ref for ref in refs if not ref.startswith("round-")]


def test_rolling_back_and_undoing_it(either, capfd):
    before = found(either)

    assert 0 == run(["rollback", "fix-login", "1", "--yes"])

    said = capfd.readouterr()
    assert "M         +1 -1  a.py\nD         +0 -1  added-2\n" == said.out
    assert "written: 1, removed: 1" in said.err
    assert "headway rollback fix-login before-rollback" in said.err
    expected = before | {"a.py": ("file", b"round 1\nred \x1b[31m\n")}
    del expected["added-2"]
    assert expected == found(either)
    assert ["before-rollback"] == kept_names(either)

    assert 0 == run(["rollback", "fix-login", "1", "--yes"])
    assert "the files already match round 1; nothing was changed" in capfd.readouterr().err

    assert 0 == run(["rollback", "fix-login", "before-rollback", "--yes"])
    assert before == found(either)


def test_every_rollback_names_what_undoes_it_and_the_help_promises_no_more(folder, capfd):
    for round in ("1", "0", "2", "1"):
        before = found(folder)
        assert 0 == run(["rollback", "fix-login", round, "--yes"])
        assert before != found(folder)
        command = capfd.readouterr().err.partition("to restore them: headway ")[2].split()
    assert "before-rollback-4" == command[-1]
    assert 0 == run([*command, "--yes"])
    assert before == found(folder)
    capfd.readouterr()
    run(["rollback", "--help"])
    help = " ".join(capfd.readouterr().out.split())
    assert "before-rollback undo the first rollback; each later one prints the name to use" in help


@pytest.mark.parametrize("named", ["path", "root"])
def test_from_elsewhere_the_command_that_undoes_it_works_there(folder, tmp_path, monkeypatch, capfd, named):
    before = found(folder)
    monkeypatch.chdir(tmp_path)
    loops = folder / ".headway" / "loops"
    loop = [str(loops / "fix-login")] if named == "path" else ["fix-login", "--root", str(loops)]

    assert 0 == run(["rollback", *loop, "1", "--yes"])
    assert before != found(folder)

    command = capfd.readouterr().err.partition("to restore them: headway ")[2].strip()
    assert 0 == run([*shlex.split(command), "--yes"])
    assert before == found(folder)


@pytest.mark.parametrize(
    ("name", "content"), [("0", b"round 0"), ("baseline", b"round 0"), ("best", b"round 1"), ("2", b"round 2")]
)
def test_a_round_has_a_number_or_a_name(folder, tmp_path, name, content):
    assert 0 == run(["export", "fix-login", name, str(tmp_path / "out")])

    assert content == (tmp_path / "out" / "a.py").read_bytes().splitlines()[0]


def test_a_dry_run_shows_it_and_changes_nothing(either, capfd):
    before = found(either)

    assert 0 == run(["rollback", "last", "best", "--dry-run"])

    said = capfd.readouterr()
    assert "D         +0 -1  added-2" in said.out and "dry run" in said.err
    assert before == found(either)
    assert [] == kept_names(either)


def test_where_nobody_can_be_asked_nothing_is_done(folder):
    before = found(folder)

    done = subprocess.run([*PROGRAM, "rollback", "last", "best"], input=b"y\n", capture_output=True, timeout=60)

    assert 2 == done.returncode and b"pass --yes" in done.stderr
    assert before == found(folder)


@pytest.mark.parametrize(("answer", "content", "code"), [("y", b"round 1", 0), ("n", b"round 2", 130)])
def test_at_a_terminal_a_person_is_asked(folder, answer, content, code):
    ours, theirs = pty.openpty()
    process = subprocess.Popen([*PROGRAM, "rollback", "last", "best"], stdin=theirs, stdout=theirs, stderr=theirs)
    os.write(ours, f"{answer}\n".encode())

    assert code == process.wait(timeout=60)

    assert "Change 2 files in" in os.read(ours, 65536).decode()
    assert content == (folder / "a.py").read_bytes().splitlines()[0]
    os.close(ours)
    os.close(theirs)


def test_while_a_loop_is_at_work_nothing_is_changed(folder, capfd):
    before = found(folder)
    with project_lock(Repository.at(folder), "another"):
        assert 2 == run(["rollback", "last", "best", "--yes"])

    assert "another loop is running" in capfd.readouterr().err
    assert before == found(folder)
    assert 0 == run(["rollback", "last", "best", "--yes"])


def test_a_state_that_the_loop_itself_kept_can_be_gone_back_to(folder):
    write(folder, {"a.py": b"precious\n"})
    take(folder, "loops/fix-login/before-going-back-002", "m")
    write(folder, {"a.py": b"later\n"})

    assert 0 == run(["rollback", "last", "before-going-back-002", "--yes"])

    assert b"precious\n" == (folder / "a.py").read_bytes()


def test_many_files_are_not_all_named(folder, capfd):
    write(folder, {f"many/{number}": b"x\n" for number in range(25)})

    run(["rollback", "last", "2", "--dry-run"])

    assert capfd.readouterr().out.endswith("and 5 more\n")


def test_there_is_nothing_to_do_where_the_files_are_so_already(folder, capfd):
    assert 0 == run(["rollback", "last", "2"])

    assert "nothing was changed" in capfd.readouterr().err
    assert [] == kept_names(folder)


def test_an_obstacle_stops_it_with_nothing_changed(folder, capfd):
    (folder / "a.py").unlink()
    write(folder, {"a.py/secret.log": b"precious\n"})
    before = found(folder)

    assert 2 == run(["rollback", "last", "best", "--yes"])

    assert "a.py/secret.log would have to be removed" in capfd.readouterr().err
    assert before == found(folder)


def test_rolling_back_leaves_the_users_git_alone(either):
    if not (either / ".git").exists():
        git(either, "init", "-q")
    write(either, {"staged": b"s\n"})
    git(either, "add", "staged")
    before = users_git(either)

    assert 0 == run(["rollback", "last", "best", "--yes"])

    assert before == users_git(either)


def test_a_diff_in_a_pipe_is_a_patch(either, tmp_path, capfdbinary):
    assert 0 == run(["diff", "last", "baseline", "best"])

    text = capfdbinary.readouterr().out
    assert b"-round 0\n+round 1\n red \x1b[31m\n" in text and b"new file mode 100644" in text
    assert 0 == run(["export", "last", "baseline", str(tmp_path / "out")])
    subprocess.run(["git", "apply"], cwd=tmp_path / "out", input=text, check=True)
    assert b"round 1\nred \x1b[31m\n" == (tmp_path / "out" / "a.py").read_bytes()


def test_a_diff_at_a_terminal_has_colours_and_nothing_that_it_would_obey(folder):
    ours, theirs = pty.openpty()
    done = subprocess.run([*PROGRAM, "diff", "last", "baseline", "best"], stdout=theirs, timeout=60, check=True)
    shown = os.read(ours, 65536)
    os.close(ours)
    os.close(theirs)

    assert 0 == done.returncode
    assert b"\x1b[32m" in shown and b"+round 1" in shown
    assert b"\\x1b[31m" in shown and b"red \x1b[31m" not in shown


def test_a_diff_in_numbers(folder, capfd):
    (folder / "added-1").rename(folder / "moved\naway")
    write(folder, {"binary": bytes(range(256)), "x.log": b"still ignored\n"})

    assert 0 == run(["diff", "last", "2", "now", "--stat"])

    assert ["A        binary  binary", "R         +0 -0  added-1 -> moved away", "2 files, +0 -0"] == sorted(
        capfd.readouterr().out.splitlines(), key=lambda line: (line[0] == "2", line)
    )
    assert [] == kept_names(folder)


def test_a_diff_of_equal_states_says_so_and_prints_nothing(folder, capfd):
    assert 0 == run(["diff", "last", "2", "now"])

    said = capfd.readouterr()
    assert "" == said.out and "no difference between 2 and now" in said.err


def test_a_diff_that_nobody_reads_to_its_end(folder):
    write(folder, {"long": b"line\n" * 200_000})
    diff = subprocess.Popen([*PROGRAM, "diff", "last", "2", "now"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert diff.stdout is not None
    diff.stdout.read(10)
    diff.stdout.close()

    assert 0 == diff.wait(timeout=60)
    assert diff.stderr is not None
    assert b"" == diff.stderr.read()
    diff.stderr.close()
    assert [] == kept_names(folder)


def test_an_export_goes_to_an_empty_folder_only(folder, tmp_path, capfd):
    write(tmp_path, {"full/mine": b"mine\n"})
    (tmp_path / "empty").mkdir()

    assert 2 == run(["export", "last", "best", str(tmp_path / "full")])
    assert "full is not an empty folder. Nothing was written" in capfd.readouterr().err
    assert {"mine": ("file", b"mine\n")} == found(tmp_path / "full")

    assert 0 == run(["export", "last", "best", str(tmp_path / "empty")])
    assert {".gitignore", "a.py", "added-0", "added-1"} == set(found(tmp_path / "empty"))


def test_the_latest_loop_is_the_one_written_last_and_a_beginning_will_do(folder, capfd):
    loops = folder / ".headway" / "loops"
    for loop_id, written in (("fix-logout", 2_000_000_000), ("other", 1)):
        LoopFiles(loops, loop_id).write_selection(
            report="",
            best=b"",
            loop=(loops / "fix-login" / "loop.json").read_bytes().replace(b"fix-login", loop_id.encode()),
        )
        os.utime(loops / loop_id / "loop.json", (written, written))

    for name, meant in (("last", "fix-logout"), ("fix-logi", "fix-login"), ("o", "other")):
        assert 2 == run(["diff", name, "9", "1"])
        assert f"Error: loop {meant} has no round '9'" in capfd.readouterr().err


def test_a_loop_of_another_project_is_named_by_its_folder(folder, tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")

    assert 0 == run(["rollback", str(folder / ".headway" / "loops" / "fix-login"), "best", "--yes"])

    assert b"round 1" == (folder / "a.py").read_bytes().splitlines()[0]
    assert [] == list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize(
    ("loop", "round", "named"),
    [
        ("nope", "1", "no loop 'nope'; the loops are: fix-login, fix-logout"),
        ("", "1", "no loop ''"),
        ("fix", "1", "'fix' matches several loops: fix-login, fix-logout"),
        ("../nope", "1", "../nope/loop.json: No such file or directory"),
        ("fix-login", "7", "loop fix-login has no round '7'; available: rounds 0 to 2, baseline, best"),
        ("fix-login", "worst", "fix-login has no round 'worst'"),
        (
            "fix-login",
            "2",
            "the files of round 2 are lost: snapshot refs/headway/loops/fix-login/round-002 is missing",
        ),
    ],
)
def test_errors_say_what_there_is(folder, capfd, loop, round, named):
    """All three commands find a round in the same way."""
    loops = folder / ".headway" / "loops"
    shutil.copytree(loops / "fix-login", loops / "fix-logout")
    (folder / ".git" / "refs" / "headway" / "loops" / "fix-login" / "round-002").unlink()
    before = found(folder)

    for command in (["rollback", loop, round, "--yes"], ["diff", loop, round, "now"], ["export", loop, round, "out"]):
        assert 2 == run(command)
        said = capfd.readouterr()
        assert named in said.err and "" == said.out
    assert before == found(folder)


@pytest.mark.parametrize("command", ["rollback", "diff", "export"])
def test_help_teaches_by_example(command, capfd):
    assert 0 == run([command, "--help"])

    assert f"headway {command} last" in capfd.readouterr().out


def test_where_no_loop_was_run(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)

    assert 2 == run(["rollback", "last", "best"])

    assert "there are no loops here" in capfd.readouterr().err


@pytest.mark.parametrize("odd", ["../../x", "a b", "-x", "a\\u0000b", "x.lock"])
def test_an_odd_id_in_a_loops_file_is_refused_in_one_line(odd, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    kept = tmp_path / ".headway" / "loops" / "mine" / "loop.json"
    kept.parent.mkdir(parents=True)
    kept.write_text(f'{{"version": 1, "loop_id": "{odd}", "rounds": []}}')

    assert 2 == run(["diff", "mine", "baseline", "best"])

    told = capsys.readouterr().err
    assert "Error: .headway/loops/mine/loop.json: at `$.loop_id`" in told and 1 == len(told.splitlines())
