"""Whoever only looks at a project runs nothing of it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from headway.cli import run
from headway.setup import agents
from tests.cli.test_live_sessions import Terminal
from tests.security.hostile import command_lines, hostile_clone, hostile_project
from tests.snapshots.projects import own_settings

pytestmark = pytest.mark.slow

HEADWAY = Path(sys.executable).parent / "headway"
LOOKING = {
    "scan": ["scan", "."],
    "scan as HTML": ["scan", ".", "--format", "html", "--jobs", "1"],
    "show": ["show", "session.jsonl"],
    "convert": ["convert", "session.jsonl", "--to", "atif"],
    "doctor": ["doctor"],
    "status": ["status"],
    "config": ["config"],
    "probe --dry": ["probe", "--dry"],
    "detectors": ["detectors"],
    "explain": ["explain", "exact_cycle"],
    "meaning": ["meaning", "Bash", "npm test"],
    "report": ["report"],
    "report of a loop": ["report", "last"],
    "diff of two rounds": ["diff", "last", "baseline", "1"],
    "diff with now": ["diff", "last", "1", "now"],
    "diff in numbers": ["diff", "last", "baseline", "now", "--stat"],
    "install --dry-run": ["install", *agents(), "--project", "--dry-run"],
}


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Iterator[tuple[Path, Path]]:
    """The project, and the folder where what was run leaves a file."""
    top = tmp_path_factory.mktemp("hostile")
    with pytest.MonkeyPatch.context() as patch:
        own_settings(tmp_path_factory.mktemp("settings"), patch)
        (top / "marks").mkdir()
        hostile_project(top / "project", top / "marks")
        hostile_clone(top / "clone", top / "marks")
        yield top, top / "marks"


@pytest.fixture
def project(place, tmp_path, monkeypatch) -> Path:
    top, marks = place
    for mark in marks.iterdir():  # left by git while the project was made, or by a test that failed
        mark.unlink()
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "HEADWAY_STATE_DIR", "CODEX_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(top / "project")
    monkeypatch.setenv("PATH", os.pathsep.join([".", os.environ["PATH"], "."]))
    return top / "project"


@pytest.fixture(scope="session")
def audited():
    """What Python itself tells of programs that are started and connections that are opened, while somebody listens."""
    on_output: list[list[tuple[str, tuple]]] = []

    def listen(event: str, given: tuple) -> None:
        if on_output and event in (
            "subprocess.Popen",
            "os.system",
            "os.exec",
            "os.posix_spawn",
            "socket.connect",
            "socket.bind",
        ):
            on_output[-1].append((event, given))

    sys.addaudithook(listen)

    @contextmanager
    def listening() -> Iterator[list[tuple[str, tuple]]]:
        on_output.append([])
        yield on_output[-1]
        on_output.clear()

    return listening


def ran(place) -> list[str]:
    return sorted(mark.name for mark in place[1].iterdir())


@pytest.mark.parametrize("arguments", LOOKING.values(), ids=LOOKING)
def test_looking_runs_nothing(arguments, place, project, capsys):
    code = run(arguments)
    out, err = capsys.readouterr()
    refused = "install" in arguments  # two agents have a file of somebody else where ours would be
    assert code in ((2,) if refused else (0, 1)) and out, err
    assert [] == ran(place)


@pytest.mark.parametrize("name", ["diff of two rounds", "diff with now", "diff in numbers", "report of a loop"])
def test_a_git_directory_that_came_with_the_project_runs_nothing(name, place, project, monkeypatch, capsys):
    monkeypatch.chdir(place[0] / "clone")
    assert 0 == run(LOOKING[name]), capsys.readouterr().err
    assert [] == ran(place)


def test_the_project_would_run_something_if_anybody_let_it(place, project, monkeypatch):
    """Otherwise the tests here could not fail."""
    subprocess.run(["git", "status"], check=False)
    assert ["program-project-git"] == ran(place)
    monkeypatch.setenv("PATH", os.environ["PATH"].strip(f".{os.pathsep}"))
    settings = json.loads((project / ".claude" / "settings.json").read_text())
    line = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    for command in (["sh", "-c", line], [".venv/bin/python"], ["git", "add", "-A"], ["make", "-n"]):
        subprocess.run(command, capture_output=True, check=False)
    subprocess.run([sys.executable, "-m", "evil"], capture_output=True, check=False)
    expected = {"settings-claude-code", "program-bin-python", "git-process", "make-read", "module-evil"}
    assert expected <= set(ran(place))


def test_watching_runs_nothing(place, project):
    terminal = Terminal()
    terminal.wait_for("No agent activity yet")
    os.write(terminal.own, b"q")
    assert 0 == terminal.end()
    assert [] == ran(place)


def test_looking_starts_git_alone_and_opens_no_connection(place, project, audited, capsys):
    for name, arguments in LOOKING.items():
        with audited() as events:
            run(arguments)
        programs = {Path(given[0]).name for event, given in events if event == "subprocess.Popen"}
        assert programs <= ({"git"} if "diff" in name else set()), name
        assert not [event for event, _ in events if event != "subprocess.Popen"], name


def test_modules_in_the_present_folder_are_not_imported(place, project):
    """A real process: in this one they are imported already."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([HEADWAY, "config"], capture_output=True, text=True, env=environment, check=False, timeout=60)
    assert 0 == done.returncode and "loop.until" in done.stdout, done.stderr
    assert [] == ran(place)


