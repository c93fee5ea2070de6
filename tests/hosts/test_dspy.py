"""DSPy under watch, with its own DummyLM."""

import asyncio
import copy

import pytest

pytest.importorskip("dspy", reason="dspy is not installed here; `make test-frameworks` runs this")

import dspy
from dspy.utils import DummyLM
from with_dspy import agent, bash

from headway import RunStopped as AnyRunStopped
from headway.hosts.frameworks.dspy import Headway, RunStopped
from tests.hosts.said import NUDGE, REFUSAL, STOP

RESULT = "a.py b.py"


def calls(command, tool="bash"):
    return {"next_thought": "I look.", "next_tool_name": tool, "next_tool_args": {"command": command}}


FINISH = {"next_thought": "That is all.", "next_tool_name": "finish", "next_tool_args": {}}
ANSWER = {"reasoning": "Seen.", "answer": "done"}


def loop(times):
    return [*[calls("ls")] * times, FINISH, ANSWER]


def ask(program, model, is_async=False):
    with dspy.context(lm=model):
        return asyncio.run(program.acall(question="go")) if is_async else program(question="go")


def observations(prediction):
    return [value for name, value in prediction.trajectory.items() if name.startswith("observation_")][:-1]


@pytest.mark.parametrize("is_async", [False, True])
def test_a_looping_agent_is_told_in_its_next_request(is_async):
    model = DummyLM(loop(3))
    found = ask(agent(), model, is_async)
    assert "done" == found.answer
    assert [RESULT, RESULT, f"{RESULT}\n\n{NUDGE}"] == observations(found)
    assert NUDGE in str(model.history[3]["messages"])


@pytest.mark.parametrize("is_async", [False, True])
def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason(is_async):
    model = DummyLM(loop(50))
    with pytest.raises(RunStopped) as stopped:
        ask(agent(), model, is_async)
    assert (STOP, "exact_cycle") == (str(stopped.value), stopped.value.decision.reason)
    assert isinstance(stopped.value, AnyRunStopped)
    assert 6 == len(model.history) and REFUSAL in str(model.history[-1]["messages"])


def test_a_healthy_agent_is_left_alone_to_the_byte():
    script = [calls("ls"), calls("pwd"), calls("ls src"), FINISH, ANSWER]
    watched, alone = DummyLM(script), DummyLM(script)
    assert ask(agent(), watched).answer == ask(dspy.ReAct("question -> answer", tools=[bash]), alone).answer
    assert [one["messages"] for one in alone.history] == [one["messages"] for one in watched.history]


def test_an_async_tool_is_watched():
    async def bash(command: str) -> str:
        """Run a command."""
        return RESULT

    program = Headway().ReAct("question -> answer", tools=[bash])
    with pytest.raises(RunStopped, match="exact_cycle"):
        ask(program, DummyLM(loop(50)), is_async=True)


def test_each_call_is_a_conversation_and_copies_are_watched():
    headway = Headway()
    program = headway.ReAct("question -> answer", tools=[bash])
    for one in (program, program, copy.deepcopy(program), program.deepcopy()):
        assert [RESULT] * 2 == observations(ask(one, DummyLM(loop(2))))
    assert 4 == len(headway.conversations)


def test_a_tool_that_raises_is_noted_and_still_told_to_the_model():
    def bash(command: str) -> str:
        """Run a command."""
        raise RuntimeError("the disk is full")

    headway = Headway()
    found = ask(headway.ReAct("question -> answer", tools=[bash]), DummyLM(loop(1)))
    assert "the disk is full" in observations(found)[0]
    assert [1] == [one.monitor.session.error_count for one in headway.conversations._known.values()]


def test_what_the_model_used_counts_against_the_budget():
    class Counted(DummyLM):
        def update_history(self, entry):
            super().update_history({**entry, "usage": {"prompt_tokens": 100, "completion_tokens": 10}})

    model = Counted([*(calls(f"ls {n}") for n in range(9))])
    headway = Headway(max_tokens=250)
    with pytest.raises(RunStopped, match="spend"):
        ask(headway.ReAct("question -> answer", tools=[bash]), model)
    assert len(model.history) <= 3
    known = [one.monitor.session.spending.tokens for one in headway.conversations._known.values()]
    assert [len(model.history) * 110] == known
