"""Captured events of the real programs are understood."""

import pytest

from headway.hosts.hook.call import respond
from headway.hosts.hook.recognise import guess, host_called
from headway.store.faults import read_faults
from headway.store.overview import list_sessions

from .programs import ask, captured

STREAMS = {
    "claude-code": ("claude-code", {"": 4}, "Bash"),
    "claude-code-subagent": ("claude-code", {"": 1, "add40eb5421cc3a2e": 1}, "Agent"),
    "codex": ("codex", {"": 2}, "Bash"),
    "copilot-camel": ("copilot", {"": 4}, "bash"),
    "copilot-pascal": ("copilot", {"": 4}, "Bash"),
    "cursor": ("cursor", {"": 2}, "Read"),
    "cline": ("cline", {"": 4}, "run_commands"),
    "gemini": ("gemini", {"": 3}, "run_shell_command"),
    "kilo": ("kilo", {"": 4}, "bash"),
    "opencode": ("opencode", {"": 3}, "bash"),
    "openhands": ("openhands", {"": 7}, "file_editor"),
    "pi": ("pi", {"": 4}, "bash"),
    "qwen": ("qwen", {"": 2}, "run_shell_command"),
}
"""For each stream: the program, the finished calls of each agent, and the last tool of the main one."""


@pytest.mark.parametrize("named", [True, False], ids=["named", "recognised"])
@pytest.mark.parametrize("stream", STREAMS)
def test_captured_streams_are_understood_and_not_nudged(stream, named):
    program, steps, last_tool = STREAMS[stream]

    answers = [ask(data, program if named else None) for data in captured(stream)]

    sessions = {one.agent: one for one in list_sessions()}
    assert [{}] * len(answers) == answers
    assert [] == read_faults()
    assert steps == {agent: one.steps for agent, one in sessions.items()}
    assert (program, last_tool, "continue") == (sessions[""].host, sessions[""].last_tool, sessions[""].verdict)
    assert sessions[""].cwd.startswith("/home/dev/")


@pytest.mark.parametrize("stream", STREAMS)
def test_every_event_is_recognised_by_its_format(stream):
    assert {STREAMS[stream][0]} == {guess(data, {}) for data in captured(stream)}


@pytest.mark.parametrize("stream", STREAMS)
def test_informative_events_are_known_by_name(stream):
    """A renamed event would go unnoticed, so the uninformative events are listed here, and no others are ignored."""
    host = host_called(STREAMS[stream][0])
    silent = {
        "SubagentStart", "Notification", "BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress",
    }  # fmt: skip
    unheard = [data for data in captured(stream) if host.event_from(data) is None]

    assert all(
        data.get("hook_event_name") in silent
        or not data.get("prompt")
        or data["prompt"].startswith("<task-notification>")
        for data in unheard
    )


def test_a_claude_hook_that_copilot_or_cursor_runs_answers_them_and_not_claude():
    pascal, cursor = captured("copilot-pascal")[2], captured("cursor")[2]
    for data in (pascal, cursor):
        respond(
            str(data).replace("'", '"').replace("None", "null").replace("False", "false").encode(),
            ["--agent", "claude-code"],
        )

    assert {"copilot", "cursor"} == {one.host for one in list_sessions()}
