"""A rule is asked only on its occasion. That must never change an answer."""

from hypothesis import given, settings

from headway import Monitor
from headway.core.decision import CONTINUE
from headway.policy import Ladder, Policy
from headway.policy.rules import RULES, _seen_now
from tests.conftest import examples
from tests.test_battery import STREAMS, each_recording


class Compared(Policy):
    """Asks all rules as well, and notes where they answer differently."""

    def __init__(self, ladder):
        super().__init__(ladder)
        self.answers, self.different = 0, []

    def __call__(self, session, event):
        decision = super().__call__(session, event)
        seen = _seen_now(session, self.ladder)
        answers = (rule(seen, session, event, self.ladder) for _, rule in RULES)
        asked_all = next((answer for answer in answers if answer is not None), CONTINUE)
        self.answers += 1
        if asked_all != decision:
            self.different.append((event, decision, asked_all))
        return decision


def compared(stream):
    monitor, policy = Monitor(), Compared(Ladder())
    monitor._engine.policy = policy
    for event in stream:
        monitor.feed(event)
    assert policy.answers == len(stream)
    return policy.different


@each_recording
def test_in_recordings(stream):
    assert [] == compared(stream)


@given(STREAMS)
@settings(max_examples=examples(50), deadline=None)
def test_in_any_stream(stream):
    assert [] == compared(stream)
