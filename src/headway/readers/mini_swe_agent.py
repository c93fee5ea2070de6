"""mini-swe-agent trajectories: `*.traj.json`.

What a message really was stands in its `extra`: the commands an assistant message asked for, the return code and raw
output of an observation, what interrupted the agent. Files of the first version have only the texts.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from headway.core import events
from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.message import read_message
from headway.shapes.values import Record, fields, items, text
from headway.sources import Head, Source, seconds

_COMMAND = re.compile(r"```(?:mswea_)?bash\w*\s*\n(.*?)\n```", re.DOTALL)
_CODE = re.compile(r"<returncode>(-?\d{1,9})</returncode>")
_OUTPUT = re.compile(r"<output>\n?(.*?)\n?</output>", re.DOTALL)


class _File(msgspec.Struct):
    messages: list[Any] = []
    info: Any = None


class MiniSweAgent:
    """Runs of mini-swe-agent."""

    name = "mini-swe-agent"
    title = "mini-swe-agent trajectories (.traj.json)"

    def recognises(self, head: Head) -> bool:
        """By the name of the format, or by what its first part tells about the run."""
        first = head.first
        return text(first.get("trajectory_format")).startswith("mini-swe-agent") or (
            "mini_version" in fields(first.get("info"))
        )

    def read(self, source: Source) -> Iterator[Event]:
        """One run."""
        file = source.document(_File)
        if file is None:
            return
        talk = Conversation()
        config = fields(fields(file.info).get("config"))
        folder = fields(config.get("environment")).get("cwd")
        yield talk.started(fields(config.get("model")).get("model_name"), self.name, folder)
        for message in file.messages:
            if isinstance(message, dict):
                yield from _events_of(talk, message)
            else:
                source.skip("a message that is no object")


def _events_of(talk: Conversation, raw: Record) -> Iterator[Event]:
    extra = fields(raw.get("extra"))
    at = seconds(extra.get("timestamp"))
    message = read_message(raw)
    said = "\n".join(message.texts)
    if raw.get("role") == "exit":
        yield events.RunEnded(outcome=text(extra.get("exit_status")) or None)
    elif message.role == "agent" or extra.get("actions"):
        yield from _from_agent(talk, said, extra, at)
    elif message.role == "user" and not talk.open:
        # what interrupts the agent without a person is a reminder of the host, such as a format error
        machine = extra.get("interrupt_type") == "FormatError"
        yield events.Advised(text=said, at=at) if machine else events.UserSpoke(text=said, at=at)
    elif message.role in ("user", "tool") or raw.get("type") == "function_call_output":
        call = text(raw.get("tool_call_id")) or text(raw.get("call_id"))
        yield _observation(talk, call, said or text(raw.get("content")) or text(raw.get("output")), extra, at)


def _from_agent(talk: Conversation, said: str, extra: Record, at: float | None) -> Iterator[Event]:
    if said:
        yield events.AgentSpoke(text=said, at=at)
    actions = items(extra.get("actions"))
    if "actions" not in extra:
        actions = [{"command": command} for command in _COMMAND.findall(said)[:1]]
    talk.open.clear()  # each turn brings all its observations before the next
    batch = talk.turn()
    for action in map(fields, actions):
        yield talk.asked(text(action.get("tool_call_id")), "bash", {"command": text(action.get("command"))}, batch, at)
    yield from talk.used(fields(extra.get("response")).get("usage"), extra.get("cost"), at)


def _observation(talk: Conversation, call: str, said: str, extra: Record, at: float | None) -> Event:
    code, output = extra.get("returncode"), extra.get("raw_output")
    if code is None and (match := _CODE.search(said)):
        code = int(match[1])
    if not isinstance(output, str):
        match = _OUTPUT.search(said)
        output = match[1] if match else said
    if error := text(extra.get("exception_info")):
        output = f"{output}\n{error}" if output else error
    exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
    return talk.answered(call, output=output, failed=True if error else None, exit_code=exit_code, at=at)
