"""Varies the prompt for stuck work: rephrase, decompose, constrain, or let another agent take over.

Each variation shows the evidence: since when tests fail, and what was tried.
"""

from collections.abc import Sequence

from headway.loop.evidence import failing_lines, failing_since, tried_lines
from headway.loop.moves import ANOTHER_AGENT
from headway.reports.text import plain
from headway.scoring.assessment import RoundReport

_WAYS = {
    "rephrase": (
        "The current approach no longer helps. Before you change anything, state the task in your own words and what "
        "you now think the cause is, say what would disprove that, and check it first."
    ),
    "decompose": (
        "The task as a whole has not progressed. Write it as a checklist of small parts, each with a way to check that "
        "it is done, and finish only the first open part in this round."
    ),
    "constrain": (
        "Larger attempts have not helped. In this round change as few lines as possible, in files that the latest "
        "rounds did not touch if possible, do not change any tests, and run the tests after each change."
    ),
    ANOTHER_AGENT: (
        "Another agent worked on this and got stuck. You take over. Do not rely on its conclusions: look at the files "
        "yourself."
    ),
}


def approach_text(approach: str, rounds: Sequence[RoundReport]) -> str:
    """The part of a prompt that asks for another approach."""
    parts = [f"## A different approach ({approach})", _WAYS[approach]]
    if approach == "decompose" and (one := _one_test(rounds)):
        parts.append(f"A good first part is to make only this test pass: {one}")
    parts.append("\n".join(["The latest rounds:", *tried_lines(rounds)]))
    failing = failing_lines(rounds)
    if failing:
        parts.append("\n".join(["Tests that fail:", *failing]))
    return "\n\n".join(parts)


def _one_test(rounds: Sequence[RoundReport]) -> str | None:
    failing = failing_since(rounds)
    return plain(max(failing, key=lambda item: item[1])[0])[:200] if failing else None
