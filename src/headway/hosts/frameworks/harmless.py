"""Faults of Headway must never reach the framework."""

import logging
from collections.abc import Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, ParamSpec, TypeVar, cast

log = logging.getLogger("headway")

P = ParamSpec("P")
R = TypeVar("R")


def harmless(hook: Callable[P, R]) -> Callable[P, R]:
    """If a hook fails, log it and return None, which every framework reads as "nothing to say"."""
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
