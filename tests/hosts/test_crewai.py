"""CrewAI under watch, with a scripted model."""

import asyncio
import os
from importlib.util import find_spec
from tempfile import mkdtemp

import pytest

if find_spec("crewai") is None:  # before the environment is changed, which other tests in this process would see
    pytest.skip("crewai is not installed here; `make test-frameworks` runs this", allow_module_level=True)

os.environ |= {"CREWAI_DISABLE_TELEMETRY": "true", "OTEL_SDK_DISABLED": "true", "CREWAI_TRACING_ENABLED": "false"}
os.environ.setdefault("CREWAI_STORAGE_DIR", mkdtemp())

from crewai import Agent, BaseLLM, Crew, Task
from crewai.hooks.dispatch import HookAborted
from with_crewai import bash, crew, headway, run

from headway.hosts.frameworks.crewai import Headway, RunStopped
from tests.hosts.said import NUDGE, REFUSAL, STOP


class Scripted(BaseLLM):
    """Says what the script says, and keeps what it was asked."""

    turns: list
    asked: list
    calls_functions: bool = True

    def call(self, messages, **options):
        self.asked.append([dict(message) for message in messages])
        self._track_token_usage_internal({"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110})
        return self.turns.pop(0)

    async def acall(self, messages, **options):
        return self.call(messages)

    def supports_function_calling(self):
        return self.calls_functions

    def get_context_window_size(self):
        return 100_000


def script(*turns, **options):
    return Scripted(model="scripted", turns=list(turns), asked=[], **options)


def calls(*commands, id="c", tool="bash", arguments='{"command": "%s"}'):
    functions = [{"name": tool, "arguments": arguments % command} for command in commands]
    return [{"id": f"{id}-{n}", "type": "function", "function": one} for n, one in enumerate(functions)]


def looping(times):
    return script(*(calls("ls", id=f"c{n}") for n in range(times)), "done")


def results(model):
    return [message["content"] for message in model.asked[-1] if message["role"] == "tool"]


def kickoff(crew):
    return crew.kickoff()


def kickoff_async(crew):
    return asyncio.run(crew.akickoff())


@pytest.fixture
def watch():
    """A Headway of the test's own, in place of the example's."""
    headway.uninstall()
    own = []

    def install(**options):
        own.append(Headway(**options).install())
        return own[0]

    yield install
    own[0].uninstall()
    headway.install()


@pytest.mark.parametrize("kickoff", [kickoff, kickoff_async])
def test_a_looping_agent_is_told_in_its_next_request(kickoff):
    model = looping(3)
    assert "done" == kickoff(crew(model)).raw
    assert ["a.py b.py", "a.py b.py", f"a.py b.py\n\n{NUDGE}"] == results(model)


@pytest.mark.parametrize("kickoff", [kickoff, kickoff_async])
def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason(kickoff):
    model = looping(50)
    with pytest.raises(HookAborted) as caught:
        kickoff(crew(model))
    assert isinstance(caught.value, RunStopped)
    assert (STOP, "exact_cycle") == (caught.value.reason, caught.value.decision.reason)
    assert [REFUSAL, REFUSAL] == results(model)[3:]
    assert 6 == len(model.asked)


def test_the_reason_is_what_the_caller_sees():
    assert STOP == run(looping(50))


def test_an_agent_without_a_crew_is_watched_too():
    lister = Agent(role="lister", goal="know the files", backstory="curious", llm=looping(50), tools=[bash])
    with pytest.raises(RunStopped, match="exact_cycle"):
        lister.kickoff("List the files.")


def test_a_model_that_writes_its_calls_as_text_is_watched_too(watch):
    """CrewAI itself answers such a model's equal calls, and ends the run at the fifth; here another reason comes first."""

    def wants(command):
        return f'Thought: I look.\nAction: bash\nAction Input: {{"command": "{command}"}}'

    known = watch(settings={"global": {"max_tokens": 300}})
    with pytest.raises(RunStopped, match="spend"):
        kickoff(crew(script(*(wants(f"ls {n}") for n in range(9)), calls_functions=False)))
    (session,) = [one.monitor.session for one in known.conversations._known.values()]
    assert ["ls 0", "ls 1", "ls 2"] == [step.params["command"] for step in session.recent_tool_calls(9)]


def test_a_healthy_agent_is_left_alone_to_the_byte():
    def healthy():
        return script(calls("ls", "pwd", id="a"), calls("ls src", id="b"), "done")

    watched, alone = healthy(), healthy()
    with_headway = kickoff(crew(watched)).raw
    headway.uninstall()
    try:
        without = kickoff(crew(alone)).raw
    finally:
        headway.install()
    assert without == with_headway and alone.asked == watched.asked


def test_equal_calls_in_one_parallel_batch_are_no_loop():
    model = script(calls(*["ls"] * 4), "done")
    assert "done" == run(model)
    assert ["a.py b.py"] * 4 == results(model)


def test_a_kickoff_anew_is_a_new_turn(watch):
    watch()
    model = looping(50)
    listers = crew(model)
    with pytest.raises(RunStopped):
        kickoff(listers)
    model.turns[:] = [*(calls("ls", id=f"d{n}") for n in range(2)), "done"]
    assert "done" == kickoff(listers).raw


def test_an_agent_is_watched_apart_at_each_task_it_is_given(watch):
    known = watch()
    turns = [turn for n in range(5) for turn in (calls("ls", id=f"s{n}"), f"found {n}")]
    helper = Agent(role="helper", goal="help", backstory="kind", llm=script(*turns), tools=[bash])
    asks = '{"coworker": "helper", "task": "%s", "context": "none"}'
    told = [calls(f"topic {n}", id=f"r{n}", tool="delegate_work_to_coworker", arguments=asks) for n in range(5)]
    model = script(*told, "done")
    main = Agent(role="main", goal="know", backstory="wise", llm=model, allow_delegation=True)
    task = Task(description="Find out.", expected_output="answers", agent=main)
    assert "done" == kickoff(Crew(agents=[main, helper], tasks=[task])).raw
    assert [f"found {n}" for n in range(5)] == results(model)
    assert [1, 1, 1, 1, 1, 5] == sorted(one.monitor.session.step_count for one in known.conversations._known.values())


def test_what_the_model_used_counts_against_the_budget(watch):
    watch(settings={"global": {"max_tokens": 250}})
    model = script(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)))
    with pytest.raises(RunStopped, match="spend"):
        kickoff(crew(model))
    assert len(model.asked) <= 3
