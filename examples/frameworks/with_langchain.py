"""LangChain and LangGraph

One middleware for `create_agent`. A nudge is added to the tool's result, a refused call gets an error message in its
place, and a stop is the agent's last message, with the reason in `response_metadata["headway"]`. Each thread is a
conversation (without one, each run), and each run of a sub-agent is watched separately, whatever middleware it shares.
With `Headway(store="checkpointer")` Headway's state is stored in the state of the agent: any process that continues a
thread decides as if it had seen all of it. This works with agents made by `create_agent`; for a graph of your own, use
a [store](#servers). Agents in one graph that hand over to each other are also watched as a whole. With
`policy.attended`, the graph is interrupted: `Command(resume=True)` lets the call run, any other answer ends the run.
Deep agents take the same middleware. For LangGraph's older `create_react_agent`, a hook raises the stop.
"""

from deepagents import create_deep_agent
from langchain.agents import create_agent
from langchain_core.tools import tool
from langgraph.graph import END, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, create_react_agent, tools_condition

from headway import RunStopped
from headway.hosts.frameworks.langchain import Headway


@tool
def bash(command: str) -> str:
    """Run a command."""
    return "a.py b.py"


def agent(model):
    return create_agent(model, tools=[bash], middleware=[Headway()])


def graph_of_your_own(model):
    """A graph without `create_agent`: the ToolNode does the watching, and the edge after it can end the run."""
    headway = Headway()
    tools = ToolNode([bash], wrap_tool_call=headway.wrap_tool_call, awrap_tool_call=headway.awrap_tool_call)
    graph = StateGraph(MessagesState)
    graph.add_node("model", lambda state: {"messages": model.invoke(state["messages"])})
    graph.add_node("tools", tools)
    graph.set_entry_point("model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_conditional_edges("tools", headway.then("model"))
    return graph.compile()


def deep_agent(model):
    return create_deep_agent(model=model, tools=[bash], middleware=[Headway()])


def react_agent(model):
    """The older agent of LangGraph."""
    headway = Headway()
    tools = ToolNode([bash], wrap_tool_call=headway.wrap_tool_call, awrap_tool_call=headway.awrap_tool_call)

    def before_model(state):
        if headway.then("agent")(state) == END:
            raise RunStopped(state["messages"][-1].content)
        return {"llm_input_messages": state["messages"]}

    return create_react_agent(model, tools, pre_model_hook=before_model)
