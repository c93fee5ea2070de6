"""AG2 under watch, with its own scripted model."""

import asyncio

import pytest

pytest.importorskip("ag2", reason="ag2 is not installed here; `make test-frameworks` runs this")

from ag2 import Agent, tool
from ag2.events import ModelMessage, ModelResponse, ToolCallEvent, ToolCallsEvent, ToolResultEvent
from ag2.events.types import Usage
from ag2.testing import TestClient, TestConfig
from with_ag2 import agent, bash, run

from headway.hosts.frameworks.ag2 import Headway
from tests.hosts.said import NUDGE, REFUSAL, STOP


class Scripted(TestConfig):
    """Says what the script says, through all turns of a conversation, and keeps what it was asked."""

    __test__ = False

    def __init__(self, *turns):
        super().__init__(*turns, raise_tool_errors=False)
        self.asked, self._client = [], TestClient(*turns, raise_tool_errors=False)

    def create(self):
        async def client(messages, context, **options):
            self.asked.append(list(messages))
            return await self._client(messages, context, **options)

        return client


def calls(*commands, id="c", text="", tool="bash", argument="command"):
    asked = [
        ToolCallEvent(tool, id=f"{id}-{n}", arguments=f'{{"{argument}": "{command}"}}')
        for n, command in enumerate(commands)
    ]
    message = ModelMessage(text) if text else None
    usage = Usage(prompt_tokens=100, completion_tokens=10)
    return ModelResponse(message, tool_calls=ToolCallsEvent(asked), usage=usage)


def loop(times, id="c"):
    return [*(calls("ls", id=f"{id}{n}") for n in range(times)), "done"]


def looping(times):
    return Scripted(*loop(times))


def ask(app, text="go"):
    return asyncio.run(app.ask(text))


def results(model):
    found = [event for event in model.asked[-1] if isinstance(event, ToolResultEvent)]
    found += [result for event in model.asked[-1] for result in getattr(event, "results", ())]
    told = {event.parent_id: [part.content for part in event.result.parts] for event in found}
    return list(told.values())


def test_a_looping_agent_is_told_in_its_next_request():
    model = looping(3)
    assert "done" == ask(agent(model)).body
    assert [["a.py b.py"]] * 2 + [["a.py b.py", NUDGE]] == results(model)


def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason():
    model = looping(50)
    reply = ask(agent(model))
    assert (STOP, "exact_cycle") == (reply.body, reply.response.metadata["headway"])
    assert [[REFUSAL], [REFUSAL]] == results(model)[3:]
    assert 6 == len(model.asked)


def test_the_reason_is_what_the_caller_sees():
    assert STOP == asyncio.run(run(looping(50), "go"))


def test_a_healthy_agent_is_left_alone_to_the_byte():
    def healthy():  # one call at a time: in which order results of parallel calls come is chance, with or without us
        return Scripted(calls("ls", id="a", text="I look."), calls("pwd", id="b"), calls("ls src", id="c"), "done")

    watched, alone = healthy(), healthy()
    with_headway, without = ask(agent(watched)), ask(Agent("lister", config=alone, tools=[bash]))
    assert without.body == with_headway.body
    assert [list(map(repr, events)) for events in alone.asked] == [list(map(repr, events)) for events in watched.asked]


def test_equal_calls_in_one_parallel_batch_are_no_loop():
    model = Scripted(calls(*["ls"] * 6), "done")
    assert "done" == ask(agent(model)).body
    assert [["a.py b.py"]] * 6 == results(model)


def test_a_reply_goes_on_with_the_conversation_even_after_a_stop():
    async def main():
        first = await app.ask("go")
        second = await first.ask("go on")
        third = await app.ask("something else")
        return [reply.body for reply in (first, second, third)]

    headway = Headway()
    script = [*loop(6)[:-1], *loop(2, id="d"), *loop(1, id="e")]
    app = Agent("a", config=Scripted(*script), tools=[bash], middleware=[headway])
    assert [STOP, "done", "done"] == asyncio.run(main())
    known = [one.monitor.session.user_turn_count for one in headway.conversations._known.values()]
    assert [2, 1] == known


def test_runs_of_a_sub_agent_are_kept_apart():
    headway = Headway()
    turns = [turn for n in range(5) for turn in (calls("ls", id=f"s{n}"), f"found {n}")]
    sub_agent = Agent("sub", config=Scripted(*turns), tools=[bash], middleware=[headway])

    @tool
    async def research(topic: str) -> str:
        """Ask the sub-agent."""
        return (await sub_agent.ask(topic)).body

    asks = (calls(f"topic {n}", id=f"r{n}", tool="research", argument="topic") for n in range(5))
    model = Scripted(*asks, "done")
    assert "done" == ask(Agent("main", config=model, tools=[research], middleware=[headway])).body
    assert [[f"found {n}"] for n in range(5)] == results(model)
    assert 6 == len(headway.conversations)


def test_what_the_model_used_counts_against_the_budget():
    headway = Headway(settings={"global": {"max_tokens": 250}})
    model = Scripted(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)))
    reply = ask(Agent("a", config=model, tools=[bash], middleware=[headway]))
    assert "spend" == reply.response.metadata["headway"] and len(model.asked) <= 3


def test_a_tool_that_raises_is_noted_and_still_told_to_the_model():
    @tool
    def broken(command: str) -> str:
        """Run a command."""
        raise RuntimeError("the disk is full")

    headway, model = Headway(), Scripted(calls("ls", tool="broken"), "done")
    assert "done" == ask(Agent("a", config=model, tools=[broken], middleware=[headway])).body
    assert "the disk is full" in results(model)[0][0]
    assert [1] == [one.monitor.session.error_count for one in headway.conversations._known.values()]


def test_a_nudge_that_no_result_can_carry_is_a_message():
    @tool
    def broken(command: str) -> str:
        """Run a command."""
        raise RuntimeError("the disk is full")

    model = Scripted(*(calls("ls", id=f"c{n}", tool="broken") for n in range(3)), "done")
    assert "done" == ask(Agent("a", config=model, tools=[broken], middleware=[Headway()])).body
    assert [False, False, False, True] == ["[headway]" in repr(asked[-1]) for asked in model.asked]
