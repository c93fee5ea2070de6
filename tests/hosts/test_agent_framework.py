"""Microsoft Agent Framework under watch, with a scripted model."""

import asyncio

import pytest

pytest.importorskip("agent_framework", reason="agent-framework is not installed here; `make test-frameworks` runs this")

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationLayer,
    Message,
    ResponseStream,
    tool,
)
from with_agent_framework import agent, bash, run

from headway.hosts.frameworks.agent_framework import Headway
from tests.hosts.said import NUDGE, REFUSAL, STOP


class Scripted(FunctionInvocationLayer, ChatMiddlewareLayer, BaseChatClient):
    """Says what the script says, and keeps what it was asked."""

    def __init__(self, *turns):
        super().__init__()
        self.turns, self.asked = list(turns), []

    def _inner_get_response(self, *, messages, stream, options, **rest):
        self.asked.append([message.to_dict() for message in messages])
        contents, usage = self.turns.pop(0), {"input_token_count": 100, "output_token_count": 10}
        if stream:
            return ResponseStream(self._updates(contents, usage), finalizer=ChatResponse.from_updates)
        return self._response(contents, usage)

    async def _response(self, contents, usage):
        return ChatResponse(messages=[Message("assistant", contents)], usage_details=usage)

    async def _updates(self, contents, usage):
        for content in [*contents, Content.from_usage(usage)]:
            yield ChatResponseUpdate(contents=[content], role="assistant")


def calls(*commands, id="c", tool="bash", argument="command"):
    return [
        Content.from_function_call(f"{id}-{n}", tool, arguments={argument: command})
        for n, command in enumerate(commands)
    ]


def says(text):
    return [Content.from_text(text)]


def looping(times):
    return Scripted(*(calls("ls", id=f"c{n}") for n in range(times)), says("done"))


def ask(app, text="go", **options):
    return asyncio.run(app.run(text, **options))


def ask_streaming(app, text="go", **options):
    async def main():
        return await app.run(text, stream=True, **options).get_final_response()

    return asyncio.run(main())


def results(model):
    parts = [part for message in model.asked[-1] for part in message["contents"] if part["type"] == "function_result"]
    return [[item["text"] for item in part["items"]] if part.get("items") else [part["result"]] for part in parts]


def without_ids(messages):
    """Without what is made up anew in every run."""
    if isinstance(messages, dict):
        return {key: without_ids(value) for key, value in messages.items() if key not in ("id", "message_id")}
    return [without_ids(one) for one in messages] if isinstance(messages, list) else messages


@pytest.mark.parametrize("ask", [ask, ask_streaming])
def test_a_looping_agent_is_told_in_its_next_request(ask):
    model = looping(3)
    assert "done" == ask(agent(model)).text.strip()
    assert [["a.py b.py"]] * 2 + [["a.py b.py", NUDGE]] == results(model)


@pytest.mark.parametrize("ask", [ask, ask_streaming])
def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason(ask):
    model = looping(50)
    response = ask(agent(model))
    assert (STOP, "exact_cycle") == (response.messages[-1].text, response.additional_properties["headway"])
    assert [[REFUSAL], [REFUSAL]] == results(model)[3:5]
    assert 6 == len(model.asked)


def test_the_reason_is_what_the_caller_sees():
    assert STOP in asyncio.run(run(looping(50), "go"))


@pytest.mark.parametrize("ask", [ask, ask_streaming])
def test_a_healthy_agent_is_left_alone_to_the_byte(ask):
    def healthy():
        return Scripted([*says("I look."), *calls("ls", "pwd", id="a")], calls("ls src", id="b"), says("done"))

    watched, alone = healthy(), healthy()
    with_headway, without = ask(agent(watched)), ask(Agent(client=alone, name="lister", tools=[bash]))
    assert without_ids(alone.asked) == without_ids(watched.asked)
    assert without_ids(without.to_dict()["messages"]) == without_ids(with_headway.to_dict()["messages"])


def test_equal_calls_in_one_parallel_batch_are_no_loop():
    model = Scripted(calls(*["ls"] * 6), says("done"))
    assert "done" == asyncio.run(run(model, "go"))
    assert [["a.py b.py"]] * 6 == results(model)


@pytest.mark.parametrize("ask", [ask, ask_streaming])
def test_a_session_is_a_conversation_and_each_run_a_turn(ask):
    headway, model = Headway(), looping(50)
    app = Agent(client=model, name="a", tools=[bash], middleware=headway.middleware)
    session = app.create_session()
    assert STOP == ask(app, session=session).messages[-1].text
    model.turns = looping(2).turns
    assert "done" == ask(app, "go on", session=session).text.strip()
    model.turns = looping(2).turns
    assert "done" == ask(app).text.strip()
    known = [one.monitor.session.user_turn_count for one in headway.conversations._known.values()]
    assert [2, 1] == known


def test_runs_side_by_side_and_of_a_sub_agent_are_kept_apart():
    headway = Headway()
    turns = [turn for n in range(5) for turn in (calls("ls", id=f"s{n}"), says(f"found {n}"))]
    sub_agent = Agent(client=Scripted(*turns), name="research", tools=[bash], middleware=headway.middleware)
    asks = (calls(f"topic {n}", id=f"r{n}", tool="research", argument="task") for n in range(5))
    model = Scripted(*asks, says("done"))
    app = Agent(client=model, name="main", tools=[sub_agent.as_tool()], middleware=headway.middleware)
    assert "done" == ask(app).text.strip()
    assert [[f"found {n}"] for n in range(5)] == results(model)
    assert 6 == len(headway.conversations)


@pytest.mark.parametrize("ask", [ask, ask_streaming])
def test_what_the_model_used_counts_against_the_budget(ask):
    headway = Headway(settings={"global": {"max_tokens": 250}})
    model = Scripted(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)))
    response = ask(Agent(client=model, tools=[bash], middleware=headway.middleware))
    assert "spend" == response.additional_properties["headway"] and len(model.asked) <= 3


def test_a_tool_that_raises_is_noted_and_still_told_to_the_model():
    @tool
    def broken(command: str) -> str:
        """Run a command."""
        raise RuntimeError("the disk is full")

    headway = Headway()
    model = Scripted(calls("ls", tool="broken"), says("done"))
    assert "done" == ask(Agent(client=model, tools=[broken], middleware=headway.middleware)).text
    assert [1] == [one.monitor.session.error_count for one in headway.conversations._known.values()]


def test_a_nudge_that_no_result_can_carry_is_a_message():
    @tool
    def broken(command: str) -> str:
        """Run a command."""
        raise RuntimeError("the disk is full")

    model = Scripted(*(calls("ls", id=f"c{n}", tool="broken") for n in range(3)), says("done"))
    assert "done" == ask(Agent(client=model, tools=[broken], middleware=Headway().middleware)).text.strip()
    assert [False, False, False, True] == ["[headway]" in str(asked[-1]) for asked in model.asked]
