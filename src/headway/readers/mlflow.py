"""Traces of MLflow: `Trace.to_json()`, a list of them, or one on each line. Attributes are JSON texts."""

from collections.abc import Iterator

from headway.core.events import Event
from headway.shapes.message import arguments_of, is_message, output_of, result_in
from headway.shapes.otlp import Span
from headway.shapes.spans import spans_in
from headway.shapes.trace import Moment, told
from headway.shapes.values import Record, amount, decoded, fields, items, text, values
from headway.sources import Head, Source

_KINDS = {"TOOL": "tool", "CHAT_MODEL": "model", "LLM": "model", "AGENT": "agent"}
_TYPE = "mlflow.spanType"


class Mlflow:
    """Traces of agents, recorded with MLflow."""

    name = "mlflow"
    title = "MLflow traces (JSON or JSONL)"

    def recognises(self, head: Head) -> bool:
        """By spans that carry their type, inside of a trace."""
        info, data = fields(head.first.get("info")), fields(head.first.get("data"))
        spans = [fields(span) for span in items(data.get("spans"))]
        is_trace = "trace_id" in info or "request_id" in info
        return is_trace and any(_TYPE in fields(span.get("attributes")) for span in spans)

    def read(self, source: Source) -> Iterator[Event]:
        """One run for each session, or for each trace if none is named."""
        return told(_moments(source))


def _moments(source: Source) -> Iterator[Moment]:
    for value in values(source):
        for trace in value if isinstance(value, list) else (value,):
            info, data = fields(fields(trace).get("info")), fields(fields(trace).get("data"))
            if not isinstance(data.get("spans"), list):
                source.skip("not an MLflow trace: it has no spans")
            run = text(fields(info.get("trace_metadata") or info.get("request_metadata")).get("mlflow.trace.session"))
            name = text(info.get("trace_id")) or text(info.get("request_id"))
            for raw in items(data.get("spans")):
                for span in spans_in(raw):
                    yield _moment(span, run, name)


def _moment(span: Span, run: str, trace: str) -> Moment:
    given = span.attributes
    kind = _KINDS.get(text(_value(given.get(_TYPE))), "")
    moment = Moment(span.id, kind, run, trace, span.parent, span.start, span.end)
    inputs, outputs = _value(given.get("mlflow.spanInputs")), _value(given.get("mlflow.spanOutputs"))
    if kind == "model":
        moment.model = text(_value(given.get("mlflow.llm.model")))
        sent = fields(inputs).get("messages")
        moment.sent = [
            message for message in items(items(sent)[0] if _is_nested(sent) else sent) if is_message(message)
        ]
        moment.said = _said(outputs)
        moment.usage = fields(_value(given.get("mlflow.chat.tokenUsage")))
        moment.cost = amount(fields(_value(given.get("mlflow.llm.cost"))).get("total_cost"))
    elif kind == "tool":
        moment.name = span.name
        moment.args = None if inputs is None else arguments_of(inputs)
        moment.failed = True if span.failed else None
        result = result_in(outputs) if isinstance(outputs, dict) and outputs.get("tool_call_id") else None
        moment.call = result.call if result else ""
        told_ = result.output if result else None if outputs is None else output_of(outputs)
        moment.output = span.error if span.failed else told_
    elif kind == "agent":
        moment.name = span.name
    return moment


def _is_nested(sent: object) -> bool:
    """LangChain's models take several conversations at once."""
    return isinstance(sent, list) and bool(sent) and isinstance(sent[0], list)


def _said(outputs: object) -> list[Record]:
    """What a model answered: OpenAI's choices, LangChain's generations, or a message as it is."""
    answer = fields(outputs)
    choices = items(answer.get("choices")) or items(items(answer.get("generations"))[:1] and answer["generations"][0])
    found = [fields(fields(choice).get("message")) for choice in choices[:1]] or [answer]
    return [message for message in found if is_message(message)]


def _value(raw: object) -> object:
    """An attribute, which was written as JSON even if it is a text."""
    found = decoded(f"[{raw}]") if isinstance(raw, str) else [raw]
    return found[0] if isinstance(found, list) and len(found) == 1 else raw
