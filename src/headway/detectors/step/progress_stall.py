"""Call after call without progress.

Why it matters: if nothing succeeds and nothing new appears for this long, the approach is wrong, not a detail.
Fires: at `stall_threshold` failed calls in a row, or when each of `stall_calls` calls in a row failed or showed nothing
new, and no change of a file was seen. If these calls go through a list, one item each, it is advice only. At the 4th
different call that meets the same wall (a refused connection, a denied permission, a missing program, a full disk) with
nothing changed in between, the agent is nudged once.
Clears: with new output, with a success of something not tried before (its effect need not show in the output), with an
action on a page, a service or a process, and with the enabled progress indicators. Calls in one parallel batch count
once.
Blind to: outputs that differ without saying anything new, answers that there is none, calls that were denied or
refused, and, but for a wall, failures of the network or the machine (see error_run).
"""

from typing import Literal

from headway.core.detector import Detector, Findings, state
from headway.core.events import Advised, AgentSpoke, UserSpoke
from headway.core.finding import Finding, Severity
from headway.core.repeats import acted, follows_gap, had_effect, in_a_row, separate_asks, that_ran, unchanged_since
from headway.core.session import Session
from headway.core.step import Step

Indicator = Literal["new_file_created", "test_passed", "build_succeeded", "user_acknowledged", "plan_step_completed"]


NEAR = 12
"""Number of recent steps in which calls may meet the same wall."""
BEFORE = "Find out whether you can remove this cause; if not, say so instead of trying another way."
_INDICATORS = {"test": "test_passed", "build": "build_succeeded", "plan": "plan_step_completed"}


class ProgressStall(Detector):
    """No success and nothing new for a while."""

    severity: Severity = Severity.MEDIUM
    stall_threshold: int = 5
    """Failed calls in a row that trigger a finding."""
    stall_calls: int = 10
    """Calls in a row without anything new that trigger a finding."""
    progress_indicators: tuple[Indicator, ...] = (
        "new_file_created",
        "test_passed",
        "build_succeeded",
        "user_acknowledged",
        "plan_step_completed",
    )
    """What counts as progress besides success and new output: a new file, a test or build that succeeded, any message
    from the user, an updated plan."""
    confidence = 0.6
    clears = "Try a different approach before you continue, or say what is missing."
    worth_saying = 4

    failures: int = state(0)
    without_news: int = state(0)
    last_progress_at: float | None = state(None)

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count failures and calls without anything new."""
        if self._shows_progress(step, session):
            self.failures = self.without_news = 0
            self.last_progress_at = step.at
            return ()
        self._count(step, session)
        found = self._stalls(step, session)
        may_be_a_wall = step.failed and session.failed_lately(self.worth_saying, NEAR)
        return (*self._wall(step, session), *found) if may_be_a_wall else found

    def _count(self, step: Step, session: Session) -> None:
        if follows_gap(session, step):
            self.failures = self.without_news = 0
        if not step.failed:
            self.failures = 0
        elif not (step.is_an_answer or session.continues_batch(step) or step.denied or step.transient):
            self.failures += not session.turn.asked_for(step)
        if step.news or acted(session, step) or (step.is_first_success and step.kind not in _INDICATORS):
            self.without_news = 0
        elif not (self._is_no_attempt(step) or session.continues_batch(step) or session.is_expected_repeat(step)):
            self.without_news += 1

    def _stalls(self, step: Step, session: Session) -> tuple[Finding, ...]:
        if self.failures >= self.stall_threshold and _all_known(self.failures, step, session):
            message = f"The last {self.failures} calls{that_ran(session.steps[-self.failures :])} all failed."
            return (self._stall(message, "stall:failures", self.failures, step, session),)
        if self.without_news >= self.stall_calls and _all_known(self.without_news, step, session):
            seen = "failed or showed nothing new, and no change of a file was seen"
            message = f"Each of the last {self.without_news} calls {seen}."
            return (self._stall(message, "stall:no news", self.without_news, step, session),)
        return ()

    def _wall(self, step: Step, session: Session) -> tuple[Finding, ...]:
        """Different calls that met the same wall as this one, lately and with nothing changed in between."""
        name = _wall_of(step)
        if not name:
            return ()
        since = max(unchanged_since(session), session.step_count - NEAR)
        met = [one for one in session.errors if one.number > since and not one.denied and _wall_of(one) == name]
        different = len({one.call.digest for one in met})
        if min(different, separate_asks(met)) < self.worth_saying or not _by_other_means(met):
            return ()
        message = f"{different} different calls failed because {name}, with no change seen in between."
        return (self.finding(message, identity=f"wall {name}", clears=BEFORE, lasted=different, count=different),)

    def on_message(self, event: UserSpoke | AgentSpoke | Advised, session: Session) -> Findings:
        """A user who speaks has seen the state of the run."""
        if type(event) is UserSpoke and event.starts_turn and "user_acknowledged" in self.progress_indicators:
            self.failures = self.without_news = 0
            self.last_progress_at = event.at
        return ()

    def _shows_progress(self, step: Step, session: Session) -> bool:
        if step.failed:
            return had_effect(session, step)
        if step.news or step.denied:
            return step.news
        indicator = _INDICATORS.get(step.kind)
        if step.kind == "write":
            record = session.file_of(step)
            indicator = "new_file_created" if step.changed and record and record.changes == 1 else None
        return indicator in self.progress_indicators

    def _is_no_attempt(self, step: Step) -> bool:
        """Whether it says something that was not known, if only that there is none, or goes on to the next place."""
        return (step.failed and step.is_an_answer) or step.may_advance_cursor

    def _stall(self, message: str, identity: str, calls: int, step: Step, session: Session) -> Finding:
        from headway.core.survey import GO_ON, identity_of, is_survey  # rarely needed

        began = session.started_at if self.last_progress_at is None else self.last_progress_at
        lasted = None if step.at is None or began is None else step.at - began
        survey = is_survey(session.steps[-calls:])
        return self.finding(
            message,
            identity=identity_of(step) if survey else identity,
            advisory=self.advisory or survey,
            clears=GO_ON if survey else None,
            actions_during_stall=calls,
            stall_duration=lasted,
        )


def _wall_of(step: Step) -> str:
    from headway.tools.walls import wall  # most calls do not fail

    return wall(step.message, step.meaning.command or step.wording)


def _by_other_means(met: list[Step]) -> bool:
    """Whether it was not one program on one item after another, which is how a survey asks who may do what."""
    if not _wall_of(met[0]).startswith("permission"):
        return True
    return len({(one.meaning.command or one.tool_name).split()[0] for one in met}) > 1


def _all_known(count: int, step: Step, session: Session) -> bool:
    """Whether the results of the latest calls are known; one of the same batch may still be missing."""
    return in_a_row(session, session.steps[-count:][0], step)
