"""Turn what people edit into what a hook loads at every judged event, in a fraction of a millisecond: `make data`.

The TOML files become JSON files beside them, and so does what the classes of the detectors say. Tests keep each
of them equal to its origin.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from headway.core.watch import LooksAt
from headway.detectors import built_in
from headway.tools.kinds import as_table, canonical

PACKAGE = Path(__file__).parent.parent / "src" / "headway"
LISTS = ("path", "query", "command", "shell", "cwd", "patch", "first", "last", "range", "offset", "limit")
"""Keys of a tool that name arguments."""


def main() -> None:
    write("tools/vocabulary", vocabulary(told("tools/vocabulary")))
    write("tools/shell/programs", told("tools/shell/programs"))
    write("config/profiles", told("config/profiles"))
    write("config/prices", told("config/prices"))
    write("detectors/looks_at", detectors())
    write("rolling/secrets", told("rolling/secrets"))


def told(name: str) -> dict[str, Any]:
    """What a TOML file says."""
    return tomllib.loads((PACKAGE / f"{name}.toml").read_text("utf-8"))


def vocabulary(data: Mapping[str, Any]) -> dict[str, Any]:
    """The vocabulary with the tools of all agents in one table: one line for all spellings of a name."""
    tools: dict[str, tuple[str, dict[str, Any]]] = {}
    for agents_tools in data["tools"].values():
        for name, line in agents_tools.items():
            first, known = tools.get(canonical(name), (name, {}))
            tools[canonical(name)] = first, merged(known, as_table(name, line))
    return {**data, "tools": tools}


def merged(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """One line out of two for tools of the same name: all argument names, the other's word for the rest."""
    both = {**one, **other}
    for key in LISTS:
        if key in one and key in other:
            both[key] = list(dict.fromkeys((*listed(one[key]), *listed(other[key]))))
    return both


def listed(value: Any) -> list[Any]:
    """A value that may be a list already."""
    return value if isinstance(value, list) else [value]


def detectors() -> dict[str, dict[str, Any]]:
    """What each detector's class says of what it looks at, as plain data."""
    said = {id: msgspec.structs.asdict(LooksAt.of(kind)) for id, kind in built_in().items()}
    return {id: {name: value for name, value in fields.items() if value} for id, fields in said.items()}


def write(name: str, data: dict[str, Any]) -> None:
    """One line for each entry, so that a change of one is a change of one line."""
    parts = (f"{as_json(key)}: {entries(value)}" for key, value in data.items())
    (PACKAGE / f"{name}.json").write_text("{\n" + ",\n".join(parts) + "\n}\n", "utf-8")


def entries(value: Any) -> str:
    """A table or a list as JSON, each of its entries on a line of its own."""
    if isinstance(value, list):
        return "[" + ",".join(f"\n  {as_json(item)}" for item in value) + "]"
    if not isinstance(value, dict):
        return as_json(value)
    return "{" + ",".join(f"\n  {as_json(key)}: {as_json(item)}" for key, item in value.items()) + "}"


def as_json(value: Any) -> str:
    """Plain data as JSON on one line."""
    return msgspec.json.encode(value).decode()


if __name__ == "__main__":
    main()
