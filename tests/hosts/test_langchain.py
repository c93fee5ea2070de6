"""LangChain agents and LangGraph graphs under watch, with a scripted model."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, TypedDict

import pytest

pytest.importorskip("langchain", reason="langchain is not installed here; `make test-frameworks` runs this")

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import InjectedToolCallId, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.message import add_messages
from langgraph.prebuilt import InjectedState, ToolNode
from langgraph.types import Command, interrupt
from with_langchain import agent, bash, deep_agent, graph_of_your_own, react_agent

from headway import RunStopped
from headway.hosts.frameworks.langchain import Headway, HeadwayMiddleware
from tests.hosts.said import NUDGE, REFUSAL, SEEN, STOP

ROOT = Path(__file__).parent.parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'examples' / 'frameworks'}"}


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
@pytest.mark.parametrize("make", [agent, deep_agent, graph_of_your_own, react_agent])
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


@pytest.mark.parametrize("make", [graph_of_your_own, deep_agent])
def test_other_graphs_end_with_the_reason(make):
    messages = ask(make(looping(50)))
    assert STOP == messages[-1].content


@pytest.mark.parametrize("ask", [ask, ask_async])
def test_the_older_agent_of_langgraph_raises_the_reason(ask):
    model = looping(50)
    with pytest.raises(RunStopped) as stopped:
        ask(react_agent(model))
    assert (STOP, 6) == (str(stopped.value), len(model.asked))


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
    watch = Headway()
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
    watch = Headway()
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
    watch = Headway(settings={"global": {"max_tokens": 250}})
    model = script(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)))
    messages = ask(create_agent(model, [bash], middleware=[watch]))
    assert "spend" == messages[-1].response_metadata["headway"]
    assert len(model.asked) <= 3


def test_a_tool_that_raises_is_noted_and_still_raises():
    @tool("bash")
    def broken(command: str) -> str:
        """Run a command."""
        raise RuntimeError("the disk is full")

    watch = Headway()
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
    ask(create_agent(model, [commanding], middleware=[Headway()]))
    assert [False, False, False, True] == [NUDGE == request[-1].content for request in model.asked]


def test_an_interrupt_is_no_failure_and_the_call_counts_once():
    @tool("bash")
    def asking(command: str) -> str:
        """Run a command."""
        return interrupt("may I?")

    watch = Headway()
    app = create_agent(looping(1), [asking], middleware=[watch], checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "one"}}
    ask(app, config=thread)
    messages = app.invoke(Command(resume="yes"), thread)["messages"]

    session = watch.conversations.of("one", "").monitor.session
    assert "done" == messages[-1].content
    assert (1, 1, 0) == (session.tool_call_count, session.step_count, session.error_count)


def test_a_state_we_cannot_read_leaves_the_graph_alone(caplog):
    """A graph may keep its messages wherever it likes; then it is not watched, and nothing else happens."""
    route = Headway().then("model")
    assert "model" == route({"dialogue": []})
    assert "_is_over failed" in caplog.text


def test_a_decided_stop_is_remembered_when_the_history_is_summarised():
    """Without a thread the run is known by its messages, and a summary replaces the first of them."""
    model, summaries = looping(60), script(*(AIMessage(f"summary {n}") for n in range(60)))
    summarise = SummarizationMiddleware(summaries, trigger=("messages", 5), keep=("messages", 2))
    app = create_agent(model, [bash], middleware=[summarise, Headway()])

    messages = ask(app)

    assert STOP == messages[-1].content and 6 == len(model.asked)
    assert summaries.asked, "it was summarised"


def test_a_history_that_is_empty_is_no_obstacle(caplog):
    def begin(state):
        return {"messages": [calls("ls", id=f"c{len(state['messages'])}")]}

    watch = Headway()
    node = ToolNode([bash], wrap_tool_call=watch.wrap_tool_call)
    graph = StateGraph(MessagesState).add_node("begin", begin).add_node("tools", node)
    graph = graph.add_edge(START, "begin").add_edge("begin", "tools").compile()
    assert ["", "a.py b.py"] == [message.content for message in graph.invoke({"messages": []})["messages"]]
    assert "model" == graph_route(watch, [])
    assert not [record for record in caplog.records if record.name == "headway"]


def graph_route(watch, messages):
    """What the edge of a graph of one's own answers, inside a graph."""
    seen = []
    graph = StateGraph(MessagesState).add_node("only", lambda state: seen.append(watch.then("model")(state)) or {})
    graph.add_edge(START, "only").compile().invoke({"messages": messages})
    return seen[0]


