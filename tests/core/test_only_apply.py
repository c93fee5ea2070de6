"""Only `Session.apply` changes a session, and what is true only at one event is not saved."""

from pathlib import Path

import msgspec
import pytest

import headway
from headway import Measurements, Monitor
from headway.core import events
from headway.core.notes import Configured, Decided, Note, Resumed, RoundsReset
from headway.core.session import Session
from headway.detectors import built_in
from headway.loop.tracker import Tracker
from headway.monitor import SavedStateError
from headway.readers import read, recordings_in
from tests.core.changes import HOMES, changes_in, changing_methods
from tests.hosts.hook.programs import Program
from tests.provocations import PROVOCATIONS
from tests.streams import ended, measured, spelled, used, user

ROOM = Path(headway.__file__).parent
RECORDINGS = Path(__file__).parent.parent / "recordings"


def encoded(session):
    return msgspec.msgpack.encode(session), dict(vars(session))  # what is true only at this event is not encoded


class Guard:
    """Stands around `apply`: what a session holds when it begins must be what it held when it last ended."""

    def __init__(self, monkeypatch):
        self.last = {}
        self.taken = []
        apply, save = Session.apply, Monitor.save

        def guarded(session, what, vocabulary=None):
            self.check(session)
            completed = apply(session, what, vocabulary)
            self.taken.append(type(what))
            self.last[id(session)] = session, encoded(session)  # while it is held here, no other one gets its id
            return completed

        def saved(monitor, **how):
            self.check(monitor.session)
            return save(monitor, **how)

        monkeypatch.setattr(Session, "apply", guarded)
        monkeypatch.setattr(Monitor, "save", saved)

    def check(self, session):
        _, before = self.last.get(id(session), (None, None))
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


def test_a_hook_changes_no_session(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    guard, program = Guard(monkeypatch), Program("claude-code")
    program.prompt("Fix it")
    for _ in range(6):  # it is told, refused and stopped
        program.step("make thing", "Error: it broke", failed=True)
    assert {Resumed, Decided} <= set(guard.taken)


def test_a_loop_changes_no_session(monkeypatch):
    guard, tracker = Guard(monkeypatch), Tracker("loop-1")
    tracker.pre_loop(Measurements(tests_passed=5))
    for passed in (6, 1):
        tracker.post_iteration(Measurements(tests_passed=passed, tests_failed=6 - passed))
    tracker.begin_again(1, Measurements(tests_passed=4))
    guard.check(tracker.monitor.session)
    tracker.post_iteration(Measurements(tests_passed=5))
    guard.check(tracker.monitor.session)
    assert 1 == guard.taken.count(RoundsReset)


def test_a_saved_session_is_resumed_through_apply(monkeypatch):
    saved = Monitor().save()
    guard = Guard(monkeypatch)
    guard.check(Monitor.load(saved, settings={"session": {"files": 7}}).session)
    assert [Resumed, Configured] == guard.taken


ALLOWED = {
    "core/apply.py",
    "core/apply_calls.py",
    "core/notes.py",
    *(f"{home.__name__.partition('.')[2].replace('.', '/')}.py" for home in HOMES),
}
OTHERS = {"readers/gemini_cli.py", "study/flat_events.py"}
"""In these modules, `session` is something else: a recording that is read, and a row of a table."""
CHANGING = changing_methods()


def test_no_other_code_changes_a_session():
    sources = {path.relative_to(ROOM).as_posix(): path.read_text() for path in ROOM.rglob("*.py")}
    changes = {name: changes_in(source, CHANGING) for name, source in sources.items() if "session" in source}
    told = "a session is changed only through Session.apply, with a note of core/notes.py"
    assert {} == {name: found for name, found in changes.items() if found and name not in ALLOWED | OTHERS}, told
    assert ALLOWED | OTHERS <= sources.keys() and min(
        len(changes[name]) for name in ("core/apply.py", "core/apply_calls.py", *OTHERS)
    )


@pytest.mark.parametrize(
    "code",
    [
        "self.monitor.session.ledger.nudges = 0",
        "monitor.session.ledger.told.clear()",
        "session = self.monitor.session; session.iterations[:] = []",
        "talk = session.talk; talk.length += 1",
        "ledger, now = session.ledger, session.clock; ledger.record(finding, now)",
        "for entry in session.ledger.active(now): entry.nudged_at = None",
        "for entry in told: del entry.finding",
        "push(session.steps, step, 5)",
        "setattr(session, 'ended', True)",
        "session.__dict__['asking'] = None",
        "session.turn.note_search(1)",
        "ledger.entries.pop('a')",
    ],
)
def test_a_change_from_elsewhere_would_be_found(code):
    assert changes_in(f"def f(self, ledger: Ledger, told: list[Entry]):\n {code}", CHANGING)


@pytest.mark.parametrize(
    "code",
    [
        "session.apply(Found([]))",
        "self.engine.session = session",
        "known = list(session.steps); self.count += session.step_count",
        "head.last_at = session.last_at",
    ],
)
def test_reading_a_session_is_no_change(code):
    assert [] == changes_in(f"def f(self, head):\n {code}", CHANGING)


SAVED = {
    "session": """run agent task model root targets program sizes limits guessed_task calls steps errors iterations
        pairing files tests novelty turn changes shell ledger marks exploration looks talk spending event_count last_seq started_at
        last_at step_count turn_count user_turn_count tool_call_count error_count consecutive_errors iteration_count
        sent_back_to round_output previous_output stopped ended pauses tool_counts error_counts""",
    "pairing": "waiting finished results_without_call results_repeated calls_without_result",
    "files": "records limit",
    "tests": "histories fewest_problems limit improved_at jumped_at",
    "novelty": "limit seen",
    "turn": """first_step first_call asked_repeats asked_until repeated file_access_count
        total_searches empty_results consecutive_empty found folders unique_top_level_dirs""",
    "changes": """count last last_anywhere last_attempt by_name unanswered effects last_failed_action last_but_notes
        by_tool""",
    "shell": "folder moved",
    "ledger": "entries limit active_for nudges ends_held last_nudge last_call last_rank told",
    "marks": "learnt checked verified waited compacted heard",
    "exploration": "count target_read since_target",
    "looks": "shown silent",
    "talk": "length since_result idle_turns low_output_turns goes_on last_batch reports answers_report is_woken",
    "spending": "count tokens_in tokens_out cost_usd estimated_usd covered_usd",
}
"""What is saved of a session and of each of its parts."""


def test_what_is_saved_is_decided_for_each_field():
    session = msgspec.msgpack.decode(Monitor().save())["session"]
    parts = {name: part for name, part in session.items() if isinstance(part, dict) and part}
    told = (
        "what a session saves has changed. What is true only at the present event belongs outside the fields, as "
        "`Session.asking` is. Add a field here only if later events need it; saved sessions may not have it yet"
    )
    saved = {"session": session, **{name: parts[name] for name in parts.keys() - {"sizes", "limits"}}}
    assert {name: set(words.split()) for name, words in SAVED.items()} == {
        name: set(part) for name, part in saved.items()
    }, told


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
