"""The log of Headway's own faults, shown by `headway doctor`.

The hook must never disturb the agent it watches: on a fault it stays silent and writes a line here. A line says what
failed and where in Headway, never what the agent was doing. Input of an agent that is not understood is logged here
too, once each, because it may come with every step.
"""

import os
import time

from headway.store.place import fault_logs, make_private, refuse_others

LARGEST = 256_000
"""Size in bytes after which the log is renamed to `faults.log.1`."""
NOT_UNDERSTOOD = "not understood: "
"""Prefix of lines about unexpected input of an agent."""


def note_fault(where: str, error: BaseException) -> None:
    """Log a fault; if the log cannot be written, do nothing."""
    _note(f" {where}: {describe(error)}")


def note_once(what: str, why: str = "") -> None:
    """Log something that may come with every step, unless the log already has it."""
    if not any(f" {what}" in line for line in read_faults()):
        _note(f" {what}{': ' if why else ''}{why}")


def _note(told: str) -> None:
    from headway.rolling.secrets import mask  # an error may quote what the agent did

    line = f"{time.strftime('%Y-%m-%dT%H:%M:%S')} pid={os.getpid()}{mask(told)}\n"
    for path in fault_logs():
        try:
            _append(path, line)
        except OSError:
            continue
        return


def describe(error: BaseException) -> str:
    """An error and its places in Headway, in one line."""
    places = []
    trace = error.__traceback__
    while trace is not None:
        file = os.path.basename(trace.tb_frame.f_code.co_filename)
        if not file.startswith("<frozen "):  # Python's own, as in an import
            places.append(f"{file}:{trace.tb_lineno}")
        trace = trace.tb_next
    text = " ".join(str(error).split())[:300]
    return f"{type(error).__name__}: {text} ({' '.join(places[-4:]) or 'no trace'})"


def read_faults() -> list[str]:
    """All lines of all logs, oldest first. A file of another user at the path of the second log is left out."""
    usual, spare = fault_logs()
    lines = _lines_of(usual)
    try:
        refuse_others(os.path.dirname(spare))
    except OSError:
        return sorted(lines)
    return sorted(lines + _lines_of(spare))


def _lines_of(path: str) -> list[str]:
    lines: list[str] = []
    for name in (path + ".1", path):
        try:
            with open(name, encoding="utf-8", errors="replace") as log:
                lines += log.read().splitlines()
        except OSError:
            continue
    return lines


def _append(path: str, line: str) -> None:
    folder = os.path.dirname(path)
    make_private(folder)
    if os.path.exists(path) and os.path.getsize(path) > LARGEST:
        os.replace(path, path + ".1")
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        os.write(descriptor, line.encode("utf-8", "replace"))
    finally:
        os.close(descriptor)
