"""Places to try `headway new` in: a copy of Headway, and a project of somebody else."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.command import ROOT

TOOLS = Path(sys.executable).parent
COPIED = ("src", "tests", "bench", "docs", "examples", "dev")
MYPYS = ROOT / ".mypy_cache" / os.environ.get("PYTEST_XDIST_WORKER", "alone")
"""What mypy knows of the standard library, for all that a process checks: to read it takes longer than the rest."""
FILES = (".importlinter", "CONTRIBUTING.md", "README.md", "mkdocs.yml", "pyproject.toml")


def cloned(folder):
    """A copy of this clone. Bytecode comes with it: to make it anew takes longer than most tests there."""
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name)
    for name in FILES:
        shutil.copy(ROOT / name, folder / name)
    return folder


def project(folder, more="", name="my_plugins"):
    """A project with a package and nothing else."""
    (folder / "src" / name).mkdir(parents=True)
    (folder / "src" / name / "__init__.py").touch()
    title = name.replace("_", "-")
    (folder / "pyproject.toml").write_text(f'[project]\nname = "{title}"\nversion = "1.0"\n{more}')
    return folder


def run(folder, *command):
    """Run a program of the environment in a folder, whose `src` comes before everything that is installed."""
    source = str(folder / "src")
    paths = {"PYTHONPATH": source, "MYPYPATH": source, "MYPY_CACHE_DIR": str(MYPYS)}
    environment = {**os.environ, **paths, "COLUMNS": "120"}
    command = [str(TOOLS / command[0]), *map(str, command[1:])]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def complaints(done):
    """What a program printed that failed; empty if it did not."""
    return done.stdout + done.stderr + f"exit code {done.returncode}" if done.returncode else ""
