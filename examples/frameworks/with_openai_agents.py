"""OpenAI Agents SDK

The options go to `Runner.run`, `run_sync` or `run_streamed`. A nudge is a message in the model's next input. Tools with
the `guardrail` can have a single call refused; without it, the run still gets nudges and stops. A stop raises
`RunStopped`, a `MaxTurnsExceeded` of the SDK with `decision` and `run_data`. `watching("user-42")` names a conversation
of several runs; without a name, each run is one. Agents are watched separately by name, and handoffs as steps of the
whole conversation. Give an agent that is a tool its own: `agent.as_tool(…, **headway.watching())`. Pass your own
`RunConfig` and `RunHooks` as `watching(run_config=…, hooks=…)`. With `policy.attended`, a tool with
`needs_approval=needs_approval`, from the same module, interrupts the run; name the conversation, so that the run that
continues can read it.
"""

from agents import Agent, Runner, function_tool

from headway.hosts.frameworks.openai_agents import Headway, RunStopped, guardrail

headway = Headway()


@function_tool(tool_input_guardrails=[guardrail])
def bash(command: str) -> str:
    """Run a command."""
    return "a.py b.py"


async def run(model, question: str) -> str:
    agent = Agent(name="lister", model=model, tools=[bash])
    try:
        result = await Runner.run(agent, question, max_turns=50, **headway.watching())
    except RunStopped as stopped:
        return str(stopped)
    return result.final_output
