"""The rule at the end of a turn: a nudge about what the run itself visibly contradicts, at most once in a turn.

- The final message says that all tests pass, or some by name, and the last test run shows which of these do not.
- The last call that was to change something outside of files failed, and nothing that followed can have taken its
  place. An agent that says anything of this kind in its final message is told nothing.

The words, the run and the call are quoted, and nothing else is concluded: a message that reports success, a change that
was not tried or a request that was not mentioned are no signs of failure in today's agents. It is asked wherever a turn
ends, live and in recordings.
"""

from headway.core.decision import Action, Decision
from headway.core.events import Event, TurnEnding
from headway.core.finding import Finding, Severity
from headway.core.ledger import AT_THE_END, Entry
from headway.core.session import Session
from headway.core.step import Step, quoted
from headway.core.testing import TestHistory, command_of
from headway.policy import Ladder
from headway.rolling.normalise import digest
from headway.rolling.secrets import mask
from headway.rolling.text import counted, listed
from headway.tools.tests_seen import TestsSeen

MOST_NAMED = 5
"""Failing tests that are named."""


def end_of_turn(seen: list[Entry], session: Session, event: Event, ladder: Ladder) -> Decision | None:
    """The run contradicts the final message, or its last change outside of files failed. Nothing is told twice."""
    ledger = session.ledger
    if not isinstance(event, TurnEnding) or ledger.ends_held or ledger.nudges >= ladder.max_nudges:
        return None
    for find in (claim_contradicted, failed_change):
        finding = find(session, event.text)
        if finding and ladder.acts_on(finding) and finding.detector not in ladder.only_recorded:
            if finding.key in ledger.entries:
                return None
            from headway.policy.wording import decide  # most runs contradict nothing

            return decide(Action.NUDGE, [finding])
    return None


def about_the_end(reason: str, confidence: float, message: str) -> Finding:
    """What is said at the end of a turn. It is advice, and the same words are the same finding."""
    identity = f"{AT_THE_END}{digest(message):x}"
    return Finding(
        detector=reason, severity=Severity.MEDIUM, confidence=confidence, message=message, identity=identity,
        unit="turn", advisory=True,
    )  # fmt: skip


def claim_contradicted(session: Session, text: str) -> Finding | None:
    """The message says that tests pass of which the last run shows that they do not."""
    history = _latest(session)
    if history is None or history.last is None or not history.last.failed:
        return None
    from headway.policy.claims import contradicted_claim  # most runs end with no failure
    from headway.policy.since import anything_ran_since

    claim = contradicted_claim(text, history.last)
    if claim is None or anything_ran_since(session, history.last_step):
        return None
    run = next(step for step in session.steps if step.number == history.last_step)  # else more may have run since
    changes = changes_after(session, run)
    if changes and _were_green(session):
        return None  # a fault may have been put in, to see that the tests catch it, and taken out again
    since = " No test run followed your last change." if changes else ""
    it, fail = ("it", "test fails") if 1 in (history.last.failed, len(claim.tests)) else ("them", "tests fail")
    message = (
        f'Your final message says "{mask(claim.words)}". Your last test run, {quoted(command_of(run), 80)}, '
        f"had {_failing(history.last, claim.tests)}.{since} "
        f"Make {it} pass, or say in your final message which {fail}."
    )
    return about_the_end("claim_contradicted", 0.9, message)


def _latest(session: Session) -> TestHistory | None:
    """The tests that ran last in this turn."""
    histories = [
        history for history in session.tests.histories.values() if history.last_step >= session.turn.first_step
    ]
    return max(histories, key=lambda history: history.last_step, default=None)


def _were_green(session: Session) -> bool:
    """Whether tests that ran in this turn have all passed at some time."""
    return any(
        history.best is not None and history.best.green
        for history in session.tests.histories.values()
        if history.last_step >= session.turn.first_step
    )


def changes_after(session: Session, run: Step) -> list[Step]:
    """The changes that were requested after a step and came back after it. Of one batch, none is the later one."""
    later = session.steps[run.number - session.step_count :] if run.number < session.step_count else []
    return [
        step
        for step in later
        if step.changed and step.call.number > run.call.number and not session.in_same_batch(step, run)
    ]


def _failing(run: TestsSeen, claimed: tuple[str, ...]) -> str:
    """How many tests failed, and which: those that the message names, else the first of all."""
    names = claimed or run.failing
    shown = f": {listed([mask(name) for name in names], MOST_NAMED)}" if names else ""
    if claimed and len(claimed) < (run.failed or 0):
        return f"{counted(run.failed or 0, 'failing test')}, among them{shown.removeprefix(':')}"
    return f"{counted(run.failed or 0, 'failing test')}{shown}"


def failed_change(session: Session, text: str) -> Finding | None:
    """The last call that was to change something outside of files failed, and nothing took its place."""
    if not session.errors or session.errors[-1].number < session.turn.first_step:
        return None
    from headway.policy.last_change import last_failed_change, speaks_of_trouble  # most runs end with no failure

    step = last_failed_change(session)
    if step is None or speaks_of_trouble(text):
        return None
    message = (
        f"The last call of this turn that was to change something, {quoted(mask(step.call.tool_name), 80)}, failed: "
        f"{quoted(step.message or step.said)}. No later call repeated it, or can have taken its place. "
        "Repeat it, or say in your final message that it failed."
    )
    return about_the_end("failed_change", 0.8, message)
