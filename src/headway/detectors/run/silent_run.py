"""An agent that no longer sends events.

Why it matters: a program that hangs, or a machine that is down, sends no events that could show a problem.
Fires: at a `tick` event, if the latest other event of this agent is `seconds` or more ago. Advice only: it never causes
a refusal or a stop.
Clears: with the next event of this agent.
Blind to: agents whose events have no timestamps, and hosts that send no ticks. An agent is not silent if its run is
over, if it spoke last and may wait for its user, or if it waits for a sub-agent that it started: whether that one is
silent, its own events show.
"""

from headway.core.detector import Detector, Findings
from headway.core.events import Ticked
from headway.core.finding import Severity
from headway.core.session import Session


class SilentRun(Detector):
    """No event for some time."""

    severity: Severity = Severity.HIGH
    advisory: bool = True
    seconds: float = 900.0
    """Seconds without an event that trigger a finding."""
    confidence = 0.9
    clears = "Check whether the program and its machine are still running."

    def on_tick(self, event: Ticked, session: Session) -> Findings:
        """Compare the time with that of the latest event."""
        if event.at is None or session.last_at is None or session.ended or session.talk.length is not None:
            return
        if any(call.meaning.kind == "delegate" for call in session.pairing.may_run):  # the sub-agent may be working
            return
        silent = event.at - session.last_at
        if silent >= self.seconds:
            yield self.finding(
                f"No event has come from this agent for {silent // 60:.0f} minutes.",
                identity=f"after event {session.last_at}",
                seconds=round(silent, 1),
            )
