"""Finding the report of a command, and refusing one of an earlier run."""

import os

from headway.core.iteration import Measurements
from headway.probes import Plan, measure, report

JUNIT = "<testsuite><testcase name='x'/></testsuite>"


def reading(folder, **plan):
    (one,) = measure(folder, [Plan(name="tests", probe="junit", **plan)], timeout=plan.pop("timeout", 10))
    return one


def test_a_report_in_the_temporary_folder(tmp_path):
    one = reading(tmp_path, command=f'echo "{JUNIT}" > {{reports}}/j.xml', report="{reports}/j.xml")

    assert (1, None) == (one.measured.test_count, one.reason)
    assert [] == list(tmp_path.iterdir())


def test_printed_reports(tmp_path):
    """With `-`, what goes to standard error does not spoil it."""
    one = reading(tmp_path, command=f'echo warning >&2; echo "{JUNIT}"', report="-")

    assert 1 == one.measured.test_count


def test_a_report_from_an_earlier_run_is_not_read(tmp_path):
    """The command failed before it wrote a report; the old one is outdated."""
    (tmp_path / "j.xml").write_text(JUNIT)
    os.utime(tmp_path / "j.xml", (1, 1))

    assert "older than this run" in reading(tmp_path, command="true", report="j.xml").reason
    assert 1 == reading(tmp_path, report="j.xml").measured.test_count


def test_a_report_that_was_not_written(tmp_path):
    one = reading(tmp_path, command="echo it broke; exit 7", report="{reports}/j.xml")

    assert "{reports}/j.xml was not written (exit code 7): it broke" == one.reason
    assert Measurements(tests_exit_code=7, tests_fault=one.reason) == one.measured


def test_the_reason_names_the_file(tmp_path):
    (tmp_path / "j.xml").write_text("<testsuite>")

    assert reading(tmp_path, report="j.xml").reason.startswith("j.xml: not JUnit XML")


def test_a_failed_tools_report_is_ignored(tmp_path):
    one = reading(tmp_path, command=f'echo "{JUNIT}"; exit 3', report="-", faults=(3,))

    assert Measurements(tests_exit_code=3, tests_fault=one.reason) == one.measured
    assert "exited with 3, which means that the tool itself failed" in one.reason


def test_a_report_is_not_read_after_a_timeout(tmp_path):
    plan = Plan(name="tests", probe="junit", command=f'echo "{JUNIT}" > j.xml; sleep 60', report="j.xml")

    (one,) = measure(tmp_path, [plan], timeout=0.5)

    assert (tmp_path / "j.xml").exists()
    assert (Measurements(tests_fault="killed after 0.5 s"), "killed after 0.5 s") == (one.measured, one.reason)


def test_the_exit_code_of_the_tests_is_measured_and_that_of_other_tools_is_not(tmp_path):
    """Four tests pass, and then the command fails: that is no success."""
    plan = Plan(name="tests", probe="printed_tests", command="echo '== 4 passed in 0.1s =='; exit 1")
    lint = Plan(name="lint", probe="printed_tests", command="echo '== 4 passed in 0.1s =='; exit 1")

    one, other = measure(tmp_path, [plan, lint])

    assert (4, 1, True, False) == (
        one.measured.tests_passed, one.measured.tests_exit_code, one.measured.fails_outside_tests,
        one.measured.all_passed,
    )  # fmt: skip
    assert other.measured.tests_exit_code is None


def test_a_huge_report_is_refused(tmp_path):
    with (tmp_path / "j.xml").open("wb") as file:
        file.truncate(report.MAX_REPORT_BYTES + 1)  # a file with a hole: large, and written at once

    assert "64000001 bytes; at most 64000000 are read" in reading(tmp_path, report="j.xml").reason


def test_a_folder_is_not_a_report(tmp_path):
    (tmp_path / "j.xml").mkdir()

    assert "was not written" in reading(tmp_path, report="j.xml").reason


def test_how_shows_the_command_as_run_in_the_project(tmp_path):
    command = (f"{tmp_path}/.venv/bin/python", "-m", "x y", "{reports}/j.xml")

    assert ".venv/bin/python -m 'x y' {reports}/j.xml" == reading(tmp_path, command=command, report="j.xml").how
    assert "read j.xml" == reading(tmp_path, report="j.xml").how
