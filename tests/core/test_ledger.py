from headway import Finding, Severity
from headway.core.ledger import Ledger


def finding(identity="a", severity=Severity.MEDIUM, detector="d"):
    return Finding(detector=detector, severity=severity, confidence=0.5, message="m", identity=identity)


def test_the_first_time_is_news_and_the_second_is_not():
    ledger = Ledger()
    assert [True, False, False] == [ledger.record(finding(), step, None) for step in (1, 2, 3)]
    entry = ledger.entries["d:a"]
    assert (entry.first_step, entry.last_step, entry.occurrences) == (1, 3, 3)


def test_it_is_news_again_after_it_was_gone():
    ledger = Ledger(active_for=10)
    ledger.record(finding(), 1, None)
    assert not ledger.record(finding(), 10, None)
    assert ledger.record(finding(), 20, None)


def test_it_is_news_when_it_gets_worse():
    ledger = Ledger()
    ledger.record(finding(severity=Severity.LOW), 1, None)
    assert ledger.record(finding(severity=Severity.HIGH), 2, None)


def test_another_identity_is_another_entry():
    ledger = Ledger()
    assert all(ledger.record(finding(identity), 1, None) for identity in "abc")


def test_a_turn_closes_everything():
    ledger = Ledger()
    ledger.record(finding(), 1, None)
    ledger.nudged([finding()], 1)
    ledger.close_turn()

    assert [] == ledger.active(1)
    assert ledger.record(finding(), 2, None)
    assert ledger.entries["d:a"].nudged_at is None


def test_active_are_those_seen_lately_oldest_first():
    ledger = Ledger(active_for=5)
    for step, identity in enumerate("abc", 1):
        ledger.record(finding(identity), step, None)
    ledger.record(finding("a"), 6, None)

    assert ["c", "a"] == [entry.finding.identity for entry in ledger.active(7)]


def test_it_never_holds_more_than_its_limit():
    ledger = Ledger(limit=10)
    for step in range(1000):
        ledger.record(finding(str(step)), step, None)
    assert [str(n) for n in range(990, 1000)] == [entry.finding.identity for entry in ledger.entries.values()]


def test_being_seen_after_the_nudge_is_counted():
    ledger = Ledger()
    ledger.record(finding(), 1, None)
    ledger.nudged([finding()], 1)
    for step in (2, 3):
        ledger.record(finding(), step, None)
    assert 2 == ledger.entries["d:a"].since_nudge


def test_what_one_detector_told_counts_for_all():
    ledger = Ledger()
    one, other = finding("call:1", detector="one"), finding("call:1", detector="other")
    ledger.record(one, 1, None)
    ledger.nudged([one], 1)
    ledger.record(other, 2, None)
    ledger.record(finding("call:2", detector="other"), 2, None)
    assert 2 == ledger.entries["other:call:1"].nudged_at
    assert ledger.entries["other:call:2"].nudged_at is None


def test_what_lapsed_is_forgiven():
    ledger = Ledger(active_for=5)
    ledger.record(finding(), 1, None)
    ledger.nudged([finding()], 1)
    ledger.record(finding(), 20, None)
    assert (None, 0) == (ledger.entries["d:a"].nudged_at, ledger.entries["d:a"].since_nudge)


def test_a_call_that_was_asked_for_before_the_nudge_could_not_heed_it():
    ledger = Ledger()
    ledger.record(finding(), 1, None)
    ledger.nudged([finding()], 1, call=5)
    counts = []
    for step, call in enumerate((4, 5, 6, 7), 2):
        ledger.record(finding(), step, None, call=call)
        counts.append(ledger.entries["d:a"].since_nudge)
    assert [0, 0, 1, 2] == counts


def test_seeing_it_again_does_not_move_its_nudge():
    ledger, loop = Ledger(), finding("call:1")
    ledger.record(loop, 1, None)
    ledger.nudged([loop], 1)
    ledger.record(loop, 3, None)
    assert 1 == ledger.entries["d:call:1"].nudged_at


def used_up():
    """A ledger in which everything was done about one finding."""
    ledger = Ledger(active_for=5)
    ledger.record(finding(), 1, None)
    ledger.nudged([finding()], 1)
    ledger.refused([finding()])
    ledger.rolled_back([finding()])
    ledger.record(finding(), 2, None)
    entry = ledger.entries["d:a"]
    assert (1, 1, 1, 1) == (entry.nudged_at, entry.since_nudge, entry.refusals, entry.rollbacks)
    assert (1, 1, Severity.MEDIUM.rank) == (ledger.nudges, ledger.last_nudge, ledger.last_rank)
    return ledger, entry


def test_a_turn_and_a_lapse_begin_the_ladder_anew():
    for later in (Ledger.close_turn, lambda ledger: ledger.record(finding(), 7, None)):
        ledger, entry = used_up()
        later(ledger)
        assert (None, 0, 0, 0) == (entry.nudged_at, entry.since_nudge, entry.refusals, entry.rollbacks)


def test_a_turn_has_its_own_nudges():
    ledger, _ = used_up()
    ledger.close_turn()
    assert (0, None, 0) == (ledger.nudges, ledger.last_nudge, ledger.last_rank)


def test_going_forward_forgives_rollbacks_and_nothing_else():
    ledger, entry = used_up()
    ledger.forgive_rollbacks()
    assert (1, 1, 1, 0) == (entry.nudged_at, entry.since_nudge, entry.refusals, entry.rollbacks)
