"""The cost of tokens, if a framework reports only the tokens and the user has limited the money."""

import logging
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from headway.core.session import Session

log = logging.getLogger("headway")


def limited_price(
    session: "Session", model: str | None, tokens_in: int, tokens_out: int, cached: int, written: int
) -> float:
    """The list price of a request, if the user has limited the money; otherwise 0."""
    if session.limits.max_cost_usd is None:
        return 0.0
    return list_price(session.model or model, tokens_in, tokens_out, cached, written)


def list_price(model: str | None, tokens_in: int, tokens_out: int, cached: int, written: int) -> float:
    """The list price of a request from the packaged table; 0, and one line in the log, if it is not known."""
    from headway.config.price_files import packaged_prices  # only needed if money is limited

    found = packaged_prices().cost(model, tokens_in, tokens_out, cached, written) if model else None
    if found is None:
        _warn(model)
    return found or 0.0


@cache
def _warn(model: str | None) -> None:
    """Log it once for each model in this process."""
    unpriced = f"the price of a request to the model {model!r} is not known"
    what = unpriced if model else "the framework does not say which model it asks"
    log.warning(
        "max_cost_usd cannot be enforced: the framework reports tokens but no cost, and %s. Name a model from "
        "`headway prices` with model=…, or limit max_tokens instead.",
        what,
    )
