"""Lists the source files of a project: those that git tracks or would track; without git, all but tools' own."""

import os
import subprocess
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

_SUFFIXES: Final = """
    .ada .adb .ads .asm .bash .c .cc .clj .cljs .cls .cpp .cr .cs .css .cu .cuh .cxx .d .dart .el .elm .erl .ex .exs
    .f .f90 .f95 .for .fs .fsx .gd .go .gradle .groovy .h .hh .hpp .hrl .hs .html .hxx .java .jl .js .jsx .kt .kts
    .less .lisp .lua .m .mjs .cjs .ml .mli .mm .mts .cts .nim .nix .pas .php .pl .pm .proto .ps1 .py .pyi .pyx .r .rb
    .rkt .rs .s .sass .scala .scm .scss .sh .sol .sql .svelte .swift .tcl .tf .ts .tsx .v .vb .vhd .vhdl .vue .zig .zsh
"""
_NAMES: Final = frozenset({"Dockerfile", "Makefile", "Rakefile", "CMakeLists.txt", "Jenkinsfile"})
_NOT_OURS: Final = """
    .git .hg .svn .venv venv node_modules bower_components vendor target dist build out __pycache__ .tox .nox
    .mypy_cache .pytest_cache .ruff_cache .hypothesis .next .nuxt .gradle .idea .vscode .headway site-packages coverage
"""
"""Folders that are not source code in a project without git."""
LONGEST = 20.0
"""Seconds that git may take to list files. If its index is a pipe, it would wait forever."""
_MOST_LISTED = 64_000_000
_IS_SOURCE, _IS_NOT_OURS = frozenset(_SUFFIXES.split()), frozenset(_NOT_OURS.split())


def source_files(
    folder: Path, timeout: float, only: Collection[str] | None = None, known: Collection[str] = ()
) -> list[Path]:  # fmt: skip
    """The source files, sorted; with `only`, those among them. Links are left out, because their targets are counted.

    Git is not asked about files in `known`.
    """
    asked = None if only is None else [name for name in only if name not in known]
    names = set() if asked == [] else _listed_by_git(folder, timeout, asked)
    found = _walked(folder, asked) if names is None else (folder / name for name in names)
    again = (folder / name for name in only or () if name in known)
    return sorted(path for path in (*found, *again) if _is_source(path))


def _listed_by_git(folder: Path, timeout: float, only: Collection[str] | None) -> set[str] | None:
    """Tracked files, and untracked ones that are not ignored; None without git."""
    command = ["git", "-c", "core.fsmonitor=false", "--literal-pathspecs"]
    command += ["ls-files", "-co", "--exclude-standard", "-z"]
    command += ["--", *only] if only is not None else []
    try:  # not a command of the project, so it needs no guard, which is slower than git
        ran = subprocess.run(  # noqa: S603 (a list, no shell)
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=min(timeout, LONGEST)
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    if ran.returncode != 0 or len(ran.stdout) > _MOST_LISTED:
        return None
    return {os.fsdecode(name) for name in ran.stdout.split(b"\0") if name}  # a file in conflict is listed three times


def _walked(folder: Path, only: Collection[str] | None) -> Iterator[Path]:
    if only is not None:
        yield from (folder / name for name in only if not _IS_NOT_OURS.intersection(Path(name).parts[:-1]))
        return
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in _IS_NOT_OURS]
        yield from (Path(place, name) for name in files)


def _is_source(path: Path) -> bool:
    if path.suffix.lower() not in _IS_SOURCE and path.name not in _NAMES:
        return False
    try:
        return path.is_file() and not path.is_symlink()
    except (OSError, ValueError):
        return False
