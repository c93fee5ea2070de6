"""The ladder through time: observe, nudge, silence, block, stop; and what no stream of events can make it do."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headway import Detector, Measurements, Monitor, Severity
from headway.core import events
from headway.core.iteration import FileChanges
from tests.conftest import examples
from tests.streams import agent, call, compaction, edit, failure, missing, read, search, shell, spelled, user
from tests.test_battery import STREAMS

SAME = search("x", hits=1)
NO_CHANGES = FileChanges()


def timeline(*words, monitor=None, reload=False, **policy):
    """Each decision but `continue`, as (place of the word, what was asked or returned, action, reason)."""
    monitor = monitor or Monitor(settings={"policy": policy})
    done = []
    for place, happening in enumerate(spelled(words), 1):
        for event in happening:
            if reload:
                monitor = Monitor.load(monitor.save())
            decision = monitor.feed(event).decision
            if decision.action != "continue":
                moment = "asked" if isinstance(event, events.ToolCalled) else "seen"
                done.append((place, moment, str(decision.action), decision.reason))
    return done


LOOP = [
    (3, "seen", "nudge", "exact_cycle"),
    (4, "asked", "block", "exact_cycle"),
    (5, "asked", "block", "exact_cycle"),
    (5, "seen", "stop", "exact_cycle"),
]


@pytest.mark.parametrize("reload", [False, True], ids=["in one go", "saved and loaded at every event"])
def test_nudge_block_block_stop(reload):
    assert LOOP == timeline(*[SAME] * 6, reload=reload)[:4]


def test_a_host_that_refuses_comes_to_the_same_end():
    """What is refused has no result: then it is the asking that counts."""
    monitor = Monitor()
    asked = []
    for n in range(7):
        decision = monitor.called("Grep", {"pattern": "x"}, call=f"c{n}")
        asked.append(str(decision.action))
        if decision.action == "continue":
            monitor.returned(f"c{n}", "a.py:1:x")
    assert ["continue", "continue", "continue", "block", "block", "stop", "stop"] == asked


def test_a_host_that_cannot_refuse_comes_to_the_same_end():
    """The findings themselves go on being seen, and the second after the nudge ends the run."""
    done = timeline(*[SAME] * 7, stop_after_blocks=99)
    assert (5, "seen", "stop", "exact_cycle") in done


def test_patience_with_a_round_of_several_calls_is_counted_in_rounds():
    around = [read("a.py"), read("b.py"), read("c.py")]
    done = [entry for entry in timeline(*around * 6) if entry[3] == "doom_loop"]
    assert (9, "seen", "nudge", "doom_loop") == done[0]
    assert [(15, "seen", "stop", "doom_loop")] == [entry for entry in done if entry[2] == "stop"][:1]


def test_where_a_person_is_there_it_escalates():
    assert (5, "seen", "escalate", "exact_cycle") == timeline(*[SAME] * 6, attended=True)[3]


def test_another_call_is_not_refused():
    assert LOOP[:1] == timeline(*[SAME] * 3, read("a.py"), read("b.py"))


def test_advice_refuses_nothing():
    """Not even the very call it is about."""
    monitor = Monitor(settings={"detectors": {"exact_cycle": {"advisory": True}, "known_answer": {"advisory": True}}})
    assert LOOP[:1] == timeline(*[SAME] * 5, monitor=monitor)


def test_a_change_that_was_told_about_is_no_change_after_the_nudge():
    """The same edit for the ninth time is what the nudge is about; the tenth is refused, and then one too many."""
    done = timeline(*[edit(old="def f():", new="def f():\n    # checked")] * 10)
    assert [(9, "seen", "nudge"), (10, "asked", "block"), (10, "seen", "stop")] == [entry[:3] for entry in done]


def test_ample_evidence_needs_no_patience():
    """What was counted `ample` times stops at the next sighting after its nudge; with less it takes two more."""
    other = Monitor(
        settings={
            "detectors": {"exact_cycle": {"limit": 4}, "known_answer": {"enabled": False}},
            "policy": {"ample": 5},
        }
    )
    patient = Monitor(
        settings={
            "detectors": {"exact_cycle": {"limit": 4}, "known_answer": {"enabled": False}},
            "policy": {"ample": 50},
        }
    )
    assert [5] == [place for place, _, action, _ in timeline(*[SAME] * 5, monitor=other) if action == "stop"]
    assert [6] == [place for place, _, action, _ in timeline(*[SAME] * 6, monitor=patient) if action == "stop"][:1]


def test_after_a_change_the_call_is_welcome_again():
    assert LOOP[:1] == timeline(*[SAME] * 3, edit(), SAME)
    assert LOOP[:1] == timeline(*[SAME] * 3, compaction(), SAME)


def test_after_a_change_whose_result_is_missing_the_call_is_welcome_again():
    nudged = [(3, "seen", "nudge", "exact_cycle")]
    assert nudged == timeline(SAME, SAME, SAME, missing(edit()), read("b.py"), SAME)


def test_a_call_that_was_refused_changed_nothing():
    monitor, said = Monitor(), []
    build, look = shell("python build.py", "boom", failed=True), shell("ls", "a.py")
    for called, returned in spelled([build] * 3 + [build, look] * 4):
        if monitor.feed(called).decision.action == "continue":
            said.append(monitor.feed(returned).decision.reason)
    assert ["exact_cycle", "known_answer"] == [reason for reason in said if reason]


def test_a_user_turn_begins_the_ladder_anew():
    again = [(place + 4, *rest) for place, *rest in LOOP[:1]]
    assert LOOP[:1] + again == timeline(*[SAME] * 3, user(), *[SAME] * 3)


def test_silence_during_the_cool_down():
    """Two loops one after the other: the second is not told within three steps of the first, unless it weighs more."""
    words = [*[shell("one", "x")] * 3, *[shell("two", "y")] * 5]
    assert [3, 6] == [place for place, _, action, _ in timeline(*words) if action == "nudge"]
    assert [3, 8] == [place for place, _, action, _ in timeline(*words, cool_down=5) if action == "nudge"]


def test_within_the_cool_down_something_weightier_is_said():
    class Graver(Detector):
        """Something critical at the fifth step."""

        def on_step(self, step, session):
            if step.number == 5:
                yield self.finding("Grave.", severity=Severity.CRITICAL, confidence=0.8)

    monitor = Monitor(detectors=[Graver()])
    done = timeline(*[shell("one", "x")] * 3, read("a"), read("b"), monitor=monitor)
    assert [(3, "exact_cycle"), (5, "graver")] == [
        (place, reason) for place, _, action, reason in done if action == "nudge"
    ]


def test_what_comes_back_long_after_is_told_anew_before_anything_follows():
    """A loop that ended, and thirty steps of work later another of its kind: a nudge, not a stop."""
    words = []
    for part in range(3):
        words += [search("x", hits=2)] * 3 + [edit(f"{part}-{n}.py") for n in range(30)]
    assert {"nudge"} == {action for _, _, action, _ in timeline(*words)}


def test_what_shows_no_lift_is_recorded_and_not_said():
    """Empty searches come in honest work as often; who wants to hear of them says so."""
    empty = [search(f"{n}", hits=0) for n in range(5)]
    assert [] == timeline(*empty)
    said = timeline(*empty, monitor=Monitor(settings={"policy": {"only_recorded": []}}))
    assert [(3, "seen", "nudge", "empty_streak")] == said


def test_refusals_are_forgotten_when_the_user_speaks():
    words = [*[SAME] * 4, user(), *[SAME] * 4]
    assert "stop" not in {action for _, _, action, _ in timeline(*words)}


class Alarm(Detector):
    """Sees something new and grave in every step."""

    severity: Severity = Severity.HIGH

    def on_step(self, step, session):
        yield self.finding("There it is.", identity=str(step.number))


def test_it_does_not_warn_for_ever_about_ever_new_things():
    monitor = Monitor(settings={"policy": {"cool_down": 1, "max_nudges": 4}}, detectors=[Alarm()])
    done = timeline(*(read(f"{n}.py") for n in range(30)), monitor=monitor)
    assert ["nudge"] * 4 == [action for _, _, action, _ in done]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (
            [
                failure(f"Error: {'abcdefghijklmnop'[n]}", command=" ".join(["try", *"abcdefghijklmnop"[:n]]))
                for n in range(14)
            ],
            "error_run",
        ),
        ([agent("I will look at the cart and then fix the total of it.")] * 9, "repeated_message"),
        ([read("a.py")] * 9, "exact_cycle"),
    ],
)
def test_every_loop_is_told_before_it_is_stopped(words, reason):
    done = [(action, why) for _, _, action, why in timeline(*words)]
    assert "nudge" == done[0][0]
    assert ("stop", reason) in done


@settings(max_examples=examples(150), deadline=None)
@given(STREAMS)
def test_no_stream_is_stopped_without_an_earlier_nudge_or_warned_for_ever(stream):
    """Except where the evidence is beyond doubt: a person's word, or a limit the user has set."""
    monitor = Monitor()
    nudges, told, stopped_untold = 0, [], []
    for event in [event for event in stream * 3 if not isinstance(event, events.Stopped)]:
        decision = monitor.feed(event).decision
        if isinstance(event, events.UserSpoke):  # what was said about rounds outlives the turn
            nudges, told = 0, [one for one in told if any(finding.unit == "round" for finding in one.findings)]
        nudges += decision.action == "nudge"
        told += [decision] if decision.action == "nudge" else []
        stopped_untold += [decision] if decision.action in ("stop", "block", "escalate") and not told else []
        assert nudges <= 8
    assert [] == stopped_untold


