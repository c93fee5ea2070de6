"""How large and how complex the code is: source files, lines that are not blank, and complexity by lizard."""

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from headway.core.iteration import Measurements
from headway.probes.probe import Plan, Reading, Where
from headway.probes.source_files import source_files

LARGEST_FOR_COMPLEXITY: Final = 1_000_000
"""Bytes above which a file is counted but not analysed: such files are generated."""
_HOW = "source files listed by git, or found in the folder; complexity by lizard"


def run(plan: Plan, where: Where) -> Reading:
    """List the files, and count in them."""
    began = time.monotonic()
    files = source_files(where.folder, where.timeout)
    counted = [lines for path in files if (lines := lines_in(path)) is not None]
    complexity, reason = average_complexity(files, began + where.timeout)
    return Reading(
        probe=plan.probe,
        measured=Measurements(file_count=len(counted), loc_total=sum(counted), complexity_score=complexity),
        how=_HOW,
        reason=reason,
        seconds=time.monotonic() - began,
    )


def lines_in(path: Path) -> int | None:
    """The lines of a text file that are not blank; None for what is no text or cannot be read."""
    lines, rest = 0, b""
    try:
        with path.open("rb") as file:
            while piece := file.read(1_000_000):
                if b"\0" in piece:
                    return None
                *whole, rest = (rest + piece).split(b"\n")
                lines += sum(1 for line in whole if line.strip())
                rest = b"x" if rest.strip() else b""  # of a long line, only whether it is blank
    except OSError:
        return None
    return lines + bool(rest.strip())


def average_complexity(files: Iterable[Path], deadline: float) -> tuple[float | None, str | None]:
    """The mean cyclomatic complexity of all functions, and why it is not known."""
    try:
        from lizard import analyze_file, get_reader_for  # type: ignore[import-untyped]  # it has no stubs
    except ImportError:
        return None, "complexity needs lizard: pip install 'headway[loop]'"
    total, functions = 0, 0
    for path in files:
        if time.monotonic() > deadline:
            return None, "complexity: analysing the files took too long"
        if get_reader_for(path.name) and (text := _text(path)) is not None:
            for function in _functions(analyze_file, path.name, text):
                total += function
                functions += 1
    return (total / functions, None) if functions else (None, "complexity: no functions found")


def _text(path: Path) -> str | None:
    try:
        if path.stat().st_size > LARGEST_FOR_COMPLEXITY:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    return None if b"\0" in data else data.decode("utf-8", "replace")


def _functions(analyze_file: "object", name: str, text: str) -> list[int]:
    try:
        analysed = analyze_file.analyze_source_code(name, text)  # type: ignore[attr-defined]
    except Exception:  # a file in the middle of being written need not be understood
        return []
    return [function.cyclomatic_complexity for function in analysed.function_list]
