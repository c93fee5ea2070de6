"""How calls and their results change the session of a run. A result completes a step."""

from typing import TYPE_CHECKING

from headway.core import events
from headway.core.call import Call
from headway.core.limits import INFINITE
from headway.core.repeats import same_answer_since, same_file_since
from headway.core.step import EXPLORING, KEPT_OUTPUT, Step
from headway.rolling.bounded import count, push
from headway.rolling.text import clip
from headway.tools.envelope import Output
from headway.tools.meaning import Vocabulary
from headway.tools.paths import project_path
from headway.tools.tests_seen import TestsSeen, tests_seen

if TYPE_CHECKING:
    from headway.core.session import Session

KEPT_PAUSES = 15
"""Pauses that are remembered."""


def on_agent_turn(session: "Session", batch: str | None = None) -> None:
    """Count a turn of the agent: what it says and requests between two results, or in one parallel batch, is one."""
    talk = session.talk
    if not talk.goes_on and (batch is None or batch != talk.last_batch):
        session.turn_count += 1
    talk.goes_on, talk.last_batch = True, batch


def on_call(session: "Session", event: events.ToolCalled, vocabulary: Vocabulary) -> None:
    """Open a call, unless it is open already."""
    call = Call.of(event, vocabulary, session.tool_call_count + 1)
    if not session.pairing.is_repeated(call):
        session.__dict__["asking"] = call = session.shell.placed(call, session.root)
        _note_call(session, call)
        session.pairing.open(call, session.sizes.waiting_calls)


def _note_call(session: "Session", call: Call) -> None:
    on_agent_turn(session, call.batch)
    talk = session.talk
    talk.length, talk.low_output_turns, talk.answers_report, talk.is_woken = None, 0, False, False
    session.tool_call_count += 1
    count(session.tool_counts, call.tool_name, session.sizes.names)
    push(session.calls, call, session.sizes.window_size)


def on_result(session: "Session", event: events.ToolReturned, vocabulary: Vocabulary) -> Step | None:
    """Complete the step of a call; None for a result that came before."""
    repeated = event.call in session.pairing.finished and event.call not in session.pairing.waiting
    call = session.pairing.close(event.call, session.sizes.waiting_calls)
    if repeated:
        return None
    if call is None:  # a result whose call we did not see still tells something
        unseen = events.ToolCalled(call=event.call, tool="", args={"id": event.call})  # equal to no other call
        call = Call.of(unseen, vocabulary, session.tool_call_count + 1)
        _note_call(session, call)
    session.talk.goes_on = False
    session.changes.unanswered = _unanswered(session, call) if session.pairing.waiting else 0
    session.step_count += 1
    step = _completed(session, call, event)
    session.talk.since_result = 0
    push(session.steps, step, session.sizes.window_size)
    if step.at is not None and not step.again:
        _note_pace(session, step)
    _note_outcome(session, step)
    _note_goal(session, step)
    _note_files(session, step)
    if session.turn.asked_repeats:
        session.turn.note_repeat(step)
    if step.let_time_pass and not step.is_no_wait:
        session.marks.waited = step.number
    return step


def _unanswered(session: "Session", call: Call) -> int:
    """The step before the latest earlier call that has no result and may have changed something; 0 if there is none."""
    lost = session.pairing.change_before(call)
    before = (step.number for step in reversed(session.steps) if step.call.number < lost)
    return next(before, 0)


def _completed(session: "Session", call: Call, event: events.ToolReturned) -> Step:
    output = Output.remembered(event.output, event.exit_code)
    if call.meaning.jumps:
        session.tests.note_jump(session.step_count)
    runs_something = call.meaning.kind in ("test", "run", "build") or call.meaning.runs
    tests = _tests_in(session, call, output) if runs_something else None
    digest = call.digest
    same = [step for step in session.steps if step.call.digest == digest]
    return Step.of(
        call,
        event,
        session.step_count,
        output=output,
        path=project_path(session.root, call.meaning.path) if call.meaning.path else None,
        novelty=session.novelty.share(clip(output.body, KEPT_OUTPUT)),
        tests=tests,
        better=session.tests.improved_at == session.step_count,
        before=same[-1] if same else None,
        idle=session.changes.is_idle(call, len(same)),
        message_length=session.talk.since_result,
        recorded=session.looks.note(call, event, output.body, again=bool(same)),
    )


def _tests_in(session: "Session", call: Call, output: Output) -> TestsSeen | None:
    """The tests that an output shows; they are noted, and so are the problems that a checker has found."""
    from headway.tools.problems_seen import problems_seen  # most calls run nothing: a hook then loads none of this

    tests = output.once(tests_seen)
    if tests is not None:
        session.tests.note(call, tests, session.step_count, same_answer_since(session))
    elif (problems := output.once(problems_seen)) and problems.errors is not None:
        session.tests.note_problems(call, problems.errors, session.step_count)
    return tests


def _note_pace(session: "Session", step: Step) -> None:
    paused = session.pause_before(step)
    if paused is not None and 0 <= paused < INFINITE:
        push(session.pauses, paused, KEPT_PAUSES)


def _note_outcome(session: "Session", step: Step) -> None:
    if not step.failed:
        session.consecutive_errors = 0
        session.marks.learnt = step.number if step.news else session.marks.learnt
        return
    session.error_count += 1
    session.consecutive_errors += not step.denied  # a call that did not run neither failed nor succeeded
    push(session.errors, step, session.sizes.window_size)
    count(session.error_counts, step.signature, session.sizes.names)


def _note_goal(session: "Session", step: Step) -> None:
    kind = step.call.meaning.kind
    if kind in EXPLORING:
        session.exploration.count += 1
        if session.exploration.since_target is not None:
            session.exploration.since_target += 1
    if kind == "read" and session.targets and not step.failed and _is_target(session, step.path):
        session.exploration.target_read, session.exploration.since_target = True, session.exploration.since_target or 0
    if kind in ("test", "build"):
        session.marks.checked = step.number
        session.marks.verified = step.number if not step.failed else session.marks.verified
    session.changes.note(step)
    session.shell.note(step, session.root)
    if step.changed:
        session.exploration.count, session.exploration.since_target = 0, None


def _is_target(session: "Session", path: str | None) -> bool:
    return path is not None and any(path == target or path.endswith(f"/{target}") for target in session.targets)


def _note_files(session: "Session", step: Step) -> None:
    if step.hits is not None:
        session.turn.note_search(step.hits)
    if step.changed:
        session.turn.consecutive_empty = 0
    if step.failed or step.denied:
        return
    meaning = step.call.meaning
    for path in meaning.paths or ((meaning.path,) if meaning.path else ()):
        _note_file(session, step, project_path(session.root, path), step.call.folder_of(path))


def _note_file(session: "Session", step: Step, path: str, folder: str | None) -> None:
    session.turn.note_place(step, path, session.sizes.names)
    if step.changed:
        session.files.touched(path, folder).note_change(step.call.edit, step.number)
    elif step.call.meaning.kind == "read" and not session.is_expected_repeat(step):
        record = session.files.touched(path, folder)
        record.note_read(step, session.sizes.reread_share, same_file_since(session, path))
