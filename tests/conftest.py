"""What every test stands on."""

import os
import shutil
import signal
from contextlib import suppress

import pytest

# A shell that starts the tests in the background has Ctrl-C ignored, and every program they start would inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

with suppress(ImportError):  # the environments of frameworks have no Hypothesis
    from hypothesis import settings

    # How long an example takes depends on what else the machine does; `make test` ends a test that hangs.
    settings.register_profile("no clock", deadline=None)
    settings.load_profile("no clock")

LONG = "x" * 250
"""A name that is nearly as long as names may be."""


@pytest.fixture
def too_deep(tmp_path):
    """A folder that even the super-user cannot look into by its path, which is longer than paths may be."""
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(18):
        os.mkdir(LONG, dir_fd=here)
        below = os.open(LONG, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    yield tmp_path
    shutil.rmtree(tmp_path / LONG)
