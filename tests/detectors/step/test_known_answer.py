import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.core.limits import Sizes
from headway.detectors.step.known_answer import KnownAnswer
from tests.agent_calls import bash, decisions, tool
from tests.streams import call, compaction, edit, failure, moments, read, shell, user, watch


def asked(times, output="same"):
    """The same question, with something else between each two."""
    return [word for n in range(times) for word in (shell("git status", output), read(f"{n}.py"))]


def test_speaks_at_the_fourth_equal_answer():
    found = watch(KnownAnswer(), *asked(7))

    assert [7] == moments(found)
    assert {"count": 4, "tool_name": "Bash"} == found[0][1].evidence


def test_what_may_have_come_earlier_than_is_remembered_is_said():
    found = watch(KnownAnswer(), *[read(f"{n}.py") for n in range(50)], *asked(4))
    assert "at least 4 times, with no change seen" in found[0][1].message


def test_stays_quiet_at_the_third():
    assert [] == watch(KnownAnswer(), *asked(3))


def test_a_successful_call_that_says_nothing_counts():
    """Successful empty no-ops, repeated."""
    found = watch(KnownAnswer(), *asked(4, output=""))
    assert [7] == moments(found)
    assert "returned nothing" in found[0][1].message


def test_answers_that_differ_stay_quiet():
    words = [word for n in range(8) for word in (shell("git status", f"{n} files"), read(f"{n}.py"))]
    assert [] == watch(KnownAnswer(), *words)


def test_says_of_denied_calls_that_they_were_denied():
    denied = shell("git push", "The user denied it.", failed=True, denied=True)
    ((_, found),) = watch(KnownAnswer(), *[word for n in range(4) for word in (denied, read(f"{n}.py"))])
    assert "The command `git push` was denied 4 times, with no change seen in between." == found.message
    assert found.clears.startswith("It was not run, and asking again does not change that.")


def test_waiting_and_planning_stay_quiet():
    assert [] == watch(KnownAnswer(), *[shell("sleep 9 && cat log", "busy"), read()] * 4)
    assert [] == watch(KnownAnswer(), *[call("TodoWrite", {"todos": []}, "ok")] * 8)
    assert [] == watch(KnownAnswer(), *[call("BashOutput", {"bash_id": "1"}, "running")] * 8)


def test_a_parallel_batch_counts_once():
    assert [] == watch(KnownAnswer(), *[shell("git status", "clean", batch="b")] * 8)


def test_a_change_a_compaction_or_the_user_starts_anew():
    for interruption in (edit(), compaction(), user()):
        assert [] == watch(KnownAnswer(), *asked(3)[:-1], interruption, *asked(3))


def test_equal_answers_to_two_questions_are_counted_apart():
    assert [] == watch(KnownAnswer(), *[read("a.py", output="same"), read("b.py", output="same")] * 3)


def test_a_clock_makes_another_answer_but_not_another_failure():
    """What a call measures may be what it is for; an error is the same at any time of the day."""
    times = [f"10:00:0{n}" for n in range(6)]
    assert [] == watch(KnownAnswer(), *(read("state", output=f"as of {time}") for time in times))
    assert [4] == moments(watch(KnownAnswer(), *(failure(f"Error: gave up at {time}") for time in times)))


def test_other_failures_of_the_same_call_stay_quiet():
    words = [failure(f"Error: {what} is missing") for what in ("cc", "ld", "ar", "nm", "as", "make", "sed")]
    assert [] == watch(KnownAnswer(), *words)


def test_the_world_around_may_be_asked_again():
    assert [] == watch(KnownAnswer(), *[failure("Error: connection refused")] * 9)


def test_a_call_that_goes_on_to_the_next_row_may_say_the_same_three_times_as_often():
    assert [12] == moments(watch(KnownAnswer(), *[call("press_key", {"key": "Down"}, "ok")] * 13))


@pytest.mark.parametrize(("limit", "fits"), [(1, False), (2, True), (50, True), (51, False)])
def test_the_limit_must_be_within_reach(limit, fits):
    assert fits is (KnownAnswer(limit=limit).settings_error(Sizes()) is None)


def test_the_same_command_in_other_folders_is_another_question():
    green = shell("npm test", "> test\n\nok")
    assert [] == watch(KnownAnswer(), *[word for d in "abcdef" for word in (shell(f"cd /x/{d} && ls"), green)])
    there = [word for n in range(4) for word in (shell("cd /x"), green, read(f"{n}.py"))]
    assert [10, 11] == moments(watch(KnownAnswer(), *there))


