"""Starts and ends the hook's process as fast as possible.

Nothing is imported here that could fail: even a broken installation must not disturb the agent that runs the hook. The
garbage collector has nothing to do in so short a time, and the regular exit of the interpreter takes longer than a
call.
"""

import gc
import os
import sys


def run(arguments: list[str], raw: bytes | None = None, id: str = "") -> None:
    """Answer one event, from stdin unless `raw` is given, and exit with 0 whatever happens."""
    gc.disable()
    try:
        _import_quickly()
        from headway.hosts.hook.call import main

        main(arguments, raw, id)
        sys.stdout.flush()
    except BaseException as error:
        _note(error)
    finally:
        os._exit(0)


def _import_quickly() -> None:
    try:
        from headway.hosts.hook.bytecode import find_quickly
    except ImportError:
        return  # this Python has other internals, and imports in its own way
    find_quickly()


def _note(error: BaseException) -> None:
    try:
        from headway.store.faults import note_fault

        note_fault("hook", error)
    except BaseException:  # noqa: S110, there is nothing left that could be done
        pass
