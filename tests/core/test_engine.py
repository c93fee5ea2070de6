import logging

import pytest

from headway import Detector, EventError, Monitor, Severity, state
from headway.core import events
from headway.core.engine import Engine
from headway.core.session import Session
from headway.core.watch import Watch
from headway.tools.meaning import Vocabulary
from tests.streams import compaction, edit, engine_of, read, spelled, user


class Witness(Detector):
    """Writes down what it is told, in order."""

    heard: list[str] = state(factory=list)

    def on_step(self, step, session):
        self.heard.append(f"step {step.number}")
        return ()

    def on_message(self, event, session):
        self.heard.append(type(event).__name__)
        return ()

    def on_iteration(self, iteration, session):
        self.heard.append(f"iteration {iteration.number}")
        return ()

    def on_change(self, paths, session):
        self.heard.append(f"change {', '.join(paths) or 'of anything'}")
        return ()

    def on_user_turn(self):
        self.heard.append("turn")


class Broken(Detector):
    """Fails at everything."""

    def on_step(self, step, session):
        raise ZeroDivisionError

    def on_user_turn(self):
        raise ZeroDivisionError


class Speaker(Detector):
    """Has something to say about every step."""

    def on_step(self, step, session):
        yield self.finding("seen", identity="x", number=step.number)


def play(engine, *words):
    return [engine.feed(event) for happening in spelled(words) for event in happening]


def test_every_hook_hears_what_it_is_for():
    witness = Witness()
    engine = engine_of(witness)
    play(engine, user(), read(), edit("a.py"), compaction())
    engine.feed(events.AgentSpoke(text="x"))
    engine.feed(events.Advised(text="x"))
    engine.feed(events.IterationEnded())

    assert [
        "turn", "UserSpoke", "step 1", "change a.py", "step 2", "change of anything", "AgentSpoke", "Advised", "iteration 0",
    ] == witness.heard  # fmt: skip


def test_a_detector_may_ask_for_certain_steps_only():
    class Failures(Witness):
        only_failures = True

    class Reads(Witness):
        kinds = frozenset(("read",))

    class FailedReads(Witness):
        kinds, only_failures = frozenset(("read",)), True

    all_steps, failures, reads, failed_reads = Witness(), Failures(), Reads(), FailedReads()
    engine = engine_of(all_steps, failures, reads, failed_reads)
    play(engine, read(), read(failed=True), edit("a.py", failed=True), read("b.py"))

    assert [f"step {n}" for n in (1, 2, 3, 4)] == all_steps.heard
    assert ["step 2", "step 3"] == failures.heard
    assert ["step 1", "step 2", "step 4"] == reads.heard
    assert ["step 2"] == failed_reads.heard


def test_a_kind_that_is_none_is_refused_where_the_detector_is_written():
    with pytest.raises(TypeError, match=r"Typo\.kinds has reads; expected one of: ask, build"):

        class Typo(Detector):
            kinds = frozenset(("reads",))


def test_a_finding_is_tied_to_its_call():
    outcome = play(engine_of(Speaker()), read())[-1]
    assert ["call-1"] == [finding.call for finding in outcome.findings]


def test_a_broken_detector_is_passed_over(caplog):
    """Headway never breaks the agent it watches."""
    outcomes = play(engine_of(Broken(), Speaker()), user(), read())

    assert 1 == len(outcomes[-1].findings)
    assert "Broken.on_step failed" in caplog.text


def test_a_broken_policy_answers_continue(caplog):
    def broken(session, event):
        raise ZeroDivisionError

    engine = Engine(Session(), [Watch.of(Speaker())], broken, Vocabulary.packaged())
    assert "continue" == play(engine, read())[-1].decision.action
    assert caplog.records[0].levelno == logging.ERROR


def test_a_broken_policy_loses_no_finding(caplog):
    def broken(session, event):
        raise ZeroDivisionError

    engine = Engine(Session(), [Watch.of(Speaker())], broken, Vocabulary.packaged())
    assert ["seen"] == [finding.message for finding in play(engine, read())[-1].findings]
    assert ["speaker:x"] == list(engine.session.ledger.entries)
    assert "the policy failed at ToolReturned" in caplog.text


def test_an_event_fed_twice_changes_nothing():
    monitor = Monitor()
    numbered = [
        events.UserSpoke(text="x", seq=1),
        events.ToolCalled(call="c", tool="Read", seq=2),
        events.ToolReturned(call="c", output="x", seq=3),
    ]
    for event in numbered:
        monitor.feed(event)
    before = monitor.save()
    for event in numbered:
        assert () == monitor.feed(event).findings
    assert before == monitor.save()


def test_events_without_numbers_are_all_taken():
    monitor = Monitor()
    for _ in range(3):
        monitor.feed(events.UserSpoke(text="x"))
    assert 3 == monitor.session.user_turn_count


def test_a_monitor_belongs_to_one_run_and_agent():
    monitor = Monitor()
    monitor.feed(events.UserSpoke(run="one", agent="main"))
    monitor.feed(events.UserSpoke())
    with pytest.raises(EventError, match="one Monitor for each"):
        monitor.feed(events.UserSpoke(run="two", agent="main"))
    with pytest.raises(EventError, match="one Monitor for each"):
        monitor.feed(events.UserSpoke(run="one", agent="helper"))


def test_a_main_agents_monitor_refuses_a_sub_agents_event():
    monitor = Monitor()
    monitor.feed(events.UserSpoke(run="one"))
    with pytest.raises(EventError, match="one Monitor for each"):
        monitor.feed(events.UserSpoke(run="one", agent="helper"))


def test_only_events_can_be_fed():
    with pytest.raises(EventError, match="not dict"):
        Monitor().feed({"type": "user_spoke"})


def test_state_is_kept_apart_from_settings():
    class Counter(Detector):
        """Counts."""

        limit: int = 3
        seen: dict[str, list[tuple[int, str]]] = state(factory=dict)

    one, other = Counter(limit=5), Counter()
    one.seen["x"] = [(1, "a")]

    assert ["severity", "enabled", "advisory", "limit"] == Counter.setting_names()
    assert {"seen": {"x": [(1, "a")]}} == one.save()
    assert {} == other.seen
    other.load({"seen": {"x": [[1, "a"]]}})
    assert [(1, "a")] == other.seen["x"]
    assert 3 == other.limit


def test_what_a_detector_finds_in_our_own_advice_is_kept():
    class Echo(Detector):
        def on_message(self, event, session):
            if isinstance(event, events.Advised):
                yield self.finding("I read that.", identity="echo", severity=Severity.LOW)

    for by_itself in (True, False):
        monitor = Monitor(detectors=[Echo])
        if by_itself:
            for number in range(3):
                monitor.called("Grep", {"pattern": "x"}, call=str(number))
                monitor.returned(str(number), "")
        else:
            monitor.advised("careful")
        assert "echo:echo" in monitor.session.ledger.entries
