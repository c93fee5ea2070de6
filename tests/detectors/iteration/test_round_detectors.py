"""Detectors of the round scale: each at its threshold, and quiet before it."""

from pathlib import Path

import msgspec
import pytest

from headway import Measurements, Monitor, Severity
from headway.core.events import IterationEnded
from headway.core.iteration import FileChanges
from headway.core.limits import Sizes
from headway.detectors import built_in
from tests.streams import engine_of

M = Measurements


def rounds(*given, **settings):
    """Findings of each round, by round number; each round is Measurements or keywords of `iteration_ended`."""
    monitor = Monitor(**settings)
    found = {}
    for number, one in enumerate(given):
        keywords = one if isinstance(one, dict) else {"measured": one}
        outcome = monitor.feed(IterationEnded(**{"output": f"round {number} " * 20, **keywords}))
        found[number] = {finding.detector: finding for finding in outcome.findings}
    return found


BASE = M(
    test_count=10,
    tests_passed=8,
    tests_failed=2,
    coverage_percentage=80.0,
    lint_errors=3,
    file_count=20,
    complexity_score=4.0,
)


def changed(**more):
    return msgspec.structs.replace(BASE, **more)


THRESHOLDS = [
    ("test_deletion", Severity.CRITICAL, changed(test_count=9), changed(test_count=10)),
    ("working_tests_failing", Severity.CRITICAL, changed(tests_passed=7, tests_failed=3), changed(tests_passed=8)),
    ("coverage_regression", Severity.HIGH, changed(coverage_percentage=77.9), changed(coverage_percentage=78.0)),
    ("error_increase", Severity.HIGH, changed(lint_errors=9), changed(lint_errors=8)),
    ("file_deletion", Severity.MEDIUM, changed(file_count=19), changed(file_count=20)),
    ("complexity_explosion", Severity.MEDIUM, changed(complexity_score=6.1), changed(complexity_score=6.0)),
]


@pytest.mark.parametrize(("detector", "severity", "over", "under"), THRESHOLDS, ids=[row[0] for row in THRESHOLDS])
def test_speaks_past_its_threshold_and_not_at_it(detector, severity, over, under):
    assert severity is rounds(BASE, over)[1][detector].severity
    assert detector not in rounds(BASE, under)[1]


@pytest.mark.parametrize("detector", [row[0] for row in THRESHOLDS])
def test_stays_quiet_about_what_nobody_measured(detector):
    assert detector not in rounds(BASE, M())[1]
    assert detector not in rounds(M(), BASE)[1]


@pytest.mark.parametrize(
    ("detector", "after", "before", "now"),
    [
        ("test_deletion", changed(test_count=9), 10, 9),
        ("working_tests_failing", changed(tests_passed=7), 8, 7),
        ("error_increase", changed(lint_errors=9), 3, 9),
        ("file_deletion", changed(file_count=19), 20, 19),
    ],
)
def test_tells_the_numbers_before_and_now(detector, after, before, now):
    finding = rounds(BASE, after)[1][detector]
    assert (before, now) == (finding.evidence["before"], finding.evidence["now"])
    assert str(now) in finding.message


@pytest.mark.parametrize(
    ("after", "severity", "message"),
    [
        ({"tests_passed": 7}, Severity.CRITICAL, "Passing tests decreased from 8 to 7."),
        ({"tests_passed": 7, "failing_tests": ("a", "c")}, Severity.CRITICAL, "1 test that passed fails now: c."),
        ({"failing_tests": ("c", "d")}, Severity.HIGH, "2 tests that did not fail before fail now: c, d."),
        ({"test_count": None, "tests_passed": 1, "failing_tests": ("c",)}, Severity.CRITICAL,
         "Passing tests decreased from 8 to 1; failing now: c."),
        ({"test_count": None, "tests_passed": None, "tests_failed": None, "failing_tests": ("c",)}, Severity.CRITICAL,
         "The tests that passed can no longer be run: c."),
    ],
    ids=["numbers", "one name", "as many pass", "a file cannot be loaded", "nothing can be run"],
)  # fmt: skip
def test_tells_what_is_known_of_the_tests_that_broke(after, severity, message):
    """As many as before may pass when a test only got a new name."""
    finding = rounds(changed(failing_tests=("a", "b")), changed(**after))[1]["working_tests_failing"]
    assert (severity, message) == (finding.severity, finding.message)


def test_with_ids_only_a_real_pass_to_fail_counts():
    """Design, 1: fewer passing tests are no alarm when the failing ones are known to be others."""
    before = changed(failing_tests=("a", "b"))
    moved = changed(tests_passed=8, failing_tests=("a", "c"))
    fewer = changed(test_count=9, tests_passed=7, failing_tests=("a", "b"))
    assert ("c",) == rounds(before, moved)[1]["working_tests_failing"].evidence["broken"]
    assert "working_tests_failing" not in rounds(before, fewer)[1]


