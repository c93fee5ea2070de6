"""Measures size and complexity: source files, lines that are not blank, and cyclomatic complexity with lizard."""

import time
from pathlib import Path
from typing import Any, Final

from headway.core.iteration import Measurements
from headway.probes.probe import Plan, Reading, Where
from headway.probes.sizes import Size, Sizes
from headway.probes.source_files import source_files

LARGEST_FOR_COMPLEXITY: Final = 1_000_000
"""Larger files (in bytes) are counted but not analysed, because they are generated."""
TOO_LONG: Final = "complexity: analysing the files took too long"
_HOW = "source files listed by git, or found in the folder; complexity by lizard"


def run(plan: Plan, where: Where) -> Reading:
    """List the files, and count those that may have changed."""
    began = time.monotonic()
    sizes = where.sizes or Sizes()
    count(where.folder, sizes, began, where.timeout)
    complexity, reason = average_complexity(sizes)
    lines = sum(size.lines for size in sizes.files.values())
    return Reading(
        probe=plan.probe,
        measured=Measurements(file_count=len(sizes.files), loc_total=lines, complexity_score=complexity),
        how=_HOW,
        reason=reason,
        seconds=time.monotonic() - began,
    )


def count(folder: Path, sizes: Sizes, began: float, timeout: float) -> None:
    """Count what has changed."""
    only = sizes.only
    files = source_files(folder, timeout, only, sizes.files)
    sizes.files = {} if only is None else {name: size for name, size in sizes.files.items() if name not in only}
    analyse, sizes.without_complexity = _analyser(sizes)
    for path in files:
        if analyse and time.monotonic() > began + timeout:
            analyse, sizes.without_complexity = None, TOO_LONG
        lines = lines_in(path)
        if lines is not None:
            found = _functions(analyse, path) if analyse else []
            sizes.files[str(path.relative_to(folder))] = Size(lines, sum(found), len(found))
    sizes.is_counted = True


def average_complexity(sizes: Sizes) -> tuple[float | None, str | None]:
    """The mean cyclomatic complexity of all functions, or why it is unknown."""
    if sizes.without_complexity:
        return None, sizes.without_complexity
    functions = sum(size.functions for size in sizes.files.values())
    if not functions:
        return None, "complexity: no functions found"
    return sum(size.complexity for size in sizes.files.values()) / functions, None


def lines_in(path: Path) -> int | None:
    """The number of lines that are not blank in a text file; None if it is binary or cannot be read."""
    lines, rest = 0, b""
    try:
        with path.open("rb") as file:
            while piece := file.read(1_000_000):
                if b"\0" in piece:
                    return None
                *whole, rest = (rest + piece).split(b"\n")
                lines += sum(1 for line in whole if line.strip())
                rest = b"x" if rest.strip() else b""  # of a long line, only remember whether it is blank
    except OSError:
        return None
    return lines + bool(rest.strip())


def _analyser(sizes: Sizes) -> tuple[Any, str | None]:
    """The lizard module, or why complexity cannot be measured. If it was too slow once, it is not used again."""
    if sizes.without_complexity == TOO_LONG:
        return None, TOO_LONG
    try:
        import lizard  # type: ignore[import-untyped]  # it has no stubs
    except ImportError:
        return None, "complexity needs lizard: pip install 'headway-agents[loop]'"
    return lizard, None


def _functions(lizard: Any, path: Path) -> list[int]:
    """The complexity of each function in a file."""
    if not lizard.get_reader_for(path.name) or (text := _text(path)) is None:
        return []
    try:
        analysed = lizard.analyze_file.analyze_source_code(path.name, text)
    except Exception:  # a file may be half-written
        return []
    return [function.cyclomatic_complexity for function in analysed.function_list]


def _text(path: Path) -> str | None:
    try:
        if path.stat().st_size > LARGEST_FOR_COMPLEXITY:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    return None if b"\0" in data else data.decode("utf-8", "replace")
