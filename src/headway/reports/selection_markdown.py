"""Writes the report of a whole loop, in Markdown: which round is selected, and why."""

import re
from collections.abc import Iterator

from headway.core.iteration import Iteration
from headway.reports.iteration_markdown import (
    UNKNOWN,
    escaped,
    fate,
    named,
    number,
    quality_of,
    quality_text,
    round_name,
    signed,
    table,
)
from headway.reports.words import duration, money
from headway.rolling.text import printable
from headway.scoring.assessment import LoopReport
from headway.scoring.best import Degradation, Selection
from headway.scoring.quality import ACCEPTED

_PATTERNS = {
    "over_refinement": "over-refinement: no round after the selected one was better than its predecessor",
    "fluctuation": "fluctuation: quality went up and down, and ended lower",
}


def selection_report(loop: LoopReport) -> str:
    """The selection of a loop as Markdown; if the loop is not over, what is known so far."""
    parts = [f"# Output Selection Report: {escaped(loop.loop_id)}", f"**{verdict(loop)}**"]
    selection = loop.selection
    if loop.ending:
        parts.append(f"Ended: {escaped(loop.ending)}")
    parts += [about] if (about := _about(loop)) else []
    if selection is not None:
        parts += list(_notices(selection))
        parts.append(_facts(loop, selection))
    parts += ["## Quality Trajectory", _trajectory(loop)]
    if selection is not None:
        sections = {
            "## Selection Criteria": criteria(selection),
            "## Comparison to Final": comparison(selection),
            "## Degradation Analysis": degradation(selection.degradation),
            "## Selection Rationale": selection.rationale,
        }
        for heading, lines in sections.items():
            parts += [heading, "\n".join(f"- {escaped(line)}" for line in lines)]
    if loop.diff:
        parts += ["## Changes from the Baseline", fenced(loop.diff, "diff")]
    return "\n\n".join(parts) + "\n"


def verdict(loop: LoopReport) -> str:
    """The result of the loop, in one sentence."""
    selection = loop.selection
    if selection is None and loop.ending:
        return "Nothing is selected: no round could be put in place."
    if selection is None:
        return "The loop has not ended: no round is selected yet."
    selected, final = selection.selected_iteration, selection.final_iteration
    if selected is None and not selection.total_iterations:
        return "No round is selected: none was finished."
    if selected is None:
        return "No round is selected: the rounds cannot be compared."
    if loop.left is not None:
        best = f"{round_name(selected)[:1].upper()}{round_name(selected)[1:]}"
        return f"{best} is the best, but the files in the working tree are those of {round_name(loop.left)}."
    if selection.override is not None:
        return f"Round {selected} is selected, because a person chose it."
    if selection.done:
        return f"Round {selected} is selected, because the work was done in it."
    if selected == 0:
        return "The baseline is selected: no round qualifies."
    if selected == final:
        return f"Round {selected} is selected, which is also the final one."
    return f"Round {selected} is selected, not the final round {final}."


def not_acceptable(selection: Selection) -> str | None:
    """A sentence about a selection that is not good enough."""
    if selection.acceptable:
        return None
    if selection.selected_quality is None:
        return "Not acceptable: there is no quality score."
    return f"Not acceptable: quality {selection.proven_in_words} is below the threshold."


def criteria(selection: Selection) -> list[str]:
    """The selection criteria, and how the selected round meets them."""
    return [
        "Primary: among the rounds that did no harm, more of the same tests passing, then the highest quality score",
        "Ties: a verified round, then one built upon the other, then the earlier one",
        f"Threshold: {ACCEPTED:.2f} ({'met' if selection.acceptable else 'not met'})",
        f"Verified: {'yes (tests ran, and all passed)' if selection.verified else 'no (tests failed, or none ran)'}",
    ]


def comparison(selection: Selection) -> list[str]:
    """The selected round compared with the final one."""
    if selection.selected_iteration is None:
        return ["There is no selected round."]
    if selection.selected_iteration == selection.final_iteration:
        return ["The selected round is the final one."]
    return [
        f"Selected quality: {quality_text(selection.selected_quality)}",
        f"Final quality: {quality_text(selection.final_quality)}",
        f"Delta: {signed(selection.delta, digits=4)}",
        f"Improvement: {signed(selection.improvement_percentage, ' %')}",
    ]


def degradation(found: Degradation | None) -> list[str]:
    """What happened after the selected round."""
    if found is None:
        return ["The loop did not end below the selected round."]
    where = f" in round {found.last_measured}" if found.last_measured is not None else ""
    return [
        f"Started: round {found.degradation_started}",
        f"Pattern: {_PATTERNS.get(found.pattern, found.pattern)}",
        f"Measured rounds after the peak: {found.iterations_after_peak}",
        f"Quality loss: {signed(found.quality_loss, ' %', digits=2)}{where}",
    ]


