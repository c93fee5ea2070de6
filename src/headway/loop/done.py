"""When a loop is done, and what a person has to know of the round in which it is."""

from headway.core.decision import Action
from headway.core.iteration import Iteration
from headway.loop.course import Course
from headway.loop.evidence import measure_told
from headway.loop.facts import Ending
from headway.reports.loop import RoundReport
from headway.reports.suite import names_of
from headway.scoring.better import deleted_tests


def done(course: Course, report: RoundReport) -> Ending | None:
    """Done is what the condition says; without one, what the agent says and the tests confirm."""
    end, agent = course.ends[-1], course.last_agent
    number, broken = course.number, report.recommendation.action is Action.ROLLBACK or course.number in course.returns
    if broken or _lacks_tests(course):
        return None
    but = _but(course, report.iteration)
    if end.until:
        when = f"after round {number}" if number else "before any round: there is nothing to do"
        return Ending(outcome="done", reason="until", message=f"`{course.order.until}` passes {when}.{but}")
    if report.recommendation.reason == "target_reached" and not course.settled >= course.number:
        return Ending(outcome="done", reason="target_reached", message=report.recommendation.message + but)
    if agent is None or not agent.claimed or end.until is False:
        return None
    confirmed = confirmation(course)
    return Ending(outcome="done", reason="complete", message=confirmed + but) if confirmed else None


def _but(course: Course, one: Iteration) -> str:
    """What a person has to know of a round that is done: how it is measured, and which tests are gone."""
    told, suite = measure_told(course.ends[-1]), one.from_baseline.suite if one.from_baseline else None
    but = f" But the round {told}." if told else ""
    gone = (
        f" Tests of the baseline are gone, or have a new name: {names_of(suite.gone)}." if suite and suite.gone else ""
    )
    return but + gone


def confirmation(course: Course) -> str | None:
    """What confirms the agent's claim to be finished; None where the measurements contradict it."""
    measured = course.measured
    said = f"The agent says in round {course.number} that the task is complete"
    if measured.build_status not in (None, "success") or _lacks_tests(course):
        return None
    if measured.all_passed:
        passing = "its one test passes" if measured.tests_passed == 1 else f"all {measured.tests_passed} tests pass"
        return f"{said}, and {passing}."
    tested_before = any(one.iteration.measured.tests_passed is not None for one in course.rounds)
    return None if tested_before else f"{said}; no tests were measured that could confirm it."


def _lacks_tests(course: Course) -> bool:
    """Do fewer tests run than at the baseline, without a person who was asked about it and let it be?"""
    return deleted_tests(course.rounds[-1].iteration) and course.order.rollback != "ask"
