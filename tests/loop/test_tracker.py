"""Seed 003's tracker: its examples, its hook points, its conversation."""

import msgspec
import pytest

from headway import EventError, Measurements, Severity
from headway.loop.tracker import Tracker, TrackerError
from headway.seeds.messages import (
    BaselineRequest,
    BestIterationSelection,
    IterationComplete,
    LoopComplete,
    LoopDecision,
    LoopDecisionRequest,
    ProgressReport,
    RegressionAlert,
)

M = Measurements


def suite_of(count, passed, coverage, **more):
    return M(test_count=count, tests_passed=passed, tests_failed=count - passed, coverage_percentage=coverage, **more)


def tracked(*rounds, **settings):
    tracker = Tracker("loop-1", **settings)
    tracker.pre_loop(rounds[0], "before")
    return tracker, [tracker.post_iteration(one, f"round {n} " * 50) for n, one in enumerate(rounds[1:], 1)]


def test_example_1_the_baseline():
    report = Tracker("loop-1").pre_loop(M(test_count=8, tests_passed=5, tests_failed=3, coverage_percentage=65.0))
    assert (0, "baseline") == (report.iteration.number, report.iteration.verdict)
    assert report.best_iteration is None
    assert "continue" == report.recommendation.action
    assert [line.split(":")[0] for line in report.rationale] == ["Goal", "Extraction", "Reasoning", "Synthesis"]
    assert "test_count=8, tests_passed=5, tests_failed=3, pass_rate=62.5 %, coverage=65 %" in report.rationale[1]


def test_example_2_the_regression():
    """Three alerts, and back to round 2."""
    _, reports = tracked(suite_of(8, 5, 65.0), suite_of(8, 6, 70.0), suite_of(10, 8, 75.0), suite_of(9, 7, 72.0))
    third = reports[2]

    assert ["forward", "forward", "regression"] == [report.iteration.verdict for report in reports]
    assert {
        "test_deletion": Severity.CRITICAL,
        "working_tests_failing": Severity.CRITICAL,
        "coverage_regression": Severity.HIGH,
    } == {alert.detector: alert.severity for alert in third.alerts}
    assert (-1, -2.2, -3.0) == (
        third.iteration.from_previous.test_count_delta,
        third.iteration.from_previous.pass_rate_delta,
        third.iteration.from_previous.coverage_delta,
    )
    assert (1, 15.3, 7.0) == (
        third.iteration.from_baseline.test_count_delta,
        third.iteration.from_baseline.pass_rate_delta,
        third.iteration.from_baseline.coverage_delta,
    )
    assert ("rollback", 2, 2) == (
        third.recommendation.action, third.recommendation.target_iteration, third.best_iteration,
    )  # fmt: skip
    assert third.recommendation.confidence >= 0.95
    assert any(line.startswith("Exception: Test count decreased from 10 to 9.") for line in third.rationale)


def test_plateau_then_critical():
    """10/9/82, then 10/9/81 is a plateau, then 9/7/78 is critical."""
    _, reports = tracked(suite_of(10, 8, 80.0), suite_of(10, 9, 82.0), suite_of(10, 9, 81.0), suite_of(9, 7, 78.0))
    assert ["forward", "plateau", "regression"] == [report.iteration.verdict for report in reports]
    assert Severity.CRITICAL in {alert.severity for alert in reports[2].alerts}


def test_deltas_after_a_rollback_compare_with_what_was_restored():
    tracker, _ = tracked(suite_of(8, 5, 65.0), suite_of(10, 8, 75.0), suite_of(9, 7, 72.0))
    after = tracker.post_iteration(suite_of(10, 9, 76.0), "again", based_on=1)
    assert ("forward", 0, 1) == (
        after.iteration.verdict, after.iteration.from_previous.test_count_delta, after.previous.number,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("now", "verdict", "said"),
    [
        (suite_of(10, 9, 75.0), "forward", "Forward progress detected."),
        (suite_of(8, 6, 70.0), "plateau", "No clear progress, but not for long"),
        (suite_of(8, 6, 70.0, error_count=1), "regression", "Something got worse, but not enough for a rollback."),
        (suite_of(8, 6, 67.0, error_count=0), "regression", "Coverage fell from 70 % to 67 %."),
    ],
)
def test_continuing_has_a_reason_too(now, verdict, said):
    """Seed 003: "Continue - forward progress detected"."""
    _, (report,) = tracked(suite_of(8, 6, 70.0, error_count=0), now)
    advice = report.recommendation
    assert ("continue", verdict) == (advice.action, advice.reason)
    assert advice.message.startswith(said)


