"""Computes the task progress of seed 004 from the session."""

from typing import Literal

import msgspec

from headway.core.session import Session
from headway.core.stop import effective_budget
from headway.seeds.stop_decision import loop_warning

Stage = Literal["initial", "reading", "executing", "verifying"]
Milestone = Literal["target_identified", "target_read", "change_made", "change_verified", "search_complete"]


class TaskProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of a task, under the seed's names."""

    task_type: str | None
    iteration_count: int
    """Productive turns: the calls that were made."""
    total_turns: int
    """Calls, and turns without one."""
    low_output_iterations: int
    """Turns in a row that said little and did nothing."""
    tool_calls: int
    tool_budget: int | None
    milestones: frozenset[Milestone]
    target_files: frozenset[str]
    files_read: frozenset[str]
    files_modified: frozenset[str]
    unique_resources: frozenset[str]
    file_read_ranges: dict[str, list[tuple[int, int]]]
    signature_history: tuple[int, ...]
    loop_warning_given: bool
    stage: Stage


def task_progress(session: Session) -> TaskProgress:
    """Compute the progress."""
    records = session.files.records
    return TaskProgress(
        task_type=session.task,
        iteration_count=session.tool_call_count,
        total_turns=session.tool_call_count + session.talk.idle_turns,
        low_output_iterations=session.talk.low_output_turns,
        tool_calls=session.tool_call_count,
        tool_budget=effective_budget(session),
        milestones=frozenset(_milestones(session)),
        target_files=frozenset(session.targets),
        files_read=frozenset(path for path, record in records.items() if record.ever_read),
        files_modified=frozenset(path for path, record in records.items() if record.changes),
        unique_resources=frozenset(records),
        file_read_ranges={
            path: [lines for lines, _ in record.shown] for path, record in records.items() if record.shown
        },
        signature_history=tuple(call.digest for call in session.calls[-session.limits.signature_history_size :]),
        loop_warning_given=loop_warning(session) is not None,
        stage=_stage(session),
    )


def _milestones(session: Session) -> list[Milestone]:
    reached: list[tuple[bool, Milestone]] = [
        (bool(session.targets), "target_identified"),
        (session.exploration.target_read, "target_read"),
        (session.changes.count > 0, "change_made"),
        (session.marks.verified > session.changes.last > 0, "change_verified"),
        (any(session.turn.found), "search_complete"),
    ]
    return [milestone for is_reached, milestone in reached if is_reached]


def _stage(session: Session) -> Stage:
    if not session.step_count:
        return "initial"
    if session.changes.last == 0:
        return "reading"
    return "verifying" if session.marks.checked > session.changes.last else "executing"
