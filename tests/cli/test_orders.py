"""`headway allow` and `headway off`: what a person says about a live session from outside of it."""

import pytest

from headway.cli import run
from tests.hosts.hook.programs import Program, refusal_in, told_in


@pytest.fixture
def program(tmp_path, monkeypatch):
    """An agent in this folder that goes round in circles."""
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    program = Program("claude-code", "3f2a91c0-1")
    spelled = program.spelled
    program.spelled = lambda *given, **said: spelled(*given, **said) | {"cwd": str(tmp_path)}
    return program


def looped(program, times):
    return [program.step("cat notes.txt", "nothing new") for _ in range(times)]


@pytest.mark.parametrize("refusals", [1, 5], ids=["refused", "stopped"])
@pytest.mark.parametrize("words", [[], ["3f2a"]], ids=["here", "named"])
def test_what_was_refused_runs_again_and_is_told_before_it_is_refused_again(program, refusals, words, capsys):
    assert refusal_in(looped(program, 3 + refusals)[-1][0])

    assert 0 == run(["allow", *words])

    assert "3f2a91c0" in capsys.readouterr().out
    again = looped(program, 4)
    assert [""] * 3 == [refusal_in(before) for before, _ in again[:3]]
    assert "3 times" in told_in(again[2][1]) and refusal_in(again[3][0])


def test_nothing_to_allow(program, capsys):
    looped(program, 3)
    assert 0 == run(["allow"])
    assert "nothing is refused" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["allow", "off"])
def test_a_session_that_is_not_there(program, command, capsys):
    looped(program, 4)
    assert 2 == run([command, "zzz"])
    assert "no session 'zzz'" in capsys.readouterr().err


def test_of_two_sessions_with_one_beginning_none_is_chosen(program, capsys):
    looped(program, 4)
    program.session, program.count = "3f2a91c0-2", 50
    looped(program, 4)
    assert 2 == run(["allow", "3f2a"])
    assert "fits several sessions" in capsys.readouterr().err


def test_a_session_that_is_left_alone_hears_nothing_until_that_is_undone(program):
    looped(program, 1)
    assert 0 == run(["off"])
    assert [({}, {})] * 9 == looped(program, 9)
    assert {} == program.end("All tests pass.")

    assert 0 == run(["off", "--undo"])
    again = looped(program, 4)
    assert "3 times" in told_in(again[2][1]) and refusal_in(again[3][0]), "told before it is refused"
