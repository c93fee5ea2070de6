"""Counts and times as they can be true: a recording may say anything, and some numbers cannot even be stored."""

from msgspec.structs import replace

from headway.core.events import Event, ToolReturned, Used

COUNT = 10**12
"""More tokens than any run has used, more hits than any search has. Millions of such counts still add up to 64 bits."""
DOLLARS = 1e9
"""More money than any run has cost."""
EXIT_CODE = 2**32
"""Exit codes stay below this on every system."""
TIME = 253_402_300_800.0
"""The end of the year 9999 in seconds: calendars end there."""


def is_credible_time(at: float | None) -> bool:
    """Whether a time can be true, or is not told."""
    return at is None or -TIME < at < TIME


def credible(event: Event) -> Event:
    """The same event without a time that cannot be true, and with counts brought down to the most that is believed."""
    if not is_credible_time(event.at):
        event = replace(event, at=None)
    if isinstance(event, Used):
        return _used(event)
    if isinstance(event, ToolReturned):
        return _returned(event)
    return event


def _used(used: Used) -> Used:
    tokens = (used.tokens_in, used.tokens_out, used.tokens_cached, used.tokens_written)
    if min(tokens) >= 0 and max(tokens) <= COUNT and 0 <= used.cost_usd <= DOLLARS:
        return used
    tokens_in, tokens_out, cached, written = (min(max(0, count), COUNT) for count in tokens)
    return replace(
        used,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        tokens_cached=cached,
        tokens_written=written,
        cost_usd=min(max(0.0, used.cost_usd), DOLLARS),
    )


def _returned(result: ToolReturned) -> ToolReturned:
    code, hits = result.exit_code, result.hits
    if code is None and hits is None:
        return result
    is_code = code is None or (-EXIT_CODE < code < EXIT_CODE and not isinstance(code, bool))
    if is_code and (hits is None or 0 <= hits <= COUNT):
        return result
    return replace(result, exit_code=code if is_code else None, hits=None if hits is None else min(max(0, hits), COUNT))
