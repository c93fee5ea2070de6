"""What must hold for every detector, whatever the stream.

Every detector, alone and together, is played every recording and streams that Hypothesis invents: it must be
deterministic, leave the session alone, keep its memory bounded, and find the same after being saved and loaded.
"""

import logging
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headway import Monitor
from headway.core import events
from headway.core.limits import Sizes
from headway.detectors import built_in
from headway.readers import read
from headway.sources import sources_in
from tests.conftest import examples
from tests.provocations import LIMITS, PROVOCATIONS
from tests.streams import engine_of, spelled

HERE = Path(__file__).parent
RECORDINGS = {
    Path(source.name).stem: list(read(source))
    for folder in (HERE / "recordings", HERE.parent / "examples" / "recordings")
    for source in sources_in(folder)
}
DETECTORS = list(built_in().values())

each_detector = pytest.mark.parametrize("kind", DETECTORS, ids=lambda kind: kind.id)
each_recording = pytest.mark.parametrize("stream", RECORDINGS.values(), ids=RECORDINGS)

# Streams with few different parts, so that repeats, edits, compactions and oddities really meet each other.
TOOLS = st.sampled_from(["Read", "Grep", "Edit", "Bash", "Write", "TodoWrite", "AskUserQuestion", "odd", ""])
ARGS = st.sampled_from(
    [
        {},
        {"file_path": "src/a.py"},
        {"file_path": "src/a.py", "offset": 1, "limit": 40},
        {"file_path": "docs/b.md", "old_string": "a", "new_string": "b"},
        {"file_path": "docs/b.md", "old_string": "b", "new_string": "a"},
        {"pattern": "x", "path": "lib"},
        {"command": "pytest -q"},
        {"command": "sleep 5; cat log"},
        {"command": "cat src/a.py && grep -n x lib/c.py"},
        {"question": "Shall I go on with this?"},
    ]
)
OUTPUTS = st.sampled_from(
    ["", "a\nb\nc", "Error: it broke", "No matches found", "1 failed in 0.3s", "1 failed in 0.7s", "\udcff"]
)
IDS = st.sampled_from(["1", "2", "3"])
TIMES = st.none() | st.floats(-10, 1e6, allow_nan=False)
EVENTS = st.one_of(
    st.builds(events.ToolCalled, call=IDS, tool=TOOLS, args=ARGS, batch=st.none() | st.just("b"), at=TIMES),
    st.builds(events.ToolReturned, call=IDS, output=OUTPUTS, failed=st.none() | st.booleans(), at=TIMES),
    st.builds(events.AgentSpoke, text=st.sampled_from(["", "Shall I really go on with this?", "hm"])),
    st.builds(events.UserSpoke, text=st.text(max_size=5)),
    st.builds(events.Advised, tool=st.none() | TOOLS),
    st.builds(events.ContextCompacted),
    st.builds(events.Used, tokens_in=st.integers(0, 9)),
    st.builds(events.IterationEnded, output=OUTPUTS),
    st.builds(events.Stopped),
)
PAIRS = st.tuples(TOOLS, ARGS, OUTPUTS).map(
    lambda parts: [
        events.ToolCalled(call="p", tool=parts[0], args=parts[1]),
        events.ToolReturned(call="p", output=parts[2]),
    ]
)
STREAMS = st.lists(PAIRS | EVENTS.map(lambda event: [event]), max_size=60).map(lambda parts: sum(parts, []))


def findings(engine, stream):
    return [engine.feed(event).findings for event in stream]


def test_there_are_recordings_and_detectors_to_test():
    assert len(RECORDINGS) >= 6
    assert len(DETECTORS) >= 12


@each_detector
def test_same_events_same_findings(kind):
    for stream in RECORDINGS.values():
        assert findings(engine_of(kind()), stream) == findings(engine_of(kind()), stream)


@each_detector
def test_the_session_is_left_alone(kind):
    """A session watched by a detector is the same as one that nobody watches, its ledger aside."""
    for stream in RECORDINGS.values():
        watched, alone = engine_of(kind()), engine_of()
        findings(watched, stream)
        findings(alone, stream)
        watched.session.ledger = alone.session.ledger
        assert msgspec.to_builtins(watched.session) == msgspec.to_builtins(alone.session)


