import pytest

from headway.detectors.step.idle_calls import IdleCalls
from tests.streams import call, edit, failure, missing, moments, shell, sightings, user, watch


def thoughts(count):
    return [shell(f"echo 'thought {n}'", f"thought {n}") for n in range(count)]


def test_speaks_at_the_third():
    found = watch(IdleCalls(), *thoughts(4))

    assert [3] == moments(found)
    assert {"count": 3, "tool_name": "Bash"} == found[0][1].evidence


def test_stays_quiet_at_the_second():
    assert [] == watch(IdleCalls(), *thoughts(2))


@pytest.mark.parametrize("command", [":", "true", "# a comment", "printf 'x'", "echo a && echo b"])
def test_all_of_these_do_nothing(command):
    assert [3, 4] == sightings(IdleCalls(), *[shell(command, "")] * 4)


@pytest.mark.parametrize(
    "command", ["echo $HOME", "echo `date`", "echo x > notes", "echo x | tee notes", "echo *.py", "ls", "echo a; ls"]
)
def test_these_may_do_or_show_something(command):
    assert [] == watch(IdleCalls(), *[shell(command, "x")] * 20)


@pytest.mark.parametrize("other", [shell("ls", "a"), user(), edit()])
def test_what_does_or_shows_something_begins_anew(other):
    assert [] == watch(IdleCalls(), *thoughts(2), other, *thoughts(2))


def test_a_call_without_a_result_may_have_done_something():
    assert [] == watch(IdleCalls(), *thoughts(2), missing(shell("make thing")), *thoughts(2))


def test_what_a_host_says_of_such_a_command_is_no_news():
    words = [shell("true", said) for said in ("", "(Bash completed with no output)") * 2]
    assert [3] == moments(watch(IdleCalls(), *words))


def test_a_failure_or_a_repeat_in_between_is_nothing_done():
    known, fails = shell("ls", "a"), failure(command="make")
    assert [5] == sightings(IdleCalls(), known, *thoughts(1), known, *thoughts(2))
    assert [6] == sightings(IdleCalls(), fails, fails, *thoughts(2), fails, *thoughts(1))


def test_a_tool_that_is_made_for_thinking_is_left_alone():
    assert [] == watch(IdleCalls(), *(call("think", {"thought": f"{n}"}, "") for n in range(20)))


def test_does_not_say_that_nothing_was_done_while_a_program_ran_again():
    run = shell("./deploy.sh", "ok")
    ((_, finding),) = watch(IdleCalls(), run, *[word for one in thoughts(3) for word in (one, run)])
    assert finding.message.endswith("own text, and no call in between succeeded with anything new.")


def test_a_change_to_another_folder_is_not_idle():
    install = shell("npm install", "up to date")
    assert [] == sightings(IdleCalls(), *[word for d in "abcdefgh" for word in (shell(f"cd /x/{d}"), install)])


def test_a_change_to_the_present_folder_is_idle():
    assert [4, 5] == sightings(IdleCalls(), *[shell("cd src && echo here")] * 5)
