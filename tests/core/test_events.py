import msgspec
import pytest

from headway import EventError, Measurements, decode_event, encode_event
from headway.core import events

EVENTS = [
    events.RunStarted(run="r", task="edit", model="m", root="/w", targets=("a.py",), program="p"),
    events.UserSpoke(text="hello", at=1.5),
    events.UserSpoke(text="the build is done", kind="news"),
    events.AgentSpoke(text="hi", agent="sub"),
    events.TurnEnding(text="done"),
    events.ToolCalled(call="c1", tool="Read", args={"file_path": "a.py", "n": [1, {"x": None}]}, batch="b", seq=3),
    events.ToolReturned(call="c1", output="text", failed=True, exit_code=2, denied=True, hits=0),
    events.ContextCompacted(),
    events.Advised(text="look", tool="Grep"),
    events.Used(tokens_in=5, tokens_out=7, cost_usd=0.25),
    events.Stopped(reason="enough"),
    events.IterationEnded(output="out", measured=Measurements(test_count=3, failing_tests=("a",))),
    events.RunEnded(outcome="solved"),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_written_and_read_back_an_event_is_the_same(event):
    assert event == decode_event(encode_event(event))
    assert event == decode_event(msgspec.json.decode(encode_event(event)))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{"type": "tool_called", "call": "c", "tool": 7}', "$.tool"),
        ('{"type": "tool_called", "tool": "Read"}', "call"),
        ('{"type": "tool_called", "call": "c", "tool": "Read", "args": "x"}', "$.args"),
        ('{"type": "tool_returned", "call": "c", "failed": "yes"}', "$.failed"),
        ('{"type": "user_spoke", "txt": "hello"}', "txt"),
        ('{"type": "iteration_ended", "measured": {"test_count": "many"}}', "$.measured.test_count"),
        ('{"type": "user_spoke", "kind": "robot"}', "$.kind"),
        ('{"type": "flown"}', "flown"),
        ('{"type": "user_spoke", "at": "noon"}', "$.at"),
        ("[1, 2]", "object"),
        ("{half", "malformed"),
    ],
)
def test_a_wrong_shape_is_refused_by_the_name_of_its_field(text, named):
    with pytest.raises(EventError, match="headway schema") as caught:
        decode_event(text)
    assert named in str(caught.value)


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: events.ToolCalled(call="c", tool=None), "ToolCalled.tool"),
        (lambda: events.ToolCalled(call=1, tool="Read"), "ToolCalled.call"),
        (lambda: events.ToolCalled(call="c", tool="Read", args=["x"]), "ToolCalled.args"),
        (lambda: events.UserSpoke(kind="robot"), "UserSpoke.kind"),
        (lambda: events.UserSpoke(kind=None), "UserSpoke.kind"),
        (lambda: events.ToolReturned(call=None), "ToolReturned.call"),
        (lambda: events.ToolReturned(call="c", output=b"x"), "ToolReturned.output"),
    ],
)
def test_a_wrong_shape_made_by_hand_is_refused_too(make, named):
    with pytest.raises(EventError, match=named):
        make()


def test_events_are_frozen():
    with pytest.raises(AttributeError):
        EVENTS[1].text = "other"
