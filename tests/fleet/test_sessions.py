"""One instance of a fleet without Kafka: events in, messages out, with a dictionary as the store."""

import gc
import weakref

import msgspec
import pytest

from headway import Settings
from headway.core.events import EventError, IterationEnded, RunStarted, Ticked, UserSpoke
from headway.fleet import sessions as module
from headway.fleet.counts import Counts
from headway.fleet.sessions import Sessions, event_for
from headway.fleet.state import SAVED_EVERY, read_head
from headway.fleet.topics import DEAD, FINDINGS, Refused, Seen
from headway.monitor import Monitor
from tests.fleet.traffic import decisions_in, expected, interleaved, raw, sessions


class Shelf(dict):
    """A store in memory for one key."""

    def get_bytes(self, key):
        return self.get(key)

    set_bytes = dict.__setitem__

    def delete(self, key):
        self.pop(key, None)


class Instance:
    """An instance and the store of all keys."""

    def __init__(self, stores=None, most=1_000):
        self.stores, self.counts = {} if stores is None else stores, Counts()
        self.sessions = Sessions(Settings(), most, self.counts)

    def take(self, key, event):
        read = event_for(key.encode(), raw(event))
        return self.sessions.take(read, self.stores.setdefault(key, Shelf()))

    def play(self, pairs):
        return [message for key, event in pairs for message in self.take(key, event)]


@pytest.fixture(scope="module")
def made():
    return sessions(4, 300)


@pytest.fixture(scope="module")
def right(made):
    return expected(made)


def by_session(told):
    found = {}
    for one in decisions_in(told):
        found.setdefault(f"{one.run}/{one.agent}", []).append(one)
    return found


def test_decisions_are_those_of_one_monitor_fed_in_order(made, right):
    instance = Instance()
    told = instance.play(interleaved(made))
    assert right == by_session(told)
    assert min(map(len, right.values())) > 20
    assert 1_200 == instance.counts.taken
    assert 0 == instance.counts.loaded == instance.counts.doubled == instance.counts.missing


@pytest.mark.slow
def test_a_session_can_leave_memory_after_any_event():
    made = sessions(2, 140)
    instance = Instance(most=1)
    assert expected(made) == by_session(instance.play(interleaved(made)))
    assert 278 == instance.counts.loaded


def test_another_instance_goes_on_where_the_first_one_was_killed(made, right):
    pairs = interleaved(made)
    told, stores = [], {}
    for start in range(0, len(pairs), 111):
        told += Instance(stores).play(pairs[start : start + 111])
    assert right == by_session(told)


def test_an_instance_that_gets_a_session_back_does_not_trust_its_memory(made, right):
    (key, events), *_ = made.items()
    stores = {}
    first, second = Instance(stores), Instance(stores)
    told = []
    for place, event in enumerate(events):
        told += (first if place % 40 < 20 else second).take(key, event)
    assert right[key] == decisions_in(told)


def test_every_event_twice_changes_nothing(made, right):
    instance = Instance()
    told = instance.play([pair for pair in interleaved(made) for _ in range(2)])
    assert right == by_session(told)
    assert 1_200 == instance.counts.doubled


def test_what_comes_again_from_the_beginning_changes_nothing(made):
    instance = Instance()
    instance.play(interleaved(made))
    before = {key: dict(store) for key, store in instance.stores.items()}
    assert [] == instance.play(interleaved(made))
    assert before == instance.stores


@pytest.mark.parametrize("distance", [2, 7, 60])
def test_events_out_of_order_wait_for_the_missing_ones(made, right, distance, monkeypatch):
    monkeypatch.setattr(module, "EARLY_SECONDS", 1e9)
    (key, events), *_ = made.items()
    mixed = [event for start in range(0, 300, distance) for event in reversed(events[start : start + distance])]
    instance = Instance()
    assert right[key] == decisions_in(instance.play((key, event) for event in mixed))
    assert 0 == instance.counts.missing < instance.counts.early


def test_early_events_wait_across_a_change_of_instance(made, right):
    (key, events), *_ = made.items()
    stores = {}
    told = Instance(stores).play((key, event) for event in (*events[:10], *events[11:14]))
    told += Instance(stores).play((key, event) for event in (events[12], events[10], *events[14:]))
    assert right[key] == decisions_in(told)


def test_a_missing_event_is_given_up_after_ten_seconds_by_the_times_of_the_events(made):
    (key, events), *_ = made.items()
    instance = Instance()
    instance.play((key, event) for event in events[:10])
    instance.play((key, event) for event in events[11:21])  # times 12 to 21: nine seconds
    assert (10, 10) == (instance.counts.taken, instance.counts.early)
    instance.take(key, events[21])
    assert (21, 1) == (instance.counts.taken, instance.counts.missing)
    assert [] == instance.take(key, events[10])  # too late
    assert 1 == instance.counts.doubled


