from headway.core import events
from tests.readers.samples_read import counts, only, raw, spent, taken


def blocks(messages, *kinds):
    """All blocks of these types in raw messages."""
    return [b for m in messages if isinstance(m["content"], list) for b in m["content"] if b["type"] in kinds]


def test_calls_and_results_are_blocks():
    messages = raw("anthropic-messages/request.json")["messages"]
    stream = taken("anthropic-messages/request.json")
    calls = blocks(messages, "tool_use", "server_tool_use")
    results = blocks(messages, "tool_result", "web_search_tool_result")

    assert [(b["id"], b["name"], b["input"]) for b in calls] == [
        (e.call, e.tool, e.args) for e in only(stream, events.ToolCalled)
    ]
    assert [b["tool_use_id"] for b in results] == [e.call for e in only(stream, events.ToolReturned)]
    assert [True, None, None] == [e.failed for e in only(stream, events.ToolReturned)]
    assert "def add(a, b):\n    return a - b" == only(stream, events.ToolReturned)[1].output
    assert "claude-some" == stream[0].model


def test_words_beside_a_result_are_the_hosts_and_thoughts_are_not_said():
    stream = taken("anthropic-messages/request.json")
    assert ["Fix the failing test.", "Then do it."] == [event.text for event in only(stream, events.UserSpoke)]
    assert ["Let me look.", "It should add.", "Done."] == [event.text for event in only(stream, events.AgentSpoke)]


def test_a_providers_own_tool_is_called_before_it_answers():
    stream = taken("anthropic-messages/request.json")
    order = [type(e).__name__ for e in stream if getattr(e, "call", "") == "srvtoolu_1"]
    assert ["ToolCalled", "ToolReturned"] == order


def test_responses_bring_their_usage():
    usage = [record["usage"] for record in raw("anthropic-messages/responses.jsonl") if "usage" in record]
    into = sum(u["input_tokens"] + u["cache_creation_input_tokens"] + u["cache_read_input_tokens"] for u in usage)
    stream = taken("anthropic-messages/responses.jsonl")
    assert (into, sum(u["output_tokens"] for u in usage), 0) == spent(stream) == (100, 20, 0)
    assert (2, 2, 1, 1) == counts(stream)
