import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.rolling.normalise import MEASURES, RESULTS, normalise, normalise_error

SAME = {
    "timestamps": ("at 2026-01-02T03:04:05.123Z", "at 2025-11-12T13:14:15.999+01:00"),
    "dates": ("on 2026-01-02", "on 2025/12/30"),
    "log times": ("2026-01-02 03:04:05,123 INFO", "2026-01-02 03:04:06,456 INFO"),
    "clock times": ("12:30:11 start", "13:01:59.5 start"),
    "clock times of UTC": ("12:30:11.123Z start", "13:01:59Z start"),
    "mail dates": ("Date: Mon, 12 Jan 2026 10:11:12 GMT", "Date: Tue, 13 Jan 2026 08:01:02 GMT"),
    "durations": ("passed in 1.23s", "passed in 0.9s"),
    "minutes": ("took 3m12s", "took 1m 2.5s"),
    "milliseconds": ("45.3 ms", "7 ms"),
    "uuids": ("id 550e8400-e29b-41d4-a716-446655440000", "id 123e4567-e89b-12d3-a456-426614174000"),
    "commit hashes": ("HEAD is now at a1b2c3d4", "HEAD is now at 99ffe01c"),
    "hashes with one letter, in front": ("request f0973062 done", "request 9081cd16 done"),
    "addresses": ("<Foo object at 0x7f3e701bda80>", "<Foo object at 0x55d1c0ffee00>"),
    "network addresses": ("connect 127.0.0.1:8080", "connect 10.0.0.7:9999"),
    "ports": ("http://localhost:8123/x", "http://localhost:9000/x"),
    "process ids": ("worker pid=123 died", "worker pid=99841 died"),
    "temporary paths": ("in /tmp/pytest-of-me/pytest-3/f0", "in /tmp/tmpab12cd/x"),
    "absolute paths": ("/home/ann/p/app/main.py: bad", "/Users/bob/src/app/main.py: bad"),
    "windows paths": ("C:\\Users\\me\\main.py: bad", "D:\\work\\main.py: bad"),
    "line numbers": ('File "x.py", line 12, in f', 'File "x.py", line 340, in f'),
    "line and column": ("main.c:12:5: error", "main.c:99:1: error"),
    "progress": ("[=====>     ] 45%", "[=========> ] 85.5%"),
    "blocks": ("███████░░░ 70%", "██░░░░░░░░ 20%"),
    "colours": ("\x1b[31mred\x1b[0m", "red"),
    "blanks": ("a   b", "a b"),
    "big numbers": ("job 1700000000123", "job 1700000999999"),
}


@pytest.mark.parametrize("pair", SAME.values(), ids=SAME)
def test_accidents_are_taken_out(pair):
    one, other = pair
    assert normalise(one) == normalise(other)


DIFFERENT = {
    "counts": ("3 failed, 2 passed", "2 failed, 3 passed"),
    "values": ("expected 3 got 4", "expected 3 got 5"),
    "names": ("no module named foo", "no module named bar"),
    "file names": ("/home/a/x.py: bad", "/home/a/y.py: bad"),
    "relative paths": ("src/a/x.py", "src/b/x.py"),
    "versions": ("requires v1.2.3", "requires v1.3.0"),
    "words that look like hashes": ("defaced", "effaced"),
    "exit codes": ("exit code 1", "exit code 2"),
    "urls": ("https://example.org/a/b", "https://example.org/a/c"),
}


@pytest.mark.parametrize("pair", DIFFERENT.values(), ids=DIFFERENT)
def test_what_says_something_is_left_alone(pair):
    one, other = pair
    assert normalise(one) != normalise(other)


def test_numbers_that_may_be_wanted_are_kept_on_request():
    text = "a.py:12: 83% in 0.31s, line 7, 10:00:00"
    assert "a.py:<place>: <percent> in <duration>, line <place>, <time>" == normalise(text)
    assert "a.py:12: 83% in <duration>, line 7, <time>" == normalise(text, RESULTS)
    assert "a.py:12: 83% in 0.31s, line 7, <time>" == normalise(text, MEASURES)


def test_an_error_signature_is_one_line():
    message = "  Error in /a/b/c.py:3\n\n   at 10:00:00   x "
    assert "Error in c.py:<place> at <time> x" == normalise_error(message)


@given(st.text())
def test_any_text_is_taken(text):
    assert isinstance(normalise(text), str)


@pytest.mark.parametrize("piece", ["a", "/", "1", "/a", "1.", "a1", ": ", "[=", "\x1b[", "12:", "-0", "1 ", "f0-"])
def test_the_cost_grows_with_the_length_only(piece):
    """No text makes it slow: four times the length takes about four times as long."""

    def cost(size):
        text = piece * (size // len(piece))
        return min(_timed(text) for _ in range(3))

    assert cost(80_000) < 12 * cost(20_000) + 0.01


def _timed(text):
    start = time.process_time()
    normalise(text)
    return time.process_time() - start
