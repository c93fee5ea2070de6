"""Agno under watch, with a scripted model of its own base class."""

import asyncio

import pytest

pytest.importorskip("agno", reason="agno is not installed here; `make test-frameworks` runs this")

from agno.agent import Agent
from agno.metrics import MessageMetrics
from agno.models.base import Model
from agno.models.response import ModelResponse
from agno.tools.function import ToolResult
from with_agno import agent, bash, run

from headway import RunStopped as AnyRunStopped
from headway.hosts.frameworks.agno import Headway, RunStopped
from tests.hosts.said import NUDGE, REFUSAL, STOP

RESULT = "a.py b.py"


class Scripted(Model):
    """Says what the script says, and keeps what it was asked."""

    def __init__(self, *turns):
        super().__init__(id="gpt-4o-mini")
        self.turns, self.asked = list(turns), []

    def invoke(self, messages, **options):
        self.asked.append([(one.role, one.content) for one in messages])
        turn = self.turns.pop(0)
        said = {"content": turn} if isinstance(turn, str) else {"tool_calls": turn}
        usage = MessageMetrics(input_tokens=100, output_tokens=10, total_tokens=110)
        return ModelResponse(role="assistant", response_usage=usage, **said)

    async def ainvoke(self, messages, **options):
        return self.invoke(messages)

    def invoke_stream(self, messages, **options):
        yield self.invoke(messages)

    async def ainvoke_stream(self, messages, **options):
        yield self.invoke(messages)

    def _parse_provider_response(self, response, **options):
        return response

    def _parse_provider_response_delta(self, response):
        return response


def calls(*commands, id="c"):
    return [
        {
            "id": f"{id}-{n}",
            "type": "function",
            "function": {"name": "bash", "arguments": '{"command": "%s"}' % command},
        }
        for n, command in enumerate(commands)
    ]


def loop(times, id="c"):
    return [*(calls("ls", id=f"{id}{n}") for n in range(times)), "done"]


def results(model):
    return [content for role, content in model.asked[-1] if role == "tool"]


def said(reply):
    return reply.content or reply.messages[-1].content


def test_a_looping_agent_is_told_in_its_next_request():
    model = Scripted(*loop(3))
    assert "done" == run(model, "go")
    assert [RESULT, RESULT, f"{RESULT}\n\n{NUDGE}"] == results(model)


def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason():
    model = Scripted(*loop(50))
    assert STOP == run(model, "go")
    assert [REFUSAL, REFUSAL] == results(model)[3:]
    assert 6 == len(model.asked)
    assert issubclass(RunStopped, AnyRunStopped)


def test_a_stop_leaves_no_call_without_an_answer():
    messages = agent(Scripted(*loop(50))).run("go").messages
    asked = [call["id"] for one in messages for call in one.tool_calls or ()]
    assert asked == [one.tool_call_id for one in messages if one.role == "tool"]


def test_an_async_run_is_watched_in_the_same_way():
    async def ls(command: str) -> str:
        """Run a command."""
        return RESULT

    ls.__name__ = "bash"
    for tool in (bash, ls):
        model = Scripted(*loop(50))
        reply = asyncio.run(Agent(model=model, tools=[tool], tool_hooks=[Headway()]).arun("go"))
        assert (STOP, 6) == (said(reply), len(model.asked))


def test_a_streamed_run_is_watched_in_the_same_way():
    model = Scripted(*loop(50))
    *_, reply = agent(model).run("go", stream=True, yield_run_output=True)
    assert (STOP, 6) == (said(reply), len(model.asked))


def test_a_healthy_agent_is_left_alone_to_the_byte():
    script = [calls("ls", "pwd", id="a"), calls("ls src", id="b"), "done"]
    watched, alone = Scripted(*script), Scripted(*script)
    assert run(watched, "go") == Agent(model=alone, tools=[bash]).run("go").content
    assert alone.asked == watched.asked


def test_equal_calls_in_one_parallel_batch_are_no_loop():
    for ask in (lambda one: one.run("go"), lambda one: asyncio.run(one.arun("go"))):
        model = Scripted(calls(*["ls"] * 6), "done")
        assert "done" == ask(agent(model)).content
        assert [RESULT] * 6 == results(model)


def test_a_run_is_a_turn_of_its_session_even_after_a_stop():
    headway, model = Headway(), Scripted(*loop(6)[:-1], *loop(2, id="d"), *loop(1, id="e"))
    one = Agent(name="lister", model=model, tools=[bash], tool_hooks=[headway])
    runs = [("go", "s"), ("go on", "s"), ("go", "t")]
    assert [STOP, "done", "done"] == [said(one.run(text, session_id=session)) for text, session in runs]
    turns = [known.monitor.session.user_turn_count for known in headway.conversations._known.values()]
    assert [2, 1] == turns and ("s", "lister") in headway.conversations


def test_what_the_model_used_counts_against_the_budget():
    model = Scripted(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)))
    headway = Headway(max_tokens=250)
    reply = Agent(model=model, tools=[bash], tool_hooks=[headway]).run("go")
    assert "Stopped by Headway (spend)" in said(reply) and len(model.asked) <= 3
    known = [one.monitor.session.spending.tokens for one in headway.conversations._known.values()]
    assert [len(model.asked) * 110] == known


def test_a_tool_that_raises_is_noted_and_still_told_to_the_model():
    def bash(command: str) -> str:
        """Run a command."""
        raise RuntimeError("the disk is full")

    headway, model = Headway(), Scripted(calls("ls"), "done")
    assert "done" == Agent(model=model, tools=[bash], tool_hooks=[headway]).run("go").content
    assert "the disk is full" in results(model)[0]
    assert [1] == [one.monitor.session.error_count for one in headway.conversations._known.values()]


def test_a_result_of_agnos_own_kind_carries_a_nudge_and_a_generator_is_left_alone():
    def own(command: str) -> ToolResult:
        """Run a command."""
        return ToolResult(content=RESULT)

    def bit_by_bit(command: str):
        """Run a command."""
        yield RESULT

    own.__name__ = bit_by_bit.__name__ = "bash"
    for tool, last in ((own, f"{RESULT}\n\n{NUDGE}"), (bit_by_bit, RESULT)):
        model = Scripted(*loop(3))
        Agent(model=model, tools=[tool], tool_hooks=[Headway()]).run("go")
        assert last == results(model)[-1]
