"""What an agent that reports success has not tried: code that it changed after a run that failed.

Agents that seldom go in circles fail by being sure of what they have not looked at. This is advice: it is told once,
when a turn ends, and an agent that says openly what it has not tried is told nothing.
"""

from headway.core.finding import Finding
from headway.core.session import Session
from headway.core.step import Step, quoted
from headway.policy.final_message import read_final_message
from headway.policy.wording import about_the_end
from headway.rolling.regex import regex
from headway.rolling.secrets import mask

NO_CODE = (".md", ".markdown", ".rst", ".txt", ".adoc", ".log", ".json", ".csv")
"""Endings of files that are mostly no part of a program."""
RUNS = frozenset(("run", "test", "build"))
_REMOVES = ("rm ", "rmdir ", "git ", "unlink ", "find ")
"""Commands that take files away or move between states that were there before: there is nothing new to try."""
_SCRATCH = regex(r"^/(?:private/)?(?:var/)?tmp/|(?:^|/)(?:repro|reproduce|debug|scratch|tmp|temp|verify|demo)[^/]*$")
"""Files that an agent writes for itself."""


def unverified(session: Session, text: str) -> Finding | None:
    """What the agent should hear before its turn ends: its last run failed, and its change since was not tried."""
    tried = [step for step in session.steps if step.number >= session.turn.first_step and _tries(step)]
    path = _changed_after(session, tried[-1].number) if tried and tried[-1].failed else None
    if path is None:
        return None
    said = read_final_message(text)
    if said.admits or not said.claims:
        return None
    message = (
        f"The last program that you ran failed ({quoted(_command(tried[-1]), 80)}), and nothing was run after you then "
        f"changed {path}. Run it again, or say in your final message that the last change was not tried."
    )
    return about_the_end("untried_fix", 0.6, message)


def _tries(step: Step) -> bool:
    """Whether a step ran a program, and so may have shown whether a change works."""
    return (step.kind in RUNS or step.meaning.runs or step.tests is not None) and not (step.denied or step.meaning.idle)


def _changed_after(session: Session, number: int) -> str | None:
    """A file of code that was changed after a step, the latest."""
    for step in reversed(session.steps):
        if step.number <= number:
            return None
        if step.changed and not (step.meaning.command or "").startswith(_REMOVES):
            paths = step.meaning.paths or ((step.path,) if step.path else ())
            code = [path for path in paths if not (path.lower().endswith(NO_CODE) or _SCRATCH.search(path))]
            if code:
                return mask(code[0])
    return None


def _command(step: Step) -> str:
    return mask(step.meaning.command or step.tool_name)
