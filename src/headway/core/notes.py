"""What Headway itself finds out about a run, and how that changes its session.

Events say what the agent did. Notes say what Headway concluded from it: what detectors found, what the policy decided,
which limits apply. Both reach the session only through `Session.apply`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from headway.core.decision import Action, Decision
from headway.core.finding import Finding
from headway.core.iteration import Iteration
from headway.core.limits import Limits, Sizes
from headway.rolling.text import clip

if TYPE_CHECKING:
    from headway.core.session import Session

KEPT_TEXT = 4_000
"""Characters that are kept of the output of earlier rounds."""


class Note(msgspec.Struct, frozen=True):
    """One thing that Headway found out."""


class Found(Note, frozen=True):
    """Detectors, or a rule of the policy, saw something now."""

    findings: list[Finding]
    call: int | None = None
    """Number of the call that it was seen in."""


class Decided(Note, frozen=True):
    """The policy decided what to do."""

    decision: Decision


class Scored(Note, frozen=True):
    """A round that has ended was scored."""

    iteration: Iteration


class Configured(Note, frozen=True):
    """The task or the model became known, and with it the limits."""

    limits: Limits
    guessed_task: str | None = None


class Resumed(Note, frozen=True):
    """A saved session is resumed, perhaps with other settings and other detectors."""

    sizes: Sizes
    detectors: frozenset[str]
    """Those that run and whose settings are the same as before."""


class RoundsReset(Note, frozen=True):
    """From now on, a loop compares with these rounds only."""

    rounds: tuple[Iteration, ...]


def _found(session: "Session", note: Found) -> None:
    now = session.clock
    for finding in note.findings:
        session.ledger.record(finding, now, note.call)


def _decided(session: "Session", note: Decided) -> None:
    decision, ledger = note.decision, session.ledger
    _note_way_back(session, decision)
    if session.asking is not None and decision.action.rank > Action.NUDGE.rank:
        session.pairing.refuse(session.asking)
    if decision.action is Action.BLOCK:
        ledger.mark_refused(decision.findings)
    elif decision.action is Action.ROLLBACK:
        ledger.mark_rolled_back(decision.findings)
    elif decision.action is Action.NUDGE:
        ledger.mark_nudged(decision.findings, session.step_count, session.tool_call_count)


def _configured(session: "Session", note: Configured) -> None:
    session.guessed_task = note.guessed_task
    if note.limits != session.limits:  # they decide which detectors run
        session.limits = note.limits


def _resumed(session: "Session", note: Resumed) -> None:
    sizes = note.sizes
    session.sizes, session.files.limit, session.novelty.limit = sizes, sizes.files, sizes.lines
    session.ledger.keep_only(note.detectors)


def _scored(session: "Session", note: Scored) -> None:
    """Store a round that has been scored, with only a part of its output."""
    iteration = note.iteration
    output = None if iteration.output is None else clip(iteration.output, KEPT_TEXT)
    kept = msgspec.structs.replace(iteration, output=output)
    session.iterations.append(kept)
    if len(session.iterations) > session.sizes.iterations:
        session.iterations.remove(next(one for one in session.iterations if not _is_kept_for_ever(session, one)))
    session.__dict__["ended_round"] = kept


def _note_way_back(session: "Session", decision: Decision) -> None:
    """Remember which round was restored. A stop for the same cause again does not change it.

    A round that went forward and is not rolled back resets the rollback counts.
    """
    if decision.action is Action.ROLLBACK:
        session.sent_back_to = decision.back_to
    elif session.ended_round is not None and not session.ledger.has_rolled_back(decision.findings):
        session.sent_back_to = None
        if session.ended_round.verdict == "forward":
            session.ledger.forgive_rollbacks()


def _rounds_reset(session: "Session", note: RoundsReset) -> None:
    """From now on, compare with these rounds only: the files of all others have been changed from outside."""
    session.iterations[:] = note.rounds
    session.__dict__["ended_round"], session.sent_back_to = session.iterations[-1], None


def _is_kept_for_ever(session: "Session", one: Iteration) -> bool:
    """The baseline, the latest and the best rounds are never forgotten."""
    best = max((other.quality.value for other in session.iterations if other.number and other.quality), default=None)
    is_best = one.quality is not None and one.quality.value == best
    return one.number == 0 or is_best or one is session.iterations[-1]


HOW: dict[type[Any], Callable[["Session", Any], None]] = {
    Found: _found,
    Decided: _decided,
    Scored: _scored,
    Configured: _configured,
    Resumed: _resumed,
    RoundsReset: _rounds_reset,
}
"""How each kind of note changes a session."""
