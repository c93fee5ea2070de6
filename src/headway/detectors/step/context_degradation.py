"""Signs that the agent has lost its context.

Why it matters: with a context that is full or was summarised badly, an agent redoes and undoes its own work.
Fires: when `symptoms_needed` symptoms occurred within the last `window` steps. Symptoms are: after a compaction, the
agent reads a file again, more than once, and is shown the same lines with the same text as before it; an edit reverts
an edit made a few steps earlier; the agent asks a question it has asked before.
Clears: when the symptoms are older than the window.
Blind to: lost context that shows neither in calls nor in questions, and files that a program may have changed.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.events import Advised, AgentSpoke, UserSpoke
from headway.core.finding import Severity
from headway.core.limits import Sizes
from headway.core.session import Session
from headway.core.step import Step
from headway.rolling.bounded import push, put
from headway.rolling.normalise import digest, normalise

KEPT = 50


class ContextDegradation(Detector):
    """Re-reading, reverting and asking again."""

    severity: Severity = Severity.MEDIUM
    symptoms_needed: int = 2
    """Symptoms that trigger a finding."""
    window: int = 20
    """Number of recent steps in which the symptoms must have occurred."""
    confidence = 0.5
    clears = "Summarise what you know and what is left to do before you continue."

    symptoms: list[tuple[int, str]] = state(factory=list)
    questions: dict[int, None] = state(factory=dict)

    def on_step(self, step: Step, session: Session) -> Findings:
        """Look for a file that was read again and for an edit that reverts another one."""
        meaning = step.call.meaning
        if meaning.kind == "ask" and meaning.query:
            return self._asked(meaning.query, session)
        record = session.file_of(step)
        if record and record.last_reread == step.number and record.was_known_before_compaction(step):
            return self._saw(f"{step.path} was read again after a compaction, with the same text as before", session)
        if record and record.last_return == step.number:
            return self._saw(f"edits of {step.path} cancelled each other out", session)
        return ()

    def on_message(self, event: UserSpoke | AgentSpoke | Advised, session: Session) -> Findings:
        """Remember the agent's questions."""
        question = event.text[-300:].rpartition("?")[0] if isinstance(event, AgentSpoke) else ""
        return self._asked(question.splitlines()[-1], session) if question else ()

    def settings_error(self, sizes: Sizes) -> str | None:
        """Each symptom takes a step, and the number of remembered symptoms is bounded."""
        if self.symptoms_needed >= min(self.window, KEPT):
            return f"symptoms_needed is {self.symptoms_needed}, but window is {self.window} and {KEPT} are kept"
        return None

    def _asked(self, question: str, session: Session) -> Findings:
        key = digest(normalise(question[:300]).lower())
        known = key in self.questions
        put(self.questions, key, None, KEPT)
        if known and len(question) > 15:
            yield from self._saw("a question was asked again", session)

    def _saw(self, symptom: str, session: Session) -> Findings:
        push(self.symptoms, (session.step_count, symptom), KEPT)
        recent = tuple(text for number, text in self.symptoms if session.step_count - number < self.window)
        if len(recent) >= self.symptoms_needed:
            yield self.finding(
                f"{len(recent)} signs of lost context in the last {self.window} steps: {'; '.join(recent[-3:])}.",
                symptoms=recent,
            )
