"""Haystack's Agent under watch, with a scripted generator."""

import asyncio

import pytest

pytest.importorskip("haystack", reason="haystack-ai is not installed here; `make test-frameworks` runs this")

from haystack import component
from haystack.components.agents import Agent
from haystack.components.agents.state import State
from haystack.dataclasses import ChatMessage, ToolCall
from haystack.hooks import hook
from haystack.tools import tool
from with_haystack import agent, bash, run

from headway.hosts.frameworks import haystack
from headway.hosts.frameworks.haystack import Headway
from tests.hosts.said import NUDGE, REFUSAL, STOP


@component
class Scripted:
    """Says what the script says, and keeps what it was asked."""

    def __init__(self, *turns):
        self.turns, self.asked = list(turns), []

    @component.output_types(replies=list[ChatMessage])
    def run(self, messages: list[ChatMessage], tools: list | None = None, **options):
        self.asked.append([message.to_dict() for message in messages])
        return {"replies": [self.turns.pop(0)]}

    @component.output_types(replies=list[ChatMessage])
    async def run_async(self, messages: list[ChatMessage], tools: list | None = None, **options):
        return self.run(messages)

    def to_dict(self):
        return {"type": "tests.hosts.test_haystack.Scripted", "init_parameters": {}}

    @classmethod
    def from_dict(cls, data):
        return cls()


def calls(*commands, id="c", tool="bash", argument="command", text=None):
    wanted = [ToolCall(id=f"{id}-{n}", tool_name=tool, arguments={argument: c}) for n, c in enumerate(commands)]
    meta = {"usage": {"prompt_tokens": 100, "completion_tokens": 10}}
    return ChatMessage.from_assistant(text, tool_calls=wanted, meta=meta)


def says(text):
    return ChatMessage.from_assistant(text)


def looping(times):
    return Scripted(*(calls("ls", id=f"c{n}") for n in range(times)), says("done"))


def watched_by(headway, generator, tools=(bash,)):
    return Agent(chat_generator=generator, tools=list(tools), hooks=headway.hooks())


def ask(app, text="go", **options):
    return app.run(messages=[ChatMessage.from_user(text)], **options)


def ask_async(app, text="go", **options):
    return asyncio.run(app.run_async(messages=[ChatMessage.from_user(text)], **options))


def results(messages):
    return [message.tool_call_result.result for message in messages if message.tool_call_results]


@pytest.mark.parametrize("ask", [ask, ask_async])
def test_a_looping_agent_is_told_in_its_next_request(ask):
    model = looping(3)
    assert "done" == ask(agent(model))["last_message"].text
    assert [False, False, False, True] == [ChatMessage.from_user(NUDGE).to_dict() == asked[-1] for asked in model.asked]


@pytest.mark.parametrize("ask", [ask, ask_async])
def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason(ask):
    model = looping(50)
    result = ask(agent(model))
    assert (STOP, "headway: exact_cycle") == (result["last_message"].text, result["exit_reason"])
    assert [REFUSAL, REFUSAL, STOP] == results(result["messages"])[3:]
    assert 6 == len(model.asked)


def test_the_reason_is_what_the_caller_sees():
    assert (STOP, "headway: exact_cycle") == run(looping(50), "go")


@pytest.mark.parametrize("ask", [ask, ask_async])
def test_a_healthy_agent_is_left_alone_to_the_byte(ask):
    def healthy():
        return Scripted(calls("ls", "pwd", id="a", text="I look."), calls("ls src", id="b"), says("done"))

    watched, alone = healthy(), healthy()
    with_headway, without = ask(agent(watched)), ask(Agent(chat_generator=alone, tools=[bash]))
    assert alone.asked == watched.asked
    assert [m.to_dict() for m in without["messages"]] == [m.to_dict() for m in with_headway["messages"]]
    assert without["exit_reason"] == with_headway["exit_reason"]


def test_equal_calls_in_one_parallel_batch_are_no_loop():
    result = ask(agent(Scripted(calls(*["ls"] * 6), says("done"))))
    assert ["a.py b.py"] * 6 == results(result["messages"])


def test_of_several_calls_only_the_told_one_is_refused():
    model = Scripted(*looping(3).turns[:3], calls("ls", "pwd", id="both"), says("done"))
    result = ask(agent(model))
    assert [REFUSAL, "a.py b.py"] == results(result["messages"])[3:]
    assert ["both-0", "both-1"] == [m.tool_call_result.origin.id for m in result["messages"] if m.tool_call_results][3:]


def test_a_run_is_a_conversation_unless_one_is_named():
    headway, model = Headway(), looping(50)
    app = watched_by(headway, model)
    named = {"hook_context": {"conversation": "one"}}
    assert "headway: exact_cycle" == ask(app, **named)["exit_reason"]
    for options in (named, {}):
        model.turns = looping(2).turns
        assert "text" == ask(app, "go on", **options)["exit_reason"]
    assert 2 == len(headway.conversations)
    assert 2 == headway.conversations.of("one").monitor.session.user_turn_count


def test_runs_of_a_sub_agent_are_kept_apart():
    headway = Headway()
    turns = [turn for n in range(5) for turn in (calls("ls", id=f"s{n}"), says(f"found {n}"))]
    sub_agent = watched_by(headway, Scripted(*turns))

    @tool
    def research(topic: str) -> str:
        """Ask the sub-agent."""
        return ask(sub_agent, topic)["last_message"].text

    asks = (calls(f"topic {n}", id=f"r{n}", tool="research", argument="topic") for n in range(5))
    result = ask(watched_by(headway, Scripted(*asks, says("done")), [research]))
    assert [f"found {n}" for n in range(5)] == results(result["messages"])
    assert 6 == len(headway.conversations)


def test_what_the_model_used_counts_against_the_budget():
    model = Scripted(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)))
    result = ask(watched_by(Headway(settings={"global": {"max_tokens": 250}}), model))
    assert "headway: spend" == result["exit_reason"] and len(model.asked) <= 3


def test_hooks_of_the_user_are_kept():
    seen = []

    @hook
    def mine(state: State) -> None:
        seen.append(len(state.data["messages"]))

    model = Scripted(calls("ls"), says("done"))
    ask(Agent(chat_generator=model, tools=[bash], hooks=Headway().hooks({"before_llm": [mine]})))
    assert [1, 3] == seen


def test_an_agent_that_is_saved_and_loaded_is_watched_by_one_hook_again():
    headway = Headway(settings={"global": {"max_tokens": 250}})
    saved = headway.to_dict()
    assert headway is Headway.from_dict(saved)
    name = saved["init_parameters"]["name"]
    del haystack._known[name]
    loaded = Headway.from_dict(saved)
    assert loaded is Headway.from_dict(saved) and loaded is not headway
    assert (
        "headway: spend"
        == ask(watched_by(loaded, Scripted(*(calls(f"ls {n}", id=f"{n}") for n in range(9)))))["exit_reason"]
    )


def test_a_tool_that_raises_is_noted_as_a_failure():
    @tool
    def broken(command: str) -> str:
        """Run a command."""
        raise RuntimeError("the disk is full")

    headway = Headway()
    app = Agent(
        chat_generator=Scripted(calls("ls", tool="broken"), says("done")), tools=[broken], hooks=headway.hooks(),
        raise_on_tool_invocation_failure=False,
    )  # fmt: skip
    ask(app, hook_context={"conversation": "one"})
    assert 1 == headway.conversations.of("one").monitor.session.error_count
