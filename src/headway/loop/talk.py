"""What is said about a loop while it works: a line at the foot, and a few lines a round."""

from headway.core.finding import Severity
from headway.core.iteration import FileChanges, Iteration
from headway.loop.course import Course
from headway.loop.evidence import standing
from headway.loop.moves import budget_of
from headway.reports.text import plain
from headway.reports.words import counted
from headway.scoring.best import best_to_return_to

SHOWN = 5
"""How many files are named."""


def at_the_foot(course: Course, now: float, in_round: float) -> str:
    """Round, verdict, quality, best, spend, time."""
    number = course.began.number if course.began else 0
    parts = [f"round {number}/{course.order.max_rounds} {clock(in_round)}"]
    if course.rounds:
        latest = course.rounds[-1].iteration
        parts.append(f"before: {latest.verdict}{_quality(latest)}")
        best = best_yet(course)
        parts.append(f"best: {f'round {best}{_quality(course.rounds[best].iteration)}' if best else 'the baseline'}")
    parts.append(spend(course))
    parts.append(f"in all {clock(course.seconds(now))}")
    return " · ".join(part for part in parts if part)


def best_yet(course: Course) -> int:
    """The best round so far; 0 as long as none is better than the baseline."""
    return best_to_return_to([one.iteration for one in course.rounds])


def about_round(course: Course) -> list[str]:
    """What came of the latest round."""
    report, agent = course.rounds[-1], course.last_agent
    one = report.iteration
    name = "baseline" if one.number == 0 else f"round {one.number}"
    best = ", the best so far" if one.number and best_yet(course) == one.number else ""
    stands = standing(one.measured)
    facts = [f"{one.verdict if one.number else 'measured'}{_quality(one)}{best}", stands]
    if one.changes is not None:
        facts.append(f"{counted(one.changes.lines, 'line')} in {counted(len(one.changes.files), 'file')}")
    if agent is not None:
        facts += [clock(agent.seconds), f"${agent.cost_usd:.4f}" if agent.cost_usd is not None else ""]
    lines = [f"   {name}: {'; '.join(fact for fact in facts if fact)}"]
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


def clock(seconds: float) -> str:
    """A duration for people."""
    whole = int(seconds)
    if whole < 60:
        return f"{whole}s" if whole else f"{seconds:.1f}s"
    if whole < 3600:
        return f"{whole // 60}m{whole % 60:02d}s"
    return f"{whole // 3600}h{whole % 3600 // 60:02d}m"


def _quality(one: Iteration) -> str:
    return f" {one.quality.value:.2f}" if one.quality else ""


def _ended_with(exit_code: int) -> str:
    return f"was ended by signal {-exit_code}" if exit_code < 0 else f"ended with exit code {exit_code}"
