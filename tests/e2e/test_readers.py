"""What the real programs of today leave on disk and print is read whole: their formats change, and this notices."""

import pytest

from headway.core import events
from headway.readers import UnknownFormatError, read, reader_for, recordings_in
from headway.sources import Source
from tests.e2e.agents import PROMPT, chosen
from tests.e2e.models import Say
from tests.e2e.place import Place
from tests.readers.counting import counts, only

pytestmark = pytest.mark.e2e

NOT_READ = ("cline", "kilo", "pi")
"""Programs whose recordings Headway does not read yet."""
READERS = {"gemini": "gemini-cli", "qwen": "qwen-code", "copilot": "copilot-cli"}
PRINTED = {
    "claude-code": "claude-code",
    "codex": "codex-exec",
    "gemini": "gemini-stream",
    "opencode": "opencode",
    "openhands": "openhands",
    "qwen": "claude-code",
}
"""Programs that print what they do in a format of their own, and its reader."""


def ran(agent, folder):
    """Run an agent: two calls at once, one that fails, one more, and a last word."""
    twice, failing = [agent.shell("cat notes.txt"), agent.shell("ls")], [agent.shell("cat missing.txt")]
    with agent.model([Say("I look."), *twice], failing, [agent.shell("cat notes.txt")], [Say("all done")]) as model:
        place = Place(folder, model.url)
        agent.prepare(place)
        (place.project / "notes.txt").write_text("hello\n")
        return place, place.run(*agent.command())


def recordings(folder):
    for source in recordings_in(folder):
        try:
            yield source, reader_for(source)
        except UnknownFormatError:
            continue


@pytest.mark.parametrize("agent", [one for one in chosen() if one.name not in NOT_READ], ids=lambda agent: agent.name)
def test_what_a_program_leaves_and_prints_is_read_whole(agent, tmp_path):
    place, result = ran(agent, tmp_path)
    ((source, reader),) = recordings(place.home)
    check(source, reader, READERS.get(agent.name, agent.name))
    said = [turn.text.strip('"') for turn in only(read(source, reader), events.UserSpoke)]
    assert [PROMPT] == said
    if agent.name in PRINTED:
        printed = Source(content=result.stdout.encode())
        check(printed, reader_for(printed), PRINTED[agent.name])


def check(source, reader, name):
    stream = list(read(source, reader))
    found = counts(stream)
    assert (name, 0) == (reader.name, source.skipped), source.first_fault
    assert (4, 4, 0) == (found["calls"], found["results"], found["denied"])
    results = only(stream, events.ToolReturned)
    assert [False, False, True, False] == ["missing.txt" in result.output for result in results]
    assert {None, False} >= {result.failed for result in (*results[:2], results[3])}
    tells_less = name == "gemini-stream"  # no exit codes, and it counts what it asked the model besides
    assert tells_less or results[2].failed or results[2].exit_code == 1
    tells_less |= name == "openhands" and not source.is_folder  # what it prints has no numbers of tokens
    assert tells_less or (400, 80) == (found["tokens_in"], found["tokens_out"])
    batches = [call.batch for call in only(stream, events.ToolCalled)]
    assert batches[0] == batches[1] and (batches[0] is None or batches[1] != batches[2])
    assert "all done" == only(stream, events.AgentSpoke)[-1].text
