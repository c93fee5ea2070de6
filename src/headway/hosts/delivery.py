"""Turns a decision into the strongest action that a host can take now.

The policy decides, a host declares its abilities, and `deliver` combines the two, for hooks and framework adapters
alike. It is pure: earlier messages are passed in as a `Situation`, and pending ones are returned with the `Delivery`.

No call is refused before the agent was nudged. A message that cannot be delivered now waits for the next result or, if
the host cannot tell the agent anything after a call, for a call that can be held back. A stop holds until the user
speaks.

The mode (`policy.mode`) is applied only here. A limit that the user set is enforced in the mode `nudge` too, and a stop
that a person requested in every mode. `Delivery.would` has what the mode prevented.
"""

import msgspec

from headway.core.decision import CONTINUE, Action, Decision
from headway.core.ledger import AT_THE_END
from headway.hosts.abilities import ENFORCE, MODES, NUDGE, OBSERVE, Abilities, only_telling
from headway.hosts.hook.event import AFTER, BATCH, BEFORE, NEWS, TURN_END
from headway.policy import is_users_limit
from headway.policy.wording import REPORT, RUNS_AGAIN

HALTED = "halted"
"""Reason: the run was stopped before, and the agent requests another call."""
HELD_BACK = "held_back"
"""Reason: a call is refused once, only to deliver a message that could not be delivered after an earlier call."""
OWED = "owed"
"""Reason: a message that could not be delivered at an earlier event is delivered now."""
TOLD_BEFORE = "told_before"
"""Reason: a message that was lost when the context was compacted is repeated."""
REPEATS = (HALTED, HELD_BACK, OWED, TOLD_BEFORE)
"""Reasons of deliveries that only repeat or deliver an earlier decision."""
AFTER_CALLS = (AFTER, BATCH)
MANUAL_STOP = "manual_stop"
"""Reason: a person stopped the run."""
GONE_ON = "In the mode `enforce`, Headway would {} here. Do something else, or report what you found."
"""The message in the mode `nudge` instead of a stop, or of a question to the user."""


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """When a decision is delivered, and what happened before."""

    moment: str
    stopped: str = ""
    """Why the run was stopped, if the agent makes another call anyway."""
    forgotten: str = ""
    """The messages of this turn that the agent lost, because its context was just compacted."""
    pending: str = ""
    """Messages that could not be delivered yet."""
    is_let_through: bool = False
    """A call that should be refused has run once already, because the agent did not have the pending message yet."""
    follows_change: bool = False
    """A change was requested in the same answer, before this call: an edit, and then the test of it."""
    can_wait: bool = False
    """The requested call may be held back once."""
    would_be_stopped: bool = False
    """The mode has prevented a stop in this turn. The rest of the turn would not have happened."""
    reaches_agent: bool = True
    """Whether the answer reaches the agent; it does not if the event had to wait."""


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """What a host does now: nothing (continue), tell (nudge), refuse (block), end the run (stop), or ask (escalate)."""

    action: Action = Action.CONTINUE
    message: str = ""
    reason: str = ""
    pending: str = ""
    """Messages that are still to be delivered."""
    is_postponed: bool = False
    """The message about this decision is delivered later."""
    lets_through: bool = False
    """The call should be refused, but runs this once because the agent has not been told why."""
    would: "Delivery | None" = None
    """What the mode prevented."""


def deliver(decision: Decision, can: Abilities, now: Situation, mode: str = ENFORCE) -> Delivery:
    """The strongest action that a host with these abilities can take at this moment, in this mode."""
    if now.stopped or is_in_force(weakest_mode(decision), mode):
        return _strongest(decision, can, now)
    would = Delivery() if now.would_be_stopped else _strongest(decision, can, now)
    if mode == OBSERVE:
        return Delivery(would=_left_undone(would, decision))
    told = _only_told(decision, would, only_telling(can), now)
    return msgspec.structs.replace(told, would=would) if would.action.rank > Action.NUDGE.rank else told


def weakest_mode(decision: Decision) -> str:
    """The weakest mode that carries out a decision: any for a person's stop, `nudge` for a limit that the user set."""
    if decision.reason == MANUAL_STOP:
        return OBSERVE
    return NUDGE if is_users_limit(decision) else ENFORCE


def is_in_force(weakest: str, mode: str) -> bool:
    """Whether a mode is at least as strict as the weakest one that is needed."""
    return MODES.index(mode) >= MODES.index(weakest)


