import pytest

from headway import Detector, Finding, Measurements, Monitor, Severity
from headway.core import events
from headway.core.iteration import Deltas, Iteration, Score
from headway.core.ledger import Clock
from headway.core.notes import Scored
from headway.core.session import Session
from headway.policy import Ladder, Policy

LOW, MEDIUM, HIGH, CRITICAL = Severity


def finding(detector, severity, identity=None, confidence=0.8, **more):
    return Finding(
        detector=detector,
        severity=severity,
        confidence=confidence,
        message=f"{detector} speaks.",
        identity=detector if identity is None else identity,
        **more,
    )


def decided(*findings, told=(), steps_ago=0, ladder=None, ended_round=None, **session):
    """What the policy says when findings are seen at this event (or were seen some steps ago)."""
    memory = Session(**{"step_count": 20, "event_count": 40, **session})
    if ended_round is not None:
        memory.apply(Scored(ended_round))
    for one in findings:
        memory.ledger.record(one, Clock(step=20 - steps_ago, event=40 if not steps_ago else 10))
    if told:
        memory.ledger.mark_nudged(told, 10)
    return Policy(ladder or Ladder())(memory, events.IterationEnded() if ended_round else events.Used())


@pytest.mark.parametrize(
    ("findings", "action"),
    [
        ([], "continue"),
        ([("a", LOW)], "continue"),
        ([("a", LOW), ("b", LOW), ("c", LOW)], "continue"),
        ([("a", MEDIUM)], "continue"),
        ([("a", MEDIUM), ("b", LOW)], "continue"),
        ([("a", MEDIUM), ("b", MEDIUM)], "nudge"),
        ([("a", HIGH)], "nudge"),
        ([("a", CRITICAL)], "nudge"),
    ],
)
def test_severity_decides(findings, action):
    """Seed 000: high at once, two mediums together, low never."""
    assert action == decided(*(finding(*one) for one in findings)).action


def test_two_findings_of_one_detector_are_one_signal():
    assert "continue" == decided(finding("a", MEDIUM, "x"), finding("a", MEDIUM, "y")).action


def test_two_mediums_must_be_active_at_the_same_time():
    def two(gap):
        memory = Session(step_count=20, event_count=40)
        memory.ledger.record(finding("a", MEDIUM), Clock(step=20 - gap, event=10))
        memory.ledger.record(finding("b", MEDIUM), Clock(step=20, event=40))
        return Policy(Ladder())(memory, events.Used()).action

    assert "nudge" == two(9)
    assert "continue" == two(10)


def test_two_mediums_are_said_when_one_of_them_is_seen():
    memory = Session(step_count=20, event_count=40)
    for name, severity, moment in (("a", MEDIUM, 10), ("b", MEDIUM, 10), ("c", LOW, 40)):
        memory.ledger.record(finding(name, severity), Clock(step=20, event=moment))
    assert "continue" == Policy(Ladder())(memory, events.Used()).action


def test_what_is_no_longer_seen_is_not_said():
    assert "continue" == decided(finding("a", HIGH), steps_ago=2).action


def test_what_was_told_is_not_told_again():
    high = finding("a", HIGH)
    assert "continue" == decided(high, told=[high]).action


def test_something_new_is_told_alone():
    old, new = finding("a", HIGH, "old"), finding("b", HIGH, "new")
    decision = decided(old, new, told=[old])
    assert ("nudge", "b", "b speaks.") == (decision.action, decision.reason, decision.message)


def test_several_findings_share_one_nudge_the_weightiest_first():
    decision = decided(finding("a", HIGH), finding("b", CRITICAL), finding("c", HIGH, confidence=0.9))
    assert "b" == decision.reason
    assert "b speaks. c speaks." == decision.message
    assert ["b", "c", "a"] == [one.detector for one in decision.findings]
    assert 0.9 == decision.confidence


