"""`headway fleet` on a real broker: `make e2e-fleet`."""

import shutil

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
    from tests.fleet.instance import decided, make_topics, send, wait_until

    made = sessions(40, 250)
    right = expected(made)
    pairs = interleaved(made)
    make_topics(broker.address, 4)
    first, second = (instances(broker.address, name) for name in ("first", "second"))
    send(broker.address, pairs[:4_000])
    wait_until(lambda: first.counted("taken") > 500 and second.counted("taken") > 500, "both instances work")
    first.kill()
    shutil.rmtree(tmp_path / "first")
    send(broker.address, pairs[4_000:7_000])
    first = instances(broker.address, "first")
    wait_until(lambda: first.counted("taken") > 100, "the first instance works again")
    second.kill()
    shutil.rmtree(tmp_path / "second")
    third = instances(broker.address, "third")
    send(broker.address, pairs[7_000:])
    found = decided(broker.address, sum(map(len, right.values())))
    assert right == found
    assert first.counted("loaded") + third.counted("loaded") > 0
