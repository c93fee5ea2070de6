import json

from headway.core import events
from headway.readers.inspect_log import InspectLog
from headway.sources import Source
from tests.readers.samples_read import SAMPLES, counts, of, only, raw, spent, taken

ARCHIVE = "inspect-log/two-samples.eval"
DOCUMENT = "inspect-log/mock.json"


def samples_of(name):
    """The samples as plain data."""
    source = Source(SAMPLES / name)
    names = [member for member in source.names if member.startswith("samples/")]
    return [json.loads(source.member(member).open().read()) for member in names] or raw(name)["samples"]


def happened(sample, kind):
    return [event for event in sample["events"] if event["event"] == kind]


def test_an_archive_and_a_document_are_read_alike():
    for name, runs in ((ARCHIVE, ["first#1", "second#1"]), (DOCUMENT, ["1#1"])):
        stream = taken(name)
        assert runs == [event.run for event in only(stream, events.RunStarted)]
        for sample, run in zip(samples_of(name), runs, strict=True):
            mine = [event for event in stream if event.run == run]
            tools = happened(sample, "tool")
            assert [(t["id"], t["function"]) for t in tools] == [
                (e.call, e.tool) for e in only(mine, events.ToolCalled)
            ]
            assert [bool(t.get("error")) for t in tools] == [e.failed for e in only(mine, events.ToolReturned)]
            usage = sample["model_usage"]["mockllm/model"]
            assert (
                usage["input_tokens"] + usage.get("input_tokens_cache_read", 0),
                usage["output_tokens"],
                0,
            ) == spent(mine)
            assert (len(tools), len(tools), 1, len(happened(sample, "model"))) == counts(mine)


def test_long_texts_are_fetched_from_the_attachments():
    sample = samples_of(ARCHIVE)[0]
    (kept,) = [t["arguments"]["command"] for t in happened(sample, "tool") if "attachment" in str(t["arguments"])]
    stream = [event for event in taken(ARCHIVE) if event.run == "first#1"]

    assert (
        sample["attachments"][kept.removeprefix("attachment://")] == only(stream, events.ToolCalled)[2].args["command"]
    )
    assert not any("attachment://" in event.output for event in only(stream, events.ToolReturned))


def test_the_error_of_a_call_is_its_output():
    failed = [event for event in only(taken(ARCHIVE), events.ToolReturned) if event.failed]
    assert ["cat: missing.txt: No such file or directory"] * 2 == [event.output for event in failed]


def log(*samples):
    return {"version": 2, "status": "success", "eval": {"eval_id": "x"}, "plan": {}, "samples": list(samples)}


def test_a_log_without_events_is_read_by_its_messages():
    messages = [
        {"role": "user", "content": "go", "source": "input"},
        {
            "role": "assistant",
            "content": "ok",
            "tool_calls": [{"id": "c", "function": "bash", "arguments": {"cmd": "ls"}}],
        },
        {"role": "tool", "tool_call_id": "c", "content": "", "error": {"type": "timeout", "message": "too slow"}},
        {"role": "user", "content": "Please go on."},
        3,
    ]
    stream, source = of(log({"id": 1, "epoch": 2, "messages": messages}, "odd"))
    assert (1, 1, 1, 1) == counts(stream)
    assert ["Please go on."] == [event.text for event in only(stream, events.Advised)]
    assert [("too slow", True)] == [(event.output, event.failed) for event in only(stream, events.ToolReturned)]
    assert 2 == source.skipped


def test_an_agent_within_an_agent_is_kept_apart():
    def begins(id, parent, kind):
        return {"event": "span_begin", "id": id, "parent_id": parent, "type": kind, "name": "helper", "span_id": id}

    def tool(id, span):
        return {"event": "tool", "id": id, "span_id": span, "function": "bash", "arguments": {}, "result": "x"}

    happened = [
        begins("outer", None, "agent"),
        tool("a", "outer"),
        begins("inner", "outer", "agent"),
        tool("b", "inner"),
    ]
    stream, _ = of(log({"id": "s", "epoch": 1, "events": happened}))
    assert ["", "helper inner"] == [event.agent for event in only(stream, events.ToolCalled)]


def test_an_archive_without_samples_is_counted_and_an_unknown_zip_is_not_ours():
    assert not InspectLog().recognises(Source(content=b"PK\x03\x04 not a zip").head())
