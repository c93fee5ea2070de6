"""Only `Session.apply` changes a session, and what is true only at one event is not saved."""

from pathlib import Path

import msgspec
import pytest

from headway import Monitor
from headway.core import events
from headway.core.notes import Note
from headway.core.session import Session
from headway.detectors import built_in
from headway.monitor import SavedStateError
from headway.readers import read, recordings_in
from tests.provocations import PROVOCATIONS
from tests.streams import ended, measured, spelled, used, user

RECORDINGS = Path(__file__).parent.parent / "recordings"


def encoded(session):
    return msgspec.msgpack.encode(session), session.asking, session.ended_round


class Guard:
    """Stands around `apply`: what a session holds when it begins must be what it held when it last ended."""

    def __init__(self, monkeypatch):
        self.last = {}
        self.taken = []
        apply = Session.apply

        def guarded(session, what, vocabulary=None):
            self.check(session)
            completed = apply(session, what, vocabulary)
            self.taken.append(type(what))
            self.last[id(session)] = encoded(session)
            return completed

        monkeypatch.setattr(Session, "apply", guarded)

    def check(self, session):
        before = self.last.get(id(session))
        assert before is None or before == encoded(session)


def played(monkeypatch, stream):
    guard = Guard(monkeypatch)
    monitor = Monitor()
    for event in stream:
        monitor.feed(event)
        guard.check(monitor.session)
    return guard


@pytest.mark.parametrize("id", PROVOCATIONS)
def test_no_detector_and_no_rule_changes_the_session(id, monkeypatch):
    stream = [event for happening in spelled(PROVOCATIONS[id](built_in()[id]())) for event in happening]
    assert played(monkeypatch, stream).taken


@pytest.mark.parametrize("source", list(recordings_in(RECORDINGS)), ids=lambda source: Path(source.name).stem)
def test_nothing_but_apply_changes_the_session_of_a_recording(source, monkeypatch):
    stream = [msgspec.structs.replace(event, run="", agent="", seq=None) for event in read(source)]
    assert len(played(monkeypatch, stream).taken) >= len(stream)


def test_what_detectors_find_and_the_policy_decides_comes_in_through_apply_too(monkeypatch):
    words = [user("Fix it"), used(10), measured(tests_passed=5), measured(tests_passed=1), ended(output="same")]
    stream = [
        event
        for happening in spelled([*words, *PROVOCATIONS["exact_cycle"](built_in()["exact_cycle"]())])
        for event in happening
    ]
    taken = {kind.__name__ for kind in played(monkeypatch, stream).taken if issubclass(kind, Note)}
    assert {"Configured", "Scored", "Found", "Decided"} <= taken


def test_what_is_true_only_at_one_event_is_not_saved():
    monitor = Monitor()
    monitor.called("Read", {"file_path": "a.py"}, call="1")
    assert monitor.session.asking is not None
    assert Monitor.load(monitor.save()).session.asking is None
    assert not {"asking", "ended_round"} & msgspec.msgpack.decode(monitor.save())["session"].keys()
    monitor.feed(events.AgentSpoke(text="So."))
    assert monitor.session.asking is None


def test_a_session_that_was_saved_before_sessions_had_parts_goes_on():
    """The file was saved by the version before: two equal searches, after which the third is one too many."""
    monitor = Monitor.load((Path(__file__).parent / "saved_in_format_1.msgpack").read_bytes())
    session = monitor.session
    spent, marks, exploration, talk = session.spending, session.marks, session.exploration, session.talk
    assert (1, 100, 20, 0.5) == (spent.count, spent.tokens_in, spent.tokens_out, spent.cost_usd)
    assert (2, 2, 2, 3, 2) == (marks.learnt, marks.checked, marks.verified, marks.waited, marks.compacted)
    assert (3, True, 2) == (exploration.count, exploration.target_read, exploration.since_target)
    assert (3, 0, 0, True) == (talk.length, talk.idle_turns, talk.low_output_turns, talk.goes_on)
    monitor.called("Grep", {"pattern": "login"}, call="6", at=17.0)
    assert "exact_cycle" == monitor.returned("6", "", at=17.5).reason
    assert session.spending == Monitor.load(monitor.save()).session.spending


def test_a_state_of_a_version_to_come_is_refused():
    saved = msgspec.msgpack.decode(Monitor().save())
    with pytest.raises(SavedStateError, match=r"saved in format 99; this version of Headway reads format 2"):
        Monitor.load(msgspec.msgpack.encode({**saved, "format": 99}))
