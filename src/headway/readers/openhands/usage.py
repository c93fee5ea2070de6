"""Turns OpenHands' totals so far into the usage since the last time."""

from collections.abc import Mapping
from typing import Any

from headway.core import events
from headway.core.events import Event

_TOKENS = ("prompt_tokens", "completion_tokens", "cache_read_tokens", "cache_write_tokens")


class Meter:
    """Totals that only grow; of each new one the difference is reported."""

    def __init__(self, run: str) -> None:
        self.run = run
        self.cost = 0.0
        self.tokens: tuple[int, ...] = (0, 0, 0, 0)
        """In, out, read from a cache, written to one."""

    def read(self, metrics: Mapping[str, Any], at: float | None = None) -> list[Event]:
        """What these totals add to the last ones."""
        usage = metrics.get("accumulated_token_usage")
        given = usage if isinstance(usage, Mapping) else {}
        cost = max(0.0, _number(metrics.get("accumulated_cost")) - self.cost)
        totals = [int(_number(given.get(name))) for name in _TOKENS]
        new = [max(0, total - before) for total, before in zip(totals, self.tokens, strict=True)]
        if not (cost or new[0] or new[1]):
            return []
        self.cost += cost
        self.tokens = tuple(before + more for before, more in zip(self.tokens, new, strict=True))
        return [
            events.Used(
                run=self.run, at=at, tokens_in=new[0], tokens_out=new[1], cost_usd=cost,
                tokens_cached=new[2], tokens_written=new[3],
            )
        ]  # fmt: skip


def _number(value: object) -> float:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e15
    return float(value) if is_number else 0.0  # type: ignore[arg-type]
