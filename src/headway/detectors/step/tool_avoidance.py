"""A recommended tool that the agent does not use.

Why it matters: guidance that is ignored was either not understood or not accepted; repeating it will not help.
Fires: when a tool was recommended `advised` times and the agent then made `attempts` calls to other tools without using
it.
Clears: when the tool is used, and when the user sends a message.
Blind to: whether the advice was good.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.events import Advised, AgentSpoke, UserSpoke
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.rolling.bounded import put


class ToolAvoidance(Detector):
    """A tool that was recommended several times and never used."""

    severity: Severity = Severity.MEDIUM
    advised: int = 2
    """Recommendations of one tool after which its use is expected."""
    attempts: int = 3
    """Calls to other tools since the latest recommendation that trigger a finding."""
    remembered: int = 20
    """Number of recommended tools that are remembered."""
    confidence = 0.7
    clears = "Use it, or say why it does not fit, before you continue."

    advice: dict[str, int] = state(factory=dict)
    others: dict[str, int] = state(factory=dict)

    def on_message(self, event: UserSpoke | AgentSpoke | Advised, session: Session) -> Findings:
        """Remember which tool was recommended."""
        if type(event) is Advised and event.tool:
            put(self.advice, event.tool, self.advice.get(event.tool, 0) + 1, self.remembered)
            put(self.others, event.tool, 0, self.remembered)
        return ()

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count calls of other tools since each recommendation."""
        return self._avoided(step) if self.advice else ()

    def _avoided(self, step: Step) -> Findings:
        self.advice.pop(step.tool_name, None)
        for tool, times in self.advice.items():
            attempts = self.others[tool] = self.others.get(tool, 0) + 1
            if times >= self.advised and attempts >= self.attempts:
                yield self.finding(
                    f"{tool} was recommended {times} times, and {attempts} calls to other tools followed.",
                    identity=tool,
                    avoided_tool=tool,
                    alternative_attempts=attempts,
                )

    def on_user_turn(self) -> None:
        """Old recommendations do not apply to a new request."""
        self.advice.clear()
        self.others.clear()
