"""AutoGen under watch, with a scripted model."""

import asyncio
import json

import pytest

pytest.importorskip("autogen_agentchat", reason="autogen is not installed here; `make test-frameworks` runs this")

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.conditions import MaxMessageTermination, TextMentionTermination
from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_core import FunctionCall
from autogen_core.models import ChatCompletionClient, CreateResult, RequestUsage
from with_autogen import bash, run

from headway.hosts.frameworks.autogen import Headway, HeadwayTermination
from headway.hosts.stores import MemoryStore
from tests.hosts.said import NUDGE, REFUSAL, STOP

INFO = {
    "vision": False,
    "function_calling": True,
    "json_output": False,
    "family": "unknown",
    "structured_output": False,
}


class Scripted(ChatCompletionClient):
    """Says what the script says, and keeps what it was asked; at the end of the script it is done."""

    model_info = capabilities = INFO

    def __init__(self, *turns):
        self.turns, self.asked = list(turns), []

    async def create(self, messages, **options):
        self.asked.append([message.model_dump() for message in messages])
        return self.turns.pop(0) if self.turns else says("TERMINATE")

    async def create_stream(self, messages, **options):
        yield await self.create(messages)

    async def close(self):
        pass

    def actual_usage(self):
        return RequestUsage(0, 0)

    total_usage = actual_usage

    def count_tokens(self, messages, **options):
        return 0

    remaining_tokens = count_tokens


def says(text):
    return CreateResult(finish_reason="stop", content=text, usage=RequestUsage(100, 10), cached=False)


def calls(*commands, id="c", tool="bash"):
    content = [
        FunctionCall(id=f"{id}-{n}", name=tool, arguments=f'{{"command": "{command}"}}')
        for n, command in enumerate(commands)
    ]
    usage = RequestUsage(prompt_tokens=100, completion_tokens=10)
    return CreateResult(finish_reason="function_calls", content=content, usage=usage, cached=False)


def looping(times):
    return Scripted(*(calls("ls", id=f"c{n}") for n in range(times)))


def agent(model, name="lister", iterations=1, tools=(bash,)):
    return AssistantAgent(name, model, tools=list(tools), max_tool_iterations=iterations)


def chat(*agents, headway, most=40):
    ends = headway | TextMentionTermination("TERMINATE") | MaxMessageTermination(most)
    return RoundRobinGroupChat(list(agents), termination_condition=ends)


def ask(team, text="go"):
    return asyncio.run(team.run(task=text))


def results(model):
    messages = [one for one in model.asked[-1] if one["type"] == "FunctionExecutionResultMessage"]
    return [result["content"] for message in messages for result in message["content"]]


@pytest.mark.parametrize("iterations", [1, 10])
def test_a_looping_agent_is_told_in_its_next_request(iterations):
    headway, model = Headway(), looping(3)
    result = ask(chat(headway.watch(agent(model, iterations=iterations)), headway=headway))
    assert "Text 'TERMINATE' mentioned" == result.stop_reason
    assert ["a.py b.py", "a.py b.py", f"a.py b.py\n{NUDGE}"] == results(model)


@pytest.mark.parametrize("iterations", [1, 10])
def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason(iterations):
    headway, model = Headway(), looping(50)
    result = ask(chat(headway.watch(agent(model, iterations=iterations)), headway=headway))
    assert STOP == result.stop_reason
    assert [REFUSAL, REFUSAL] == results(model)[3:5]
    assert 6 <= len(model.asked) <= 10


def test_the_reason_is_what_the_caller_sees():
    assert STOP == asyncio.run(run(looping(50), "go"))


def test_a_condition_alone_stops_too():
    model = looping(50)
    result = ask(chat(agent(model), headway=Headway()))
    assert STOP == result.stop_reason and {"a.py b.py"} == set(results(model))


