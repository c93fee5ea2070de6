"""LlamaIndex under watch, with a scripted model."""

import asyncio
from typing import Any

import pytest

pytest.importorskip(
    "llama_index.core", reason="llama-index-core is not installed here; `make test-frameworks` runs this"
)

from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent
from llama_index.core.llms import ChatMessage, ChatResponse, LLMMetadata
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.workflow import Context
from with_llama_index import agent, bash, run

from headway.hosts.frameworks.llama_index import watch
from tests.hosts.said import NUDGE, REFUSAL, STOP


class Scripted(FunctionCallingLLM):
    """Says what the script says, and keeps what it was asked."""

    turns: list[Any]
    asked: list[Any]

    @property
    def metadata(self):
        return LLMMetadata(is_function_calling_model=True, model_name="scripted")

    def _prepare_chat_with_tools(self, tools, user_msg=None, chat_history=None, **options):
        return {"messages": chat_history}

    def get_tool_calls_from_response(self, response, error_on_no_tool_call=True, **options):
        return response.additional_kwargs["calls"]

    async def achat(self, messages, **options):
        self.asked.append([(str(message.role.value), message.content) for message in messages])
        text, calls = self.turns.pop(0)
        raw = {"usage": {"prompt_tokens": 100, "completion_tokens": 10}}
        message = ChatMessage(role="assistant", content=text)
        return ChatResponse(message=message, raw=raw, additional_kwargs={"calls": calls})

    async def astream_chat(self, messages, **options):
        async def stream():
            yield await self.achat(messages)

        return stream()

    def _never(self, *args, **options):
        raise NotImplementedError

    chat = complete = stream_chat = stream_complete = acomplete = astream_complete = _never


def script(*turns):
    return Scripted(turns=list(turns), asked=[])


def calls(*commands, id="c", tool="bash", argument="command", text=""):
    wanted = (
        ToolSelection(tool_id=f"{id}-{n}", tool_name=tool, tool_kwargs={argument: c}) for n, c in enumerate(commands)
    )
    return text, list(wanted)


def says(text):
    return text, []


def looping(times):
    return script(*(calls("ls", id=f"c{n}") for n in range(times)), says("done"))


def ask(app, text="go", **options):
    async def main():
        return str(await app.run(text, **options))

    return asyncio.run(main())


def results(asked):
    return [content for role, content in asked if role == "tool"]


def plain(llm, **options):
    return FunctionAgent(name="lister", description="Lists files.", llm=llm, tools=[bash], **options)


@pytest.mark.parametrize("streaming", [True, False])
def test_a_looping_agent_is_told_in_its_next_request(streaming):
    model = looping(3)
    assert "done" == ask(watch(plain(model, streaming=streaming)))
    assert ["a.py b.py", "a.py b.py", f"a.py b.py\n{NUDGE}"] == results(model.asked[3])


def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason():
    model = looping(50)
    assert STOP == asyncio.run(run(model, "go"))
    assert [REFUSAL, REFUSAL] == results(model.asked[-1])[3:]
    assert 6 == len(model.asked)


def test_a_healthy_agent_is_left_alone_to_the_byte():
    def healthy():
        return script(calls("ls", "pwd", id="a", text="I look."), calls("ls src", id="b"), says("done"))

    watched, alone = healthy(), healthy()
    assert ask(plain(alone)) == ask(agent(watched)) == "done"
    assert alone.asked == watched.asked


def test_equal_calls_in_one_parallel_batch_are_no_loop():
    model = script(calls(*["ls"] * 6), says("done"))
    assert "done" == asyncio.run(run(model, "go"))
    assert ["a.py b.py"] * 6 == results(model.asked[-1])


def test_equal_calls_in_one_batch_are_refused_one_by_one():
    model = script(*looping(3).turns[:3], calls("ls", "ls", id="again"), says("done"))
    ask(agent(model))
    assert [REFUSAL, REFUSAL] == results(model.asked[-1])[3:]


def test_a_context_is_a_conversation_and_each_run_a_turn():
    async def main():
        model = looping(50)
        app = agent(model)
        kept = Context(app)
        answers = [str(await app.run("go", ctx=kept))]
        for options in ({"ctx": kept}, {}):
            model.turns = looping(2).turns
            answers.append(str(await app.run("go on", **options)))
        return answers

    assert [STOP, "done", "done"] == asyncio.run(main())


def test_agents_of_a_workflow_are_kept_apart_and_calls_are_refused_there_too():
    told = []
    first = plain(
        script(calls("ls"), calls("ls", id="d"), calls("worker", tool="handoff", argument="to_agent"))
    ).model_copy(update={"name": "first", "can_handoff_to": ["worker"]})
    first.llm.turns[2][1][0].tool_kwargs["reason"] = "it lists better"
    worker_model = looping(50)
    worker = FunctionAgent(name="worker", description="Works.", llm=worker_model, tools=[bash])
    app = watch(AgentWorkflow(agents=[first, worker], root_agent="first"), on_decision=told.append)
    assert STOP == ask(app)
    assert ["nudge", "block", "block", "stop"] == [str(decision.action) for decision in told]
    assert 6 == len(worker_model.asked), "three calls of its own, not two of the first and one"


def test_runs_of_a_sub_agent_are_kept_apart():
    turns = [turn for n in range(5) for turn in (calls("ls", id=f"s{n}"), says(f"found {n}"))]
    sub_agent = agent(script(*turns))

    async def research(topic: str) -> str:
        """Ask the sub-agent."""
        return str(await sub_agent.run(topic))

    asks = (calls(f"topic {n}", id=f"r{n}", tool="research", argument="topic") for n in range(5))
    model = script(*asks, says("done"))
    ask(watch(FunctionAgent(name="main", description="Asks.", llm=model, tools=[research])))
    assert [f"found {n}" for n in range(5)] == results(model.asked[-1])


def test_what_the_model_used_counts_against_the_budget():
    model = script(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)))
    answer = ask(watch(plain(model), settings={"global": {"max_tokens": 250}}))
    assert answer.startswith("Stopped by Headway (spend)") and len(model.asked) <= 3


def test_a_tool_that_raises_is_noted_as_a_failure():
    def broken(command: str) -> str:
        """Run a command."""
        raise RuntimeError("the disk is full")

    told = []
    model = script(*(calls("ls", id=f"c{n}", tool="broken") for n in range(3)), says("done"))
    app = watch(FunctionAgent(name="a", description="A.", llm=model, tools=[broken]), on_decision=told.append)
    assert "done" == ask(app)
    assert ["nudge"] == [str(decision.action) for decision in told]
