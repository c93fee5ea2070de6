"""Gemini CLI sessions: `~/.gemini/tmp/<project>/chats/session-<date>-<id>.jsonl`, or `.json` in older versions.

A message is written again whenever its tool calls or tokens change: the last version counts. `$rewindTo` withdraws a
message and all that follow. `$set.messages` is the input of the model from then on, not what was said.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct, field

from headway.core import events
from headway.core.events import Event
from headway.rolling.forgiving import FAULTS, from_json
from headway.rolling.text import Between
from headway.sources import Head, Source, readable, seconds
from headway.tools.envelope import plain_text
from headway.tools.senders import sender_of

_TYPES = frozenset(("user", "gemini", "info", "error", "warning"))
_HOOK = Between("<hook_context>", "</hook_context>")
_EXIT = re.compile(r"^Exit Code: (-?\d{1,9})\b", re.MULTILINE)
_REFUSED = re.compile(r"Tool execution (?:blocked|denied)|\[Operation Cancelled\]|User denied")


class _Tokens(Struct, gc=False):
    input: int = 0
    output: int = 0
    cached: int = 0
    thoughts: int = 0
    tool: int = 0


class _Call(Struct, gc=False):
    id: str = ""
    name: str = ""
    args: Any = None
    result: Any = None
    status: str | None = None
    timestamp: str | None = None


class _Message(Struct, rename="camel", gc=False):
    id: str = ""
    type: str = ""
    timestamp: str | None = None
    content: Any = None
    display_content: Any = None
    model: str | None = None
    tokens: _Tokens | None = None
    tool_calls: list[_Call] | None = None


class _Update(Struct, gc=False):
    messages: msgspec.Raw = msgspec.Raw()


class _Position(Struct, gc=False):
    """What decides which messages count."""

    id: str = ""
    rewind_to: str | None = field(default=None, name="$rewindTo")


class _Line(_Message, rename="camel", gc=False):
    """A message, the header, or a change of one of them."""

    session_id: str | None = None
    kind: str | None = None
    messages: list[_Message] | None = None
    update: _Update | None = field(default=None, name="$set")
    rewind_to: str | None = field(default=None, name="$rewindTo")


class GeminiCli:
    """Sessions of Gemini CLI."""

    name = "gemini-cli"
    title = "Gemini CLI sessions"

    def recognises(self, head: Head) -> bool:
        """By its header, which names the session and the project."""
        return {"sessionId", "projectHash"} <= head.first.keys()

    def read(self, source: Source) -> Iterator[Event]:
        """The events of one session, or of one sub-agent."""
        session = _Session(source)
        if source.head().spans_lines:
            document = source.document(_Line)
            yield from session.events_of(document) if document else ()
            return
        positions, lines = source.twice(_Line, _Position)
        left = _versions(positions)
        for line in lines:
            if line.id and line.rewind_to is None:
                left[line.id] = left.get(line.id, 1) - 1
                if left[line.id]:
                    continue  # withdrawn, or written again further down
            if not left and line.update is not None:
                session.given = bytes(line.update.messages) or session.given
            yield from session.events_of(line)
        yield from session.only_given()


def _versions(positions: Iterable[_Position]) -> dict[str, int]:
    """How often each message is written before it counts; 0 for withdrawn ones."""
    left: dict[str, int] = {}
    for line in positions:
        if line.rewind_to is None and line.id:
            left[line.id] = left.get(line.id, 0) + 1
        elif line.rewind_to in left:
            ids = list(left)
            left.update(dict.fromkeys(ids[ids.index(str(line.rewind_to)) :], 0))
    return left


class _Session:
    """What has to be remembered from one line to the next."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.run = self.agent = ""
        self.model: str | None = None
        self.returned: set[str] = set()
        self.given = b"[]"
        """The latest input of the model, in a session that records nothing else."""

    def only_given(self) -> Iterator[Event]:
        """The events of a session whose messages are only in changes of its header."""
        try:
            messages = from_json(self.given, list[_Message])
        except FAULTS as error:
            self.source.skip(str(error))
            return
        for message in messages:
            yield from self.events_of(message)

    def events_of(self, line: _Line | _Message) -> Iterator[Event]:
        """The events of one line."""
        if isinstance(line, _Line) and line.session_id is not None:
            yield self._start(line)
            for message in line.messages or ():
                yield from self.events_of(message)
        elif isinstance(line, _Line) and line.update is not None:
            if b"<state_snapshot>" in bytes(line.update.messages):
                yield events.ContextCompacted(run=self.run, agent=self.agent)
        elif line.type == "gemini":
            yield from self._from_agent(line, seconds(line.timestamp))
        elif line.type == "user":
            yield from self._from_user(line, seconds(line.timestamp))
        elif line.type not in _TYPES and not (isinstance(line, _Line) and line.rewind_to):
            self.source.skip(f"unknown type {line.type!r}")

    def _start(self, line: _Line) -> Event:
        self.run, self.agent, self.model = line.session_id or "", "", None
        if line.kind == "subagent" and self.source.path:  # its folder is named after the session that sent it
            self.run, self.agent = readable(self.source.path.parent.name), self.run
        return events.RunStarted(run=self.run, agent=self.agent, program="gemini-cli")

    def _from_agent(self, message: _Message, at: float | None) -> Iterator[Event]:
        run, agent = self.run, self.agent
        if message.model and message.model != self.model:
            self.model = message.model
            yield events.RunStarted(run=run, agent=agent, at=at, model=message.model, program="gemini-cli")
        text, calls = _parts(message.content)
        if text:
            yield events.AgentSpoke(run=run, agent=agent, at=at, text=text)
        for call in message.tool_calls or calls:
            args = call.args if isinstance(call.args, dict) else {"input": call.args}
            yield events.ToolCalled(
                run=run, agent=agent, at=at, call=call.id, tool=call.name, args=args, batch=message.id or None
            )
        if message.tokens is not None:
            used = message.tokens
            tokens_in, tokens_out = used.input + used.tool, used.output + used.thoughts
            yield events.Used(
                run=run, agent=agent, at=at, tokens_in=tokens_in, tokens_out=tokens_out, tokens_cached=used.cached
            )
        for call in message.tool_calls or ():
            if call.result or call.status in ("error", "cancelled"):
                yield from self._result(call.id, call.result, call.status, seconds(call.timestamp) or at)

    def _from_user(self, message: _Message, at: float | None) -> Iterator[Event]:
        parts = message.content if isinstance(message.content, list) else [message.content]
        answers = [part for part in parts if isinstance(part, dict) and isinstance(part.get("functionResponse"), dict)]
        for answer in answers:
            yield from self._result(str(answer["functionResponse"].get("id") or ""), [answer], None, at)
        if answers and len(answers) == len(parts):
            return
        shown = message.display_content or message.content
        texts = [plain_text(part) for part in (shown if isinstance(shown, list) else [shown])]
        for advice in _HOOK.inside("\n".join(plain_text(part) for part in parts)):
            yield events.Advised(run=self.run, agent=self.agent, at=at, text=advice)
        said = [_HOOK.outside(text) for text in texts if sender_of("gemini-cli", text) is not None]
        if any(said):
            yield events.UserSpoke(run=self.run, agent=self.agent, at=at, text="\n".join(filter(None, said)))

    def _result(self, call: str, result: Any, status: str | None, at: float | None) -> Iterator[Event]:
        """A result, reported once: it is recorded beside its call, and again in the input of the model."""
        if call in self.returned:
            self.returned.discard(call)
            return
        self.returned.add(call)
        output, has_error = _response(result)
        exit_code = _EXIT.search(output) if "Exit Code: " in output else None
        failed = has_error or status in ("error", "cancelled")
        yield events.ToolReturned(
            run=self.run,
            agent=self.agent,
            at=at,
            call=call,
            output=output,
            failed=True if failed else None if exit_code or status is None else False,
            exit_code=int(exit_code[1]) if exit_code else None,
            denied=status == "cancelled" or (failed and _REFUSED.match(output) is not None),
        )
        for advice in _HOOK.inside(output) if output.endswith("</hook_context>") else ():
            yield events.Advised(run=self.run, agent=self.agent, at=at, text=advice)


def _parts(content: Any) -> tuple[str, list[_Call]]:
    """The agent's text, and the calls in it, if calls have no field of their own."""
    if not isinstance(content, list):
        return plain_text(content), []
    parts = [part for part in content if isinstance(part, dict) and not part.get("thought")]
    calls = [part["functionCall"] for part in parts if isinstance(part.get("functionCall"), dict)]
    found = [_Call(str(c.get("id") or ""), str(c.get("name") or ""), c.get("args")) for c in calls]
    return "\n".join(filter(None, (plain_text(part.get("text")) for part in parts))), found


def _response(result: Any) -> tuple[str, bool]:
    """The text of a result, and whether it is an error."""
    texts, has_error = [], False
    for part in result if isinstance(result, list) else [result]:
        answer = part.get("functionResponse") if isinstance(part, dict) else None
        response = answer.get("response") if isinstance(answer, dict) else None
        if isinstance(response, dict):
            has_error = has_error or ("error" in response and "output" not in response)
            texts.append(plain_text(response.get("output", response.get("error", response))))
        else:
            texts.append(plain_text(part))
    return "\n".join(filter(None, texts)), has_error
