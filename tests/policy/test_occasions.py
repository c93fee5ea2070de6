"""A rule is asked only on its occasion. That must never change an answer."""

import pytest
from hypothesis import given, settings

from headway import Monitor, Stopped, TurnEnding
from headway.core.decision import CONTINUE
from headway.policy import STUCK, Policy
from headway.policy.rules import RULES, _seen_now
from tests.conftest import examples
from tests.streams import advice, measured, read, search, shell, spelled, suite, used
from tests.test_battery import STREAMS, each_recording

SAME = [shell("do it", "same")] * 9
WORSE = [measured(test_count=9), measured(test_count=8), measured(test_count=7)]
NO_BETTER = [measured(test_count=3, tests_passed=2, tests_failed=1)] * 6
PASSING = [measured(test_count=3, tests_passed=3)] * 2
SPENT = [read(), used(cost=2.0), *SAME]
FAR_AND_ADVISED = [read(f"d{n}/x.py") for n in range(6)] + [advice("Grep")] * 2 + [read(f"e{n}/y.py") for n in range(3)]
PLAYS = {
    "a_person_said_stop": ({}, [*SAME[:4], lambda place: [Stopped(reason="enough")], *SAME[:2]]),
    "ask_a_person": ({}, [measured(lint_errors=0), measured(test_count=3)]),
    "roll_back": ({}, WORSE),
    "a_limit_is_reached": ({"global": {"max_cost_usd": 1.0}}, SPENT),
    "beyond_doubt": ({"global": {"max_cost_usd": 1.0}}, SPENT),
    "good_enough": ({"policy": {"target_quality": 0.5}}, PASSING),
    "the_same_again": ({}, SAME),
    "stuck": ({"policy": {"stop_on": STUCK}}, NO_BETTER),
    "refuse_the_repeat": ({"policy": {"attended": True}}, SAME),
    "end_of_turn": ({}, [suite(2), lambda place: [TurnEnding(text="Done. All tests pass.")]]),
    "one_high_finding": ({}, SAME[:3]),
    "gone_on_for_long": ({}, [search(f"p{n}", hits=0) for n in range(30)]),
    "two_medium_findings": ({"policy": {"only_recorded": ()}}, FAR_AND_ADVISED),
}
"""For each rule, settings and a stream to which it has an answer."""


class Compared(Policy):
    """Asks all rules as well, and notes where they answer differently."""

    def __init__(self, ladder):
        super().__init__(ladder)
        self.answers, self.different, self.answered_by = 0, [], set()

    def __call__(self, session, event):
        decision = super().__call__(session, event)
        seen = _seen_now(session, self.ladder)
        answers = ((rule(seen, session, event, self.ladder), rule.__name__) for _, rule in RULES)
        asked_all, name = next((answer for answer in answers if answer[0] is not None), (CONTINUE, ""))
        self.answered_by.add(name)
        self.answers += 1
        if asked_all != decision:
            self.different.append((event, decision, asked_all))
        return decision


def played(stream, given=None):
    monitor = Monitor(settings=given)
    policy = monitor._engine.policy = Compared(monitor.settings.policy)
    for event in stream:
        monitor.feed(event)
    assert policy.answers == len(stream)
    return policy


def compared(stream):
    return played(stream).different


@pytest.mark.parametrize("rule", [rule.__name__ for _, rule in RULES])
def test_for_each_rule(rule):
    given, words = PLAYS[rule]
    policy = played([event for happening in spelled(words) for event in happening], given)
    assert rule in policy.answered_by and [] == policy.different


@each_recording
def test_in_recordings(stream):
    assert [] == compared(stream)


@given(STREAMS)
@settings(max_examples=examples(50), deadline=None)
def test_in_any_stream(stream):
    assert [] == compared(stream)
