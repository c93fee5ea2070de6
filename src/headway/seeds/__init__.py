"""Provides the names of the five documents that Headway began as ("seeds").

Headway itself does not use this. `MonitoredSession` adds queries to the session of a Monitor, and `correspondence` adds
messages to the loop's tracker. `docs/development/seeds.md` maps every name of the documents to its place.
"""

from typing import TYPE_CHECKING, Any

from headway.core.call import Call
from headway.core.session import Session
from headway.core.step import Step

if TYPE_CHECKING:  # loaded on first use, which never happens in a hook
    from headway.seeds.pattern import Pattern
    from headway.seeds.stop_decision import StopDecision
    from headway.seeds.task_progress import TaskProgress


class MonitoredSession(Session):
    """The memory of a Monitor, with queries about the run."""

    @property
    def unique_tools_used(self) -> frozenset[str]:
        """Names of the tools that were called."""
        return frozenset(self.tool_counts)

    def recent_tool_calls(self, n: int) -> list[Call]:
        """The latest calls, oldest first, whether or not their results are known."""
        return self.calls[-n:] if n > 0 else []

    def recent_errors(self, n: int) -> list[Step]:
        """The latest failed steps, oldest first."""
        return self.errors[-n:] if n > 0 else []

    def tool_frequency(self) -> dict[str, int]:
        """How often each tool was called."""
        return dict(self.tool_counts)

    def error_frequency(self) -> dict[str, int]:
        """How often each error occurred, by normalised message."""
        return dict(self.error_counts)

    def patterns(self) -> "dict[str, Pattern]":
        """The active patterns, by detector id."""
        from headway.seeds.pattern import Pattern

        return {entry.finding.detector: Pattern(entry) for entry in self.ledger.active(self.clock)}

    def has_pattern(self, pattern_type: str) -> bool:
        """Whether a detector's pattern is active now."""
        return any(entry.finding.detector == pattern_type for entry in self.ledger.active(self.clock))

    def metrics(self) -> dict[str, Any]:
        """Counts of searches, file accesses and folders in the current user turn."""
        turn = self.turn
        return {
            "file_access_count": dict(turn.file_access_count),
            "search_metrics": {
                "total_searches": turn.total_searches,
                "empty_results": turn.empty_results,
                "consecutive_empty": turn.consecutive_empty,
            },
            "unique_top_level_dirs": set(turn.unique_top_level_dirs),
            "recent_calls": [call for call in self.calls if call.number >= turn.first_call],
        }

    def stop_decision(self) -> "StopDecision":
        """Whether the limits alone say that this run should stop: should_stop, reason, hint."""
        from headway.seeds.stop_decision import stop_decision

        return stop_decision(self)

    def task_progress(self) -> "TaskProgress":
        """The progress of the task, from the limits."""
        from headway.seeds.task_progress import task_progress

        return task_progress(self)
