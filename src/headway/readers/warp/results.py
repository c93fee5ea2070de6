"""The outcome of a call, as far as Warp's `task.proto` defines how to read it."""

from collections.abc import Callable

import msgspec

from headway.shapes.wire import Fields


class Outcome(msgspec.Struct, frozen=True):
    """The outcome of a call."""

    output: str = ""
    failed: bool | None = None
    exit_code: int | None = None
    denied: bool = False


def result_in(result: Fields) -> Outcome | None:
    """The outcome of a call; None if the record does not show it."""
    for number, read in _READ.items():
        if number in result:
            return read(result.message(number))
    return None


def _finished(done: Fields) -> Outcome:
    code = done.number(2)
    return Outcome(done.text(1), None, code if -(2**31) <= code < 2**31 else None)


def _command(snapshot: int, finished: int, error: int) -> Callable[[Fields], Outcome | None]:
    """A command that is still running, has finished, or does not exist."""

    def read(result: Fields) -> Outcome | None:
        if finished in result:
            return _finished(result.message(finished))
        if snapshot in result:
            return Outcome(result.message(snapshot).text(1), False)
        return Outcome("", True) if error in result else None

    return read


def _run(result: Fields) -> Outcome | None:
    if 6 in result:
        return Outcome("the command is on the list of those that are denied", True, denied=True)
    if 1 in result or 2 in result:  # before results were told apart
        return _finished(result)
    return _command(4, 5, 7)(result)


def _either(success: Callable[[Fields], str]) -> Callable[[Fields], Outcome | None]:
    """A success, or an error with its message."""

    def read(result: Fields) -> Outcome | None:
        if 2 in result:
            return Outcome(result.message(2).text(1), True)
        return Outcome(success(result.message(1)), False) if 1 in result else None

    return read


def _files(found: Fields) -> str:
    return "\n".join(f"{file.text(1)}\n{file.text(2)}" for file in found.messages(1))


def _read_files(result: Fields) -> Outcome | None:
    if 3 in result:
        files = [file.message(6) for file in result.message(3).messages(1)]
        return Outcome("\n".join(f"{file.text(1)}\n{file.text(2)}" for file in files), False)
    return _either(_files)(result)


def _updated(found: Fields) -> str:
    files = [file.message(1) for file in found.messages(2)] or found.messages(1)
    gone = [f"{file.text(1)} (deleted)" for file in found.messages(3)]
    return "\n".join([*(f"{file.text(1)}\n{file.text(2)}" for file in files), *gone])


def _matches(found: Fields) -> str:
    files = [(file.text(1), file.messages(2)) for file in found.messages(1)]
    return "\n".join(f"{path}:{line.number(1)}" for path, lines in files for line in lines)


def _tool(found: Fields) -> str:
    return "\n".join(part.message(1).text(1) for part in found.messages(1))


_READ: dict[int, Callable[[Fields], Outcome | None]] = {
    2: _run,
    3: _either(_files),
    4: lambda result: Outcome(result.text(1)) if result.text(1) else None,
    5: _read_files,
    6: _either(_updated),
    9: _either(_matches),
    10: _either(lambda found: found.text(1)),
    14: lambda _: Outcome("cancelled", True, denied=True),
    15: _either(lambda found: "\n".join(part.message(2).text(1) for part in found.messages(1))),
    16: _either(_tool),
    17: _command(1, 2, 3),
    19: _either(lambda found: "\n".join(file.text(1) for file in found.messages(1))),
    23: lambda result: Outcome(result.text(1)) if result.text(1) else None,
    27: _command(2, 3, 4),
}
"""By the numbers of the results. The content of other results is not read."""
