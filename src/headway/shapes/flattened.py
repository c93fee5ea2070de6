"""Lists that were flattened into attributes, one attribute a field: `prefix.0.name`, `prefix.1.name`, …"""

from typing import Any

import msgspec

from headway.shapes.values import Record, items

_DEEPEST = 20


class Flat(msgspec.Struct, gc=False):
    """One item of such a list, with its flat fields. Two items can be compared without rebuilding them."""

    fields: list[tuple[str, Any]]


def nested(attributes: Record, prefix: str) -> list[Any]:
    """The list as it was before it was flattened."""
    return [whole(item) for item in listed(attributes, prefix)]


def listed(attributes: Record, prefix: str) -> list[Any]:
    """The items of a list, still flat; `whole` rebuilds one."""
    if isinstance(attributes.get(prefix), list):
        return items(attributes[prefix])
    found: dict[str, Any] = {}
    start, length = prefix + ".", len(prefix) + 1
    for key, value in attributes.items():
        if key.startswith(start):
            number, dot, name = key[length:].partition(".")
            if not dot:
                found[number] = value
                continue
            item = found.get(number)
            if item is None:
                item = found[number] = Flat([])
            if isinstance(item, Flat):
                item.fields.append((name, value))
    return items(_with_lists(found))


def whole(item: Any) -> Any:
    """The item as it was before it was flattened."""
    if not isinstance(item, Flat):
        return item
    tree: Record = {}
    for name, value in item.fields:
        *way, last = name.split(".")[:_DEEPEST]
        place = tree
        for step in way:
            place = place.setdefault(step, {})
            if not isinstance(place, dict):
                break
        else:
            place[last] = value
    return _with_lists(tree)


def _with_lists(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if value and all(key.isdecimal() and len(key) < 9 for key in value):
        return [_with_lists(value[key]) for key in sorted(value, key=int)]
    return {key: _with_lists(item) for key, item in value.items()}