def test_a_new_test_that_fails_was_never_a_working_one():
    before = changed(failing_tests=("a", "b"))
    grown = changed(test_count=11, tests_failed=3, failing_tests=("a", "b", "new"))
    assert "working_tests_failing" not in rounds(before, grown)[1]


def test_a_test_that_no_longer_runs_counts_like_a_deleted_one():
    """Skipped or expected to fail: it passed and is silenced, or it failed and is hidden."""
    before = changed(tests_skipped=0, failing_tests=("a", "b"))
    hidden = changed(tests_skipped=2, tests_failed=0, failing_tests=())
    silenced = changed(tests_skipped=1, tests_passed=7, failing_tests=("a", "b"))
    for after, now in ((hidden, 8), (silenced, 9)):
        finding = rounds(before, after)[1]["test_deletion"]
        assert (Severity.CRITICAL, {"before": 10, "now": now}) == (finding.severity, finding.evidence)
        assert f"The number of tests that run decreased from 10 to {now}; the others are skipped." == finding.message


def test_a_failing_test_that_is_skipped_is_seen_behind_a_new_one():
    """As many run as before; only the ids can tell."""
    before = changed(tests_skipped=0, failing_tests=("a", "b"), skipped_tests=())
    hidden = changed(test_count=11, tests_passed=9, tests_failed=1, tests_skipped=1, failing_tests=("b",))
    told = rounds(before, msgspec.structs.replace(hidden, skipped_tests=("a",)))[1]["test_deletion"]
    assert "Of the tests that failed before, 1 no longer runs: skipped now." == told.message
    assert (Severity.CRITICAL, {"silenced": 1}) == (told.severity, told.evidence)
    assert "test_deletion" not in rounds(before, msgspec.structs.replace(hidden, skipped_tests=("c",)))[1]
    assert "test_deletion" not in rounds(before, hidden)[1]


def test_two_tests_of_one_name_are_not_taken_for_a_silenced_one():
    """One failed and the other was skipped all along; or one still fails."""
    before = changed(tests_skipped=1, failing_tests=("a", "b"), skipped_tests=("a",))
    after = changed(tests_skipped=1, failing_tests=("b",), skipped_tests=("a",))
    assert "test_deletion" not in rounds(before, after)[1]
    before = msgspec.structs.replace(before, skipped_tests=())
    after = msgspec.structs.replace(after, failing_tests=("a", "b"))
    assert "test_deletion" not in rounds(before, after)[1]


def test_skipped_tests_are_no_alarm_when_as_many_run_as_before():
    before = changed(test_count=12, tests_skipped=2)
    new_one = changed(test_count=13, tests_skipped=3)
    fewer_skipped = changed(test_count=12, tests_passed=10, tests_skipped=0)
    assert "test_deletion" not in rounds(before, new_one)[1]
    assert "test_deletion" not in rounds(before, fewer_skipped)[1]
    assert "test_deletion" not in rounds(M(test_count=10, tests_passed=10), changed(tests_skipped=1))[1]


SAME = changed()
OTHER = changed(test_count=12, tests_passed=12, tests_failed=0)


def test_metric_cycle_needs_the_pattern_twice():
    """Design, 8: A-B-A-B. Unbroken repetition is a stall, and one return to earlier numbers is no circle."""
    assert "metric_cycle" in rounds(BASE, SAME, OTHER, SAME, OTHER)[4]
    assert "metric_cycle" not in rounds(BASE, SAME, OTHER, SAME)[3]
    assert "metric_cycle" not in rounds(BASE, OTHER, SAME, SAME, SAME)[4]
    assert (1, 2, 3, 4) == rounds(BASE, SAME, OTHER, SAME, OTHER)[4]["metric_cycle"].evidence["rounds"]


def test_the_baseline_may_be_part_of_a_circle():
    assert "metric_cycle" in rounds(BASE, OTHER, SAME, OTHER)[3]
    assert "metric_cycle" not in rounds(BASE, OTHER, SAME)[2]


@pytest.mark.parametrize(
    ("like", "is_cycle"),
    [
        ({"coverage_percentage": 80.0}, True),
        ({"coverage_percentage": 80.1}, False),
        ({"coverage_percentage": None}, False),
        ({"tests_passed": 9, "tests_failed": 1}, False),
        ({"test_count": 11}, False),
        ({"lint_errors": 2}, False),
        ({"failing_tests": ("a", "b")}, False),
        ({"file_count": 30}, True),
    ],
)
def test_only_equal_numbers_make_a_cycle(like, is_cycle):
    assert is_cycle is ("metric_cycle" in rounds(BASE, SAME, OTHER, changed(**like), OTHER)[4])


