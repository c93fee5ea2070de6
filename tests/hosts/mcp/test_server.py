"""`headway mcp`: what an agent is told about its own session, which the real hook has recorded."""

import asyncio
import json
import os
from pathlib import Path

import pytest

from headway.hosts.mcp.answers import MOST_LINES
from tests import command

SECRET = "ghp_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2"


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path / "state"))
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")


class Session:
    """A Claude Code session with the hook."""

    def __init__(self, id="3f2a91c0-1", cwd=None):
        self.fields, self.calls = {"session_id": id, "cwd": str(cwd or Path.cwd())}, 0

    def event(self, name, **fields):
        event = {**self.fields, "hook_event_name": name, **fields}
        done = command.headway("hook", "--agent", "claude-code", stdin=json.dumps(event), folder=Path.cwd(), text=True)
        assert 0 == done.returncode

    def says(self, text):
        self.event("UserPromptSubmit", prompt=text)
        return self

    def calls_tool(self, tool, output="done", **given):
        self.calls += 1
        call = {"tool_name": tool, "tool_input": given, "tool_use_id": f"call-{self.calls}"}
        self.event("PreToolUse", **call)
        response = {"stdout": output, "stderr": "", "interrupted": False} if tool == "Bash" else {"content": output}
        self.event("PostToolUse", **call, tool_response=response)
        return self

    def runs(self, command, output="done"):
        return self.calls_tool("Bash", output, command=command)

    def edits(self, path, new="1"):
        return self.calls_tool("Edit", "edited", file_path=str(Path.cwd() / path), old_string="0", new_string=new)


def ask(tool, program="claude-code", **given):
    from mcp import Client  # takes a second: only the process that needs it pays

    from headway.hosts.mcp.server import server_for

    async def asking():
        async with Client(server_for(program)) as client:
            return (await client.call_tool(tool, given)).content[0].text

    return asyncio.run(asking())


def test_without_a_session_it_says_so():
    expected = f"There is no live session of claude-code in {Path.cwd()}."
    assert all(ask(tool).startswith(expected) for tool in ("am_i_stuck", "what_have_i_tried", "what_changed_since"))


def test_a_session_that_goes_well_has_no_open_finding():
    Session().says("fix the login").runs("ls", "a.py").runs("cat a.py", "print(1)")
    assert [
        "No finding is open: none that led to a decision in this turn was seen in the last 5 steps.",
        "Headway has made no decision since the user's last message.",
        "Calls that returned: 2; since the user's last message: 2.",
        f"This is about session 3f2a91c0-1 of claude-code in {Path.cwd()}, first prompt “fix the login”.",
    ] == ask("am_i_stuck").splitlines()


def test_a_session_in_a_loop_hears_what_was_found_and_what_clears_it():
    looping = Session().says("fix the login")
    for _ in range(3):
        looping.runs("cat notes.txt", "nothing new here")
    first, finding, clears, decision, *_ = ask("am_i_stuck").splitlines()
    assert "1 finding is open:" == first
    assert finding.startswith(
        "- exact_cycle (high), seen at step 3: The command `cat notes.txt` gave the same result 3 times"
    )
    assert clears.startswith("  Clears: when another call is made, a result differs or is missing")
    assert decision.startswith("The latest decision of this turn was nudge (exact_cycle), at step 3: ")
    looping.says("go on")
    assert ask("am_i_stuck").startswith("No finding is open"), "a message of the user closes it"


def test_what_was_tried_is_counted_with_its_results():
    session = Session().says("fix the login")
    for number in range(3):
        session.edits("login.py", str(number)).runs("pytest -q", f"{number + 1} failed, 2 passed in 0.1s")
    session.runs("make build").calls_tool("Read", "text", file_path=str(Path.cwd() / "login.py"))
    session.calls_tool("mcp__headway__am_i_stuck", "no")
    told = ask("what_have_i_tried").splitlines()
    assert told[0].startswith("Commands and edits that are stored: 7; different ones: 3.")
    assert {
        "- 3 × `pytest -q` (Bash): failed 3; latest at step 6: failed",
        "- 3 × edit login.py (Edit): ok 3; latest at step 5: ok",
    } == set(told[1:3])
    assert ["- 1 × `make build` (Bash): ok 1; step 7", "Not listed: read 1."] == told[3:5]


