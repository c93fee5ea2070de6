"""One way of writing durations, for every option that takes one."""

import pytest

from headway.rolling.dates import seconds_in
from tests.command import headway


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("45s", 45), ("30m", 1800), ("1h30m", 5400), ("1.5h", 5400), ("7d", 604_800), ("1w", 604_800)],
)
def test_durations(text, seconds):
    assert seconds == seconds_in(text)


@pytest.mark.parametrize("text", ["", "soon", "2x", "0", "h", "-3", "1h x", "nan", "inf", "9" * 400])
def test_what_is_no_duration(text):
    with pytest.raises(ValueError, match="expected something like"):
        seconds_in(text)


@pytest.mark.parametrize(
    "command",
    [
        ("scan", "examples/recordings", "--fail-on", "never", "--since"),
        ("status", "--since"),
        ("probe", "--dry", "--timeout"),
        ("forget", "--older-than"),
    ],
    ids=lambda command: command[0],
)
@pytest.mark.parametrize("text", ["1h30m", "1w", "45s"])
def test_every_command_takes_the_same_durations(command, text, tmp_path):
    done = headway(*command, text, text=True, HEADWAY_STATE_DIR=str(tmp_path))
    assert "Invalid value" not in done.stderr and done.returncode in (0, 1), done.stderr


def test_watch_and_loop_take_them_too(tmp_path):
    for command in (("watch", "--since", "1w", "--every", "1m"), ("loop", "--for", "1w", "--round-timeout", "1h30m")):
        done = headway(*command, text=True, folder=tmp_path, HEADWAY_STATE_DIR=str(tmp_path))
        assert "Invalid value" not in done.stderr
    assert "Invalid value for '--every'" in headway("watch", "--every", "soon", text=True).stderr
