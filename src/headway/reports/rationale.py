"""Explains an assessment under five headings, from the numbers."""

from collections.abc import Sequence

from headway.core.finding import Finding
from headway.core.iteration import Deltas, Iteration
from headway.scoring.assessment import Recommendation
from headway.scoring.better import quality_in_words

_MEASURED = (
    ("test_count", "test_count={}"),
    ("tests_passed", "tests_passed={}"),
    ("tests_failed", "tests_failed={}"),
    ("pass_rate", "pass_rate={:.1f} %"),
    ("coverage_percentage", "coverage={:g} %"),
    ("errors", "error_count={}"),
    ("file_count", "file_count={}"),
    ("loc_total", "loc_total={}"),
)
_CHANGES = (
    ("test_count_delta", "tests {:+d}"),
    ("pass_rate_delta", "pass rate {:+.1f} points"),
    ("coverage_delta", "coverage {:+.1f} points"),
    ("error_count_delta", "errors {:+d}"),
)


def rationale(iteration: Iteration, alerts: Sequence[Finding], recommendation: Recommendation) -> tuple[str, ...]:
    """Goal, extraction, reasoning, exception (if there is one) and synthesis of one round."""
    lines = [_goal(iteration), f"Extraction: {_listed(_MEASURED, iteration.measured) or 'nothing was measured'}."]
    lines.append(f"Reasoning: {_reasoning(iteration)}")
    if alerts:
        lines.append("Exception: " + " ".join(alert.message for alert in alerts))
    lines.append(f"Synthesis: {_synthesis(iteration, recommendation)}")
    return tuple(lines)


def _goal(iteration: Iteration) -> str:
    if iteration.number == 0:
        return "Goal: capture the baseline before any work."
    return f"Goal: assess round {iteration.number} and find out whether it broke anything."


def _reasoning(iteration: Iteration) -> str:
    quality = quality_in_words(iteration) if iteration.quality else "no quality could be computed"
    if iteration.number == 0:
        return f"{quality}; later rounds are compared with this one."
    change = _listed(_CHANGES, iteration.from_previous) if isinstance(iteration.from_previous, Deltas) else ""
    mixed = ", mixed" if iteration.mixed else ""
    return f"{change or 'nothing could be compared'}; {quality}; this is a {iteration.verdict} round{mixed}."


def _synthesis(iteration: Iteration, recommendation: Recommendation) -> str:
    where = "" if recommendation.target_iteration is None else f" to round {recommendation.target_iteration}"
    what = "the baseline is captured" if iteration.number == 0 else f"round {iteration.number} is {iteration.verdict}"
    return (
        f"{what}; {recommendation.action}{where} ({recommendation.reason}, confidence {recommendation.confidence:.2f})."
    )


def _listed(names: Sequence[tuple[str, str]], values: object) -> str:
    known = ((form, getattr(values, name)) for name, form in names)
    return ", ".join(form.format(value) for form, value in known if value is not None)
