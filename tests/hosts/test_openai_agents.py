"""The OpenAI Agents SDK under watch, with a scripted model."""

import asyncio
import json
from dataclasses import replace
from string import ascii_lowercase

import pytest

pytest.importorskip("agents", reason="openai-agents is not installed here; `make test-frameworks` runs this")

from agents import (
    Agent,
    Model,
    ModelResponse,
    RunConfig,
    RunHooks,
    Runner,
    SQLiteSession,
    Usage,
    function_tool,
    handoff,
    set_tracing_disabled,
)
from agents.run import ModelInputData
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)
from with_openai_agents import bash, run

import headway as headway_module
from headway.hosts.frameworks.openai_agents import Headway, RunStopped, guardrail, needs_approval
from tests.hosts.said import NUDGE, REFUSAL, STOP

set_tracing_disabled(True)


class Scripted(Model):
    """Says what the script says, and keeps what it was asked."""

    def __init__(self, *turns):
        self.turns, self.asked = list(turns), []

    async def get_response(self, system_instructions, input, *args, **kwargs):
        self.asked.append(json.loads(json.dumps(input)))
        usage = Usage(requests=1, input_tokens=100, output_tokens=10, total_tokens=110)
        return ModelResponse(output=self.turns.pop(0), usage=usage, response_id=None)

    async def stream_response(self, system_instructions, input, *args, **kwargs):
        answer = await self.get_response(system_instructions, input)
        response = Response(
            id="r", created_at=0, model="scripted", object="response", output=answer.output, tool_choice="auto", tools=[],
            parallel_tool_calls=True,
        )  # fmt: skip
        yield ResponseCompletedEvent(response=response, sequence_number=0, type="response.completed")


def calls(*commands, id="c", tool="bash"):
    return [
        ResponseFunctionToolCall(
            type="function_call", name=tool, call_id=f"{id}-{n}", arguments=json.dumps({"command": c})
        )
        for n, c in enumerate(commands)
    ]


def says(text):
    content = [ResponseOutputText(type="output_text", text=text, annotations=[])]
    return [ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=content)]


def looping(times):
    return Scripted(*(calls("ls", id=f"c{n}") for n in range(times)), says("done"))


def results(model):
    return [item["output"] for item in model.asked[-1] if item.get("type") == "function_call_output"]


def test_a_looping_agent_is_told_in_its_next_request():
    model = looping(3)
    assert "done" == asyncio.run(run(model, "go"))
    assert [False, False, False, True] == [{"role": "user", "content": NUDGE} == asked[-1] for asked in model.asked]


def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason():
    model = looping(50)
    assert STOP == asyncio.run(run(model, "go"))
    assert [REFUSAL, REFUSAL] == results(model)[3:]
    assert [False] * 3 + [True] * 3 == [NUDGE in json.dumps(asked) for asked in model.asked], "what was said stays said"
    assert model.asked[5][: len(model.asked[4])] == model.asked[4], "and in its place"


def test_the_stop_carries_what_was_done_so_far():
    agent = Agent(name="a", model=looping(50), tools=[bash])
    with pytest.raises(RunStopped) as caught:
        Runner.run_sync(agent, "go", max_turns=50, **Headway().watching())
    assert "exact_cycle" == caught.value.decision.reason
    assert 6 == len(caught.value.run_data.raw_responses)


def test_a_streamed_run_is_watched_alike():
    async def main():
        model = looping(50)
        result = Runner.run_streamed(
            Agent(name="a", model=model, tools=[bash]), "go", max_turns=50, **Headway().watching()
        )
        with pytest.raises(RunStopped, match="exact_cycle"):
            [event async for event in result.stream_events()]
        return model

    assert NUDGE in json.dumps(asyncio.run(main()).asked[3])


def test_without_the_guardrail_no_call_is_refused_and_the_run_is_stopped_all_the_same():
    @function_tool(name_override="bash")
    def plain(command: str) -> str:
        """Run a command."""
        return "a.py b.py"

    model = looping(50)
    with pytest.raises(RunStopped, match="exact_cycle"):
        Runner.run_sync(Agent(name="a", model=model, tools=[plain]), "go", max_turns=50, **Headway().watching())
    assert {"a.py b.py"} == set(results(model)) and 6 == len(model.asked)


