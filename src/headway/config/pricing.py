"""Gives usage without a cost its list price, before a monitor sees it.

This is the one place where tokens become money. A scan, a hook and the service do this before they hand usage to a
monitor, so that limits hold, and live runs and recordings agree. The monitor itself knows no prices.
"""

from collections import Counter

from msgspec.structs import replace

from headway.config.price_files import PriceTable
from headway.core.events import AgentSpoke, Event, ToolCalled, ToolReturned, Used, UserSpoke

MAX_MODELS = 50
UNFITTING = " with more cached tokens than its prompt"
"""Beside the name of a model that has a list price, but not for counts that cannot be true."""


class Pricer:
    """The list prices of one run. Without prices, usage stays as it is."""

    def __init__(self, prices: PriceTable | None) -> None:
        self._prices = prices
        self.unpriced: Counter[str] = Counter()
        """Tokens of requests without a cost whose list price is not known, by model."""
        self._answers = 0
        """The model's answers since tokens were told."""
        self._is_answering = False
        self._batch: str | None = None

    def note(self, event: Event) -> None:
        """Count the model's answers since usage was told: many requests have not the price of one long request."""
        kind = type(event)  # `isinstance` is slow for events of other kinds
        if kind is ToolReturned or kind is UserSpoke:
            self._is_answering = False
        elif kind is ToolCalled or kind is AgentSpoke:
            batch = event.batch if isinstance(event, ToolCalled) else None
            if not self._is_answering and (batch is None or batch != self._batch):
                self._answers += 1
            self._is_answering, self._batch = True, batch

    def priced(self, used: Used, model: str | None) -> Used:
        """The usage with its list price, if its cost was not reported."""
        requests, self._answers = max(1, self._answers), 0
        tokens = used.tokens_in + used.tokens_out
        if self._prices is None or used.cost_usd or not tokens:
            if used.cost_usd and not tokens:
                self.unpriced.clear()  # the sum of all requests before it
            return used
        cached, written = used.tokens_cached, used.tokens_written
        cost = self._prices.cost(model or "", used.tokens_in, used.tokens_out, cached, written, used.at, requests)
        if cost is None:
            self._note_unpriced((model or "unknown") + (UNFITTING if cached + written > used.tokens_in else ""), tokens)
            return used
        return replace(used, cost_usd=cost, estimated=True)

    def _note_unpriced(self, name: str, tokens: int) -> None:
        is_known = name in self.unpriced or len(self.unpriced) < MAX_MODELS
        self.unpriced[name if is_known else "others"] += tokens
