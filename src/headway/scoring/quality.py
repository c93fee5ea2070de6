"""Seed 003: how good is the work after this round?

Five dimensions, each the mean of those of its components that were measured. The weight of a dimension of which nothing
was measured is shared out among the others, and the score tells which components it rests on.
"""

from headway.core.iteration import Measurements, Score
from headway.scoring.weighted import weighted

WEIGHTS = {"validation": 0.30, "completeness": 0.25, "correctness": 0.25, "readability": 0.10, "efficiency": 0.10}
"""The seed's weights."""
ACCEPTED = 0.70
"""The seed's threshold for an acceptable round."""


def quality_score(measured: Measurements, baseline: Measurements | None) -> Score | None:
    """The seed's score; None if nothing was measured that it could rest on."""
    components = {name: _measured(parts) for name, parts in _components(measured, baseline).items()}
    means = {name: sum(parts.values()) / len(parts) if parts else None for name, parts in components.items()}
    return weighted(
        {name: (WEIGHTS[name], None if mean is None else mean / 100) for name, mean in means.items()},
        tuple(part for parts in components.values() for part in parts),
    )


def _components(m: Measurements, baseline: Measurements | None) -> dict[str, dict[str, float | None]]:
    base = baseline or m
    return {
        "validation": {
            "all_tests_pass": m.pass_rate,
            "build_success": None if m.build_status is None else 100.0 * (m.build_status == "success"),
            "no_lint_errors": _fewer_is_better(m.lint_errors, 5),
        },
        "completeness": {
            "coverage_percentage": m.coverage_percentage,
            "test_count_vs_baseline": _ratio(m.test_count, base.test_count),
        },
        "correctness": {"pass_rate": m.pass_rate, "error_count_inverted": _fewer_is_better(m.errors, 2)},
        "readability": {
            "lint_warnings_inverted": _fewer_is_better(m.lint_warnings, 3),
            "complexity_reasonable": _fewer_is_better(m.complexity_score, 5),
        },
        "efficiency": {"loc_appropriate": _size(m.loc_total, base.loc_total)},
    }


def _measured(parts: dict[str, float | None]) -> dict[str, float]:
    return {name: min(100.0, value) for name, value in parts.items() if value is not None}


def _fewer_is_better(count: float | None, cost: int) -> float | None:
    return None if count is None else max(0.0, 100.0 - cost * count)


def _ratio(count: int | None, baseline: int | None) -> float | None:
    if count is None or baseline is None:
        return None
    return 100.0 if count >= baseline else 100.0 * count / baseline


def _size(lines: int | None, baseline: int | None) -> float | None:
    """100 within a fifth of the baseline's lines, 50 from half as much again on, and evenly in between."""
    if lines is None or not baseline:
        return None
    change = abs(lines - baseline) / baseline
    return 100.0 - 50.0 * min(1.0, max(0.0, (change - 0.2) / 0.3))
