"""A fault of ours must never reach the framework we live in."""

import logging
from collections.abc import Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, ParamSpec, TypeVar, cast

log = logging.getLogger("headway")

P = ParamSpec("P")
R = TypeVar("R")


def harmless(hook: Callable[P, R]) -> Callable[P, R]:
    """Answer None, and log it, where a hook of ours fails: to every framework that means "nothing to say"."""
    if iscoroutinefunction(hook):

        @wraps(hook)
        async def waiting(*args: P.args, **kwargs: P.kwargs) -> Any:
            try:
                return await hook(*args, **kwargs)
            except Exception:
                log.exception("%s failed; the agent goes on unwatched for this event", hook.__qualname__)
                return None

        return cast("Callable[P, R]", waiting)

    @wraps(hook)
    def safe(*args: P.args, **kwargs: P.kwargs) -> Any:
        try:
            return hook(*args, **kwargs)
        except Exception:
            log.exception("%s failed; the agent goes on unwatched for this event", hook.__qualname__)
            return None

    return safe