STARTED = {
    "scan": "from headway.study.engines.local import LocalEngine; list(LocalEngine(1).run(print, [1], 2))",
    "history": "from headway.serve.history import history; history()",
    "serve --detach": "from headway.serve.detach import started_apart; from headway.serve.run import Place; "
    "import json, os, signal; started_apart(Place(port=0)); from headway.store.place import service_record; "
    "os.kill(json.load(open(service_record()))['pid'], signal.SIGTERM)",
}


@pytest.mark.parametrize("what", STARTED)
def test_further_processes_import_nothing_from_the_present_folder(what, tmp_path):
    """Python itself would: it starts them with `-c`."""
    folder, script = tmp_path / "project", tmp_path / "script.py"
    folder.mkdir()
    for name in ("threading", "selectors", "nt", "click"):
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n", "utf-8")
    script.write_text(f"if __name__ == '__main__':\n    {STARTED[what]}\n", "utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {"HEADWAY_STATE_DIR": str(tmp_path / "state"), "HOME": str(tmp_path)}

    done = subprocess.run(
        [sys.executable, script], cwd=folder, capture_output=True, text=True, env=environment, check=False, timeout=60
    )

    assert not (tmp_path / "ran").exists()
    assert 0 == done.returncode, done.stderr


@pytest.mark.parametrize("agent", agents())
def test_doctor_shows_the_command_lines_of_others_and_runs_none(agent, place, project, capsys):
    run(["doctor", agent, "--format", "json"])
    checks = json.loads(capsys.readouterr().out)["checks"]
    shown = [
        check["text"] for check in checks if check["text"].startswith("not run, because this Headway did not write it")
    ]
    lines = command_lines(agent, str(place[1] / f"settings-{agent}"))
    assert len(lines) == len(shown) and all(
        any(f"`{line.split(chr(10))[0]}" in text for text in shown) for line in lines
    )
    assert "the settings call ./headway, which is missing or cannot be run" in {check["text"] for check in checks}
    assert [] == ran(place)


def test_doctor_runs_its_own_command_line_without_a_shell(place, project, audited, capsys):
    run(["install", "claude-code"])
    with audited() as events:
        run(["doctor", "claude-code"])
    own = str(HEADWAY)
    started = {tuple(given[1]) for event, given in events if event == "subprocess.Popen"}
    assert {(own, "hook", "--agent", "claude-code")} == started
    assert "reported an invented loop" in capsys.readouterr().out
    assert [] == ran(place)


def test_doctor_does_not_look_for_headway_in_the_present_folder(place, project, monkeypatch, capsys):
    """The line is ours, but what it would find on a PATH with `.` in it is the project's."""
    agent = agents()["gemini"]
    path, form = agent.place(project)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}node_modules/.bin")
    before = path.read_text()
    path.write_text(form.installed(""))
    try:
        run(["doctor", "gemini"])
    finally:
        path.write_text(before)
    assert "the settings call headway, which is missing or cannot be run" in capsys.readouterr().out
    assert [] == ran(place)


def test_doctor_shows_no_control_characters(place, project, capsys):
    (project / ".qwen" / "settings.json").write_text(
        json.dumps({"hooks": {"Stop": [{"hooks": [{"command": "\x1b]0;owned\x07\x1b[2J headway hook"}]}]}})
    )
    run(["doctor", "qwen"])
    out = capsys.readouterr().out
    assert "owned" in out and "\x1b" not in out and "\x07" not in out


def test_a_detector_that_a_project_names_has_to_be_installed(place, project, tmp_path, monkeypatch, capsys):
    for name in ("evil.py", "evil-1.dist-info"):
        (tmp_path / name).symlink_to(project / name)
    (tmp_path / "headway.toml").write_text("[detectors.evil]\nlimit = 1\n")
    monkeypatch.chdir(tmp_path)
    for command in (["config"], ["scan", "."], ["detectors"], ["explain", "evil"]):
        assert run(command) in (0, 2)
    assert "unknown setting detectors.evil" in capsys.readouterr().err
    assert [] == ran(place)


def test_settings_in_yaml_make_no_objects(place, tmp_path, monkeypatch, capsys):
    (tmp_path / "headway.yaml").write_text(f"tools: !!python/object/apply:os.system ['touch {place[1]}/yaml']\n")
    monkeypatch.chdir(tmp_path)
    assert 2 == run(["config"])
    assert "not valid YAML" in capsys.readouterr().err
    assert [] == ran(place)


def test_commands_in_a_project_s_settings_are_shown_and_not_run(place, project, capsys):
    run(["config", "loop"])
    out = capsys.readouterr().out
    assert "loop.test = " in out and "loop-test" in out
    assert [] == ran(place)
