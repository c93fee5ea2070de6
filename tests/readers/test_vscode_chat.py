import json

import pytest

from headway.core import events
from tests.readers.samples_read import SAMPLES, lines, of, only, spent, taken


@pytest.mark.parametrize("name", ["vscode-chat/session.json", "vscode-chat/session.jsonl"])
def test_a_chat(name):
    stream = taken(name)
    assert ["read_file", "run_in_terminal", "run_in_terminal", "replace_string_in_file"] == [
        call.tool for call in only(stream, events.ToolCalled)
    ]
    assert "def add(a, b):\n    return a - b\n" == only(stream, events.ToolReturned)[0].output
    assert ["please fix add", "thanks"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert ["I look first.", "Fixed.", "You are welcome."] == [words.text for words in only(stream, events.AgentSpoke)]
    assert [None, "scripted"] == [start.model for start in only(stream, events.RunStarted)]
    assert (320, 50, 0) == spent(stream)
    assert 1 == len({call.batch for call in only(stream, events.ToolCalled)[:2]})


def test_a_change_that_fits_nowhere_is_skipped_and_counted():
    records = [json.loads(line) for line in (SAMPLES / "vscode-chat/session.jsonl").read_text().splitlines()]
    lost = {"kind": 1, "k": ["requests", 99, "result"], "v": {}}
    stream, source = of(lines(*records, lost, {"kind": 9, "k": ["requests"]}))
    assert (2, 2) == (source.skipped, len(only(stream, events.UserSpoke)))
