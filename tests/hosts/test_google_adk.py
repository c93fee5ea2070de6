"""Google ADK under watch, with a scripted model."""

import asyncio
import json
from importlib.metadata import version

import pytest

pytest.importorskip("google.adk", reason="google-adk is not installed here; `make test-frameworks` runs this")

from google.adk.agents import LlmAgent, ParallelAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner, Runner
from google.adk.sessions import InMemorySessionService
from google.adk.tools.agent_tool import AgentTool
from google.genai import types
from with_google_adk import bash, run

from headway.hosts.frameworks.google_adk import Headway, HeadwayPlugin
from headway.hosts.frameworks.requirement import FrameworkError
from tests.hosts.said import NUDGE, REFUSAL, STOP


class Scripted(BaseLlm):
    """Says what the script says, and keeps what it was asked."""

    model: str = "scripted"
    turns: list
    asked: list

    async def generate_content_async(self, llm_request, stream=False):
        self.asked.append([content.model_dump(mode="json", exclude_none=True) for content in llm_request.contents])
        used = types.GenerateContentResponseUsageMetadata(prompt_token_count=100, candidates_token_count=10)
        yield LlmResponse(content=types.Content(role="model", parts=self.turns.pop(0)), usage_metadata=used)


def script(*turns):
    return Scripted(turns=list(turns), asked=[])


def calls(*commands, id="c", tool="bash", argument="command"):
    wanted = (types.FunctionCall(id=f"{id}-{n}", name=tool, args={argument: c}) for n, c in enumerate(commands))
    return [types.Part(function_call=call) for call in wanted]


def says(text):
    return [types.Part(text=text)]


def looping(times):
    return script(*(calls("ls", id=f"c{n}") for n in range(times)), says("done"))


def results(asked):
    parts = [part for content in asked for part in content["parts"] if "function_response" in part]
    return [part["function_response"]["response"] for part in parts]


async def events_of(runner, text="go", session=None):
    session = session or (await runner.session_service.create_session(app_name="test", user_id="me")).id
    message = types.Content(role="user", parts=[types.Part(text=text)])
    return session, [event async for event in runner.run_async(user_id="me", session_id=session, new_message=message)]


def ask(agent, *plugins, text="go"):
    runner = InMemoryRunner(agent=agent, app_name="test", plugins=list(plugins))
    return asyncio.run(events_of(runner, text))[1]


def last_text(events):
    return events[-1].content.parts[0].text


def test_a_looping_agent_is_told_in_its_next_request():
    model = looping(3)
    assert "done" == asyncio.run(run(model, "go"))
    assert [{"output": "a.py b.py"}] * 2 + [{"output": "a.py b.py", "headway": NUDGE}] == results(model.asked[3])


def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason():
    model = looping(50)
    assert STOP == asyncio.run(run(model, "go"))
    assert [{"error": REFUSAL}, {"error": REFUSAL}] == results(model.asked[-1])[3:]
    assert 6 == len(model.asked)


def test_the_reason_is_in_the_last_event():
    events = ask(LlmAgent(name="a", model=looping(50), tools=[bash]), Headway())
    assert {"headway": "exact_cycle"} == events[-1].custom_metadata
    assert events[-1].is_final_response()


def test_a_result_that_is_text_keeps_what_the_framework_makes_of_it():
    def plain(command: str) -> str:
        """Run a command."""
        return "a.py b.py"

    model = script(*(calls("ls", id=f"c{n}", tool="plain") for n in range(3)), says("done"))
    ask(LlmAgent(name="a", model=model, tools=[plain]), Headway())
    assert {"result": "a.py b.py", "headway": NUDGE.replace("The command `ls`", "The same plain call")} == results(
        model.asked[3]
    )[2]


def test_a_healthy_agent_is_left_alone_to_the_byte():
    def healthy():
        return script(says("I look.") + calls("ls", "pwd", id="a"), calls("ls src", id="b"), says("done"))

    watched, alone = healthy(), healthy()
    with_headway = ask(LlmAgent(name="a", model=watched, tools=[bash]), Headway())
    without = ask(LlmAgent(name="a", model=alone, tools=[bash]))
    assert alone.asked == watched.asked
    assert [event.content for event in without] == [event.content for event in with_headway]


def test_equal_calls_in_one_parallel_batch_are_no_loop():
    model = script(calls(*["ls"] * 6), says("done"))
    assert "done" == asyncio.run(run(model, "go"))
    assert [{"output": "a.py b.py"}] * 6 == results(model.asked[-1])


def test_sessions_are_conversations_and_a_new_message_begins_anew():
    async def main():
        model = looping(50)
        runner = InMemoryRunner(
            agent=LlmAgent(name="a", model=model, tools=[bash]), app_name="test", plugins=[Headway()]
        )
        session, stopped = await events_of(runner)
        model.turns = looping(2).turns
        _, again = await events_of(runner, "go on", session)
        model.turns = looping(2).turns
        _, other = await events_of(runner)
        return [last_text(events) for events in (stopped, again, other)]

    assert [STOP, "done", "done"] == asyncio.run(main())


def test_agents_side_by_side_are_kept_apart():
    headway = Headway()
    workers = [LlmAgent(name=f"worker{n}", model=looping(2), tools=[bash]) for n in range(4)]
    ask(ParallelAgent(name="all", sub_agents=workers), headway)
    steps = {one.monitor.session.step_count for one in headway.conversations._known.values()} - {0}
    assert {2} == steps and 4 <= len(headway.conversations)


