"""One thread of Zed. It has only the total of its tokens, and no times between its beginning and its end.

Since version 0.3 a message is `{"User": …}` or `{"Agent": …}` and holds blocks, each named in the same way. Before, it
had a role, and its calls and results stood beside its text.
"""

from collections.abc import Iterator

from headway.core import events
from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.message import arguments_of
from headway.shapes.values import Record, fields, items, text
from headway.sources import Source, seconds

_DENIED = "Permission to run tool denied by user"


class Thread:
    """One thread, of a user's agent or of a sub-agent."""

    def __init__(self, thread: Record, run: str, agent: str) -> None:
        self._thread = thread
        self._talk = Conversation(run, agent)

    def events(self, row: Record, source: Source) -> Iterator[Event]:
        """All events of the thread; the row has its times and its folder."""
        talk, thread = self._talk, self._thread
        folders = text(row.get("folder_paths")).split("\n")
        root = folders[0] if len(folders) == 1 else None
        yield talk.started(fields(thread.get("model")).get("model"), "zed", root, seconds(row.get("created_at")))
        for message in items(thread.get("messages")):
            if message == "Resume":
                continue
            if isinstance(message, dict) and "role" in message:
                yield from self._with_role(message)
            elif isinstance(message, dict) and len(message) == 1:
                yield from self._named(message, source)
            else:
                source.skip("a message of an unknown kind")
        yield from talk.used(thread.get("cumulative_token_usage"), at=seconds(row.get("updated_at")))

    def _named(self, message: Record, source: Source) -> Iterator[Event]:
        ((kind, content),) = message.items()
        blocks = [fields(block) for block in items(fields(content).get("content"))]
        if kind == "User":
            yield from self._user("\n".join(text(block.get("Text")) for block in blocks if "Text" in block))
        elif kind == "Agent":
            calls = [fields(block["ToolUse"]) for block in blocks if "ToolUse" in block]
            words = [text(block.get("Text")) for block in blocks]
            results = fields(fields(content).get("tool_results")).values()
            yield from self._agent(words, calls, [fields(result) for result in results])
        elif kind == "Compaction":
            yield events.ContextCompacted(run=self._talk.run, agent=self._talk.agent)
        else:
            source.skip(f"a message of the unknown kind {kind!r}")

    def _with_role(self, message: Record) -> Iterator[Event]:
        segments = [fields(segment) for segment in items(message.get("segments"))]
        words = [text(segment.get("text")) for segment in segments if segment.get("type") == "text"]
        words += [text(message.get("text"))]  # before version 0.1
        calls, results = (list(map(fields, items(message.get(name)))) for name in ("tool_uses", "tool_results"))
        if message.get("role") == "assistant" or results:  # before version 0.2 results stood in a message of the user
            yield from self._agent(words if message.get("role") == "assistant" else [], calls, results)
        elif message.get("role") == "user":
            yield from self._user("\n".join(filter(None, words)))

    def _user(self, said: str) -> Iterator[Event]:
        yield events.UserSpoke(run=self._talk.run, agent=self._talk.agent, text=said)

    def _agent(self, words: list[str], calls: list[Record], results: list[Record]) -> Iterator[Event]:
        talk, batch = self._talk, self._talk.turn()
        for said in filter(None, words):
            yield events.AgentSpoke(run=talk.run, agent=talk.agent, text=said)
        for call in calls:
            yield talk.asked(text(call.get("id")), text(call.get("name")), _arguments(call), batch)
        for result in results:
            output, is_error = _output(result.get("content")), result.get("is_error") is True
            talk.open.pop(text(result.get("tool_use_id")), None)
            yield events.ToolReturned(
                run=talk.run,
                agent=talk.agent,
                call=text(result.get("tool_use_id")),
                output=output,
                failed=True if is_error else None,  # of a command that failed, only the text tells
                denied=is_error and output == _DENIED,
            )


def _arguments(call: Record) -> Record:
    """The arguments of a call; newer versions add the type of the input."""
    given = call.get("input")
    if isinstance(given, dict) and given.keys() == {"type", "value"} and given["type"] in ("json", "text"):
        given = given["value"]
    return arguments_of(given if given is not None else call.get("raw_input"))


def _output(content: object) -> str:
    """What a tool answered: a text, a text in an object under a name, or several of those."""
    parts = content if isinstance(content, list) else [content]
    found = (part if isinstance(part, str) else fields(part).get("Text", fields(part).get("text")) for part in parts)
    return "\n".join(text(one) for one in found if text(one))
