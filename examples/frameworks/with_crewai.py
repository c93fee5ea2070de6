"""CrewAI

Hooks for every crew and agent of the process: install them once, before the first kickoff. A nudge is added to the
tool's result, a refused call gets the reason as its result, and a stop raises `RunStopped`, a `HookAborted` of the
framework with `reason` and `decision`. Each agent is watched separately at each task; another kickoff is a new turn.
If a model writes its calls as text, CrewAI itself answers equal calls, and ends such a run at the fifth.
"""

from crewai import Agent, Crew, Task
from crewai.tools import tool

from headway.hosts.frameworks.crewai import Headway, RunStopped

headway = Headway()
headway.install()


@tool("bash")
def bash(command: str) -> str:
    """Run a command."""
    return "a.py b.py"


def crew(model) -> Crew:
    lister = Agent(role="lister", goal="know the files", backstory="curious", llm=model, tools=[bash])
    return Crew(agents=[lister], tasks=[Task(description="List the files.", expected_output="names", agent=lister)])


def run(model) -> str:
    try:
        return crew(model).kickoff().raw
    except RunStopped as stopped:
        return stopped.reason
