"""Adds Headway's MCP server to the settings of an agent, as an entry called `headway`."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from headway.setup.command import program, quoted
from headway.setup.form import UnfitError, is_program
from headway.setup.json_edit import Style, appended, closed_as, without
from headway.setup.json_hooks import read_object
from headway.setup.jsonc import tokens
from headway.setup.toml_block import TomlBlock, read_toml

NAME = "headway"
_TAKEN = "there is another MCP server called `headway` already. Headway leaves it alone; rename it to have both"
_JSON_SERVERS, _TOML_SERVERS = "mcpServers", "mcp_servers"


def server_entry(agent: str, *, shared: bool) -> dict[str, Any]:
    """The entry that starts the server. Shared settings contain no path."""
    return {"command": "headway" if shared else str(program()), "args": ["mcp", "--agent", agent]}


class JsonServer:
    """`{"mcpServers": {"headway": {…}}}`, next to any other settings."""

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self.entry = dict(entry)

    def installed(self, text: str) -> str:
        """The text with our entry after all other servers; unchanged if it already has it."""
        base = text if text.strip() else "{}\n"
        there = _entry(base, _JSON_SERVERS)
        if there == self.entry:
            return text
        if there is not None and not _is_ours(there):
            raise UnfitError(_TAKEN)
        base = _without_ours(base)
        style = Style.of(base)
        if _JSON_SERVERS not in read_object(base).data:
            base = appended(base, read_object(base), {}, style, _JSON_SERVERS)
        servers = read_object(base).member(_JSON_SERVERS)
        assert servers is not None  # noqa: S101
        return appended(base, servers, self.entry, style, NAME)

    def removed(self, text: str, original: str | None) -> str | None:
        """The text without our entry, and without the containers that were created only for it."""
        rest = _without_ours(text)
        had = _JSON_SERVERS in read_object(original).data if original and original.strip() else False
        root = read_object(rest)
        if not had and root.data.get(_JSON_SERVERS) == {}:
            rest = without(rest, root, root.place(_JSON_SERVERS))
        if original is None:
            return rest if read_object(rest).data else None
        if not original.strip():
            return rest if read_object(rest).data else original
        if tokens(original) == tokens(rest):
            return original
        return closed_as(rest, read_object(rest), original, read_object(original))

    def commands(self, text: str) -> list[str]:
        """Our command line, if the entry is ours."""
        return _lines_of(_entry(text, _JSON_SERVERS)) if text.strip() else []

    def events(self, text: str) -> set[str]:
        """A server has no events."""
        return set()

    mentions = commands


class TomlServer(TomlBlock):
    """`[mcp_servers.headway]` in its own block."""

    begin = "# headway mcp begins: written by `headway install`, removed by `headway uninstall`"
    end = "# headway mcp ends"
    what = "MCP servers"
    own_tables = rf"{_TOML_SERVERS}\.{NAME}[.\]]"

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self.entry = dict(entry)

    def installed(self, text: str) -> str:
        """The text with our block at its end, unless another server has the name."""
        there = _toml_entry(read_toml(text))
        if there is not None and not _is_ours(there):
            raise UnfitError(_TAKEN)
        return super().installed(text)

    def lines(self) -> Iterator[str]:
        """One table."""
        yield f"[{_TOML_SERVERS}.{NAME}]"
        # a JSON string or list of strings is also valid TOML
        yield from (f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in self.entry.items())

    def ours(self, data: Mapping[str, Any]) -> list[str]:
        """Our command line, if the entry is ours."""
        return _lines_of(_toml_entry(data))

    def has_others(self, block: Mapping[str, Any]) -> bool:
        """Whether the entry in the block is not ours."""
        return not self.ours(block)

    def commands(self, text: str) -> list[str]:
        """Our command line, if the entry is ours. A file without it may be invalid."""
        return self.ours(read_toml(text)) if NAME in text else []

    def events(self, text: str) -> set[str]:
        """A server has no events."""
        return set()

    mentions = commands


def _entry(text: str, servers: str) -> Any:
    """The entry called `headway`; None if there is none."""
    found = read_object(text).data.get(servers, {})
    if not isinstance(found, dict):
        raise UnfitError(f'expected "{servers}" to be an object, {{…}}')
    return found.get(NAME)


def _toml_entry(data: Mapping[str, Any]) -> Any:
    servers = data.get(_TOML_SERVERS)
    return servers.get(NAME) if isinstance(servers, dict) else None


def _without_ours(text: str) -> str:
    servers = read_object(text).member(_JSON_SERVERS)
    if servers is None or not _is_ours(_entry(text, _JSON_SERVERS)):
        return text
    return without(text, servers, servers.place(NAME))


def _is_ours(entry: Any) -> bool:
    """Whether the entry starts Headway's server, wherever Headway is installed."""
    command, args = (entry.get("command"), entry.get("args")) if isinstance(entry, dict) else (None, None)
    return isinstance(command, str) and isinstance(args, list) and args[:1] == ["mcp"] and is_program(quoted(command))


def _lines_of(entry: Any) -> list[str]:
    return [" ".join(map(quoted, [entry["command"], *map(str, entry["args"])]))] if _is_ours(entry) else []
