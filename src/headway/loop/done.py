"""Decides when a loop is done, and collects warnings about the selected round."""

import msgspec

from headway.core.iteration import SuiteChanges
from headway.loop.evidence import MAX_NAMES, measuring_line, unexplained_line
from headway.loop.facts import Ending
from headway.loop.state import LoopState
from headway.reports.suite import names_of
from headway.scoring.assessment import RoundReport
from headway.scoring.better import deleted_tests


def done(state: LoopState, report: RoundReport) -> Ending | None:
    """The ending if the loop is done: `--until` holds, a target is reached, or the tests confirm the agent's claim."""
    if state.tracker.is_at_start:
        return None  # the latest round was measured with other files
    end, agent = state.ends[-1], state.last_agent
    number, broken = state.number, report.recommendation.rejects or state.number in state.returns
    if broken or _lacks_tests(state):
        return None
    if end.until:
        when = f"after round {number}" if number else "before any round; there is nothing to do"
        return Ending(outcome="done", reason="until", message=f"`{state.spec.until}` passes {when}.")
    if report.recommendation.reason == "target_reached" and not state.settled >= state.number:
        return Ending(outcome="done", reason="target_reached", message=report.recommendation.message)
    if agent is None or not agent.claimed or end.until is False:
        return None
    confirmed = confirmation(state)
    return Ending(outcome="done", reason="complete", message=confirmed) if confirmed else None


def with_warnings(state: LoopState, ending: Ending) -> Ending:
    """The ending, with warnings about the selected round added to its message."""
    done_in = state.number if ending.outcome == "done" and state.number else None
    selected = state.tracker.selected(done_in=done_in, because=ending.message).selected_iteration
    stays = state.spec.rollback == "never" and not state.spec.branch
    found = warnings(state, None if stays else selected)
    if not found:
        return ending
    but = " ".join([f"But {found[0][:1].lower()}{found[0][1:]}", *found[1:]])
    return msgspec.structs.replace(ending, message=f"{ending.message} {but}")


def warnings(state: LoopState, selected: int | None) -> list[str]:
    """Warnings about the selected round, one sentence each.

    They cover how the round is measured, tests of the baseline that are gone, broken or skipped, and a test command
    that fails. If no round is selected or restored, the files stay as they are, and the warnings are about those.
    """
    number = state.base if selected is None else selected
    if not number:
        return []
    one, told = state.tracker.current(number), measuring_line(state.current_end(number))
    suite = one.from_baseline.suite if one.from_baseline else None
    old = state.ends[number].old_tests
    is_doubtful = state.ends[number].measuring or (old is not None and not old.measured.all_passed)
    found = [f"Round {number} {told}."] if told and is_doubtful else []
    for end in state.ends[1 : number + 1]:
        found += [f"In round {end.number}, {text}."] if (text := unexplained_line(end)) else []
    for tests, what in _changes_of_tests(suite):
        found += [f"{what} in round {number}: {names_of(tests, MAX_NAMES)}."] if tests else []
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


def confirmation(state: LoopState) -> str | None:
    """What confirms the agent's claim to be done; None if the measurements contradict it."""
    measured = state.measured
    said = f"The agent says in round {state.number} that the task is complete"
    if measured.build_status not in (None, "success") or _lacks_tests(state):
        return None
    if measured.all_passed:
        passing = "its one test passes" if measured.tests_passed == 1 else f"all {measured.tests_passed} tests pass"
        return f"{said}, and {passing}."
    tested_before = any(one.iteration.measured.tests_passed is not None for one in state.rounds)
    return None if tested_before else f"{said}; no tests were measured to confirm it."


def _lacks_tests(state: LoopState) -> bool:
    """Check whether fewer tests run than at the baseline, unless the user was asked and agreed."""
    return deleted_tests(state.rounds[-1].iteration) and state.spec.rollback != "ask"
