"""Turns the parts of an OpenCode session into events."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from headway.core import events
from headway.core.events import Event
from headway.readers.opencode.parts import Info, MessagePart, State, Time, Tokens
from headway.sources import Source, seconds

_PASSED_OVER = frozenset(("agent", "file", "patch", "reasoning", "retry", "snapshot", "step-start", "subtask"))
_REFUSED = re.compile(r"The user (?:rejected|has specified a rule)|.{0,80}rejected permission")


class Session:
    """What has to be remembered from one part to the next."""

    def __init__(self, name: str, known: dict[str, tuple[Any, Any]], source: Source) -> None:
        self.name = name
        self.source = source
        self.run, self.agent = _root(name, known), name
        if self.run == name:
            self.agent = ""
        self.folder = known.get(name, (None, None))[1]
        self.info = Info()
        self.id = ""
        self.model: str | None = "unknown"
        self.at: float | None = None
        self.said: list[str] = []
        self.results: list[Event] = []

    def message(self, info: Info, id: str) -> Iterator[Event]:
        """Another message begins."""
        yield from self.flush()
        self.info, self.id = info, id
        self.at = seconds(info.time.created) if info.time else None
        if self.model == "unknown" or (info.model and info.model != self.model):
            self.model = info.model
            folder = self.folder if isinstance(self.folder, str) else None
            yield events.RunStarted(
                run=self.run, agent=self.agent, at=self.at, model=info.model, root=folder, program="opencode"
            )
        if info.role == "assistant" and info.summary is True:
            yield events.ContextCompacted(run=self.run, agent=self.agent, at=self.at)

    def flush(self) -> Iterable[Event]:
        """Events that were held back until the end of a message: one turn of the user, and the results of its calls."""
        found, self.results = self.results, []
        if self.said:
            text = "\n".join(self.said)
            found.append(events.UserSpoke(run=self.run, agent=self.agent, at=self.at, text=text))
            self.said = []
        return found

    def part(self, part: MessagePart) -> Iterator[Event]:
        """The events of one part."""
        at = seconds(part.time.start) if part.time else None
        if part.type == "text":
            if part.synthetic or part.ignored or self.info.summary is True:
                return
            if self.info.role == "user":
                self.said.append(part.text)
            elif part.text:
                yield events.AgentSpoke(run=self.run, agent=self.agent, at=at or self.at, text=part.text)
        elif part.type == "tool" and part.state is not None:
            yield from self._tool(part, part.state)
        elif part.type == "step-finish":
            yield from self._used(part)
        elif part.type not in _PASSED_OVER and part.type != "compaction":
            self.source.skip(f"unknown part {part.type!r}")

    def _tool(self, part: MessagePart, state: State) -> Iterator[Event]:
        time = state.time or Time()
        args = state.input if isinstance(state.input, dict) else {"input": state.input}
        yield events.ToolCalled(
            run=self.run,
            agent=self.agent,
            at=seconds(time.start) or self.at,
            call=part.call,
            tool=part.tool,
            args=args,
            batch=self.id or None,
        )
        if state.status not in ("completed", "error"):
            return
        has_failed = state.status == "error"
        exit_code = state.metadata.exit if state.metadata else None
        output = (state.error if has_failed else state.output) or ""
        self.results.append(
            events.ToolReturned(
                run=self.run,
                agent=self.agent,
                at=seconds(time.end),
                call=part.call,
                output=output,
                failed=True if has_failed else None if exit_code else False,
                exit_code=exit_code,
                denied=has_failed and _REFUSED.match(output) is not None,
            )
        )

    def _used(self, part: MessagePart) -> Iterator[Event]:
        tokens = part.tokens or Tokens()
        yield from self.flush()
        yield events.Used(
            run=self.run,
            agent=self.agent,
            at=self.at,
            tokens_in=tokens.input + tokens.cache.read + tokens.cache.write,
            tokens_out=tokens.output + tokens.reasoning,
            cost_usd=part.cost or 0.0,
            tokens_cached=tokens.cache.read,
            tokens_written=tokens.cache.write,
        )


def _root(name: str, known: dict[str, tuple[Any, Any]]) -> str:
    """The session at the top, of which a sub-agent's session is a part."""
    seen = {name}
    while (parent := known.get(name, (None, None))[0]) and isinstance(parent, str) and parent not in seen:
        seen.add(parent)
        name = parent
    return name
