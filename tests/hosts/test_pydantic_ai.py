"""PydanticAI under watch, with a scripted model."""

import asyncio

import pytest

pytest.importorskip("pydantic_ai", reason="pydantic-ai is not installed here; `make test-frameworks` runs this")

from pydantic_ai import (
    Agent,
    AgentRunError,
    DeferredToolRequests,
    DeferredToolResults,
    ModelRetry,
    Tool,
    capture_run_messages,
)
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.usage import RequestUsage
from with_pydantic_ai import agent, bash, run

import headway
from headway.hosts.frameworks.pydantic_ai import Headway, RunStopped
from tests.hosts.said import NUDGE, REFUSAL, STOP


def script(*turns):
    """A model that says what the script says, and keeps what it was asked."""
    turns, asked = iter(turns), []

    def answer(messages, info):
        asked.append(ModelMessagesTypeAdapter.dump_python(messages, mode="json"))
        return next(turns)

    model = FunctionModel(answer)
    model.asked = asked
    return model


def calls(*commands, id="c", text="", tool="bash", argument="command"):
    parts = [ToolCallPart(tool, {argument: c}, f"{id}-{n}") for n, c in enumerate(commands)]
    said = [TextPart(text)] if text else []
    return ModelResponse(parts=[*said, *parts], usage=RequestUsage(input_tokens=100, output_tokens=10))


def says(text):
    return ModelResponse(parts=[TextPart(text)])


def looping(times):
    return script(*(calls("ls", id=f"c{n}") for n in range(times)), says("done"))


def parts(model, request=-1):
    return [part["content"] for message in model.asked[request] for part in message["parts"] if "content" in part]


def timeless(messages):
    """Without what differs between any two runs."""
    varying = {"timestamp", "run_id", "conversation_id"}
    if isinstance(messages, dict):
        return {key: timeless(value) for key, value in messages.items() if key not in varying}
    return [timeless(one) for one in messages] if isinstance(messages, list) else messages


def ask(agent, text="go", **options):
    return agent.run_sync(text, **options)


def ask_async(agent, text="go", **options):
    return asyncio.run(agent.run(text, **options))


@pytest.mark.parametrize("ask", [ask, ask_async])
def test_a_looping_agent_is_told_in_its_next_request(ask):
    model = looping(3)
    assert "done" == ask(agent(model)).output
    assert [False, False, False, True] == [NUDGE == parts(model, n)[-1] for n in range(4)]


def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason():
    model = looping(50)
    assert STOP == run(model, "go")
    assert ["go", "a.py b.py", "a.py b.py", "a.py b.py", NUDGE, REFUSAL, REFUSAL] == parts(model)


@pytest.mark.parametrize("ask", [ask, ask_async])
def test_the_stop_is_one_the_framework_knows(ask):
    with pytest.raises(AgentRunError) as caught:
        ask(agent(looping(50)))
    assert isinstance(caught.value, RunStopped) and "exact_cycle" == caught.value.decision.reason


def test_a_streamed_run_is_watched_alike():
    async def main():
        async with app.iter("go") as steps:
            return [type(step).__name__ async for step in steps]

    app = agent(looping(50))
    with pytest.raises(RunStopped, match="exact_cycle"):
        asyncio.run(main())


@pytest.mark.parametrize("ask", [ask, ask_async])
def test_a_healthy_agent_is_left_alone_to_the_byte(ask):
    def healthy():
        return script(calls("ls", "pwd", id="a", text="I look."), calls("ls src", id="b"), says("done"))

    watched, alone = healthy(), healthy()
    with_headway = ask(agent(watched))
    without = ask(Agent(alone, name="lister", tools=[bash]))
    assert timeless(alone.asked) == timeless(watched.asked)
    dumped = [ModelMessagesTypeAdapter.dump_python(one.all_messages(), mode="json") for one in (without, with_headway)]
    assert timeless(dumped[0]) == timeless(dumped[1])


def test_equal_calls_in_one_parallel_batch_are_no_loop():
    model = script(calls(*["ls"] * 6), says("done"))
    assert "done" == ask(agent(model)).output
    assert ["go"] + ["a.py b.py"] * 6 == parts(model)


def test_runs_with_a_history_are_turns_of_one_conversation():
    headway = Headway()

    def app(model):
        return Agent(model, name="a", tools=[bash], capabilities=[headway])

    first = ask(app(looping(2)))
    ask(app(looping(2)), "go on", message_history=first.all_messages())
    ask(app(looping(2)), "go")
    sessions = [one.monitor.session for one in headway.conversations._known.values()]
    assert [(2, 4), (1, 2)] == [(session.user_turn_count, session.step_count) for session in sessions]


def test_a_conversation_goes_on_after_a_stop_when_the_user_speaks():
    headway = Headway()
    with pytest.raises(RunStopped):
        ask(Agent(looping(9), name="a", tools=[bash], capabilities=[headway]), conversation_id="one")
    again = ask(Agent(looping(1), name="a", tools=[bash], capabilities=[headway]), "once more", conversation_id="one")
    assert "done" == again.output


