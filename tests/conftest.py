"""What every test stands on."""

import gc
import logging
import os
import shutil
import signal
import sys
import tempfile
from contextlib import suppress

import pytest
from _pytest.runner import runtestprotocol

# A shell that starts the tests in the background has Ctrl-C ignored, and every program they start would inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Under `nohup` it is the hangup that is ignored.
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

MEMORY = "/dev/shm"
ROOM = 4 << 30  # bytes; the tests need a few hundred megabytes


def is_fit_for_tests(folder):
    """Whether programs may run in a folder, and it has room."""
    try:
        return shutil.disk_usage(folder).free > ROOM and not os.statvfs(folder).f_flag & os.ST_NOEXEC
    except (OSError, AttributeError):  # other systems have neither
        return False


# Thousands of times a test has to wait until a file is on the disk. In memory it need not. `TMPDIR=/tmp make test` uses the disk.
if "TMPDIR" not in os.environ and is_fit_for_tests(MEMORY):
    os.environ["TMPDIR"] = tempfile.tempdir = MEMORY

FUZZ = bool(os.environ.get("HEADWAY_FUZZ"))
with suppress(ImportError):  # the environments of frameworks have no Hypothesis
    from hypothesis import HealthCheck, settings

    # How long an example takes depends on what else the machine does; `make test` ends a test that hangs.
    no_clock = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    # `make test` makes the same examples every time. `make fuzz` makes new ones, and tells how to see a failure again.
    settings.register_profile("same", no_clock, derandomize=True, database=None, max_examples=40)
    settings.register_profile("fresh", no_clock, print_blob=True)
    settings.load_profile("fresh" if FUZZ else "same")


def examples(number):
    """So many examples in `make fuzz`, a quarter of them in `make test`."""
    return number if FUZZ else number // 4


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


@pytest.hookimpl(optionalhook=True)  # environments of frameworks have no xdist
def pytest_xdist_auto_num_workers():
    """What `-n auto` means: three processes for two cores, because a test often waits for a program or for a moment."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + cores // 2


def use_this_environment():
    """Projects without an environment of their own are measured with the tools that run these tests.

    Of pytest's plug-ins they need the one for coverage. To load all of ours takes longer than their tests do.
    """
    os.environ["VIRTUAL_ENV"] = sys.prefix
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ["PYTEST_PLUGINS"] = "pytest_cov.plugin"


@pytest.hookimpl(tryfirst=True)  # before those that are not asked for are left out
def pytest_collection_modifyitems(items):
    """A browser takes long: `make test` opens one for a test of each page, `make test-slow` for all others."""
    for item in items:
        if "chromium" in item.fixturenames and item.get_closest_marker("quick") is None:
            item.add_marker(pytest.mark.slow)


gc.disable()  # while tests are collected: it would look through thousands of them, and nothing is garbage yet


def pytest_collection_finish():
    """Spare the garbage collector the thousands of tests that stay until the end, and looking every few objects."""
    use_this_environment()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


class _Faults(logging.Handler):
    """Faults inside Headway, which are logged and answered with `continue`: in a test nobody would see them."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.seen = []

    def emit(self, record):
        self.seen.append(record.getMessage())


FAULTS = _Faults()
logging.getLogger("headway").addHandler(FAULTS)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item):
    """Fail a test in which a part of Headway failed, unless the test looks at what was logged.

    A fixture would say the same, but thousands of tests need no other one, and each would pay for it.
    """
    yield
    faults, FAULTS.seen = FAULTS.seen, []
    assert not faults or "caplog" in item.fixturenames, faults


class _ShortReports:
    """A process of xdist sends one report for a test that passes, in place of five: they cost more than most tests do."""

    def pytest_runtest_protocol(self, item, nextitem):
        setup, *call, teardown = runtestprotocol(item, log=False, nextitem=nextitem)
        for report in call:
            report.duration += setup.duration + teardown.duration
        for report in (setup, *call, teardown):
            if report.when == "call" or not report.passed:
                item.ihook.pytest_runtest_logreport(report=report)
        return True


def pytest_configure(config):
    """Know the processes that xdist starts."""
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(_ShortReports())
