"""Checks the numbers of a coverage report."""

from headway.core.iteration import Measurements
from headway.probes.probe import ProbeError


def line_coverage(covered: int, total: int, percentage: float | None = None) -> Measurements:
    """Covered lines of all lines, with the tool's own percentage (with branches) if there is one."""
    if covered > total:
        raise ProbeError(f"{covered} lines covered of {total}: expected no more than there are")
    if percentage is None and total:
        percentage = 100 * covered / total
    return Measurements(
        coverage_percentage=percentage if total else None,
        coverage_lines_covered=covered,
        coverage_lines_total=total,
    )
