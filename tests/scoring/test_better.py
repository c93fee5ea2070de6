"""Which round a person would want to have: good work is not thrown away, and harm is not kept."""

import pytest

from headway import Measurements
from headway.core.iteration import FileChanges, Iteration, Score
from headway.loop.tracker import Tracker
from headway.scoring.better import comparable, is_better
from headway.scoring.quality import quality_score
from headway.scoring.round import scored

SOMETHING, NOTHING = FileChanges(lines=10, files={"a.py": "1"}), FileChanges()


def suite(count, passed=None, **more):
    passed = count if passed is None else passed
    return Measurements(test_count=count, tests_passed=passed, tests_failed=count - passed, **more)


def selected(baseline, *rounds):
    """The number of the round that is selected."""
    return selection(baseline, *rounds).selected_iteration


def selection(baseline, *rounds):
    """What is selected, and why; a round is what it measured, or also what it changed and where it began."""
    tracker = Tracker("x")
    tracker.pre_loop(baseline)
    for one in rounds:
        measured, changes, based_on = (*one, None)[:3] if isinstance(one, tuple) else (one, SOMETHING, None)
        tracker.post_iteration(measured, changes=changes, based_on=based_on)
    return tracker.post_loop().selection


GREEN = suite(40, coverage_percentage=100.0, loc_total=200, complexity_score=1.0)


def test_code_that_comes_with_its_tests_is_no_bloat():
    grown = suite(60, coverage_percentage=100.0, loc_total=300, complexity_score=1.0)
    assert quality_score(GREEN, None).value == quality_score(grown, GREEN).value
    assert 1 == selected(GREEN, grown)
    bloated = suite(60, coverage_percentage=100.0, loc_total=500, complexity_score=1.0)
    assert quality_score(bloated, GREEN).value < quality_score(grown, GREEN).value


def test_going_forward_is_kept_although_new_lines_cost_quality():
    before = suite(1, coverage_percentage=100.0, loc_total=4)
    after = suite(2, coverage_percentage=100.0, loc_total=40)
    assert quality_score(after, before).value < quality_score(before, None).value
    assert 1 == selected(before, after)


@pytest.mark.parametrize(
    "after",
    [
        GREEN,
        suite(40, coverage_percentage=98.5, loc_total=203, complexity_score=1.0),
        suite(40, coverage_percentage=100.0, loc_total=290, complexity_score=1.0),
        suite(40, coverage_percentage=100.0, loc_total=200, complexity_score=1.2),
    ],
    ids=["a rename", "a new function without a test", "many new lines", "a little more complex"],
)
def test_a_change_that_breaks_nothing_is_kept(after):
    assert 1 == selected(GREEN, after)


def test_a_round_that_did_nothing_is_the_baseline():
    assert 0 == selected(GREEN, (GREEN, NOTHING))
    assert 2 == selected(GREEN, (GREEN, NOTHING), GREEN, (GREEN, NOTHING))


def test_of_equal_rounds_the_one_that_holds_the_work_of_the_others():
    assert 3 == selected(GREEN, GREEN, GREEN, GREEN)
    assert 2 == selected(GREEN, GREEN, GREEN, (GREEN, SOMETHING, 0))  # round 3 lacks what 1 and 2 did


def test_a_regression_is_not_kept_because_it_measured_more():
    """One line of code and its test, and then six lines without one, which make complexity measurable."""
    before = suite(1, coverage_percentage=100.0, loc_total=1)
    after = suite(1, coverage_percentage=57.1, loc_total=7, complexity_score=2.0)
    assert 0 == selected(before, after)
    assert 1 == selected(before, before, after)


def test_a_round_that_measured_more_and_did_no_harm_is_kept():
    assert 1 == selected(suite(3), suite(3, coverage_percentage=80.0))
    assert 2 == selected(suite(3, 1), suite(3, 2), suite(3, 3, coverage_percentage=80.0))


def test_a_round_that_made_some_things_worse_must_be_better_on_the_whole():
    red = suite(10, 4, lint_errors=0)
    assert 1 == selected(red, suite(10, lint_errors=1))
    assert 0 == selected(red, suite(10, 5, lint_errors=40))
    assert 2 == selected(red, suite(10, 5, lint_errors=0), suite(10, lint_errors=1))


def test_small_drops_add_up_to_harm():
    falling = [suite(5, coverage_percentage=value) for value in (90.0, 88.5, 87.0)]
    assert 1 == selected(*falling)


def test_a_round_that_went_forward_wins_unless_its_quality_is_clearly_lower():
    one = suite(10, coverage_percentage=95.0, complexity_score=1.0)
    more = suite(12, coverage_percentage=94.9, complexity_score=1.0)
    monster = suite(12, coverage_percentage=95.0, complexity_score=18.0)
    assert 2 == selected(suite(8, coverage_percentage=95.0, complexity_score=1.0), one, more)
    assert 1 == selected(suite(8, coverage_percentage=95.0, complexity_score=1.0), one, monster)


