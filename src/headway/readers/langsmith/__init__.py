"""Runs exported from LangSmith: a list, the API's `runs`, or one run on each line; children may be in their parents.

LangSmith calls every node of a trace a run. Here the runs of one thread, or of one trace where no thread is named, are
a run, made of its model and tool nodes.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Raw

from headway.core.events import Event
from headway.readers.langsmith.records import Extra, File, Run
from headway.shapes.message import Message, arguments_of, is_message, output_of, read_message, result_in
from headway.shapes.trace import Moment, Sent, told
from headway.shapes.values import Odd, Record, amount, fields, inside, items, text, values
from headway.sources import Head, Source, seconds

_KINDS = {"llm": "model", "tool": "tool"}
_THREAD = ("thread_id", "session_id", "conversation_id")
_DEEPEST = 50


class Langsmith:
    """Traces of agents, exported from LangSmith."""

    name = "langsmith"
    title = "LangSmith runs (JSON or JSONL)"
    general = True

    def recognises(self, head: Head) -> bool:
        """By the type that every run has, or its place in a trace."""
        first = fields(next(iter(items(head.first.get("runs"))), None)) or head.first
        return "id" in first and (
            isinstance(first.get("run_type"), str) or {"trace_id", "dotted_order"} <= first.keys()
        )

    def read(self, source: Source) -> Iterator[Event]:
        """One run for each thread or trace."""

        def read(raw: Raw) -> Message:
            found = inside(raw, source)
            return read_message(found) if is_message(found) else Message("")

        return told((_moment(run, source) for run in _runs(source)), read)


def _runs(source: Source) -> Iterator[Run]:
    for value in values(source, File):
        for item in value if isinstance(value, list) else (value,):
            held = item.runs if isinstance(item, Run) else None
            for run in held if isinstance(held, list) else (item,):
                if isinstance(run, Run) and (run.id or run.run_type):
                    yield from _with_children(run)
                else:
                    source.skip("not a LangSmith run")


def _with_children(run: Run, depth: int = 0) -> Iterator[Run]:
    yield run
    if depth < _DEEPEST:
        for child in items(run.child_runs):
            if isinstance(child, Run):
                yield from _with_children(child, depth + 1)


def _moment(run: Run, source: Source) -> Moment:
    extra = run.extra if isinstance(run.extra, Extra) else Extra()
    metadata = fields(extra.metadata)
    moment = Moment(
        text(run.id),
        _KINDS.get(text(run.run_type), ""),
        next((text(metadata[name]) for name in _THREAD if text(metadata.get(name))), ""),
        text(run.trace_id),
        text(run.parent_run_id),
        seconds(run.start_time),
        seconds(run.end_time),
    )
    if moment.kind == "model":
        _add_model(moment, run, extra, metadata, source)
    elif moment.kind == "tool":
        _add_tool(moment, run, extra, source)
    return moment


def _add_model(moment: Moment, run: Run, extra: Extra, metadata: Record, source: Source) -> None:
    outputs = fields(inside(run.outputs, source))
    moment.model = text(metadata.get("ls_model_name")) or text(fields(extra.invocation_params).get("model"))
    moment.sent = _sent(run.inputs, source)
    moment.said = _answers(outputs)
    counted = {"prompt_tokens": run.prompt_tokens, "completion_tokens": run.completion_tokens}
    usage = {name: tokens for name, tokens in counted.items() if tokens}
    moment.usage = usage or next((u for u in _usages(outputs, metadata) if u), {})
    moment.cost = amount(run.total_cost)


def _usages(outputs: Record, metadata: Record) -> Iterator[Record]:
    yield fields(metadata.get("usage_metadata"))
    yield fields(outputs.get("usage_metadata"))
    yield fields(fields(outputs.get("llm_output")).get("token_usage"))
    yield fields(outputs.get("usage"))


def _sent(inputs: Raw, source: Source) -> list[Raw]:
    """A list of messages, or a batch with one such list; they are decoded only when needed."""
    found = inside(inputs, source, Sent | list[Raw] | Odd)
    listed: list[Raw] = items(found.messages) if isinstance(found, Sent) else []
    if listed and bytes(listed[0]).startswith(b"["):
        return items(inside(listed[0], source, list[Raw]))
    return listed


def _answers(outputs: Record) -> list[Record]:
    """LangChain's generations, a provider's choices, or the message itself."""
    generations = items(outputs.get("generations"))
    first = generations[0] if generations else None
    found: list[Any] = [fields(item).get("message") for item in (first if isinstance(first, list) else generations)]
    found += [fields(choice).get("message") for choice in items(outputs.get("choices"))]
    found += [*items(outputs.get("messages")), outputs.get("message"), outputs.get("output"), outputs]
    for item in found:
        if isinstance(item, dict) and is_message(item):
            return [item]
    return []


def _add_tool(moment: Moment, run: Run, extra: Extra, source: Source) -> None:
    outputs = inside(run.outputs, source)
    moment.name = text(run.name)
    moment.args = arguments_of(inside(run.inputs, source))
    answer = fields(outputs).get("output", outputs)
    moment.call = text(extra.tool_call_id) or text(fields(answer).get("tool_call_id"))
    moment.failed = True if run.error else None
    if isinstance(answer, dict) and "tool_call_id" in answer:
        result = result_in(answer)
        moment.output, moment.failed = result.output, moment.failed or result.failed
    elif answer not in (None, {}):
        moment.output = output_of(answer)
    if run.error and not moment.output:
        moment.output = text(run.error)
