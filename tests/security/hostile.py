"""A project whose files would all like to run a command. Each leaves a file of its own name where it did."""

import json
import shutil
from pathlib import Path

from headway.core.iteration import Measurements
from headway.loop.round_files import write_round
from headway.loop.tracker import Tracker
from headway.setup import agents
from headway.setup.agent import Agent
from headway.snapshots import take
from headway.store.loop_files import LoopFiles
from tests.snapshots.projects import git, project, write

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
HOOKS = ("pre-commit", "post-checkout", "post-index-change", "reference-transaction", "update", "fsmonitor-watchman")
PROGRAMS = (
    "headway",
    "git",
    "python",
    "python3",
    "pytest",
    "ruff",
    "mypy",
    "npm",
    "make",
    "ps",
    "sh",
    "claude",
    "codex",
)
SHADOWED = ("click", "rich", "msgspec", "rapidfuzz", "tomllib", "sqlite3", "headway", "sitecustomize", "usercustomize")


def command_lines(agent: str, mark: str) -> list[str]:
    """Lines that a stranger may write into settings so that they look like ours."""
    return [
        f"touch {mark}; headway hook --agent {agent}",
        f"headway hook --agent {agent}; touch {mark}",
        f"headway hook --agent {agent} || touch {mark}",
        f"headway hook --agent {agent} || true; touch {mark}",
        f"$(touch {mark}) headway hook --agent {agent} || true",
        f"headway hook --agent {agent} --interrupt `touch {mark}` || true",
        f"headway hook --agent {agent}\ntouch {mark}",
        f"./headway hook --agent {agent} || true",
        f"LD_PRELOAD=./evil.so headway hook --agent {agent} || true",
        f"headway hook --agent {agent} 'open quote; touch {mark}",
    ]


def hostile_project(folder: Path, marks: Path) -> Path:
    """The project. It has a loop of two rounds, as one that was cloned with its `.headway` may have."""
    project(folder, {"a.py": b"start\n", "tests/test_a.py": b"raise SystemExit\n"})
    _loop(folder)
    _programs(folder, marks)
    _python(folder, marks)
    _tools(folder, marks)
    for agent in agents().values():
        _settings(agent, folder, marks / f"settings-{agent.name}")
    _git(folder / ".git", marks, "git")
    (folder / ".gitattributes").write_text("* diff=evil filter=evil merge=evil\n")
    shutil.copy(sorted((EXAMPLES / "recordings").glob("*.jsonl"))[0], folder / "session.jsonl")
    return folder


def hostile_clone(folder: Path, marks: Path) -> Path:
    """A folder without `.git`, as an archive or a clone may bring it, with a git directory where Headway keeps its own."""
    folder.mkdir()
    _loop(folder)
    _git(folder / ".headway" / "git", marks, "own-git")
    (folder / ".gitattributes").write_text("* diff=evil filter=evil merge=evil\n")
    return folder


def _loop(folder: Path) -> None:
    tracker, files = Tracker("fix-login"), LoopFiles(folder / ".headway" / "loops", "fix-login")
    for number in range(2):
        write(folder, {"a.py": b"round %d\n" % number})
        ref = take(folder, f"loops/fix-login/round-{number:03d}", "m").ref
        measured = Measurements(test_count=6, tests_passed=3 + number, tests_failed=3 - number)
        if number:
            tracker.post_iteration(measured, "output", snapshot=ref)
        else:
            tracker.pre_loop(measured, snapshot=ref)
        write_round(tracker, files)
    write(folder, {"a.py": b"changed since\n"})


def _programs(folder: Path, marks: Path) -> None:
    """Programs of usual names, in the folder itself and where environments have theirs."""
    for place in (folder, folder / ".venv" / "bin", folder / "venv" / "bin", folder / "node_modules" / ".bin"):
        for name in PROGRAMS:
            _script(place / name, marks / f"program-{place.name}-{name}")