BROKEN = {"tests_passed": 3, "tests_failed": 2, "test_count": 5}
WORKING = {"tests_passed": 5, "tests_failed": 0, "test_count": 5}


def rounds_with_steps(steps, *measurements, talk=False):
    """What is decided at the end of each round, with so many honest steps in it."""
    monitor, number, decided, back_to = Monitor(), 0, [], None
    for numbers in measurements:
        for _ in range(steps):
            number += 1
            monitor.called("Read", {"file_path": f"m{number}.py"}, call=str(number))
            monitor.returned(str(number), f"content of file {number}")
        if talk:
            monitor.user_spoke("go on with the next round")
        measured = Measurements(**numbers)
        decision = monitor.iteration_ended(output="no news", measured=measured, changes=NO_CHANGES, based_on=back_to)
        back_to = (decision.back_to or 0) if decision.action == "rollback" else None
        decided.append((str(decision.action), decision.reason))
    return decided


@pytest.mark.parametrize("steps", [0, 1, 9, 10, 15, 40])
@pytest.mark.parametrize("talk", [False, True])
def test_rounds_are_judged_alike_however_many_steps_they_have(steps, talk):
    without = rounds_with_steps(0, WORKING, BROKEN, BROKEN, BROKEN)
    assert ["continue", "rollback", "stop"] == [action for action, _ in without[:3]]
    assert without == rounds_with_steps(steps, WORKING, BROKEN, BROKEN, BROKEN, talk=talk)


