import pytest

from headway.detectors.step.idle_calls import IdleCalls
from tests.streams import call, failure, moments, shell, sightings, user, watch


def thoughts(count):
    return [shell(f"echo 'thought {n}'", f"thought {n}") for n in range(count)]


def test_speaks_at_the_eighth_in_a_row():
    found = watch(IdleCalls(), *thoughts(9))

    assert [8] == moments(found)
    assert {"count": 8, "tool_name": "Bash"} == found[0][1].evidence


def test_stays_quiet_at_the_seventh():
    assert [] == watch(IdleCalls(), *thoughts(7))


@pytest.mark.parametrize(
    "command", [":", "true", "# a comment", "printf 'x'", "echo a && echo b", "cd src && echo here"]
)
def test_all_of_these_do_nothing(command):
    assert [8, 9] == sightings(IdleCalls(), *[shell(command, "")] * 9)


@pytest.mark.parametrize(
    "command", ["echo $HOME", "echo `date`", "echo x > notes", "echo x | tee notes", "echo *.py", "ls", "echo a; ls"]
)
def test_these_may_do_or_show_something(command):
    assert [] == watch(IdleCalls(), *[shell(command, "x")] * 20)


@pytest.mark.parametrize("other", [shell("ls", "a"), user(), failure(command="echo x")])
def test_anything_else_begins_anew(other):
    assert [] == watch(IdleCalls(), *thoughts(7), other, *thoughts(7))


def test_a_tool_that_is_made_for_thinking_is_left_alone():
    assert [] == watch(IdleCalls(), *(call("think", {"thought": f"{n}"}, "") for n in range(20)))
