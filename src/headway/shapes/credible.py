"""Counts as they can be true: a recording may say anything, and a number beyond 64 bits cannot even be stored."""

from msgspec.structs import replace

from headway.core.events import Event, ToolReturned, Used

COUNT = 10**12
"""More tokens than any run has used, more hits than any search has. Millions of such counts still add up to 64 bits."""
DOLLARS = 1e9
"""More money than any run has cost."""
EXIT_CODE = 2**32
"""Exit codes stay below this on every system."""


def credible(event: Event) -> Event:
    """The same event, with counts that cannot be true brought down to the most that is believed."""
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
