"""LCOV, of Jest and coverage.py, and one that is larger than memory should be."""

import sys
import tracemalloc
from io import BytesIO

import pytest

from headway.core.iteration import Measurements
from headway.probes import ProbeError
from headway.probes.formats import lcov
from tests.probes.projects import OUTPUTS, done


def test_of_jest():
    assert Measurements(
        coverage_percentage=100.0, coverage_lines_covered=3, coverage_lines_total=3
    ) == lcov.parse((OUTPUTS / "jest.lcov").read_bytes())  # fmt: skip


def test_of_coverage_py(healthy, covered):
    """The same numbers as its JSON report has."""
    folder, readings = healthy
    report = covered.with_suffix(".lcov")
    done(sys.executable, "-m", "coverage", "lcov", f"--data-file={covered}", "-o", report, folder=folder)

    assert readings[1].measured == lcov.parse(report.read_bytes())


MEASURE_IN_PEACE = """
import resource, sys
from headway.probes import Plan, measure
plan = Plan(name="coverage", probe="lcov", report="lcov.info")
measure(sys.argv[1], [Plan(name="coverage", probe="lcov", report="small.info")])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
(reading,) = measure(sys.argv[1], [plan])
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(reading.measured.coverage_percentage, reading.measured.coverage_lines_total, after - before)
"""


@pytest.mark.slow
def test_thirty_megabytes_need_little_memory(tmp_path):
    """Read through the file as the probe does, in a process of its own, whose memory the system measures."""
    line = b"DA:%d,%d\nBRDA:%d,0,0,1\nFNDA:12,a_function_with_a_long_and_telling_name_%d\n"
    lines = b"".join(line % (number, number % 2, number, number) for number in range(50_000))
    (tmp_path / "small.info").write_bytes(b"SF:a\nend_of_record\n")
    report = tmp_path / "lcov.info"
    files = 0
    with report.open("wb") as file:
        while file.tell() < 30_000_000:
            files += 1
            file.write(b"SF:src/file-%d.c\n" % files + lines + b"end_of_record\n")

    printed = done(sys.executable, "-c", MEASURE_IN_PEACE, tmp_path, folder=tmp_path).stdout.split()

    assert (50.0, files * 50_000) == (float(printed[0]), int(printed[1]))
    assert int(printed[2]) < 5_000  # kilobytes


def test_one_endless_line_needs_little_memory():
    tracemalloc.start()
    try:
        file = BytesIO(b"SF:a\nFN:1," + b"x" * 20_000_000 + b"\nDA:1,1\nend_of_record\n")
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        measured = lcov.parse(lcov.lines_of(file))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert 1 == measured.coverage_lines_covered
    assert most - before < 1_000_000


def test_totals_are_preferred_to_counted_lines():
    assert (1, 4) == covered(b"SF:a\nDA:1,1\nLF:4\nLH:1\nend_of_record\n")


def test_a_file_that_comes_twice_counts_once():
    assert (2, 2) == covered(b"SF:a\nDA:1,1\nDA:2,0\nend_of_record\nSF:a\nDA:1,1\nDA:2,1\nend_of_record\n")


def test_a_percentage_of_nothing_is_unknown():
    assert Measurements(coverage_lines_covered=0, coverage_lines_total=0) == lcov.parse(b"SF:a\nend_of_record\n")


def covered(data):
    measured = lcov.parse(data)
    return measured.coverage_lines_covered, measured.coverage_lines_total


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"SF:a\nDA:1,-5\nend_of_record\n", "line 2: DA:1,-5; expected a count of 0 or more"),
        (b"SF:a\nDA:1\nend_of_record\n", "line 2"),
        (b"SF:a\nLF:NaN\nend_of_record\n", "line 2"),
        (b"SF:a\nLF:1\nLH:2\nend_of_record\n", "line 4: a has 2 lines hit of 1"),
        (b"SF:a\nDA:1,1\n", "it ends inside the record of a; expected end_of_record"),
        (b"TN:\n", "no record of a file; expected LCOV"),
    ],
)
def test_impossible_numbers_are_refused(data, message):
    with pytest.raises(ProbeError) as raised:
        lcov.parse(data)
    assert message in str(raised.value)


def test_endless_files_are_refused():
    records = (line for number in range(300_000) for line in (b"SF:%d\n" % number, b"end_of_record\n"))

    with pytest.raises(ProbeError, match="more than 200000 files"):
        lcov.parse(records)
