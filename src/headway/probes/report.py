"""Runs a plan: its command, then the parser of its report."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from headway.core.iteration import Measurements
from headway.probes.command import MOST_OUTPUT, CommandResult, run_command, shown
from headway.probes.not_loaded import not_loaded
from headway.probes.probe import REPORTS, Plan, ProbeError, Reading, Where

MAX_REPORT_BYTES: Final = 64_000_000
TESTS: Final = "tests"
"""The name of plans that run the project's tests."""
_CLOCKS_DIFFER = 2.0
"""Seconds by which a file system's clock may be behind ours, or coarser."""

Reader = Callable[[Path], Measurements]


def read_report(plan: Plan, where: Where, parse: Callable[[bytes], Measurements]) -> Reading:
    """Run the plan's command and parse its report, read into memory."""
    if plan.report in (None, "-"):
        return read_printed(plan, where, lambda ran: parse(ran.output))
    return read_file(plan, where, lambda path: parse(_content(path)))


def read_printed(plan: Plan, where: Where, parse: Callable[[CommandResult], Measurements]) -> Reading:
    """Run the plan's command and parse its output."""

    def measure(ran: CommandResult) -> Measurements:
        if plan.report == "-" and ran.clipped:
            raise ProbeError(f"it printed more than {MAX_REPORT_BYTES} bytes")
        return parse(ran)

    return _reading(plan, where, measure)


def read_file(plan: Plan, where: Where, parse: Reader) -> Reading:
    """Run the plan's command and parse the file that it wrote."""
    began = time.time()

    def measure(ran: CommandResult) -> Measurements:
        path = where.folder / _filled(str(plan.report), str(where.reports))
        if not path.is_file():
            raise ProbeError(_error_line(ran, f"{plan.report} was not written"))
        if plan.command and path.stat().st_mtime < began - _CLOCKS_DIFFER:
            raise ProbeError(f"{plan.report} is older than this run, which did not update it")
        try:
            return parse(path)
        except ProbeError as error:
            raise ProbeError(f"{plan.report}: {error}") from error

    return _reading(plan, where, measure)


def _reading(plan: Plan, where: Where, measure: Callable[[CommandResult], Measurements]) -> Reading:
    ran = _run_plan(plan, where)
    measured, reason = Measurements(), None
    try:
        _check(plan, ran)
        measured = measure(ran)
    except (ProbeError, OSError) as error:
        reason = str(error)
        measured = (not_loaded(ran.output, where.folder) if plan.name == TESTS else None) or measured
    if plan.name == TESTS and plan.command is not None:
        fault = reason if measured.tests_passed is None and measured.tests_failed is None else None
        measured = msgspec.structs.replace(measured, tests_exit_code=ran.exit_code, tests_fault=fault)
    return Reading(probe=plan.probe, measured=measured, how=how(plan, where), reason=reason, seconds=ran.seconds)


def how(plan: Plan, where: Where) -> str:
    """The command as a user would run it in the project, or the report that is read without one."""
    if plan.command is None:
        return f"read {plan.report}"
    command = plan.command
    if not isinstance(command, str):
        command = tuple(word.replace(REPORTS, "@reports@") for word in command)  # braces would be quoted
    return shown(command).replace("@reports@", REPORTS).replace(f"{where.folder}/", "")


def _run_plan(plan: Plan, where: Where) -> CommandResult:
    if plan.command is None:
        return CommandResult(exit_code=0)
    reports, command = str(where.reports), plan.command
    return run_command(
        _filled(command, reports) if isinstance(command, str) else tuple(_filled(word, reports) for word in command),
        where.folder,
        where.timeout,
        env={name: _filled(value, reports) for name, value in plan.env.items()},
        errors_apart=plan.report == "-",
        most=MAX_REPORT_BYTES if plan.report == "-" else MOST_OUTPUT,
    )


def _filled(text: str, reports: str) -> str:
    return text.replace(REPORTS, reports)


def _check(plan: Plan, ran: CommandResult) -> None:
    """Refuse the report of a tool that failed."""
    if ran.fault:
        raise ProbeError(_error_line(ran, ran.fault))
    if ran.exit_code in plan.faults:
        raise ProbeError(_error_line(ran, f"exited with {ran.exit_code}, which means that the tool itself failed"))


def _error_line(ran: CommandResult, what: str) -> str:
    """What went wrong, with the last line of output that mentions an error, or else the last line."""
    printed = (ran.errors.strip() or ran.output.strip()).decode("utf-8", "replace")
    lines = [line.strip()[:200] for line in printed[-20_000:].splitlines() if line.strip()]
    last = next((line for line in reversed(lines) if "error" in line.lower()), lines[-1] if lines else "")
    exit_code = f" (exit code {ran.exit_code})" if ran.exit_code and str(ran.exit_code) not in what else ""
    return f"{what}{exit_code}: {last}" if last else f"{what}{exit_code}"


def _content(path: Path) -> bytes:
    size = path.stat().st_size
    if size > MAX_REPORT_BYTES:
        raise ProbeError(f"{size} bytes; at most {MAX_REPORT_BYTES} are read")
    return path.read_bytes()
