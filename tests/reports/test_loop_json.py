"""Loops as JSON, and back."""

import json
from dataclasses import dataclass

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headway.core.decision import Action
from headway.core.finding import Finding, Severity
from headway.core.iteration import Deltas, FileChanges, Iteration, Measurements, Score, ScorePart
from headway.reports.loop_json import (
    LoopFormatError,
    best_json,
    loop_from_json,
    loop_json,
    manifest_json,
    metrics_json,
    trajectory_json,
)
from headway.scoring.assessment import LoopReport, Recommendation, RoundReport
from headway.scoring.best import Degradation, Selection
from tests.reports.loops import example_2, example_3, hostile

numbers, counts, words = st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 10**6), st.text(max_size=20)
some_words = st.lists(words, max_size=3).map(tuple)


def maybe(strategy):
    return st.none() | strategy


scores = st.builds(
    Score, numbers, st.lists(st.builds(ScorePart, words, numbers, numbers), max_size=3).map(tuple), some_words
)
deltas = st.builds(Deltas, test_count_delta=maybe(counts), coverage_delta=maybe(numbers), loc_delta=maybe(numbers))
iterations = st.builds(
    Iteration,
    number=counts,
    output=words,
    measured=st.builds(
        Measurements,
        test_count=maybe(counts),
        coverage_percentage=maybe(st.floats(0, 100)),
        failing_tests=maybe(some_words),
    ),
    changes=maybe(st.builds(FileChanges, counts, st.dictionaries(words, words, max_size=3))),
    based_on=maybe(counts),
    snapshot=maybe(words),
    at=maybe(numbers),
    progress=maybe(scores),
    quality=maybe(scores),
    verdict=st.sampled_from(["baseline", "forward", "plateau", "regression", "stalled"]),
    mixed=st.booleans(),
    from_previous=maybe(deltas),
    from_baseline=maybe(deltas),
)
findings = st.builds(
    Finding,
    detector=words,
    severity=st.sampled_from(Severity),
    confidence=numbers,
    message=words,
    evidence=st.dictionaries(words, maybe(words) | counts | numbers | some_words, max_size=3),
    repeats=st.lists(st.integers(0, 2**64 - 1), max_size=2).map(tuple),
)
rounds = st.builds(
    RoundReport,
    iteration=iterations,
    previous=maybe(iterations),
    baseline=maybe(iterations),
    alerts=st.lists(findings, max_size=2).map(tuple),
    recommendation=st.builds(
        Recommendation,
        action=st.sampled_from(Action),
        reason=words,
        confidence=numbers,
        message=words,
        target_iteration=maybe(counts),
    ),
    best_iteration=maybe(counts),
    best_quality=maybe(numbers),
    rationale=some_words,
)
selections = st.builds(
    Selection,
    selected_iteration=maybe(counts),
    selected_quality=maybe(numbers),
    final_iteration=counts,
    final_quality=maybe(numbers),
    total_iterations=counts,
    acceptable=st.booleans(),
    verified=st.booleans(),
    rationale=some_words,
    trajectory=st.dictionaries(counts, numbers, max_size=3),
    degradation=maybe(st.builds(Degradation, counts, words, counts, numbers)),
    override=maybe(words),
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # loops are large, machines are busy
@given(
    st.builds(LoopReport, loop_id=words, rounds=st.lists(rounds, max_size=3).map(tuple), selection=maybe(selections))
)
def test_what_was_written_comes_back(loop):
    assert loop == loop_from_json(loop_json(loop))


def test_the_keys_are_stable():
    document = json.loads(loop_json(example_3()))
    assert ["version", *LoopReport.__struct_fields__] == list(document)
    assert ["version", "loop_id", "rounds", "selection", "ending"] == list(document)[:5]
    assert list(RoundReport.__struct_fields__) == list(document["rounds"][0])
    assert (3, 8.6, -7.95) == (
        document["selection"]["selected_iteration"],
        document["selection"]["improvement_percentage"],
        document["selection"]["degradation"]["quality_loss"],
    )


@dataclass
class Broken:
    """Bytes that are no loop, and what the error says of them."""

    data: bytes
    said: str


@pytest.mark.parametrize(
    "broken",
    [
        Broken(b"", "expected a loop of version 1"),
        Broken(b'{"version": 1, "loop_id": "x", "rou', "truncated"),
        Broken(b"[]", "Expected `object`, got `array`"),
        Broken(b"{}", "missing required field `version`"),
        Broken(b'{"version": 7}', "at `$.version`: expected 1, got 7"),
        Broken(b'{"version": 1, "loop_id": "x", "rounds": [{"iteration": {"number": "a"}}]}', "$.rounds[0].iteration.number"),
        Broken(b'{"version": 1, "loop_id": "\xff"}', "expected a loop of version 1"),
        Broken(b'{"version": 1, "x": ' + b"[" * 100_000, "expected a loop of version 1"),
    ],
    ids=lambda broken: broken.said,
)  # fmt: skip
def test_what_is_no_loop_is_refused_with_file_and_place(broken):
    with pytest.raises(LoopFormatError) as caught:
        loop_from_json(broken.data, "loops/x/loop.json")
    assert str(caught.value).startswith("loops/x/loop.json: ") and broken.said in str(caught.value)


def test_text_that_utf_8_cannot_hold_does_not_stop_the_report():
    back = loop_from_json(loop_json(hostile()))
    assert back.rounds[0].iteration.output.endswith("head?")


def test_metrics_have_the_seeds_names_and_null_where_nobody_looked():
    metrics = json.loads(metrics_json(example_2().rounds[3]))
    assert (3, "2026-02-02T10:15:00Z", "regression", 0.8035, False) == tuple(
        metrics[key] for key in ("iteration", "timestamp", "classification", "quality_score", "is_best_iteration")
    )
    assert (9, 7, None) == tuple(metrics["measured"][key] for key in ("test_count", "tests_passed", "lint_errors"))
    assert {"test_count_delta": -1, "pass_rate_delta": -2.2, "coverage_delta": -3.0}.items() <= metrics["deltas"]["from_previous"].items()  # fmt: skip
    assert {"test_count_delta": 1, "pass_rate_delta": 15.3, "coverage_delta": 7.0}.items() <= metrics["deltas"]["from_baseline"].items()  # fmt: skip
    assert ["critical", "critical", "high"] == [alert["severity"] for alert in metrics["alerts"]]
    assert ("rollback", 2) == (metrics["recommendation"]["action"], metrics["recommendation"]["target_iteration"])


def test_errors_are_counted_from_what_was_measured():
    """Lint and type errors are errors, also where nobody named a total."""
    measured = Measurements(lint_errors=2, type_errors=3)
    one = msgspec.structs.replace(example_2().rounds[0].iteration, measured=measured)
    metrics = json.loads(metrics_json(msgspec.structs.replace(example_2().rounds[0], iteration=one)))
    assert 5 == metrics["measured"]["error_count"]


def test_the_manifest_names_the_snapshot_and_the_changed_files():
    rounds = example_2().rounds
    assert {
        "version": 1,
        "iteration": 2,
        "based_on": 1,
        "snapshot": "refs/headway/ralph-001/2",
        "lines_changed": 40,
        "changed_files": [{"path": "src/auth.py", "content": "blob2"}],
    } == json.loads(manifest_json(rounds[2]))
    assert None is json.loads(manifest_json(example_3().rounds[0]))["changed_files"]


def test_trajectory_and_best_tracker():
    loop = example_2()
    assert [0, 1, 2, 3] == [point["iteration"] for point in json.loads(trajectory_json(loop))["trajectory"]]
    assert {
        "version": 1,
        "loop_id": "ralph-001",
        "current_best": 2,
        "best_quality_score": 0.8234,
        "best_snapshot": "refs/headway/ralph-001/2",
        "selected_iteration": None,
    } == json.loads(best_json(loop))
    assert 3 == json.loads(best_json(example_3()))["selected_iteration"]
