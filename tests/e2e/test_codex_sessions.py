"""Codex for real: patches that fail, of which its hooks are told nothing.

With a model that calls tools one by one, and with one of its catalogue, which calls them from JavaScript.
"""

import json
import os
import pty
import re
import select
import time
import uuid

import pytest

from tests.e2e.agents import chosen
from tests.e2e.models import Call, Say
from tests.e2e.place import Place, _end_all

pytestmark = pytest.mark.e2e
codex = pytest.mark.parametrize("agent", chosen("codex"), ids=lambda agent: agent.name)

TESTS = "sh run_tests.sh"


def patch(old, new):
    return f"*** Begin Patch\n*** Update File: a.py\n@@\n-{old}\n+{new}\n*** End Patch\n"


class ByItself:
    """A model that calls the shell, and patches through it."""

    model = "gpt-5"

    @staticmethod
    def run(command):
        return [Call("exec_command", cmd=command)]

    @staticmethod
    def apply(text):
        return [Call("exec_command", cmd=f"apply_patch <<'E'\n{text}E")]


class FromScript:
    """A model of the catalogue: its only tool runs JavaScript."""

    model = "gpt-5.6-sol"

    @staticmethod
    def run(command):
        return [
            Call(
                "exec",
                input=f"const done = await tools.exec_command({{cmd: {json.dumps(command)}}}); text(done.output);",
            )
        ]

    @staticmethod
    def apply(text):
        return [Call("exec", input=f"text(await tools.apply_patch({json.dumps(text)}));")]


both = pytest.mark.parametrize("ways", [ByItself, FromScript], ids=lambda ways: ways.model)


def played(agent, folder, ways, *turns):
    with agent.model(*turns) as model:
        place = Place(folder, model.url)
        agent.prepare(place)
        config = place.home / ".codex" / "config.toml"
        config.write_text(config.read_text().replace('model = "gpt-5"', f'model = "{ways.model}"'))
        (place.project / "a.py").write_text("x = 0\n")
        failing = "echo 'FAILED test_a.py::test_one - assert 1 == 2'\necho '1 failed, 2 passed in 0.01s'\nexit 1\n"
        (place.project / "run_tests.sh").write_text(failing)
        assert 0 == place.run("headway", "install", agent.name, "--mode", "enforce").exit_code
        ran = place.run(*agent.command())
    assert not list(place.home.rglob("faults.log"))
    return model, ran, place


def said(model):
    """In which requests Headway's words are new, with those words: {request: text}."""
    found, before = {}, 0
    for number, request in enumerate(model.conversation):
        texts = [text for item in model.messages(request) for text in _texts(item)]
        words = [text for text in texts if re.search(r"Headway(?:: | refused| stopped)", text)]
        if len(words) > before:
            found[number] = words[-1]
        before = max(before, len(words))
    return found


def _texts(value):
    """All texts in a message."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


@codex
@both
def test_a_patch_that_never_fits_is_told_then_refused(agent, ways, tmp_path):
    model, _, place = played(
        agent, tmp_path, ways, *[ways.apply(patch("nothing like this", "x = 1"))] * 14, [Say("I give up.")]
    )

    told = said(model)
    first = min(told)
    assert 4 == first and "failed in the same way 3 times in a row" in told[first]
    assert "Failed to find expected lines" in told[first] and "a.py" in told[first]
    assert "Headway refused this call" in told[first + 1], "nobody is refused before being told"
    assert "x = 0\n" == (place.project / "a.py").read_text()


@codex
@both
def test_a_patch_that_never_fits_moves_no_test(agent, ways, tmp_path):
    rounds = [ways.apply(patch("nothing like this", "x = 1")), ways.run(TESTS)] * 12
    model, _, _ = played(agent, tmp_path, ways, *rounds, [Say("I give up.")])

    told = said(model)
    assert 6 <= min(told) <= 8 and "repeated 3 times" in told[min(told)]


@codex
@both
def test_a_patch_that_fits_is_a_change(agent, ways, tmp_path):
    rounds = [turn for n in range(6) for turn in (ways.apply(patch(f"x = {n}", f"x = {n + 1}")), ways.run(TESTS))]
    model, _, place = played(agent, tmp_path, ways, *rounds, [Say("One test still fails.")])

    assert "x = 6\n" == (place.project / "a.py").read_text()
    assert {} == said(model)
    status = json.loads(place.run("headway", "status", "--format", "json").stdout)
    assert 12 == status["sessions"][0]["steps"]


TERMINAL_QUESTIONS = {b"\x1b[6n": b"\x1b[1;1R", b"\x1b[c": b"\x1b[?62c"}
"""What a program asks its terminal, and what a terminal answers."""


def on_a_screen(place, command, is_enough, seconds=90):
    """Run a command on a terminal until there is enough; whether it is still there then. It is ended afterwards."""
    token = uuid.uuid4().hex
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(place.project)
        os.execve(command[0], command, {**place.variables(), "TERM": "xterm-256color", "HEADWAY_E2E_RUN": token})
    try:
        deadline = time.monotonic() + seconds
        while not is_enough() and time.monotonic() < deadline:
            if select.select([terminal], [], [], 0.2)[0]:
                shown = os.read(terminal, 65_536)
                for question, answer in TERMINAL_QUESTIONS.items():
                    if question in shown:
                        os.write(terminal, answer)
        return os.waitpid(process, os.WNOHANG) == (0, 0)
    except OSError:  # it has ended
        return False
    finally:
        _end_all(token)
        os.close(terminal)


@codex
def test_codex_with_a_screen_is_never_interrupted(agent, tmp_path):
    """Its hooks may be run by a server that other sessions share; a signal left the screen hanging."""
    looks = [ByItself.run(f"cat {name}") for name in ["a.py", "run_tests.sh"] * 8]
    with agent.model(*looks, [Say("I give up.")]) as model:
        place = Place(tmp_path, model.url)
        agent.prepare(place)
        config = place.home / ".codex" / "config.toml"
        config.write_text(f'{config.read_text()}\n[projects."{place.project}"]\ntrust_level = "trusted"\n')
        assert 0 == place.run("headway", "install", agent.name, "--mode", "enforce", "--interrupt").exit_code
        options = ["--dangerously-bypass-hook-trust", "-a", "never", "-s", "danger-full-access"]
        command = [*map(str, agent.program()), *options, "please look into it"]

        assert on_a_screen(place, command, lambda: len(model.asked) >= 17)

    assert 17 == len(model.asked) and "Headway stopped this run" in model.asked[-1]
