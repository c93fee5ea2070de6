"""Every reason that a decision can carry can be explained."""

import ast
import inspect

import pytest
from click.testing import CliRunner

from headway import Measurements, Monitor
from headway.cli.explain import command
from headway.detectors import built_in
from headway.hosts import delivery
from headway.policy import end_of_turn, rounds, rules
from headway.policy.reasons import REASONS


def reasons_in(module):
    """The reasons that a module gives: to a decision, to a finding about the end of a turn, or as a name of its own."""
    nodes = list(ast.walk(ast.parse(inspect.getsource(module))))
    keywords = [node.value for node in nodes if isinstance(node, ast.keyword) and node.arg == "reason"]
    calls = [node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    first = [node.args[0] for node in calls if node.func.id == "about_the_end"]
    return {node.value for node in [*keywords, *first] if isinstance(node, ast.Constant)}


def explained(reason):
    return CliRunner().invoke(command, [reason])


IN_STOP_DECISION = {"loop_detected"}
"""The reason of `session.stop_decision()` that the policy does not use."""
USED = sorted(IN_STOP_DECISION.union(*map(reasons_in, (rules, rounds, end_of_turn)), delivery.REPEATS))


def test_the_reasons_are_found_in_the_source():
    assert {"manual_stop", "target_reached", "claim_contradicted", "failed_change", "halted", "owed"} <= set(USED)


@pytest.mark.parametrize("reason", USED)
def test_every_reason_that_is_used_can_be_explained(reason):
    shown = explained(reason)

    assert 0 == shown.exit_code and shown.output.startswith(f"{reason}  ")
    assert "Clears: " in shown.output


def test_every_reason_that_is_explained_is_used():
    assert set(REASONS) <= set(USED)


def test_no_reason_has_the_name_of_a_detector():
    assert set() == REASONS.keys() & built_in().keys()


def test_nothing_that_is_said_at_the_end_of_a_turn_has_the_name_of_a_detector():
    assert set() == reasons_in(end_of_turn) & built_in().keys()


def test_what_a_person_and_a_good_round_stop_with_is_explained():
    done = Monitor(settings={"policy": {"target_quality": 0.5}})
    done.iteration_ended("", Measurements(test_count=2, tests_passed=0, tests_failed=2))
    reached = done.iteration_ended("", Measurements(test_count=2, tests_passed=2, tests_failed=0))
    stopped = Monitor().stop("enough")

    assert ["target_reached", "manual_stop"] == [reached.reason, stopped.reason]
    assert [0, 0] == [explained(reached.reason).exit_code, explained(stopped.reason).exit_code]


def test_what_is_no_reason_is_refused_with_the_nearest_one():
    shown = explained("manual_stopp")

    assert 1 == shown.exit_code
    assert "no detector or reason 'manual_stopp'; did you mean 'manual_stop'?" in shown.output