@pytest.mark.parametrize("iterations", [1, 10])
def test_a_healthy_agent_is_left_alone_to_the_byte(iterations):
    def healthy():
        return Scripted(calls("ls", "pwd", id="a"), calls("ls src", id="b"))

    headway, watched, alone = Headway(), healthy(), healthy()
    with_headway = ask(chat(headway.watch(agent(watched, iterations=iterations)), headway=headway))
    end = TextMentionTermination("TERMINATE")
    without = ask(RoundRobinGroupChat([agent(alone, iterations=iterations)], termination_condition=end))
    assert alone.asked == watched.asked
    varying = {"id", "created_at", "full_message_id"}
    assert [one.model_dump(exclude=varying) for one in without.messages] == [
        one.model_dump(exclude=varying) for one in with_headway.messages
    ]


def test_equal_calls_in_one_parallel_batch_are_no_loop():
    headway, model = Headway(), Scripted(calls(*["ls"] * 6))
    ask(chat(headway.watch(agent(model)), headway=headway))
    assert ["a.py b.py"] * 6 == results(model)


def test_a_team_goes_on_after_a_stop_when_the_user_speaks():
    async def main():
        headway, model = Headway(), looping(6)
        team = chat(headway.watch(agent(model)), headway=headway)
        first = await team.run(task="go")
        model.turns = looping(2).turns
        return first.stop_reason, (await team.run(task="go on")).stop_reason

    assert (STOP, "Text 'TERMINATE' mentioned") == asyncio.run(main())


def test_a_streamed_answer_is_watched_alike():
    headway, model = Headway(), looping(50)
    streaming = AssistantAgent("lister", model, tools=[bash], model_client_stream=True)
    assert STOP == ask(chat(headway.watch(streaming), headway=headway)).stop_reason


def test_agents_of_a_team_are_kept_apart_even_with_one_workbench():
    headway = Headway()
    models = [looping(2), looping(2)]
    agents = [agent(model, name=f"a{n}") for n, model in enumerate(models)]
    agents[1]._workbench = agents[0]._workbench
    ask(chat(*map(headway.watch, agents), headway=headway))
    assert [2, 2] == [headway.of(f"a{n}").monitor.session.step_count for n in range(2)]


def test_what_the_model_used_counts_against_the_budget():
    headway = Headway(settings={"global": {"max_tokens": 250}})
    model = Scripted(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)))
    result = ask(chat(headway.watch(agent(model)), headway=headway))
    assert "(spend)" in result.stop_reason and len(model.asked) <= 3


def test_a_tool_that_raises_is_noted_and_still_told_to_the_model():
    async def broken(command: str) -> str:
        """Run a command."""
        raise RuntimeError("the disk is full")

    headway, model = Headway(), Scripted(calls("ls", tool="broken"))
    ask(chat(headway.watch(agent(model, tools=[broken])), headway=headway))
    assert ["the disk is full"] == results(model)
    assert 1 == headway.of("lister").monitor.session.error_count


def test_the_old_name_still_works():
    assert HeadwayTermination is Headway


def test_what_is_known_is_saved_and_loaded_like_a_team():
    """Each run in a team of its own, as in a server that keeps states in a database."""

    async def turn(state):
        headway, model = Headway(max_tokens=1_000), Scripted(calls("ls", id="c"), says("done"))
        team = chat(headway.watch(agent(model)), headway=headway)
        await headway.load_state(json.loads(json.dumps(state)))
        result = await team.run(task="go")
        return await headway.save_state(), len(model.asked), result.stop_reason

    state, requests = {}, []
    for _ in range(14):
        state, asked, reason = asyncio.run(turn(state))
        requests.append(asked)
    assert 110 * sum(requests) <= 1_000 and "(spend)" in reason
    assert ["lister"] == list(state)


def test_a_store_keeps_agents_of_a_conversation():
    store = MemoryStore()
    Headway(store=store, conversation="one").of("lister").used(90, 20)
    seen = [
        Headway(store=store, conversation=name).of("lister").monitor.session.spending.tokens_in
        for name in ("one", "two")
    ]
    assert [90, 0] == seen
    with pytest.raises(TypeError, match="pass conversation="):
        Headway(store=store)
