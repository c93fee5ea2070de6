"""Every decision is noted in the ledger: about which findings it was, and that they were told, refused or rolled back."""

from headway import Monitor
from tests.policy.test_nobody_else_decides import STREAMS
from tests.streams import spelled

NOTED = {"nudge": (1, 0, 0), "block": (0, 1, 0), "rollback": (0, 0, 1), "stop": (0, 0, 0), "escalate": (0, 0, 0)}
"""By how much each action raises what is noted about a finding: nudges, refusals and rollbacks."""


def noted(entry):
    return entry.nudged_at is not None, entry.refusals, entry.rollbacks


def decisions(given, words):
    """Each decision, as (event, action, what was noted about each of its findings)."""
    monitor = Monitor(settings=given)
    entries = monitor.session.ledger.entries
    for happening in spelled(words):
        for event in happening:
            before = {key: noted(entry) for key, entry in entries.items()}
            decision = monitor.feed(event).decision
            pairs = [(noted(entries[one.key]), before.get(one.key, (0, 0, 0))) for one in decision.findings]
            changes = [tuple(now - then for now, then in zip(*pair, strict=True)) for pair in pairs]
            yield type(event).__name__, str(decision.action), changes


def test_every_decision_about_findings_is_noted():
    made = [(name, *one) for name, stream in STREAMS.items() for one in decisions(*stream) if one[2]]
    assert [] == [one for one in made if set(one[3]) != {NOTED[one[2]]}]
    assert {action for _, _, action, _ in made} == NOTED.keys()
    occasions = {kind for _, kind, *_ in made}
    assert {"ToolCalled", "ToolReturned", "AgentSpoke", "IterationEnded", "TurnEnding"} <= occasions
