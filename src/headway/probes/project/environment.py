"""Finds the Python that runs a project's tools, and which of them are installed."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from headway.probes.command import run_command

_TOOLS = ("pytest", "pytest_cov", "coverage", "mypy", "ruff")
_PACKAGES = ("lib/python*/*-packages", "Lib/site-packages")
_LOOK = "import importlib.util as u, sys; print(*[m for m in sys.argv[1:] if u.find_spec(m)])"


class Environment(msgspec.Struct, frozen=True):
    """A Python and the tools that are installed for it."""

    python: str
    tools: frozenset[str]

    @property
    def programs(self) -> Path:
        """The folder with the programs of this environment."""
        return Path(self.python).parent


def environment(folder: Path, *, look_only: bool = False) -> Environment:
    """The project's own environment, or else the first of the usual ones that has pytest.

    That Python is run to find its tools. With `look_only` nothing is run, because a project may come with its own
    Python. Then only its package folders are searched, and a tool installed elsewhere is missed.
    """
    pythons = _own(folder) or list(dict.fromkeys(_usual()))
    found = [Environment(python, _seen(python) if look_only else _tools(python, folder)) for python in pythons]
    return next((one for one in found if "pytest" in one.tools), found[0])


def _own(folder: Path) -> list[str]:
    places = [folder / name / inside for name in (".venv", "venv") for inside in ("bin/python", "Scripts/python.exe")]
    return [str(place) for place in places if place.is_file()]


def _usual() -> Iterator[str]:
    """The active environment, the Python on the search path, and the one that runs Headway."""
    if active := os.environ.get("VIRTUAL_ENV"):
        yield str(Path(active, "bin", "python"))
    yield from (found for name in ("python3", "python") if (found := shutil.which(name)))
    yield sys.executable


def _tools(python: str, folder: Path) -> frozenset[str]:
    """The tools it has. Isolated (-I), because otherwise a folder `coverage` in the project would count as the tool."""
    ran = run_command([python, "-I", "-c", _LOOK, *_TOOLS], folder, 30)
    return frozenset(ran.output.decode("utf-8", "replace").split()) if ran.exit_code == 0 else frozenset()


def _seen(python: str) -> frozenset[str]:
    """The tools in the package folders beside it."""
    places = [place for pattern in _PACKAGES for place in Path(python).parent.parent.glob(pattern)]
    return frozenset(tool for tool in _TOOLS if any((place / tool).is_dir() for place in places))