def test_one_loop_seen_by_two_detectors_is_told_once():
    first, second = finding("a", HIGH, "call:same"), finding("b", HIGH, "call:same")
    memory = Session(step_count=20, event_count=40)
    memory.ledger.record(first, Clock(step=15, event=30))
    memory.ledger.mark_nudged([first], 15)
    memory.ledger.record(second, Clock(step=20, event=40))
    assert "continue" == Policy(Ladder())(memory, events.Used()).action


def test_two_detectors_that_name_the_same_file_mean_different_things():
    first, second = finding("a", HIGH, "src/a.py"), finding("b", HIGH, "src/a.py")
    memory = Session(step_count=20, event_count=40)
    memory.ledger.record(first, Clock(step=15, event=30))
    memory.ledger.mark_nudged([first], 15)
    memory.ledger.record(second, Clock(step=20, event=40))
    decision = Policy(Ladder())(memory, events.Used())
    assert ("nudge", "b") == (decision.action, decision.reason)


def test_nothing_is_said_of_calls_in_the_first_two_steps():
    tied = finding("a", HIGH, call="c1")
    assert "continue" == decided(tied, step_count=2).action
    assert "nudge" == decided(tied, step_count=3).action
    assert "nudge" == decided(finding("a", HIGH), step_count=0).action  # a message is not a step


PERSON = {"stopped": "enough"}
CERTAIN = finding("tool_budget_exceeded", CRITICAL, confidence=1.0)


def again(severity, times, confidence=0.8, **more):
    """A policy's answer when a finding is seen again for the n-th time after its nudge."""

    def answer(ladder=None, **session):
        one = finding("loop", severity, "x", confidence, **more)
        memory = Session(**{"step_count": 20, "event_count": 40, **session})
        memory.ledger.record(one, Clock(step=15, event=30))
        memory.ledger.mark_nudged([one], 15)
        for n in range(times):
            memory.ledger.record(one, Clock(step=20, event=40 if n == times - 1 else 39))
        return Policy(ladder or Ladder())(memory, events.Used())

    return answer


@pytest.mark.parametrize(
    ("severity", "times", "action"),
    [
        (HIGH, 1, "continue"),
        (HIGH, 2, "stop"),
        (MEDIUM, 7, "continue"),
        (MEDIUM, 8, "stop"),
        (CRITICAL, 1, "stop"),
        (LOW, 50, "continue"),
    ],
)
def test_going_on_after_the_nudge_ends_the_run(severity, times, action):
    assert action == again(severity, times)().action


def test_where_a_person_is_there_it_escalates():
    assert "escalate" == again(HIGH, 3)(Ladder(attended=True)).action


def test_the_unsure_and_the_advisory_never_stop():
    assert "stop" == again(HIGH, 2, confidence=0.5)().action
    assert "continue" == again(HIGH, 50, confidence=0.49)().action
    assert "continue" == again(HIGH, 50, advisory=True)().action


@pytest.mark.parametrize(
    ("findings", "session", "expected"),
    [
        ([], PERSON, ("stop", "manual_stop")),
        ([CERTAIN, finding("a", HIGH)], PERSON, ("stop", "manual_stop")),
        ([CERTAIN, finding("a", HIGH)], {}, ("stop", "tool_budget_exceeded")),
        ([finding("a", HIGH), finding("b", MEDIUM), finding("c", MEDIUM)], {}, ("nudge", "a")),
        ([finding("b", MEDIUM), finding("c", MEDIUM, confidence=0.9)], {}, ("nudge", "c")),
    ],
)
def test_the_stronger_answer_prevails(findings, session, expected):
    decision = decided(*findings, **session)
    assert expected == (decision.action, decision.reason)


def test_what_broke_is_taken_back_before_a_person_is_asked_why_measurements_are_missing():
    broken, missing, circle = (
        finding("working_tests_failing", CRITICAL), finding("uncertain", HIGH), finding("metric_cycle", HIGH),
    )  # fmt: skip
    assert "escalate" == decided(missing).action
    assert ("rollback", "working_tests_failing") == (decided(broken, missing).action, decided(broken, missing).reason)
    assert ("rollback", "working_tests_failing") == (decided(broken, circle).action, decided(broken, circle).reason)


