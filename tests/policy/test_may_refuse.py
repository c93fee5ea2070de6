"""Before a call nobody need ask as long as nothing can be refused."""

from hypothesis import given, settings

from headway import Monitor
from headway.core.events import ToolCalled
from tests.conftest import examples
from tests.streams import failure, spelled
from tests.test_battery import STREAMS, each_recording


def wrongly_calm(stream) -> list[int]:
    """Places of the calls that were answered although nothing could be refused, by what the monitor said."""
    monitor, wrong = Monitor(), []
    for place, event in enumerate(stream):
        calm = not monitor.may_refuse
        decision = monitor.feed(event).decision
        if isinstance(event, ToolCalled) and calm and decision.action != "continue":
            wrong.append(place)
    return wrong


@each_recording
def test_in_recordings(stream):
    assert [] == wrongly_calm(stream)


@given(STREAMS)
@settings(max_examples=examples(50), deadline=None)
def test_in_any_stream(stream):
    assert [] == wrongly_calm(stream)


def test_it_is_true_from_the_nudge_on():
    monitor, answers = Monitor(), []
    for word in spelled([failure()] * 4):
        for event in word:
            monitor.feed(event)
        answers.append(monitor.may_refuse)

    assert [False, False, True, True] == answers


def test_a_persons_stop_counts():
    monitor = Monitor()
    monitor.stop("enough")

    assert monitor.may_refuse
