"""Starts other processes of this program safely."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

_SAFE = "PYTHONSAFEPATH"


@contextmanager
def importing_nothing_here() -> Iterator[None]:
    """Prevent new processes from importing modules from the current folder, which may be untrusted.

    `multiprocessing` starts them with `python -c`, which searches the current folder first, even for standard modules.
    The variable is set only briefly, because a project's own tests may be started from this process too.
    """
    before = os.environ.get(_SAFE)
    os.environ[_SAFE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE]
        else:
            os.environ[_SAFE] = before
