"""One round of a work loop, and what was measured in it."""

import msgspec


class Measurements(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a round measured. `None` means that nobody looked, which is not the same as 0."""

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
    file_count: int | None = None
    loc_total: int | None = None
    complexity_score: float | None = None
    failing_tests: tuple[str, ...] | None = None


class Iteration(msgspec.Struct, frozen=True):
    """A finished round: number 0 is the baseline."""

    number: int
    output: str = ""
    measured: Measurements = Measurements()
