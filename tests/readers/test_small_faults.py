"""Small faults that programs leave in JSON cost nothing: halves of emojis, and a mark in front of everything."""

import json

import pytest

from headway.core import events
from headway.readers import read, reader_for
from headway.sources import Source
from tests.readers.samples_read import files, lines, of, only

HALF = "\ud83d"
MARK = b"\xef\xbb\xbf"
FILES = files("*/*.json*")
named = pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name + "/" + path.name)


def cut(value):
    """The same data as a program would write it that cuts what was said and printed in the middle of an emoji."""
    if isinstance(value, dict):
        return {name: cut(item) for name, item in value.items()}
    if isinstance(value, list):
        return [cut(item) for item in value]
    if not isinstance(value, str) or " " not in value or value.endswith(">"):  # tags are a program's own words
        return value
    try:
        return json.dumps(cut(json.loads(value)))
    except ValueError:
        return value + HALF


def cut_file(path):
    text = path.read_text()
    try:
        return json.dumps(cut(json.loads(text))).encode()
    except json.JSONDecodeError:
        return lines(*(cut(json.loads(line)) for line in text.splitlines()))


def told(content):
    source = Source(content=content)
    reader = reader_for(source)
    stream = [(type(event), event.run, event.agent, event.at) for event in read(source, reader)]
    return reader.name, stream, source.skipped


@named
def test_half_an_emoji_costs_no_record(path):
    spoilt = cut_file(path)
    assert rb"\ud83d" in spoilt
    assert told(path.read_bytes()) == told(spoilt)


@named
def test_a_byte_order_mark_costs_no_record(path):
    assert told(path.read_bytes()) == told(MARK + path.read_bytes())


def test_a_mark_in_front_of_a_chat_history():
    history = b"# aider chat started at 2026-11-15 10:00:00\n\n#### fix it\n\nDone.\n"
    assert of(history)[0] == of(MARK + history)[0]


def test_what_is_left_of_the_emoji_is_a_replacement_character():
    record = {"type": "tool_returned", "run": "r", "call": "c", "output": f"ok {HALF}"}
    (event,), source = of(lines(record))
    assert ("ok \ufffd", 0) == (event.output, source.skipped)


def test_whole_emojis_and_backslashes_stay_as_they_are():
    said = f"\U0001f600 \\ud83d \\\\{HALF}\ude00 {HALF}"
    written = rb'{"type": "user_spoke", "text": "\ud83d\ude00 \\ud83d \\\\\ud83d\ude00 \ud83d"}'
    (event,), _ = of(written)
    assert said.replace(f"{HALF}\ude00", "\U0001f600").replace(HALF, "\ufffd") == event.text


def test_arguments_that_are_text_with_half_an_emoji_are_arguments():
    given = json.dumps({"command": f"echo {HALF}"})
    call = {"id": "c", "type": "function", "function": {"name": "bash", "arguments": given}}
    chat = {"messages": [{"role": "user", "content": "go"}, {"role": "assistant", "tool_calls": [call]}]}
    meta = {"type": "session_meta", "payload": {"id": "s"}}
    item = {"type": "function_call", "name": "bash", "call_id": "c", "arguments": given}
    for content in (lines(chat), lines(meta, {"type": "response_item", "payload": item})):
        (asked,) = only(of(content)[0], events.ToolCalled)
        assert {"command": "echo \ufffd"} == asked.args
