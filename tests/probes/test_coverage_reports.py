"""Coverage as JSON and as Cobertura XML."""

import sys

import pytest

from headway.core.iteration import Measurements
from headway.probes import ProbeError
from headway.probes.formats import cobertura, coverage_json
from tests.probes.projects import OUTPUTS, done


def test_json_and_xml_of_coverage_py_agree(healthy, covered):
    folder, readings = healthy
    report = covered.with_suffix(".xml")
    done(sys.executable, "-m", "coverage", "xml", f"--data-file={covered}", "-o", report, folder=folder)

    assert readings[1].measured == cobertura.parse(report.read_bytes())


def test_cobertura_of_istanbul():
    """It has a document type with an address outside, which is not followed."""
    assert Measurements(
        coverage_percentage=100.0, coverage_lines_covered=3, coverage_lines_total=3
    ) == cobertura.parse((OUTPUTS / "istanbul-cobertura.xml").read_bytes())  # fmt: skip


def test_cobertura_without_totals_is_counted():
    """A line stands under its method and under its class, and counts once."""
    lines = '<lines><line number="1" hits="2"/><line number="2" hits="0"/></lines>'
    report = f'<coverage><class filename="a.py"><method>{lines}</method>{lines}</class></coverage>'

    assert Measurements(
        coverage_percentage=50.0, coverage_lines_covered=1, coverage_lines_total=2
    ) == cobertura.parse(report.encode())  # fmt: skip


def test_cobertura_with_a_rate_alone():
    assert Measurements(coverage_percentage=25.0) == cobertura.parse(b'<coverage line-rate="0.25"/>')


@pytest.mark.parametrize(
    "report",
    [
        b'<coverage line-rate="NaN"/>',
        b'<coverage line-rate="1.5"/>',
        b'<coverage lines-covered="-1" lines-valid="3"/>',
        b'<coverage lines-covered="4" lines-valid="3"/>',
        b"<coverage/>",
        b'<!DOCTYPE c [<!ENTITY a "1">]><coverage line-rate="&a;"/>',
    ],
)
def test_impossible_cobertura_is_refused(report):
    with pytest.raises(ProbeError):
        cobertura.parse(report)


@pytest.mark.parametrize(
    ("totals", "place"),
    [
        ('"covered_lines": -1, "num_statements": 3, "percent_covered": 0', "$.totals.covered_lines"),
        ('"covered_lines": 1, "num_statements": 3, "percent_covered": 101', "$.totals.percent_covered"),
        ('"covered_lines": 1, "num_statements": 3, "percent_covered": NaN', "malformed"),
        ('"covered_lines": "1", "num_statements": 3, "percent_covered": 1', "$.totals.covered_lines"),
        ('"covered_lines": 4, "num_statements": 3, "percent_covered": 1', "4 lines covered of 3"),
        ('"covered_lines": 4', "num_statements"),
    ],
)
def test_impossible_json_is_refused(totals, place):
    with pytest.raises(ProbeError) as raised:
        coverage_json.parse(f'{{"totals": {{{totals}}}}}'.encode())
    assert place in str(raised.value)


def test_a_byte_order_mark_is_skipped():
    report = b'\xef\xbb\xbf{"totals": {"covered_lines": 1, "num_statements": 2, "percent_covered": 40.5}}'

    assert 40.5 == coverage_json.parse(report).coverage_percentage
