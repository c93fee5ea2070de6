"""JUnit XML, of four runners, and what attackers make of it."""

import sys

import pytest

from headway.core.iteration import Measurements
from headway.probes import ProbeError
from headway.probes.formats import junit
from tests.probes.projects import BROKEN, OUTPUTS, done, shop


@pytest.mark.parametrize(
    ("output", "failing", "skipped", "passing"),
    [
        ("jest-junit.xml", "sum breaks::sum breaks", "sum later::sum later", "sum adds::sum adds"),
        ("vitest-junit.xml", "sum.test.mjs::sum > breaks", "sum.test.mjs::sum > later", "sum.test.mjs::sum > adds"),
        ("mocha-xunit.xml", "sum::breaks", "sum::later", "sum::adds"),
    ],
)
def test_real_reports(output, failing, skipped, passing):
    """Each has one test that passes, one that fails and one that was left for later."""
    assert Measurements(
        test_count=3, tests_passed=1, tests_failed=1, tests_skipped=1,
        failing_tests=(failing,), skipped_tests=(skipped,), passing_tests=(passing,),
    ) == junit.parse((OUTPUTS / output).read_bytes())  # fmt: skip


def test_a_test_reported_twice_counts_once(tmp_path):
    """Pytest reports a test that fails, and then fails again at its end, as two cases."""
    folder = shop(tmp_path / "shop", BROKEN)
    report = tmp_path / "twice.xml"
    done(
        sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--junitxml={report}", "-k", "twice",
        "--maxfail=0", "tests/test_wrong.py", folder=folder,
    )  # fmt: skip

    assert 2 == report.read_bytes().count(b"<testcase")
    assert Measurements(
        test_count=1, tests_passed=0, tests_failed=1, tests_skipped=0,
        failing_tests=("tests.test_wrong::test_fails_twice",), skipped_tests=(), passing_tests=(),
    ) == junit.parse(report.read_bytes())  # fmt: skip


def test_suites_inside_suites_count_once():
    cases = '<testcase classname="a" name="x"/><testcase classname="a" name="y"><error/></testcase>'
    nested = (
        f'<testsuites tests="2"><testsuite tests="2"><testsuite tests="2">{cases}</testsuite></testsuite></testsuites>'
    )

    assert (2, 1) == (junit.parse(nested.encode()).test_count, junit.parse(nested.encode()).tests_failed)


def test_suites_without_cases_use_their_totals():
    """Only the outermost: the inner ones are part of it."""
    inner = '<testsuite tests="3" failures="1" errors="1" skipped="0"/>'
    stated = f'<testsuites><testsuite tests="3" failures="1" errors="1"><g>{inner}</g></testsuite>{inner}</testsuites>'

    measured = junit.parse(stated.encode())

    assert (6, 2, 4, None) == (
        measured.test_count, measured.tests_passed, measured.tests_failed, measured.failing_tests,
    )  # fmt: skip


def test_equal_names_in_two_files_are_two_tests():
    cases = '<testcase name="x" file="a.js"/><testcase name="x" file="b.js"/>'

    assert 2 == junit.parse(f"<testsuite>{cases}</testsuite>".encode()).test_count


def test_too_many_failing_tests_are_counted_but_not_named():
    cases = "".join(f'<testcase name="t{number}"><failure/></testcase>' for number in range(1_001))
    measured = junit.parse(f"<testsuite>{cases}</testsuite>".encode())
    skipped = junit.parse(f"<testsuite>{cases.replace('failure', 'skipped')}</testsuite>".encode())

    assert (1_001, None) == (measured.tests_failed, measured.failing_tests)
    assert (1_001, None) == (skipped.tests_skipped, skipped.skipped_tests)


BOMB = b"""<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>
<testsuite><testcase name="&c;"/></testsuite>"""
OUTSIDE = b"""<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/hostname">]><testsuite><testcase name="t">&x;</testcase></testsuite>"""


@pytest.mark.parametrize("data", [BOMB, OUTSIDE])
def test_entities_are_refused(data):
    with pytest.raises(ProbeError, match="refused, since it declares XML entities"):
        junit.parse(data)


@pytest.mark.parametrize("count", ["-1", "NaN", "inf", "many", "1e99"])
def test_impossible_counts_are_refused(count):
    with pytest.raises(ProbeError, match="expected a number from 0"):
        junit.parse(f'<testsuite tests="{count}"/>'.encode())


def test_more_failures_than_tests_are_refused():
    with pytest.raises(ProbeError, match="1 tests stated, but 2 failed"):
        junit.parse(b'<testsuite tests="1" failures="2"/>')


def test_the_message_says_where():
    with pytest.raises(ProbeError, match=r"not JUnit XML .*: mismatched tag: line 2, column"):
        junit.parse(b"<testsuite>\n</testcase>")


def test_deep_nesting_is_read():
    deep = b"<testsuite>" * 50_000 + b'<testcase name="x"/>' + b"</testsuite>" * 50_000

    assert 1 == junit.parse(deep).test_count
