"""Detector ids that have changed. Settings files and saved sessions with the old ids stay readable."""

from collections.abc import Iterable, Mapping
from typing import Any

RENAMED = {"chanting": "repeated_phrase"}
"""The current id of each detector that was renamed. Only add to this table."""

_LISTS_OF_IDS = ("only_recorded", "rollback_on", "escalate_on")


def current_id(id: str) -> str:
    """The id that a detector has now."""
    return RENAMED.get(id, id)


def has_old_ids(saved: bytes) -> bool:
    """Whether a saved session may contain an old id. Most do not, and need no second look."""
    return any(old.encode() in saved for old in RENAMED)


def with_current_ids(data: Any) -> Any:
    """A copy of plain data in which detectors have their current ids: as keys, in findings, and in policy lists."""
    if isinstance(data, Mapping):
        old_first = sorted(data.items(), key=lambda item: item[0] not in RENAMED)  # so that the current id wins
        return {_current_key(key): _current_value(key, value) for key, value in old_first}
    return [with_current_ids(item) for item in data] if isinstance(data, list | tuple) else data


def _current_key(key: Any) -> Any:
    """A detector's id, or the key of a finding in the ledger: the id, a colon and the identity."""
    if not isinstance(key, str):
        return key
    id, colon, identity = key.partition(":")
    return f"{current_id(id)}{colon}{identity}"


def _current_value(key: Any, value: Any) -> Any:
    if key == "tools":  # the user's own tools, which may have any name
        return value
    if key == "detector" and isinstance(value, str):
        return current_id(value)
    if key in _LISTS_OF_IDS and isinstance(value, Iterable) and not isinstance(value, str):
        return [current_id(item) if isinstance(item, str) else item for item in value]
    return with_current_ids(value)
