"""How other processes of this program are started."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

_SAFE = "PYTHONSAFEPATH"


@contextmanager
def importing_nothing_here() -> Iterator[None]:
    """While this lasts, new processes import nothing from the present folder, which may be a project of a stranger.

    `multiprocessing` starts them with `python -c`, which looks there first, even for modules of Python itself. The
    variable is set for that moment only: a project's own tests may be started from this process too.
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
