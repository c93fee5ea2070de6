import json

from headway.core import events
from tests.readers.samples_read import SAMPLES, of, only, spent, taken

NAME = "continue/session.json"


def test_a_session():
    stream = taken(NAME)
    assert [False, False, True, False, True] == [result.failed for result in only(stream, events.ToolReturned)]
    assert [None, "scripted"] == [start.model for start in only(stream, events.RunStarted)]
    assert {"/home/dev/proj"} == {start.root for start in only(stream, events.RunStarted)}
    assert (500, 100, 0.0007) == spent(stream)


def test_a_call_that_a_person_did_not_allow():
    file = json.loads((SAMPLES / NAME).read_text())
    file["history"][1]["toolCallStates"][0]["status"] = "canceled"
    file["history"][1]["toolCallStates"][1]["status"] = "calling"
    results = only(of(file)[0], events.ToolReturned)
    assert 4 == len(results) and (True, True) == (results[0].failed, results[0].denied)


def test_tokens_of_the_session_where_no_message_tells_any():
    file = json.loads((SAMPLES / NAME).read_text())
    for item in file["history"]:
        item["message"].pop("usage", None)
    assert (500, 100, 0.0007) == spent(of(file)[0])