def test_the_same_number_of_other_failing_tests_is_no_cycle():
    one, other = changed(failing_tests=("a", "b")), changed(failing_tests=("a", "c"))
    assert "metric_cycle" in rounds(one, OTHER, one, OTHER)[3]
    assert "metric_cycle" not in rounds(one, OTHER, other, OTHER)[3]


def test_numbers_that_hardly_move_make_none():
    near = changed(coverage_percentage=82.0)
    assert "metric_cycle" not in rounds(BASE, near, SAME, near, SAME)[4]
    assert "metric_cycle" in rounds(BASE, changed(coverage_percentage=82.1), SAME, changed(coverage_percentage=82.1))[3]


def test_numbers_that_nobody_measured_make_none():
    counts = [M(test_count=count) for count in (1, 2, 1, 2)]
    assert "metric_cycle" in rounds(*counts)[3]
    assert "metric_cycle" not in rounds(BASE, M(), OTHER, M(), OTHER)[4]


@pytest.mark.parametrize(
    "extra",
    [
        {"type_errors": 0},
        {"coverage_percentage": 80.0},
        {"test_count": 5},
        {"tests_passed": 5, "tests_failed": 0},
        {"failing_tests": ("a",)},
    ],
    ids=str,
)
def test_what_only_every_other_round_measured_has_not_moved(extra):
    """A number that one round measured and the next did not is unknown, not different."""
    counts = [M(lint_errors=3, **extra), M(lint_errors=3)] * 4
    assert not any("metric_cycle" in found for found in rounds(*counts).values())
    moving = [M(lint_errors=3, **extra), M(lint_errors=4)] * 2
    assert "metric_cycle" in rounds(*moving)[3]


def test_a_cycle_takes_three_earlier_rounds():
    kind = built_in()["metric_cycle"]
    assert kind(window=2).settings_error(Sizes()) and not kind(window=3).settings_error(Sizes())


def test_metric_cycle_looks_five_rounds_back_and_can_wait_as_the_seed_does():
    third = changed(test_count=20, tests_passed=20)
    fourth = changed(test_count=21, tests_passed=21)
    assert "metric_cycle" in rounds(BASE, *[SAME, OTHER, third] * 2)[6]
    assert "metric_cycle" not in rounds(BASE, *[SAME, OTHER, third, fourth] * 2)[8]
    late = {"settings": {"detectors": {"metric_cycle": {"after": 10}}}}
    found = rounds(BASE, *[SAME, OTHER] * 6, **late)
    assert [11, 12] == [number for number in found if "metric_cycle" in found[number]]


def test_stalled_at_the_third_plateau():
    found = rounds(BASE, SAME, SAME, SAME)
    assert ["stalled" in found[number] for number in (1, 2, 3)] == [False, False, True]
    assert "different approach" in found[3]["stalled"].message


@pytest.mark.parametrize(("stuck_after", "stalled"), [(2, 3), (3, 3), (5, 5)])
def test_more_patience_counts_for_stalls_too(stuck_after, stalled):
    """Less does not: a round that moved no number may have made progress as seed 001 sees it."""
    found = rounds(BASE, *[SAME] * 6, settings={"loop": {"stuck_after": stuck_after}})
    assert stalled == min(number for number in found if "stalled" in found[number])
    assert f"for {stalled} rounds" in found[stalled]["stalled"].message
    assert tuple(range(1, stalled + 1)) == found[stalled]["stalled"].evidence["rounds"]


def test_patience_without_end_is_no_mistake():
    assert 99 == next(
        d.rounds for d in Monitor(settings={"loop": {"stuck_after": 1_000}}).detectors if d.id == "stalled"
    )


def test_not_stalled_while_anything_improves():
    better = changed(tests_passed=9, tests_failed=1)
    assert "stalled" not in rounds(BASE, SAME, SAME, better)[3]


def test_a_quality_that_moved_by_002_is_no_stall():
    """Seed 003 and design, 7: less than 0.02, and 0.82 - 0.80 is not."""
    assert "stalled" not in rounds(*qualities(0.82, 0.82, 0.81, 0.80))[3]
    assert "stalled" in rounds(*qualities(0.82, 0.82, 0.81, 0.801))[3]


def idle(**more):
    return {"output": "the same words as always", "changes": FileChanges(lines=0), **more}


def test_no_progress_at_the_third_idle_round():
    """Seed 001: stuck after three rounds below 0.15."""
    found = rounds(idle(), idle(), idle(), idle())
    assert ["no_progress" in found[number] for number in range(4)] == [False, False, False, True]


def test_a_round_of_work_ends_the_streak():
    busy = idle(changes=FileChanges(lines=60))
    assert "no_progress" not in rounds(idle(), idle(), idle(), busy, idle(), idle())[5]


