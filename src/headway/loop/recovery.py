"""Another way for work that is stuck: rephrase, decompose, constrain, or let another agent take over.

Each shows the evidence: which tests fail since when, and what was tried.
"""

from collections.abc import Sequence

from headway.loop.evidence import failing_lines, failing_since, tried_lines
from headway.loop.moves import ANOTHER_AGENT
from headway.reports.text import plain
from headway.scoring.assessment import RoundReport

_WAYS = {
    "rephrase": (
        "The same approach no longer helps. Before changing anything, state in your own words what is asked for and "
        "what you now believe to be the cause, name what would show that belief to be wrong, and check that first."
    ),
    "decompose": (
        "The task as a whole has not moved. Write it down as a checklist of small parts, each with a way to see that "
        "it is done, and finish only the first open part in this round."
    ),
    "constrain": (
        "Larger attempts have not helped. In this round change as few lines as possible, in files that the latest "
        "rounds did not touch if you can, leave all tests as they are, and run the tests after each change."
    ),
    ANOTHER_AGENT: (
        "Another agent worked on this and got stuck; you take over with fresh eyes. Do not take for granted what it "
        "concluded: look at the files as they are."
    ),
}


def approach_text(approach: str, rounds: Sequence[RoundReport]) -> str:
    """The part of a prompt that asks for another way."""
    parts = [f"## Another way ({approach})", _WAYS[approach]]
    if approach == "decompose" and (one := _one_test(rounds)):
        parts.append(f"A good first part: make this test pass, and nothing else: {one}")
    parts.append("\n".join(["What the latest rounds did:", *tried_lines(rounds)]))
    failing = failing_lines(rounds)
    if failing:
        parts.append("\n".join(["Tests that fail:", *failing]))
    return "\n\n".join(parts)


def _one_test(rounds: Sequence[RoundReport]) -> str | None:
    failing = failing_since(rounds)
    return plain(max(failing, key=lambda item: item[1])[0])[:200] if failing else None
