"""Work that looks like going in circles and is not: it is not stopped, and mostly not even spoken to.

The streams of `honest_streams` are written from what agents do. Many of them repeat a call whose result differs in
nothing but a number, a percentage, a place or an address: that is an answer, and no reason to speak.
"""

from itertools import groupby

import pytest

from headway import Monitor
from tests.agent_calls import bash, cases, change, edit, failing, rounds, tool, watched
from tests.honest_streams import (
    acting,
    asked_for,
    browsing,
    coding,
    doubtful,
    ending,
    long,
    looking,
    machine_messages,
    mistakable,
    numbers,
    portions,
    recorded,
    recorded_services,
    shell,
    surveys,
    trades,
    verdicts,
    waiting,
)


def page(n):
    return tool("Read", {"file_path": "prices.csv", "offset": n * 50, "limit": 50},
                "\n".join(f"2026-11-{row % 28 + 1:02},{n * 50 + row},{row / 7:.3f}" for row in range(50)))  # fmt: skip


def log(n):
    return tool("Read", {"file_path": "app.log", "offset": n * 50, "limit": 50},
                "\n".join(f"2026-11-16T04:{n:02}:{second:02} INFO request ok" for second in range(50)))  # fmt: skip


HERE = {
    "files converted one by one": [bash(f"convert a{n}.png -resize 50% b{n}.png") for n in range(30)],
    "rows inserted": [bash(f'psql -c "insert into t values ({n})"', "INSERT 0 1") for n in range(30)],
    "mails sent": [tool("send_email", {"to": f"u{n}@example.com"}, "sent") for n in range(30)],
    "things posted": [bash(f"curl -s -X POST localhost/items -d id={n}", '{"ok":true}') for n in range(30)],
    "files checked one by one": [bash(f"ruff check src/m{n}.py", "All checks passed!") for n in range(30)],
    "tests run file by file": [bash(f"pytest -q tests/test_{n}.py", "5 passed in 0.03s") for n in range(30)],
    "files compiled one by one": [bash(f"python -m py_compile src/m{n}.py") for n in range(30)],
    "files that need not exist": [
        bash(f"ls /etc/app/{n}.conf", f"ls: cannot access '/etc/app/{n}.conf': No such file or directory", 2)
        for n in range(25)
    ],
    "pages of numbers": [page(n) for n in range(30)],
    "pages of a monotonous log": [log(n) for n in range(30)],
    "a benchmark run five times": [bash("python bench.py", f"mean 0.{n}234 s") for n in range(1, 6)],
    "a job that gets on": [tool("job_state", {"id": 7}, f"{n}0% done") for n in range(1, 6)],
    "a key pressed again": [tool("mcp__playwright__browser_press_key", {"key": "Tab"}, "Pressed Tab")] * 8,
    "keys sent to a terminal": [bash("tmux send-keys -t editor:0 'u'")] * 8,
    "keys and pictures in turn": [
        tool("computer", {"action": action}, output)
        for _ in range(5)
        for action, output in (("key Down", "Key pressed"), ("screenshot", "<image>"))
    ],
    "a stack described each minute": [
        bash("aws cloudformation describe-stacks", '"CREATE_IN_PROGRESS"', at=1000.0 + 60 * n) for n in range(12)
    ],
    "a status file read every five minutes": [
        tool("Read", {"file_path": "status.txt"}, "running", at=1000.0 + 300 * n) for n in range(12)
    ],
    "a service asked between two sleeps": [
        step for _ in range(12) for step in (bash("sleep 60"), bash("./check-service web", '"PENDING"'))
    ],
    "a health check that waits itself": [bash("sleep 30 && curl -sf localhost/health", "", 22)] * 12,
    "a name server that is down": [
        bash("npm install", "npm ERR! request failed, reason: getaddrinfo ENOTFOUND registry.example", 1)
    ] * 5,
    "a download that breaks off": [
        bash("git fetch", "error: RPC failed; curl 56 GnuTLS recv error (-9)\nfatal: early EOF", 128)
    ] * 5,
    "ten changes for one stubborn failure": rounds(10, change, lambda n: failing("pytest -q")),
    "the same, each in one command with its test": rounds(
        10, lambda n: failing(f"sed -i 's/v{n}/v{n + 1}/' cart.py && pytest -q")
    ),
    "twenty files changed beside an old failure": rounds(
        20, lambda n: edit(f"m{n}.py", "a", "b"), lambda n: failing("pytest -q")
    ),
    "features with tests of their own beside an old failure": rounds(
        30, change, lambda n: bash(f"pytest -q tests/test_{n}.py", "3 passed in 0.1s"), lambda n: failing("pytest -q")
    ),
    "one more test in each round beside an old failure": rounds(30, change, lambda n: failing("pytest -q", passed=n)),
    "a failure whose message moves": rounds(30, change, lambda n: failing("pytest -q", message=f"assert {n} == 40")),
    "values printed on the way to one error": rounds(
        30, change, lambda n: bash("python x.py", f"x = {n * 7}\nTraceback (most recent call last):\nTypeError: no", 1)
    ),
    "a folder made ready before each build that goes on": rounds(
        10, lambda n: bash("mkdir -p out"), change, lambda n: bash("make", f"a.c:{n}:1: error: no\nmake: *** Error 1", 2)
    ),
}  # fmt: skip


