"""A run of mini-swe-agent, message by message.

If a message must have exactly one command, any other message is refused: the agent gets an error, and nothing is run.
"""

import re
from collections.abc import Iterator
from typing import Any

from headway.core import events
from headway.core.events import Event
from headway.rolling.text import Between
from headway.shapes.conversation import Conversation
from headway.shapes.message import read_message
from headway.shapes.values import Record, amount, fields, items, text
from headway.sources import seconds

_COMMAND = Between(r"```(?:mswea_)?bash\w*[^\S\n]*\n", "\n```")
_REFUSAL = re.compile(r"\s*Please always provide EXACTLY ONE action", re.IGNORECASE)
"""How the program's own configurations begin their answer to a message without exactly one command."""
_OBSERVED = ("<returncode>", "Observation:")
"""How they begin the result of a command."""
_CODE = re.compile(r"<returncode>(-?\d{1,9})</returncode>")
_OUTPUT = Between("<output>", "</output>")
_NOTHING = 1e-6
"""Dollars below which two sums are the same."""


class Run:
    """What has to be remembered from one message to the next."""

    def __init__(self) -> None:
        self.talk = Conversation()
        self.cost = 0.0
        """The cost in the messages so far."""
        self.has_ended = self.was_refused = False

    def events_of(self, raw: Record, is_refused: bool) -> Iterator[Event]:
        """The events of one message; of one that was refused, only what it says."""
        extra = fields(raw.get("extra"))
        at = seconds(extra.get("timestamp") or raw.get("timestamp"))
        message = read_message(raw)
        said = "\n".join(message.texts)
        if raw.get("role") == "exit":
            self.has_ended = True
            yield events.RunEnded(outcome=text(extra.get("exit_status")) or None)
        elif message.role == "agent" or extra.get("actions"):
            if message.calls and "actions" not in extra:
                extra = {**extra, "actions": [{**call.args, "tool_call_id": call.id} for call in message.calls]}
            yield from self._from_agent(said, extra, is_refused, at)
            if "response" not in extra and "cost" not in extra:
                yield from self._used(raw.get("usage"), None, at)
        elif message.role == "user" and not self.talk.open:
            # what interrupts the agent without a person is a reminder of the host
            is_ours = self.was_refused or is_refusal(raw)
            yield events.Advised(text=said, at=at) if is_ours else events.UserSpoke(text=said, at=at)
            self.was_refused = False
        elif message.role in ("user", "tool") or raw.get("type") == "function_call_output":
            call = text(raw.get("tool_call_id")) or text(raw.get("call_id"))
            yield _observation(self.talk, call, said or text(raw.get("content")) or text(raw.get("output")), extra, at)

    def end(self, info: Record) -> Iterator[Event]:
        """What only the summary has: the part of the cost that is not in the messages, and how the run ended."""
        untold = amount(fields(info.get("model_stats")).get("instance_cost")) - self.cost
        yield from self._used(None, untold if untold > _NOTHING else 0)
        if not self.has_ended and (outcome := text(info.get("exit_status"))):
            yield events.RunEnded(outcome=outcome)

    def _from_agent(self, said: str, extra: Record, is_refused: bool, at: float | None) -> Iterator[Event]:
        if said:
            yield events.AgentSpoke(text=said, at=at)
        actions = items(extra.get("actions"))
        if "actions" not in extra:
            found = _COMMAND.inside(said)
            self.was_refused = is_refused or len(found) != 1
            actions = [{"command": command.strip()} for command in found if not self.was_refused]
        self.talk.open.clear()  # each turn brings all its observations before the next
        batch = self.talk.turn()
        for action in () if is_refused else map(fields, actions):
            command = {"command": text(action.get("command"))}
            yield self.talk.asked(text(action.get("tool_call_id")), "bash", command, batch, at)
        yield from self._used(fields(extra.get("response")).get("usage"), extra.get("cost"), at)

    def _used(self, usage: object, cost: object, at: float | None = None) -> Iterator[Event]:
        for event in self.talk.used(usage, cost, at):
            self.cost += event.cost_usd
            yield event


def is_refusal(raw: object) -> bool:
    """Whether a message says that the one before it was refused."""
    message = fields(raw)
    if fields(message.get("extra")).get("interrupt_type") == "FormatError":
        return True
    return message.get("role") == "user" and _REFUSAL.match(text(message.get("content"))) is not None


def ran_a_command(messages: list[Any]) -> bool:
    """Whether one of these messages is the result of a command, in the program's own format."""
    before: Record = {}
    for message in map(fields, messages):
        said = text(message.get("content"))
        if message.get("role") == "user" and said.startswith(_OBSERVED) and before.get("role") == "assistant":
            return bool(_COMMAND.inside(text(before.get("content"))))
        before = message
    return False


def _observation(talk: Conversation, call: str, said: str, extra: Record, at: float | None) -> Event:
    code, output = extra.get("returncode"), extra.get("raw_output")
    if code is None and (match := _CODE.search(said)):
        code = int(match[1])
    if not isinstance(output, str):
        marked = _OUTPUT.inside(said)[:1]
        output = marked[0].removeprefix("\n").removesuffix("\n") if marked else said
    if error := text(extra.get("exception_info")):
        output = f"{output}\n{error}" if output else error
    exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
    return talk.answered(call, output=output, failed=True if error else None, exit_code=exit_code, at=at)
