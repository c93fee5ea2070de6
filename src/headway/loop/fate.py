"""Says what happened to the files of a round, and why. The screen, the reports and the result all use this."""

from collections.abc import Sequence

import msgspec

from headway.core.iteration import Iteration
from headway.loop.evidence import lost_line, measuring_line, unexplained_line
from headway.loop.state import LoopState
from headway.reports.iteration_markdown import round_name
from headway.reports.suite import names_of
from headway.scoring.assessment import RoundReport
from headway.scoring.best import lineage
from headway.scoring.better import comparable, is_step_forward
from headway.scoring.verdict import is_judged, worse_in


class Fate(msgspec.Struct, frozen=True):
    """Whether the files of a round were kept; None while that is undecided."""

    kept: bool | None
    why: str
    back_to: int | None = None
    """The round whose files replaced them."""


def round_outcome(state: LoopState, number: int) -> RoundReport:
    """The report of a round, with its time and cost and what happened to its files."""
    report = state.rounds[number]
    if number == 0:
        return msgspec.structs.replace(report, seconds=round(state.round_seconds(0), 3))
    agent, fate = state.agents[number - 1], fate_of(state, number)
    return msgspec.structs.replace(
        report,
        seconds=round(state.round_seconds(number), 3),
        agent_seconds=round(agent.seconds, 3),
        cost_usd=agent.cost_usd,
        kept=fate.kept,
        back_to=fate.back_to,
        why=fate.why,
        measured_by=measuring_line(state.ends[number]),
        unexplained=unexplained_line(state.ends[number]),
        lost=lost_line(state.ends[number]),
    )


def fate_of(state: LoopState, number: int) -> Fate:
    """What happened to the files of a round."""
    report = state.rounds[number]
    advice = report.recommendation
    if number in state.returns:
        to, why = state.returns[number]
        return Fate(False, why, to)
    to_instead = _given_up_for(state, number)
    if to_instead is not None:
        return Fate(False, advice.message if advice.rejects else _why_given_up(state, number, to_instead), to_instead)
    if not advice.rejects:
        return Fate(True, why_kept(report))
    unwanted = _why_it_stays(state, number)
    if unwanted:
        return Fate(True, f"although it should be rolled back ({unwanted}): {advice.message}")
    return Fate(None, advice.message)


def _given_up_for(state: LoopState, number: int) -> int | None:
    """The round that later replaced this one; None while its files are in use."""
    rounds = [one.iteration for one in state.rounds]
    origin = _same_files(rounds, number)

    def holds(other: int) -> bool:
        return origin in {one.number for one in lineage(rounds, other)}

    over = state.finishing
    placed = over.selected if over is not None and _moves_files(state) else None
    if placed is not None and holds(placed):
        return None
    for later in rounds[number + 1 :]:
        if not holds(later.number):
            return later.began_from
    if over is None and state.on_branch is None:
        return None if holds(state.base) else state.base
    return placed


def _why_given_up(state: LoopState, number: int, to: int) -> str:
    if any(to == target for latest, target in state.by_hand.items() if latest >= number):
        return f"you returned to {round_name(to)}"
    return f"{round_name(to)} is selected"


def _same_files(rounds: Sequence[Iteration], number: int) -> int:
    """The earliest round with the same files."""
    while number and (changes := rounds[number].changes) is not None and not changes.files:
        number = rounds[number].began_from
    return number


def left_in_place(state: LoopState) -> int | None:
    """The round whose files stay at the end, if it is not the selected one."""
    over = state.finishing
    if over is None or over.selected is None or _moves_files(state) or state.base == over.selected:
        return None
    return state.base


def _moves_files(state: LoopState) -> bool:
    """Whether the files of the selected round are restored at the end."""
    return state.ends[0].snapshot is not None and (state.spec.rollback != "never" or bool(state.spec.branch))


def _why_it_stays(state: LoopState, number: int) -> str:
    """Why a round is kept although it broke something; empty if it is not."""
    if state.spec.rollback == "never":
        return "--rollback never"
    if state.mode != "enforce":
        return f"policy.mode is {state.mode}"
    if state.ends[number].snapshot is None:
        return "its files could not be saved"
    return "you chose to keep it" if state.settled >= number else ""


def why_kept(report: RoundReport) -> str:
    """Why a round was not rolled back."""
    one, before = report.iteration, report.previous
    if one.changes is not None and not one.changes.files:
        return "it changed no file"
    although = _although(one, before)
    if although:
        return f"although {although}"
    if not is_judged(one.measured):
        return "nothing was measured"
    if one.verdict == "forward":
        is_sure = not one.set_aside or before is None or is_step_forward(one, before)
        return "it is a step forward" if is_sure else f"nothing got better {' and '.join(one.set_aside)}"
    if one.verdict == "regression" and before is not None:
        worse = " and ".join(worse_in(one.measured, before.measured))
        return f"although {worse} got worse, which alone causes no rollback"
    return "some things got better and others worse" if one.mixed else "nothing got clearly worse"


def _although(one: Iteration, before: Iteration | None) -> str:
    """What counts against a kept round."""
    suite, measured = one.from_previous.suite if one.from_previous else None, one.measured
    if suite is not None and suite.lost:
        is_gone = suite.passed_and_gone and not suite.unsure
        what, count = ("broke or are gone", "broken or gone") if is_gone else ("broke", "broken")
        return f"{names_of(suite.lost_tests)} {what}: {len(suite.fixed)} fixed, {suite.lost} {count}"
    if suite is not None and suite.unsure:
        what = "are gone or were renamed" if suite.gone else "may be broken or new"
        return f"tests {what}: {names_of(suite.unsure)}"
    if measured.fails_outside_tests and not (before is not None and before.measured.fails_outside_tests):
        return f"the test command fails with exit code {measured.tests_exit_code} although no test fails"
    if measured.rewritten_tests:
        return f"these fail with the tests and settings of the baseline: {names_of(measured.rewritten_tests)}"
    if one.verdict in ("plateau", "stalled") and _fell(one, before):
        return f"its quality fell from {_shown(before)} to {_shown(one)}"
    return ""


def _fell(one: Iteration, before: Iteration | None) -> bool:
    """Check whether the displayed quality is lower."""
    return before is not None and comparable(one, before) and _shown(one) < _shown(before)


def _shown(one: Iteration | None) -> str:
    return f"{one.quality.value:.2f}" if one is not None and one.quality is not None else ""
