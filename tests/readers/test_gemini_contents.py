import pytest

from headway.core import events
from tests.readers.samples_read import counts, of, only, raw, taken


@pytest.mark.parametrize("name", ["gemini-contents/request.json", "gemini-contents/contents.jsonl"])
def test_calls_without_ids_are_paired_by_name_and_order(name):
    found = raw(name)
    parts = [part for content in (found["contents"] if isinstance(found, dict) else found) for part in content["parts"]]
    asked = [part["functionCall"] for part in parts if "functionCall" in part]
    stream = taken(name)
    calls, results = only(stream, events.ToolCalled), only(stream, events.ToolReturned)

    assert [(call["name"], call["args"]) for call in asked] == [(e.tool, e.args) for e in calls]
    assert [e.call for e in calls] == [e.call for e in results]
    assert 3 == len({e.call for e in calls})
    assert (3, 3, 1, 2) == counts(stream)


def test_an_error_in_the_response_is_a_failure():
    results = only(taken("gemini-contents/request.json"), events.ToolReturned)
    assert [None, True, None] == [event.failed for event in results]
    assert "File not found: src/a.py" == results[1].output


def test_parts_that_were_dumped_with_all_their_fields():
    """As `model_dump()` of Google's own SDK writes them."""

    def content(role, **field):
        return {"role": role, "parts": [{"text": None, "thought": None, "function_call": None, **field}]}

    call, answer = {"id": None, "name": "ls", "args": {}}, {"id": None, "name": "ls", "response": {"output": "a.py"}}
    stream, _ = of(
        [content("user", text="go"), content("model", function_call=call), content("user", function_response=answer)]
    )
    assert (1, 1, 1, 0) == counts(stream)
    assert ["a.py"] == [event.output for event in only(stream, events.ToolReturned)]
