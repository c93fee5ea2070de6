import pytest

from headway import Monitor
from headway.core import events
from tests.readers.samples_read import counts, lines, of, only, raw, spent, taken


def spans(name):
    """Attributes and failures of the raw spans."""
    found = raw(name)
    if isinstance(found, list):
        return [(span["attributes"], span["status"]["status_code"] == "ERROR") for span in found]
    all_spans = [s for r in found["resourceSpans"] for scope in r["scopeSpans"] for s in scope["spans"]]
    return [
        ({a["key"]: next(iter(a["value"].values())) for a in span["attributes"]}, span["status"].get("code") == 2)
        for span in all_spans
    ]


@pytest.mark.parametrize("name", ["openinference/langgraph.otlp.json", "openinference/langgraph.jsonl"])
def test_calls_results_failures_and_usage(name):
    found = spans(name)
    models = [a for a, _ in found if a["openinference.span.kind"] == "LLM"]
    tools = [(a, failed) for a, failed in found if a["openinference.span.kind"] == "TOOL"]
    stream = taken(name)

    asked = [
        v for a in models for k, v in a.items() if k.startswith("llm.output_messages") and k.endswith("tool_call.id")
    ]
    assert asked == [event.call for event in only(stream, events.ToolCalled)]
    assert len(tools) == len(only(stream, events.ToolReturned)) == 3
    assert sum(failed for _, failed in tools) == sum(e.failed is True for e in only(stream, events.ToolReturned)) == 1
    into, out = (sum(int(a[f"llm.token_count.{kind}"]) for a in models) for kind in ("prompt", "completion"))
    assert (into, out, 0) == spent(stream)
    assert (3, 3, 1, 2) == counts(stream)
    assert ({"thread-1"}, "fake-model") == ({event.run for event in stream}, stream[0].model)


def test_the_error_is_the_message_of_the_exception():
    (failed,) = [e for e in only(taken("openinference/langgraph.otlp.json"), events.ToolReturned) if e.failed]
    assert ("call_b", "cat: missing.txt: No such file or directory") == (failed.call, failed.output)


def row(id, kind, parent=None, **attributes):
    columns = {f"attributes.{key.replace('__', '.')}": value for key, value in attributes.items()}
    return {
        "context.span_id": id, "context.trace_id": "t", "parent_id": parent, "name": "x", "start_time": f"2026-05-01T10:00:0{id}Z",
        "attributes.openinference.span.kind": kind, **columns,
    }  # fmt: skip


def test_rows_of_an_exported_table():
    call = {"tool_call.id": "c", "tool_call.function.name": "ls", "tool_call.function.arguments": '{"path": "src"}'}
    answer = [{"message.role": "assistant", "message.tool_calls": [call]}]
    stream, _ = of(
        lines(
            row(
                "1",
                "LLM",
                llm__input_messages=[{"message.role": "user", "message.content": "go"}],
                llm__output_messages=answer,
            ),
            row("2", "TOOL", tool__name="ls", input__value='{"path": "src"}', output__value="a.py"),
        )
    )
    assert [("c", {"path": "src"})] == [(e.call, e.args) for e in only(stream, events.ToolCalled)]
    assert [("c", "a.py")] == [(e.call, e.output) for e in only(stream, events.ToolReturned)]
    assert (1, 1, 1, 0) == counts(stream)


def test_an_agent_within_an_agent_is_kept_apart():
    stream, _ = of(
        lines(
            row("1", "AGENT", agent__name="outer"),
            row("2", "TOOL", "1", tool__name="a", input__value="x", output__value="y"),
            row("3", "AGENT", "1", agent__name="inner"),
            row("4", "TOOL", "3", tool__name="b", input__value="x", output__value="y"),
        )
    )
    assert [("a", ""), ("b", "inner 3")] == [(e.tool, e.agent) for e in only(stream, events.ToolCalled)]


def test_a_name_in_a_table_may_have_a_value_and_names_below_it():
    message = {"message.role": "user", "message.content": "hi", "message.role.a": 1, "message.x": 5, "message.x.y": 6}
    row = {
        "context.span_id": "s",
        "context.trace_id": "t",
        "attributes.openinference.span.kind": "LLM",
        "attributes.llm.input_messages": [message],
    }
    stream, source = of(lines(row))
    assert (["hi"], 0) == ([event.text for event in only(stream, events.UserSpoke)], source.skipped)


SCHEMA = '{"type": "object", "properties": {"customer": {"type": "string"}}, "required": ["customer"]}'


@pytest.mark.parametrize(
    ("parameters", "given", "args"),
    [
        (SCHEMA, '{"customer": "a"}', {"customer": "a"}),
        ('{"customer": {"type": "string", "description": "who"}}', '{"customer": "a"}', {"customer": "a"}),
        (SCHEMA, '{"args": [], "sanitize_inputs_outputs": false, "kwargs": {"customer": "a"}}', {"customer": "a"}),
        (SCHEMA, '{"args": ["a"], "kwargs": {}}', {"args": ["a"]}),
        ('{"customer": "a"}', None, {"customer": "a"}),
        (SCHEMA, None, {}),
        ('{"customer": {"type": "string"}}', None, {}),
    ],
    ids=[
        "a schema",
        "descriptions",
        "keywords",
        "positions",
        "arguments by the definition",
        "only a schema",
        "only descriptions",
    ],
)
def test_a_schema_is_never_an_argument(parameters, given, args):
    more = {} if given is None else {"input__value": given}
    tool = row(1, "TOOL", tool__name="lookup", tool__parameters=parameters, output__value="found", **more)
    stream, _ = of(lines(tool))
    assert [args] == [event.args for event in only(stream, events.ToolCalled)]


def test_looking_up_eight_customers_is_no_loop():
    spans = [
        row(
            n,
            "TOOL",
            tool__name="lookup",
            tool__parameters=SCHEMA,
            input__value=f'{{"customer": "{n}"}}',
            output__value="none",
        )
        for n in range(8)
    ]
    stream, _ = of(lines(*spans))
    monitor = Monitor()
    assert {"continue"} == {str(monitor.feed(event).decision.action) for event in stream}


def test_spans_inside_of_spans():
    stream = taken("openinference/nested.json")
    assert [("text of a", None), ("ValueError: no such file: gone", True)] == [
        (result.output, result.failed) for result in only(stream, events.ToolReturned)
    ]
    assert (250, 30, 0) == spent(stream)
    assert (1794857480.0, 1794857483.1) == (stream[0].at, round(stream[-1].at, 3))
