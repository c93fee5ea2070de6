"""Output about a running loop: a status line, and a few lines per round."""

from headway.core.decision import Action
from headway.core.finding import Severity
from headway.core.iteration import FileChanges, Iteration
from headway.loop.evidence import MAX_NAMES, lost_line, measuring_line, results_line, unexplained_line
from headway.loop.fate import round_outcome
from headway.loop.forecast import forecast
from headway.loop.moves import budget_of
from headway.loop.state import LoopState
from headway.reports.iteration_markdown import fate
from headway.reports.suite import names_of, suite_line
from headway.reports.text import plain
from headway.reports.words import counted, duration, money
from headway.scoring.assessment import RoundReport
from headway.scoring.better import is_step_forward, quality_in_words, sure_value


def status_line(state: LoopState, now: float, in_round: float) -> str:
    """Round, verdict, quality, best round, cost and time."""
    number = state.began.number if state.began else 0
    parts = [f"round {number}/{state.spec.max_rounds} {duration(in_round)}"]
    if state.rounds:
        is_at_start, latest = state.tracker.is_at_start, state.rounds[-1].iteration
        latest = state.tracker.current(state.base) if is_at_start else latest
        parts.append(f"previous: {'with your changes' if is_at_start else latest.verdict}{_quality(latest)}")
        best = best_yet(state)
        if any(one.iteration.quality for one in state.rounds):
            named = f"round {best}{_quality(state.tracker.current(best))}" if best else "the baseline"
            since = "" if state.tracker.start is None else f" {since_when(state)}"
            parts.append(f"best{since}: {named}")
    parts.append(spend(state))
    parts.append(f"total {duration(state.seconds(now))}")
    return " · ".join(part for part in parts if part)


def best_yet(state: LoopState) -> int:
    """The best round so far; 0 as long as none is better than the baseline."""
    return state.rounds[-1].best_iteration or 0


def since_when(state: LoopState) -> str:
    """The rounds that the best one is chosen from: only those after the user's changes are compared."""
    return "so far" if state.tracker.start is None else "since your changes"


def about_round(state: LoopState) -> list[str]:
    """The result of the latest round, in a few lines."""
    report, agent = state.rounds[-1], state.last_agent
    one = report.iteration
    lines = [f"   {_headline(state)}", *_details(state)]
    if state.ends[-1].times > 1:
        times = "twice" if state.ends[-1].times == 2 else f"{state.ends[-1].times} times"
        lines.append(f"   measured {times}, because the first result could be a coincidence")
    if one.number == 0 and one.measured.tests_passed is None:
        tried = [plain(one.reading.how) for one in state.ends[-1].readings if one.reading.measured.tests_fault]
        what = f"the tests could not be run ({', '.join(tried)})" if tried else "no tests were found"
        lines.append(f"   {what}, so broken tests cannot be detected; pass your test command with --test CMD")
    if agent is not None and agent.cut:
        lines.append(f"   ended early ({agent.cut}): {plain(agent.message)}")
    elif agent is not None and agent.exit_code:
        lines.append(f"   the agent {_ended_with(agent.exit_code)}")
    if agent is not None and agent.cost_usd is None and budget_of(state) is not None:
        lines.append(f"   {_unknown_cost(state)}")
    grave = [alert for alert in report.alerts if alert.severity.rank >= Severity.MEDIUM.rank]
    return lines + [f"   {alert.severity} {alert.detector}: {plain(alert.message)}" for alert in grave]


def _unknown_cost(state: LoopState) -> str:
    if not state.costs:
        return "the agent has reported no cost, so the budget cannot be enforced"
    return "the agent reported no cost at the end of this round, so the budget may be exceeded"


def differing(changes: FileChanges, since: str) -> str:
    """Which files changed since the loop left them."""
    return f"{counted(len(changes.files), 'file')} changed since {since}: {names_of([*changes.files], MAX_NAMES)}"