def test_better_measurements_are_progress():
    better = [idle(measured=M(test_count=count)) for count in range(1, 7)]
    assert not any("no_progress" in one for one in rounds(*better).values())


def test_rounds_of_which_nothing_is_known_are_not_stuck():
    assert not any("no_progress" in one for one in rounds(*[{"output": None}] * 6).values())


def test_seed_001s_settings_reach_it():
    settings = {"settings": {"loop": {"progress_threshold": 0.5, "stuck_after": 1}}}
    assert "no_progress" in rounds(idle(), idle(changes=FileChanges(lines=50)), **settings)[1]


def qualities(*values):
    """Rounds whose quality is just their coverage."""
    return [M(coverage_percentage=100.0 * value) for value in values]


def test_diminishing_returns_at_the_second_small_gain():
    """70/72/73: both gains are below 5 %."""
    found = rounds(*qualities(0.60, 0.70, 0.72, 0.73))
    assert ["diminishing_returns" in found[number] for number in (1, 2, 3)] == [False, False, True]
    told = "Quality rose by only 1.4% in round 3: 2 small gains in a row."
    assert told == found[3]["diminishing_returns"].message


def test_one_small_gain_is_not_enough_and_a_fall_is_no_gain():
    assert "diminishing_returns" not in rounds(*qualities(0.60, 0.70, 0.72, 0.80))[3]
    assert "diminishing_returns" not in rounds(*qualities(0.60, 0.70, 0.72, 0.71))[3]
    assert "diminishing_returns" not in rounds(*qualities(0.60, 0.70, 0.72, 0.80, 0.81))[4]


def test_what_was_gained_over_the_baseline_is_not_counted():
    assert "diminishing_returns" not in rounds(*qualities(0.70, 0.72, 0.73))[2]


def test_a_gain_of_a_twentieth_is_not_little():
    assert "diminishing_returns" not in rounds(*qualities(0.40, 0.50, 0.53, 0.5618))[3]


def files(**contents):
    return {"changes": FileChanges(lines=10, files=contents)}


def test_oscillation_at_the_second_return():
    found = rounds({}, files(a="1"), files(a="2"), files(a="1"), files(a="2"))
    assert ["oscillation" in found[number] for number in (2, 3, 4)] == [False, False, True]
    assert ("a",) == found[4]["oscillation"].evidence["back"]


def test_a_row_of_returns_that_an_earlier_version_saved_starts_again():
    """It did not save which files returned in these rounds."""
    detector = built_in()["oscillation"]()
    detector.streak, detector.returned, detector.states = 1, [], {"a": ["1", "2", "1"]}
    engine = engine_of(detector)
    found = [engine.feed(IterationEnded(**files(a=one))).findings for one in ("2", "1")]
    assert [0, 1] == [len(one) for one in found]
    assert "In each of 2 rounds in a row" in found[1][0].message


def test_files_that_move_on_do_not_oscillate():
    assert not any("oscillation" in one for one in rounds({}, *(files(a=str(n)) for n in range(8))).values())


def test_over_refinement_after_two_falls_since_the_peak():
    found = rounds(*qualities(0.5, 0.80, 0.88, 0.85, 0.81))
    assert ["over_refinement" in found[number] for number in (3, 4)] == [False, True]
    assert 2 == found[4]["over_refinement"].evidence["peak"]


def test_over_refinement_sees_a_peak_that_is_the_baseline_and_a_quality_that_stays_low():
    found = rounds(*qualities(1.0, 0.99, 0.94, 0.94))
    assert ["over_refinement" in found[number] for number in (1, 2, 3)] == [False, True, True]
    assert "Quality fell from 1.00 in the baseline to 0.94." == found[3]["over_refinement"].message


def test_a_quality_that_hardly_fell_or_rose_again_is_no_over_refinement():
    assert not any("over_refinement" in one for one in rounds(*qualities(1.0, 0.99, 0.985, 0.985)).values())
    assert "over_refinement" not in rounds(*qualities(1.0, 0.94, 0.97))[2]
    assert "over_refinement" in rounds(*qualities(1.0, 0.99, 0.98))[2]


def test_a_round_as_good_as_the_peak_is_not_below_it():
    assert "over_refinement" not in rounds(*qualities(0.5, 0.90, 0.90, 0.86))[3]


def test_rounds_that_measured_something_else_are_not_compared_with_the_peak():
    other = [M(coverage_percentage=50.0, build_status="success")] * 3
    assert not any("over_refinement" in one for one in rounds(*qualities(0.5, 0.9), *other).values())


def test_rounds_that_were_taken_back_refine_nothing():
    given = [{"measured": measured, "based_on": 0} for measured in qualities(1.0, 0.95, 0.9, 0.85)[1:]]
    assert not any("over_refinement" in one for one in rounds(qualities(1.0)[0], *given).values())


