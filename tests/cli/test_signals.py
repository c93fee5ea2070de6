import signal

import pytest

from headway.cli.app import ended_by_signals


@pytest.fixture(params=[signal.SIGTERM, signal.SIGHUP])
def number(request):
    before = signal.getsignal(request.param)
    yield request.param
    signal.signal(request.param, before)


def test_a_termination_signal_is_like_ctrl_c(number):
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt), ended_by_signals():
        signal.raise_signal(number)
    assert before == signal.getsignal(number)


def test_an_ignored_signal_stays_ignored(number):
    """`nohup` starts a program so."""
    signal.signal(number, signal.SIG_IGN)
    with ended_by_signals():
        signal.raise_signal(number)
    assert signal.SIG_IGN == signal.getsignal(number)