def marks(loop: LoopReport, one: Iteration) -> list[str]:
    """Labels of a round."""
    selection, words = loop.selection, []
    back_to_baseline = selection is not None and selection.selected_iteration == 0 and selection.override is None
    best = loop.rounds[-1].best_iteration if loop.rounds and not back_to_baseline else None
    if one.number == 0:
        words.append("baseline")
    if one.number == best:
        words.append("best")
    if selection is not None and one.number == selection.selected_iteration:
        words.append("selected")
    if selection is not None and one.number == selection.final_iteration:
        words.append("final")
    words += ["tests or settings changed"] if one.measured.changed_measure else []
    return words + (["different measurements"] if _incomparable(loop, one) else [])


def _incomparable(loop: LoopReport, one: Iteration) -> bool:
    chosen = loop.selection.selected_iteration if loop.selection else None
    selected = next((other.iteration for other in loop.rounds if other.iteration.number == chosen), None)
    if selected is None or selected.quality is None or one.quality is None:
        return False
    return set(selected.quality.components) != set(one.quality.components)


def _notices(selection: Selection) -> Iterator[str]:
    notice = not_acceptable(selection)
    if notice is not None:
        yield f"**{notice}**"
    if selection.override is not None:
        yield f"Reason given: {escaped(selection.override)}"


def _facts(loop: LoopReport, selection: Selection) -> str:
    number, of = selection.selected_iteration, ""
    if number is None:
        number, of = selection.final_iteration, f" (of {round_name(selection.final_iteration)})"
    snapshot = next((one.iteration.snapshot for one in loop.rounds if one.iteration.number == number), None)
    facts = [
        f"- **Selected**: {named(selection.selected_iteration, selection.selected_quality)}",
        f"- **Final**: {named(selection.final_iteration, selection.final_quality)}",
        f"- **Rounds**: {selection.total_iterations}",
        f"- **Acceptable**: {'yes' if selection.acceptable else 'no'}",
        f"- **Snapshot**: {escaped(snapshot) if snapshot else 'none was taken'}{of}",
    ]
    return "\n".join(facts)


def _trajectory(loop: LoopReport) -> str:
    """One row per round; columns without any value are left out."""
    columns: dict[str, list[str]] = {
        "Round": [str(one.iteration.number) for one in loop.rounds],
        "Quality": [_quality(one.iteration) for one in loop.rounds],
        "Tests": [_tests(one.iteration) for one in loop.rounds],
        "Coverage": [number(one.iteration.measured.coverage_percentage, " %") for one in loop.rounds],
        "Time": [UNKNOWN if one.seconds is None else duration(one.seconds) for one in loop.rounds],
        "Agent": [UNKNOWN if one.agent_seconds is None else duration(one.agent_seconds) for one in loop.rounds],
        "Cost": [UNKNOWN if one.cost_usd is None else escaped(money(one.cost_usd)) for one in loop.rounds],
        "Classification": [str(one.iteration.verdict) for one in loop.rounds],
        "Files": [fate(one) for one in loop.rounds],
        "Mark": [", ".join(marks(loop, one.iteration)) for one in loop.rounds],
    }
    for name in ("Time", "Agent", "Cost", "Files"):
        if set(columns[name]) <= {UNKNOWN}:
            del columns[name]
    if not loop.rounds:
        return "No round has been assessed."
    words = len(columns) - list(columns).index("Classification")
    return table(list(columns), zip(*columns.values(), strict=True), words=words)


def _quality(one: Iteration) -> str:
    quality = quality_of(one)
    return UNKNOWN if quality is None else f"{quality:.2f}"


def _tests(one: Iteration) -> str:
    measured = one.measured
    known = measured.tests_passed is not None and measured.test_count is not None
    return f"{measured.tests_passed}/{measured.test_count}" if known else UNKNOWN


def _about(loop: LoopReport) -> str:
    """The task, the agent, and the cost."""
    facts = {
        "Task": escaped(loop.task) if loop.task else "",
        "Agent": escaped(loop.command) if loop.command else "",
        "Time": duration(loop.seconds) if loop.seconds is not None else "",
        "Cost": escaped(money(loop.cost_usd)) if loop.cost_usd is not None else "",
    }
    return "\n".join(f"- **{name}**: {value}" for name, value in facts.items() if value)


def fenced(text: str, language: str) -> str:
    """Untrusted text as a code block, with a fence longer than any inside it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{printable(text)}\n{fence}"
