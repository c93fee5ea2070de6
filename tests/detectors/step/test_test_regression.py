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