def test_runs_of_a_sub_agent_are_kept_apart():
    headway = Headway()
    turns = [turn for n in range(5) for turn in (calls("ls", id=f"s{n}"), says(f"found {n}"))]
    sub_agent = Agent(script(*turns), name="sub", tools=[bash], capabilities=[headway])

    async def research(topic: str) -> str:
        return (await sub_agent.run(topic)).output

    model = script(
        *(calls(f"topic {n}", id=f"r{n}", tool="research", argument="topic") for n in range(5)), says("done")
    )
    ask(Agent(model, name="main", tools=[research], capabilities=[headway]))
    assert [f"found {n}" for n in range(5)] == parts(model)[1:]
    assert 6 == len(headway.conversations)


def test_what_the_model_used_counts_against_the_budget():
    headway = Headway(settings={"global": {"max_tokens": 250}})
    model = script(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)))
    with pytest.raises(RunStopped, match="spend"):
        ask(Agent(model, tools=[bash], capabilities=[headway]))
    assert len(model.asked) <= 3


def test_a_tool_that_asks_for_a_retry_has_failed():
    headway = Headway()

    def picky(command: str) -> str:
        raise ModelRetry("write the command out in full")

    model = script(calls("ls", tool="picky"), says("done"))
    ask(Agent(model, name="a", tools=[picky], capabilities=[headway]), conversation_id="one")
    assert 1 == headway.conversations.of("one", "a").monitor.session.error_count


def test_a_structured_output_is_no_obstacle_to_a_stop():
    app = Agent(looping(50), output_type=list[int], tools=[bash], capabilities=[Headway()])
    with pytest.raises(RunStopped, match="exact_cycle"):
        ask(app)


@pytest.mark.parametrize(
    ("tool", "args", "at", "why"),
    [
        # a call that its tool did not take is told; only a long series of them ends a run
        ("bash", {"comand": "ls"}, 17, "The last 17 calls all failed."),
        ("bash", "{not json", 17, "The last 17 calls all failed."),
        ("no_such_tool", {"command": "ls"}, 9, "no_such_tool"),
    ],
)
def test_calls_that_are_not_run_are_seen_too(tool, args, at, why):
    """Invalid arguments and unknown tools; the framework itself gives up only after `retries`."""
    turns = (ModelResponse(parts=[ToolCallPart(tool, args, f"c{n}")]) for n in range(30))
    told = []
    app = Agent(script(*turns), name="a", tools=[bash], retries=30, capabilities=[Headway(on_decision=told.append)])
    with pytest.raises(RunStopped) as stopped:
        ask(app)
    assert "nudge" == told[0].action and at >= len(app.model.asked)
    assert "[headway]" in str(parts(app.model)) and why in str(stopped.value)


def test_a_call_with_invalid_arguments_that_is_corrected_is_fine():
    wrong, told = ModelResponse(parts=[ToolCallPart("bash", {"comand": "ls"}, "w")]), []
    app = Agent(
        script(wrong, calls("ls"), says("done")),
        name="a",
        tools=[bash],
        capabilities=[Headway(on_decision=told.append)],
    )
    assert "done" == ask(app).output and [] == told


def test_approvals_are_no_new_turns():
    told = []
    watch = Headway(on_decision=told.append)

    def app(model):
        tool = Tool(bash, requires_approval=True)
        return Agent(model, name="a", tools=[tool], output_type=[str, DeferredToolRequests], capabilities=[watch])

    result = ask(app(looping(1)))
    for n in range(10):
        approved = DeferredToolResults(approvals={call.tool_call_id: True for call in result.output.approvals})
        try:
            result = ask(
                app(script(calls("ls", id=f"again{n}"))),
                None,
                message_history=result.all_messages(),
                deferred_tool_results=approved,
            )
        except RunStopped:
            break
    assert ["nudge", "block", "block", "stop"] == [decision.action for decision in told]


def test_the_stop_is_the_one_of_all_adapters():
    assert issubclass(RunStopped, headway.RunStopped)


def test_a_stop_leaves_no_call_unanswered_in_the_history():
    with capture_run_messages() as messages, pytest.raises(RunStopped):
        ask(agent(looping(50)))
    asked = [part.tool_call_id for one in messages for part in one.parts if part.part_kind == "tool-call"]
    answered = [part.tool_call_id for one in messages for part in one.parts if part.part_kind == "tool-return"]
    assert asked == answered != []


def test_money_is_counted_from_the_model_that_answered():
    model = script(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)))
    model._model_name = "claude-sonnet-4-5"
    with pytest.raises(RunStopped, match="spend"):
        ask(Agent(model, tools=[bash], capabilities=[Headway(max_cost_usd=0.001)]))
