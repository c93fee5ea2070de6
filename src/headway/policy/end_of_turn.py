"""The rule at the end of a turn: a nudge about what the agent's final message leaves out, at most once in a turn.

- Its test runs *contradict* it. Two facts count: fewer tests pass than in an earlier run of the same command, or the
  agent reports success although tests failed in its last test run. Only what this user turn may have broken counts: it
  changed more than documents, and the failures were not there before. The second also counts where the request or the
  message is about tests. An agent that says openly what fails, or that it removed tests, is told nothing.
- Its last change is *unverified*: code that it changed after a run that failed, and has not tried since. Agents that
  seldom go in circles fail by being sure of what they have not looked at.

Both are said only if nothing ran afterwards that may have shown something else (`since.py`).
All of it is advice, and an agent that says openly what it has not tried is told nothing.
"""

from headway.core.decision import Action, Decision
from headway.core.events import AgentSpoke, Event, ToolReturned, TurnEnding, UserSpoke
from headway.core.finding import Finding, Severity
from headway.core.ledger import AT_THE_END, Entry
from headway.core.session import Session
from headway.core.step import Step, quoted
from headway.core.testing import TestHistory
from headway.policy import Ladder
from headway.rolling.lazy import regex
from headway.rolling.normalise import digest
from headway.rolling.secrets import mask
from headway.rolling.text import clip
from headway.tools.request import speaks_of_tests


def end_of_turn(seen: list[Entry], session: Session, event: Event, ladder: Ladder) -> Decision | None:
    """Test runs contradict the final message, or its last change was not tried. The same is never told twice."""
    ledger = session.ledger
    if not isinstance(event, TurnEnding) or ledger.ends_held or ledger.nudges >= ladder.max_nudges:
        return None
    found = [one for one in left_out(session, event.text) if one.detector not in ladder.only_recorded]
    told = [finding for finding in found if ladder.acts_on(finding)][:1]
    if not told or told[0].key in ledger.entries:
        return None
    from headway.policy.wording import decide  # most final messages leave nothing out

    return decide(Action.NUDGE, told)


def left_out(session: Session, text: str) -> list[Finding]:
    """What a final message leaves out, the most important first: about its tests and runs at most one fact."""
    found = [contradicted(session, text) or unverified(session, text)]
    if session.turn.unmentioned:
        from headway.policy.untouched import untouched  # few requests have a list

        found.append(untouched(session, text))
    return [finding for finding in found if finding is not None]


MAX_MESSAGE_CHARACTERS = 20_000
HANDS_IN = frozenset(("vcs", "other", "plan"))
"""Kinds of calls with which some agents submit their work: a diff, or a tool named submit or finish."""
_ENDS = frozenset((UserSpoke, ToolReturned))
"""After these, what was said before may no longer be the final message."""


class LastWords:
    """The final message of a turn in a recording: what the agent has said since its last action."""

    def __init__(self) -> None:
        self.text = ""

    def take(self, event: Event, session: Session) -> None:
        """Process an event, after the session has."""
        if type(event) is AgentSpoke:  # `isinstance` is slow for events of other kinds
            self.text = clip(event.text, MAX_MESSAGE_CHARACTERS)
        elif self.text and type(event) in _ENDS:
            is_over = isinstance(event, UserSpoke) or (session.steps and _is_work(session.steps[-1]))
            self.text = "" if is_over else self.text

    def findings(self, session: Session) -> list[Finding]:
        """What is left out at this end of a turn. It is only advice."""
        return left_out(session, self.text) if self.text else []


def _is_work(step: Step) -> bool:
    return not (step.meaning.idle or step.kind in HANDS_IN)


def about_the_end(reason: str, confidence: float, message: str) -> Finding:
    """What a final message leaves out. It is advice, and the same words are the same finding."""
    identity = f"{AT_THE_END}{digest(message):x}"
    return Finding(
        detector=reason, severity=Severity.MEDIUM, confidence=confidence, message=message, identity=identity,
        unit="turn", advisory=True,
    )  # fmt: skip


DOCUMENTS = (".md", ".markdown", ".rst", ".txt", ".adoc")
"""Endings of files that no test depends on."""
CONFIDENCE = 0.8
"""How sure it is that test runs contradict a final message."""


def contradicted(session: Session, text: str) -> Finding | None:
    """What to tell the agent before its turn ends, or None."""
    history = _latest(session)
    if history is None or history.last is None or not (history.worse or history.last.failed):
        return None
    from headway.policy.final_message import (  # most runs end with no failure
        read_final_message,
        says_tests_were_removed,
    )
    from headway.policy.since import anything_ran_since

    said = read_final_message(text)
    if said.admits or anything_ran_since(session, history.last_step):
        return None
    if history.worse and history.best and _changed_code(session) and not says_tests_were_removed(text):
        message = _fewer_passed(history.last.passed or 0, history.best.passed or 0, history.broken)
        return about_the_end("test_regression", CONFIDENCE, message)
    if history.last.failed and said.claims and (_is_about_tests(session, text) or _may_have_broken(session, history)):
        tried = next(step for step in session.steps if step.number == history.last_step)  # else more may have run since
        message = _success_claimed(history.last.failed, bool(_changed_after(session, tried)))
        return about_the_end("claim_contradicted", CONFIDENCE, message)
    return None