LONG = (ending, long, mistakable, portions, recorded, recorded_services, surveys, trades, verdicts)
ALL = [HERE, *(module.STREAMS for module in (acting, browsing, coding, looking, numbers, shell, waiting, *LONG))]
ALL += [machine_messages.STREAMS, machine_messages.LISTS]
QUIET = {name: steps for streams in ALL for name, steps in streams.items()}
NOT_YET = ()
"""Streams that are spoken to today: committed before the change that puts them right, which takes them out."""

DOUBTFUL = {
    **doubtful.STREAMS,
    **mistakable.DOUBTFUL,
    **portions.DOUBTFUL,
    **recorded.DOUBTFUL,
    **recorded_services.DOUBTFUL,
    **surveys.DOUBTFUL,
    **verdicts.DOUBTFUL,
}
REFUSED_TODAY = ()
"""The same for streams that may be spoken to, and are refused or stopped today."""


def test_no_stream_hides_another_of_the_same_name():
    assert sum(map(len, ALL)) == len(QUIET)


@pytest.mark.parametrize("module", LONG)
def test_these_streams_are_long(module):
    streams = [*module.STREAMS.values(), *getattr(module, "DOUBTFUL", {}).values()]
    assert min(sum(step[0] is not None for step in steps) for steps in streams) >= 25


@pytest.mark.parametrize("name", cases(QUIET, NOT_YET))
def test_nothing_is_said(name):
    assert [] == watched(QUIET[name])


@pytest.mark.parametrize("name", numbers.STREAMS)
def test_equal_calls_of_these_streams_have_results_that_differ(name):
    """Two throws of a die may be equal; three in a row would be something to speak to."""
    results = {}
    for tool_name, args, output, _ in numbers.STREAMS[name]:
        results.setdefault((tool_name, str(args)), []).append(str(output))
    runs = [len(list(run)) for outputs in results.values() for _, run in groupby(outputs)]
    assert max(runs) <= 2


@pytest.mark.parametrize("asked", asked_for.STREAMS)
def test_repeats_that_the_user_asked_for_are_not_spoken_of(asked):
    assert [] == watched(asked_for.STREAMS[asked], asked)


def test_more_repeats_than_were_asked_for_are():
    said = watched([failing("pytest -q")] * 30, "Please run this test ten times")
    assert "nudge" == said[0] and "stop" in said


def test_other_repeats_than_were_asked_for_are():
    assert "nudge" in watched([tool("Grep", {"pattern": "x"}, "")] * 4, "run this test ten times")


ABSENT = {
    "packages that are not used": [bash(f'grep -rn "import {"abcdefghijklmnopqrstuvwxy"[n]}x" src/', "", 1) for n in range(25)],
    "flags that are dead, most of them": [
        tool("Grep", {"pattern": f"ENABLE_{n * 7919:x}"}, "src/a.py" if n % 4 == 0 else "No files found") for n in range(40)
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", ABSENT)
def test_who_checks_that_nothing_is_there_hears_nothing(name):
    assert [] == watched(ABSENT[name])


@pytest.mark.parametrize("name", ending.ENDINGS)
def test_an_honest_report_ends_its_turn(name):
    steps, text = ending.ENDINGS[name]
    assert len(steps) >= 25
    monitor = Monitor()
    monitor.user_spoke("please go through all of them")
    for number, (tool_name, args, output, more) in enumerate(steps):
        monitor.called(tool_name, args, call=str(number))
        monitor.returned(str(number), output, **more)
    monitor.agent_spoke(text)
    assert "continue" == monitor.turn_ending(text).action


@pytest.mark.parametrize("name", cases(DOUBTFUL, REFUSED_TODAY))
def test_it_is_never_refused(name):
    assert set(watched(DOUBTFUL[name])) <= {"nudge"}


@pytest.mark.parametrize(("batch", "expected"), [(None, {"continue", "nudge"}), ("all at once", {"continue"})])
def test_calls_that_were_asked_for_before_a_nudge_cannot_heed_it(batch, expected):
    monitor = Monitor()
    monitor.user_spoke("go")
    for number in range(30):
        monitor.called("Bash", {"command": "make all"}, call=str(number), batch=batch)
    said = [monitor.returned(str(number), "error: boom", exit_code=2).action for number in range(30)]
    assert expected == {str(action) for action in said}


def test_what_is_asked_for_after_the_nudge_is_refused():
    monitor = Monitor()
    monitor.user_spoke("go")
    for number in range(30):
        monitor.called("Bash", {"command": "make all"}, call=str(number))
    for number in range(30):
        monitor.returned(str(number), "error: boom", exit_code=2)
    assert "block" == monitor.called("Bash", {"command": "make all"}, call="later").action


def test_the_same_without_any_excuse_is_still_stopped():
    """The other side of it: what is asked again at once, and fails as before, is refused and then ended."""
    assert ["nudge", "block"] == watched([bash("make all", "error: boom", 2)] * 4)
    assert "stop" in watched([bash("make all", "error: boom", 2)] * 6)
