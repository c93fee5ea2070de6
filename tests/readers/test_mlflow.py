import json

from headway.core import events
from tests.readers.samples_read import SAMPLES, of, only, spent, taken


def test_a_trace():
    stream = taken("mlflow/trace.json")
    assert [("c1", {"path": "a"}), ("c2", {"path": "gone"})] == [
        (call.call, call.args) for call in only(stream, events.ToolCalled)
    ]
    assert [("text of a", None), ("no such file: gone", True)] == [
        (result.output, result.failed) for result in only(stream, events.ToolReturned)
    ]
    assert ["please look"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert (200, 40, 0) == spent(stream)
    assert {"tr-980db8eccfb8f3e5180bb2bf257563a6"} == {event.run for event in stream}
    assert all(event.at for event in stream)


def test_traces_of_a_session_are_one_run():
    trace = json.loads((SAMPLES / "mlflow/trace.json").read_text())
    trace["info"]["trace_metadata"]["mlflow.trace.session"] = "s"
    assert {"s"} == {event.run for event in of([trace])[0]}
