"""Formats the list of loops as text and JSON."""

from collections.abc import Sequence

import msgspec

from headway.loop.known import KnownLoop
from headway.reports.text import plain
from headway.reports.words import counted, duration, money

VERSION = 1


def loops_json(loops: Sequence[KnownLoop]) -> str:
    """The list as one JSON document."""
    return msgspec.json.format(msgspec.json.encode({"version": VERSION, "loops": loops}), indent=2).decode()


def loops_text(loops: Sequence[KnownLoop], now: float) -> str:
    """One line for each loop, the most recent one last."""
    return "\n".join(line_of(one, now) for one in loops) or "no loops found"


def line_of(one: KnownLoop, now: float) -> str:
    """One line about a loop."""
    facts = [f"{one.state} ({one.reason})" if one.reason else one.state, counted(one.rounds, "round")]
    if one.best:
        facts.append(f"best: round {one.best}")
    if one.cost_usd is not None:
        facts.append(money(one.cost_usd))
    if one.last_worked is not None:
        facts.append(f"{_ago(now - one.last_worked)} ago")
    if one.state == "elsewhere":
        facts = [f"in {plain(one.folder)}" if one.folder else "its folder is unknown"]
    return f"{plain(one.loop)}: {', '.join(facts)}"


def _ago(seconds: float) -> str:
    days = int(seconds // 86_400)
    return counted(days, "day") if days else duration(max(0.0, seconds))
