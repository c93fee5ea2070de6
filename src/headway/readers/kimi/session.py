"""Turns the records of one Kimi session into events."""

import re
from collections.abc import Iterator

from headway.core import events
from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.message import arguments_of, output_of
from headway.shapes.tokens import beside_cache
from headway.shapes.values import Record, fields, text
from headway.sources import seconds

_EXIT = re.compile(r"Command failed with exit code: (\d{1,9})\.")
_REFUSED = "The tool call is rejected"
_CLI = ("input_other", "output", "input_cache_read", "input_cache_creation")
_CODE = ("inputOther", "output", "inputCacheRead", "inputCacheCreation")
"""Tokens of an answer as Kimi CLI and Kimi Code name them."""


class Session:
    """What has to be remembered from one record to the next."""

    def __init__(self, run: str, agent: str) -> None:
        self.talk = Conversation(run, agent)
        self.inner: dict[str, Session] = {}
        """Kimi CLI's sub-agents, by the call that started them."""
        self.batch = ""
        self.root: object = None

    def wired(self, kind: str, payload: Record, when: object) -> Iterator[Event]:
        """The events of a message of Kimi CLI."""
        talk, at = self.talk, seconds(when)
        if kind in ("TurnBegin", "SteerInput"):
            yield events.UserSpoke(run=talk.run, agent=talk.agent, at=at, text=output_of(payload.get("user_input")))
        elif kind == "StepBegin":
            self.batch = talk.turn()
        elif kind == "ContentPart":
            yield from self._said(payload, at)
        elif kind == "ToolCall":
            call = fields(payload.get("function"))
            yield from self._asked(payload.get("id"), call.get("name"), call.get("arguments"), at)
        elif kind == "ToolResult":
            answer = fields(payload.get("return_value"))
            told = text(answer.get("message"))
            yield self._answered(
                payload.get("tool_call_id"), output_of(answer.get("output")) or told, told, answer.get("is_error"), at
            )
        elif kind == "StatusUpdate":
            usage = fields(payload.get("token_usage"))
            yield from self._used(usage, _CLI, at)
        elif kind == "CompactionEnd":
            yield events.ContextCompacted(run=talk.run, agent=talk.agent, at=at)
        elif kind == "SubagentEvent":
            inner, event = (
                text(payload.get("agent_id") or payload.get("parent_tool_call_id")),
                fields(payload.get("event")),
            )
            session = self.inner.setdefault(inner, Session(talk.run, inner or "sub-agent"))
            if session is not self and event.get("type") != kind:
                yield from session.wired(text(event.get("type")), fields(event.get("payload")), when)

    def logged(self, record: Record) -> Iterator[Event]:
        """The events of a record of Kimi Code."""
        talk, kind, at = self.talk, record["type"], seconds(record.get("time"))
        event = fields(record.get("event"))
        step = text(event.get("type")) if kind == "context.append_loop_event" else ""
        if kind == "turn.prompt":
            yield events.UserSpoke(run=talk.run, agent=talk.agent, at=at, text=output_of(record.get("input")))
        elif kind == "profile.bind":
            self.root = fields(record.get("environmentDisclosure")).get("cwd")
        elif kind == "llm.request":
            yield from talk.answered_by(record.get("model"), "kimi", self.root, at)
        elif kind == "usage.record":
            usage = fields(record.get("usage"))
            yield from self._used(usage, _CODE, at)
        elif kind == "context.apply_compaction":
            yield events.ContextCompacted(run=talk.run, agent=talk.agent, at=at)
        elif step == "step.begin":
            self.batch = talk.turn()
        elif step == "content.part":
            yield from self._said(fields(event.get("part")), at)
        elif step == "tool.call":
            yield from self._asked(event.get("toolCallId"), event.get("name"), event.get("args"), at)
        elif step == "tool.result":
            answer = fields(event.get("result"))
            output = output_of(answer.get("output"))
            yield self._answered(event.get("toolCallId"), output, output, answer.get("isError", False), at)

    def _said(self, part: Record, at: float | None) -> Iterator[Event]:
        if part.get("type") == "text" and text(part.get("text")):
            yield events.AgentSpoke(run=self.talk.run, agent=self.talk.agent, at=at, text=part["text"])

    def _asked(self, call: object, tool: object, args: object, at: float | None) -> Iterator[Event]:
        yield self.talk.asked(text(call), text(tool), arguments_of(args), self.batch or None, at)

    def _answered(self, call: object, output: str, told: str, failed: object, at: float | None) -> Event:
        code = _EXIT.search(told) if failed is True else None
        known = failed if isinstance(failed, bool) else None
        return events.ToolReturned(
            run=self.talk.run,
            agent=self.talk.agent,
            at=at,
            call=text(call),
            output=output,
            failed=known,
            exit_code=int(code[1]) if code else None,
            denied=known is True and told.startswith(_REFUSED),
        )

    def _used(self, usage: Record, names: tuple[str, str, str, str], at: float | None) -> Iterator[Event]:
        yield from self.talk.used(beside_cache(*map(usage.get, names)), None, at)