def test_the_rationale_is_true_where_others_have_more_quality():
    before = suite(8, coverage_percentage=95.0)
    more, harmless = suite(12, coverage_percentage=94.0), suite(8, coverage_percentage=94.0)
    assert (
        "Round 2 is the best of the rounds that did no harm (quality 0.99)",
        "The baseline scores higher (quality 0.99), but the round is a step forward from it",
    ) == selection(before, suite(10, coverage_percentage=95.0), more).rationale[:2]
    assert (
        "Round 1 has the highest quality of the rounds after the baseline (quality 0.99)",
        "The baseline scores higher (quality 0.99), but the round changed something and broke nothing",
    ) == selection(before, harmless).rationale[:2]


def test_skipping_tests_makes_nothing_better():
    red = suite(3, 1, tests_skipped=0)
    hidden = Measurements(test_count=3, tests_passed=1, tests_failed=0, tests_skipped=2)
    silent = Measurements(test_count=3, tests_passed=0, tests_failed=0, tests_skipped=3)
    assert (3, 1, 0) == (red.tests_run, hidden.tests_run, silent.tests_run)
    assert quality_score(red, None).value >= quality_score(hidden, red).value > quality_score(silent, red).value
    assert 0.0 == silent.pass_rate and not silent.all_passed
    assert 0 == selected(red, hidden) == selected(red, silent)
    assert Measurements(test_count=0, tests_passed=0, tests_failed=0).pass_rate is None


@pytest.mark.parametrize(("quality", "wins"), [(0.801, True), (0.80, False)])
def test_going_forward_outweighs_less_than_002_of_quality(quality, wins):
    """Although 0.82 - 0.02 is a little less than 0.80 for a computer."""
    best = Iteration(number=1, measured=suite(10), quality=Score(0.82, components=("all",)))
    later = Iteration(number=2, measured=suite(12), quality=Score(quality, components=("all",)))
    assert wins == is_better(later, best, {})


def test_a_round_that_made_nothing_better_but_its_looks_is_no_gain():
    """A lint error more and nothing measured better: that the code is simpler does not outweigh it."""
    before, after = suite(5, lint_errors=0, complexity_score=15.0), suite(5, lint_errors=1, complexity_score=1.0)
    assert quality_score(after, before).value > quality_score(before, None).value
    assert 0 == selected(before, after)


def test_where_nobody_can_tell_what_changed_a_higher_quality_does():
    before, simpler = suite(5, complexity_score=15.0), suite(5, complexity_score=1.0)
    assert 1 == selected(before, (simpler, None))
    assert 0 == selected(before, (before, None))


def test_a_round_that_changed_nothing_does_not_take_the_place_of_its_equal():
    assert 1 == selected(suite(5), suite(9), (suite(9), NOTHING))


def test_without_a_measured_baseline_every_round_holds():
    assert 1 == selected(Measurements(), suite(5))


def test_only_what_both_measured_is_compared():
    assert 2 == selected(suite(10, 7), suite(10, 8), suite(10, 9, coverage_percentage=10.0))


def test_who_measures_less_must_have_gone_forward():
    covered = suite(3, coverage_percentage=80.0)
    assert 1 == selected(suite(3), covered, suite(3))
    assert 2 == selected(suite(3), covered, suite(4))


def equal(number, based_on=None):
    quality = Score(0.8, components=("all",))
    return Iteration(number=number, measured=suite(5), quality=quality, changes=SOMETHING, based_on=based_on)


def test_of_equal_rounds_the_later_one_wins_that_was_built_upon_the_other():
    assert is_better(equal(3), equal(1), {2: equal(2)})
    assert not is_better(equal(3), equal(1), {2: equal(2, based_on=0)})
    assert not is_better(equal(3), equal(1), {})  # nobody remembers where round 2 began


def test_of_rounds_with_nothing_in_common_the_one_that_measured_more_wins():
    tested = Iteration(number=1, quality=Score(0.8, components=("a",)))
    assert not is_better(Iteration(number=2, quality=Score(0.9, components=("b",))), tested, {})
    assert is_better(Iteration(number=2, quality=Score(0.7, components=("b", "c"))), tested, {})


def test_qualities_that_rest_on_other_errors_are_not_compared():
    kinds = [suite(9, lint_errors=3), suite(9, type_errors=3), suite(9, lint_errors=1, type_errors=2)]
    ones = [scored(Iteration(number=1, measured=kind), (), None) for kind in kinds]
    assert [True, False, False] == [comparable(ones[0], other) for other in ones]
