"""Reports what the mode `enforce` would have done in live sessions, and what the agents did after that.

Steps and time come from the database of live sessions. The cost, and the time without waiting for a person, come from
the agent's own recording. Without a recording the cost is unknown, and the report says so.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from headway.config.price_files import PriceTable
from headway.core.events import Used
from headway.core.parts import Spending
from headway.core.run_report import ENDING, Spent
from headway.detectors.run.spend import Spend
from headway.monitor import Monitor
from headway.readers import UnknownFormatError, read
from headway.reports.words import cost_in_words, counted, duration
from headway.sources import Source
from headway.store.overview import KeptDecision, SessionOverview
from headway.study.meter import Meter, each_cost_once, money

MAX_STOPS_LISTED = 5


class UndoneStop(msgspec.Struct, frozen=True):
    """A stop that the mode prevented, and what followed in the same turn."""

    host: str
    session: str
    step: int
    at: float
    reason: str
    after: Spent
    recording: str
    """The recording of the session; empty if there is none."""


class LeftUndone(msgspec.Struct, frozen=True):
    """What `enforce` would have done."""

    stops: tuple[UndoneStop, ...] = ()
    refused_calls: int = 0


def left_undone(sessions: Iterable[SessionOverview], since: float, prices: PriceTable | None = None) -> LeftUndone:
    """The stops and refusals that modes have prevented since a time, latest first."""
    undone = [
        (one, decision) for one in sessions for decision in one.decisions if decision.would and decision.at >= since
    ]
    stops = [_stop(one, decision, prices) for one, decision in undone if decision.action in ENDING]
    refused = sum(decision.action == "block" for _, decision in undone)
    return LeftUndone(tuple(sorted(stops, key=lambda stop: -stop.at)), refused)


def in_words(found: LeftUndone, days: str) -> Iterator[str]:
    """One sentence with the totals, and a line for each stop; empty if nothing was prevented."""
    if not found.stops and not found.refused_calls:
        return
    would = [counted(len(found.stops), "stop"), counted(found.refused_calls, "refused call")]
    after = sum((stop.after for stop in found.stops), Spent())
    told = f": {_amounts(after)} after the stops" if found.stops else ""
    known = sum(stop.after.known_usd is not None for stop in found.stops)
    of = len(found.stops)
    partly = f" (cost recorded or estimated for {known} of {of})" if known < of else ""
    yield f"In the last {days}, the mode enforce would have meant {' and '.join(would)}{told}{partly}."
    for stop in found.stops[:MAX_STOPS_LISTED]:
        look = f"; look at it: headway show {stop.recording}" if stop.recording else ""
        what = f"{stop.host} {stop.session[:8]}, stop at step {stop.step} ({stop.reason})"
        yield f"- {what}: {_amounts(stop.after)} after it{look}"
    if len(found.stops) > MAX_STOPS_LISTED:
        yield f"- and {len(found.stops) - MAX_STOPS_LISTED} more"


def _amounts(after: Spent) -> str:
    time = duration(after.active_seconds or 0.0)
    return ", ".join(filter(None, (counted(after.steps, "step"), time, cost_in_words(after))))


def _stop(session: SessionOverview, decision: KeptDecision, prices: PriceTable | None) -> UndoneStop:
    until = decision.until_at or decision.at
    steps, waited = max(0, (decision.until_step or decision.step) - decision.step), until - decision.at
    recorded = _recorded(session, decision.at, until, prices)
    after = Spent(steps, active_seconds=waited)
    if recorded is not None:
        after = msgspec.structs.replace(recorded, steps=steps)
    recording = "" if recorded is None else session.transcript
    return UndoneStop(
        session.host, session.session, decision.step, decision.at, decision.reason, after, recording
    )  # fmt: skip


def _recorded(session: SessionOverview, since: float, until: float, prices: PriceTable | None) -> Spent | None:
    """What was spent between two times according to the agent's recording; None if it cannot be read."""
    if not session.transcript:
        return None
    meter, follower, spending = Meter(prices), Monitor(only=True, detectors=[Spend]), Spending()  # only the session
    try:
        for event in read(Source(Path(session.transcript))):
            if event.agent != session.agent:
                continue
            is_after = event.at is not None and since <= event.at <= until
            priced = meter.priced(event, follower.session.model) if is_after else event
            follower.feed(priced)
            if is_after:
                meter.take(priced, follower.session)
            if is_after and isinstance(priced, Used):
                spending.note(priced)
    except (UnknownFormatError, OSError, ValueError):
        return None
    reported, estimated = money(spending)
    seconds = meter.active_seconds or 0.0
    return each_cost_once(Spent(cost_usd=reported, estimated_usd=estimated, active_seconds=seconds), spending)