def test_a_healthy_agent_is_left_alone_to_the_byte():
    def healthy():
        return Scripted(calls("ls", "pwd", id="a") + says("I look."), calls("ls src", id="b"), says("done"))

    watched, alone = healthy(), healthy()
    with_headway = Runner.run_sync(Agent(name="a", model=watched, tools=[bash]), "go", **Headway().watching())
    without = Runner.run_sync(Agent(name="a", model=alone, tools=[bash]), "go")
    assert alone.asked == watched.asked
    assert without.to_input_list() == with_headway.to_input_list()


def test_equal_calls_in_one_parallel_batch_are_no_loop():
    model = Scripted(calls(*["ls"] * 6), says("done"))
    assert "done" == asyncio.run(run(model, "go"))
    assert ["a.py b.py"] * 6 == results(model)


def test_runs_of_one_conversation_are_turns_of_it_and_others_are_apart():
    headway = Headway()

    def ask(model, conversation):
        return Runner.run_sync(Agent(name="a", model=model, tools=[bash]), "go", **headway.watching(conversation))

    with pytest.raises(RunStopped):
        ask(looping(9), "one")
    assert "done" == ask(looping(2), "one").final_output, "a new turn begins anew"
    assert "done" == ask(looping(2), "two").final_output
    sessions = [headway.conversations.of(name, "a").monitor.session for name in ("one", "two")]
    assert [(2, 5), (1, 2)] == [(session.user_turn_count, session.step_count) for session in sessions]


def test_agents_that_hand_over_are_kept_apart():
    headway = Headway()
    second = Agent(name="second", model=looping(2), tools=[bash])
    transfer = ResponseFunctionToolCall(type="function_call", name="transfer_to_second", call_id="t", arguments="{}")
    first = Agent(
        name="first", model=Scripted(calls("ls", id="f"), [transfer]), tools=[bash], handoffs=[handoff(second)]
    )
    assert "done" == Runner.run_sync(first, "go", **headway.watching("one")).final_output
    steps = [headway.conversations.of("one", name).monitor.session.step_count for name in ("first", "second")]
    assert [1, 2] == steps


def test_runs_of_a_sub_agent_are_kept_apart():
    headway = Headway()
    script = [turn for n in range(5) for turn in (calls("ls", id=f"s{n}"), says(f"found {n}"))]
    sub_agent = Agent(name="sub", model=Scripted(*script), tools=[bash])
    tool = sub_agent.as_tool("research", "Ask the sub-agent.", **headway.watching())
    asks = [
        [ResponseFunctionToolCall(type="function_call", name="research", call_id=f"r{n}", arguments=json.dumps({"input": f"{n}"}))]
        for n in range(5)
    ]  # fmt: skip
    model = Scripted(*asks, says("done"))
    Runner.run_sync(Agent(name="main", model=model, tools=[tool]), "go", **headway.watching())
    assert [f"found {n}" for n in range(5)] == results(model)


def test_what_the_model_used_counts_against_the_budget():
    headway = Headway(settings={"global": {"max_tokens": 250}})
    model = Scripted(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)))
    with pytest.raises(RunStopped, match="spend"):
        Runner.run_sync(Agent(name="a", model=model, tools=[bash]), "go", **headway.watching())
    assert len(model.asked) <= 3


def test_the_users_own_input_filter_is_kept():
    def shout(data):
        items = [
            {**item, "content": item["content"].upper()} if "content" in item else item
            for item in data.model_data.input
        ]
        return ModelInputData(input=items, instructions=data.model_data.instructions)

    model = looping(3)
    options = Headway().watching(run_config=RunConfig(call_model_input_filter=shout))
    Runner.run_sync(Agent(name="a", model=model, tools=[bash]), "go", **options)
    assert {"role": "user", "content": NUDGE.upper()} == model.asked[-1][-1]


