"""What every framework adapter shares: one Monitor for each agent of each conversation, and what its decisions lead to.

An adapter tells a `Conversation` what happens and asks it three things: may this call run (`called`), what should the
model be told next (`before_model` or `advice`), and is the run over (`stopped`). The rest is the framework's business.
"""

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from pathlib import PurePath
from threading import Lock
from typing import Any, TypedDict, Unpack

from headway.config.settings import Settings
from headway.core.decision import Action, Decision
from headway.core.detector import Detector
from headway.hosts import as_arguments
from headway.hosts.abilities import ENFORCE, Abilities
from headway.hosts.delivery import Delivery, Situation, deliver
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.hook.event import AFTER, BEFORE
from headway.monitor import Monitor

CONVERSATIONS = 256
"""How many (conversation, agent) pairs are remembered; the one that was quiet for longest is forgotten first."""

FRAMEWORK = Abilities(tell=(BEFORE, AFTER), stop=True)
"""What an adapter can do: whatever is to be said goes into the model's next input, and a stop ends the run."""
ONLY_TOLD = Abilities(tell=(BEFORE, AFTER), tell_instead=False, refuse=False, stop=True)
"""The same, where a call has run before the adapter hears of it."""


class MonitorOptions(TypedDict, total=False):
    """What the Monitor of a conversation takes. Detectors are given as types, because each conversation has its own."""

    task: str | None
    model: str | None
    targets: str | Iterable[str]
    root: str | PurePath | None
    settings: Settings | Mapping[str, Any] | None
    detectors: Iterable[type[Detector]]


class Options(MonitorOptions, total=False):
    """What an adapter takes: the Monitor's own settings, and who wants to hear of decisions."""

    on_decision: Callable[[Decision], object] | None


class Conversation:
    """One agent in one conversation: what it does goes in, what it should be told comes out.

    May be used from several threads and tasks. A fault of ours is logged; the framework continues without Headway.
    """

    def __init__(
        self,
        *,
        can: Abilities = FRAMEWORK,
        on_decision: Callable[[Decision], object] | None = None,
        **options: Unpack[MonitorOptions],
    ) -> None:
        self._can, self._on_decision = can, on_decision
        self.monitor = Monitor(**options)
        self._mode = self.monitor.settings.policy.mode or ENFORCE
        self._would_be_stopped = False
        self.stopped: Decision | None = None
        """Why the run has to end; None as long as it may go on."""
        self.read_up_to: Any = None
        """For adapters that look through a history: how far they have come."""
        self._advice: deque[str] = deque()
        self._refused: deque[str] = deque(maxlen=64)
        self._requests = 0

    @harmless
    def called(self, tool: str, args: object, call: str, batch: str | None = None) -> str | None:
        """Before a tool runs: None to let it run, or what to answer in its place.

        Calls since the last `before_model` were asked for together, unless a batch is named.
        """
        if self.stopped is None:
            batch = batch or (str(self._requests) if self._requests else None)
            decision = self.monitor.called(tool, as_arguments(args), call=call, batch=batch, at=time.time())
            delivery = self._deliver(decision, BEFORE)
            if delivery.action.rank < Action.BLOCK.rank:
                return None
            if self.stopped is None:
                self._refused.append(call)
                return f"[headway] This call was not run. {delivery.message}"
        self._refused.append(call)
        return self.last_words

    @harmless
    def returned(self, call: str, output: object = "", failed: bool | None = None) -> None:
        """After a tool ran. The result of a call that was refused is our own word, and not news."""
        if call not in self._refused:
            self._deliver(self.monitor.returned(call, output, failed, at=time.time()))

    @harmless
    def before_model(self) -> str | None:
        """Before the model is asked: what it should be told, once. The calls it then asks for are one batch."""
        self._requests += 1
        return self.advice()

    def advice(self) -> str | None:
        """What the model should be told and has not been told yet."""
        told = []
        while self._advice:
            told.append(self._advice.popleft())
        return "\n".join(told) or None

    @property
    def has_advice(self) -> bool:
        """Is there something that the model should be told?"""
        return bool(self._advice)

    @harmless
    def used(self, tokens_in: int | None = 0, tokens_out: int | None = 0, cost_usd: float | None = 0.0) -> None:
        """What the framework says a model request has used."""
        if tokens_in or tokens_out or cost_usd:
            used = {"tokens_in": tokens_in or 0, "tokens_out": tokens_out or 0}
            self._deliver(self.monitor.used(**used, cost_usd=cost_usd or 0.0, at=time.time()))

    @harmless
    def user_spoke(self, text: object) -> None:
        """A new turn: a stopped run may continue."""
        self.stopped, self._would_be_stopped = None, False
        self._advice.clear()
        self._deliver(self.monitor.user_spoke(as_text(text), at=time.time()))

    @harmless
    def agent_spoke(self, text: object) -> None:
        """The model said something beside its calls."""
        if said := as_text(text).strip():
            self._deliver(self.monitor.agent_spoke(said, at=time.time()))

    @property
    def last_words(self) -> str:
        """The message for the caller of a stopped run."""
        decision = self.stopped or Decision()
        return f"Stopped by Headway ({decision.reason}): {decision.message}"

    def _deliver(self, decision: Decision, moment: str = AFTER) -> Delivery:
        now = Situation(moment=moment, would_be_stopped=self._would_be_stopped)
        delivery = deliver(decision, self._can, now, self._mode)
        if delivery.would is not None and delivery.would.action.rank >= Action.STOP.rank:
            self._would_be_stopped = True
        if delivery.action is Action.NUDGE:
            self._advice.append(f"[headway] {delivery.message}")
        elif delivery.action is Action.STOP:
            self.stopped = decision
        if decision.action is not Action.CONTINUE:
            self._tell(decision)
        return delivery

    @harmless
    def _tell(self, decision: Decision) -> None:
        if self._on_decision is not None:
            self._on_decision(decision)


class Conversations:
    """The conversations an adapter has seen lately, each agent apart."""

    def __init__(
        self,
        can: Abilities = FRAMEWORK,
        monitor_of: Callable[..., Monitor] | None = None,
        **options: Unpack[Options],
    ) -> None:
        self._monitor_of = monitor_of
        """Makes the monitor of a new conversation from its key, if it is not a plain one."""
        Conversation(**options)  # report a wrong setting now, not in the middle of a run
        self._can, self._options = can, options
        self._known: OrderedDict[Hashable, Conversation] = OrderedDict()
        self._lock = Lock()

    def of(self, *key: Hashable) -> Conversation:
        """The conversation with this key; a new one where it is not known."""
        with self._lock:
            found = self._known.get(key)
            if found is None:
                found = self._known[key] = Conversation(can=self._can, **self._options)
                if self._monitor_of is not None:
                    found.monitor = self._monitor_of(*key)
                if len(self._known) > CONVERSATIONS:
                    self._known.popitem(last=False)
            else:
                self._known.move_to_end(key)
            return found

    def __len__(self) -> int:
        return len(self._known)


def as_text(content: object) -> str:
    """The text in a message, whether it is text, a list of parts, or something with a `text`."""
    if isinstance(content, str):
        return content
    if isinstance(content, (list, tuple)):
        return "\n".join(filter(None, map(as_text, content)))
    text = content.get("text") if isinstance(content, Mapping) else getattr(content, "text", None)
    return text if isinstance(text, str) else ""
