"""Runs exported from LangSmith: a list, the API's `runs`, or one run on each line; children may stand in their parents.

LangSmith calls every node of a trace a run. Here the runs of one thread, or of one trace where no thread is named, are
a run, made of its model and tool nodes.
"""

from collections.abc import Iterator
from typing import Any

from headway.core.events import Event
from headway.shapes.message import arguments_of, is_message, output_of, read_message
from headway.shapes.trace import Moment, told
from headway.shapes.values import Record, amount, fields, items, records, text
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
        return told(_moment(node) for record in records(source, "runs") for node in _with_children(record))


def _with_children(run: Record, depth: int = 0) -> Iterator[Record]:
    yield run
    if depth < _DEEPEST:
        for child in items(run.get("child_runs")):
            yield from _with_children(fields(child), depth + 1)


def _moment(run: Record) -> Moment:
    extra = fields(run.get("extra"))
    metadata = fields(extra.get("metadata"))
    thread = next((text(metadata[name]) for name in _THREAD if text(metadata.get(name))), "")
    moment = Moment(
        text(run.get("id")),
        _KINDS.get(text(run.get("run_type")), ""),
        thread,
        text(run.get("trace_id")),
        text(run.get("parent_run_id")),
        seconds(run.get("start_time")),
        seconds(run.get("end_time")),
    )
    if moment.kind == "model":
        _add_model(moment, run, extra, metadata)
    elif moment.kind == "tool":
        _add_tool(moment, run, extra)
    return moment


def _add_model(moment: Moment, run: Record, extra: Record, metadata: Record) -> None:
    outputs = fields(run.get("outputs"))
    moment.model = text(metadata.get("ls_model_name")) or text(fields(extra.get("invocation_params")).get("model"))
    moment.sent = _messages(fields(run.get("inputs")).get("messages"))
    moment.said = _answers(outputs)
    usage = {name: run[name] for name in ("prompt_tokens", "completion_tokens") if run.get(name)}
    moment.usage = usage or next((u for u in _usages(outputs, metadata) if u), {})
    moment.cost = amount(run.get("total_cost"))


def _usages(outputs: Record, metadata: Record) -> Iterator[Record]:
    yield fields(metadata.get("usage_metadata"))
    yield fields(outputs.get("usage_metadata"))
    yield fields(fields(outputs.get("llm_output")).get("token_usage"))
    yield fields(outputs.get("usage"))


def _messages(value: Any) -> list[Record]:
    """A list of messages, or a batch with one such list."""
    listed = items(value)
    if listed and isinstance(listed[0], list):
        listed = listed[0]
    return [item for item in listed if is_message(item)]


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


def _add_tool(moment: Moment, run: Record, extra: Record) -> None:
    moment.name = text(run.get("name"))
    moment.args = arguments_of(run.get("inputs"))
    answer = fields(run.get("outputs")).get("output", run.get("outputs"))
    moment.call = text(extra.get("tool_call_id")) or text(fields(answer).get("tool_call_id"))
    error = run.get("error")
    moment.failed = True if error else None
    if isinstance(answer, dict) and "tool_call_id" in answer:
        result = read_message({**answer, "role": "tool"}).results[0]
        moment.output, moment.failed = result.output, moment.failed or result.failed
    elif answer not in (None, {}):
        moment.output = output_of(answer)
    if error and not moment.output:
        moment.output = text(error)
