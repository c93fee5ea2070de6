"""A survey: the same form of a call for each item of a list, where a failure is the answer.

Which of our domains has an expired certificate? Which of these targets build? Such calls fail one after the other, and
nothing is wrong. They look like a loop that varies its arguments, so they may be told once; a run is never ended for
them.
"""

from collections.abc import Sequence
from itertools import takewhile

from headway.core.step import Step
from headway.tools.meaning import Meaning

LONGEST_ITEM = 200
"""Characters of what differs between the calls of a survey: a name, an address, an id, and not a text."""
GO_ON = "If each failure is an answer that you were looking for, go on. Otherwise find the cause that they share."
"""What is said about a survey."""


def is_survey(steps: Sequence[Step]) -> bool:
    """Whether all calls differ, and only in what a form leaves open. Edits are attempts at one thing, and no survey."""
    if len({step.call.digest for step in steps}) < len(steps):
        return False
    forms = [_filled_in(step) for step in steps]
    first = forms[0]
    if first is None or any(form is None or form.keys() != first.keys() for form in forms):
        return False
    varying = [name for name in first if len({form[name] for form in forms if form is not None}) > 1]
    items = [[form[name] for name in varying] for form in forms if form is not None]
    if not varying or max(len(part) for item in items for part in item) > LONGEST_ITEM:
        return False
    if not steps[0].meaning.command or len(varying) <= max(1, len(first) // 2):
        return True  # arguments have names, so that a call with any of them is of the same form
    names = [_shared_start(item) for item in items]  # `mv a.jpeg a.jpg`: one item in several places
    return len(varying) < len(first) and all(names) and len(set(names)) == len(names)


def identity_of(step: Step) -> str:
    """The identity of what is told once, whichever detector finds it: a survey, or malformed calls of one tool."""
    return f"stall:each {step.tool_name}"


def _filled_in(step: Step) -> dict[str, str] | None:
    """The parts of a call by their place: the words of a command, or the arguments; None if it is an edit."""
    call, meaning = step.call, step.call.meaning
    if call.is_code or call.edit is not None or _is_attempt(meaning):
        return None
    if meaning.command:
        return {f"{call.tool_name} {place}": word for place, word in enumerate(meaning.command.split())}
    return {f"{call.tool_name} {name}": str(value) for name, value in call.params.items()}


def _is_attempt(meaning: Meaning) -> bool:
    """Whether it changes the text of a file. A command that writes files (`unzip`) may be run for each of them."""
    return not meaning.guessed and (meaning.kind == "edit" or (meaning.kind == "write" and not meaning.command))


def _shared_start(texts: Sequence[str]) -> str:
    """The letters that all texts begin with."""
    return "".join(
        letters[0] for letters in takewhile(lambda letters: len(set(letters)) == 1, zip(*texts, strict=False))
    )
