"""Decides which files influence how a round is measured: tests, their settings, and what the test command names.

A round that changes one of them may have changed the measurement instead of the work. That is often legitimate, so it
does not change the verdict, but it is always reported.
"""

import re
import shlex
from collections.abc import Iterable
from fnmatch import translate
from pathlib import PurePosixPath
from posixpath import normpath

from headway.loop.recipes import Text, scripts_run
from headway.probes import Plan
from headway.snapshots import FileChange, Status
from headway.tools.test_files import is_named_as_test, is_test_file

SETTINGS = (
    "conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml",
    "tox.ini", "setup.cfg", "pyproject.toml", "noxfile.py", ".coveragerc",
    "sitecustomize.py", "usercustomize.py", "*.pth", "ruff.toml", ".ruff.toml", "mypy.ini", ".mypy.ini", ".flake8",
    ".pylintrc", "pyrightconfig.json", "Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", "package.json",
    "jest.config.*", "vitest.config.*", "vite.config.*", "karma.conf.*", ".mocharc*", ".nycrc*", ".c8rc*",
    "eslint.config.*", ".eslintrc*", ".eslintignore", "tsconfig*.json", "Cargo.toml", ".golangci.*", "CMakeLists.txt",
    "phpunit.xml*", "pom.xml", "build.gradle*", "Rakefile", ".rspec",
    # a project file of this name runs in place of the program
    "pytest.py", "_pytest.py", "unittest.py", "coverage.py", "nose2.py",
)  # fmt: skip
"""Files that say what is tested, covered or checked, and what is left out."""
SHADOWS = {"pytest", "_pytest", "unittest", "coverage", "nose2", "pluggy"}
"""A top-level folder with such a name and Python files in it runs in place of the program."""

_SETTINGS = re.compile("|".join(translate(pattern) for pattern in SETTINGS))
_SWITCHED_OFF = re.compile(
    rb"pragma:\s*no\s*cover|#\s*noqa|#\s*type:\s*ignore|#\s*pyright:\s*ignore|#\s*mypy:\s*|#\s*ruff:\s*noqa|"
    rb"pylint:\s*disable|eslint-disable|@ts-ignore|@ts-expect-error|@ts-nocheck|istanbul ignore|c8 ignore|v8 ignore|"
    rb"//\s*nolint|#\[allow\(|@SuppressWarnings|rubocop:disable",
    re.IGNORECASE,
)
"""Comments that exclude a line from coverage, lint or type checks."""


def measuring_files(
    changed: Iterable[FileChange], plans: Iterable[Plan], scripts: Iterable[str] = (), prefix: str = ""
) -> tuple[str, ...]:  # fmt: skip
    """The changed files that decide how a round is measured. New test files are not among them.

    `scripts` are run by the plans' commands, in the folder `prefix`.
    """
    words = {*scripts, *(word for plan in plans for word in _words(plan))}
    named = {normpath(f"{prefix}{word}") for word in words}
    found = {file.path for file in changed if _decides(file, named) or _shadows(file.path, prefix)}
    return tuple(sorted(found))


def new_test_files(changed: Iterable[FileChange]) -> tuple[str, ...]:
    """Test files that did not exist before. Loading them may change the results of other tests."""
    is_new = (file for file in changed if file.status in (Status.ADDED, Status.RENAMED))
    return tuple(sorted(file.path for file in is_new if is_named_as_test(file.path)))


def _shadows(path: str, prefix: str) -> bool:
    """Check whether a file runs in place of the test runner, or adds a plugin to it."""
    place = PurePosixPath(path)
    if place.name == "entry_points.txt":
        return place.parent.suffix in (".egg-info", ".dist-info")
    tops = {place.parts[0], PurePosixPath(path.removeprefix(prefix)).parts[0]}
    return len(place.parts) > 1 and place.suffix == ".py" and bool(tops & SHADOWS)


def scripts_of(plans: Iterable[Plan], text_of: Text) -> set[str]:
    """The scripts that plans run, by their paths relative to where they run."""
    commands = (plan.command for plan in plans if plan.command)
    lines = (command if isinstance(command, str) else shlex.join(command) for command in commands)
    return {script for line in lines for script in scripts_run(line, text_of)}


def is_setting(name: str) -> bool:
    """Check whether a file of this name configures what is tested, covered or checked."""
    return _SETTINGS.fullmatch(name) is not None


def switched_off(patch: Iterable[bytes]) -> tuple[str, ...]:
    """Files of a unified diff in which comments turn off checks."""
    found: dict[str, None] = {}
    path = ""
    for line in patch:
        if line.startswith(b"+++ "):
            path = line[4:].strip().decode("utf-8", "replace").removeprefix("b/")
        elif line.startswith(b"+") and _SWITCHED_OFF.search(line):
            found[path] = None
    return tuple(found)


def _decides(file: FileChange, named: set[str]) -> bool:
    for path in filter(None, (file.path, file.old_path)):
        name = PurePosixPath(path).name
        if path in named or is_setting(name):
            return True
        if name == "__init__.py" and is_test_file(path):
            return True  # new or not, it runs before the tests beside it
        is_moved = file.status is Status.RENAMED and not file.insertions and not file.deletions
        if is_test_file(path) and file.status is not Status.ADDED and not is_moved:
            return True
    return False


def _words(plan: Plan) -> list[str]:
    """Files that a plan names: in its command, and the report that it reads."""
    command = plan.command or ()
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError:  # the shell reports an unclosed quote
        words = str(command).split()
    return [word.removeprefix("./") for word in (*words, plan.report or "") if word and not word.startswith("-")]
