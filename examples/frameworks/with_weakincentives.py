"""weakincentives

One policy and one provider of feedback for the prompt, and the adapter is watched. A nudge is feedback after the
tool's result, a refused call is denied by the policy (tools of the provider's own, which no policy sees, are not), and
a stop is an expired deadline: the evaluation ends, and `RunStopped` is raised, a `PromptEvaluationError` with the
`decision` and the `response` so far. A prompt in a session is a conversation, and each evaluation a turn. The
trajectory that guidance classifiers ask is `headway.of(session, prompt).monitor.session`. Needs Python 3.12.
"""

from dataclasses import dataclass

from weakincentives.prompt import MarkdownSection, Prompt, PromptTemplate, Tool, ToolContext, ToolResult
from weakincentives.runtime import Session

from headway.hosts.frameworks.weakincentives import Headway, RunStopped

headway = Headway()


@dataclass(frozen=True)
class Command:
    """What to run."""

    command: str


def bash(params: Command, *, context: ToolContext) -> ToolResult[None]:
    return ToolResult(message="a.py b.py", value=None)


def prompt() -> Prompt:
    tool = Tool[Command, None](name="bash", description="Run a command.", handler=bash)
    task = MarkdownSection(title="Task", template="List the files.", key="task", tools=[tool])
    files = PromptTemplate(ns="a", key="ls", sections=[task], policies=[headway], feedback_providers=[headway.feedback])
    return Prompt(files)


def run(adapter, session: Session) -> str:
    try:
        return headway.watch(adapter).evaluate(prompt(), session=session).text
    except RunStopped as stopped:
        return str(stopped)


class DoomLoopClassifier:
    """A guidance classifier: it asks the trajectory whether guidance about a loop is due."""

    def classify(self, session: Session, prompt: Prompt) -> tuple[bool, float, str]:
        """Is it relevant, how sure is that, and why?"""
        trajectory = headway.of(session, prompt).monitor.session
        if not trajectory.has_pattern("doom_loop"):
            return False, 0.0, ""
        loop = trajectory.patterns()["doom_loop"]
        return True, loop.confidence, f"{' → '.join(loop.cycle_actions)}, {loop.repetitions} times"
