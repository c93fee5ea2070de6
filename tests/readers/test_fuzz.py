"""Every reader over recordings made wrong: nothing escapes, nothing hangs, nothing grows. `make fuzz` tries far more."""

from collections import Counter
from functools import cache

import pytest

from headway.readers import readers
from tests.readers.fuzz import SEED, Findings, memory, tried
from tests.readers.mutations import KINDS, Case, originals

FEW = 5 * len(readers())
"""Cases in `make test`: five of each reader."""


def test_no_reader_breaks_and_every_outcome_occurs():
    findings, before = Findings(), memory()
    for number in range(FEW):
        tried(number, SEED, findings)
    assert [] == findings.faults
    outcomes = Counter()
    for (_, what), count in findings.outcomes.items():
        outcomes[what] += count
    assert {"read", "unread", "no recording", "trouble"} == outcomes.keys()
    assert FEW == outcomes.total() and outcomes["read"] > FEW // 2
    assert memory() - before < 300


@pytest.mark.parametrize("name", readers())
def test_every_reader_is_fuzzed(name):
    assert name in {one.reader for one in originals()}


def test_a_case_is_the_same_whenever_it_is_made():
    one, again, other = Case(1, 7), Case(1, 7), Case(2, 7)
    assert (one.content, one.what) == (again.content, again.what) != (other.content, other.what)
    assert one.original.reader == other.original.reader


@cache
def some_cases():
    return [Case(SEED, number) for number in range(72)]


@pytest.mark.parametrize("kind", [kind for kinds in KINDS.values() for kind in kinds])
def test_every_mishap_changes_something(kind):
    assert any(case._changed(kind, case.original.content) != case.original.content for case in some_cases())


def test_a_fault_is_found_and_told(monkeypatch):
    """Without the limit on counts, as it was, a scan fails."""
    monkeypatch.setattr("headway.readers.CREDIBLE", {})
    findings = Findings()
    for number in range(FEW):
        tried(number, SEED, findings)
        if findings.faults:
            break
    assert "OverflowError" in findings.faults[0]