@pytest.mark.parametrize(
    ("severity", "more"),
    [(HIGH, {}), (CRITICAL, {"confidence": 0.99}), (CRITICAL, {"advisory": True})],
    ids=["not critical", "not certain", "advisory"],
)
def test_what_is_not_beyond_doubt_is_said_first(severity, more):
    assert "nudge" == decided(finding("a", severity, **{"confidence": 1.0, **more})).action


def test_soon_after_a_nudge_only_what_is_no_step_or_weighs_more_is_said():
    def soon(one):
        memory = Session(step_count=20, event_count=40)
        memory.ledger.record(finding("said", HIGH), Clock(step=18, event=30))
        memory.ledger.mark_nudged([finding("said", HIGH)], 18)
        memory.ledger.record(one, Clock(step=20, event=40))
        return Policy(Ladder())(memory, events.Used()).action

    assert "continue" == soon(finding("a", HIGH, call="c1"))
    assert "nudge" == soon(finding("a", CRITICAL, call="c1"))
    assert "nudge" == soon(finding("a", HIGH))


def test_only_what_is_critical_is_taken_back():
    assert "nudge" == decided(finding("quality_drop", HIGH)).action
    assert "rollback" == decided(finding("quality_drop", CRITICAL)).action


def test_what_broke_is_taken_back_to_the_best_round_before_it():
    monitor = Monitor()
    passed = [monitor.iteration_ended(measured=Measurements(test_count=9, tests_passed=n)) for n in (5, 8, 4)]
    assert [("continue", None), ("continue", None), ("rollback", 1)] == [(one.action, one.back_to) for one in passed]


def ended(quality, number=3, **more):
    return Iteration(number=number, quality=None if quality is None else Score(quality, components=("all",)), **more)


@pytest.mark.parametrize(
    ("latest", "action"),
    [
        (ended(0.90), "stop"),
        (ended(0.89), "continue"),
        (ended(0.95, number=0), "continue"),
        (ended(0.95, from_baseline=Deltas(test_count_delta=-1)), "continue"),
        (ended(None), "continue"),
    ],
    ids=["reached", "not reached", "the baseline", "with fewer tests", "not measured"],
)
def test_a_round_that_reaches_the_target_ends_the_work(latest, action):
    assert action == decided(ended_round=latest, ladder=Ladder(target_quality=0.9)).action
    assert "continue" == decided(ended_round=latest).action


def test_without_a_round_no_target_is_reached():
    assert "nudge" == decided(finding("a", HIGH), ladder=Ladder(target_quality=0.9)).action


def test_two_findings_about_one_call_are_told_as_one():
    one, other = finding("a", HIGH, "call:1"), finding("b", HIGH, "call:1")
    decision = decided(one, other, finding("c", HIGH, "call:2"))
    assert "a speaks. c speaks." == decision.message
    assert {"a", "b", "c"} == {one.detector for one in decision.findings}


class SeesEveryCall(Detector):
    """Sees something of medium severity in every call."""

    def on_step(self, step, session):
        yield self.finding(f"{self.id} speaks.", identity=self.id)


class SeesItToo(SeesEveryCall):
    """Another one."""


def test_of_a_call_that_a_person_has_allowed_nothing_is_said_however_many_see_something():
    def actions(**policy):
        monitor = Monitor(detectors=[SeesEveryCall, SeesItToo], only=True, settings={"policy": policy})
        for call in "12345":
            monitor.called("Read", {"file_path": "a.py"}, call=call)
            yield str(monitor.returned(call, output="x = 1").action), monitor.session.steps[-1].call.digest

    told = list(actions())
    assert "nudge" in dict(told)
    assert {"continue"} == {action for action, _ in actions(allowed=[told[0][1]])}
