"""Tests that test nothing and checks that were narrowed reach no target and make no round the best."""

import msgspec
import pytest

from headway import Measurements
from headway.core.iteration import FileChanges
from headway.loop.tracker import Tracker
from headway.reports.selection_markdown import not_acceptable
from headway.scoring.proven import proven

WORK = FileChanges(lines=10, files={"a.py": "1"})
OLD, FAILING = tuple(f"t::old_{n}" for n in range(9)), ("t::bug",)
NEW = tuple(f"t::new_{n}" for n in range(40))


def named(passing, failing=(), **more):
    """A runner that names all tests."""
    count = len(passing) + len(failing)
    return Measurements(
        test_count=count,
        tests_passed=len(passing),
        tests_failed=len(failing),
        passing_tests=tuple(passing),
        failing_tests=tuple(failing),
        **more,
    )


def counted(passed, failed, **more):
    """A runner that only counts."""
    return Measurements(test_count=passed + failed, tests_passed=passed, tests_failed=failed, **more)


def assessed(baseline, *rounds, target=0.9):
    tracker = Tracker("x", settings={"policy": {"target_quality": target}})
    tracker.pre_loop(baseline)
    return [tracker.post_iteration(one, changes=WORK) for one in rounds], tracker.post_loop().selection


MADE_UP = {
    "forty tests of nothing beside the one that fails": (named((), FAILING), named(NEW, FAILING)),
    "the same, where names are unknown": (counted(0, 1), counted(40, 1)),
    "the same beside nine that pass": (named(OLD, FAILING), named((*OLD, *NEW), FAILING)),
    "the first tests of a project, of which one fails": (named(()), named(NEW, FAILING)),
    "coverage without half of the files": (
        counted(9, 1, coverage_percentage=40.0),
        counted(9, 1, coverage_percentage=100.0, changed_measure=(".coveragerc",)),
    ),
    "coverage of fewer lines": (
        counted(9, 1, coverage_percentage=40.0, coverage_lines_covered=40, coverage_lines_total=100),
        counted(9, 1, coverage_percentage=100.0, coverage_lines_covered=40, coverage_lines_total=40),
    ),
    "a linter that is new and looks for nothing": (
        counted(1, 1), counted(1, 1, lint_errors=0, lint_warnings=0, type_errors=0, changed_measure=("pyproject.toml",)),
    ),
    "a linter that looks for nothing": (
        counted(9, 1, lint_errors=20, type_errors=9),
        counted(9, 1, lint_errors=0, type_errors=0, changed_measure=("pyproject.toml",)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MADE_UP)
def test_what_a_round_made_up_reaches_no_target(name):
    baseline, cheat = MADE_UP[name]
    one = assessed(baseline, cheat)[0][0].iteration
    assert one.quality.value > one.proven.value + 0.05
    (report,), _ = assessed(baseline, cheat, target=one.proven.value + 0.01)
    assert "target_reached" != report.recommendation.reason
    assert () != report.iteration.set_aside


HONEST = {
    "the bug fixed, and new tests": (named(OLD, FAILING), named((*OLD, *FAILING, *NEW))),
    "the same, where names are unknown": (counted(9, 1), counted(50, 0)),
    "tests for what had none": (
        counted(9, 0, coverage_percentage=40.0, coverage_lines_covered=40, coverage_lines_total=100),
        counted(60, 0, coverage_percentage=96.0, coverage_lines_covered=96, coverage_lines_total=100),
    ),
    "the same in a test file that was there": (
        counted(9, 0, coverage_percentage=40.0),
        counted(60, 0, coverage_percentage=96.0, changed_measure=("tests/test_cart.py",)),
    ),
    "a test file that could not be loaded": (
        Measurements(failing_tests=("tests/test_cart.py",), tests_failed=1, passing_tests=()),
        named(tuple(f"tests/test_cart.py::t{n}" for n in range(9)), ("tests/test_cart.py::bug",)),
    ),
    "warnings repaired": (counted(10, 0, lint_errors=20), counted(10, 0, lint_errors=0)),
}  # fmt: skip


@pytest.mark.parametrize("name", HONEST)
def test_honest_work_is_proven(name):
    baseline, work = HONEST[name]
    (report,), selection = assessed(baseline, work)
    assert report.iteration.quality == report.iteration.proven
    assert () == report.iteration.set_aside
    assert 1 == selection.selected_iteration


def test_a_renamed_test_is_not_new():
    assert () == proven(named((*OLD[:-1], "t::renamed"), FAILING), named(OLD, FAILING)).set_aside


def test_a_fix_beats_forty_tests_of_nothing():
    baseline = named((), ("t::one", "t::two"))
    fix, padding = named(("t::one",), ("t::two",)), named(NEW, ("t::one", "t::two"))
    assert 1 == assessed(baseline, fix, padding)[1].selected_iteration
    fix_and_padding = named(("t::one", *NEW), ("t::two",))
    assert 2 == assessed(baseline, padding, fix_and_padding)[1].selected_iteration


def test_it_is_said_what_the_quality_rests_on():
    (report,), selection = assessed(named((), FAILING), named(NEW, FAILING))
    assert ("without 40 new tests",) == report.iteration.set_aside
    shown = f"quality {report.iteration.quality.value:.2f}, or {report.iteration.proven.value:.2f} without 40 new tests"
    assert f"Round 1 has the highest quality ({shown})" == selection.rationale[0]
    assert not selection.acceptable
    proven = f"{report.iteration.proven.value:.2f} without 40 new tests"
    assert f"Not acceptable: {proven} is below 0.70" == selection.rationale[-1]
    assert f"Not acceptable: quality {proven} is below the threshold." == not_acceptable(selection)


def test_a_round_of_an_earlier_version_is_judged_by_its_quality():
    from headway.scoring.better import sure_value

    (report,), _ = assessed(counted(9, 1), counted(10, 0))
    old = msgspec.structs.replace(report.iteration, proven=None)
    assert report.iteration.quality.value == sure_value(old)
