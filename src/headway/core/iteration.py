"""One round of a work loop: its output, its measurements and their assessment."""

from typing import Literal

import msgspec

Verdict = Literal["baseline", "forward", "plateau", "regression", "stalled"]
_NOT_AMOUNTS = {
    "build_status", "failing_tests", "skipped_tests", "passing_tests", "added_tests", "removed_tests", "flaky_tests",
    "tests_exit_code", "tests_fault", "changed_measure", "rewritten_tests",
}  # fmt: skip

_BUILD = {
    "success": ("success", "succeeded", "successful", "pass", "passed", "passing", "ok", "green", "true"),
    "failure": ("failure", "fail", "failed", "failing", "error", "errored", "broken", "red", "false"),
}
_BUILD_STATUS = {spelling: status for status, spellings in _BUILD.items() for spelling in spellings}


class Measurements(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The measurements of a round. `None` means not measured, which is not the same as 0."""

    test_count: int | None = None
    tests_passed: int | None = None
    tests_failed: int | None = None
    tests_skipped: int | None = None
    coverage_percentage: float | None = None
    coverage_lines_covered: int | None = None
    coverage_lines_total: int | None = None
    lint_errors: int | None = None
    lint_warnings: int | None = None
    type_errors: int | None = None
    error_count: int | None = None
    build_status: str | None = None
    """"success" or "failure". Other spellings are turned into these: "passed", "ok", True; "failed", "error", False."""
    file_count: int | None = None
    """The number of source files."""
    loc_total: int | None = None
    complexity_score: float | None = None
    failing_tests: tuple[str, ...] | None = None
    skipped_tests: tuple[str, ...] | None = None
    passing_tests: tuple[str, ...] | None = None
    """The ids of all tests that passed; None if the runner names only those that failed."""
    added_tests: tuple[str, ...] | None = None
    """Failing tests that are new since the baseline; looked for only if the runner does not name passing tests."""
    removed_tests: tuple[str, ...] | None = None
    """Tests that failed in an earlier round and that no file names any longer; looked for in the same case."""
    flaky_tests: tuple[str, ...] | None = None
    """Tests that both passed and failed on the same files: one failure says nothing about a round."""
    tests_exit_code: int | None = None
    """Exit code of the test command; negative if a signal ended it."""
    tests_fault: str | None = None
    """Why the tests gave no result, if they were run: "killed after 600 s"."""
    changed_measure: tuple[str, ...] | None = None
    """Files that affect how a round is measured and that have changed since the baseline."""
    rewritten_tests: tuple[str, ...] | None = None
    """Tests that pass, but fail with the tests and settings of the baseline."""

    def __post_init__(self) -> None:
        if self.build_status is not None:
            msgspec.structs.force_setattr(self, "build_status", _build_status(self.build_status))
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if value is None or name in _NOT_AMOUNTS:
                continue
            highest = 100 if name == "coverage_percentage" else 2**53
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not is_number or not 0 <= value <= highest:  # also rejects NaN
                raise ValueError(
                    f"Measurements.{name} must be a number from 0 to {highest}, or None; not {value!r:.40}"
                )

    @property
    def tests_run(self) -> int | None:
        """How many tests really ran, without those that were skipped or expected to fail."""
        if self.tests_passed is not None and self.tests_failed is not None:
            return self.tests_passed + self.tests_failed
        return None if self.test_count is None else max(0, self.test_count - (self.tests_skipped or 0))

    @property
    def pass_rate(self) -> float | None:
        """Passed tests in percent of those that ran; 0 if there are tests and none of them ran."""
        ran = self.tests_run
        if self.tests_passed is None or ran is None:
            return None
        if ran == 0:
            return 0.0 if self.test_count else None
        return 100.0 * self.tests_passed / ran

    @property
    def errors(self) -> int | None:
        """The error count; if it was not given, lint and type errors together."""
        return sum(self.error_parts.values()) if self.error_parts else None

    @property
    def error_parts(self) -> dict[str, int]:
        """What the error count is made of. Only equal parts of two rounds can be compared."""
        if self.error_count is not None:
            return {"error count": self.error_count}
        parts = {"lint errors": self.lint_errors, "type errors": self.type_errors}
        return {name: count for name, count in parts.items() if count is not None}

    def errors_since(self, before: "Measurements") -> int | None:
        """By how much the errors increased that both rounds measured; None if there are none."""
        ours, theirs = self.error_parts, before.error_parts
        shared = ours.keys() & theirs.keys()
        return sum(ours[name] - theirs[name] for name in shared) if shared else None

    @property
    def all_passed(self) -> bool:
        """Tests ran, every one of them passed, and the test command itself succeeded."""
        return self.pass_rate == 100.0 and not self.tests_exit_code

    @property
    def fails_outside_tests(self) -> bool:
        """The test command failed, although none of the tests it names did."""
        return bool(self.tests_exit_code) and self.pass_rate == 100.0


def _build_status(given: object) -> str:
    status = _BUILD_STATUS.get(str(given).strip().lower()) if isinstance(given, (str, bool)) else None
    if status is None:
        raise ValueError(
            "Measurements.build_status must be 'success' or 'failure' (also 'passed' or 'failed', True or False), "
            f"or None if not measured; not {given!r:.40}"
        )
    return status


class FileChanges(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a round changed in the project's files."""

    lines: int = 0
    """Lines added and removed, each once."""
    files: dict[str, str] = {}
    """An id of each changed file's content after the round, equal for equal content; empty if it was deleted."""


class ScorePart(msgspec.Struct, frozen=True):
    """One part of a score."""

    name: str
    weight: float
    """Its share of the whole, after the weight of unmeasured parts has been redistributed."""
    score: float


class Score(msgspec.Struct, frozen=True):
    """A weighted score between 0 and 1, and what it rests on."""

    value: float
    parts: tuple[ScorePart, ...] = ()
    components: tuple[str, ...] = ()
    """Everything that was measured for it; two scores can be compared when these are equal."""


class SuiteChanges(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How the tests changed between two rounds, by id."""

    fixed: tuple[str, ...] = ()
    """Failed before, pass now."""
    broken: tuple[str, ...] = ()
    """Passed before, fail now."""
    gone: tuple[str, ...] = ()
    """Were run before and are no longer there, those that failed first. A test that moved is not gone."""
    silenced: tuple[str, ...] = ()
    """Were run before and are skipped now."""
    new: tuple[str, ...] = ()
    """Pass, and were not there before."""
    new_failing: tuple[str, ...] = ()
    """Fail, and were not there before."""
    lost: int = 0
    """Working tests that are surely lost: broken, or gone and not replaced."""
    unsure: tuple[str, ...] = ()
    """Tests that may be lost: a broken test cannot be told from a new one, or a dropped test from a renamed one."""
    gone_failing: int = 0
    """How many of those that are gone failed before."""
    rewritten: tuple[str, ...] = ()
    """Passed before and pass now, but no longer with the tests and settings of the baseline."""

    @property
    def failed_and_gone(self) -> tuple[str, ...]:
        """Failed before, and are no longer there."""
        return self.gone[: self.gone_failing]

    @property
    def passed_and_gone(self) -> tuple[str, ...]:
        """Passed before, and are no longer there."""
        return self.gone[self.gone_failing :]

    @property
    def lost_tests(self) -> tuple[str, ...]:
        """The names of those that are surely lost, as far as they are known."""
        return self.broken if self.unsure else (*self.broken, *self.passed_and_gone)

    @property
    def is_clear_gain(self) -> bool:
        """At least two tests were fixed for each one that was, or may have been, lost. New tests fix nothing."""
        return len(self.fixed) >= 2 * max(1, self.lost + len(self.unsure) + len(self.rewritten))


class Deltas(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Differences between two rounds; `None` if one of them was not measured. Rates and coverage are in points."""

    test_count_delta: int | None = None
    tests_run_delta: int | None = None
    """Of those that really ran; skipped ones did not."""
    tests_silenced: int | None = None
    """Tests that ran before and are skipped now; where passing tests have no names, those that failed before."""
    tests_passed_delta: int | None = None
    pass_rate_delta: float | None = None
    coverage_delta: float | None = None
    error_count_delta: int | None = None
    file_count_delta: int | None = None
    loc_delta: float | None = None
    """Relative: 0.5 is half as much again."""
    complexity_delta: float | None = None
    """Relative as well."""
    suite: SuiteChanges | None = None
    """The tests by name; None if the names of failing tests are not known."""


class Iteration(msgspec.Struct, frozen=True, kw_only=True):
    """A finished round: number 0 is the baseline."""

    number: int
    """Place of the round in its loop; 0 is the baseline."""
    output: str | None = None
    """The output of the agent; None if unknown."""
    measured: Measurements = Measurements()
    """What was measured after it."""
    changes: FileChanges | None = None
    """The file changes of the round; None if unknown."""
    based_on: int | None = None
    """The round it began from: the previous one, or the one that a rollback restored."""
    snapshot: str | None = None
    """The name of the snapshot of its files, if there is one."""
    at: float | None = None
    """When it ended, in seconds since the epoch."""
    progress: Score | None = None
    """The progress score; None if unknown."""
    quality: Score | None = None
    """The quality score; None if nothing that shows quality was measured."""
    proven: Score | None = None
    """The same score without what the round may have made up: new tests beside failing ones, changed settings. The
    best round and a target quality rest on it. None if the round was scored by an earlier version."""
    set_aside: tuple[str, ...] = ()
    """What `proven` leaves out, in words: "without 40 new tests"."""
    verdict: Verdict = "baseline"
    """The assessment: baseline, forward, plateau, regression or stalled."""
    mixed: bool = False
    """Some things got better and others worse."""
    from_previous: Deltas | None = None
    """How its measurements differ from those of the round it began from."""
    from_baseline: Deltas | None = None
    """How they differ from the baseline's."""

    @property
    def began_from(self) -> int:
        """The number of the round that it began from; the previous one if `based_on` is not set."""
        return self.number - 1 if self.based_on is None else self.based_on