@each_recording
def test_cut_anywhere_saved_and_loaded_it_finds_the_same(stream):
    whole = Monitor()
    expected = [whole.feed(event) for event in stream]
    for cut in range(0, len(stream), max(1, len(stream) // 12)):
        before = Monitor()
        for event in stream[:cut]:
            before.feed(event)
        after = Monitor.load(before.save())
        assert expected[cut:] == [after.feed(event) for event in stream[cut:]]


@settings(max_examples=examples(150), deadline=None)
@given(STREAMS, st.data())
def test_no_stream_breaks_it_and_every_cut_is_seamless(stream, data):
    whole, again = Monitor(), Monitor()
    cut = data.draw(st.integers(0, len(stream)))
    expected = [whole.feed(event) for event in stream]
    first = [again.feed(event) for event in stream[:cut]]
    again = Monitor.load(again.save())

    assert expected == first + [again.feed(event) for event in stream[cut:]]
    assert whole.save() == again.save()


@settings(max_examples=examples(60), deadline=None)
@given(STREAMS)
def test_faults_would_be_seen(stream):
    """Faults inside Headway are swallowed and logged; here nothing may be logged."""
    records: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = records.append
    log = logging.getLogger("headway")
    log.addHandler(handler)
    try:
        monitor = Monitor()
        for event in stream:
            monitor.feed(event)
    finally:
        log.removeHandler(handler)
    assert [] == records


@settings(max_examples=examples(60), deadline=None)
@given(STREAMS)
def test_every_call_and_result_is_accounted_for(stream):
    """Nothing is lost: each result is a step or known to be a repeat, each call waits, came back or was let go."""
    monitor = Monitor()
    for event in stream:
        monitor.feed(event)
    session, pairing = monitor.session, monitor.session.pairing
    results = sum(isinstance(event, events.ToolReturned) for event in stream)

    assert results == session.step_count + pairing.results_repeated
    answered = session.step_count - pairing.results_without_call
    seen_calls = session.tool_call_count - pairing.results_without_call
    assert seen_calls == answered + len(pairing.waiting) + pairing.calls_without_result


@pytest.fixture(scope="module")
def sizes():
    """What each detector and the session remember after 2,000 and after 3,000 different steps, in bytes."""
    engine = engine_of(*(kind() for kind in DETECTORS))
    found = {name: [] for name in ("session", *built_in())}
    for n in range(3_000):
        id = str(n)
        engine.feed(events.Advised(text="x", tool=f"tool{n}"))
        engine.feed(events.AgentSpoke(text=f"Is number {n} the one that is asked for here?"))
        args = {"file_path": f"d{n % 300}/{n}.py", "old_string": str(n), "new_string": str(n + 1)}
        engine.feed(events.ToolCalled(call=id, tool=("Edit", "Read", "Grep", f"t{n}")[n % 4], args=args))
        engine.feed(events.ToolReturned(call=id, output=f"out {n}" * 20, failed=n % 3 == 0))
        if n in (2_000, 2_999):
            found["session"].append(len(msgspec.msgpack.encode(engine.session)))
            for detector in engine.detectors:
                found[detector.id].append(len(msgspec.msgpack.encode(detector.save())))
    return found


@pytest.mark.parametrize("name", ["session", *built_in()])
def test_memory_is_bounded(name, sizes):
    """What a detector or the session remembers stops growing, however different the events are."""
    before, after = sizes[name]
    assert after < before * 1.05 + 8  # a counter may need another byte


def test_every_detector_has_a_provocation():
    assert set(built_in()) == set(PROVOCATIONS)


@each_detector
@settings(max_examples=examples(40), deadline=None)
@given(data=st.data())
def test_no_setting_makes_a_threshold_unreachable_in_silence(kind, data):
    """Design, 22: a threshold that cannot be reached inside its own window is a bug."""
    numbers = [name for name in kind.setting_names() if type(getattr(kind, name)) is int]
    detector = kind(**{name: data.draw(st.integers(1, 40), label=name) for name in numbers})
    sizes = Sizes(window_size=data.draw(st.integers(5, 60), label="window_size"))
    refused = detector.settings_error(sizes)

    engine = engine_of(detector, sizes=sizes, limits=LIMITS, targets=("goal.py",))
    stream = [event for happening in spelled(PROVOCATIONS[kind.id](detector)) for event in happening]
    heard = {finding.detector for found in findings(engine, stream) for finding in found}
    assert refused or kind.id in heard
