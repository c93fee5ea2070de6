from headway.core import events
from headway.readers import recordings_in
from tests.readers.samples_read import SAMPLES, only, taken


def test_a_session_with_its_settings():
    stream = taken("droid/0b7c5b2e-6a52-4a6f-9f0e-1c6f1d0f9a11.jsonl")
    assert ("scripted", "/home/dev/proj", "droid") == (stream[0].model, stream[0].root, stream[0].program)
    assert [False, False, True, True] == [result.failed for result in only(stream, events.ToolReturned)]
    assert ["please fix add"] == [turn.text for turn in only(stream, events.UserSpoke)]
    (used,) = only(stream, events.Used)
    assert (500, 100, 150, 50) == (used.tokens_in, used.tokens_out, used.tokens_cached, used.tokens_written)


def test_settings_are_no_recording():
    assert 1 == len(list(recordings_in(SAMPLES / "droid")))
