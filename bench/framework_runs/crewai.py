"""A crew of one agent with one task."""

from crewai import Agent, Crew, Task
from crewai.hooks.dispatch import register, unregister
from crewai.tools import tool
from tests.hosts.test_crewai import calls, script
from tests.hosts.test_crewai import headway as installed_by_the_example

from framework_runs import CALLS, COMMANDS, Run, text_of
from headway.hosts.frameworks.crewai import Headway


@tool("bash")
def bash(command: str) -> str:
    """Run a command."""
    return text_of(command)


def nothing(context) -> None:
    pass


class Idle:
    """Hooks at the same points, which do nothing."""

    points = tuple(Headway()._hooks)

    def install(self) -> "Idle":
        for point in self.points:
            register(point, nothing)
        return self

    def uninstall(self) -> None:
        for point in self.points:
            unregister(point, nothing)


def prepare() -> Run:
    installed_by_the_example.uninstall()
    hooks = {"idle": Idle, "watched": Headway}

    def run(mode: str) -> None:
        model = script(*(calls(command, id=f"c{n}") for n, command in enumerate(COMMANDS)), "done")
        agent = Agent(role="a", goal="b", backstory="c", llm=model, tools=[bash], max_iter=CALLS + 1)
        installed = hooks[mode]().install()
        Crew(agents=[agent], tasks=[Task(description="go", expected_output="names", agent=agent)]).kickoff()
        installed.uninstall()

    return run
