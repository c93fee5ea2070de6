"""What every test stands on."""

import signal
from contextlib import suppress

# A shell that starts the tests in the background has Ctrl-C ignored, and every program they start would inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

with suppress(ImportError):  # the environments of frameworks have no Hypothesis
    from hypothesis import settings

    # How long an example takes depends on what else the machine does; `make test` ends a test that hangs.
    settings.register_profile("no clock", deadline=None)
    settings.load_profile("no clock")