def test_quality_drop_needs_a_regression_far_below_the_best():
    assert "quality_drop" in rounds(*qualities(0.5, 0.9, 0.75))[2]
    assert "quality_drop" not in rounds(*qualities(0.5, 0.9, 0.85))[2]
    assert "quality_drop" not in rounds(*qualities(0.5, 0.8, 0.7))[2]
    assert "quality_drop" in rounds(*qualities(0.5, 0.8, 0.699))[2]


def test_a_lower_quality_is_no_drop_where_nothing_went_back():
    """More complex code costs quality, and broke nothing."""
    assert "quality_drop" not in rounds(*(M(complexity_score=score) for score in (5.0, 1.0, 18.0)))[2]


def test_uncertain_when_a_measurement_vanishes():
    found = rounds(BASE, changed(coverage_percentage=None))
    assert ("coverage_percentage",) == found[1]["uncertain"].evidence["vanished"]
    assert "uncertain" not in rounds(BASE, changed(test_count=None))[1]  # as where a file of tests cannot be loaded


def test_rounds_that_only_ever_measured_tests_are_not_uncertain():
    only = M(test_count=3, tests_passed=3, tests_failed=0)
    assert not any("uncertain" in one for one in rounds(only, only, only, only).values())


def test_uncertain_when_the_signs_stay_mixed():
    """Coverage up by 3 points, pass rate down by 3, round after round."""
    mixed = [
        M(
            test_count=100 * (n + 1),
            tests_passed=round(90 * (n + 1) - 3 * n * (n + 1)),
            coverage_percentage=50.0 + 3 * n,
        )
        for n in range(4)
    ]
    found = rounds(*mixed)
    assert ["uncertain" in found[number] for number in (1, 2, 3)] == [False, False, True]
    sooner = rounds(*mixed, settings={"loop": {"stuck_after": 2}})
    assert ["uncertain" in sooner[number] for number in (1, 2, 3)] == [False, True, True]


@pytest.mark.parametrize(
    ("changed_file", "speaks"),
    [("tests/test_a.py", True), ("tests/deep/data.json", True), ("setup.cfg", True), ("src/tests.py", False), ("testsuite/a", False)],
)  # fmt: skip
def test_protected_files_are_left_alone(changed_file, speaks):
    settings = {"settings": {"loop": {"protect": ["./tests/", "setup.cfg"]}}}
    found = rounds({}, {"changes": FileChanges(lines=1, files={changed_file: "1"})}, **settings)[1]
    assert speaks is ("protected_files" in found)
    assert "protected_files" not in rounds({}, {"changes": FileChanges(lines=1, files={changed_file: "1"})})[1]


NAMED = M(
    test_count=4, tests_passed=2, tests_failed=2, tests_skipped=0, failing_tests=("m::c", "m::d"),
    passing_tests=("m::a", "m::b"), skipped_tests=(),
)  # fmt: skip


def named(passing, failing=(), skipped=(), **more):
    return M(
        test_count=len(passing) + len(failing) + len(skipped), tests_passed=len(passing), tests_failed=len(failing),
        tests_skipped=len(skipped), passing_tests=passing, failing_tests=failing, skipped_tests=skipped, **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("after", "detector", "severity", "message"),
    [
        (named(("m::b", "m::e", "m::f", "m::g"), ("m::a", "m::c", "m::d")), "working_tests_failing", Severity.CRITICAL,
         "1 test that passed fails now: m::a."),
        (named(("m::b", "m::c", "m::d"), ("m::a",)), "working_tests_failing", Severity.HIGH,
         "1 test that passed fails now: m::a; 2 were fixed."),
        (named(("m::a", "m::b", "m::x", "m::y")), "test_deletion", Severity.CRITICAL,
         "Of the tests that failed before, 2 no longer exist: m::c, m::d."),
        (named(("m::b", "m::c", "m::x"), ("m::d",)), "working_tests_failing", Severity.HIGH,
         "Tests that passed are gone or were renamed: m::a."),
        (named(("m::b", "m::c", "m::x", "m::y"), ("m::d",), ("m::a",)), "test_deletion", Severity.CRITICAL,
         "Of the tests that ran before, 1 no longer runs: skipped now."),
        (M(tests_fault="killed after 600 s"), "working_tests_failing", Severity.CRITICAL,
         "The tests can no longer be run: killed after 600 s."),
    ],
    ids=["broken behind new ones", "a clear net gain", "swapped", "dropped or renamed", "skipped", "hanging"],
)  # fmt: skip
def test_tests_are_known_by_name(after, detector, severity, message):
    found = rounds(NAMED, after)[1]
    assert (severity, message) == (found[detector].severity, found[detector].message)