def test_a_fault_of_ours_does_not_reach_the_run(monkeypatch, caplog):
    def broken(self, *args, **kwargs):
        raise RuntimeError("we are broken")

    monkeypatch.setattr("headway.monitor.Monitor.called", broken)
    monkeypatch.setattr("headway.monitor.Monitor.returned", broken)
    assert "done" == asyncio.run(run(looping(9), "go"))
    assert "we are broken" in caplog.text


class ServerManaged(Scripted):
    """A model whose server keeps the history: each request has only what is new."""

    async def get_response(self, *args, **kwargs):
        answer = await super().get_response(*args, **kwargs)
        answer.response_id = f"r{len(self.asked)}"
        return answer


def server_managed(times):
    return ServerManaged(*(calls("ls", id=f"c{n}") for n in range(times)), says("done"))


@pytest.mark.parametrize(
    "kept", [{"conversation_id": "conv"}, {"auto_previous_response_id": True}, {"previous_response_id": "r0"}]
)
def test_a_nudge_is_sent_once_where_a_server_keeps_the_history(kept):
    model = server_managed(9)
    with pytest.raises(RunStopped):
        Runner.run_sync(Agent(name="a", model=model, tools=[bash]), "go", **kept, **Headway().watching())
    assert [0, 0, 0, 1, 0, 0] == [json.dumps(asked).count(json.dumps(NUDGE)[1:-1]) for asked in model.asked]


def test_what_one_agent_was_told_is_not_told_to_the_next():
    transfer = ResponseFunctionToolCall(type="function_call", name="transfer_to_second", call_id="t", arguments="{}")
    last = Scripted(calls("pwd", id="s"), says("done"))
    second = Agent(name="second", model=last, tools=[bash])
    only_the_question = handoff(
        second, input_filter=lambda data: replace(data, input_history="go", pre_handoff_items=(), new_items=())
    )
    model = Scripted(*(calls("ls", id=f"c{n}") for n in range(3)), [transfer])
    Runner.run_sync(
        Agent(name="first", model=model, tools=[bash], handoffs=[only_the_question]), "go", **Headway().watching()
    )
    assert NUDGE in json.dumps(model.asked[-1])
    assert "headway" not in json.dumps(last.asked)


def test_your_own_hooks_are_kept():
    heard = []

    class Mine(RunHooks):
        async def on_agent_start(self, context, agent):
            heard.append("agent starts")

        async def on_llm_start(self, context, agent, system_prompt, input_items):
            heard.append("model starts")

        async def on_llm_end(self, context, agent, response):
            heard.append("model ends")

        async def on_tool_start(self, context, agent, tool):
            heard.append("tool starts")

        async def on_tool_end(self, context, agent, tool, result):
            heard.append(f"tool ends: {result}")

        async def on_agent_end(self, context, agent, output):
            heard.append(f"agent ends: {output}")

    agent = Agent(name="a", model=looping(1), tools=[bash])
    Runner.run_sync(agent, "go", **Headway().watching(hooks=Mine()))
    watched, heard[:] = [*heard], []
    Runner.run_sync(Agent(name="a", model=looping(1), tools=[bash]), "go", hooks=Mine())
    assert heard == watched and "tool ends: a.py b.py" in watched


def ping_pong(says_it, work=lambda n: [], times=30):
    """Two agents that hand over to each other, and what they do before."""

    def turns(other, first):
        for n in range(first, times, 2):
            if work(n):
                yield work(n)
            transfer = ResponseFunctionToolCall(
                type="function_call", name=f"transfer_to_{other}", call_id=f"t{n}", arguments="{}"
            )
            yield [*says(says_it(n)), transfer]

    triage = Agent(name="triage", model=Scripted(*turns("billing", 0), says("done")), tools=[bash])
    billing = Agent(name="billing", model=Scripted(*turns("triage", 1), says("done")), tools=[bash], handoffs=[triage])
    triage.handoffs = [billing]
    return triage, billing


