"""Metrics for Prometheus: recent sessions from the database, and how fast hooks were answered."""

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping

from headway.serve.board import Summary
from headway.store.overview import SessionOverview

BOUNDS_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Latency:
    """How long hooks waited for their answers, as a histogram."""

    def __init__(self) -> None:
        self._counts = [0] * (len(BOUNDS_SECONDS) + 1)
        self._sum = 0.0
        self._lock = threading.Lock()

    def note(self, seconds: float) -> None:
        """Record the time of one answered event."""
        with self._lock:
            self._counts[bisect_left(BOUNDS_SECONDS, seconds)] += 1
            self._sum += seconds

    def lines(self) -> Iterable[str]:
        """The histogram in the text format of Prometheus."""
        with self._lock:
            counts, total = list(self._counts), self._sum
        yield from _head("headway_hook_seconds", "histogram", "Time from the arrival of a hook event to its answer.")
        below = 0
        for bound, count in zip((*map(str, BOUNDS_SECONDS), "+Inf"), counts, strict=True):
            below += count
            yield f'headway_hook_seconds_bucket{{le="{bound}"}} {below}'
        yield f"headway_hook_seconds_sum {total:.6f}"
        yield f"headway_hook_seconds_count {below}"


def metrics(sessions: Mapping[str, Summary], overviews: Iterable[SessionOverview], latency: Latency) -> str:
    """All figures, in the text format of Prometheus."""
    states = Counter(str(one["state"]) for one in sessions.values())
    decisions: Counter[tuple[str, str]] = Counter()
    steps: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    cost: dict[str, float] = {}
    for one in overviews:
        decisions.update((decision.reason, decision.action) for decision in one.decisions)
        steps[one.host] += one.steps
    for told in sessions.values():
        tokens[told["host"]] += told["tokens"]
        if told["cost_usd"] is not None:
            cost[told["host"]] = cost.get(told["host"], 0.0) + told["cost_usd"]
    lines = [*_head("headway_sessions", "gauge", "Sessions of the last 7 days, by state.")]
    lines += [f"headway_sessions{_labels(state=state)} {count}" for state, count in sorted(states.items())]
    lines += _head("headway_steps", "gauge", "Steps of these sessions, by agent.")
    lines += [f"headway_steps{_labels(agent=host)} {count}" for host, count in sorted(steps.items())]
    lines += _head("headway_tokens", "gauge", "Tokens of these sessions, as far as they are known.")
    lines += [f"headway_tokens{_labels(agent=host)} {count}" for host, count in sorted(tokens.items()) if count]
    lines += _head("headway_cost_usd", "gauge", "Cost of these sessions in US dollars, as far as it is known.")
    lines += [f"headway_cost_usd{_labels(agent=host)} {count:.6f}" for host, count in sorted(cost.items())]
    lines += _head("headway_decisions", "gauge", "Decisions in these sessions, by detector and action.")
    for (detector, action), count in sorted(decisions.items()):
        lines.append(f"headway_decisions{_labels(detector=detector, action=action)} {count}")
    return "\n".join([*lines, *latency.lines(), ""])


def _head(name: str, kind: str, about: str) -> list[str]:
    return [f"# HELP {name} {about}", f"# TYPE {name} {kind}"]


def _labels(**values: str) -> str:
    """Labels with escaped values, because a value may contain an agent's text."""
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in values.items()) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
