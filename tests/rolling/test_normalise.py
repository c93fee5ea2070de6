import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.rolling.normalise import asks_for_id, digest, normalise, normalise_error
from tests.cost import grows_with_its_length_only

SAME = {
    "timestamps": ("at 2026-01-02T03:04:05.123Z", "at 2025-11-12T13:14:15.999+01:00"),
    "log times": ("2026-01-02 03:04:05,123 INFO", "2026-01-02 03:04:06,456 INFO"),
    "compact timestamps": ("built 20260102T030405Z", "built 20260102T030999Z"),
    "clock times": ("12:30:11 start", "13:01:59.5 start"),
    "mail dates": ("Date: Mon, 12 Jan 2026 10:11:12 GMT", "Date: Tue, 13 Jan 2026 08:01:02 GMT"),
    "seconds since 1970": ("sent at 1700000000", "sent at 1700000999"),
    "milliseconds since 1970": ("timestamp=1700000000123 ok", "timestamp=1700000999999 ok"),
    "how long it took": ("5 passed in 1.23s", "5 passed in 0.9s"),
    "minutes it took": ("finished, took 3m 12s", "finished, took 1m 2.5s"),
    "time in brackets": ("test_a (0.31s) ok", "test_a (0.42s) ok"),
    "what time prints": ("ok\nreal\t0m0.312s", "ok\nreal\t0m1.002s"),
    "how long ago": ("last commit 3 min ago", "last commit 14 min ago"),
    "a minute ago": ("pushed about a minute ago", "pushed an hour ago"),
    "how long it has been up": ("web  Up 5 minutes", "web  Up 2 hours"),
    "uuids": ("id 550e8400-e29b-41d4-a716-446655440000", "id 123e4567-e89b-12d3-a456-426614174000"),
    "ids without dashes": ("id a1b2c3d4e5f60718293a4b5c6d7e8f90", "id 99ffe01c5f60718293a4b5c6d7e8f9a1"),
    "a session as long as a digest": (f"version 3, session {'a1' * 20}", f"version 3, session {'b2' * 20}"),
    "a token in JSON": (f'{{"hash": 1, "token": "{"a1" * 32}"}}', f'{{"hash": 1, "token": "{"b2" * 32}"}}'),
    "fine seconds since 1970": ("seen 1763545512.123, none left", "seen 1763545519.456, none left"),
    "fine seconds in JSON": ('{"left": 0, "seen": 1763545512.123}', '{"left": 0, "seen": 1763545519.4561}'),
    "days in a log": ("Jan 02 10:00:01 web: up", "Jan 13 11:00:01 web: up"),
    "how long until it was given up": ("no answer, timeout after 30.013s", "no answer, timeout after 30.021s"),
    "request ids": ("ok req_011CSHoEeqs5C35K2UUqR7Fy", "ok req_0a9XkQv2Lm7Tz81Bd4"),
    "addresses in memory": ("<Foo object at 0x7f3e701bda80>", "<Foo object at 0x55d1c0ffee00>"),
    "process ids": ("worker pid=123 ready", "worker pid=99841 ready"),
    "process ids of a log": ("sshd[4711]: ok", "sshd[815]: ok"),
    "background jobs": ("started\n[1] 4711", "started\n[1] 815"),
    "random temporary names": ("in /tmp/pytest-of-me/pytest-3/f0", "in /tmp/pytest-of-me/pytest-14/f0"),
    "made by mktemp": ("in /tmp/tmp.Ab12Cd34Ef/x", "in /tmp/tmp.Zz98Yy76Xx/x"),
    "the process list shows itself": (
        "ann  12  0.0  0.1  9312  2304 pts/0 S  09:00  0:07 web\nann  4711  0.0  0.1  9312  2304 pts/0 S+  10:00  0:00 grep web",
        "ann  12  0.0  0.1  9312  2304 pts/0 S  09:00  0:07 web\nann  4815  0.0  0.1  9312  2436 pts/0 S+  10:01  0:00 grep web",
    ),
    "colours": ("\x1b[31mred 1\x1b[0m", "red 1"),
    "order of keys": ('{"a": 1, "b": [1, 2]}', '{ "b": [1,2], "a": 1 }'),
    "times in JSON": ('{"state": "up", "at": "2026-01-02T03:04:05Z"}', '{"state": "up", "at": "2026-01-02T09:04:05Z"}'),
    "numbers of times in JSON": ('{"state": "up", "now": 1700000000}', '{"state": "up", "now": 1700000123}'),
    "ids of requests in JSON": ('{"state": "up", "requestId": "x1"}', '{"state": "up", "requestId": "x2"}'),
    "an empty answer with an id": ('{"request_id": "a1", "orders": []}', '{"request_id": "b2", "orders": []}'),
    "how long it took, in JSON": ('{"state": "up", "elapsed_ms": 31}', '{"state": "up", "elapsed_ms": 44}'),
}