@pytest.mark.parametrize(
    "after",
    [
        named(("m::a", "m::b"), ("m::c", "m::d", "m::e")),
        named(("n::a", "n::b", "m::x"), ("n::c", "m::d")),
        named(("m::b", "m::c"), ("m::a", "m::d"), flaky_tests=("m::a",)),
    ],
    ids=["a new test that fails", "moved to another file", "a flaky one"],
)
def test_what_only_looks_like_a_broken_test(after):
    assert {"working_tests_failing", "test_deletion"}.isdisjoint(rounds(NAMED, after)[1])


def test_a_test_command_that_fails_without_a_failing_test_broke():
    good = named(("m::a", "m::b"), tests_exit_code=0)
    bad = named(("m::a", "m::b"), tests_exit_code=1)
    found = rounds(good, bad)[1]["working_tests_failing"]
    assert "The test command now fails with exit code 1, although no test fails." == found.message
    assert Severity.CRITICAL is found.severity
    assert "working_tests_failing" not in rounds(bad, bad)[1] and "working_tests_failing" not in rounds(bad, good)[1]


def test_stalled_needs_something_measured():
    """Prose: nobody can say that nothing improved."""
    assert "stalled" not in rounds(*[M(loc_total=9, file_count=1)] * 5)[4]
    assert "stalled" in rounds(*[M(lint_errors=0)] * 5)[4]


def busy(number):
    words = " ".join(f"word{number}x{n}" for n in range(20))
    output = f"{words} <progress>a</progress> <progress>b</progress>"
    return {"measured": BASE, "output": output, "changes": FileChanges(lines=200, files={"a.md": str(number)})}


def test_work_that_shows_is_not_stalled():
    """200 lines, new words and two markers a round: a progress score of about 0.84."""
    found = rounds({"measured": BASE}, *(busy(number) for number in range(6)))
    assert not any("stalled" in one or "no_progress" in one for one in found.values())
    patient = {"settings": {"detectors": {"stalled": {"progress": 0.9}}}}
    assert "stalled" in rounds({"measured": BASE}, *(busy(number) for number in range(6)), **patient)[6]


def test_every_detector_of_this_scale_is_tested_here():
    ids = {kind.id for kind in built_in().values() if ".iteration." in kind.__module__}
    source = Path(__file__).read_text()
    assert [] == [id for id in ids if f'"{id}"' not in source]


def test_what_stalled_says_is_true_of_what_it_compared():
    """Complexity, lines and a point of coverage may have got better; they are not what is compared."""
    slightly = [
        changed(coverage_percentage=80.0 + 0.5 * n, complexity_score=4.0 - 0.1 * n, loc_total=90 - n) for n in range(4)
    ]
    told = rounds(*slightly)[3]["stalled"].message
    assert told.startswith(
        "None of these has improved for 3 rounds: the number of tests, the number of passing tests, the pass rate by more "
        "than 2 points, coverage by more than 2 points, the number of errors. "
    )
    assert "No measurement" not in told
    only = rounds(*[M(lint_errors=3)] * 4)[3]["stalled"].message
    assert only.startswith("The number of errors has not improved for 3 rounds. ")


def test_the_count_of_a_stall_grows():
    found = rounds(BASE, *[SAME] * 6)
    assert all(f" has improved for {n} rounds: " in found[n]["stalled"].message for n in (3, 4, 6))
    assert (1, 2, 3, 4, 5, 6) == found[6]["stalled"].evidence["rounds"]


def test_a_stall_reaches_back_only_as_far_as_it_is_true():
    """Each step is too small to count, and four of them are not."""
    slowly = [changed(coverage_percentage=80.0 + 0.7 * n) for n in range(7)]
    assert "for 3 rounds" in rounds(*slowly)[6]["stalled"].message


def test_what_is_counted_are_source_files():
    found = rounds(changed(file_count=2), changed(file_count=1))
    assert "The number of source files decreased from 2 to 1." == found[1]["file_deletion"].message


def test_no_progress_of_one_round_is_not_called_a_row():
    told = rounds(idle(), idle(), settings={"detectors": {"no_progress": {"stuck_after": 1}}})[1]["no_progress"].message
    assert "Progress was below 0.15 in the latest round; the output differs by 0% and 0 lines changed." == told


def test_no_progress_says_only_what_is_known():
    same = {"output": "the same words as always"}
    assert (
        "Progress was below 0.15 in 3 rounds in a row; in the latest one, the output differs by 0%."
        == rounds(same, same, same, same)[3]["no_progress"].message
    )
    assert "the output differs by 0% and 0 lines changed." in rounds(*[idle()] * 4)[3]["no_progress"].message
    silent = {"output": None, "changes": FileChanges(lines=2)}
    assert rounds(*[silent] * 4)[3]["no_progress"].message.endswith("; in the latest one, 2 lines changed.")