def before_round(state: LoopState, number: int, approach: str) -> str:
    """The line above a round, with an estimate of its gain and cost."""
    expected = forecast(state)
    told = f"; estimate: {expected}" if expected else ""
    way = f" (approach: {approach})" if approach else ""
    return f"── round {number} of {state.spec.max_rounds}{way}{told}"


def _headline(state: LoopState) -> str:
    """A round in one line."""
    told = round_outcome(state, state.number)
    one = told.iteration
    best = f", the best {since_when(state)}" if _is_plainly_best(state) else ""
    verdict = one.verdict if one.number else ""
    quality = quality_in_words(one) if one.quality else f"no quality, because {_why_none(one)}"
    facts = [f"{', '.join(filter(None, [verdict, quality]))}{best}", results_line(one.measured)]
    if one.changes is not None:
        facts.append(f"{counted(one.changes.lines, 'line')} in {counted(len(one.changes.files), 'file')}")
    if told.agent_seconds is not None and told.seconds is not None:
        measuring = duration(max(0.0, told.seconds - told.agent_seconds))
        facts.append(f"{duration(told.agent_seconds)} agent, {measuring} measuring")
    facts.append(money(told.cost_usd) if told.cost_usd is not None else "")
    if one.number:
        facts.append(_fate(told))
    return f"{f'round {one.number}' if one.number else 'baseline'}: {'; '.join(fact for fact in facts if fact)}"


def _why_none(one: Iteration) -> str:
    """Why a round has no quality."""
    tried = one.measured.tests_failed or one.measured.tests_fault
    return "the tests could not be run" if tried else "no tests were measured"


def _fate(told: RoundReport) -> str:
    """Kept or to be rolled back, and why; the alerts below have the details."""
    if told.kept is None:
        again = ", again" * (told.recommendation.action is not Action.ROLLBACK)
        return f"to be rolled back ({told.recommendation.reason}{again})"
    return fate(told, with_reason=True)


def _is_plainly_best(state: LoopState) -> bool:
    """Check whether the latest round is the best and has no problems."""
    one, first = state.rounds[-1].iteration, state.tracker.current(0)
    if not one.number or best_yet(state) != one.number or one.quality is None:
        return False
    lower = first.quality is not None and round(sure_value(one), 2) < round(first.quality.value, 2)
    made_up = bool(one.set_aside) and not is_step_forward(one, first)
    suite, measured = one.from_baseline.suite if one.from_baseline else None, one.measured
    doubtful = suite is not None and (suite.gone or suite.broken or suite.silenced)
    return not (lower or made_up or doubtful or measured.rewritten_tests or measured.fails_outside_tests)


def _details(state: LoopState) -> list[str]:
    """Tests and files by name, and whether the round changed how it is measured."""
    one, end = state.rounds[-1].iteration, state.ends[-1]
    files = sorted(one.changes.files) if one.changes is not None else []
    tests = suite_line(one.from_previous.suite if one.from_previous else None, one.measured.flaky_tests or ())
    measure = measuring_line(end)
    told = {"tests": tests, "files": names_of(files, MAX_NAMES)}
    line = " · ".join(f"{name}: {text}" for name, text in told.items() if text)
    lines = [f"   {line}"] if line else []
    lines += [f"   the round {measure}"] if measure else []
    return lines + [f"   {text}" for text in (unexplained_line(end), lost_line(end)) if text]


def spend(state: LoopState) -> str:
    """The cost so far; if there is a budget and the cost is unknown, says so."""
    budget = budget_of(state)
    of = f" of {money(budget)}" if budget is not None else ""
    if state.cost_usd is not None:
        return f"{money(state.cost_usd)}{of}"
    return "cost unknown" if budget is not None and state.agents else ""


def last_line(output: bytes) -> str:
    """The last line of a command's output."""
    lines = output.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip()[:200] if lines else ""


def _quality(one: Iteration) -> str:
    return f" {one.quality.value:.2f}" if one.quality else ""


def _ended_with(exit_code: int) -> str:
    return f"was ended by signal {-exit_code}" if exit_code < 0 else f"ended with exit code {exit_code}"
