"""For each detector a stream that must make it speak, made from its own settings.

Whoever raises a threshold either is told that it cannot be reached, or still gets to hear the detector.
"""

from collections.abc import Callable

from headway import Detector
from headway.core.iteration import FileChanges
from headway.core.limits import Limits
from tests.streams import (
    Word,
    advice,
    agent,
    call,
    edit,
    ended,
    failure,
    measured,
    read,
    search,
    shell,
    suite,
    tick,
    used,
)


def alternating(count: int) -> list[Word]:
    """One edit made, taken back, made again, …"""
    return [edit(old="xy"[n % 2], new="yx"[n % 2]) for n in range(count)]


def protecting(detector: Detector) -> list[Word]:
    """A round that changes a protected file; without any, the detector is silent."""
    detector.paths = ("tests",)
    return [ended(), ended(changes=FileChanges(lines=1, files={"tests/test_a.py": "1"}))]


LIMITS = Limits(
    max_exploration_iterations=8,
    tool_budget=15,
    force_action_after_target_read=True,
    min_content_threshold=150,
    max_total_iterations=50,
    max_tokens=1_000,
    max_seconds=1_000.0,
)
"""Limits for the detectors of the run scale, which are silent without any."""

PROVOCATIONS: dict[str, Callable[[Detector], list[Word]]] = {
    "busy_polling": lambda d: [shell("docker ps", "web  Up 5 minutes")] * d.limit,
    "repeated_phrase": lambda d: [agent("so it goes on. " * max(2, d.limit, d.min_length))],
    "complexity_explosion": lambda d: [measured(complexity_score=1.0), measured(complexity_score=99.0)],
    "context_degradation": lambda d: alternating(d.symptoms_needed + 1),
    "coverage_regression": lambda d: [measured(coverage_percentage=90.0), measured(coverage_percentage=10.0)],
    "deadline": lambda d: [read(f"{n}.py", at=n * 100.0) for n in range(12)],
    "diminishing_returns": lambda d: [measured(coverage_percentage=50.0 + n / 2) for n in range(d.times + 2)],
    "doom_loop": lambda d: [read(f"{n}.py") for n in range(d.doom_loop_min_length)] * d.doom_loop_threshold,
    "edit_oscillation": lambda d: alternating(d.limit + 2),
    "empty_streak": lambda d: [search(f"{n}", hits=0) for n in range(d.limit)],
    "endless_paging": lambda d: [read("big", offset=n * 9 + 1, limit=9) for n in range(d.limit)],
    "error_increase": lambda d: [measured(lint_errors=0), measured(lint_errors=d.more + 1)],
    "error_run": lambda d: [failure()] * d.limit,
    "exact_cycle": lambda d: [shell("do it", "same")] * d.limit,
    "failing_edit": lambda d: [edit(failed=True)] * d.limit,
    "file_churn": lambda d: [edit(old=f"{n}", new=f"{n + 1}") for n in range(d.limit)],
    "file_deletion": lambda d: [measured(file_count=9), measured(file_count=8)],
    "fruitless_streak": lambda d: [shell("do it", "same")] * (d.limit + 1),
    "fruitless_delegation": lambda d: [call("Task", {"prompt": f"{n}"}, "I could not find it.") for n in range(d.limit)],
    "generated_edit": lambda d: [edit("web/package-lock.json")],
    "goal_forcing": lambda d: [read("goal.py"), *(read(f"{n}.py") for n in range(3))],
    "idle_calls": lambda d: [shell(f"echo {n}", f"{n}") for n in range(d.limit)],
    "known_answer": lambda d: [shell("do it", "same")] * d.limit,
    "low_hit_rate": lambda d: [search(f"{n}", hits=0) for n in range(d.window)],
    "low_output": lambda d: [agent("hm, so.")] * 4,
    "max_iterations": lambda d: [read(f"{n}.py") for n in range(9)],
    "metric_cycle": lambda d: [measured(test_count=1 + n % 2) for n in range(d.after + 6)],
    "monologue": lambda d: [agent("First I look at the cart, then I fix the total.")] * (d.limit + 1),
    "no_progress": lambda d: [ended(output="so", changes=FileChanges())] * (d.stuck_after + 1),
    "oscillation": lambda d: [
        ended(changes=FileChanges(lines=1, files={f"{f}.py": "ab"[n % 2] for f in range(d.files)})) for n in range(d.times + 2)
    ],
    "over_refinement": lambda d: [measured(coverage_percentage=90.0 - n) for n in range(d.times + 2)],
    "progress_stall": lambda d: [failure()] * (max(d.stall_threshold, d.stall_calls) + 1),
    "protected_files": protecting,
    "quality_drop": lambda d: [measured(coverage_percentage=90.0)] * 2 + [measured(coverage_percentage=10.0)],
    "repeated_error": lambda d: [failure()] * d.limit,
    "repeated_file": lambda d: [read()] * d.limit,
    "repeated_message": lambda d: [agent("Nothing more can be done here. " * d.min_length)] * d.limit,
    "scope_creep": lambda d: [read(f"d{n}/x.py") for n in range(max(d.limit + 1, d.early))],
    "silent_run": lambda d: [read(at=0.0), tick(d.seconds)],
    "similar_calls": lambda d: [
        call("Lookup", {"about": "one of these options" + "x" * (n % 2)}, "same") for n in range(d.limit + 1)
    ],
    "spend": lambda d: [word for n in range(12) for word in (used(tokens=90), read(f"{n}.py"))],
    "stalled": lambda d: [measured(test_count=3, tests_passed=2, tests_failed=1)] * (d.rounds + 1),
    "stubborn_failure": lambda d: [word for n in range(d.limit + 1) for word in (edit(old=f"{n}", new="x"), failure())],
    "test_deletion": lambda d: [measured(test_count=9), measured(test_count=8)],
    "test_regression": lambda d: [suite(0, 9), *[suite(1, 8)] * d.persists],
    "test_rerun": lambda d: [suite()] * d.limit,
    "tool_avoidance": lambda d: [advice("Other")] * d.advised + [shell("do it", "same")] * d.attempts,
    "tool_budget_exceeded": lambda d: [shell(f"do {n}", f"{n}") for n in range(15)],
    "uncertain": lambda d: [measured(lint_errors=0), measured(test_count=3)],
    "working_tests_failing": lambda d: [measured(tests_passed=9, test_count=9), measured(tests_passed=8, test_count=9)],
    "varied_failures": lambda d: [
        call("Edit", {"file_path": "a", "old_string": f"{n}", "new_string": "x"}, f"Error: `{n}` is not there", failed=True)
        for n in range(d.limit)
    ],
    "vanishing_tests": lambda d: [suite(d.limit + 1 - n) for n in range(d.limit + 1)],
}  # fmt: skip
