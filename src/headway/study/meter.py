"""What a run cost, and how long it worked."""

from math import isfinite

from headway.config.price_files import Pricer, PriceTable
from headway.core.events import MAX_DOLLARS, Event, ToolReturned, Used, UserSpoke
from headway.core.parts import Spending
from headway.core.run_report import Spent
from headway.core.session import Session

LONGEST_WAIT = 3_600.0
"""A longer time without events, in seconds, does not count as work: the machine slept, or a question was open."""


class Meter:
    """Prices usage, and adds up active time."""

    def __init__(self, prices: PriceTable | None = None) -> None:
        self._pricer = Pricer(prices)
        self.active_seconds: float | None = None
        """The time between events, without waiting for a person; None if the events do not tell it."""
        self._last: float | None = None

    @property
    def unpriced(self) -> dict[str, int]:
        """Tokens of requests without a cost whose list price is not known, by model."""
        return dict(self._pricer.unpriced)

    def priced(self, event: Event, model: str | None) -> Event:
        """The event as a monitor should see it: usage without a cost gets its list price."""
        if isinstance(event, Used):
            return self._pricer.priced(event, model)
        self._pricer.note(event)
        return event

    def take(self, event: Event, session: Session) -> None:
        """Count the time of one event, after the session has processed it."""
        kind = type(event)  # `isinstance` is slow for events of other kinds
        waited = kind is UserSpoke
        if kind is ToolReturned:
            waited = bool(session.steps) and session.steps[-1].kind == "ask"
        at = event.at
        if at is not None and isfinite(at):
            self._add_time(at, waited)
        elif kind is UserSpoke:
            self._last = None  # how long the agent waited for it is not known

    def _add_time(self, at: float, waited: bool) -> None:
        """Add the time before an event, unless the agent waited for a person."""
        before, self._last = self._last, at
        if before is not None and before - LONGEST_WAIT <= at < before:
            self._last = before  # records out of order; a larger jump back means that the clock was set
        if before is not None and 0 < at - before <= LONGEST_WAIT and not waited:
            self.active_seconds = (self.active_seconds or 0.0) + at - before


def money(spending: Spending) -> tuple[float | None, float | None]:
    """What was reported, and all that was estimated, also what a sum covered later; None for nothing."""
    estimated = spending.estimated_usd + spending.covered_usd
    return min(spending.cost_usd, MAX_DOLLARS) or None, min(estimated, MAX_DOLLARS) or None


def each_cost_once(spent: Spent, spending: Spending) -> Spent:
    """Without an estimate for requests whose cost is part of a sum that was reported."""
    return spent.without_double_cost() if spending.covered_usd else spent
