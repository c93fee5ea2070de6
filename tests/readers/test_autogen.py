import pytest

from headway.core import events
from tests.readers.samples_read import lines, of, only, taken


@pytest.mark.parametrize("name", ["autogen/result.json", "autogen/messages.jsonl"])
def test_a_team(name):
    stream = taken(name)
    assert [("c1", False), ("c2", True), ("c3", False)] == [
        (result.call, result.failed) for result in only(stream, events.ToolReturned)
    ]
    assert ["please look"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert ["Done. TERMINATE"] == [words.text for words in only(stream, events.AgentSpoke)]
    assert [(100, 20)] * 3 == [(used.tokens_in, used.tokens_out) for used in only(stream, events.Used)]
    assert all(event.at for event in stream[1:])


def test_what_is_unknown_is_skipped_and_what_repeats_results_is_passed_over():
    both = {"source": "a", "models_usage": None}
    stream, source = of(
        lines(
            {"type": "ThoughtEvent", "content": "hm", **both},
            {"type": "ToolCallSummaryMessage", "content": "x", **both},
            {"type": "Flown", **both},
        )
    )
    assert (1, 1) == (len(stream), source.skipped)
