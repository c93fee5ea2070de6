from headway.core import events
from tests.readers.samples_read import counts, lines, of, only, raw, spent, taken

OUTPUTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")
HOSTED = ("web_search_call", "mcp_call")


def of_type(items, *ends):
    return [item for item in items if item.get("type", "").endswith(ends)]


def test_items_are_calls_and_outputs():
    items = raw("openai-responses/items.json")
    stream = taken("openai-responses/items.json")
    calls = [item.get("call_id") or item["id"] for item in of_type(items, "_call")]
    assert calls == [e.call for e in only(stream, events.ToolCalled)]
    assert len(of_type(items, *OUTPUTS, *HOSTED)) == len(only(stream, events.ToolReturned)) == 5
    assert ["shell", "apply_patch", "local_shell", "web_search", "read"] == [
        e.tool for e in only(stream, events.ToolCalled)
    ]
    assert (5, 5, 1, 2) == counts(stream)


def test_only_what_the_provider_ran_itself_tells_whether_it_failed():
    results = only(taken("openai-responses/items.json"), events.ToolReturned)
    assert [None, None, None, False, True] == [event.failed for event in results]
    assert "no such file" == results[-1].output


def test_a_chain_of_responses_is_one_run_with_its_usage():
    responses = raw("openai-responses/responses.jsonl")
    stream = taken("openai-responses/responses.jsonl")
    usage = [response["usage"] for response in responses]

    assert {"resp_1"} == {event.run for event in stream}
    assert (sum(u["input_tokens"] for u in usage), sum(u["output_tokens"] for u in usage), 0) == spent(stream)
    assert (5, 5, 1, 2) == counts(stream)
    assert "some-model" == stream[0].model


def test_calls_without_an_output_in_between_are_a_batch():
    first, second, third, *_ = [e.batch for e in only(taken("openai-responses/items.json"), events.ToolCalled)]
    assert first == second != third


def test_responses_that_repeat_the_input_tell_it_once():
    def response(number, input, output):
        return {"id": f"r{number}", "object": "response", "input": input, "output": output}

    ask = {"role": "user", "content": "go"}
    call = {"type": "function_call", "id": "f", "call_id": "c", "name": "ls", "arguments": "{}"}
    out = {"type": "function_call_output", "call_id": "c", "output": "a.py"}
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}
    stream, source = of(lines(response(1, [ask], [call]), response(2, [ask, call, out], [said])))
    assert (1, 1, 1, 1) == counts(stream)
    assert 0 == source.skipped


def test_an_unknown_item_is_counted():
    call = {"type": "function_call", "id": "f", "call_id": "c", "name": "ls", "arguments": "{}"}
    stream, source = of([call, {"type": "brand_new", "id": "x"}])
    assert (1, 0, 0, 0) == counts(stream)
    assert (1, "line 1: an item of unknown type 'brand_new'") == (source.skipped, source.first_fault)
