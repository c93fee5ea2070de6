"""How the events of a run change its session, one at a time; `apply_calls.py` has those of calls and their results.

Only these two and `notes.py` change a session.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from headway.core import events
from headway.core.apply_calls import on_agent_turn, on_call, on_result
from headway.core.events import Event
from headway.core.iteration import Iteration, Measurements
from headway.core.limits import INFINITE
from headway.core.parts import Turn
from headway.core.step import Step
from headway.rolling.text import clean, clip
from headway.tools import program_name
from headway.tools.meaning import Vocabulary
from headway.tools.paths import project_path

if TYPE_CHECKING:
    from headway.core.session import Session

KEPT_ROUND = 400_000
"""Characters of the latest round's output that are kept, in order to compare the next one with it."""


def take_in(session: "Session", event: Event, vocabulary: Vocabulary) -> Step | Iteration | None:
    """Process one event; return the step or round it completes, if it completes one."""
    if event.run != session.run or event.agent != session.agent:
        _note_origin(session, event)
    session.event_count += 1
    kind, seq, at = type(event), event.seq, event.at
    if seq is not None:
        session.last_seq = seq
    if at is not None and kind is not events.Ticked:  # the time of the latest thing that happened
        _note_time(session, at)
    session.__dict__.clear()  # what was true only at the event before
    take = _HOW.get(kind)
    return None if take is None else take(session, event, vocabulary)


def _note_origin(session: "Session", event: Event) -> None:
    """The first event that names the run names it for all; the agent is named by the very first event."""
    session.run = session.run or event.run
    if not session.event_count:
        session.agent = session.agent or event.agent


def _note_time(session: "Session", at: float) -> None:
    if -INFINITE < at < INFINITE:
        if session.started_at is None or at < session.started_at:
            session.started_at = at
        if session.last_at is None or at > session.last_at:
            session.last_at = at


def _on_agent_message(session: "Session", event: events.AgentSpoke, _: Vocabulary) -> None:
    _end_talk(session)
    on_agent_turn(session)
    session.talk.length = len(event.text.strip())
    session.talk.since_result += len(event.text)


def _on_use(session: "Session", event: events.Used, _: Vocabulary) -> None:
    session.spending.note(event)


def _on_compaction(session: "Session", event: events.ContextCompacted, _: Vocabulary) -> None:
    session.marks.compacted = session.step_count
    session.novelty.seen.clear()  # what was read before has to be read again
    session.ledger.note_compaction()
    session.files.note_compaction()


def _on_stop(session: "Session", event: events.Stopped, _: Vocabulary) -> None:
    session.stopped = event.reason or "stopped by a person"


def _on_end(session: "Session", event: events.RunEnded, _: Vocabulary) -> None:
    _end_talk(session)
    session.ended = True


def _on_start(session: "Session", event: events.RunStarted, _: Vocabulary) -> None:
    if event.root:
        session.root = project_path(None, event.root)
    session.task = event.task or session.task
    session.model = event.model or session.model
    session.targets = tuple(project_path(session.root, target) for target in event.targets) or session.targets
    session.program = program_name(event.program) if event.program else session.program


def _on_message(session: "Session", event: events.UserSpoke, vocabulary: Vocabulary) -> None:
    if event.starts_turn:
        _on_user_turn(session, event, vocabulary)
    else:
        _on_report(session, event)


def _on_report(session: "Session", event: events.UserSpoke) -> None:
    """A machine reported something: not a turn of the user, but perhaps what the agent was waiting for."""
    _end_talk(session)
    is_new = session.talk.note_report(event.text)
    session.talk.is_woken = not is_new
    if is_new:
        session.__dict__["heard"] = session.talk.answers_report = True
        session.marks.heard = session.step_count


def _on_user_turn(session: "Session", event: events.UserSpoke, _: Vocabulary) -> None:
    from headway.tools.request import asked_repeats, named_paths  # a hook seldom needs them

    text = event.text
    _end_talk(session)
    session.user_turn_count += 1
    session.talk.low_output_turns = session.exploration.count = 0
    session.exploration.since_target = None
    session.stopped = None
    session.talk.goes_on = session.talk.is_woken = False
    session.targets = named_paths(text) or session.targets
    session.tests.note_turn()
    session.turn = Turn(
        first_step=session.step_count + 1,
        first_call=session.tool_call_count + 1,
        asked_repeats=asked_repeats(text),
    )
    session.ledger.close_turn()
    session.files.note_turn()


def _end_talk(session: "Session") -> None:
    """A turn is over in which the agent spoke and called nothing."""
    talk = session.talk
    if talk.length is not None:
        talk.idle_turns += 1
        is_little = talk.length < (session.limits.min_content_threshold or 0)
        if not talk.answers_report:  # a report may be noted in a few words
            talk.low_output_turns = talk.low_output_turns + 1 if is_little else 0
        talk.length, talk.goes_on, talk.answers_report = None, False, False


def _on_iteration(session: "Session", event: events.IterationEnded, _: Vocabulary) -> Iteration:
    session.previous_output = session.round_output
    session.round_output = None if event.output is None else clip(clean(event.output), KEPT_ROUND)
    iteration = Iteration(
        number=session.iteration_count,
        output=session.round_output,
        measured=event.measured or Measurements(),
        changes=event.changes,
        based_on=event.based_on,
        snapshot=event.snapshot,
        at=event.at,
    )
    session.iteration_count += 1
    return iteration


_HOW: dict[type[Event], Callable[["Session", Any, Vocabulary], Step | Iteration | None]] = {
    events.ToolCalled: on_call,
    events.ToolReturned: on_result,
    events.AgentSpoke: _on_agent_message,
    events.UserSpoke: _on_message,
    events.Used: _on_use,
    events.ContextCompacted: _on_compaction,
    events.Stopped: _on_stop,
    events.IterationEnded: _on_iteration,
    events.RunStarted: _on_start,
    events.RunEnded: _on_end,
}
"""How each kind of event changes a session; the others change only its counts."""
