"""The names of all tests, also where a command prints only those of the failing ones."""

import os
import sys
from pathlib import Path

import pytest

from headway.probes import Plan, measure

TESTS = "def test_one():\n    pass\n\n\ndef test_two():\n    assert 1 == 2\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "test_it.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\n")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def measured(folder, command):
    (one,) = measure(folder, [Plan(name="tests", probe="printed_tests", command=command)])
    return one.measured


@pytest.mark.parametrize("command", ["pytest -q", "echo first; pytest"])
def test_a_users_own_pytest_command_names_all_tests(folder, command):
    found = measured(folder, command)
    assert (("test_it::test_one",), ("test_it::test_two",)) == (found.passing_tests, found.failing_tests)
    assert [] == [path.name for path in folder.glob("*.xml")]


def test_output_without_counts_is_used_without_the_report(folder):
    found = measured(folder, "pytest -qq -rf | cat")
    assert (None, 1) == (found.passing_tests, found.tests_failed)


def test_options_of_the_environment_stay(folder, monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", "-k one")
    found = measured(folder, "pytest -q")
    assert (("test_it::test_one",), ()) == (found.passing_tests, found.failing_tests)


def test_a_report_of_another_run_names_nothing(folder):
    found = measured(folder, "pytest -q; echo '== 5 passed in 0.1s =='")
    assert (5, None, ()) == (found.tests_passed, found.passing_tests, found.failing_tests)


def test_other_runners_name_the_failing_ones(folder):
    found = measured(
        folder, "printf '= short test summary info =\\nFAILED a::b - x\\n= 1 failed, 2 passed in 0.1s =\\n'"
    )
    assert (2, None, ("a::b",)) == (found.tests_passed, found.passing_tests, found.failing_tests)