LOOKS = [
    tool("mcp__playwright__browser_console_messages", {}, ""),
    tool("fetch", {"url": "https://api.example.com/orders"}, "[]"),
    bash("curl -s https://api.example.com/state", '{"up":true}'),
]


def act(kind, n):
    """The first five are new each time; the last is a note, which is a change for these looks as well."""
    return (
        tool("mcp__playwright__browser_click", {"ref": f"e{n}"}, "clicked"),
        tool("mcp__claude-in-chrome__computer", {"action": "left_click", "coordinate": [n, 4]}, "clicked"),
        tool("fetch", {"url": "https://api.example.com/orders", "method": "POST", "body": str(n)}, "Error: 422"),
        bash(f"curl -s -X POST https://api.example.com/orders -d {n}", "ok"),
        bash(f"kill {n}"),
        tool("log_progress", {"text": f"looked {n} times"}, "logged"),
    )[kind]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 17), min_size=20, max_size=60))
def test_nobody_is_told_that_nothing_changed_across_an_action(draws):
    """Two of three steps are looks, so that many follow each other."""
    steps = [LOOKS[draw % 3] if draw < 12 else act(draw - 12, n) for n, draw in enumerate(draws)]
    told = [said for said in decisions(steps) if "no change seen in between" in said[1].message]
    for place, decision in told:
        count = int(re.search(r"(\d+) times, with no change", decision.message)[1])
        same = [n for n in range(place) if steps[n] == steps[place - 1]]
        assert all(draw < 12 for draw in draws[same[-count] : place])


def weather(times, *between):
    """The same question to a tool of which nothing is known, with other calls between each two."""
    return [
        word for n in range(times) for word in (call("weather", {"city": "Oslo"}, "rain"), *(one(n) for one in between))
    ]


def elsewhere(n):
    return call("weather", {"city": f"place {n}"}, f"{n} degrees")


def test_an_unknown_tool_that_gives_the_same_answer_whatever_it_is_called_with_in_between_is_told_at_the_twelfth():
    found = watch(KnownAnswer(), *weather(14, elsewhere))
    assert [23] == moments(found)
    assert "12 times, whatever weather was called with in between." in found[0][1].message
    assert all(finding.advisory for _, finding in found)


@pytest.mark.parametrize(
    "between",
    [
        lambda n: call("plough", {"field": n}, f"field {n} is done"),
        lambda n: call("weather", {"action": "start", "station": n}, f"station {n} starts"),
        lambda n: edit("a.py", f"{n}", f"{n + 1}"),
        lambda n: shell(f"./measure {n}", f"{n}"),
    ],
)
def test_what_others_may_have_changed_is_a_change_for_an_unknown_tool_too(between):
    assert [] == watch(KnownAnswer(), *weather(20, elsewhere, between))


def test_other_answers_in_between_begin_the_count_anew():
    steps, later = weather(11, elsewhere), weather(11, lambda n: elsewhere(20 + n))
    assert [] == watch(KnownAnswer(), *steps, call("weather", {"city": "Oslo"}, "sun"), *later)


@pytest.mark.parametrize(
    ("on", "off"),
    [
        ("kill -STOP 4711", "kill -CONT 4711"),
        ("curl -X PUT localhost/lamp -d on", "curl -X PUT localhost/lamp -d off"),
        ("gpioset gpiochip0 17=1", "gpioset gpiochip0 17=0"),
        ("export MODE=fast", "export MODE=safe"),
    ],
)
def test_a_switch_that_goes_on_and_off_is_a_change_each_time(on, off):
    steps = [word for n in range(20) for word in (shell(off if n % 2 else on, ""), shell("./contact 27", "open"))]
    assert [] == watch(KnownAnswer(), *steps)
    told = [word for n in range(20) for word in (shell(off if n % 2 else on, "OK"), shell("git status", "clean"))]
    assert [] == watch(KnownAnswer(), *told)


def test_a_tool_that_sets_something_is_a_switch_by_its_name():
    steps = [word for n in range(20) for word in (call("set_lamp", {"on": n % 2}, "ok"), call("lux", {}, "0"))]
    assert [] == watch(KnownAnswer(), *steps)


def test_the_same_action_over_and_over_is_none():
    words = [
        word
        for n in range(9)
        for word in (shell("kill -HUP 4711", ""), shell("pytest -q", "5 passed"), read(f"{n}.py"))
    ]
    assert [] != watch(KnownAnswer(), *words)
