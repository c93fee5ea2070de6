"""Shared by all framework adapters: one Monitor for each agent of each conversation, and the effect of its decisions.

An adapter reports to a `Conversation` what happens and asks it three things: may this call run (`called`), what should
the model be told next (`before_model` or `advice`), and is the run over (`stopped`).
"""

import time
from collections import deque
from collections.abc import Mapping
from typing import Any, Unpack

import msgspec

from headway.config.settings import Settings
from headway.core.decision import Action, Decision
from headway.core.events import Sender, Used, whole_prompt
from headway.core.repeats import follows_change
from headway.core.stop import limit_reached
from headway.hosts import as_arguments
from headway.hosts.abilities import ENFORCE, Abilities
from headway.hosts.delivery import Delivery, Situation, deliver
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import (
    Options,
    check_names,
    checked_store,
    monitor_options,
    with_all_arguments,
)
from headway.hosts.frameworks.pricing import limited_price
from headway.hosts.frameworks.shared import Link, shared
from headway.hosts.frameworks.state import ConversationState, Kept
from headway.hosts.hook.event import AFTER, BEFORE
from headway.monitor import Monitor
from headway.policy import is_users_limit
from headway.policy.wording import IN_A_FRAMEWORK
from headway.rolling.normalise import digest

NEEDS_NAME = "a store needs a name for each conversation: pass conversation=… too"
NOTHING = Delivery()
"""The delivery for nearly every event."""
AT_LENGTH = 150
"""Minimum length of a message that counts as work, in characters; shorter ones are phrases."""

FRAMEWORK = Abilities(tell=(BEFORE, AFTER), stop=True)
"""The abilities of an adapter: messages are added to the model's next input, and a stop ends the run."""
ONLY_TOLD = Abilities(tell=(BEFORE, AFTER), tell_instead=False, refuse=False, stop=True)
"""The same for an adapter that sees a call only after it has run."""


class Question(str):
    """A question to a person about one call, in place of a refusal."""


