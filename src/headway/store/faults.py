"""Faults of Headway itself, noted where `headway doctor` finds them.

A hook must never disturb the agent it watches: it stays silent and leaves a line here instead. A line says what failed
and where in Headway, never what the agent was doing. What an agent sends that is not understood is noted here too, once
each, because it may come with every step.
"""

import os
import time

from headway.store.place import fault_logs, make_private

LARGEST = 256_000
"""Bytes after which the log is put aside as `faults.log.1`, over the one before."""
NOT_UNDERSTOOD = "not understood: "
"""How lines begin, after time and process, that tell of something no agent should have sent."""


def note_fault(where: str, error: BaseException) -> None:
    """Add one line about a fault; if even that is impossible, nothing is said."""
    _note(f" {where}: {describe(error)}")


def note_once(what: str, why: str = "") -> None:
    """Add one line about something that may come with every step, unless the log has one already."""
    if not any(f" {what}" in line for line in read_faults()):
        _note(f" {what}{': ' if why else ''}{why}")


def _note(told: str) -> None:
    from headway.rolling.secrets import mask  # what failed may quote what the agent did

    line = f"{time.strftime('%Y-%m-%dT%H:%M:%S')} pid={os.getpid()}{mask(told)}\n"
    for path in fault_logs():
        try:
            _append(path, line)
        except OSError:
            continue
        return


def describe(error: BaseException) -> str:
    """What failed and the places in Headway it came through, in one line."""
    places = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{os.path.basename(code.co_filename)}:{trace.tb_lineno}")
        trace = trace.tb_next
    text = " ".join(str(error).split())[:300]
    return f"{type(error).__name__}: {text} ({' '.join(places[-4:]) or 'no trace'})"


def read_faults() -> list[str]:
    """All lines of all logs, oldest first."""
    lines: list[str] = []
    for path in fault_logs():
        for name in (path + ".1", path):
            try:
                with open(name, encoding="utf-8", errors="replace") as log:
                    lines += log.read().splitlines()
            except OSError:
                continue
    return sorted(lines)


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
