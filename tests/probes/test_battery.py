"""Every probe that reads a report measures, or says why not."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.core.iteration import Measurements
from headway.probes import ProbeError, probes
from tests.probes.projects import OUTPUTS

PARSING = sorted(name for name, probe in probes().items() if hasattr(probe, "parse"))
EMPTY_IS_FINE = {"mypy"}
"""mypy prints nothing if there are no errors."""
JSON = ["coverage_json", "ctrf", "eslint", "jest_json", "pyright", "ruff", "sarif"]
REAL = {
    "junit": "jest-junit.xml", "ctrf": "jest.ctrf.json", "go_json": "go.json", "jest_json": "jest.json",
    "cobertura": "istanbul-cobertura.xml", "lcov": "jest.lcov", "eslint": "eslint.json", "sarif": "ruff.sarif",
    "pyright": "pyright.json", "tsc": "tsc.txt", "printed_tests": "cargo.txt",
}  # fmt: skip

shapes = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
        ["results", "summary", "tests", "totals", "runs", "tool", "driver", "messages", "severity", "Action", "testResults"]
    ), inner, max_size=3),
    max_leaves=12,
)  # fmt: skip


def outcome(name, data):
    """The measurements from some bytes; errors other than ProbeError are raised."""
    try:
        return probes()[name].parse(data)
    except ProbeError as error:
        return error


def test_all_probes_but_codebase_have_parse():
    assert set(probes()) - set(PARSING) == {"codebase"}


@pytest.mark.parametrize("name", PARSING)
@given(data=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_random_bytes_raise_only_probe_errors(name, data):
    assert isinstance(outcome(name, data), Measurements | ProbeError)


@pytest.mark.parametrize("name", [*JSON, "go_json", "mypy"])
@given(shape=shapes)
def test_random_json_raises_only_probe_errors(name, shape):
    assert isinstance(outcome(name, json.dumps(shape).encode()), Measurements | ProbeError)


@pytest.mark.parametrize("name", REAL)
@given(data=st.data())
def test_damaged_reports_raise_only_probe_errors(name, data):
    """Real reports with a piece cut out or changed."""
    real = (OUTPUTS / REAL[name]).read_bytes()
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(real))] * 2)))
    damaged = real[:start] + data.draw(st.binary(max_size=5)) + real[end:]

    assert isinstance(outcome(name, damaged), Measurements | ProbeError)


@pytest.mark.parametrize("name", sorted(set(PARSING) - EMPTY_IS_FINE))
@pytest.mark.parametrize("data", [b"", b"\n", b"\0", b"hello", b"<html></html>", b"null", b"[1]", b"[" * 100_000])
def test_other_text_measures_nothing(name, data):
    with pytest.raises(ProbeError) as raised:
        probes()[name].parse(data)
    assert str(raised.value)


@pytest.mark.parametrize("name", JSON)
@pytest.mark.parametrize("data", [b"{}", b"[{}]", b'{"results": 3}', b'"text"'])
def test_other_shapes_are_refused(name, data):
    assert isinstance(outcome(name, data), ProbeError)


@pytest.mark.parametrize("name", [name for name in REAL if name not in ("go_json", "tsc", "printed_tests")])
def test_a_truncated_report_is_refused(name):
    """A report that is cut off anywhere in its middle measures nothing, instead of half."""
    real = (OUTPUTS / REAL[name]).read_bytes().rstrip()

    assert isinstance(outcome(name, real), Measurements)
    for share in (0.3, 0.5, 0.8, 0.95):
        assert isinstance(outcome(name, real[: int(len(real) * share)]), ProbeError), share