@pytest.mark.parametrize("names", [True, False], ids=["by name", "by number"])
def test_a_test_that_is_written_first_sends_no_round_back(names):
    """The pass rate falls, and so does the quality; but every test that worked still works."""
    passing = tuple(f"m::{n}" for n in range(8))

    def suite(failing, errors):
        new = tuple(f"m::new{n}" for n in range(failing))
        ids = {"passing_tests": passing, "failing_tests": new} if names else {}
        return M(test_count=8 + failing, tests_passed=8, tests_failed=failing, lint_errors=errors, **ids)

    monitor = Monitor()
    decisions = [
        monitor.iteration_ended(f"round {n}", one) for n, one in enumerate([suite(0, 1), suite(0, 0), suite(6, 1)])
    ]
    assert ["continue", "continue", "continue"] == [one.action for one in decisions]
    assert "regression" == monitor.session.iterations[-1].verdict


def test_a_regression_behind_new_failing_tests_is_still_one():
    passing = tuple(f"m::{n}" for n in range(8))
    before = M(
        test_count=8, tests_passed=8, tests_failed=0, passing_tests=passing, failing_tests=(), coverage_percentage=90.0
    )
    after = M(
        test_count=9,
        tests_passed=8,
        tests_failed=1,
        passing_tests=passing,
        failing_tests=("m::new",),
        coverage_percentage=10.0,
    )
    assert "quality_drop" in rounds(before, msgspec.structs.replace(before, coverage_percentage=95.0), after)[2]


def test_what_stays_broken_after_a_rollback_is_said_again():
    """Nobody tells where the round began: it may not have gone back at all."""
    monitor = Monitor()
    before = changed(failing_tests=("a", "b"))
    broken = changed(tests_passed=7, tests_failed=3, failing_tests=("a", "b", "c"))
    decisions = [
        monitor.iteration_ended(f"round {n}", one) for n, one in enumerate([before, before, broken, broken, broken])
    ]
    assert ["rollback", "stop", "stop"] == [one.action for one in decisions[2:]]
    assert "1 test that passed fails now: c." in decisions[4].message
    assert "continue" == monitor.iteration_ended("repaired", before).action
    assert "working_tests_failing" not in {
        finding.detector for finding in monitor.iteration_ended("x", before).findings
    }


def test_whoever_tells_where_a_round_began_is_believed():
    monitor = Monitor()
    broken = changed(tests_passed=7, tests_failed=3)
    for number, one in enumerate([BASE, SAME, broken]):
        monitor.iteration_ended(f"round {number}", one)
    assert "continue" == monitor.iteration_ended("kept it", broken, based_on=2).action


def test_forgiveness_needs_a_round_that_may_stay():
    """Each of these rounds goes forward and touches what is protected."""
    monitor = Monitor(settings={"loop": {"protect": ["tests/"]}})
    monitor.iteration_ended("", BASE)
    touched = FileChanges(lines=2, files={"tests/a.py": "1"})
    better = [changed(tests_passed=8 + n, tests_failed=2 - n) for n in (1, 2)]
    actions = [
        monitor.iteration_ended(f"r{n}", one, changes=touched, based_on=0).action for n, one in enumerate(better)
    ]
    assert ["rollback", "stop"] == actions


NAMES = M(test_count=4, tests_passed=2, tests_failed=2, tests_skipped=0, passing_tests=("m::a", "m::b"), failing_tests=("m::c", "m::d"), skipped_tests=())  # fmt: skip


@pytest.mark.parametrize(
    ("passing", "failing", "detector", "message"),
    [
        (("m::x",), (), "test_deletion", "Test count decreased from 4 to 1 (4 gone, 1 new); gone: m::c, m::d, m::a and 1 more."),
        (("m::b",), ("m::d",), "test_deletion", "Test count decreased from 4 to 2: m::c, m::a."),
        (("m::b", "m::x", "m::y"), ("m::d",), "test_deletion", "Of the tests that failed before, 1 no longer exists: m::c."),
        (("m::x",), ("m::a", "m::c", "m::d"), "working_tests_failing",
         "1 test that passed fails now: m::a; 1 test that passed is gone or renamed: m::b."),
        ((), ("m::a", "m::c", "m::d", "m::n"), "working_tests_failing",
         "1 test that passed fails now: m::a; 1 test that passed is gone: m::b."),
    ],
    ids=["gone and new", "gone", "a failing one is gone", "broken and renamed", "broken and gone"],
)  # fmt: skip
def test_names_and_counts_of_tests_add_up(passing, failing, detector, message):
    now = M(test_count=len(passing + failing), tests_passed=len(passing), tests_failed=len(failing), tests_skipped=0,
            passing_tests=passing, failing_tests=failing, skipped_tests=())  # fmt: skip
    assert message == rounds(NAMES, now)[1][detector].message


