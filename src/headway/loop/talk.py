"""What is said about a loop while it works: a line at the foot, and a few lines a round."""

from headway.core.decision import Action
from headway.core.finding import Severity
from headway.core.iteration import FileChanges, Iteration
from headway.loop.course import Course
from headway.loop.evidence import SHOWN, measure_told, standing
from headway.loop.forecast import forecast
from headway.loop.moves import budget_of
from headway.reports.suite import names_of, suite_line
from headway.reports.text import plain
from headway.reports.words import counted, duration


def at_the_foot(course: Course, now: float, in_round: float) -> str:
    """Round, verdict, quality, best, spend, time."""
    number = course.began.number if course.began else 0
    parts = [f"round {number}/{course.order.max_rounds} {duration(in_round)}"]
    if course.rounds:
        latest = course.rounds[-1].iteration
        parts.append(f"before: {latest.verdict}{_quality(latest)}")
        best = best_yet(course)
        if any(one.iteration.quality for one in course.rounds):
            named = f"round {best}{_quality(course.rounds[best].iteration)}" if best else "the baseline"
            parts.append(f"best: {named}")
    parts.append(spend(course))
    parts.append(f"in all {duration(course.seconds(now))}")
    return " · ".join(part for part in parts if part)


def best_yet(course: Course) -> int:
    """The best round so far; 0 as long as none is better than the baseline."""
    return course.rounds[-1].best_iteration or 0


def about_round(course: Course) -> list[str]:
    """What came of the latest round: one screen at most."""
    report, agent = course.rounds[-1], course.last_agent
    one = report.iteration
    lines = [f"   {_headline(course)}", *_details(course)]
    if course.ends[-1].twice:
        lines.append("   measured twice: the first time could have been chance")
    if one.number == 0 and one.measured.tests_passed is None:
        lines.append("   no tests were found or could be run, so broken ones cannot be noticed; --test CMD names yours")
        reasons = [one.reading for one in course.ends[-1].readings if one.plan.name == "tests" and one.reading.reason]
        lines += [f"   {plain(reading.how)}: {plain(reading.reason or '')}" for reading in reasons]
    if agent is not None and agent.cut:
        lines.append(f"   ended early ({agent.cut}): {plain(agent.message)}")
    elif agent is not None and agent.exit_code:
        lines.append(f"   the agent {_ended_with(agent.exit_code)}")
    if agent is not None and agent.cost_usd is None and budget_of(course) is not None:
        lines.append("   the agent does not tell its cost: what it spends is unknown, so --budget-usd cannot be held")
    grave = [alert for alert in report.alerts if alert.severity.rank >= Severity.MEDIUM.rank]
    return lines + [f"   {alert.severity} {alert.detector}: {plain(alert.message)}" for alert in grave]


def differing(changes: FileChanges, since: str) -> str:
    """Which files differ from how the loop left them."""
    names = [plain(name) for name in changes.files]
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{counted(len(names), 'file')} changed since {since}: {', '.join(names[:SHOWN])}{more}"


def before_round(course: Course, number: int, approach: str) -> str:
    """The line above a round, with what it is likely to bring and cost."""
    expected = forecast(course)
    told = f"; likely: {expected}" if expected else ""
    return f"── round {number} of {course.order.max_rounds}{f' ({approach})' if approach else ''}{told}"


def _headline(course: Course) -> str:
    """A round in one line."""
    one, agent = course.rounds[-1].iteration, course.last_agent
    best = ", the best so far" if one.number and best_yet(course) == one.number else ""
    verdict = f"{one.verdict if one.number else 'measured'}{_quality(one)}{best}{_although(one)}"
    facts = [verdict, standing(one.measured)]
    if one.quality is None:
        facts.append("no quality, because no tests were measured")
    if one.changes is not None:
        facts.append(f"{counted(one.changes.lines, 'line')} in {counted(len(one.changes.files), 'file')}")
    if agent is not None:
        facts += [duration(agent.seconds), f"${agent.cost_usd:.4f}" if agent.cost_usd is not None else ""]
    if one.number:
        goes = course.rounds[-1].recommendation.action is Action.ROLLBACK
        facts.append("to be taken back" if goes else f"kept: {why_kept(one)}")
    return f"{round_name(one.number)}: {'; '.join(fact for fact in facts if fact)}"


def _details(course: Course) -> list[str]:
    """Tests and files by name, and whether the round changed how it is measured."""
    one, end = course.rounds[-1].iteration, course.ends[-1]
    files = sorted(one.changes.files) if one.changes is not None else []
    tests = suite_line(one.from_previous.suite if one.from_previous else None, one.measured.flaky_tests or ())
    measure = measure_told(end)
    told = {"tests": tests, "files": names_of(files, SHOWN)}
    line = " · ".join(f"{name}: {text}" for name, text in told.items() if text)
    lines = [f"   {line}"] if line else []
    return lines + ([f"   the round {measure}"] if measure else [])


def round_name(number: int) -> str:
    """What a round is called."""
    return f"round {number}" if number else "baseline"


def why_kept(one: Iteration) -> str:
    """Why a round was not taken back."""
    if one.changes is not None and not one.changes.files:
        return "it changed no file"
    if one.quality is None and one.verdict != "regression":
        return "nothing that was measured speaks against it"
    if one.verdict == "forward":
        return "it went forward" if not one.mixed else "it fixed many more tests than it broke"
    if one.verdict == "regression":
        return "something got worse, but nothing that is taken back"
    return "some things got better and others worse" if one.mixed else "nothing that was measured got worse"


def _although(one: Iteration) -> str:
    suite = one.from_previous.suite if one.from_previous else None
    if suite is None or not suite.lost or one.verdict != "forward":
        return ""
    broken = (*suite.broken, *suite.gone)
    return f", kept although {names_of(broken)} broke: {len(suite.fixed)} fixed, {suite.lost} broken"


def spend(course: Course) -> str:
    """What was spent so far; plainly said where nobody can tell although there is a budget."""
    budget = budget_of(course)
    of = f" of ${budget:.2f}" if budget is not None else ""
    if course.cost_usd is not None:
        return f"${course.cost_usd:.4f}{of}"
    return "spend unknown" if budget is not None and course.agents else ""


def last_line(output: bytes) -> str:
    """The last thing a command said."""
    lines = output.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip()[:200] if lines else ""


def _quality(one: Iteration) -> str:
    return f" {one.quality.value:.2f}" if one.quality else ""


def _ended_with(exit_code: int) -> str:
    return f"was ended by signal {-exit_code}" if exit_code < 0 else f"ended with exit code {exit_code}"