def _left_undone(would: Delivery, decision: Decision) -> Delivery | None:
    """What the mode prevented, if anything; a message that would have been delivered later counts as delivered."""
    if would.is_postponed:
        return _said(Action.NUDGE, decision.reason, decision.message)
    return None if would.action is Action.CONTINUE or would.reason in REPEATS else would


def _only_told(decision: Decision, would: Delivery, can: Abilities, now: Situation) -> Delivery:
    """The mode `nudge`: a message instead of a stop, once in a turn; nothing instead of a refusal."""
    if decision.action.rank <= Action.NUDGE.rank:
        return _strongest(decision, can, now)
    if would.action.rank < Action.STOP.rank:
        return _strongest(CONTINUE, can, now)
    what = "ask the user" if would.action is Action.ESCALATE else "stop this run"
    return _tell(decision, can, now, f"{decision.message.removesuffix(REPORT).rstrip()} {GONE_ON.format(what)}")


def _strongest(decision: Decision, can: Abilities, now: Situation) -> Delivery:
    if now.stopped:
        return _said(Action.STOP, HALTED, now.stopped, now.pending)
    if decision.action.rank >= Action.STOP.rank:
        asks = decision.action is Action.ESCALATE and now.moment == BEFORE and can.ask
        action = Action.ESCALATE if asks else Action.STOP  # a stopped run goes back to a person, too
        return _said(action, decision.reason, decision.message, now.pending)
    if now.forgotten and now.reaches_agent:
        return _said(Action.NUDGE, TOLD_BEFORE, f"Before the context was compacted, {now.forgotten}", now.pending)
    if decision.action is Action.BLOCK and now.moment == BEFORE and can.refuse:
        return _refuse(decision, can, now)
    if decision.action in (Action.BLOCK, Action.NUDGE):
        return _tell(decision, can, now, decision.message.removesuffix(RUNS_AGAIN).rstrip())
    return _catch_up(can, now)


def way_to_stop(can: Abilities, moment: str, again: bool) -> Action:
    """How to stop a run. First the agent is asked to report; the run ends if it requests another call (`again`).

    If the host ends runs at once, the agent is not asked.
    """
    if moment not in (BEFORE, *AFTER_CALLS) or (can.stop and (again or can.at_once)):
        return Action.STOP
    return Action.BLOCK if moment == BEFORE else Action.NUDGE


def is_about_the_end(decision: Decision) -> bool:
    """Whether a nudge is about the agent's final message, and so may keep it from ending its turn."""
    return any(finding.identity.startswith(AT_THE_END) for finding in decision.findings)


def _refuse(decision: Decision, can: Abilities, now: Situation) -> Delivery:
    if now.follows_change or not now.reaches_agent:
        return Delivery(pending=now.pending)
    if now.pending and AFTER not in can.tell:
        return _held_back(now)
    if now.pending and not now.is_let_through:
        return Delivery(pending=now.pending, lets_through=True)
    return _said(Action.BLOCK, decision.reason, decision.message, now.pending)


def _tell(decision: Decision, can: Abilities, now: Situation, message: str) -> Delivery:
    """A nudge, or the message that replaces a refusal that is too late or a stop that the mode does not allow."""
    is_carried = can.hold and is_about_the_end(decision) if now.moment == TURN_END else now.moment in can.tell
    if is_carried and now.reaches_agent:
        return _said(Action.NUDGE, decision.reason, message, now.pending)
    return Delivery(pending=joined(now.pending, message), is_postponed=True)


def _catch_up(can: Abilities, now: Situation) -> Delivery:
    """There is no new message: deliver a pending one."""
    if now.pending and now.reaches_agent:
        if AFTER in can.tell and (now.moment in AFTER_CALLS or (now.moment == NEWS and NEWS in can.tell)):
            return _said(Action.NUDGE, OWED, now.pending)
        if AFTER not in can.tell and now.moment == BEFORE and can.tell_instead and now.can_wait:
            return _held_back(now, " Headway lets it run if you make it again.")
    return Delivery(pending=now.pending)


def _held_back(now: Situation, then: str = "") -> Delivery:
    why = "This call did not run: it was refused to give you this message."
    return _said(Action.NUDGE, HELD_BACK, f"{now.pending} {why}{then}")


def _said(action: Action, reason: str, message: str, pending: str = "") -> Delivery:
    return Delivery(action=action, reason=reason, message=message, pending=pending)


def joined(pending: str, message: str) -> str:
    """The pending messages with one more, unless they contain it already."""
    return pending if message in pending else f"{pending} {message}".strip()