def test_of_failing_tests_that_may_be_new_the_least_is_told():
    before = changed(failing_tests=("a", "b"))
    after = changed(test_count=11, tests_passed=7, tests_failed=4, failing_tests=("a", "b", "c", "d"))
    told = rounds(before, after)[1]["working_tests_failing"].message
    assert "At least 1 of these failing tests passed before: c, d." == told


def test_gains_are_in_a_row_only_if_nothing_came_between():
    """A fall is hidden by a round without tests, or by one that measured something else."""
    high, low = qualities(0.70, 0.701), qualities(0.30, 0.301)
    for between in ([M(lint_errors=3)], [M(coverage_percentage=30.0, build_status="success")]):
        found = rounds(*qualities(0.5), *high, *between, *low)
        assert not any("diminishing_returns" in one for one in found.values())


def test_files_that_return_in_turn_are_all_named():
    found = rounds({}, files(a="1", b="1"), files(a="2", b="2"), files(a="1"), files(b="1"), files(a="2"))
    told = [found[number]["oscillation"].message for number in (4, 5)]
    assert [f"In each of {n} rounds in a row, a file returned to an earlier state: a, b." for n in (2, 3)] == told
    twice = {"settings": {"detectors": {"oscillation": {"files": 2}}}}
    both = rounds({}, files(a="1", b="1"), files(a="2", b="2"), files(a="1", b="1"), files(a="2", b="2"), **twice)
    assert "2 rounds in a row, 2 files or more returned to an earlier state: a, b." in both[4]["oscillation"].message


def test_a_round_whose_files_are_unknown_ends_the_row():
    for detector, one in (("oscillation", {}), ("no_progress", {"output": None})):
        still = [idle(**files(a=str(n % 2))) for n in range(4)]
        found = rounds({}, *still[:3], one, *still[3:])
        assert detector not in found[5]


def test_only_errors_that_both_rounds_measured_are_compared():
    """Type errors that nobody looked for again are not gone, and new lint errors are not fewer than they."""
    both = M(test_count=9, tests_passed=9, lint_errors=0, type_errors=9)
    found = rounds(both, M(test_count=9, tests_passed=9, lint_errors=17))[1]["error_increase"]
    assert ("Lint errors increased by 17 to 17.", 0, 17) == (found.message, *found.evidence.values())
    told = rounds(M(lint_errors=1), M(lint_errors=8, type_errors=2))[1]["error_increase"].message
    assert "Lint errors increased by 7 to 8." == told
    assert "error_increase" not in rounds(M(lint_errors=0), M(type_errors=17))[1]
    assert "error_increase" not in rounds(M(lint_errors=0), M(error_count=17))[1]
    assert "metric_cycle" not in rounds(*[M(lint_errors=3), M(lint_errors=1), M(type_errors=3), M(lint_errors=1)])[3]


def test_a_stall_names_only_what_all_its_rounds_measured():
    late = [BASE, SAME, SAME, changed(build_status="success")]
    assert "the build" not in rounds(*late)[3]["stalled"].message
    other = [M(lint_errors=3), M(lint_errors=3), M(type_errors=3), M(error_count=3)]
    assert "stalled" not in rounds(*other)[3]


def test_a_quality_without_new_failing_tests_is_told_as_such():
    passing = tuple(f"m::{n}" for n in range(8))
    before = M(
        test_count=8, tests_passed=8, tests_failed=0, passing_tests=passing, failing_tests=(), coverage_percentage=90.0
    )
    new = {"test_count": 9, "tests_failed": 1, "failing_tests": ("m::new",), "coverage_percentage": 10.0}
    after = msgspec.structs.replace(before, **new)
    told = rounds(before, msgspec.structs.replace(before, coverage_percentage=95.0), after)[2]["quality_drop"].message
    assert "Quality fell to 0.86 (without new tests that fail), from 0.99 in round 1." == told


def test_tests_of_which_nothing_is_known_are_not_called_skipped():
    found = rounds(M(test_count=10, tests_passed=10, tests_failed=0), M(test_count=10, tests_passed=7, tests_failed=0))
    assert "The number of tests that run decreased from 10 to 7." == found[1]["test_deletion"].message


def test_a_measurement_that_is_missing_is_not_called_impossible():
    found = rounds(BASE, changed(coverage_percentage=None))
    assert "Measured in round 0, but not in round 1: coverage percentage." == found[1]["uncertain"].message


def test_a_test_that_may_be_new_is_not_said_to_have_passed():
    """Only the failing tests are named: c may have passed before, or may be new, while a passing test was deleted."""
    same = {"test_count": 10, "tests_passed": 8, "tests_failed": 2}
    found = rounds(M(**same, failing_tests=("a", "b")), M(**same, failing_tests=("a", "c")))
    assert "that passed" not in found[1]["working_tests_failing"].message