def test_messages_may_be_kept_under_another_name(caplog):
    class Dialogue(TypedDict):
        dialogue: Annotated[list, add_messages]

    watch, model = Headway(), looping(50)
    node = ToolNode([bash], messages_key="dialogue", wrap_tool_call=watch.wrap_tool_call)
    graph = StateGraph(Dialogue).add_node("tools", node)
    graph.add_node("model", lambda state: {"dialogue": [model.invoke(state["dialogue"])]})
    graph.add_edge(START, "model").add_edge("model", "tools").add_conditional_edges("tools", watch.then("model"))
    messages = graph.compile().invoke({"dialogue": [("user", "go")]})["dialogue"]
    assert STOP == messages[-1].content and 6 == len(model.asked)
    assert not [record for record in caplog.records if record.name == "headway"]


def test_the_old_name_still_works():
    assert HeadwayMiddleware is Headway


def test_money_is_counted_from_the_model_that_answered():
    watch = Headway(max_cost_usd=0.001)
    answers = [calls(f"ls {n}", id=f"c{n}") for n in range(9)]
    for answer in answers:
        answer.response_metadata["model_name"] = "claude-sonnet-4-5"
    app = create_agent(script(*answers), [bash], middleware=[watch])
    assert "spend" == ask(app)[-1].response_metadata["headway"]


TURN = """
import sys
from langgraph.checkpoint.sqlite import SqliteSaver
from tests.hosts.test_langchain import Headway, ask, bash, calls, create_agent, script, AIMessage

database, turn, limit = sys.argv[1], int(sys.argv[2]), sys.argv[3]
with SqliteSaver.from_conn_string(database) as saver:
    watch = Headway(store="checkpointer", **({"max_tokens": int(limit)} if limit else {}))
    model = script(calls("ls", id=f"c{turn}") if not limit else calls(f"ls {turn}", id=f"c{turn}"), AIMessage("done"))
    app = create_agent(model, [bash], middleware=[watch], checkpointer=saver, interrupt_after=["tools"])
    thread = {"configurable": {"thread_id": "one"}}
    messages = app.invoke({"messages": [("user", "go")]} if turn == 0 or limit else None, thread)["messages"]
    print(repr([message.text for message in messages][-1]), len(model.asked))
"""


def turns(tmp_path, count, limit=""):
    """Play turns, each in a process of its own, on one thread in one database."""
    for turn in range(count):
        command = [sys.executable, "-c", TURN, str(tmp_path / "threads.db"), str(turn), limit]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=ENVIRONMENT)
        yield done.stdout.strip()


def test_processes_on_one_thread_decide_like_one(tmp_path):
    """The checkpointer keeps what Headway knows: nudged, refused and stopped at the same steps as in one process."""
    pytest.importorskip("langgraph.checkpoint.sqlite", reason="langgraph-checkpoint-sqlite is not installed here")
    said = list(turns(tmp_path, 6))
    assert [repr("a.py b.py")] * 2 == [line.rpartition(" ")[0] for line in said[:2]]
    assert [repr(f"a.py b.py\n\n{NUDGE}"), repr(REFUSAL), repr(REFUSAL), repr(STOP)] == [
        line.rpartition(" ")[0] for line in said[2:]
    ]


def test_a_budget_holds_over_all_processes(tmp_path):
    pytest.importorskip("langgraph.checkpoint.sqlite", reason="langgraph-checkpoint-sqlite is not installed here")
    requests = [int(line.rpartition(" ")[2]) for line in turns(tmp_path, 14, "1000")]
    assert 110 * sum(requests) <= 1_000 and 0 == requests[-1]


def swarm(watch, turns, work=lambda n: [], says_it=lambda n: f"I transfer you, number {n}."):
    """Two agents in one graph that hand over to each other with a tool, and what they do before."""

    def transfer_to(other):
        @tool(f"transfer_to_{other}")
        def transfer(
            state: Annotated[dict, InjectedState], tool_call_id: Annotated[str, InjectedToolCallId]
        ) -> Command:
            """Hand over."""
            done = ToolMessage(f"Transferred to {other}.", tool_call_id=tool_call_id)
            return Command(goto=other, graph=Command.PARENT, update={"messages": [*state["messages"], done]})

        return transfer

    def script_of(other, first):
        for n in range(first, turns, 2):
            yield from work(n)
            wanted = [{"name": f"transfer_to_{other}", "args": {}, "id": f"t{n}"}]
            yield AIMessage(says_it(n), tool_calls=wanted)
        yield AIMessage("done")

    models = [script(*script_of("billing", 0)), script(*script_of("triage", 1))]
    graph = StateGraph(MessagesState)
    for name, other, model in (("triage", "billing", models[0]), ("billing", "triage", models[1])):
        app = create_agent(model, [bash, transfer_to(other)], middleware=[watch], name=name)
        graph.add_node(name, app, destinations=(other,))
    graph.add_edge(START, "triage")
    return graph.compile(), models