def test_the_same_cause_again_stops():
    """Design, 5: a repeated rollback for the same identity stops."""
    tracker, reports = tracked(suite_of(8, 5, 65.0), suite_of(10, 8, 75.0), suite_of(9, 8, 75.0))
    assert ("rollback", 1) == (reports[1].recommendation.action, reports[1].recommendation.target_iteration)
    again = tracker.post_iteration(suite_of(9, 8, 75.0), "again", based_on=1)
    assert ("stop", "test_deletion") == (again.recommendation.action, again.recommendation.reason)


def test_without_a_better_round_the_rollback_is_to_the_baseline():
    _, reports = tracked(suite_of(8, 8, 80.0), suite_of(7, 7, 80.0))
    assert ("rollback", 0) == (reports[0].recommendation.action, reports[0].recommendation.target_iteration)


def test_a_regression_far_below_the_best_is_rolled_back():
    _, reports = tracked(M(coverage_percentage=60.0), M(coverage_percentage=90.0), M(coverage_percentage=70.0))
    assert ("rollback", "quality_drop") == (reports[1].recommendation.action, reports[1].recommendation.reason)


def test_rounds_without_progress_recommend_a_stop():
    same = suite_of(8, 6, 70.0)
    _, reports = tracked(same, same, same, same)
    assert ["continue", "continue", "stop"] == [str(report.recommendation.action) for report in reports]
    assert ("stalled", "stalled") == (reports[2].iteration.verdict, reports[2].recommendation.reason)


def test_circles_are_escalated():
    one, other = suite_of(8, 6, 70.0), suite_of(9, 7, 75.0)
    _, reports = tracked(one, other, one, other)
    assert ("escalate", "metric_cycle") == (reports[2].recommendation.action, reports[2].recommendation.reason)


def test_one_regression_is_not_a_circle():
    """A return to the numbers of round 1 is rolled back and not escalated."""
    _, reports = tracked(suite_of(6, 2, 70.0), suite_of(6, 3, 70.0), suite_of(6, 4, 70.0), suite_of(6, 3, 70.0))
    assert ("rollback", "working_tests_failing", 2) == (
        reports[2].recommendation.action, reports[2].recommendation.reason, reports[2].recommendation.target_iteration,
    )  # fmt: skip


def test_lost_measurements_are_escalated():
    _, reports = tracked(suite_of(8, 6, 70.0), M(test_count=8, tests_passed=6, tests_failed=2))
    assert ("escalate", "uncertain") == (reports[0].recommendation.action, reports[0].recommendation.reason)


def test_tests_that_are_deleted_while_others_cannot_be_loaded_are_noticed():
    """How many tests a file has that cannot be loaded is unknown; those with a result must not become fewer."""
    before = M(tests_passed=5, tests_failed=1, failing_tests=("test_calc",))
    fewer, broken = M(tests_passed=4, tests_failed=1, failing_tests=("test_calc",)), suite_of(7, 7, None)
    assert "test_deletion" == tracked(before, fewer)[1][0].recommendation.reason
    assert (
        "working_tests_failing"
        == tracked(broken, msgspec.structs.replace(before, tests_passed=4))[1][0].recommendation.reason
    )
    assert "continue" == tracked(before, suite_of(7, 6, None))[1][0].recommendation.action


def test_the_target_quality_ends_the_loop():
    settings = {"policy": {"target_quality": 0.9}}
    _, reports = tracked(suite_of(8, 6, 70.0), suite_of(10, 10, 95.0), settings=settings)
    assert ("stop", "target_reached") == (reports[0].recommendation.action, reports[0].recommendation.reason)


def test_the_hook_points_in_order():
    tracker = Tracker("loop-1")
    for too_early in (tracker.loop_decision, tracker.post_loop, lambda: tracker.post_iteration(M())):
        with pytest.raises(TrackerError, match="baseline"):
            too_early()
    tracker.pre_loop(suite_of(8, 5, 65.0))
    with pytest.raises(TrackerError, match="already"):
        tracker.pre_loop(suite_of(8, 5, 65.0))
    tracker.post_iteration(suite_of(10, 10, 85.0), "done")
    assert "continue" == tracker.loop_decision().action
    loop = tracker.post_loop()
    assert (1, 2) == (loop.selection.selected_iteration, len(loop.rounds))


def test_the_users_choice_is_selected():
    tracker, _ = tracked(suite_of(8, 5, 65.0), suite_of(10, 9, 85.0), suite_of(10, 10, 90.0))
    loop = tracker.post_loop(choose_round=1, because="simpler")
    assert (1, "simpler") == (loop.selection.selected_iteration, loop.selection.override)