def test_runs_of_an_agent_that_is_a_tool_are_kept_apart():
    turns = [turn for n in range(5) for turn in (calls("ls", id=f"s{n}"), says(f"found {n}"))]
    sub_agent = LlmAgent(name="research", model=script(*turns), tools=[bash])
    asks = (calls(f"topic {n}", id=f"r{n}", tool="research", argument="request") for n in range(5))
    model = script(*asks, says("done"))
    events = ask(LlmAgent(name="main", model=model, tools=[AgentTool(sub_agent)]), Headway())
    assert "done" == last_text(events)
    assert [{"result": f"found {n}"} for n in range(5)] == results(model.asked[-1])


def test_what_the_model_used_counts_against_the_budget():
    model = script(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)))
    headway = Headway(settings={"global": {"max_tokens": 250}})
    events = ask(LlmAgent(name="a", model=model, tools=[bash]), headway)
    assert {"headway": "spend"} == events[-1].custom_metadata
    assert len(model.asked) <= 3


def test_a_tool_that_raises_is_noted_and_still_raises():
    def broken(command: str) -> dict:
        """Run a command."""
        raise RuntimeError("the disk is full")

    headway = Headway()
    model = script(calls("ls", tool="broken"), says("done"))
    with pytest.raises(RuntimeError, match="the disk is full"):
        ask(LlmAgent(name="a", model=model, tools=[broken]), headway)
    assert [1] == [one.monitor.session.error_count for one in headway.conversations._known.values()]


class Streaming(Scripted):
    """Streams its answer: each part tells what was used so far."""

    async def generate_content_async(self, llm_request, stream=False):
        self.asked.append(llm_request)
        parts = self.turns.pop(0)
        for sent in (2, 4, 6, 8, 10):
            used = types.GenerateContentResponseUsageMetadata(prompt_token_count=100, candidates_token_count=sent)
            content = types.Content(role="model", parts=[types.Part(text="…")])
            yield LlmResponse(content=content, usage_metadata=used, partial=True)
        used = types.GenerateContentResponseUsageMetadata(prompt_token_count=100, candidates_token_count=10)
        yield LlmResponse(content=types.Content(role="model", parts=parts), usage_metadata=used, partial=False)


def test_a_streamed_answer_is_counted_once():
    headway = Headway()
    model = Streaming(turns=[calls("ls", id="a"), calls("pwd", id="b"), says("done")], asked=[])
    assert "done" == last_text(ask(LlmAgent(name="a", model=model, tools=[bash]), headway))
    spent = [one.monitor.session.spending for one in headway.conversations._known.values()]
    assert [330] == [one.tokens_in + one.tokens_out for one in spent]


def test_the_old_name_still_works():
    assert HeadwayPlugin is Headway


def test_money_is_counted_from_the_agents_model():
    model = script(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)))
    model.model = "gemini-2.5-pro"
    events = ask(LlmAgent(name="a", model=model, tools=[bash]), Headway(max_cost_usd=0.0005))
    assert {"headway": "spend"} == events[-1].custom_metadata


IS_OLD = version("google-adk").startswith("1.")


@pytest.mark.skipif(not IS_OLD, reason="this version of google-adk keeps what a plugin puts into the state")
def test_a_version_that_loses_the_state_is_refused():
    with pytest.raises(FrameworkError, match=r">=2\.0"):
        Headway(store="session")


@pytest.mark.skipif(IS_OLD, reason="google-adk loses what a plugin puts into the state before 2.0")
def test_workers_that_share_the_sessions_decide_like_one():
    """Each turn has a runner and a Headway of its own; only the session service is shared."""

    async def main():
        service, told = InMemorySessionService(), []
        session = await service.create_session(app_name="test", user_id="me")
        for n in range(14):
            model = script(calls(f"ls {n}", id=f"c{n}"), says("done"))
            headway = Headway(store="session", max_tokens=1_000)
            agent = LlmAgent(name="a", model=model, tools=[bash])
            runner = Runner(agent=agent, app_name="test", session_service=service, plugins=[headway])
            _, events = await events_of(runner, f"turn {n}", session.id)
            told.append((len(model.asked), last_text(events)[:27]))
        return told, await service.get_session(app_name="test", user_id="me", session_id=session.id)

    told, session = asyncio.run(main())
    assert 110 * sum(requests for requests, _ in told) <= 1_000
    assert (0, "Stopped by Headway (spend):") == told[-1]
    assert ["headway a"] == [key for key in session.state if key.startswith("headway")]
    json.dumps(session.state)


def attended(times, may_run):
    """Let a loop come to the question of the framework, and answer it."""

    async def main():
        model = looping(times)
        headway = Headway(settings={"policy": {"attended": True}})
        runner = InMemoryRunner(agent=LlmAgent(name="a", model=model, tools=[bash]), app_name="test", plugins=[headway])
        session, events = await events_of(runner)
        asked = [
            call for event in events for call in event.get_function_calls() if call.name == "adk_request_confirmation"
        ]
        answer = types.FunctionResponse(id=asked[0].id, name=asked[0].name, response={"confirmed": may_run})
        message = types.Content(role="user", parts=[types.Part(function_response=answer)])
        after = [event async for event in runner.run_async(user_id="me", session_id=session, new_message=message)]
        return model, asked, after

    return asyncio.run(main())


def test_a_person_is_asked_with_the_confirmation_of_the_framework():
    _, asked, after = attended(7, may_run=True)
    assert 1 == len(asked) and "The command `ls` gave the same result 3 times" in str(asked[0].args)
    responses = [one.response for event in after for one in event.get_function_responses()]
    assert {"output": "a.py b.py"} == responses[0], "the call ran"
    assert "done" == last_text(after)


def test_a_person_who_does_not_confirm_ends_the_run():
    model, _, after = attended(50, may_run=False)
    assert "Stopped by Headway (exact_cycle)" in last_text(after)
    assert 6 == len(model.asked)
