"""A weak sign is recorded at its first threshold, and told once at its second."""

import pytest

from headway import Detector, Finding, Monitor, Severity, state
from headway.detectors import built_in


class Weak(Detector):
    """Counts calls, and is never a reason to speak by itself."""

    severity: Severity = Severity.LOW
    worth_saying = 20
    clears = "Look elsewhere."
    count: int = state(0)

    def on_step(self, step, session):
        self.count += 1
        yield self.finding(f"{self.count} calls.", identity="stall:weak", lasted=self.count)


class High(Weak):
    """The same, as a reason to speak."""

    severity: Severity = Severity.HIGH


def actions(monitor, count, first=0):
    said = []
    for n in range(first, first + count):
        before = monitor.called("Grep", {"pattern": f"p{n}"}, call=f"{n}")
        after = monitor.returned(f"{n}", output=f"a.py:{n}: found")
        said += [(n + 1, str(one.action)) for one in (before, after) if one.action != "continue"]
    return said


def monitor_of(detector, **policy):
    return Monitor(detectors=[detector], only=True, settings={"policy": policy} if policy else None)


def test_told_at_its_length_and_nothing_follows():
    assert [(20, "nudge")] == actions(monitor_of(Weak()), 120)


def test_what_is_only_recorded_is_told_too():
    assert [(20, "nudge")] == actions(monitor_of(High(), only_recorded=["high"]), 120)


def test_what_speaks_at_its_first_threshold_is_not_told_again():
    assert [(3, "nudge")] == [said for said in actions(monitor_of(High()), 60) if said[1] == "nudge"]


@pytest.mark.parametrize("policy", [{"muted": ["weak"]}, {"mode": "observe", "muted": ["weak"]}])
def test_who_wants_silence_gets_it(policy):
    assert [] == actions(monitor_of(Weak(), **policy), 60)


def test_a_new_request_may_be_told_again():
    monitor = monitor_of(Weak())
    assert [(20, "nudge")] == actions(monitor, 40)
    monitor.user_spoke("and now the other half")
    assert [(41, "nudge")] == actions(monitor, 40, 40)


def test_it_is_told_the_same_after_a_cut():
    whole, first = monitor_of(Weak()), monitor_of(Weak())
    actions(first, 12)
    resumed = Monitor.load(first.save(), detectors=[Weak()], only=True)
    assert [step for step, _ in actions(whole, 60)] == [step for step, _ in actions(resumed, 48, 12)]


def test_the_same_seen_by_another_detector_is_not_held_against_the_agent():
    monitor = monitor_of(Weak())
    actions(monitor, 40)
    assert {} == monitor.session.ledger.told


def test_an_old_finding_has_no_length():
    old = Finding(detector="weak", severity=Severity.LOW, confidence=0.8, message="3 calls.")
    assert (0, False) == (old.lasted, old.worth_saying)


def test_below_its_length_a_finding_is_what_its_author_made_it():
    short, long = Weak().finding("19 calls.", lasted=19), Weak().finding("20 calls.", lasted=20)
    assert (False, False) == (short.worth_saying, short.advisory)
    assert (True, True) == (long.worth_saying, long.advisory)


def test_second_thresholds_are_far_above_the_first():
    for name, kind in built_in().items():
        limit = getattr(kind, "limit", 0)
        assert kind.worth_saying == 0 or name == "idle_calls" or kind.worth_saying > limit