class Orchestrator:
    """Stores the messages it receives."""

    def __init__(self):
        self.on_output = []

    def receive(self, message, sender):
        self.on_output.append(message)


def test_the_messages_of_the_seed():
    boss, human = Orchestrator(), Orchestrator()
    tracker = Tracker("loop-1", human=human)
    for message in (
        BaselineRequest(measured=suite_of(8, 5, 65.0)),
        IterationComplete(measured=suite_of(10, 8, 75.0), output="one"),
        IterationComplete(measured=suite_of(9, 7, 72.0), output="two"),
        LoopDecisionRequest(),
        LoopComplete(),
    ):
        tracker.receive(message, boss)

    kinds = [type(message) for message in boss.on_output]
    assert [
        ProgressReport, ProgressReport, ProgressReport, RegressionAlert, LoopDecision, BestIterationSelection,
    ] == kinds  # fmt: skip
    assert [RegressionAlert] == [type(message) for message in human.on_output]
    assert "rollback" == boss.on_output[4].recommendation.action
    assert 1 == boss.on_output[5].loop.selection.selected_iteration


def test_it_can_begin_a_conversation_itself():
    boss = Orchestrator()
    Tracker("loop-1").initiate_chat(boss, BaselineRequest(measured=M()))
    assert [BaselineRequest] == [type(message) for message in boss.on_output]


def test_unknown_messages_are_refused():
    _, (report,) = tracked(M(), M(test_count=1))
    with pytest.raises(TypeError, match="does not understand ProgressReport"):
        Tracker("x").generate_reply([ProgressReport(round=report)])


def test_following_a_rollback_is_not_a_circle():
    tracker, reports = tracked(suite_of(10, 8, 80.0), suite_of(10, 10, 85.0), suite_of(10, 8, 85.0))
    assert ("rollback", 1) == (reports[1].recommendation.action, reports[1].recommendation.target_iteration)
    after = tracker.post_iteration(suite_of(10, 10, 85.0), "back again", based_on=1)
    assert "metric_cycle" not in {alert.detector for alert in after.alerts}


def test_noise_is_not_a_circle():
    _, reports = tracked(*(suite_of(10, 8, coverage) for coverage in (79.0, 80.0, 80.1, 80.2, 80.1, 80.2)))
    assert not any("metric_cycle" == alert.detector for report in reports for alert in report.alerts)


def test_a_step_forward_clears_an_old_rollback():
    tracker, reports = tracked(suite_of(8, 8, 70.0), suite_of(10, 10, 75.0), suite_of(9, 9, 75.0))
    assert "rollback" == reports[1].recommendation.action
    tracker.post_iteration(suite_of(12, 12, 80.0), "better", based_on=1)
    again = tracker.post_iteration(suite_of(11, 11, 80.0), "worse")
    assert ("rollback", 3) == (again.recommendation.action, again.recommendation.target_iteration)


def test_it_never_goes_back_to_a_round_worse_than_the_baseline():
    def known(count, *failing):
        passed = count - len(failing)
        return M(test_count=count, tests_passed=passed, tests_failed=len(failing), failing_tests=failing)

    tracker, _ = tracked(known(10), known(8))
    again = tracker.post_iteration(known(10, "a"), "other", based_on=0)
    assert ("rollback", 0) == (again.recommendation.action, again.recommendation.target_iteration)


def test_improving_rounds_without_output_continue():
    tracker = Tracker("loop-1")
    tracker.pre_loop(suite_of(8, 5, 65.0))
    actions = [
        str(tracker.post_iteration(suite_of(8 + 2 * n, 5 + 3 * n, 65.0 + 5 * n)).recommendation.action)
        for n in (1, 2, 3)
    ]
    assert ["continue"] * 3 == actions


def test_baseline_and_best_are_never_forgotten():
    tracker = Tracker("loop-1")
    tracker.pre_loop(suite_of(10, 8, 70.0))
    tracker.post_iteration(suite_of(10, 10, 95.0), "the best")
    for n in range(110):
        tracker.post_iteration(suite_of(10, 9, 80.0), f"round {n}", based_on=1)
    numbers = [one.number for one in tracker.monitor.session.iterations]
    assert [0, 1] == numbers[:2] and len(numbers) == 100
    assert 1 == tracker.rounds[-1].best_iteration


def test_a_round_based_on_an_unknown_one_is_refused():
    tracker, _ = tracked(M(), M())
    with pytest.raises(EventError, match="based_on is 7"):
        tracker.post_iteration(M(), based_on=7)
