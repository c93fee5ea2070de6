"""`headway fleet` on a real broker: `make e2e-fleet`."""

import shutil

import msgspec
import pytest

from tests.fleet.traffic import expected, interleaved, sessions

pytestmark = pytest.mark.fleet


@pytest.fixture
def instances(tmp_path):
    """Start instances by name; each has a state folder of its own."""
    from tests.fleet.instance import Instance

    running = []

    def start(address, name, *options):
        running.append(Instance(address, tmp_path / name, *options))
        return running[-1]

    yield start
    for one in running:
        one.process.kill()
        one.process.wait()


def test_kills_and_lost_state_change_no_decision(broker, instances, tmp_path):
    from tests.fleet.instance import decided, send, send_until

    made = sessions(40, 250)
    right = expected(made)
    pairs = interleaved(made)
    broker.make_topics(4)
    first, second = (instances(broker.address, name) for name in ("first", "second"))
    both = lambda: min(first.counted("taken"), second.counted("taken")) > 100  # noqa: E731
    sent = send_until(broker.address, pairs, 0, both, "both instances work")
    first.kill()
    shutil.rmtree(tmp_path / "first")
    first = instances(broker.address, "first")
    sent = send_until(broker.address, pairs, sent, lambda: first.counted("taken") > 100, "the first works again")
    second.kill()
    shutil.rmtree(tmp_path / "second")
    third = instances(broker.address, "third")
    send(broker.address, pairs[sent:])
    found = decided(broker.address, sum(map(len, right.values())))
    assert right == found
    assert first.counted("loaded") + third.counted("loaded") > 0


def untidy(pairs):
    """Each two neighbours of a session change places, and every fifth event comes again later."""
    late, seen = [], {}
    for number, (key, event) in enumerate(pairs):
        held = seen.pop(key, None)
        if held is None and event.seq % 2:
            seen[key] = event
        else:
            yield from ((key, one) for one in (event, held) if one is not None)
        if number % 5 == 0:
            late.append((key, event))
        if len(late) > 50:
            yield late.pop(0)
    yield from ((key, event) for key, event in seen.items())
    yield from late


POISON = [
    (b"run-0/", b"{"),
    (b"run-0/", b"\xff\xfe\x00"),
    (b"run-0/", None),
    (None, b'{"type":"user_spoke","run":"run-0"}'),
    (b"", b'{"type":"user_spoke","run":"run-0"}'),
    (b"run-1/", b'{"type":"user_spoke","run":"run-0","seq":1}'),
    (b"run-0/", b'{"type":"user_spoke","run":"run-0","seq":"one"}'),
    (b"run-0/", b'{"type":"no_such_event","run":"run-0"}'),
    (b"run-0/", b"[" * 100_000),
]


def test_untidy_events_poison_and_a_growing_group_change_no_decision(broker, instances):
    from confluent_kafka import Producer

    from headway.fleet.topics import DEAD, EVENTS, Refused
    from tests.fleet.instance import decided, received, send, send_until, wait_until

    made = sessions(20, 200)
    right = expected(made)
    pairs = list(untidy(interleaved(made)))
    assert len(pairs) > 4_500
    broker.make_topics(4)
    first = instances(broker.address, "first")
    send(broker.address, pairs[:1_500])
    poison = Producer({"bootstrap.servers": broker.address})
    for key, value in POISON:
        poison.produce(EVENTS, value, key)
    assert 0 == poison.flush(60)
    wait_until(lambda: first.counted("taken") > 1_000, "the first instance works")
    second = instances(broker.address, "second")
    sent = send_until(broker.address, pairs, 1_500, lambda: second.counted("taken") > 100, "the second works")
    assert 0 == first.end()
    send(broker.address, pairs[sent:])
    assert right == decided(broker.address, sum(map(len, right.values())))
    dead = [msgspec.json.decode(value, type=Refused) for value in received(broker.address, DEAD, enough=len(POISON))]
    assert len(POISON) == len(dead)
    assert all(one.reason and one.offset is not None for one in dead)
    assert second.counted("doubled") > 100 and second.counted("early") > 100
    assert 0 == second.counted("missing")
    assert 0 == second.end()
