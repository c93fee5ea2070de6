import shutil

from headway.core import events
from headway.readers import recordings_in
from tests.readers.samples_read import SAMPLES, only, taken

NAME = "antigravity/transcript.jsonl"


def test_a_transcript():
    stream = taken(NAME)
    results = only(stream, events.ToolReturned)
    assert [False, False, None, True] == [result.failed for result in results]
    assert [None, 0, 1, None] == [result.exit_code for result in results]
    assert [call.call for call in only(stream, events.ToolCalled)] == [result.call for result in results]
    assert "README.md\napp.py\n" == results[1].output
    assert ["please fix add"] == [turn.text for turn in only(stream, events.UserSpoke)]


def test_the_two_files_of_a_conversation_are_one_recording(tmp_path):
    folder = tmp_path / "brain" / "some-id" / ".system_generated" / "logs"
    folder.mkdir(parents=True)
    for name in ("transcript.jsonl", "transcript_full.jsonl"):
        shutil.copy(SAMPLES / NAME, folder / name)
    (source,) = recordings_in(tmp_path)
    assert folder == source.path