def _python(folder: Path, marks: Path) -> None:
    """Modules that Python or Headway would import if it looked in the current folder, and a plug-in for all kinds."""
    for name in (*SHADOWED, "evil", "conftest"):
        write(folder, {f"{name}.py": f"open({str(marks / f'module-{name}')!r}, 'w').close()\n".encode()})
    groups = "".join(f"[headway.{kind}]\nevil = evil:Evil\n" for kind in ("detectors", "readers", "probes"))
    write(folder, {"evil-1.dist-info/entry_points.txt": groups.encode(), "evil-1.dist-info/METADATA": b"Name: evil\n"})
    write(folder, {"evil.pth": f"import os; open({str(marks / 'pth')!r}, 'w').close()\n".encode()})


def _tools(folder: Path, marks: Path) -> None:
    """What measuring tools are told, and Headway's own settings."""
    scripts = {name: f"touch {marks / f'npm-{name}'}" for name in ("test", "lint", "build", "pretest", "prepare")}
    write(folder, {"package.json": json.dumps({"scripts": scripts}).encode()})
    write(
        folder, {"Makefile": f"X := $(shell touch {marks / 'make-read'})\ntest:\n\ttouch {marks / 'make'}\n".encode()}
    )
    write(folder, {"pyproject.toml": b"[tool.pytest.ini_options]\n[tool.ruff]\n[tool.mypy]\nplugins = ['evil']\n"})
    settings = f"[loop]\ntest = 'touch {marks / 'loop-test'}'\nuntil = 'touch {marks / 'loop-until'}'\n"
    write(folder, {"headway.toml": settings.encode()})


def _settings(agent: Agent, folder: Path, mark: Path) -> None:
    """Command lines in the form of the agent's settings."""
    path = agent.project_file(folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = command_lines(agent.name, str(mark))
    if path.suffix == ".js":
        path.write_text("\n".join(json.dumps(line) for line in lines))
        return
    hooks = {"PreToolUse": [{"hooks": [{"type": "command", "command": line, "bash": line}]} for line in lines]}
    path.write_text(json.dumps({"version": 1, "hooks": hooks}))


def _git(git_dir: Path, marks: Path, name: str) -> None:
    """Configuration that makes git run something, also in the corner of the git directory that is Headway's own."""
    for place, kind in ((git_dir, name), (git_dir / "headway", f"{name}-room")):
        settings = {
            "core.fsmonitor": "fsmonitor", "core.pager": "pager", "core.editor": "editor", "core.sshCommand": "ssh",
            "core.askPass": "askpass", "core.alternateRefsCommand": "alternate-refs", "diff.external": "external",
            "diff.evil.command": "diff-driver", "diff.evil.textconv": "textconv", "filter.evil.clean": "clean",
            "filter.evil.smudge": "smudge", "filter.evil.process": "process", "merge.evil.driver": "merge",
            "gpg.program": "gpg", "credential.helper": "!credential", "alias.diff-tree": "!alias", "pager.diff": "pager-diff",
            "interactive.diffFilter": "diff-filter", "uploadpack.packObjectsHook": "pack", "sequence.editor": "sequence",
        }  # fmt: skip
        for key, value in settings.items():
            shell = "!" if value.startswith("!") else ""
            script = _script(place / "evil" / value.lstrip("!"), marks / f"{kind}-{value.lstrip('!')}")
            git(place, "config", "--file", str(place / "config"), key, f"{shell}{script}")
        for key in ("commit.gpgSign", "log.showSignature", "filter.evil.required"):
            git(place, "config", "--file", str(place / "config"), key, "true")
        for hook in HOOKS:
            _script(place / "hooks" / hook, marks / f"{kind}-hook-{hook}")
        write(place, {"info/attributes": b"* diff=evil filter=evil merge=evil\n"})
    elsewhere = shutil.copytree(git_dir / "headway", git_dir / "elsewhere")
    write(git_dir, {"headway/commondir": str(elsewhere).encode()})


def _script(path: Path, mark: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n: > {mark}\nexit 0\n")
    path.chmod(0o755)
    return path
