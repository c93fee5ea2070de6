"""Scores how much progress a round made.

There are four signals: how different the output is from the one before, changed lines, explicit markers, and ticked
checkboxes. If the file changes are unknown, the weight of that signal is distributed among the others.
"""

import re

from headway.core.iteration import Score
from headway.rolling.difference import difference
from headway.rolling.lazy import regex
from headway.scoring.weighted import weighted

OUTPUT_DIFF, FILE_CHANGES, EXPLICIT_MARKERS, CHECKLIST = 0.30, 0.30, 0.25, 0.15
"""The weights of the four signals."""
ENOUGH_LINES = 100
"""Number of changed lines for the full score."""

_MARKER = regex(r"<progress>(.*?)</progress>", re.DOTALL)
_TICKED = regex(r"\[[xX]\]")


def progress_score(previous: str | None, current: str | None, changed_lines: int | None) -> Score | None:
    """The score of one round, with its four parts; None if output and files are unknown."""
    return weighted(
        {
            "output_diff": (OUTPUT_DIFF, None if current is None else output_difference(previous, current)),
            "file_changes": (FILE_CHANGES, None if changed_lines is None else min(1.0, changed_lines / ENOUGH_LINES)),
            "explicit_markers": (EXPLICIT_MARKERS, None if current is None else marker_score(current)),
            "checklist": (CHECKLIST, None if current is None else checklist_progress(previous, current)),
        }
    )


def output_difference(previous: str | None, current: str) -> float:
    """1 for a first or completely different output, 0 for an equal or empty one."""
    if not current.strip():
        return 0.0
    return 1.0 if previous is None else difference(previous, current)


def progress_markers(output: str) -> list[str]:
    """What the agent marked as done. An unclosed marker does not count."""
    return [marker.strip() for marker in _MARKER.findall(output)] if "</progress>" in output else []


def marker_score(output: str) -> float:
    """0.5 for each marker, at most 1."""
    return min(1.0, len(progress_markers(output)) * 0.5)


def checklist_progress(previous: str | None, current: str) -> float:
    """1 if more boxes are ticked than before, else 0."""
    return float(len(_TICKED.findall(current)) > len(_TICKED.findall(previous or "")))
