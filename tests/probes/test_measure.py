"""Measuring whole projects, with the real tools."""

import logging
import sys

from headway.core.iteration import Measurements
from headway.probes import Plan, Reading, measure, merged, probes
from tests.probes.projects import BROKEN, HEALTHY, done, project, shop, snapshot


def test_a_healthy_project(healthy):
    """Pytest with coverage, ruff, mypy and the codebase, found and run without a word of configuration."""
    _, readings = healthy
    measured = merged(readings)

    assert ["junit", "coverage_json", "ruff", "mypy", "codebase"] == [reading.probe for reading in readings]
    assert [None] * 5 == [reading.reason for reading in readings]
    assert Measurements(
        test_count=2, tests_passed=2, tests_failed=0, tests_skipped=0, failing_tests=(), skipped_tests=(),
        passing_tests=measured.passing_tests, tests_exit_code=0, coverage_percentage=75.0, coverage_lines_covered=3, coverage_lines_total=4,
        lint_errors=0, lint_warnings=0, type_errors=0,
        file_count=3, loc_total=9, complexity_score=1.5,
    ) == measured  # fmt: skip
    assert 2 == len(measured.passing_tests) and all("::test_" in test for test in measured.passing_tests)


def test_a_broken_project(broken):
    """A file that cannot be collected, and `-x` in the settings, hide no other test."""
    _, readings = broken
    measured = merged(readings)

    assert (None, 3, 3, 2) == (
        measured.test_count, measured.tests_passed, measured.tests_failed, measured.tests_skipped,
    )  # fmt: skip
    assert {
        "::tests.test_missing", "tests.test_wrong::test_fails", "tests.test_wrong::test_fails_twice",
    } == {test if "::" in test else f"::{test}" for test in measured.failing_tests}  # fmt: skip
    assert (2, 1) == (measured.lint_errors, measured.type_errors)
    assert 0 < measured.coverage_percentage < 75


def test_nothing_is_left_in_the_project(broken, tmp_path):
    folder, readings = broken

    assert 5 == len(readings)
    assert snapshot(shop(tmp_path, BROKEN)) == snapshot(folder)


def test_a_syntax_error_leaves_type_errors_unmeasured(tmp_path):
    """Mypy stops at a file it cannot read: its one error must not pass for the only one."""
    folder = shop(tmp_path, {"mypy.ini": "[mypy]\nfiles = shop\n", "shop/torn.py": "def (:\n"})

    reading = next(reading for reading in measure(folder) if reading.probe == "mypy")

    assert reading.measured == Measurements()
    assert "exited with 2" in reading.reason


def test_broken_settings_leave_tests_unmeasured(tmp_path):
    folder = shop(tmp_path, {**HEALTHY, "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '--no-such-option'\n"})

    readings = measure(folder)
    tests, coverage = readings[:2]

    assert Measurements(tests_exit_code=4, tests_fault=tests.reason) == tests.measured
    assert Measurements() == coverage.measured
    assert "exited with 4" in tests.reason and "--no-such-option" in tests.reason
    assert "was not written" in coverage.reason


def test_a_project_without_tests_has_zero_tests(tmp_path):
    """Tests were searched, and there were none."""
    folder = project(tmp_path, {"pytest.ini": "[pytest]\n"})

    measured = merged(measure(folder))

    assert (0, 0, ()) == (measured.test_count, measured.tests_failed, measured.failing_tests)


def test_the_users_test_command_replaces_the_proposed_plans(tmp_path):
    folder = shop(tmp_path, HEALTHY)

    readings = measure(folder, test_command="echo '=== 3 passed, 1 failed in 0.10s ==='")
    measured = merged(readings)

    assert ["printed_tests", "ruff", "mypy", "codebase"] == [reading.probe for reading in readings]
    assert (4, 3, 1, None) == (
        measured.test_count, measured.tests_passed, measured.tests_failed, measured.failing_tests,
    )  # fmt: skip
    assert measured.coverage_percentage is None


def test_a_missing_program_gives_a_reason(tmp_path):
    plans = [Plan(name="lint", probe="ruff", command=("no-such-program", "--json"), report="-")]

    (reading,) = measure(tmp_path, plans)

    assert reading.measured == Measurements()
    assert reading.reason == "no-such-program could not be started: No such file or directory"


def test_a_module_that_is_not_installed_is_not_zero_errors(tmp_path):
    """Mypy prints nothing when all is well; so does Python without mypy, on that stream."""
    plans = [Plan(name="types", probe="mypy", command=("python3", "-m", "no_such_module"), report="-")]

    (reading,) = measure(tmp_path, plans)

    assert reading.measured.type_errors is None
    assert "exited with 1" in reading.reason


def test_an_unknown_probe_gives_a_reason(tmp_path, caplog):
    caplog.set_level(logging.CRITICAL, "headway")

    (reading,) = measure(tmp_path, [Plan(name="tests", probe="tea_leaves")])

    assert "there is no probe 'tea_leaves'; expected one of: build, " in reading.reason


def test_before_is_called_for_each_plan(tmp_path):
    told = []

    measure(tmp_path, [Plan(name="build", probe="build", command="true")], before=told.append)

    assert ["build"] == [plan.name for plan in told]


def test_the_first_reading_wins():
    def reading(**measured):
        return Reading(probe="x", how="", measured=Measurements(**measured))

    both = merged([reading(tests_failed=0), reading(tests_failed=3, lint_errors=2)])

    assert Measurements(tests_failed=0, lint_errors=2) == both
    assert both.error_count is None
    assert Measurements() == merged([])


def test_the_folder_is_the_registry():
    assert {
        "build", "cobertura", "codebase", "coverage_json", "ctrf", "eslint", "go_json", "jest_json", "junit", "lcov",
        "mypy", "printed_tests", "pyright", "ruff", "sarif", "tsc",
    } == set(probes())  # fmt: skip


def test_without_the_extra_tests_are_measured_and_the_reason_for_the_rest_names_it(tmp_path):
    """Headway installed without `loop`: None in sys.modules is what Python itself takes for "cannot be imported"."""
    code = (
        "import sys; sys.modules['lizard'] = None; from headway.probes import *;"
        "plans = [Plan(name='tests', probe='junit', report='j.xml'), Plan(name='codebase', probe='codebase')];"
        "print(*[(one.measured.test_count, one.measured.file_count, one.reason) for one in measure('.', plans)], sep='\\n')"
    )
    project(tmp_path, {"j.xml": "<testsuite/>", "a.py": "x = 1\n"})

    tests, codebase = done(sys.executable, "-c", code, folder=tmp_path).stdout.decode().splitlines()

    assert "(0, None, None)" == tests
    assert codebase.startswith("(None, 1, ") and "lizard: pip install 'headway-agents[loop]'" in codebase
