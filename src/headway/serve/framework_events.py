"""Checks an event of a framework, so that its program is told about a mistake in one line."""

import json
from collections.abc import Collection, Mapping
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from headway.config.find import IN_CODE, check_layer
from headway.config.settings import SettingsError
from headway.serve.guards import RefusedError

_ABOUT_A_CALL = ("called", "returned")


def check_event(event: Mapping[str, Any], names: Collection[str]) -> None:
    """Refuse an event with an unknown name, no session, a folder that is not a path, or an incomplete call."""
    name, session, folder = event.get("event"), event.get("session"), event.get("cwd")
    if not isinstance(name, str) or name not in names:
        raise _wrong(f"event: expected one of {', '.join(names)}")
    if not isinstance(session, str) or not session:
        raise _wrong("session: expected a text that is not empty")
    if not isinstance(folder, str | None) or "\0" in (folder or ""):
        raise _wrong("cwd: expected a path")
    if name in _ABOUT_A_CALL:
        _check_call(event)


def _check_call(event: Mapping[str, Any]) -> None:
    """Refuse a call or a result without its tool or arguments: different calls would look like a repeated one."""
    for name in ("call", "tool"):
        if not isinstance(event.get(name), str) or not event[name]:
            raise _wrong(f"{name}: expected a text that is not empty; `returned` repeats what `called` has")
    if not isinstance(event.get("args"), dict):
        raise _wrong("args: expected an object, {} for a call without arguments; `returned` repeats what `called` has")


def check_settings(given: Any) -> None:
    """Refuse a mistake in the settings that a program passes in its code."""
    if not isinstance(given, dict | None):
        raise _wrong("settings: expected an object")
    if given:
        try:
            _check(json.dumps(given))
        except SettingsError as error:
            raise _wrong(str(error)) from None
        except RecursionError:
            raise _wrong("settings: nested too deeply") from None


@lru_cache(64)
def _check(given: str) -> None:
    check_layer(IN_CODE, json.loads(given))


def _wrong(why: str) -> RefusedError:
    return RefusedError(HTTPStatus.BAD_REQUEST, why)