@pytest.mark.parametrize("steps", [0, 15, 40])
def test_no_progress_is_told_once_and_then_stopped_however_many_steps_a_round_has(steps):
    actions = [action for action, _ in rounds_with_steps(steps, *[WORKING] * 9)]
    spoken = [action for action in actions if action != "continue"]
    assert ["nudge", "stop"] == spoken[:2]


ATTEMPTS = [" ".join(["try", *"abcdefghijklmnop"[:n]]) for n in range(16)]


@pytest.mark.parametrize(
    "words",
    [
        [failure("Error: no such option", command=command) for command in ATTEMPTS],
        [failure(f"Error: {command[-1]} is no option", command=command) for command in ATTEMPTS],
        [
            call("Edit", {"file_path": "a.py", "old_string": command}, "String to replace not found", failed=True)
            for command in ATTEMPTS
        ],
    ],
)
def test_where_each_call_differs_no_stop_follows_within_one_call(words):
    done = [(step, action) for step, _, action, _ in timeline(*words)]
    told = next(step for step, action in done if action == "nudge")
    stopped = next(step for step, action in done if action == "stop")
    assert stopped >= told + 2


@settings(max_examples=examples(40), deadline=None)
@given(STREAMS, st.integers(1, 6), st.integers(1, 6), st.integers(1, 9))
def test_whatever_the_ladder_it_holds(stream, cool_down, patience, nudges_allowed):
    policy = {"cool_down": cool_down, "stop_after_high": patience, "max_nudges": nudges_allowed}
    monitor = Monitor(settings={"policy": policy})
    nudges = told = 0
    for event in [event for event in stream * 2 if not isinstance(event, events.Stopped)]:
        decision = monitor.feed(event).decision
        about_rounds = any(finding.unit == "round" for finding in decision.findings)
        nudges = 0 if isinstance(event, events.UserSpoke) else nudges
        nudges += decision.action == "nudge"
        told += decision.action == "nudge" and about_rounds  # what was said about rounds outlives the turn
        assert nudges <= nudges_allowed
        assert decision.action not in ("stop", "block") or nudges > 0 or (told and about_rounds)
