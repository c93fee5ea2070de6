"""Whether anything may have run in a turn after a step: then what that step showed may no longer be true.

A program, a sub-agent, a page or a person may have run the tests, or shown how they ended, in words that Headway does
not read. Looking at files, changing them and planning runs nothing.
"""

from headway.core.session import Session
from headway.core.step import Step
from headway.rolling.lazy import regex
from headway.tools.meaning import Meaning

_RUNS_NOTHING = frozenset(("read", "search", "list", "edit", "write", "plan", "vcs"))
_TEXT = regex(r"\"[^\"]*\"|'[^']*'")
_NEXT = regex(r"\s*(?:&&|;|\|\|)\s*")
_GIT_ALONE = regex(r"(?:git (?:-\S+ )*(?:add|commit|push|status|log|diff|show)\b.*|cd\b[^|&]*|)")
"""A command of version control that shows what it did, or one that runs nothing."""
_HOOKS = regex(r"\b(?:commit|push|pull|merge|rebase|am|cherry-pick|revert|bisect|foreach)\b")
"""Commands of version control that may run programs of the project."""
_GITS_OWN = regex(
    r"""(?x)\s*(?:\[[^\]]+\][ ].*|\d+[ ]files?[ ]changed.*|(?:create|delete|rename|copy)[ ](?:mode[ ]\d+[ ])?.*
    |rewrite[ ].*|mode[ ]change[ ].*
    |(?:Author|Date|To|From)[ :].*|Everything[ ]up-to-date|(?:remote:[ ])?(?:Enumerating|Counting|Compressing|Writing
    |Receiving)[ ]objects:.*
    |Delta[ ]compression.*|(?:remote:[ ])?(?:Resolving[ ]deltas:|Total[ ]\d).*|[*+!=-]?[ ]*(?:\[new[ ]\w+\]
    |[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40})[ ].*
    |branch[ ]'.*|Branch[ ]'.*|warning:[ ].*|hint:.*|On[ ]branch[ ].*|nothing[ ]to[ ]commit.*|Your[ ]branch[ ].*
    |remote:\s*(?:https?://\S+|Create[ ]a[ ]pull[ ]request[ ].*)?)?\s*"""
)
"""A line that git prints itself when it commits or pushes: nothing of a program of the project."""
_OUTPUT_TO = regex(r"(?:>|\btee\b)([^|;]*)")
"""Where a command writes its output."""


def anything_ran_since(session: Session, number: int) -> bool:
    """Whether a call after this step may have run something or shown its output; also if the step is forgotten."""
    if number <= session.step_count - len(session.steps):
        return True
    waiting = [call for call in session.pairing.may_run if call.number >= session.turn.first_call]
    later = [step for step in session.steps if step.number > number and not step.denied]
    if any(_may_run(call.meaning) for call in waiting) or any(
        _may_run(step.meaning) and not _is_gits_own(step) for step in later
    ):
        return True
    return any(_may_show_output(step, session) for step in later)


def _may_run(meaning: Meaning) -> bool:
    """Whether a call may run something."""
    if meaning.kind not in _RUNS_NOTHING or meaning.runs:
        return not meaning.idle
    return meaning.kind == "vcs" and _HOOKS.search(meaning.command or "commit") is not None


def _is_gits_own(step: Step) -> bool:
    """Whether git shows that it did its own work only: nothing else that it may have run printed anything."""
    if step.kind != "vcs" or step.opaque or not step.meaning.command:
        return False
    commands = _NEXT.split(_TEXT.sub("x", step.meaning.command))
    return all(map(_GIT_ALONE.fullmatch, commands)) and all(map(_GITS_OWN.fullmatch, step.said.splitlines()))


def _may_show_output(step: Step, session: Session) -> bool:
    """Whether it reads a file to which a command wrote its output, or something that is not a file."""
    if step.kind not in ("read", "search"):
        return False
    names = [path.rpartition("/")[2] for path in step.meaning.paths or (step.path,) if path]
    written = " ".join(to for one in session.steps for to in _OUTPUT_TO.findall(one.meaning.command or ""))
    return any(name and name in written for name in names) if names else step.kind == "read"
