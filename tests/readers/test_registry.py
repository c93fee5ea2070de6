"""What holds for every reader: each is found by its file, and knows its own samples and nobody else's."""

import json
from importlib import import_module

import pytest

from headway.core import events
from headway.readers import UnknownFormatError, read, reader_for, readers
from headway.sources import Source
from headway.sources.head import may_begin
from tests.readers.samples_read import sources

SOURCES = list(sources())


@pytest.mark.parametrize(("name", "source"), SOURCES, ids=lambda value: getattr(value, "name", value))
def test_a_sample_is_known_to_its_own_reader_alone(name, source):
    """`samples/<name of the reader>/…` holds what that reader is tested with."""
    assert [name] == [reader.name for reader in readers().values() if reader.recognises(source.head())]
    assert len(list(read(source))) > 2


@pytest.mark.parametrize("name", readers())
def test_every_reader_has_a_sample(name):
    assert name in {name for name, _ in SOURCES}


@pytest.mark.parametrize(
    "content", [b"", b"hello", b'{"a": 1}', b"\x00\x01", b"[]", b"PK\x03\x04", b"SQLite format 3\0"]
)
def test_other_files_are_not_recognised(content):
    with pytest.raises(UnknownFormatError, match=r"the file is empty$|`headway scan --help` lists the formats$"):
        reader_for(Source(content=content))


def test_a_reader_can_be_named():
    assert "headway" == reader_for(Source(content=b""), "headway").name
    with pytest.raises(UnknownFormatError, match=r"no reader 'nobody'; expected one of: .*headway"):
        reader_for(Source(content=b""), "nobody")


def test_events_are_numbered_for_each_agent_of_each_run():
    stream = [events.UserSpoke(run=run, agent=agent) for run, agent in ["a-", "a-", "b-", "ax", "a-"]]
    lines = b"\n".join(
        b'{"type":"user_spoke","run":"%s","agent":"%s"}' % (e.run.encode(), e.agent.encode()) for e in stream
    )
    assert [1, 2, 1, 1, 3] == [event.seq for event in read(Source(content=lines))]


def test_who_knows_one_program_is_asked_before_general_shapes():
    """A trajectory whose steps are kept beside a list of chat messages is the program's."""
    step = {"action": "ls", "observation": "a.py", "state": {}}
    content = json.dumps({"trajectory": [step], "messages": [{"role": "user", "content": "hi"}]}).encode()
    head = Source(content=content).head()
    assert [True, True] == [readers()[name].recognises(head) for name in ("openai-chat", "swe-agent")]
    assert "swe-agent" == reader_for(Source(content=content)).name


def test_a_long_document_is_known_by_its_beginning_whatever_is_wrong_further_on():
    steps = [{"action": "ls", "observation": "a.py\n" * 500, "state": {}}] * 50
    content = json.dumps({"environment": "e", "trajectory": steps}, indent=1).encode()
    damaged = Source(content=content[:40_000] + b"\xff" + content[40_000:])
    assert "swe-agent" == reader_for(damaged).name
    calls = [event for event in read(damaged) if isinstance(event, events.ToolCalled)]
    assert (49, 1) == (len(calls), damaged.skipped)


@pytest.mark.parametrize(("name", "source"), SOURCES, ids=lambda value: getattr(value, "name", value))
def test_the_words_a_reader_is_loaded_for_are_in_its_samples_and_say_whether_it_is_general(name, source):
    module = {"continue": "continue_dev", "headway": "headway_events"}.get(name, name.replace("-", "_"))
    reader = getattr(import_module(f"headway.readers.{module}"), module.title().replace("_", ""))()
    looks = [look for look in (source.head(), source.head().glance()) if look and reader.recognises(look)]
    assert looks and all(may_begin(module, look) for look in looks)
    assert getattr(reader, "general", False) is readers()[name].general
    assert (reader.name, reader.title) == (readers()[name].name, readers()[name].title)
