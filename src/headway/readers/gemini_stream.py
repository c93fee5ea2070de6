"""What `gemini --output-format stream-json` prints: messages in pieces, calls, results, and at the end the tokens."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from headway.core import events
from headway.core.events import Event
from headway.rolling.text import Between
from headway.sources import Head, Source, seconds
from headway.tools.envelope import plain_text

_TYPES = frozenset(("init", "message", "tool_use", "tool_result", "error", "result"))
_HOOK = Between("<hook_context>", "</hook_context>")
_SHELL = "run_shell_command"


class _Stats(Struct, gc=False):
    input_tokens: int = 0
    output_tokens: int = 0
    cached: int = 0


class _Error(Struct, gc=False):
    type: str | None = None


class _Line(Struct, gc=False):
    type: str = ""
    timestamp: str | None = None
    session_id: str = ""
    model: str | None = None
    role: str | None = None
    content: Any = None
    tool_name: str = ""
    tool_id: str = ""
    parameters: Any = None
    status: str | None = None
    output: Any = None
    error: _Error | None = None
    stats: _Stats | None = None


class GeminiStream:
    """One run of Gemini CLI without its screen."""

    name = "gemini-stream"
    title = "output of gemini --output-format stream-json"

    def recognises(self, head: Head) -> bool:
        """By the line that begins it; a program may have printed something before."""
        return any(
            record.get("type") == "init" and {"session_id", "model", "timestamp"} <= record.keys()
            for record in head.records
        )

    def read(self, source: Source) -> Iterator[Event]:
        """The events of one run."""
        run = _Run()
        for line in source.records(_Line):
            if line.type in _TYPES:
                yield from run.events_of(line, seconds(line.timestamp))
            else:
                source.skip(f"unknown type {line.type!r}")
        yield from run.said()


class _Run:
    """What has to be remembered from one line to the next."""

    def __init__(self) -> None:
        self.name = ""
        self.pieces: list[str] = []
        self.at: float | None = None
        self.batch = 0
        self.shells: set[str] = set()

    def said(self) -> list[Event]:
        """What the agent said so far, in one piece."""
        text, self.pieces = "".join(self.pieces), []
        return [events.AgentSpoke(run=self.name, at=self.at, text=text)] if text else []

    def events_of(self, line: _Line, at: float | None) -> Iterator[Event]:
        """The events of one line."""
        if line.type == "message" and line.role == "assistant":
            self.at = at
            self.pieces.append(plain_text(line.content))
            return
        yield from self.said()
        if line.type == "init":
            self.name = line.session_id
            yield events.RunStarted(run=self.name, at=at, model=line.model, program="gemini-cli")
        elif line.type == "message":
            yield from self._from_user(plain_text(line.content), at)
        elif line.type == "tool_use":
            args = line.parameters if isinstance(line.parameters, dict) else {"input": line.parameters}
            if line.tool_name == _SHELL:
                self.shells.add(line.tool_id)
            yield events.ToolCalled(
                run=self.name, at=at, call=line.tool_id, tool=line.tool_name, args=args, batch=str(self.batch)
            )
        elif line.type == "tool_result":
            self.batch += 1  # calls belong together until a result comes
            yield self._result(line, at)
        elif line.type == "result":
            used = line.stats or _Stats()
            yield events.Used(
                run=self.name,
                at=at,
                tokens_in=used.input_tokens,
                tokens_out=used.output_tokens,
                tokens_cached=used.cached,
            )
            yield events.RunEnded(run=self.name, at=at, outcome=line.status)

    def _from_user(self, text: str, at: float | None) -> Iterator[Event]:
        for advice in _HOOK.inside(text):
            yield events.Advised(run=self.name, at=at, text=advice)
        yield events.UserSpoke(run=self.name, at=at, text=_HOOK.outside(text))

    def _result(self, line: _Line, at: float | None) -> Event:
        """The result. A command that failed counts as a success here, and there is no exit code."""
        failed = True if line.status == "error" else None if line.tool_id in self.shells else False
        self.shells.discard(line.tool_id)
        return events.ToolReturned(
            run=self.name,
            at=at,
            call=line.tool_id,
            output=plain_text(line.output),
            failed=failed,
            denied=line.error is not None and line.error.type == "policy_violation",
        )
