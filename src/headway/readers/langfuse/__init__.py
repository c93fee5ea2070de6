"""Observations exported from Langfuse: a list, the API's `data`, a trace with its `observations`, or one on each line.

Generations contain the conversation, observations of the type TOOL the calls. Input and output may be JSON texts. What
is recorded as a plain span (the tools of older SDKs) is read from the generations around it.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec import Raw

from headway.core.events import Event
from headway.readers.langfuse.records import File, Given, Observation
from headway.shapes.message import Message, arguments_of, is_message, output_of, read_message, result_in
from headway.shapes.trace import Moment, Sent, told
from headway.shapes.values import Record, amount, decoded, fields, inside, items, number, text, values
from headway.sources import Head, Source, seconds

_KINDS = {"GENERATION": "model", "TOOL": "tool", "AGENT": "agent"}
_TYPES = {*_KINDS, "SPAN", "EVENT", "CHAIN", "RETRIEVER", "EVALUATOR", "EMBEDDING", "GUARDRAIL"}
_NO_TRACE = Observation()


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
        """One run for each session, or for each trace if none is named."""

        def read(raw: Raw | Record) -> Message:
            found = raw if isinstance(raw, dict) else inside(raw, source)
            return read_message(found) if is_message(found) and not _is_definition(found) else Message("")

        return told((_moment(*found, source) for found in _observations(source)), read)


def _observations(source: Source) -> Iterator[tuple[Observation, Observation]]:
    """Every observation, with the trace that contains it, if one does."""
    for value in values(source, File):
        held = items(value.data) if isinstance(value, Observation) else []
        for record in held or (value if isinstance(value, list) else [value]):
            inner = items(record.observations) if isinstance(record, Observation) else []
            for observation in inner or [record]:
                if isinstance(observation, Observation) and (observation.id or observation.type):
                    yield observation, record if inner else _NO_TRACE
                else:
                    source.skip("not a Langfuse observation")


def _first(*found: Any) -> Any:
    return next((value for value in found if value not in (None, "")), None)


def _moment(one: Observation, trace: Observation, source: Source) -> Moment:
    moment = Moment(
        text(one.id),
        _KINDS.get(text(one.type).upper(), ""),
        text(_first(one.sessionId, one.session_id, trace.sessionId, trace.session_id)),
        text(_first(one.traceId, one.trace_id)) or text(trace.id),
        text(_first(one.parentObservationId, one.parent_observation_id)),
        seconds(_first(one.startTime, one.start_time)),
        seconds(_first(one.endTime, one.end_time)),
        text(one.name),
    )
    if moment.kind == "model":
        moment.model = text(_first(one.model, one.providedModelName, one.provided_model_name))
        moment.sent = _sent(one.input, source)
        moment.said = _said(decoded(inside(one.output, source)))
        moment.usage = _usage(_first(one.usageDetails, one.usage_details, one.usage))
        costs = (one.totalCost, one.calculatedTotalCost, one.calculated_total_cost, one.total_cost)
        moment.cost = amount(_first(*costs))
    elif moment.kind == "tool":
        _add_tool(moment, one, source)
    return moment


def _add_tool(moment: Moment, one: Observation, source: Source) -> None:
    given, answer = decoded(inside(one.input, source)), decoded(inside(one.output, source))
    moment.args = None if given is None else arguments_of(given)
    moment.failed = True if one.level == "ERROR" else None
    inner = fields(fields(answer).get("data")) or fields(answer)
    moment.call = text(inner.get("tool_call_id"))
    if moment.call:
        result = result_in(inner)
        moment.output, moment.failed = result.output, moment.failed or result.failed
    elif answer is not None:
        moment.output = output_of(answer)
    elif moment.failed:
        moment.output = text(_first(one.statusMessage, one.status_message))


def _sent(given: Raw, source: Source) -> list[Raw | Record]:
    """Messages as a list, in an object, or a bare text; they are decoded only when needed."""
    found = inside(given, source, Given)
    if isinstance(found, str):
        given, found = Raw(found), decoded(found, Given)
    if isinstance(found, str):
        return [{"role": "user", "content": found}]
    listed: list[Raw] = items(found) or (items(found.messages) if isinstance(found, Sent) else [])
    while listed and _is_definition(fields(inside(listed[-1], source))):
        listed.pop()  # what the model could call is listed after the messages, again and again
    return [*listed] or ([given] if is_message(inside(given, source)) else [])


def _said(value: Any) -> list[Record]:
    """The message it answered with, or a bare text."""
    listed = items(value) or items(fields(value).get("messages")) or [value]
    if isinstance(value, str):
        listed = [{"role": "assistant", "content": value}]
    return [item for item in listed if is_message(item) and not _is_definition(item)][:1]


def _is_definition(message: Record) -> bool:
    return message.get("role") == "tool" and "function" in fields(message.get("content"))


def _usage(details: Any) -> Record:
    """Sums of what Langfuse counts separately: input and cached input, output and reasoning."""
    spent = Counter({"input_tokens": 0, "output_tokens": 0})
    for name, value in fields(decoded(details)).items():
        if "total" not in name.lower() and "cost" not in name.lower() and name != "unit":
            is_out = "output" in name or "completion" in name.lower()
            spent["output_tokens" if is_out else "input_tokens"] += number(value)
            if "cache" in name:
                is_written = "creation" in name or "write" in name
                spent["cache_write_tokens" if is_written else "cached_tokens"] += number(value)
    return spent
