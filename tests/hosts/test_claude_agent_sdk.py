"""Claude Agent SDK under watch: its own Claude Code, asking a scripted model on this machine."""

import asyncio
import json

import pytest

pytest.importorskip(
    "claude_agent_sdk", reason="claude-agent-sdk is not installed here; `make test-frameworks` runs this"
)

from claude_agent_sdk import ClaudeAgentOptions, HookMatcher, ResultMessage, query
from with_claude_agent_sdk import headway, run

from headway.hosts.frameworks.claude_agent_sdk import Headway
from tests.e2e.models import AnthropicModel, Call, Say
from tests.hosts.said import NUDGE, REFUSAL, STOP


@pytest.fixture
def at(tmp_path):
    """Options for a session against a model, in a folder and a home of its own."""
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a.py").write_text("print('a')\n")

    def options(model):
        environment = {"HOME": str(tmp_path / "home"), "ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "scripted"}
        quiet = {"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
        return {
            "cwd": str(tmp_path / "project"),
            "allowed_tools": ["Bash", "Read", "Edit"],
            "model": "claude-sonnet-4-5",
            "env": {**environment, **quiet},
        }

    return options


def ls(command="ls"):
    return Call("Bash", command=command, description="look")


def ask(model, at, text="go", watch=None, **options):
    """Ask once; the last message."""

    async def main():
        hooks = watch.hooks() if watch else None
        messages = query(prompt=text, options=ClaudeAgentOptions(hooks=hooks, **at(model), **options))
        return [message async for message in (watch.listen(messages) if watch else messages)][-1]

    return asyncio.run(main())


def results(model):
    """What the model was given for its calls, the last time it was asked."""
    parts = [part for message in model.conversation[-1]["messages"] for part in message["content"]]
    return [part["content"] for part in parts if isinstance(part, dict) and part["type"] == "tool_result"]


def as_bash(text):
    return text.replace("bash", "Bash")


def test_a_looping_agent_is_told_in_its_next_request(at):
    with AnthropicModel(*[[ls()]] * 3) as model:
        assert "done" == asyncio.run(run("go", **at(model)))
    assert [False, False, True] == [as_bash(NUDGE) in result for result in results(model)]


def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason(at):
    with AnthropicModel(*[[ls()]] * 50) as model:
        assert as_bash(STOP) == asyncio.run(run("go", **at(model)))
    assert [True, True] == [as_bash(REFUSAL) in result for result in results(model)[3:]]
    assert 6 == len(model.conversation)


def test_the_stop_is_one_the_framework_knows(at):
    watch = Headway()
    with AnthropicModel(*[[ls()]] * 50) as model:
        last = ask(model, at, watch=watch)
    assert isinstance(last, ResultMessage) and (False, "hook_stopped") == (last.is_error, last.terminal_reason)
    assert "exact_cycle" == watch.of(last.session_id).stopped.reason


def test_a_healthy_agent_is_left_alone_to_the_byte(at):
    def healthy():
        return AnthropicModel([Say("I look."), ls()], [ls("pwd")], [ls("cat a.py")])

    with healthy() as watched:
        with_headway = ask(watched, at, watch=Headway())
    with healthy() as alone:
        without = ask(alone, at)
    assert without.result == with_headway.result
    assert [one["messages"] for one in alone.conversation] == [one["messages"] for one in watched.conversation]


def test_equal_calls_in_one_parallel_batch_are_no_loop(at):
    with AnthropicModel([ls()] * 6) as model:
        assert "done" == asyncio.run(run("go", **at(model)))
    assert 6 == len(results(model)) and "headway" not in json.dumps(results(model))


def test_a_session_that_is_resumed_goes_on_after_a_stop(at):
    watch = Headway()
    with AnthropicModel(*[[ls()]] * 6, [ls()]) as model:
        stopped = ask(model, at, watch=watch)
        again = ask(model, at, "once more", watch=watch, resume=stopped.session_id)
    assert ("done", stopped.session_id) == (again.result, again.session_id)
    assert 2 == watch.of(stopped.session_id).monitor.session.user_turn_count


def test_calls_with_invalid_input_are_seen_too(at):
    wrong = Call("Edit", file_path="a.py", old_string="not there", new_string="x")
    watch = Headway()
    with AnthropicModel(*[[wrong]] * 3) as model:
        last = ask(model, at, watch=watch)
    assert 3 == watch.of(last.session_id).monitor.session.error_count
    assert "[headway]" in json.dumps(model.conversation[-1]["messages"])


def test_what_the_model_used_counts_against_the_budget(at):
    watch = Headway(settings={"global": {"max_tokens": 250}})
    with AnthropicModel(*[[ls(f"echo {n}")] for n in range(9)]) as model:
        last = ask(model, at, watch=watch)
    assert "spend" == watch.of(last.session_id).stopped.reason and len(model.conversation) <= 4


def test_a_sub_agent_of_the_program_is_watched_apart(at):
    """It works at the same time as the main agent, so which of the two gets which turn of the script is chance."""
    task = Call("Task", description="look", prompt="look around", subagent_type="general-purpose")
    watch = Headway()
    with AnthropicModel([task], *[[ls()]] * 2) as model:
        last = ask(model, at, watch=watch)
    main, *others = sorted(watch.conversations._known, key=lambda key: key[1] is not None)
    assert (last.session_id, None) == main
    assert [(last.session_id, True)] == [(session, bool(agent)) for session, agent in others]


def test_your_own_hooks_are_kept_and_sub_agents_watched_apart():
    async def mine(data, tool_use_id, context):
        return {}

    watch = Headway()
    hooks = watch.hooks({"PreToolUse": [HookMatcher(hooks=[mine])]})
    assert mine in hooks["PreToolUse"][0].hooks
    before, after = hooks["PreToolUse"][1].hooks[0], hooks["PostToolUse"][0].hooks[0]
    for n in range(9):
        said = {"session_id": "s", "agent_id": f"sub{n}", "tool_name": "Bash", "tool_input": {"command": "ls"}}
        said |= {"tool_use_id": f"c{n}", "tool_response": {"stdout": "a.py"}}
        asyncio.run(before({"hook_event_name": "PreToolUse", **said}, f"c{n}", None))
        assert {} == asyncio.run(after({"hook_event_name": "PostToolUse", **said}, f"c{n}", None))
    assert 9 == len(watch.conversations)


def test_what_is_not_understood_is_logged_and_let_through(caplog):
    assert {} == asyncio.run(headway.hooks()["PreToolUse"][0].hooks[0]({"hook_event_name": "PreToolUse"}, None, None))
    assert "_answer failed" in caplog.text


@pytest.mark.parametrize("more", [{}, {"source": "poll_event"}])
def test_reports_of_sub_agents_are_no_turns_and_may_be_noted(more):
    watch, session = Headway(), {"session_id": "s1"}
    for number in range(9):
        text = f"Agent {number} found {number + 2} problems, the worst in line {number * 31}."
        prompt = text if more else f"<task-notification>{text}</task-notification>"
        said = watch._answer({"hook_event_name": "UserPromptSubmit", "prompt": prompt, **session, **more})
        noted = f"The reviewer found {number + 2} problems. {8 - number} are still running."
        watch._answer({"hook_event_name": "Stop", "last_assistant_message": noted, **session})
        assert not said
    assert (0, None) == (watch.of("s1").monitor.session.user_turn_count, watch.of("s1").stopped)
