"""LangChain agents and LangGraph graphs under watch, with a scripted model."""

import asyncio

import pytest

pytest.importorskip("langchain", reason="langchain is not installed here; `make test-frameworks` runs this")

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt
from with_langchain import agent, bash, graph_of_your_own

from headway.hosts.frameworks.langchain import HeadwayMiddleware
from tests.hosts.said import NUDGE, REFUSAL, STOP


class Scripted(GenericFakeChatModel):
    """Says what the script says, and keeps what it was asked."""

    asked: list

    def bind_tools(self, tools, **options):
        return self

    def _generate(self, messages, *args, **options):
        self.asked.append([message.model_copy() for message in messages])
        return super()._generate(messages, *args, **options)


def script(*messages):
    return Scripted(messages=iter(messages), asked=[])


def calls(*commands, id="c", text=""):
    wanted = [{"name": "bash", "args": {"command": c}, "id": f"{id}-{n}"} for n, c in enumerate(commands)]
    return AIMessage(
        text, tool_calls=wanted, usage_metadata={"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}
    )


def looping(times):
    return script(*(calls("ls", id=f"c{n}") for n in range(times)), AIMessage("done"))


def ask(app, text="go", config=None):
    return app.invoke({"messages": [("user", text)]}, config)["messages"]


def ask_async(app, text="go", config=None):
    return asyncio.run(app.ainvoke({"messages": [("user", text)]}, config))["messages"]


def without_ids(messages):
    return [message.model_dump(exclude={"id"}) for message in messages]


@pytest.mark.parametrize("ask", [ask, ask_async])
@pytest.mark.parametrize("make", [agent, graph_of_your_own])
def test_a_looping_agent_is_told_in_its_next_request(make, ask):
    model = looping(3)

    messages = ask(make(model))

    assert "done" == messages[-1].content
    assert [NUDGE in request[-1].content for request in model.asked] == [False, False, False, True]
    assert model.asked[3][-1].content == f"a.py b.py\n\n{NUDGE}"


@pytest.mark.parametrize("ask", [ask, ask_async])
def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason(ask):
    model = looping(50)

    messages = ask(agent(model))

    assert [REFUSAL, REFUSAL, STOP] == [m.content for m in messages if isinstance(m, ToolMessage)][3:]
    assert STOP == messages[-1].content and "exact_cycle" == messages[-1].response_metadata["headway"]
    assert 6 == len(model.asked)


def test_a_graph_of_your_own_ends_with_the_reason():
    messages = ask(graph_of_your_own(looping(50)))
    assert STOP == messages[-1].content


@pytest.mark.parametrize("ask", [ask, ask_async])
def test_a_healthy_agent_is_left_alone_to_the_byte(ask):
    def healthy():
        return script(calls("ls", "pwd", id="a", text="I look."), calls("ls src", id="b"), AIMessage("done"))

    watched, alone = healthy(), healthy()
    with_headway = ask(agent(watched))
    without = ask(create_agent(alone, tools=[bash]))

    assert without_ids(without) == without_ids(with_headway)
    assert [without_ids(request) for request in alone.asked] == [without_ids(request) for request in watched.asked]


def test_equal_calls_in_one_parallel_batch_are_no_loop():
    model = script(calls(*["ls"] * 6), AIMessage("done"))
    messages = ask(agent(model))
    assert {"a.py b.py"} == {m.content for m in messages if isinstance(m, ToolMessage)}


def test_threads_are_conversations_and_a_new_turn_begins_anew():
    watch = HeadwayMiddleware()
    app = create_agent(looping(2), [bash], middleware=[watch], checkpointer=InMemorySaver())
    model = looping(50)
    other = create_agent(model, [bash], middleware=[watch], checkpointer=InMemorySaver())
    one, two = ({"configurable": {"thread_id": id}} for id in ("one", "two"))

    assert "done" == ask(app, config=one)[-1].content
    assert STOP == ask(other, config=two)[-1].content
    assert 2 == len(watch.conversations)

    model.messages = iter([calls("ls", id="again"), AIMessage("done")])
    again = ask(other, "go on", config=two)
    assert ["a.py b.py", "done"] == [message.content for message in again[-3:] if message.content]


def test_runs_of_a_sub_agent_are_kept_apart():
    """Each run lists the same folder once; five runs below one agent, with the same middleware, are no loop."""
    watch = HeadwayMiddleware()
    sub_agent = create_agent(
        script(*(m for n in range(5) for m in (calls("ls", id=f"s{n}"), AIMessage(f"found {n}")))),
        tools=[bash],
        middleware=[watch],
    )

    @tool
    def research(topic: str) -> str:
        """Ask the sub-agent."""
        return sub_agent.invoke({"messages": [("user", topic)]})["messages"][-1].content

    def delegates(n):
        return AIMessage("", tool_calls=[{"name": "research", "args": {"topic": f"topic {n}"}, "id": f"r{n}"}])

    model = script(*(delegates(n) for n in range(5)), AIMessage("done"))
    messages = ask(create_agent(model, [research], middleware=[watch]))

    assert [f"found {n}" for n in range(5)] == [m.content for m in messages if isinstance(m, ToolMessage)]
    assert 6 == len(watch.conversations)


def test_what_the_model_used_counts_against_the_budget():
    watch = HeadwayMiddleware(settings={"global": {"max_tokens": 250}})
    model = script(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)))
    messages = ask(create_agent(model, [bash], middleware=[watch]))
    assert "spend" == messages[-1].response_metadata["headway"]
    assert len(model.asked) <= 3


def test_a_tool_that_raises_is_noted_and_still_raises():
    @tool("bash")
    def broken(command: str) -> str:
        """Run a command."""
        raise RuntimeError("the disk is full")

    watch = HeadwayMiddleware()
    with pytest.raises(RuntimeError, match="the disk is full"):
        ask(create_agent(looping(3), [broken], middleware=[watch]), config={"configurable": {"thread_id": "t"}})
    assert 1 == watch.conversations.of("t", "").monitor.session.error_count


def test_a_nudge_that_a_command_cannot_carry_is_said_in_the_next_request():
    @tool("bash")
    def commanding(command: str) -> Command:
        """Run a command."""
        return Command(update={"messages": [ToolMessage("same", tool_call_id=next(ids))]})

    ids = iter(["c0-0", "c1-0", "c2-0"])
    model = looping(3)
    ask(create_agent(model, [commanding], middleware=[HeadwayMiddleware()]))
    assert [False, False, False, True] == [NUDGE == request[-1].content for request in model.asked]


def test_an_interrupt_is_no_failure_and_the_call_counts_once():
    @tool("bash")
    def asking(command: str) -> str:
        """Run a command."""
        return interrupt("may I?")

    watch = HeadwayMiddleware()
    app = create_agent(looping(1), [asking], middleware=[watch], checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "one"}}
    ask(app, config=thread)
    messages = app.invoke(Command(resume="yes"), thread)["messages"]

    session = watch.conversations.of("one", "").monitor.session
    assert "done" == messages[-1].content
    assert (1, 1, 0) == (session.tool_call_count, session.step_count, session.error_count)


def test_a_state_we_cannot_read_leaves_the_graph_alone(caplog):
    """A graph may keep its messages wherever it likes; then it is not watched, and nothing else happens."""
    route = HeadwayMiddleware().then("model")
    assert "model" == route({"dialogue": []})
    assert "_is_over failed" in caplog.text