def _is_about_tests(session: Session, text: str) -> bool:
    return session.turn.about_tests or speaks_of_tests(text)


def _may_have_broken(session: Session, history: TestHistory) -> bool:
    """Whether this user turn changed code, and tests fail that are not known to have failed before."""
    before, now = history.before, history.last
    if not _changed_code(session) or now is None:
        return False
    if before is None or before.failed is None:
        return True
    return (now.failed or 0) > before.failed or not set(now.failing) <= set(before.failing)


def _changed_code(session: Session) -> bool:
    """Whether this user turn changed a file that is not a document, or ran what may have changed any file."""
    changes, first = session.changes, session.turn.first_step
    changed = [(step, path) for step, path in changes.by_name.values() if step >= first]
    if changes.last_anywhere > max((step for step, _ in changed), default=first - 1):
        return True
    return any(not path.lower().endswith(DOCUMENTS) for _, path in changed)


def _fewer_passed(now: int, before: int, broken: tuple[str, ...]) -> str:
    named = f" Failing now: {', '.join(broken[:3])}." if broken else ""
    return (
        f"Your last test run had {now} passing {_tests(now)}, and an earlier run of the same command had {before}."
        f"{named} Make the tests pass again, or say in your final message why fewer pass."
    )


def _success_claimed(failed: int, is_changed: bool) -> str:
    since = " No test run followed your last change." if is_changed else ""
    return (
        f"Your last test run had {failed} failing {_tests(failed)}, and your final message reports success.{since} "
        "Make the tests pass, or say in your final message which of them fail."
    )


def _tests(count: int) -> str:
    return "test" if count == 1 else "tests"


def _latest(session: Session) -> TestHistory | None:
    """The tests that ran last in this turn."""
    histories = [one for one in session.tests.histories.values() if one.last_step >= session.turn.first_step]
    return max(histories, key=lambda one: one.last_step, default=None)


NO_CODE = (".md", ".markdown", ".rst", ".txt", ".adoc", ".log", ".json", ".csv")
"""Endings of files that are mostly no part of a program."""
RUNS = frozenset(("run", "test", "build"))
_REMOVES = ("rm ", "rmdir ", "git ", "unlink ", "find ")
"""Commands that take files away or move between states that were there before: there is nothing new to try."""
_SCRATCH = regex(r"^/(?:private/)?(?:var/)?tmp/|(?:^|/)(?:repro|reproduce|debug|scratch|tmp|temp|verify|demo)[^/]*$")
"""Files that an agent writes for itself."""


def unverified(session: Session, text: str) -> Finding | None:
    """What to tell the agent before its turn ends: its last run failed, and its change since then was not tried."""
    tried = next((step for step in reversed(session.steps) if _tries(step)), None)
    if tried is None or not tried.failed or tried.number < session.turn.first_step:
        return None
    path = _code_among(_changed_after(session, tried))
    if path is None:
        return None
    from headway.policy.final_message import read_final_message  # most runs end with no failure
    from headway.policy.since import anything_ran_since

    said = read_final_message(text)
    if said.admits or not said.claims or anything_ran_since(session, tried.number):
        return None
    message = (
        f"{quoted(_command(tried), 80)} failed, and nothing was run to try your later change of {path}. "
        "Run it again, or say in your final message that the last change was not tried."
    )
    return about_the_end("untried_fix", 0.6, message)


def _tries(step: Step) -> bool:
    """Whether a step ran a program, and so may have shown whether a change works."""
    return (step.kind in RUNS or step.meaning.runs or step.tests is not None) and not (step.denied or step.meaning.idle)


def _changed_after(session: Session, tried: Step) -> list[Step]:
    """The changes that were requested after a step and came back after it. Of one batch, none is the later one."""
    later = session.steps[tried.number - session.step_count :] if tried.number < session.step_count else []
    return [
        step
        for step in later
        if step.changed and step.call.number > tried.call.number and not session.in_same_batch(step, tried)
    ]


def _code_among(changes: list[Step]) -> str | None:
    """A file of code that was changed, the latest."""
    for step in reversed(changes):
        if not (step.meaning.command or "").startswith(_REMOVES):
            paths = step.meaning.paths or ((step.path,) if step.path else ())
            code = [path for path in paths if not (path.lower().endswith(NO_CODE) or _SCRATCH.search(path))]
            if code:
                return mask(code[0])
    return None


def _command(step: Step) -> str:
    return mask(step.meaning.command or step.tool_name)
