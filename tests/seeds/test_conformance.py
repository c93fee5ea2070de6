"""Seeds 000 and 002, threshold by threshold: quiet at N-1, heard at N, and quiet again after each reset.

The whole monitor is played, with all detectors, as a host would.
"""

from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from headway import Monitor, Severity
from headway.core import events
from tests.streams import advice, call, compaction, edit, failure, read, search, shell, spelled, suite, user

HIGH, MEDIUM, LOW = Severity.HIGH, Severity.MEDIUM, Severity.LOW


NEW_NAMES = count()


def same(word):
    return lambda n: [word] * n


def paths(n):
    return [read(f"dir{i}/x.py") for i in range(n)]


def rounds(n):
    return [read("a.py"), search("x", hits=2)] * (n // 2) + [read("a.py")] * (n % 2)


def alike(n):
    return [shell(f"ls -la src{' ' * i}", "a.py") for i in range(n)]


def advised_then(n):
    return [advice("Grep"), advice("Grep"), *(read(f"{i}.py") for i in range(n))]


def stale(n):
    """Two calls that show files for the first time, and n that show them again."""
    two = [read(f"{next(NEW_NAMES)}.py"), read(f"{next(NEW_NAMES)}.py")]
    return [*two, *(two * n)[:n]]


THRESHOLDS = [
    # seed, what it says, detector, severity, N, the first N moments
    ("000", "exact cycles are high", "exact_cycle", HIGH, 3, same(read())),
    ("000", "5+ accesses to same file", "repeated_file", HIGH, 5, same(read())),
    ("000", "3+ similar calls", "similar_calls", MEDIUM, 3, alike),
    ("000", "<30% hit rate over last 5", "low_hit_rate", MEDIUM, 5, lambda n: [search(f"{i}", hits=0) for i in range(n)]),
    ("000", ">5 top-level dirs", "scope_creep", MEDIUM, 6, paths),
    ("000", "early scope exploration is low", "scope_creep", LOW, 4, paths),
    ("000", "3+ consecutive empty", "empty_streak", HIGH, 3, lambda n: [search(f"{i}", hits=0) for i in range(n)]),
    ("000", "single empty result is low", "empty_streak", LOW, 1, lambda n: [search(f"{i}", hits=0) for i in range(n)]),
    ("002", "doom_loop_threshold 3, min length 2", "doom_loop", HIGH, 6, rounds),
    ("002", "same error 3 times", "repeated_error", LOW, 3, same(failure())),
    ("002", "stall_threshold 5", "progress_stall", MEDIUM, 5, same(failure())),
    ("002", "no new files for 10 calls", "progress_stall", MEDIUM, 10, stale),
    ("002", "guidance suggested tool N times", "tool_avoidance", MEDIUM, 3, advised_then),
    ("002", "file churn 5 of 10", "file_churn", LOW, 5, lambda n: [edit(old=str(i), new=str(i + 1)) for i in range(n)]),
    ("002", "contradictory actions", "context_degradation", MEDIUM, 3, lambda n: [edit(old="ab"[i % 2], new="ba"[i % 2]) for i in range(n)]),
]  # fmt: skip
each_threshold = pytest.mark.parametrize(
    ("detector", "severity", "n", "stream"),
    [row[2:] for row in THRESHOLDS],
    ids=[f"{r[0]}: {r[1]}" for r in THRESHOLDS],
)


def heard(*words):
    """Every (detector, severity) that was found."""
    monitor = Monitor()
    return {
        (finding.detector, finding.severity)
        for happening in spelled(words)
        for event in happening
        for finding in monitor.feed(event).findings
    }


@each_threshold
def test_quiet_before_the_threshold_and_heard_at_it(detector, severity, n, stream):
    assert (detector, severity) not in heard(*stream(n - 1))
    assert (detector, severity) in heard(*stream(n))


@each_threshold
def test_a_user_turn_clears_what_a_turn_clears(detector, severity, n, stream):
    """Seed 000's clearOnNewTurn. Symptoms of lost context stay: the user's word does not bring the context back."""
    twice = heard(*stream(n - 1), user(), *stream(n - 1))
    assert ((detector, severity) in twice) == (detector == "context_degradation")


@pytest.mark.parametrize(
    ("detector", "words"),
    [
        ("exact_cycle", [read(), read()]),
        ("repeated_file", [read()] * 4),
        ("doom_loop", rounds(5)),
        ("repeated_error", [failure()] * 2),
        ("similar_calls", alike(2)),
    ],
)
@pytest.mark.parametrize("reset", [compaction(), edit("src/a.py", old="q", new="r")], ids=["compaction", "edit"])
def test_an_edit_or_a_compaction_clears_what_it_invalidates(detector, words, reset):
    """Design, 21: an edit or a compaction makes an honest call of what was a repeat."""
    assert detector not in {id for id, severity in heard(*words, reset, *words) if severity is not LOW}


def test_the_metrics_of_seed_000_are_those_of_the_turn():
    """A new turn (`clearOnNewTurn`) clears all of them, the recent calls included."""
    monitor = Monitor()
    for happening in spelled([read("src/a.py"), read("src/a.py"), search(hits=0), read("docs/b.md")]):
        for event in happening:
            monitor.feed(event)
    metrics = monitor.session.metrics()
    assert ["Read", "Read", "Grep", "Read"] == [call.tool_name for call in metrics.pop("recent_calls")]
    assert {
        "file_access_count": {"src/a.py": 2, "docs/b.md": 1},
        "search_metrics": {"total_searches": 1, "empty_results": 1, "consecutive_empty": 1},
        "unique_top_level_dirs": {"src", "docs"},
    } == metrics

    monitor.user_spoke("something else")
    metrics = monitor.session.metrics()
    assert {"total_searches": 0, "empty_results": 0, "consecutive_empty": 0} == metrics.pop("search_metrics")
    assert not any(metrics.values())
    monitor.called("Read", {"file_path": "c.py"}, call="new")
    assert ["new"] == [call.id for call in monitor.session.metrics()["recent_calls"]]


@pytest.mark.parametrize(
    ("before", "lasted"), [([], 40), ([read("a.py", at=20.0)], 80)], ids=["from the start", "since"]
)
def test_a_stall_lasts_a_time_since_the_last_progress(before, lasted):
    """Seed 002: stall_duration is a timedelta, actions_during_stall a number."""
    monitor = Monitor()
    failures = [failure(f"Error: {n}", command=f"try {n}", at=60.0 + 10 * n) for n in range(5)]
    for happening in spelled([*before, *failures]):
        for event in happening:
            monitor.feed(event)
    stall = monitor.session.patterns()["progress_stall"]
    assert (timedelta(seconds=lasted), 5) == (stall.stall_duration, stall.actions_during_stall)
    assert datetime.fromtimestamp(100.0, UTC) == stall.first_seen


@pytest.mark.parametrize(
    ("indicator", "word"),
    [
        ("test_passed", suite(failed=0)),
        ("build_succeeded", shell("npm run build", "built")),
        ("plan_step_completed", call("TodoWrite", {"todos": [{"content": "x", "status": "completed"}]}, "ok")),
        ("user_acknowledged", user("thanks")),
    ],
)
def test_what_counts_as_progress_can_be_chosen(indicator, word):
    """Seed 002's indicators: the same old calls are no stall with one of them in between, unless it is switched off."""
    old = [read("a.py"), read("b.py")]
    words = [word, *old * 5, word, *old * 4]
    for indicators, stalls in ([indicator], False), (["new_file_created"], True):
        monitor, found = Monitor(settings={"detectors": {"progress_stall": {"progress_indicators": indicators}}}), set()
        for happening in spelled(words):
            for event in happening:
                found |= {finding.detector for finding in monitor.feed(event).findings}
        assert stalls == ("progress_stall" in found)


def test_thresholds_are_settings():
    """Seed 002's own example of a configuration."""
    settings = {"detectors": {"doom_loop": {"doom_loop_threshold": 5, "similarity_threshold": 0.9}}}
    monitor = Monitor(settings=settings)
    loud = []
    for place, happening in enumerate(spelled(rounds(10)), 1):
        for event in happening:
            loud += [place for f in monitor.feed(event).findings if (f.detector, f.severity) == ("doom_loop", HIGH)]
    assert [10] == loud


def test_severities_reach_the_agent_as_the_seed_says():
    """High at once; medium only when two agree; low never; once nothing is kept from being said."""

    def actions(*words):
        monitor = Monitor(settings={"policy": {"only_recorded": []}})
        return {str(monitor.feed(event).decision.action) for happening in spelled(words) for event in happening}

    assert {"continue", "nudge"} == actions(*[search(f"{i}", hits=0) for i in range(3)])
    assert {"continue"} == actions(*paths(5))
    assert {"continue"} == actions(*paths(6))
    two_mediums = [*paths(6), advice("Grep"), advice("Grep"), *(read(f"dir{i}/y.py") for i in range(3))]
    assert {"continue", "nudge"} == actions(*two_mediums)


def test_the_seeds_queries_answer_as_in_its_example():
    """Seed 002's query patterns, under their own names."""
    monitor = Monitor()
    for happening in spelled(rounds(6)):
        for event in happening:
            monitor.feed(event)
    trajectory = monitor.session

    assert trajectory.has_pattern("doom_loop")
    assert ("Read", "Grep") == trajectory.patterns()["doom_loop"].cycle_actions
    for n in range(3):
        monitor.called("Bash", {"command": f"{n}"}, call=f"e{n}")
        monitor.returned(f"e{n}", f"Error: number {n}", failed=True)
    assert trajectory.consecutive_errors >= 3
    assert ["Error: number 0", "Error: number 1", "Error: number 2"] == [e.message for e in trajectory.recent_errors(3)]


def test_the_seeds_detector_and_classifier_can_ask_the_session():
    """Seed 002's two examples of code, as they stand there, with `monitor.session` for the trajectory."""

    def churn(trajectory, churn_threshold=5, window=10):
        file_counts = {}
        for made in trajectory.recent_tool_calls(window):
            if made.tool_name in ("write_file", "edit_file"):
                path = made.params.get("path", "")
                file_counts[path] = file_counts.get(path, 0) + 1
        return [
            (path, count, min(1.0, count / (churn_threshold * 2)))
            for path, count in file_counts.items()
            if count >= churn_threshold
        ]

    def classify(trajectory):
        if trajectory.has_pattern("doom_loop"):
            pattern = trajectory.patterns()["doom_loop"]
            return pattern.confidence, f"Detected {pattern.repetitions}x cycle"
        return 0.0, ""

    monitor = Monitor()
    edits = [call("edit_file", {"path": "src/a.py", "old_text": f"{n}", "new_text": f"{n}+"}) for n in range(7)]
    for happening in spelled(edits):
        for event in happening:
            monitor.feed(event)
    ours = monitor.session.patterns()["file_churn"]
    assert [("src/a.py", 7, 0.7)] == churn(monitor.session)
    assert ("src/a.py", 7, 0.7) == (ours.churned_file, ours.modification_count, ours.confidence)
    assert (0.0, "") == classify(monitor.session)

    for n, happening in enumerate(rounds(6), 100):
        for event in happening(n):
            monitor.feed(event)
    assert (0.95, "Detected 3x cycle") == classify(monitor.session)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (lambda s: s.turn_count, 4),
        (lambda s: s.tool_call_count, 3),
        (lambda s: s.error_count, 1),
        (lambda s: s.consecutive_errors, 0),
        (lambda s: s.unique_tools_used, frozenset({"Read", "Bash"})),
        (lambda s: s.duration.total_seconds(), 30.0),
        (lambda s: s.tool_frequency(), {"Bash": 1, "Read": 2}),
        (lambda s: s.error_frequency(), {"Error: no": 1}),
        (lambda s: [c.tool_name for c in s.recent_tool_calls(2)], ["Bash", "Read"]),
        (lambda s: [e.message for e in s.recent_errors(5)], ["Error: no"]),
        (lambda s: s.patterns(), {}),
        (lambda s: s.has_pattern("doom_loop"), False),
    ],
)
def test_each_query(query, expected):
    monitor = Monitor()
    words = [read("a", at=10.0), call("Bash", {"command": "x"}, "Error: no", failed=True, at=20.0), read("b", at=40.0)]
    for happening in spelled(words):
        for event in happening:
            monitor.feed(event)
    monitor.feed(events.AgentSpoke(text="done"))
    assert expected == query(monitor.session)
