"""Counts the cost and the active time of a run, event by event."""

from collections import Counter
from math import isfinite

from headway.config.price_files import PriceTable
from headway.core.events import Event, ToolReturned, Used, UserSpoke
from headway.core.session import Session

LONGEST_WAIT = 3_600.0
"""A longer time without events, in seconds, does not count as work: the machine slept, or a question was open."""
MAX_MODELS = 50


class Meter:
    """Adds up list prices and active time."""

    def __init__(self, prices: PriceTable | None = None) -> None:
        self._prices = prices
        self.estimated_usd: float | None = None
        """The list price of all tokens of priced models; None if there were none."""
        self.unpriced: Counter[str] = Counter()
        """Tokens of models without a list price."""
        self.active_seconds: float | None = None
        """The time between events, without waiting for a person; None if the events have no times."""
        self._last: float | None = None

    def take(self, event: Event, session: Session) -> None:
        """Count one event, after the session has processed it."""
        if isinstance(event, Used) and self._prices is not None:
            self._add_price(event, session.model or "", self._prices)
        at = event.at
        if at is not None and at != self._last and isfinite(at):
            self._add_time(event, at, session)

    def _add_price(self, used: Used, model: str, prices: PriceTable) -> None:
        tokens = used.tokens_in + used.tokens_out
        if not tokens:
            return
        cached, written = used.tokens_cached, used.tokens_written
        cost = prices.cost(model, used.tokens_in, used.tokens_out, cached, written, used.at)
        if cost is not None:
            self.estimated_usd = (self.estimated_usd or 0.0) + cost
        else:
            name = model or "unknown"
            self.unpriced[name if name in self.unpriced or len(self.unpriced) < MAX_MODELS else "others"] += tokens

    def _add_time(self, event: Event, at: float, session: Session) -> None:
        before, self._last = self._last, at
        if before is not None and before - LONGEST_WAIT <= at < before:
            self._last = before  # records out of order; a larger jump back means that the clock was set
        if before is None:
            self.active_seconds = self.active_seconds or 0.0
        elif 0 < at - before <= LONGEST_WAIT and not _waited_for_a_person(event, session):
            self.active_seconds = (self.active_seconds or 0.0) + at - before


def _waited_for_a_person(event: Event, session: Session) -> bool:
    """Whether the time before this event was spent waiting for a person."""
    asked = isinstance(event, ToolReturned) and bool(session.steps) and session.steps[-1].kind == "ask"
    return asked or isinstance(event, UserSpoke)
