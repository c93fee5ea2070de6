import pytest

from headway import Severity
from headway.detectors.step.test_regression import TestRegression
from tests.streams import edit, moments, suite, watch


def test_speaks_when_a_test_that_passed_fails():
    found = watch(TestRegression(), suite(1, 5), edit(), suite(2, 4))

    assert [3] == moments(found)
    evidence = found[0][1].evidence
    assert (5, 4, ("tests/test_a.py::test_1",)) == (
        evidence["passed_before"],
        evidence["passed_now"],
        evidence["broken"],
    )
    assert Severity.MEDIUM is found[0][1].severity


def test_stays_quiet_while_the_tests_get_better():
    assert [] == watch(TestRegression(), suite(3, 2), edit(), suite(2, 3), edit(), suite(0, 5))


def test_stays_quiet_when_new_tests_fail():
    """A new failing test takes nothing away."""
    assert [] == watch(TestRegression(), suite(0, 5), edit(), suite(2, 5))


def test_speaks_when_tests_are_gone():
    found = watch(TestRegression(), suite(0, 9), edit(), suite(0, 7))
    assert [3] == moments(found)


def test_weighs_high_when_it_stays():
    words = [suite(0, 6), *[edit(), suite(1, 5)] * 3]
    severities = [(place, finding.severity) for place, finding in watch(TestRegression(), *words)]
    assert [(3, Severity.MEDIUM), (7, Severity.HIGH)] == severities


def test_another_command_is_another_matter():
    words = [suite(0, 50), edit(), suite(1, 3, command="pytest tests/test_one.py")]
    assert [] == watch(TestRegression(), *words)


LONG = f"export OPTIONS={'x' * 500} && pytest"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cat list.txt | grep api | xargs pytest", "cat list.txt | grep core | xargs pytest"),
        ("pytest a | tail -5; pytest b", "pytest a | tail -5; pytest c"),
        ("pytest a | tail -5\npytest b", "pytest a | tail -5\npytest c"),
        ("pytest -k 'x|cat or dog'", "pytest -k 'x|cat or cow'"),
        (f"{LONG} a", f"{LONG} b"),
    ],
)
def test_commands_that_differ_anywhere_are_not_compared(one, other):
    assert [] == watch(TestRegression(), suite(0, 10, command=one), edit(), suite(0, 3, command=other))
    assert [3] == moments(watch(TestRegression(), suite(0, 10, command=one), edit(), suite(0, 3, command=one)))


@pytest.mark.parametrize(
    "filtered",
    [
        "2>&1 | tail -n 20",
        "| grep -E 'FAIL|passed' -A 3 | head",
        "| tee log.txt",
        "|& sed -n '1,9p' > x",
        "| tail; echo $?",
        "| cut -d ' ' -f1",
    ],
)
def test_what_only_filters_the_output_makes_no_other_command(filtered):
    words = [suite(0, 10, command="pytest -q"), edit(), suite(0, 3, command=f"pytest -q {filtered}")]
    assert [3] == moments(watch(TestRegression(), *words))
