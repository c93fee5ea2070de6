"""Observations exported from Langfuse: a list, the API's `data`, a trace with its `observations`, or one on each line.

Generations tell the conversation, observations of the type TOOL the calls. Input and output may be JSON texts. What
is kept as a plain span (the tools of older SDKs) is told by the generations around it.
"""

from collections.abc import Iterator
from typing import Any

from headway.core.events import Event
from headway.shapes.message import arguments_of, is_message, output_of, read_message
from headway.shapes.trace import Moment, told
from headway.shapes.values import Record, amount, decoded, fields, items, number, text, values
from headway.sources import Head, Source, seconds

_KINDS = {"GENERATION": "model", "TOOL": "tool", "AGENT": "agent"}
_TYPES = {*_KINDS, "SPAN", "EVENT", "CHAIN", "RETRIEVER", "EVALUATOR", "EMBEDDING", "GUARDRAIL"}


class Langfuse:
    """Traces of agents, exported from Langfuse."""

    name = "langfuse"
    title = "Langfuse observations (JSON or JSONL)"
    general = True

    def recognises(self, head: Head) -> bool:
        """By the type of an observation together with the trace it belongs to."""
        first = head.first
        for held in ("observations", "data"):
            first = fields(next(iter(items(first.get(held))), None)) or first
        is_one = "id" in first and ("traceId" in first or "trace_id" in first)
        return is_one and text(first.get("type")).upper() in _TYPES

    def read(self, source: Source) -> Iterator[Event]:
        """One run for each session, or for each trace where none is named."""
        return told(_moment(*found) for found in _observations(source))


def _observations(source: Source) -> Iterator[tuple[Record, Record]]:
    """Every observation, with the trace it stands in where it does."""
    for value in values(source):
        for record in items(fields(value).get("data")) or (value if isinstance(value, list) else [value]):
            around = fields(record)
            held = items(around.get("observations"))
            for observation in held or [record]:
                if isinstance(observation, dict):
                    yield observation, around if held else {}
                else:
                    source.skip("an observation that is no object")


def _first(record: Record, *names: str) -> Any:
    return next((record[name] for name in names if record.get(name) not in (None, "")), None)


def _moment(observation: Record, trace: Record) -> Moment:
    moment = Moment(
        text(observation.get("id")),
        _KINDS.get(text(observation.get("type")).upper(), ""),
        text(_first(observation, "sessionId", "session_id") or _first(trace, "sessionId", "session_id")),
        text(_first(observation, "traceId", "trace_id")) or text(trace.get("id")),
        text(_first(observation, "parentObservationId", "parent_observation_id")),
        seconds(_first(observation, "startTime", "start_time")),
        seconds(_first(observation, "endTime", "end_time")),
        text(observation.get("name")),
    )
    given, answer = decoded(observation.get("input")), decoded(observation.get("output"))
    if moment.kind == "model":
        moment.model = text(_first(observation, "model", "providedModelName", "provided_model_name"))
        moment.sent = _messages(given, "user")
        moment.said = _messages(answer, "assistant")[:1]
        moment.usage = _usage(observation)
        moment.cost = amount(
            _first(observation, "totalCost", "calculatedTotalCost", "calculated_total_cost", "total_cost")
        )
    elif moment.kind == "tool":
        _add_tool(moment, observation, given, answer)
    return moment


def _add_tool(moment: Moment, observation: Record, given: Any, answer: Any) -> None:
    moment.args = None if given is None else arguments_of(given)
    moment.failed = True if observation.get("level") == "ERROR" else None
    inner = fields(fields(answer).get("data")) or fields(answer)
    moment.call = text(inner.get("tool_call_id"))
    if moment.call:
        result = read_message({**inner, "role": "tool"}).results[0]
        moment.output, moment.failed = result.output, moment.failed or result.failed
    elif answer is not None:
        moment.output = output_of(answer)
    elif moment.failed:
        moment.output = text(_first(observation, "statusMessage", "status_message"))


def _messages(value: Any, role: str) -> list[Record]:
    """Messages as a list, in an object, or a bare text. What the model could call is listed among them as tools."""
    listed = items(value) or items(fields(value).get("messages")) or [value]
    if isinstance(value, str):
        listed = [{"role": role, "content": value}]
    return [item for item in listed if is_message(item) and not _is_definition(item)]


def _is_definition(message: Record) -> bool:
    return message.get("role") == "tool" and "function" in fields(message.get("content"))


def _usage(observation: Record) -> Record:
    """Sums of what Langfuse counts apart: input and what came from caches, output and reasoning."""
    details = fields(decoded(_first(observation, "usageDetails", "usage_details", "usage")))
    spent = {"input_tokens": 0, "output_tokens": 0}
    for name, value in details.items():
        if "total" not in name.lower() and "cost" not in name.lower() and name != "unit":
            is_out = "output" in name or "completion" in name.lower()
            spent["output_tokens" if is_out else "input_tokens"] += number(value)
    return spent
