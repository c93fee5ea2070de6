"""When a loop is done, and what a person has to know of the round in which it is."""

import msgspec

from headway.core.iteration import SuiteChanges
from headway.loop.evidence import SHOWN, measure_told, unexplained_told
from headway.loop.facts import Ending
from headway.loop.state import LoopState
from headway.reports.suite import names_of
from headway.scoring.assessment import RoundReport
from headway.scoring.better import deleted_tests


def done(course: LoopState, report: RoundReport) -> Ending | None:
    """Done is what the condition says; without one, what the agent says and the tests confirm."""
    if course.tracker.is_at_start:
        return None  # what the latest round achieved was with other files
    end, agent = course.ends[-1], course.last_agent
    number, broken = course.number, report.recommendation.rejects or course.number in course.returns
    if broken or _lacks_tests(course):
        return None
    if end.until:
        when = f"after round {number}" if number else "before any round; there is nothing to do"
        return Ending(outcome="done", reason="until", message=f"`{course.order.until}` passes {when}.")
    if report.recommendation.reason == "target_reached" and not course.settled >= course.number:
        return Ending(outcome="done", reason="target_reached", message=report.recommendation.message)
    if agent is None or not agent.claimed or end.until is False:
        return None
    confirmed = confirmation(course)
    return Ending(outcome="done", reason="complete", message=confirmed) if confirmed else None


def with_warnings(course: LoopState, ending: Ending) -> Ending:
    """An ending that also says what a person has to know of the round that is selected."""
    done_in = course.number if ending.outcome == "done" and course.number else None
    selected = course.tracker.selected(done_in=done_in, because=ending.message).selected_iteration
    stays = course.order.rollback == "never" and not course.order.branch
    found = warnings(course, None if stays else selected)
    if not found:
        return ending
    but = " ".join([f"But {found[0][:1].lower()}{found[0][1:]}", *found[1:]])
    return msgspec.structs.replace(ending, message=f"{ending.message} {but}")


def warnings(course: LoopState, selected: int | None) -> list[str]:
    """What speaks against the round that is selected, in whole sentences: a list of them.

    How it is measured, which tests of the baseline are gone, broken or skipped, and a test command that fails. Where no
    round is selected or put in place, the files stay as they are, and what speaks against those is told.
    """
    number = course.base if selected is None else selected
    if not number:
        return []
    one, told = course.tracker.current(number), measure_told(course.current_end(number))
    suite = one.from_baseline.suite if one.from_baseline else None
    old = course.ends[number].old_tests
    is_doubtful = course.ends[number].measuring or (old is not None and not old.measured.all_passed)
    found = [f"Round {number} {told}."] if told and is_doubtful else []
    for end in course.ends[1 : number + 1]:
        found += [f"In round {end.number}, {text}."] if (text := unexplained_told(end)) else []
    for tests, what in _changes_of_tests(suite):
        found += [f"{what} in round {number}: {names_of(tests, SHOWN)}."] if tests else []
    if one.measured.fails_outside_tests:
        code = one.measured.tests_exit_code
        found.append(f"The test command fails with exit code {code} after round {number}, although no test fails.")
    return found


def _changes_of_tests(suite: SuiteChanges | None) -> list[tuple[tuple[str, ...], str]]:
    if suite is None:
        return []
    return [
        (suite.gone, "Tests of the baseline are gone or were renamed"),
        (suite.broken, "Tests that passed at the baseline fail"),
        (suite.silenced, "Tests that ran at the baseline are skipped"),
    ]


def confirmation(course: LoopState) -> str | None:
    """What confirms the agent's claim to be finished; None where the measurements contradict it."""
    measured = course.measured
    said = f"The agent says in round {course.number} that the task is complete"
    if measured.build_status not in (None, "success") or _lacks_tests(course):
        return None
    if measured.all_passed:
        passing = "its one test passes" if measured.tests_passed == 1 else f"all {measured.tests_passed} tests pass"
        return f"{said}, and {passing}."
    tested_before = any(one.iteration.measured.tests_passed is not None for one in course.rounds)
    return None if tested_before else f"{said}; no tests were measured to confirm it."


def _lacks_tests(course: LoopState) -> bool:
    """Do fewer tests run than at the baseline, without a person who was asked about it and let it be?"""
    return deleted_tests(course.rounds[-1].iteration) and course.order.rollback != "ask"