def test_a_missing_event_is_given_up_when_sixty_four_wait(made):
    (key, events), *_ = made.items()
    timeless = [msgspec.structs.replace(event, at=None) for event in events]
    instance = Instance()
    instance.play((key, event) for event in (*timeless[:10], *timeless[11:74]))
    assert 10 == instance.counts.taken
    instance.take(key, timeless[74])
    assert (74, 1, 0) == (instance.counts.taken, instance.counts.missing, read_head(instance.stores[key]).early)


def test_a_number_far_ahead_is_refused_and_costs_the_session_nothing(made, right):
    (key, events), *_ = made.items()
    wrong = msgspec.structs.replace(events[5], seq=10**15)
    instance = Instance()
    told = instance.play((key, event) for event in (*events[:5], wrong, *events[5:]))
    assert right[key] == decisions_in(one for one in told if one.topic != DEAD)
    (dead,) = (msgspec.json.decode(one.value, type=Refused) for one in told if one.topic == DEAD)
    assert "its number 1000000000000000 is far ahead of the last, 5" == dead.reason
    assert (len(events), 1, 0) == (instance.counts.taken, instance.counts.refused, instance.counts.doubled)


def test_a_session_that_is_first_heard_of_late_may_begin_at_any_number(made):
    (key, events), *_ = made.items()
    late = [msgspec.structs.replace(event, seq=event.seq + 10**9) for event in events]
    instance = Instance()
    instance.play((key, event) for event in late)
    assert (0, len(events)) == (instance.counts.refused, instance.counts.taken)


def test_a_time_in_the_far_future_does_not_hide_that_a_session_begins_again(made):
    """Everything after such a time was earlier than it, so the new beginning counted as doubled, with all its events."""
    (key, events), *_ = made.items()
    future = raw(msgspec.structs.replace(UserSpoke(text="hi"), run=events[0].run, at=1e300))
    instance = Instance()
    instance.play((key, event) for event in events)
    with pytest.raises(EventError, match="up to the year 9999"):
        instance.sessions.take(event_for(key.encode(), future), instance.stores[key])
    later = max(event.at for event in events) + 1
    again = [RunStarted(run=events[0].run, seq=1, at=later), UserSpoke(run=events[0].run, seq=2, at=later, text="hi")]
    instance.play((key, event) for event in again)
    assert (1, 0, len(events) + 2) == (instance.counts.restarted, instance.counts.doubled, instance.counts.taken)


def test_events_without_numbers_are_taken_in_as_they_come(made, right):
    (key, events), *_ = made.items()
    told = Instance().play((key, msgspec.structs.replace(event, seq=None)) for event in events)
    without_ids = [msgspec.structs.replace(one, id="") for one in decisions_in(told)]
    assert [msgspec.structs.replace(one, id="") for one in right[key]] == without_ids


def test_a_session_that_is_numbered_from_one_again_starts_again(made, right):
    (key, events), *_ = made.items()
    start = RunStarted(run=events[0].run, seq=1, at=2e9)
    again = [msgspec.structs.replace(event, seq=event.seq + 1, at=event.at + 1e9) for event in events]
    instance = Instance()
    before = instance.play((key, event) for event in events)
    told = instance.play((key, event) for event in (start, *again, start))
    assert not {one.id for one in decisions_in(before)} & {one.id for one in decisions_in(told)}
    assert [(one.action, one.message) for one in right[key]] == [
        (one.action, one.message) for one in decisions_in(told)
    ]
    assert (601, 1, 1) == (instance.counts.taken, instance.counts.restarted, instance.counts.doubled)


def test_a_tick_shows_that_a_run_is_silent_and_releases_what_waits(made):
    (key, events), *_ = made.items()
    instance = Instance()
    instance.play((key, event) for event in (*events[:10], events[11]))
    assert 10 == instance.counts.taken
    told = instance.take(key, Ticked(run=events[0].run, at=events[11].at + 900))
    assert (12, 1) == (instance.counts.taken, instance.counts.missing)
    assert ["silent_run"] == [one.reason for one in decisions_in(told)]
    again = instance.take(key, Ticked(run=events[0].run, at=events[11].at + 1_800))
    assert [] == decisions_in(again)


def test_the_store_of_a_session_stays_small(made):
    (key, events), *_ = made.items()
    instance = Instance()
    instance.play((key, event) for event in events)
    assert len(instance.stores[key]) <= SAVED_EVERY + 3


