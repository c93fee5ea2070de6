"""At which length each detector has something worth saying, and what is not counted."""

import pytest

from headway.detectors.step.empty_streak import EmptyStreak
from headway.detectors.step.file_churn import FileChurn
from headway.detectors.step.fruitless_streak import FruitlessStreak
from headway.detectors.step.idle_calls import IdleCalls
from headway.detectors.step.low_hit_rate import LowHitRate
from headway.detectors.step.progress_stall import ProgressStall
from headway.detectors.step.scope_creep import ScopeCreep
from headway.detectors.step.stubborn_failure import StubbornFailure
from tests.streams import call, compaction, edit, engine_of, failure, read, search, shell, spelled, suite, user, write

LINKS = "1. https://a.example/x y\n2. https://b.example/x y"


def worth_saying(detector, *words):
    """The first place at which a finding is worth saying, and its message."""
    engine = engine_of(detector)
    for place, happening in enumerate(spelled(words), 1):
        for event in happening:
            for finding in engine.feed(event).findings:
                if finding.worth_saying:
                    return place, finding.message
    return None


def web(n, output=LINKS):
    return call("WebSearch", {"query": f"how {n}"}, output)


def rounds(count, then):
    return [word for n in range(count) for word in (edit(old=f"{n}", new=f"{n + 1}"), then(n))]


def told(test="a", value=3):
    said = f"FAILED tests/test_a.py::test_{test} - assert {value} == 9\n1 failed, 4 passed in 0.1s"
    return shell("pytest -q", said, failed=True, exit_code=1)


REFUSED = "curl: (7) Failed to connect to localhost port 80{} after 0 ms: Connection refused"
CASES = {
    "empty searches": (EmptyStreak(), [search(f"p{n}", hits=0) for n in range(40)], 30),
    "few searches with a hit": (LowHitRate(), [search(f"p{n}", hits=n % 5 == 0) for n in range(60)], 50),
    "no search with a hit is a streak": (LowHitRate(), [search(f"p{n}", hits=0) for n in range(60)], None),
    "the same links": (FruitlessStreak(), [web(n) for n in range(40)], 21),
    "a survey with one answer": (FruitlessStreak(), [web(n, "yes") for n in range(60)], None),
    "the same question has another answer": (
        FruitlessStreak(), [web(n % 2, f"{LINKS}\nseen {n} times") if n % 6 == 0 else web(n) for n in range(60)], None
    ),
    "mails sent": (FruitlessStreak(), [call("send_mail", {"to": f"{n}"}, "sent\nok") for n in range(60)], None),
    "links, and a message of the user": (FruitlessStreak(), [*map(web, range(15)), user(), *map(web, range(15))], None),
    "waits": (IdleCalls(), [shell("sleep 1")] * 40, 30),
    "waits, and news in between": (IdleCalls(), [w for n in range(40) for w in (shell("sleep 1"), shell("tail log", f"{n}"))], None),
    "waits that show something": (IdleCalls(), [shell("sleep 60; tail log", f"line {n}") for n in range(60)], None),
    "an equal edit": (FileChurn(), [w for n in range(20) for w in (edit(), read(output=f"{n}"))], 29),
    "other edits": (FileChurn(), [edit(old=f"{n}") for n in range(40)], None),
    "one test, other values": (StubbornFailure(), rounds(40, lambda n: told(value=n * 7)), 64),
    "other tests": (StubbornFailure(), rounds(40, lambda n: told(test=f"t{n}")), None),
    "one test, and a compaction": (StubbornFailure(), [*rounds(20, lambda n: told(value=n)), compaction(), *rounds(20, lambda n: told(value=n))], None),
    "one test, other values, another test passes": (
        StubbornFailure(), rounds(40, lambda n: told(value=n) if n % 9 else suite(0, n, command=f"pytest t{n}")), None
    ),
    "one error in scripts": (
        StubbornFailure(),
        [w for n in range(30) for w in (write(f"/tmp/t{n}.py", f"{n}"), failure("ValueError: no table", command=f"python /tmp/t{n}.py"))], 34
    ),
    "other errors in scripts": (
        StubbornFailure(),
        [w for n in range(40) for w in (write(f"/tmp/t{n}.py", f"{n}"), failure(f"ValueError: {n} rows", command=f"python /tmp/t{n}.py"))], None
    ),
    "one error at other lines is another error": (StubbornFailure(), rounds(40, lambda n: failure(f"a.c:{n}:1: error: no", command=f"make {n}")), None),
    "a port": (ProgressStall(), [failure(REFUSED.format(80), command=f"curl -{flag} localhost:8080") for flag in "vskL4"], 4),
    "the same call at a port": (ProgressStall(), [failure(REFUSED.format(80), command="curl localhost:8080")] * 9, None),
    "other ports": (ProgressStall(), [failure(REFUSED.format(n), command=f"curl localhost:80{n}") for n in range(10, 30)], None),
    "a port, with changes in between": (ProgressStall(), rounds(9, lambda n: failure(REFUSED.format(80), command=f"curl localhost:8080/{n}")), None),
    "who may read what": (ProgressStall(), [failure(f"cat: /etc/app/{n}: Permission denied", command=f"cat /etc/app/{n}") for n in range(20)], None),
    "many folders": (ScopeCreep(), [read(f"part{n}/a.py") for n in range(40)], 30),
    "a change in each of many folders": (ScopeCreep(), [edit(f"part{n}/a.py") for n in range(40)], None),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_worth_saying_at_exactly_this_step(name):
    detector, words, at = CASES[name]
    found = worth_saying(detector, *words)
    assert at == (found and found[0])


def test_what_is_said_of_a_test_names_it_and_counts_all_rounds():
    _, message = worth_saying(*CASES["one test, other values"][:1], *CASES["one test, other values"][1])
    assert "The same 1 test (tests/test_a.py::test_a) failed again 31 times after work" in message


def test_failures_at_other_lines_are_the_same_and_that_is_said():
    def moved(n):
        return shell("pytest -q", f"t.py:{n}: in test_a\nFAILED t.py::test_a - assert 1\n1 failed in 0.1s", failed=True)

    engine = engine_of(StubbornFailure(high=14))
    found = [f for words in spelled(rounds(16, moved)) for event in words for f in engine.feed(event).findings]
    assert "`pytest -q` has failed in the same way, line numbers aside, after each of 12 rounds" in found[0].message
    assert {0.45} == {one.confidence for one in found}