def test_agents_that_only_hand_over_to_each_other_are_told_and_stopped():
    triage, billing = ping_pong(lambda n: f"Let me transfer you, this is number {n}.")
    told = []
    headway = Headway(
        on_decision=lambda decision, conversation, agent: told.append((decision.action, conversation, agent))
    )
    with pytest.raises(
        headway_module.RunStopped, match="About the handoffs between agents: The last 10 calls"
    ) as stopped:
        Runner.run_sync(triage, "go", max_turns=60, **headway.watching("one"))
    assert "doom_loop" == stopped.value.decision.reason
    assert ("nudge", "one", "all agents") == told[0]
    assert 10 == len(triage.model.asked) + len(billing.model.asked)
    assert "About the handoffs between agents: The last 6 calls were the same 2 calls" in json.dumps(
        triage.model.asked[3]
    )


@pytest.mark.parametrize(
    ("says_it", "work"),
    [
        (lambda n: "go on", lambda n: calls(f"ls src/{n}", id=f"w{n}")),
        (lambda n: " ".join(2 * letter + chr(97 + n) for letter in ascii_lowercase * 2), lambda n: []),
    ],
)
def test_agents_that_hand_over_and_get_on_are_left_alone(says_it, work):
    @function_tool(name_override="bash")
    def numbered(command: str) -> str:
        """Run a command."""
        return f"what is in {command}"

    triage, billing = ping_pong(says_it, work, 20)
    triage.tools = billing.tools = [numbered]
    told = []
    Runner.run_sync(triage, "go", max_turns=90, **Headway(on_decision=told.append).watching("one"))
    assert [] == told


def test_the_stop_is_the_one_of_all_adapters():
    assert issubclass(RunStopped, headway_module.RunStopped)


def test_a_stop_leaves_no_call_unanswered_in_the_session():
    session = SQLiteSession("one")
    with pytest.raises(RunStopped):
        Runner.run_sync(
            Agent(name="a", model=looping(50), tools=[bash]),
            "go",
            max_turns=50,
            session=session,
            **Headway().watching(),
        )
    items = asyncio.run(session.get_items())
    asked, answered = (
        {item["call_id"] for item in items if item.get("type") == kind}
        for kind in ("function_call", "function_call_output")
    )
    assert asked == answered != set()


def test_money_is_counted_from_the_agents_model():
    headway = Headway(max_cost_usd=0.0001, model="gpt-4o")
    model = Scripted(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)))
    with pytest.raises(RunStopped, match="spend"):
        Runner.run_sync(Agent(name="a", model=model, tools=[bash]), "go", **headway.watching())


@function_tool(name_override="bash", needs_approval=needs_approval, tool_input_guardrails=[guardrail])
def approved_bash(command: str) -> str:
    """Run a command."""
    return "a.py b.py"


def attended(times, **options):
    headway = Headway(settings={"policy": {"attended": True}}, **options)
    agent = Agent(name="a", model=looping(times), tools=[approved_bash])
    return agent, headway, Runner.run_sync(agent, "go", max_turns=50, **headway.watching("one"))


def test_a_person_is_asked_with_the_approvals_of_the_sdk():
    agent, headway, result = attended(7)
    assert ["c5-0"] == [item.raw_item.call_id for item in result.interruptions]
    assert 6 == len(agent.model.asked), "it was told and refused before"
    state = result.to_state()
    state.approve(result.interruptions[0])
    again = Runner.run_sync(agent, state, max_turns=50, **headway.watching("one"))
    assert "done" == again.final_output
    assert ["a.py b.py"] * 2 == results(agent.model)[-2:], "the call ran, and a new turn began"


def test_a_call_that_is_rejected_does_not_run_and_the_next_is_asked_about_again():
    agent, headway, result = attended(9)
    state = result.to_state()
    state.reject(result.interruptions[0])
    again = Runner.run_sync(agent, state, max_turns=50, **headway.watching("one"))
    assert ["c6-0"] == [item.raw_item.call_id for item in again.interruptions]
    assert "a.py b.py" != results(agent.model)[-1]


def test_nobody_is_asked_about_healthy_work():
    headway = Headway(settings={"policy": {"attended": True}})
    model = Scripted(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)), says("done"))
    result = Runner.run_sync(Agent(name="a", model=model, tools=[approved_bash]), "go", **headway.watching())
    assert "done" == result.final_output and [] == result.interruptions
