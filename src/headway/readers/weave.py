"""Calls exported from Weights & Biases Weave: one on each line, a list, or the API's `calls`.

A call names its parent. Most calls do not state their kind: one that used tokens, and has no call below it that did, is
a model's; one is a tool's if a model of the same trace requested a tool of its name. Others are left out.
"""

from collections.abc import Iterator

from headway.core.events import Event
from headway.shapes.message import arguments_of, is_message, output_of, read_message
from headway.shapes.trace import Moment, Spending, told
from headway.shapes.values import Record, amount, decoded, fields, items, text, values
from headway.sources import Head, Source, seconds

_KINDS = {"llm": "model", "tool": "tool", "agent": "agent"}
_KEYS = frozenset(("op_name", "trace_id", "started_at", "inputs", "attributes"))


class Weave:
    """Calls of agents, recorded with Weave."""

    name = "weave"
    title = "Weave calls (JSON or JSONL)"

    def recognises(self, head: Head) -> bool:
        """By what every call has: the name of its operation, its trace, and what it was given."""
        first = fields(next(iter(items(head.first.get("calls"))), None)) or head.first
        return first.keys() >= _KEYS and isinstance(first["op_name"], str) and isinstance(first["inputs"], dict)

    def read(self, source: Source) -> Iterator[Event]:
        """One run for each thread, or for each trace if none is named."""
        calls = list(_calls(source))
        spenders = {text(call.get("parent_id")) for call in calls if _usage(call)}
        asked = {(text(call.get("trace_id")), name) for call in calls for name in _asked(call)}
        return told(_moment(call, spenders, asked) for call in calls)


def _calls(source: Source) -> Iterator[Record]:
    for value in values(source):
        for item in value if isinstance(value, list) else (value,):
            held = fields(item).get("calls")
            for call in held if isinstance(held, list) else (item,):
                if isinstance(call, dict) and isinstance(call.get("op_name"), str):
                    yield call
                else:
                    source.skip("not a Weave call")


def _usage(call: Record) -> Record:
    """What a call spent, by model; a parent's is the sum of those below it."""
    return fields(fields(call.get("summary")).get("usage"))


def _messages(call: Record) -> list[Record]:
    """What a model answered: OpenAI's choices, or a message as it is."""
    output = fields(call.get("output"))
    found = [fields(choice).get("message") for choice in items(output.get("choices"))] or [output]
    return [message for message in found if isinstance(message, dict) and is_message(message)][:1]


def _asked(call: Record) -> Iterator[str]:
    """The tools that a model asked for, also in the items of OpenAI's Responses API."""
    for message in _messages(call):
        yield from (asked.tool for asked in read_message(message).calls)
    for item in map(fields, items(fields(call.get("output")).get("output"))):
        if item.get("type") == "function_call":
            yield text(item.get("name"))


def _name(call: Record) -> str:
    """The name of the operation, without its location and version."""
    return str(call["op_name"]).rpartition("/op/")[2].split(":")[0]


def _kind(call: Record, spenders: set[str], asked: set[tuple[str, str]]) -> str:
    told_ = _KINDS.get(text(fields(fields(call.get("attributes")).get("weave")).get("kind")))
    if told_:
        return told_
    if _usage(call) and text(call.get("id")) not in spenders:
        return "model"
    return "tool" if (text(call.get("trace_id")), _name(call)) in asked else ""


def _moment(call: Record, spenders: set[str], asked: set[tuple[str, str]]) -> Moment:
    moment = Moment(
        text(call.get("id")),
        _kind(call, spenders, asked),
        text(call.get("thread_id")),
        text(call.get("trace_id")),
        text(call.get("parent_id")),
        seconds(call.get("started_at")),
        seconds(call.get("ended_at")),
        _name(call),
    )
    if moment.kind == "model":
        _add_model(moment, call)
    elif moment.kind == "tool":
        _add_tool(moment, call)
    return moment


def _add_model(moment: Moment, call: Record) -> None:
    inputs, (first, *beside) = fields(call.get("inputs")), _spent(call)
    moment.model = first.model or text(inputs.get("model"))
    moment.sent = [message for message in items(inputs.get("messages")) if is_message(message)]
    moment.said = _messages(call)
    moment.usage, moment.cost, moment.beside = first.usage, first.cost, beside


def _spent(call: Record) -> list[Spending]:
    """What each model spent in a call. A cost that names no model with tokens is that of the only one, or of all."""
    usage, costs = _usage(call), fields(fields(fields(call.get("summary")).get("weave")).get("costs"))
    if len(usage) < 2:
        model = next(iter(usage), "")
        return [Spending(model, fields(usage.get(model)), sum(map(_cost, costs.values())))]
    return [Spending(model, fields(usage.get(model)), _cost(costs.get(model))) for model in {**usage, **costs}]


def _cost(given: object) -> float:
    cost = fields(given)
    return sum(amount(cost.get(name)) for name in ("prompt_tokens_total_cost", "completion_tokens_total_cost"))


def _add_tool(moment: Moment, call: Record) -> None:
    given = {name: value for name, value in fields(call.get("inputs")).items() if name != "self"}
    moment.args = arguments_of(given)
    moment.failed = True if call.get("exception") else None
    if moment.failed:
        moment.output = _complaint(text(call.get("exception")))
    elif call.get("ended_at") and "output" in call:
        moment.output = output_of(call["output"])


def _complaint(exception: str) -> str:
    """The type and message of an exception, without its traceback."""
    told_ = fields(decoded(exception))
    return f"{text(told_.get('type'))}: {text(told_.get('message'))}" if "message" in told_ else exception