def test_what_changed_since_the_user_the_tests_and_a_step():
    session = Session().says("fix the login").edits("a.py").edits("b.py").runs("pytest -q", "2 passed in 0.1s")
    assert ask("what_changed_since", since="test").startswith(
        "Since the last test run (step 3, `pytest -q` (Bash), ok): no edits without a failure."
    )
    session.says("and the docs").edits("c.md").edits("c.md", "2").runs("make docs")
    expected = ["- c.md: 2 edits (steps 4, 5)", "Other calls, which may have changed files too: build 1."]
    for since, told in (
        ("user", "Since the user's last message (after step 3): 2 edits without a failure:"),
        ("test", "Since the last test run (step 3, `pytest -q` (Bash), ok): 2 edits without a failure:"),
        ("3", "After step 3: 2 edits without a failure:"),
    ):
        assert [told, *expected] == ask("what_changed_since", since=since).splitlines()[:3]
    assert "3 edits without a failure" in ask("what_changed_since", since="1")
    assert ask("what_changed_since", since="x").startswith("`since` is 'x'; expected a step number, 'user' or 'test'.")


def test_without_a_test_run_it_says_so():
    Session().runs("ls")
    assert ask("what_changed_since", since="test").startswith("No test run of this session is stored.")


def test_of_several_sessions_the_latest_is_taken_and_the_others_are_named():
    Session("aaaa").says("old").runs("one")
    Session("bbbb").says("new").runs("two")
    Session("cccc", cwd=Path.cwd().parent).says("above").runs("three")
    told = ask("what_have_i_tried")
    assert "`two`" in told and "`one`" not in told
    assert "2 live sessions fit this folder, and this one was active last." in told
    assert f"The other: session aaaa of claude-code in {Path.cwd()}, first prompt “old”" in told and "cccc" not in told
    assert "`one`" in ask("what_have_i_tried", session="aa") and "fit this folder" not in ask(
        "what_have_i_tried", session="aa"
    )


def test_sessions_that_ended_or_belong_to_another_program_do_not_count():
    Session("aaaa").runs("one").event("SessionEnd", reason="other")
    assert ask("am_i_stuck").startswith("There is no live session of claude-code")
    Session("bbbb").runs("two")
    assert ask("am_i_stuck", "codex").startswith("There is no live session of codex")
    assert "bbbb" in ask("am_i_stuck", "")


def test_a_session_of_a_folder_above_is_found_if_there_is_none_here(tmp_path):
    Session("cccc", cwd=tmp_path).runs("three")
    assert "session cccc" in ask("am_i_stuck")


def test_answers_are_bounded_and_without_secrets():
    session = Session().says(f"use {SECRET} for the upload")
    for number in range(MOST_LINES + 5):
        session.runs(
            f"curl -H 'Authorization: Bearer {SECRET}' https://example.com/{number} " + "x" * 3000, f"{number}"
        )
    told = ask("what_have_i_tried")
    assert SECRET not in told + ask("am_i_stuck") + ask("what_changed_since", since="0")
    assert "5 more are not shown." in told and len(told) < 10_000


def test_a_damaged_database_is_named(tmp_path):
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "sessions.db").write_bytes(b"no database at all" * 100)
    assert ask("am_i_stuck").startswith("Headway cannot read its database: file is not a database.")


def test_the_command_is_a_server_on_standard_input_and_output(monkeypatch):
    from mcp import Client, StdioServerParameters

    Session().says("fix the login").runs("ls")

    async def asking():
        server = StdioServerParameters(
            command=command.RUN[0], args=[*command.RUN[1:], "mcp", "--agent", "claude-code"], env=dict(os.environ)
        )
        async with Client(server) as client:
            tools = (await client.list_tools()).tools
            return [tool.name for tool in tools], (await client.call_tool("am_i_stuck", {})).content[0].text

    names, told = asyncio.run(asking())
    assert ["am_i_stuck", "what_have_i_tried", "what_changed_since"] == names and "session 3f2a91c0-1" in told
