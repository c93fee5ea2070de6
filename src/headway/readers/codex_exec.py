"""What `codex exec --json` prints: items that start and complete, and the tokens of each turn, without times."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from headway.core import events
from headway.core.events import Event
from headway.sources import Head, Source
from headway.tools.envelope import plain_text

_TYPES = frozenset((
    "thread.started", "turn.started", "turn.completed", "turn.failed", "item.started", "item.updated", "item.completed",
))  # fmt: skip
_PASSED_OVER = frozenset(("reasoning", "error"))
_TOOLS = {"command_execution": "shell", "file_change": "apply_patch", "todo_list": "update_plan"}


class _Item(Struct, gc=False):
    id: str = ""
    type: str = ""
    text: str = ""
    status: str | None = None
    command: str | None = None
    aggregated_output: str | None = None
    exit_code: int | None = None
    changes: Any = None
    items: Any = None
    query: str | None = None
    server: str | None = None
    tool: str | None = None
    arguments: Any = None
    result: Any = None
    error: Any = None


class _Usage(Struct, gc=False):
    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0


class _Line(Struct, gc=False):
    type: str = ""
    thread_id: str = ""
    item: _Item | None = None
    usage: _Usage | None = None


class CodexExec:
    """One thread of Codex without its screen."""

    name = "codex-exec"
    title = "output of codex exec --json"

    def recognises(self, head: Head) -> bool:
        """By the names of its events, which have a dot."""
        return str(head.first.get("type")) in _TYPES and not {"data", "payload"} & head.first.keys()

    def read(self, source: Source) -> Iterator[Event]:
        """The events of one thread."""
        run = ""
        begun: set[str] = set()
        for line in source.records(_Line):
            item = line.item
            if line.type == "thread.started":
                run = line.thread_id
                yield events.RunStarted(run=run, program="codex")
            elif line.type == "turn.completed" and line.usage is not None:
                used = line.usage
                yield events.Used(
                    run=run,
                    tokens_in=used.input_tokens,
                    tokens_out=used.output_tokens,
                    tokens_cached=used.cached_input_tokens,
                )
            elif line.type not in _TYPES:
                source.skip(f"unknown type {line.type!r}")
            elif item is None or item.type in _PASSED_OVER:
                continue
            elif item.type == "agent_message":
                if line.type == "item.completed":
                    yield events.AgentSpoke(run=run, text=item.text)
            else:
                if item.id not in begun:
                    begun.add(item.id)
                    yield _call(item, run)
                if line.type == "item.completed":
                    begun.discard(item.id)
                    yield _result(item, run)


def _call(item: _Item, run: str) -> Event:
    tool = f"mcp__{item.server}__{item.tool}" if item.type == "mcp_tool_call" else _TOOLS.get(item.type, item.type)
    given = {"command": item.command, "changes": item.changes, "plan": item.items, "query": item.query}
    args = item.arguments if isinstance(item.arguments, dict) else {k: v for k, v in given.items() if v is not None}
    return events.ToolCalled(run=run, call=item.id, tool=tool, args=args)


def _result(item: _Item, run: str) -> Event:
    output = item.aggregated_output if item.aggregated_output is not None else plain_text(item.error or item.result)
    failed = True if item.status == "failed" and item.exit_code is None else None
    denied = item.status == "declined"
    return events.ToolReturned(
        run=run, call=item.id, output=output, exit_code=item.exit_code, failed=failed, denied=denied
    )
