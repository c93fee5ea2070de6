"""Counts the cost and the active time of a run, event by event."""

from collections import Counter
from math import isfinite

from headway.config.price_files import PriceTable
from headway.core.events import AgentSpoke, Event, ToolCalled, ToolReturned, Used, UserSpoke
from headway.core.run_report import Spent
from headway.core.session import Session

LONGEST_WAIT = 3_600.0
"""A longer time without events, in seconds, does not count as work: the machine slept, or a question was open."""
MAX_MODELS = 50
UNFITTING = " with more cached tokens than its prompt"
"""Beside the name of a model that has a list price, but not for counts that cannot be true."""


class Meter:
    """Adds up list prices and active time."""

    def __init__(self, prices: PriceTable | None = None) -> None:
        self._prices = prices
        self.estimated_usd: float | None = None
        """The list price of all tokens of priced models; None if there were none."""
        self.uncovered_usd: float | None = None
        """The part of it for requests without a cost of their own."""
        self.has_sums = False
        """Whether a cost came without tokens: then it is that of many requests, and covers those without one."""
        self.unpriced: Counter[str] = Counter()
        """Tokens of requests without a cost whose list price is not known, by model."""
        self.active_seconds: float | None = None
        """The time between events, without waiting for a person; None if the events do not tell it."""
        self._last: float | None = None
        self._answers = 0
        """The model's answers since tokens were told."""
        self._is_answering = False
        self._batch: str | None = None

    @property
    def estimate(self) -> float | None:
        """What is estimated beside the costs of single requests."""
        return self.estimated_usd if self.has_sums else self.uncovered_usd

    def each_cost_once(self, spent: Spent) -> Spent:
        """Without an estimate for requests whose cost is part of a sum that the recording has."""
        return spent.without_double_cost() if self.has_sums else spent

    def take(self, event: Event, session: Session) -> None:
        """Count one event, after the session has processed it."""
        kind = type(event)  # `isinstance` is slow for events of other kinds
        waited = False
        if kind is ToolReturned or kind is UserSpoke:
            self._is_answering = False
            waited = kind is UserSpoke or (bool(session.steps) and session.steps[-1].kind == "ask")
        elif kind is ToolCalled or kind is AgentSpoke:
            self._count_answers(event.batch if isinstance(event, ToolCalled) else None)
        elif isinstance(event, Used):
            if self._prices is not None:
                self._add_price(event, session.model or "", self._prices)
            self._answers = 0
        at = event.at
        if at is not None and isfinite(at):
            self._add_time(at, waited)
        elif kind is UserSpoke:
            self._last = None  # how long the agent waited for it is not known

    def _count_answers(self, batch: str | None) -> None:
        """Some programs tell the tokens of many requests at once, and the price of one depends on its length."""
        if not self._is_answering and (batch is None or batch != self._batch):
            self._answers += 1
        self._is_answering, self._batch = True, batch

    def _add_price(self, used: Used, model: str, prices: PriceTable) -> None:
        tokens = used.tokens_in + used.tokens_out
        if not tokens:
            self.has_sums = self.has_sums or used.cost_usd > 0
            return
        cached, written = used.tokens_cached, used.tokens_written
        requests = max(1, self._answers)
        cost = prices.cost(model, used.tokens_in, used.tokens_out, cached, written, used.at, requests)
        if cost is not None:
            self.estimated_usd = (self.estimated_usd or 0.0) + cost
            if not used.cost_usd:
                self.uncovered_usd = (self.uncovered_usd or 0.0) + cost
        elif not used.cost_usd:
            name = (model or "unknown") + (UNFITTING if cached + written > used.tokens_in else "")
            self.unpriced[name if name in self.unpriced or len(self.unpriced) < MAX_MODELS else "others"] += tokens

    def _add_time(self, at: float, waited: bool) -> None:
        """Add the time before an event, unless the agent waited for a person."""
        before, self._last = self._last, at
        if before is not None and before - LONGEST_WAIT <= at < before:
            self._last = before  # records out of order; a larger jump back means that the clock was set
        if before is not None and 0 < at - before <= LONGEST_WAIT and not waited:
            self.active_seconds = (self.active_seconds or 0.0) + at - before
