"""What the agent is told when it ends its turn: only that its test runs contradict its final message.

Two facts count: fewer tests pass than in an earlier run of the same command, or the agent reports success although
tests failed in its last test run. Only what this user turn may have broken counts: it changed more than documents, and
the failures were not there before. The second also counts where the request or the message is about tests. An agent
that says openly what fails, or that it removed tests, is told nothing.
"""

from headway.core.finding import Finding
from headway.core.session import Session
from headway.core.testing import TestHistory
from headway.policy.final_message import read_final_message, says_tests_were_removed
from headway.policy.wording import about_the_end
from headway.tools.request import speaks_of_tests

DOCUMENTS = (".md", ".markdown", ".rst", ".txt", ".adoc")
"""Endings of files that no test depends on."""
CONFIDENCE = 0.8
"""How sure it is that test runs contradict a final message."""


def contradicted(session: Session, text: str) -> Finding | None:
    """What the agent should hear before its turn ends, or None."""
    history = _latest(session)
    if history is None or history.last is None or not (history.worse or history.last.failed):
        return None
    said = read_final_message(text)
    if said.admits:
        return None
    if history.worse and history.best and _changed_code(session) and not says_tests_were_removed(text):
        message = _fewer_passed(history.last.passed or 0, history.best.passed or 0, history.broken)
        return about_the_end("test_regression", CONFIDENCE, message)
    if history.last.failed and said.claims and (_is_about_tests(session, text) or _may_have_broken(session, history)):
        message = _success_claimed(history.last.failed, session.changes.last > history.last_step)
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
    """Whether this user turn changed a file that is no document, or ran what may have changed any file."""
    changes, first = session.changes, session.turn.first_step
    changed = [(step, path) for step, path in changes.by_name.values() if step >= first]
    if max(changes.last_effect, changes.last_anywhere) > max((step for step, _ in changed), default=first - 1):
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
