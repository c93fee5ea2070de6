"""From a decision to the strongest thing that a host can do about it now.

The policy decides, a host declares its abilities, and `deliver` combines the two, for hooks and framework adapters
alike. It is pure: what was said before comes in as a `Situation`, and what is left to say goes out with the `Delivery`.

No call is refused before the agent was told. A message that cannot be delivered now waits for the next result or, if
the host cannot tell the agent anything after a call, for a call that can be held back. A stop holds until the user
speaks.

The mode (`policy.mode`) is applied here and nowhere else. A limit that the user set holds in the mode `nudge` too, and
a stop that a person asked for holds in every mode. What a mode leaves undone is told in `Delivery.would`.
"""

import msgspec

from headway.core.decision import CONTINUE, Action, Decision
from headway.core.ledger import AT_THE_END
from headway.hosts.abilities import ENFORCE, MODES, NUDGE, OBSERVE, Abilities, only_telling
from headway.hosts.hook.event import AFTER, BATCH, BEFORE, TURN_END
from headway.policy import is_users_limit
from headway.policy.wording import REPORT, RUNS_AGAIN

HALTED = "halted"
"""Reason: the run was stopped before, and the agent asks for another call."""
HELD_BACK = "held_back"
"""Reason: a call is refused once, only to say what could not be said after an earlier call."""
OWED = "owed"
"""Reason: what could not be said at an earlier event is said now."""
TOLD_BEFORE = "told_before"
"""Reason: what was lost when the context was compacted is said again."""
REPEATS = (HALTED, HELD_BACK, OWED, TOLD_BEFORE)
"""Reasons of deliveries that only say what was decided before."""
AFTER_CALLS = (AFTER, BATCH)
MANUAL_STOP = "manual_stop"
"""Reason: a person stopped the run."""
GONE_ON = "In the mode `enforce`, Headway would {} here. Do something else, or report what you found."
"""What an agent is told in the mode `nudge` in place of a stop or of a question to the user."""


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """When a decision is delivered, and what was said before."""

    moment: str
    stopped: str = ""
    """Why the run was stopped, if the agent makes another call anyway."""
    forgotten: str = ""
    """What the agent was told in this turn and lost, because its context was just compacted."""
    pending: str = ""
    """What the agent should have been told and was not."""
    is_let_through: bool = False
    """A call that should be refused has run once already, because the agent did not know what is pending."""
    follows_change: bool = False
    """A change was asked for in the same answer, before this call: an edit, and then the test of it."""
    can_wait: bool = False
    """The call that is asked for may be held back once."""
    would_be_stopped: bool = False
    """The mode has left a stop undone in this turn. What follows in it would not have happened."""
    reaches_agent: bool = True
    """Whether the answer reaches the agent; it does not if the event had to wait."""


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """What a host does now: nothing (continue), tell (nudge), refuse (block), end the run (stop), or ask (escalate)."""

    action: Action = Action.CONTINUE
    message: str = ""
    reason: str = ""
    pending: str = ""
    """What is left to be told."""
    is_postponed: bool = False
    """What was decided now is told later."""
    lets_through: bool = False
    """The call should be refused, and runs this once because the agent has not been told why."""
    would: "Delivery | None" = None
    """What the mode left undone."""


def deliver(decision: Decision, can: Abilities, now: Situation, mode: str = ENFORCE) -> Delivery:
    """The strongest thing that a host with these abilities can do about a decision at this moment, in this mode."""
    if now.stopped or is_in_force(weakest_mode(decision), mode):
        return _strongest(decision, can, now)
    would = Delivery() if now.would_be_stopped else _strongest(decision, can, now)
    if mode == OBSERVE:
        return Delivery(would=_left_undone(would, decision))
    told = _only_told(decision, would, only_telling(can), now)
    return msgspec.structs.replace(told, would=would) if would.action.rank > Action.NUDGE.rank else told


def weakest_mode(decision: Decision) -> str:
    """The weakest mode in which all of a decision is done: a person's word always is, and a user's limit in `nudge`."""
    if decision.reason == MANUAL_STOP:
        return OBSERVE
    return NUDGE if is_users_limit(decision) else ENFORCE


def is_in_force(weakest: str, mode: str) -> bool:
    """Whether what needs a mode is done in another one, which may be stricter."""
    return MODES.index(mode) >= MODES.index(weakest)


def _left_undone(would: Delivery, decision: Decision) -> Delivery | None:
    """What would have been done; something that would have been said later counts as said."""
    if would.is_postponed:
        return _said(Action.NUDGE, decision.reason, decision.message)
    return None if would.action is Action.CONTINUE or would.reason in REPEATS else would


def _only_told(decision: Decision, would: Delivery, can: Abilities, now: Situation) -> Delivery:
    """The mode `nudge`: in place of a stop something is said, once in a turn. Before a refusal it was said already."""
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
        action = Action.ESCALATE if asks else Action.STOP  # ending the run hands it to a person too
        return _said(action, decision.reason, decision.message, now.pending)
    if now.forgotten and now.reaches_agent:
        return _said(Action.NUDGE, TOLD_BEFORE, f"Before the context was compacted, {now.forgotten}", now.pending)
    if decision.action is Action.BLOCK and now.moment == BEFORE and can.refuse:
        return _refuse(decision, can, now)
    if decision.action in (Action.BLOCK, Action.NUDGE):
        return _tell(decision, can, now, decision.message.removesuffix(RUNS_AGAIN).rstrip())
    return _catch_up(can, now)


def way_to_stop(can: Abilities, moment: str, again: bool) -> Action:
    """How a stop is said. First the agent is asked to report; the run is ended if it asks for more (`again`).

    Where a run ends at once, the agent is not asked.
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
        return _held_back(now, "This call was held back to say so.")
    if now.pending and not now.is_let_through:
        return Delivery(pending=now.pending, lets_through=True)
    return _said(Action.BLOCK, decision.reason, decision.message, now.pending)


def _tell(decision: Decision, can: Abilities, now: Situation, message: str) -> Delivery:
    """A nudge, or what is said in place of a refusal that comes too late or of a stop that the mode does not allow."""
    is_carried = can.hold and is_about_the_end(decision) if now.moment == TURN_END else now.moment in can.tell
    if is_carried and now.reaches_agent:
        return _said(Action.NUDGE, decision.reason, message, now.pending)
    return Delivery(pending=joined(now.pending, message), is_postponed=True)


def _catch_up(can: Abilities, now: Situation) -> Delivery:
    """Nothing new is to be said: time for what is pending."""
    if now.pending and now.reaches_agent:
        if AFTER in can.tell and now.moment in AFTER_CALLS:
            return _said(Action.NUDGE, OWED, now.pending)
        if AFTER not in can.tell and now.moment == BEFORE and can.tell_instead and now.can_wait:
            return _held_back(now, "This call was held back to say so; asked for again, it runs.")
    return Delivery(pending=now.pending)


def _held_back(now: Situation, why: str) -> Delivery:
    return _said(Action.NUDGE, HELD_BACK, f"{now.pending} {why}")


def _said(action: Action, reason: str, message: str, pending: str = "") -> Delivery:
    return Delivery(action=action, reason=reason, message=message, pending=pending)


def joined(pending: str, message: str) -> str:
    """What is pending, with one thing more that is to be told."""
    return pending if message in pending else f"{pending} {message}".strip()