@pytest.mark.parametrize("config", [{}, {"configurable": {"thread_id": "one"}}])
def test_agents_that_only_hand_over_to_each_other_are_told_and_stopped(config):
    app, models = swarm(Headway(), 60)
    messages = ask(app, config={**config, "recursion_limit": 200})
    assert (
        "Stopped by Headway (doom_loop): About the handoffs between agents: The last 10 calls" in messages[-1].content
    )
    assert 10 == sum(len(model.asked) for model in models)
    assert "About the handoffs between agents: The last 6 calls were the same 2 calls" in models[0].asked[3][-1].content


def test_agents_that_hand_over_and_get_on_are_left_alone():
    told = []
    app, _ = swarm(Headway(on_decision=told.append), 20, lambda n: [calls(f"ls {n}", id=f"w{n}")])
    messages = ask(app, config={"recursion_limit": 200})
    assert "done" == messages[-1].content and 0 == len(told)


def attended(model, checkpointer=None):
    watch = Headway(settings={"policy": {"attended": True}})
    return create_agent(model, [bash], middleware=[watch], checkpointer=checkpointer)


@pytest.mark.parametrize("invoke", ["invoke", "ainvoke"])
def test_a_person_is_asked_with_an_interrupt_of_the_graph(invoke):
    def play(app, state):
        return asyncio.run(app.ainvoke(state, thread)) if invoke == "ainvoke" else app.invoke(state, thread)

    thread = {"configurable": {"thread_id": "one"}}
    model = looping(7)
    app = attended(model, InMemorySaver())
    paused = play(app, {"messages": [("user", "go")]})
    asked = paused["__interrupt__"][0].value
    assert {"tool": "bash", "args": {"command": "ls"}} == {key: asked[key] for key in ("tool", "args")}
    assert "The command `ls` gave the same result 3 times in a row." in asked["headway"]
    assert 6 == len(model.asked)
    messages = play(app, Command(resume=True))["messages"]
    assert "done" == messages[-1].content, "the call ran, and the run went on"
    assert "a.py b.py" == next(m.content for m in messages if isinstance(m, ToolMessage) and m.tool_call_id == "c5-0")


@pytest.mark.parametrize("answer", [False, "no", "stop it", {"type": "reject"}])
def test_a_person_who_does_not_let_the_call_run_ends_the_run(answer):
    thread = {"configurable": {"thread_id": "one"}}
    app = attended(looping(50), InMemorySaver())
    ask(app, config=thread)
    assert (
        f"Stopped by Headway (exact_cycle): {SEEN}"
        == app.invoke(Command(resume=answer), thread)["messages"][-1].content
    )


def test_a_graph_that_cannot_be_interrupted_is_stopped():
    assert f"Stopped by Headway (exact_cycle): {SEEN}" == ask(attended(looping(50)))[-1].content


def test_parallel_calls_are_all_kept_in_the_checkpoint_and_healthy_runs_are_the_same():
    saver, thread = InMemorySaver(), {"configurable": {"thread_id": "one"}}

    def turn(watch, *answers, checkpointer=saver):
        model = script(*answers, AIMessage("done"))
        return ask(create_agent(model, [bash], middleware=watch, checkpointer=checkpointer), config=thread), model

    first, model = turn([Headway(store="checkpointer")], calls("ls", "pwd", "ls src", id="a"))
    alone, other = turn([], calls("ls", "pwd", "ls src", id="a"), checkpointer=InMemorySaver())
    assert without_ids(alone) == without_ids(first)
    assert [without_ids(request) for request in other.asked] == [without_ids(request) for request in model.asked]
    second = Headway(store="checkpointer")
    turn([second], calls("ls", id="b"))
    session = second.conversations.of("one", "").monitor.session
    assert (4, 2) == (session.step_count, session.user_turn_count)


def test_the_state_of_headway_is_no_part_of_what_a_caller_sees():
    app = create_agent(looping(1), [bash], middleware=[Headway(store="checkpointer")], checkpointer=InMemorySaver())
    result = app.invoke({"messages": [("user", "go")]}, {"configurable": {"thread_id": "one"}})
    assert ["messages"] == list(result)
