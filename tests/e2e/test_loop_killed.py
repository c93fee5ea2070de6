"""The long run of what `tests/loop/test_durability.py` does in short."""

import pytest

from tests.loop.killing import kill_many

pytestmark = pytest.mark.e2e


def test_killed_at_fifty_random_moments(tmp_path):
    victim = kill_many(tmp_path, seed=50, times=50)
    assert 50 == victim.kills and victim.loops >= 1
    # the first moments of a loop, and those between two rounds, are too short to aim at
    assert {"round_began", "agent_ended"} <= victim.phases