def test_a_large_monitor_is_stored_in_parts():
    instance = Instance()
    for seq in range(1, SAVED_EVERY - 1):
        instance.take("r/", UserSpoke(run="r", seq=seq))
    for seq, output in ((SAVED_EVERY - 1, "a line\n" * 70_000), (SAVED_EVERY, "another line\n" * 50_000)):
        instance.take("r/", IterationEnded(run="r", seq=seq, output=output))
    store = instance.stores["r/"]
    assert read_head(store).parts >= 2
    assert max(map(len, store.values())) < 1_000_000
    again = Instance(instance.stores)
    again.take("r/", UserSpoke(run="r", seq=SAVED_EVERY + 1))
    assert (1, 0) == (again.counts.loaded, again.counts.unreadable)
    for seq in range(SAVED_EVERY + 2, 2 * SAVED_EVERY + 1):
        again.take(
            "r/", IterationEnded(run="r", seq=seq, output="short") if seq % 64 == 0 else UserSpoke(run="r", seq=seq)
        )
    assert 1 == read_head(store).parts
    assert "saved:1" not in store


def test_state_that_cannot_be_read_is_counted_and_the_session_goes_on(made):
    (key, events), *_ = made.items()
    instance = Instance()
    instance.play((key, event) for event in events[:200])
    instance.stores[key]["saved:0"] = b"\x81\xa6format\x63"
    later = Instance(instance.stores)
    later.play((key, event) for event in events[200:])
    assert (1, 100) == (later.counts.unreadable, later.counts.taken)


def test_state_of_an_older_headway_is_read(made):
    from pathlib import Path

    saved = (Path(__file__).parents[1] / "core" / "saved_in_format_1.msgpack").read_bytes()
    run, steps = Monitor.load(saved).session.run, Monitor.load(saved).session.step_count
    from headway.fleet.state import Head, write_head

    store = Shelf({"saved:0": saved})
    write_head(store, Head(taken=9, parts=1))
    instance = Instance({f"{run or 'r'}/": store})
    instance.take(f"{run or 'r'}/", UserSpoke(run=run or "r", seq=1))
    assert (1, 0) == (instance.counts.loaded, instance.counts.unreadable)
    assert steps > 0


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        (b"r/", b"{", "not a Headway event"),
        (b"r/", b"\xff\xfe", "not a Headway event"),
        (b"r/", None, "the message is empty"),
        (b"r/", b'{"type":"user_spoke","run":"r","seq":123456789012345678901234567890}', "too large to be stored"),
        (b"r/", b'{"type":"tool_returned","call":"1","run":"r","exit_code":-99999999999999999999}', "too large"),
        (b"r/", b'{"type":"no_such","run":"r"}', "not a Headway event"),
        (b"r/", b'{"type":"user_spoke"}', "has no run"),
        (b"r/", b'{"type":"user_spoke","run":"r","seq":0}', "seq must be 1 or more, not 0"),
        (b"r/", b'{"type":"user_spoke","run":"r","seq":-5}', "seq must be 1 or more, not -5"),
        (b"r/", b'{"type":"user_spoke","run":"r","at":1e300}', "up to the year 9999, not 1e"),
        (b"r/", b'{"type":"user_spoke","run":"r","at":-1e300}', "up to the year 9999, not -1e"),
        (b"other/", b'{"type":"user_spoke","run":"r"}', "the key must be 'r/'"),
        (None, b'{"type":"user_spoke","run":"r"}', "not no key"),
        (b"r/", b'{"type":"user_spoke","run":"\\ud800"}', "not a Headway event"),
        (b"\xff", b'{"type":"user_spoke","run":"r"}', "the key must be 'r/'"),
    ],
)
def test_what_is_no_event_is_refused_with_a_reason(key, value, reason):
    with pytest.raises(EventError, match=reason):
        event_for(key, value)


def test_an_event_that_the_monitor_refuses_does_not_hold_up_the_next():
    instance = Instance()
    (message,) = instance.take("r/", IterationEnded(run="r", seq=1, based_on=7))
    assert DEAD == message.topic
    assert "no such round" in msgspec.json.decode(message.value, type=Refused).reason
    instance.take("r/", UserSpoke(run="r", seq=2))
    assert (1, 1) == (instance.counts.refused, instance.counts.taken)


def test_findings_have_ids_of_their_own(made):
    instance = Instance()
    told = [one for one in instance.play(interleaved(made)) if one.topic == FINDINGS]
    found = [msgspec.json.decode(one.value, type=Seen) for one in told]
    assert len(found) == len({one.id for one in found}) == instance.counts.findings > 20


def test_counters_in_the_format_of_prometheus(made):
    instance = Instance()
    instance.play(interleaved(made))
    lines = instance.counts.text().splitlines()
    assert "headway_fleet_taken_total 1200" in lines
    assert any(line.startswith('headway_fleet_decisions_total{action="nudge"} ') for line in lines)
    assert "headway_fleet_sessions 4" in lines


def test_a_session_that_leaves_memory_needs_no_garbage_collector(made):
    """`headway fleet` runs full collections rarely."""
    (key, events), (other, others), *_ = made.items()
    gc.collect()
    gc.disable()
    try:
        instance = Instance(most=1)
        instance.play((key, event) for event in events[:100])
        watched = weakref.ref(instance.sessions._live[key].monitor)
        assert watched() is not None
        instance.take(other, others[0])
        assert watched() is None
    finally:
        gc.enable()
