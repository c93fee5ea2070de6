"""Items and responses of OpenAI's Responses API.

A list of items, or responses with their `input` and `output`, as a document or line by line. Responses that name the
one before them, or repeat its input, are one run. Tools that OpenAI runs itself have call and result in one item.
"""

from collections.abc import Iterator

from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.message import arguments_of, output_of, read_message
from headway.shapes.values import Record, fields, items, text, values
from headway.sources import Head, Source, seconds

_ENDS = ("_call", "_call_output")
_HOSTED = {"web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "mcp_call"}
_OTHER_ITEMS = {
    "reasoning", "compaction", "item_reference", "mcp_list_tools", "mcp_approval_request", "mcp_approval_response",
}  # fmt: skip


class OpenaiResponses:
    """Runs in the shape of OpenAI's Responses API."""

    name = "openai-responses"
    title = "OpenAI Responses (JSON or JSONL)"
    general = True

    def recognises(self, head: Head) -> bool:
        """By responses, or by items that are calls, their outputs or reasoning."""
        first = head.first
        if first.get("object") == "response":
            return True
        held = items(first.get("input")) + items(first.get("output"))
        found = held or [record for record in head.records if "payload" not in record]
        return any(_is_item(record) for record in found)

    def read(self, source: Source) -> Iterator[Event]:
        """Loose items are one run; a chain of responses is one run."""
        runs = _Runs(source)
        for value in values(source):
            for record in value if isinstance(value, list) else (value,):
                if not isinstance(record, dict):
                    source.skip("not a JSON object")
                elif "output" in record and not text(record.get("type")):
                    yield from runs.response(record)
                else:
                    yield from runs.item(record)


class _Runs:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.loose: _Items | None = None
        self.by_response: dict[str, _Items] = {}
        self.before: list[object] = []
        self.last: _Items | None = None

    def item(self, record: Record) -> Iterator[Event]:
        if self.loose is None:
            self.loose = _Items("", self.source)
            yield self.loose.talk.started()
        yield from self.loose.events_of(record, None)

    def response(self, record: Record) -> Iterator[Event]:
        """The new part of the input, the output, and the usage."""
        sent, at = record.get("input"), seconds(record.get("created_at"))
        new: list[object] = [{"role": "user", "content": sent}] if isinstance(sent, str) else items(sent)
        run = self.by_response.get(text(record.get("previous_response_id")))
        if run is None and self.last and self.before and new[: len(self.before)] == self.before:
            run, new = self.last, new[len(self.before) :]
            new = [item for item in new if fields(item).get("type") in (None, "message") or _is_output(item)]
            new = [item for item in new if fields(item).get("role") != "assistant"]
        if run is None:
            run = _Items(text(fields(record.get("conversation")).get("id")) or text(record.get("id")), self.source)
            yield run.talk.started(record.get("model"), at=at)
        for item in (*new, *items(record.get("output"))):
            yield from run.events_of(item, at)
        yield from run.talk.used(record.get("usage"), at=at)
        self.by_response[text(record.get("id"))] = self.last = run
        self.before = items(sent)


class _Items:
    """The items of one run. Calls that follow each other without an output in between are a batch."""

    def __init__(self, run: str, source: Source) -> None:
        self.talk = Conversation(run)
        self.source = source
        self.batch = self.talk.turn()

    def events_of(self, value: object, at: float | None) -> Iterator[Event]:
        item = fields(value)
        kind = text(item.get("type"))
        if kind in ("", "message") and "role" in item:
            yield from self.talk.take(read_message(item), at)
            self.batch = self.talk.turn()
        elif kind.endswith("_call_output"):
            yield self.talk.answered(text(item.get("call_id")), output=output_of(item.get("output")), at=at)
            self.batch = self.talk.turn()
        elif kind.endswith("_call"):
            yield from self._call(kind, item, at)
        elif kind not in _OTHER_ITEMS:
            self.source.skip(f"an item of unknown type {kind[:40]!r}")

    def _call(self, kind: str, item: Record, at: float | None) -> Iterator[Event]:
        call = text(item.get("call_id")) or text(item.get("id"))
        tool = text(item.get("name")) or kind.removesuffix("_call")
        yield self.talk.asked(call, tool, _arguments(item), self.batch, at)
        if kind in _HOSTED:
            error = item.get("error") or (item.get("status") == "failed")
            found = item.get("output") or item.get("results") or item.get("outputs") or item.get("error")
            yield self.talk.answered(call, tool, output_of(found), failed=bool(error), at=at)


def _arguments(item: Record) -> Record:
    for name in ("arguments", "input", "action", "operation"):
        if item.get(name) is not None:
            return arguments_of(item[name])
    return {name: item[name] for name in ("queries", "code") if item.get(name)}


def _is_item(value: object) -> bool:
    kind = text(fields(value).get("type"))
    ids = {"call_id", "id"} & fields(value).keys()
    return bool(ids) and (
        (kind.endswith(_ENDS) and kind != "tool_call") or (kind == "reasoning" and "summary" in fields(value))
    )


def _is_output(value: object) -> bool:
    return text(fields(value).get("type")).endswith("_call_output")