@pytest.mark.parametrize("pair", SAME.values(), ids=SAME)
def test_accidents_of_the_run_are_set_aside(pair):
    one, other = pair
    assert normalise(one) == normalise(other)


DIFFERENT = {
    "counts": ("3 failed, 2 passed", "2 failed, 3 passed"),
    "balances": ('{"id":1,"balance":51}', '{"id":2,"balance":68}'),
    "percentages": ("progress 7 %", "progress 14 %"),
    "accuracies": ("accuracy: 83.1%", "accuracy: 84.0%"),
    "iterations": ("iter:50/1000 loss:0.31", "iter:100/1000 loss:0.29"),
    "places": ("player at (1,3)", "player at (2,3)"),
    "rows": ("row 7: ok", "row 8: ok"),
    "lines": ("a.py:12: def f", "a.py:14: def f"),
    "network addresses": ("www.example.org A 93.184.216.34", "www.example.org A 93.184.216.35"),
    "ports": ("listening on localhost:8123", "listening on localhost:9000"),
    "sizes": ('{"size": 10485760}', '{"size": 10485999}'),
    "counts of a query": ('[{"count":500}]', '[{"count":501}]'),
    "dates": ("next on 2026-01-02", "next on 2026-01-03"),
    "measured durations": ("mean 0.31 s", "mean 0.35 s"),
    "latencies": ("time_total: 0.234 size: 512", "time_total: 0.301 size: 512"),
    "progress bars": ("[=====>     ]", "[=========> ]"),
    "machine paths": ("/home/ann/p/app/main.py", "/home/bob/src/app/main.py"),
    "named temporary files": ("/tmp/report1.txt", "/tmp/report2.txt"),
    "digests": ("sha a1b2c3d4e5f60718293a4b5c6d7e8f90", "sha 99ffe01c5f60718293a4b5c6d7e8f9a1"),
    "commits": (f"merged {'a1' * 20} into main", f"merged {'b2' * 20} into main"),
    "digests of images": (f"pulled app@sha256:{'a1' * 32}", f"pulled app@sha256:{'b2' * 32}"),
    "tags of pages": ('etag: W/"a1b2c3d4e5f607182"\nok', 'etag: W/"99ffe01c5f607182a"\nok'),
    "versions in JSON": (f'{{"up": true, "version": "{"a1" * 16}"}}', f'{{"up": true, "version": "{"b2" * 16}"}}'),
    "a session and its commit": (f"session a1b2 commit {'a1' * 10}", f"session a1b2 commit {'b2' * 10}"),
    "nothing but how long it took": ("took 0.31 s", "took 0.42 s"),
    "dates of files": ("Nov 16 09:14 a.bin", "Nov 16 09:15 a.bin"),
    "short hashes": ("HEAD is now at a1b2c3d", "HEAD is now at 99ffe01"),
    "nothing but a time": ("Mon Nov 16 13:04:05 UTC 2026", "Mon Nov 16 13:09:11 UTC 2026"),
    "nothing but an id": ("550e8400-e29b-41d4-a716-446655440000", "123e4567-e89b-12d3-a456-426614174000"),
    "nothing but an id in JSON": ('{"request_id": "a1"}', '{"request_id": "b2"}'),
    "indentation": ("a\n  b 1", "a\n    b 1"),
    "numbers in JSON": ('{"temperature": 21.4}', '{"temperature": 21.5}'),
    "JSON of another type": ('{"n": 1}', '{"n": "1"}'),
    "registers": ("eax = 0x01000000", "eax = 0x02000000"),
    "sizes in the range of times": ("1612345678 model.bin", "1712345678 model.bin"),
    "counts in the range of times": ('{"rows": 1612345678}', '{"rows": 1712345678}'),
    "places in a list": ("arr[100] = 0", "arr[101] = 0"),
    "numbers of issues": ("[1230] Fix the login", "[1231] Fix the login"),
    "numbered parts": ("wrote /tmp/part.000001", "wrote /tmp/part.000002"),
    "names with numbers": ("next is call_handler_001", "next is call_handler_002"),
    "numbers of requests": ("request 12345671 approved", "request 12345672 approved"),
    "hardware addresses": ("hwaddr 00:16:31:aa:bb:01", "hwaddr 00:16:32:aa:bb:01"),
    "prices that go up": ("Stock ACME up 1 m", "Stock ACME up 2 m"),
    "arrivals": ("Bus 12 arrives in 1 minutes", "Bus 12 arrives in 2 minutes"),
    "lengths of ways": ("Route via A1 (21 min)", "Route via A1 (24 min)"),
    "batches": ("Process 1 of 9 batches", "Process 2 of 9 batches"),
    "counters of a chain": ('{"address": "bob", "nonce": 0}', '{"address": "bob", "nonce": 1}'),
    "lengths of tracks": ('{"title": "A", "duration": 180}', '{"title": "A", "duration": 181}'),
    "samples of a benchmark": ("time: [10.1 ms 10.2 ms]\nfast", "time: [10.4 ms 10.6 ms]\nfast"),
}