class Conversation:
    """One agent in one conversation: takes its events, and returns messages for it.

    May be used from several threads and tasks, and with a store from several processes. A fault of ours is logged; the
    framework continues without Headway.
    """

    def __init__(
        self,
        *,
        can: Abilities = FRAMEWORK,
        about: str = "",
        conversation: str = "",
        agent: str = "",
        **options: Unpack[Options],
    ) -> None:
        check_names(options, "conversation")
        on_decision, store = options.get("on_decision"), checked_store(options)
        if store is not None and not conversation:
            raise TypeError(NEEDS_NAME)
        self.id, self.agent = conversation, agent
        self._can, self._about, self._options = can, about, monitor_options(options)
        self._on_decision = None if on_decision is None else with_all_arguments(on_decision)
        self._link = None if store is None else Link(store, _key(conversation, agent))
        self._decided: list[Decision] = []
        """Decisions to report once the store has the state that they belong to."""
        self.restore(None)
        self.refresh()

    @harmless
    def refresh(self) -> None:
        """Load what other processes have stored about this conversation, if it has a store."""
        if self._link is not None:
            self._link.refresh(self)

    def restore(self, saved: bytes | None) -> None:
        """Continue from a state that `saved` returned, or start with a new one."""
        state = ConversationState() if saved is None else ConversationState.unpacked(saved)
        if state.monitor:
            settings, detectors = Settings.of(self._options.get("settings")), self._options.get("detectors", ())
            self.monitor = Monitor.load(state.monitor, settings=settings, detectors=detectors)
        else:
            self.monitor = Monitor(**self._options)
        self.stopped: Decision | None = state.stopped
        """Why the run has to end; None as long as it may continue."""
        self.read_up_to: Any = state.read_up_to
        """For adapters that read a history: how far they have read."""
        self._advice = deque(state.advice)
        self._refused = deque(state.refused, maxlen=64)
        self._requests = state.requests
        self._mode = self.monitor.settings.policy.mode or ENFORCE
        self._would_be_stopped = state.would_be_stopped
        self._questions = state.questions
        """Calls about which a person is asked, and why."""
        self._asks = bool(state.questions)
        """Whether the framework could ask a person at the last call."""
        self._handoff_at = state.handoff_at
        """How many steps there were at the last handoff of this agent."""
        self._said = deque(state.said, maxlen=64)
        """Digests of the agent's longer messages since then."""

    def saved(self) -> bytes:
        """Everything that another process needs, without the outputs of tools and with secrets masked."""
        state = ConversationState(
            self.monitor.save(content=False),
            self.stopped,
            self.read_up_to,
            list(self._advice),
            list(self._refused),
            self._requests,
            self._handoff_at,
            list(self._said),
            self._would_be_stopped,
            self._questions,
        )
        return state.packed()

    def keep(self) -> Kept:
        """The state, for a framework that stores it with its own."""
        return self.monitor.session.event_count, self.saved()

    def follow(self, kept: Kept) -> None:
        """Continue from a state that the framework has stored, if it is newer than this one."""
        if kept[0] > self.monitor.session.event_count:
            self.restore(kept[1])

    @harmless
    @shared
    def called(
        self, tool: str, args: object, call: str, batch: str | None = None, *, can_ask: bool = False
    ) -> str | None:
        """Before a tool runs: None to let it run, or what to answer in its place.

        Calls since the last `before_model` are one batch, unless a batch is named. If the framework can ask a
        person (`can_ask`), the result may be a `Question`: ask it, and pass the answer to `answered`.
        """
        if call in self._questions:  # the framework asks again, after an interruption
            return Question(self._questions[call].message)
        self._asks = can_ask
        if self.stopped is None:
            batch = batch or (str(self._requests) if self._requests else None)
            decision = self.monitor.called(tool, as_arguments(args), call=call, batch=batch, at=time.time())
            delivery = self._deliver(decision, BEFORE)
            if delivery is NOTHING or delivery.action.rank < Action.BLOCK.rank:
                return None
            if delivery.action is Action.ESCALATE:
                self._questions[call] = decision
                return Question(delivery.message)
            if self.stopped is None:
                self._refused.append(call)
                return IN_A_FRAMEWORK[Action.BLOCK].format(message=delivery.message)
        self._refused.append(call)
        return self.last_words

    @harmless
    @shared
    def answered(self, call: str, may_run: bool) -> str | None:
        """A person has answered the question about a call: None to let it run, or what to answer in its place.

        A person who lets a call run has looked at the run, so this starts a new turn.
        """
        decision = self._questions.pop(call, None)
        if may_run:
            self.user_spoke("")
            return None
        self.stopped = decision or self.stopped
        self._refused.append(call)
        return self.last_words

    @harmless
    @shared
    def returned(self, call: str, output: object = "", failed: bool | None = None) -> None:
        """After a tool ran. The result of a call that is refused, or waits for a person, is our own text: ignore it."""
        if call not in self._refused and call not in self._questions:
            self._deliver(self.monitor.returned(call, output, failed, at=time.time()))

    @harmless
    @shared
    def before_model(self) -> str | None:
        """Before a request to the model: what it should be told, once. The calls it then requests are one batch."""
        self._requests += 1
        return self.advice()

    def advice(self) -> str | None:
        """What the model should be told and has not been told yet."""
        return self._take_advice() if self._advice else None

    @harmless
    @shared
    def _take_advice(self) -> str | None:
        told = []
        while self._advice:
            told.append(self._advice.popleft())
        return "\n".join(told) or None

    @property
    def has_advice(self) -> bool:
        """Is there something that the model should be told?"""
        return bool(self._advice)

    @harmless
    @shared
    def used(
        self,
        tokens_in: int | None = 0,
        tokens_out: int | None = 0,
        cost_usd: float | None = 0.0,
        model: str | None = None,
        cached: int | None = 0,
        written: int | None = 0,
    ) -> None:
        """Record the usage of a model request. Without a cost, the list price counts if money is limited.

        `cached` and `written` are the parts of the input that were read from a cache or written to one.
        """
        cached, written = cached or 0, written or 0
        read, wrote = whole_prompt(tokens_in or 0, cached, written), tokens_out or 0
        if not (read or wrote or cost_usd):
            return
        estimate = 0.0 if cost_usd else limited_price(self.monitor.session, model, read, wrote, cached, written)
        used = Used(
            tokens_in=read, tokens_out=wrote, cost_usd=cost_usd or estimate, estimated=estimate > 0, at=time.time()
        )
        self._deliver(self.monitor.feed(used).decision)

    @harmless
    @shared
    def user_spoke(self, text: object, kind: Sender = "") -> None:
        """A new turn: a stopped run may continue, unless it was stopped by a limit that is still reached.

        With the kind `news`, a machine reports something: no turn begins, and a stop stays.
        """
        if kind == "news":
            self._deliver(self.monitor.user_spoke(as_text(text), kind=kind, at=time.time()))
            return
        before, self.stopped, self._would_be_stopped = self.stopped, None, False
        self._advice.clear()
        self._questions.clear()
        self._deliver(self.monitor.user_spoke(as_text(text), kind=kind, at=time.time()))
        if self.stopped is None:
            self.stopped = before
            self.resume()

    @harmless
    @shared
    def resume(self) -> None:
        """Let a stopped run continue, unless it was stopped by a limit that is still reached."""
        reached = limit_reached(self.monitor.session)
        if self.stopped is not None and (reached is None or reached[0] != self.stopped.reason):
            self.stopped = None

    @harmless
    @shared
    def agent_spoke(self, text: object) -> None:
        """The model said something besides its calls."""
        if said := as_text(text).strip():
            if len(said) >= AT_LENGTH:
                self._said.append(digest(said))
            self._deliver(self.monitor.agent_spoke(said, at=time.time()))

    @harmless
    @shared
    def take_work(self, but: str = "") -> str:
        """What this agent did since its last handoff, as text: equal only if calls and results are equal.

        The call that makes the handoff is left out, because its reason may differ each time.
        """
        session = self.monitor.session
        steps = [step for step in session.steps if step.number > self._handoff_at and step.call.id != but]
        done = [*(part for step in steps for part in (step.call.digest, step.normal)), *self._said]
        self._handoff_at = session.step_count
        self._said.clear()
        if any(step.opaque for step in steps):
            return "<a result was not recorded>"
        return "Results: " + " ".join(map(in_letters, done)) if done else "Nothing was done or said at length."

    @property
    def last_words(self) -> str:
        """The message for the caller of a stopped run."""
        decision = self.stopped or Decision()
        return IN_A_FRAMEWORK[Action.STOP].format(reason=decision.reason, message=self._about + decision.message)

    def _deliver(self, decision: Decision, moment: str = AFTER) -> Delivery:
        if decision.action is Action.CONTINUE:
            return NOTHING
        now = Situation(
            moment=moment,
            would_be_stopped=self._would_be_stopped,
            follows_change=follows_change(self.monitor.session),
        )
        can = self._can._replace(ask=True) if self._asks else self._can
        delivery = Delivery() if self._is_asked_later(decision, moment) else deliver(decision, can, now, self._mode)
        if delivery.would is not None and delivery.would.action.rank >= Action.STOP.rank:
            self._would_be_stopped = True
        if delivery.action is Action.NUDGE:
            self._advice.append(IN_A_FRAMEWORK[Action.NUDGE].format(message=self._about + delivery.message))
        elif delivery.action is Action.STOP:
            self.stopped = decision
        self._decided.append(decision)
        if self._link is None:
            self.tell_decided()
        return delivery

    def _is_asked_later(self, decision: Decision, moment: str) -> bool:
        """Whether the question waits for the next call, because it can only be asked before one; limits do not wait."""
        return self._asks and moment == AFTER and decision.action is Action.ESCALATE and not is_users_limit(decision)

    def forget_decided(self) -> None:
        """Forget what was decided from a state that turned out not to be the newest."""
        self._decided = []

    @harmless
    def tell_decided(self) -> None:
        """Call `on_decision` with what was decided."""
        decided, self._decided = self._decided, []
        if self._on_decision is not None:
            for decision in decided:
                self._on_decision(decision, self.id, self.agent)


def as_text(content: object) -> str:
    """The text in a message, whether it is text, a list of parts, or something with a `text`."""
    if isinstance(content, str):
        return content
    if isinstance(content, (list, tuple)):
        return "\n".join(filter(None, map(as_text, content)))
    text = content.get("text") if isinstance(content, Mapping) else getattr(content, "text", None)
    return text if isinstance(text, str) else ""


def in_letters(number: int) -> str:
    """A number without digits. Digits could be read as an id, and differences in ids are ignored."""
    return "".join(chr(ord("a") + int(digit)) for digit in str(abs(number)))


def _key(conversation: str, agent: str) -> str:
    """The key of a conversation in a store: JSON, so that different pairs have different keys."""
    return msgspec.json.encode([conversation, agent]).decode()
