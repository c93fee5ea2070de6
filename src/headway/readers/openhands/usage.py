"""What OpenHands says has been spent so far, told as what was spent since the last time."""

from collections.abc import Mapping
from typing import Any

from headway.core import events
from headway.core.events import Event


class Meter:
    """Totals that only grow; each new one is told as a difference."""

    def __init__(self, run: str) -> None:
        self.run = run
        self.cost = 0.0
        self.tokens_in = self.tokens_out = 0

    def read(self, metrics: Mapping[str, Any], at: float | None = None) -> list[Event]:
        """What these totals add to the last ones."""
        usage = metrics.get("accumulated_token_usage")
        tokens = usage if isinstance(usage, Mapping) else {}
        cost = max(0.0, _number(metrics.get("accumulated_cost")) - self.cost)
        tokens_in = max(0, int(_number(tokens.get("prompt_tokens"))) - self.tokens_in)
        tokens_out = max(0, int(_number(tokens.get("completion_tokens"))) - self.tokens_out)
        if not (cost or tokens_in or tokens_out):
            return []
        self.cost, self.tokens_in, self.tokens_out = (
            self.cost + cost, self.tokens_in + tokens_in, self.tokens_out + tokens_out,
        )  # fmt: skip
        return [events.Used(run=self.run, at=at, tokens_in=tokens_in, tokens_out=tokens_out, cost_usd=cost)]


def _number(value: object) -> float:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e15
    return float(value) if is_number else 0.0  # type: ignore[arg-type]
