"""Seed 004's progress of a task, derived from what the session knows; nothing is counted twice for it."""

from typing import TYPE_CHECKING, Literal

import msgspec

from headway.core.stop import effective_budget, loop_warning

if TYPE_CHECKING:
    from headway.core.memory import Memory

Stage = Literal["initial", "reading", "executing", "verifying"]
Milestone = Literal["target_identified", "target_read", "change_made", "change_verified", "search_complete"]


class TaskProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a task has come, under the seed's names."""

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


def task_progress(memory: "Memory") -> TaskProgress:
    """Put together what the session knows."""
    records = memory.files.records
    return TaskProgress(
        task_type=memory.task,
        iteration_count=memory.tool_call_count,
        total_turns=memory.tool_call_count + memory.idle_turn_count,
        low_output_iterations=memory.low_output_turns,
        tool_calls=memory.tool_call_count,
        tool_budget=effective_budget(memory),
        milestones=frozenset(_milestones(memory)),
        target_files=frozenset(memory.targets),
        files_read=frozenset(path for path, record in records.items() if record.ever_read),
        files_modified=frozenset(path for path, record in records.items() if record.changes),
        unique_resources=frozenset(records),
        file_read_ranges={
            path: [lines for lines, _ in record.shown] for path, record in records.items() if record.shown
        },
        signature_history=tuple(call.digest for call in memory.calls[-memory.limits.signature_history_size :]),
        loop_warning_given=loop_warning(memory) is not None,
        stage=_stage(memory),
    )


def _milestones(memory: "Memory") -> list[Milestone]:
    reached: list[tuple[bool, Milestone]] = [
        (bool(memory.targets), "target_identified"),
        (memory.target_read, "target_read"),
        (memory.changes.count > 0, "change_made"),
        (memory.last_verified > memory.changes.last > 0, "change_verified"),
        (any(memory.turn.found), "search_complete"),
    ]
    return [milestone for is_reached, milestone in reached if is_reached]


def _stage(memory: "Memory") -> Stage:
    if not memory.step_count:
        return "initial"
    if memory.changes.last == 0:
        return "reading"
    return "verifying" if memory.last_check > memory.changes.last else "executing"
