"""Reports of tests other than JUnit's, builds, and what commands print."""

import json

import pytest

from headway.core.iteration import Measurements
from headway.probes import ProbeError
from headway.probes.formats import build, ctrf, go_json, jest_json, printed_tests
from tests.probes.projects import OUTPUTS


def real(name):
    return (OUTPUTS / name).read_bytes()


def test_jest():
    """One passes, one fails, one is skipped; a file that could not be run is a failure of its own."""
    assert Measurements(
        test_count=4, tests_passed=1, tests_failed=2, tests_skipped=1,
        failing_tests=jest_json.parse(real("jest.json")).failing_tests, skipped_tests=("sum.test.js::sum later",),
        passing_tests=("sum.test.js::sum adds",),
    ) == jest_json.parse(real("jest.json"))  # fmt: skip
    assert {"sum.test.js::sum breaks", "broken.test.js"} == set(jest_json.parse(real("jest.json")).failing_tests)


def test_vitest():
    assert Measurements(
        test_count=3, tests_passed=1, tests_failed=1, tests_skipped=1,
        failing_tests=("sum.test.mjs::sum breaks",), skipped_tests=("sum.test.mjs::sum later",),
        passing_tests=("sum.test.mjs::sum adds",),
    ) == jest_json.parse(real("vitest.json"))  # fmt: skip


def test_ctrf_of_jest():
    assert Measurements(
        test_count=3, tests_passed=1, tests_failed=1, tests_skipped=1,
        failing_tests=("sum.test.js > sum::sum breaks",), skipped_tests=("sum.test.js > sum::sum later",),
        passing_tests=("sum.test.js > sum::sum adds",),
    ) == ctrf.parse(real("jest.ctrf.json"))  # fmt: skip


def test_ctrf_with_a_list_of_suites():
    report = """{"results": {"summary": {"tests": 1, "passed": 0, "failed": 1, "skipped": 0, "pending": 0, "other": 0},
        "tests": [{"name": "x", "status": "failed", "duration": 1, "suite": ["a", "b"]}]}}"""

    assert ("a > b::x",) == ctrf.parse(report.encode()).failing_tests


@pytest.mark.parametrize("passed", ["-1", "3", "NaN", "1.5"])
def test_impossible_ctrf_is_refused(passed):
    summary = f'{{"tests": 2, "passed": {passed}, "failed": 1}}'

    with pytest.raises(ProbeError):
        ctrf.parse(f'{{"results": {{"summary": {summary}, "tests": []}}}}'.encode())


@pytest.mark.parametrize("outcome", ["failed", "skipped"])
def test_ctrf_names_all_failing_or_skipped_tests_or_none(outcome):
    summary = json.dumps({"tests": 2, "passed": 0, "failed": 0, outcome: 2})
    report = f'{{"results": {{"summary": {summary}, "tests": [{{"name": "x", "status": "{outcome}"}}]}}}}'
    measured = ctrf.parse(report.encode())

    assert {"failed": (), "skipped": (), outcome: None} == {
        "failed": measured.failing_tests, "skipped": measured.skipped_tests,
    }  # fmt: skip


def test_go():
    """Subtests count instead of their parents; a package that does not build is a failure."""
    measured = go_json.parse(real("go.json"))

    assert (5, 2, 2, 1) == (
        measured.test_count, measured.tests_passed, measured.tests_failed, measured.tests_skipped,
    )  # fmt: skip
    assert {"example.org/project/ok::TestTable/two", "example.org/project/broken"} == set(measured.failing_tests)


def test_go_records_are_numbered():
    with pytest.raises(ProbeError, match="line 2: not a record"):
        go_json.parse(b'{"Action":"start"}\n{"Action":\n')


def test_cargo_prints():
    assert Measurements(
        test_count=3, tests_passed=1, tests_failed=1, tests_skipped=1, failing_tests=("tests::breaks",)
    ) == printed_tests.parse(real("cargo.txt"), 101)  # fmt: skip


def test_jest_prints():
    measured = printed_tests.parse(real("jest.txt"), 1)

    assert 1 == measured.tests_passed and measured.tests_failed >= 1


def test_no_summary_is_no_measurement():
    """Not even if the command succeeds, because what it did is unknown."""
    with pytest.raises(ProbeError) as raised:
        printed_tests.parse(b"all is well\n", 0)
    assert "it exited with 0 and printed last: all is well" in str(raised.value)


def test_builds():
    assert "success" == build.parse(b"", 0).build_status
    assert "failure" == build.parse(b"", 1).build_status
    with pytest.raises(ProbeError, match="not found: sh: makeit: not found"):
        build.parse(b"sh: makeit: not found\n", 127)
    with pytest.raises(ProbeError, match="there is none"):
        build.parse(b"")
