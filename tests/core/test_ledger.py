import msgspec

from headway import Finding, Severity
from headway.core.ledger import Clock, Ledger


def finding(identity="a", severity=Severity.MEDIUM, detector="d"):
    return Finding(detector=detector, severity=severity, confidence=0.5, message="m", identity=identity)


def test_what_is_seen_again_stays_one_entry():
    ledger = Ledger()
    for step in (1, 2, 3):
        ledger.record(finding(), Clock(step=step))
    entry = ledger.entries["d:a"]
    assert (entry.first_step, entry.last_step, entry.occurrences) == (1, 3, 3)


def test_it_is_active_for_some_steps_and_again_when_it_comes_back():
    ledger = Ledger(active_for=10)
    ledger.record(finding(), Clock(step=1))
    assert [True, False] == [bool(ledger.active(Clock(step=step))) for step in (10, 11)]
    ledger.record(finding(), Clock(step=20))
    assert ledger.active(Clock(step=20))


def test_the_latest_severity_counts():
    ledger = Ledger()
    for severity in (Severity.LOW, Severity.HIGH):
        ledger.record(finding(severity=severity), Clock(step=1))
    assert Severity.HIGH is ledger.entries["d:a"].finding.severity


def test_another_identity_is_another_entry():
    ledger = Ledger()
    for identity in "abc":
        ledger.record(finding(identity), Clock(step=1))
    assert ["d:a", "d:b", "d:c"] == list(ledger.entries)


def test_a_turn_closes_everything():
    ledger = Ledger()
    ledger.record(finding(), Clock(step=1))
    ledger.mark_nudged([finding()], 1)
    ledger.close_turn()

    assert [] == ledger.active(Clock(step=1))
    ledger.record(finding(), Clock(step=2))
    assert ledger.active(Clock(step=2)) and ledger.entries["d:a"].nudged_at is None


def test_active_are_those_seen_lately_oldest_first():
    ledger = Ledger(active_for=5)
    for step, identity in enumerate("abc", 1):
        ledger.record(finding(identity), Clock(step=step))
    ledger.record(finding("a"), Clock(step=6))

    assert ["c", "a"] == [entry.finding.identity for entry in ledger.active(Clock(step=7))]


def test_it_never_holds_more_than_its_limit():
    ledger = Ledger(limit=10)
    for step in range(1000):
        ledger.record(finding(str(step)), Clock(step=step))
    assert [str(n) for n in range(990, 1000)] == [entry.finding.identity for entry in ledger.entries.values()]


def test_being_seen_after_the_nudge_is_counted():
    ledger = Ledger()
    ledger.record(finding(), Clock(step=1))
    ledger.mark_nudged([finding()], 1)
    for step in (2, 3):
        ledger.record(finding(), Clock(step=step))
    assert 2 == ledger.entries["d:a"].since_nudge


def test_what_one_detector_told_counts_for_all():
    ledger = Ledger()
    one, other = finding("call:1", detector="one"), finding("call:1", detector="other")
    ledger.record(one, Clock(step=1))
    ledger.mark_nudged([one], 1)
    ledger.record(other, Clock(step=2))
    ledger.record(finding("call:2", detector="other"), Clock(step=2))
    assert 2 == ledger.entries["other:call:1"].nudged_at
    assert ledger.entries["other:call:2"].nudged_at is None


def test_what_lapsed_is_forgiven():
    ledger = Ledger(active_for=5)
    ledger.record(finding(), Clock(step=1))
    ledger.mark_nudged([finding()], 1)
    ledger.record(finding(), Clock(step=20))
    assert (None, 0) == (ledger.entries["d:a"].nudged_at, ledger.entries["d:a"].since_nudge)


def test_a_call_that_was_asked_for_before_the_nudge_could_not_heed_it():
    ledger = Ledger()
    ledger.record(finding(), Clock(step=1))
    ledger.mark_nudged([finding()], 1, call=5)
    counts = []
    for step, call in enumerate((4, 5, 6, 7), 2):
        ledger.record(finding(), Clock(step=step), call=call)
        counts.append(ledger.entries["d:a"].since_nudge)
    assert [0, 0, 1, 2] == counts


def test_seeing_it_again_does_not_move_its_nudge():
    ledger, loop = Ledger(), finding("call:1")
    ledger.record(loop, Clock(step=1))
    ledger.mark_nudged([loop], 1)
    ledger.record(loop, Clock(step=3))
    assert 1 == ledger.entries["d:call:1"].nudged_at


def used_up():
    """A ledger in which everything was done about one finding."""
    ledger = Ledger(active_for=5)
    ledger.record(finding(), Clock(step=1))
    ledger.mark_nudged([finding()], 1)
    ledger.mark_refused([finding()])
    ledger.mark_rolled_back([finding()])
    ledger.record(finding(), Clock(step=2))
    entry = ledger.entries["d:a"]
    assert (1, 1, 1, 1) == (entry.nudged_at, entry.since_nudge, entry.refusals, entry.rollbacks)
    assert (1, 1, Severity.MEDIUM.rank) == (ledger.nudges, ledger.last_nudge, ledger.last_rank)
    return ledger, entry


def test_a_turn_and_a_lapse_begin_the_ladder_anew():
    for later in (Ledger.close_turn, lambda ledger: ledger.record(finding(), Clock(step=7))):
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


def test_a_finding_about_a_round_lives_in_rounds_however_many_steps_a_round_has():
    ledger = Ledger(active_for=10)
    of_a_round = finding()
    of_a_round = msgspec.structs.replace(of_a_round, unit="round")
    ledger.record(of_a_round, Clock(step=15, round=1))

    assert ledger.active(Clock(step=400, round=10))
    assert not ledger.active(Clock(step=401, round=11))


def test_a_new_turn_leaves_findings_about_rounds_as_they_are():
    ledger = Ledger()
    of_a_round = msgspec.structs.replace(finding(), unit="round")
    ledger.record(of_a_round, Clock(round=1))
    ledger.close_turn()

    assert 1 == len(ledger.active(Clock(step=50, round=2)))


def test_a_loop_of_many_calls_is_known_for_two_of_its_rounds():
    ledger = Ledger(active_for=10)
    circle = msgspec.structs.replace(finding(), repeats=tuple(range(6)))
    ledger.record(circle, Clock(step=18))

    assert [True, False] == [bool(ledger.active(Clock(step=step))) for step in (18 + 12, 18 + 13)]


def test_what_was_told_before_a_compaction_is_told_again_first():
    ledger = Ledger()
    ledger.record(finding(), Clock(step=3))
    ledger.mark_nudged([finding()], 3)
    ledger.mark_refused([finding()])

    ledger.note_compaction()

    entry = ledger.entries["d:a"]
    assert (None, 0, 0, {}) == (entry.nudged_at, entry.since_nudge, entry.refusals, ledger.told)
    assert [entry] == ledger.active(Clock(step=4)), "it was seen all the same"
