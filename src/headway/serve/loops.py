"""Lists the loops in the projects of the shown sessions, round by round. Files are read, nothing is run."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from headway.reports.iteration_markdown import quality_of
from headway.reports.loop_json import LoopFormatError, loop_from_json
from headway.reports.words import money
from headway.rolling.text import printable
from headway.scoring.assessment import LoopReport, RoundReport
from headway.store.loop_files import LOOP, StorageError, loops, read_loop

MAX_LOOPS = 20
LONGEST = 300


def loops_in(projects: Iterable[Path]) -> list[dict[str, Any]]:
    """The loops of these projects, the latest first. One that cannot be read is left out; `headway report` says why."""
    found: list[tuple[float, dict[str, Any]]] = []
    for project in projects:
        root = project / ".headway" / "loops"
        try:
            names = loops(root) if root.is_dir() else []
        except (OSError, StorageError):
            continue
        for name in names:
            try:
                report = loop_from_json(read_loop(root / name), name)
                found.append(((root / name / LOOP).stat().st_mtime, _shown(project, report)))
            except (OSError, StorageError, LoopFormatError):
                continue
    found.sort(key=lambda one: -one[0])
    return [shown for _, shown in found[:MAX_LOOPS]]


def _shown(project: Path, report: LoopReport) -> dict[str, Any]:
    return {
        "loop": printable(report.loop_id),
        "project": printable(project.name),
        "task": printable(report.task)[:LONGEST],
        "ending": printable(report.ending),
        "cost": "" if report.cost_usd is None else money(report.cost_usd),
        "rounds": [_row(one) for one in report.rounds],
    }


def _row(one: RoundReport) -> list[str]:
    measured = one.iteration.measured
    passed, total, quality = measured.tests_passed, measured.test_count, quality_of(one.iteration)
    return [
        "baseline" if one.iteration.number == 0 else str(one.iteration.number),
        "–" if quality is None else f"{quality:.1f}",
        "–" if passed is None or total is None else f"{passed} of {total}",
        str(one.recommendation.action),
        "–" if one.kept is None else "yes" if one.kept else "no",
        printable(one.why or one.recommendation.reason)[:LONGEST],
    ]
