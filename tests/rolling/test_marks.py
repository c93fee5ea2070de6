"""Texts between marks, in one pass however many beginnings there are."""

import json
import time

import pytest

from headway.readers import read, readers
from headway.rolling.text import Between
from headway.sources import Source
from tests.readers.samples_read import lines

TAGS = Between("<a>", "</a>")


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("none", [], "none"),
        (" kept as it is \n", [], " kept as it is \n"),
        ("one <a>x</a> two", ["x"], "onetwo"),
        ("<a>x</a>", ["x"], ""),
        ("hi\n<a>\nx\n</a>\n", ["\nx\n"], "hi"),
        ("<a>x</a> and <a>y</a>!", ["x", "y"], "and!"),
        ("<a>x<a>y</a>z", ["x<a>y"], "z"),
        ("<a>x", [], "<a>x"),
        ("</a><a>", [], "</a><a>"),
    ],
)
def test_what_is_marked_and_what_is_not(text, inside, outside):
    assert (inside, outside) == (TAGS.inside(text), TAGS.outside(text))


def recorded(name, text):
    """A recording in which a user, or mini-swe-agent's model and shell, say this."""
    if name == "gemini-stream":
        return lines({"type": "init", "session_id": "s"}, {"type": "message", "role": "user", "content": text})
    if name == "gemini-cli":
        said = {"id": "1", "timestamp": "2026-03-01T10:00:00Z", "type": "user", "content": [{"text": text}]}
        return lines({"sessionId": "s", "projectHash": "h", "startTime": "2026-03-01T10:00:00Z"}, said)
    if name == "qwen-code":
        return lines(
            {"uuid": "1", "sessionId": "s", "type": "user", "message": {"role": "user", "parts": [{"text": text}]}}
        )
    if name == "claude-code":
        message = {"role": "user", "content": "<command-message>" + text}
        return lines({"uuid": "1", "sessionId": "s", "type": "user", "message": message})
    command = {"role": "assistant", "content": "```bash\nls\n```"}
    messages = [{"role": "assistant", "content": text}, command, {"role": "user", "content": text}]
    return json.dumps({"trajectory_format": "mini-swe-agent-1", "info": {}, "messages": messages}).encode()


BEGINNINGS = {
    "gemini-stream": ["<hook_context>"],
    "gemini-cli": ["<hook_context>"],
    "qwen-code": ["<qwen:a-context>"],
    "claude-code": ["<command-name>", "<command-name>a</command-name><command-args>"],
    "mini-swe-agent": ["```bash\n", "<output>"],
}
CASES = [(name, text) for name, texts in BEGINNINGS.items() for text in [*texts, " ", "\n"]]


@pytest.mark.parametrize(("name", "text"), CASES)
def test_a_text_of_many_beginnings_and_no_end_takes_no_longer_than_another(name, text):
    """Some of these took minutes: from each beginning, the end was looked for again."""
    source = Source(content=recorded(name, text * 60_000))
    began = time.process_time()
    assert len(list(read(source, readers()[name]))) > 1
    assert time.process_time() - began < 5
