"""Scores the quality of the work after a round.

There are five dimensions, each the mean of its measured components. If nothing was measured for a dimension, its weight
is distributed among the others. The score lists the components that it rests on.
"""

from collections.abc import Collection

from headway.core.iteration import Measurements, Score
from headway.scoring.suite import suite_changes
from headway.scoring.weighted import weighted

WEIGHTS = {"validation": 0.30, "completeness": 0.25, "correctness": 0.25, "readability": 0.10, "efficiency": 0.10}
"""The weights of the five dimensions."""
ACCEPTED = 0.70
"""The minimum quality of an acceptable round."""


def quality_score(
    measured: Measurements, baseline: Measurements | None, only: Collection[str] | None = None
) -> Score | None:
    """The score, of all components or of some; None if none of them was measured."""
    components = {name: _measured(parts, only) for name, parts in _components(measured, baseline).items()}
    means = {name: sum(parts.values()) / len(parts) if parts else None for name, parts in components.items()}
    return weighted(
        {name: (WEIGHTS[name], None if mean is None else mean / 100) for name, mean in means.items()},
        tuple(part for parts in components.values() for part in parts),
    )


def _components(m: Measurements, baseline: Measurements | None) -> dict[str, dict[str, float | None]]:
    base = baseline or m
    return {
        "validation": {
            "all_tests_pass": _passing(m, base),
            "build_success": None if m.build_status is None else 100.0 * (m.build_status == "success"),
            "no_lint_errors": _fewer_is_better(m.lint_errors, 5),
        },
        "completeness": {
            "coverage_percentage": m.coverage_percentage,
            "test_count_vs_baseline": _ratio(m.test_count, base.test_count),
        },
        "correctness": {"pass_rate": _passing(m, base), _errors_measured(m): _fewer_is_better(m.errors, 2)},
        "readability": {
            "lint_warnings_inverted": _fewer_is_better(m.lint_warnings, 3),
            "complexity_reasonable": _fewer_is_better(m.complexity_score, 5),
        },
        "efficiency": {"loc_appropriate": _size(m, base)},
    }


def _errors_measured(m: Measurements) -> str:
    """The component of all errors. Only lint errors, or only type errors, are another one: they cannot be compared."""
    parts = list(m.error_parts)
    return f"{parts[0].replace(' ', '_') if len(parts) == 1 else 'error_count'}_inverted"


def _measured(parts: dict[str, float | None], only: Collection[str] | None) -> dict[str, float]:
    wanted = parts.items() if only is None else [(name, parts[name]) for name in parts if name in only]
    return {name: min(100.0, value) for name, value in wanted if value is not None}


def _passing(m: Measurements, baseline: Measurements) -> float | None:
    """Passed tests in percent of those that should pass: those that ran now, or at the baseline if those were more.

    Tests that failed at the baseline and are gone or skipped count as not passed. A test command that fails although no
    test does counts as one more failed test.
    """
    rate, ran = m.pass_rate, m.tests_run
    if rate is None or not ran:
        return rate
    suite = suite_changes(m, baseline)
    hidden = suite.gone_failing + len(suite.silenced) if suite else 0
    return rate * ran / (max(ran + hidden, baseline.tests_run or 0) + m.fails_outside_tests)


def _fewer_is_better(count: float | None, cost: int) -> float | None:
    return None if count is None else max(0.0, 100.0 - cost * count)


def _ratio(count: int | None, baseline: int | None) -> float | None:
    if count is None or baseline is None:
        return None
    return 100.0 if count >= baseline else 100.0 * count / baseline


def _size(m: Measurements, baseline: Measurements) -> float | None:
    """100 if the lines differ from the appropriate number by at most a fifth, 50 from a half on, linear in between.

    The appropriate number is the baseline's, and proportionally more if there are more tests: code that comes with its
    tests is not bloat.
    """
    if m.loc_total is None or not baseline.loc_total:
        return None
    most = baseline.loc_total * _growth(m.tests_run, baseline.tests_run)
    nearest = max(baseline.loc_total, min(m.loc_total, most))
    change = abs(m.loc_total - nearest) / nearest
    return 100.0 - 50.0 * min(1.0, max(0.0, (change - 0.2) / 0.3))


def _growth(tests: int | None, baseline: int | None) -> float:
    return max(1.0, tests / baseline) if tests and baseline else 1.0