@pytest.mark.parametrize("pair", DIFFERENT.values(), ids=DIFFERENT)
def test_every_other_number_is_content(pair):
    one, other = pair
    assert normalise(one) != normalise(other)


def test_an_id_may_be_what_was_asked_for():
    one, other = (f"claimed task {n * 8}-e29b-41d4-a716-446655440000, request id 7f3e701bda8{n}" for n in "12")
    assert normalise(one) == normalise(other)
    assert normalise(one, ids=False) != normalise(other, ids=False)
    assert normalise(one.replace("1" * 8, "x"), ids=False) == normalise(other.replace("2" * 8, "x"), ids=False)


def test_how_long_something_took_may_be_what_was_asked_for():
    one, other = "took 1.5 s\nready", "took 1.7 s\nready"
    assert normalise(one) == normalise(other)
    assert normalise(one, "none") != normalise(other, "none")


def test_some_calls_ask_for_an_id():
    assert all(
        map(asks_for_id, ("openssl dgst -sha256 f", "https://shop.example/version", "git rev-parse HEAD", "md5sum f"))
    )
    assert not any(map(asks_for_id, ("https://shop.example/shade", "./deploy plan", "get_revenue")))


SAME_ERROR = {
    "days in a log": ("Jan 02 10:00:01 web: no device", "Jan 13 11:00:01 web: no device"),
    "fine seconds since 1970": ("denied (at 1763545512.1)", "denied (at 1763545519.4561)"),
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
    "request ids": ("failed, req_011CSHoEeqs5C35K2UUqR7Fy", "failed, req_0a9XkQv2Lm7Tz81Bd4"),
    "request ids of AWS": ("denied (Request ID: 4442587FB7D0A2F9)", "denied (Request ID: 79104EXAMPLEB723)"),
    "big numbers": ("job 1700000000123", "job 1700000999999"),
}


@pytest.mark.parametrize("pair", SAME_ERROR.values(), ids=SAME_ERROR)
def test_accidents_and_places_are_taken_out_of_errors(pair):
    one, other = pair
    assert normalise_error(one) == normalise_error(other)


DIFFERENT_ERROR = {
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


@pytest.mark.parametrize("pair", DIFFERENT_ERROR.values(), ids=DIFFERENT_ERROR)
def test_errors_that_say_something_else_stay_apart(pair):
    one, other = pair
    assert normalise_error(one) != normalise_error(other)


def test_an_error_signature_is_one_line():
    message = "  Error in /a/b/c.py:3\n\n   at 10:00:00   x "
    assert "Error in c.py:<place> at <time> x" == normalise_error(message)


@given(st.text())
def test_any_text_is_taken(text):
    assert isinstance(normalise(text), str) and isinstance(normalise_error(text), str)


@pytest.mark.parametrize("piece", ["a", "/", "1", "/a", "1.", "a1", ": ", "[=", "\x1b[", "12:", "-0", "1 ", "f0-"])
def test_the_cost_grows_with_the_length_only(piece):
    assert grows_with_its_length_only(normalise, piece, 80_000)
    assert grows_with_its_length_only(normalise_error, piece, 80_000)


def test_digests_are_the_same_in_every_process():
    """Unlike `hash`, which is salted: two machines must agree about the same event."""
    code = "from headway.rolling.normalise import digest; print(digest('naïve \\ud800'))"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(other.stdout) == digest("naïve \ud800")
