"""Runs the hook with an invented loop and checks that it reports it.

Commands from settings files are never run, because a project may come from another author. Only a command line that
this Headway writes itself is run, as a list of arguments.
"""

import json
import os
import shlex
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from http.client import HTTPException
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit
from urllib.request import urlopen

from headway.setup.agent import Agent
from headway.setup.check import Check
from headway.setup.command import GUARD, HTTP, TOKEN_NAME, other_headway, via_of
from headway.setup.form import is_ours
from headway.snapshots.git import find_program
from headway.store.place import service_token

PATIENCE = 10.0
ROUNDS = 3
"""Number of equal calls with equal results after which Headway reports them."""


def rehearse_line(agent: Agent, line: str, path: Path) -> Iterator[Check]:
    """Check a command line in settings: Headway's own is run, any other is shown, and an address gets a request."""
    if via_of(line) == HTTP and is_ours(line):
        yield _ask(agent, line)
        return
    arguments = agent.own_lines(path).get(line)
    program = _program_in(line) if arguments is None else arguments[0]
    found = find_program(program)
    if program and not found:
        text = f"the settings call {program}, which is missing or cannot be run"
        yield Check(about=agent.name, result="problem", text=text, fix=f"headway install {agent.name}")
    if arguments is None:
        text = f"not run, because this Headway did not write it: `{line}` in {path}"
        then = f"`headway install {agent.name}` replaces it" if is_ours(line) else "Headway leaves it alone"
        fix = f"check it before {agent.title} runs it; {then}"
        yield Check(about=agent.name, result="note", text=text, fix=fix)
    elif found and (found, False) != other_headway():  # do not run another project's program
        yield rehearse(agent, (found, *arguments[1:]))


def _ask(agent: Agent, address: str) -> Check:
    """Whether the service answers at the address of an HTTP hook, and the agent has the token."""
    health = urlsplit(address)._replace(path="/healthz", query="").geturl()
    try:
        with urlopen(health, timeout=PATIENCE) as answer:  # noqa: S310, always http://127.0.0.1
            answers = answer.read() == b"ok\n"
    except (OSError, HTTPException):
        answers = False
    if not answers:
        fix = "start it with `headway serve`, or `headway install --via process`"
        return Check(about=agent.name, result="problem", text=f"no service answers at {health}", fix=fix)
    if not os.environ.get(TOKEN_NAME):
        fix = f'export {TOKEN_NAME}="$(cat {shlex.quote(service_token())})" in the profile of your shell'
        return Check(about=agent.name, result="problem", text=f"{TOKEN_NAME} is not set in this environment", fix=fix)
    return Check(about=agent.name, result="ok", text=f"the service answers at {health}")


def _program_in(line: str) -> str:
    """The program that a command line names; empty if it is more than one plain command."""
    try:
        words = shlex.split(line.removesuffix(GUARD))
    except ValueError:  # an unclosed quote
        return ""
    return words[0] if words[1:2] == ["hook"] else ""


def rehearse(agent: Agent, arguments: Sequence[str]) -> Check:
    """Whether the hook answers. It uses a temporary database."""
    command = shlex.join(arguments)
    with tempfile.TemporaryDirectory(prefix="headway-doctor-", ignore_cleanup_errors=True) as folder:
        try:
            answers, milliseconds = _told(agent, arguments, folder)
        except (OSError, subprocess.SubprocessError) as error:
            return _problem(agent, f"`{command}` could not be run: {_why(error)}")
        faults = _faults(folder)
    if faults:
        return _problem(agent, f"`{command}` failed inside Headway: {faults[-1]}")
    if not any(answers):
        text = f"`{command}` runs without a fault, but does not report an invented loop"
        return Check(about=agent.name, result="note", text=text, fix="check `headway config` for disabled detectors")
    text = f"`{command}` reported an invented loop ({milliseconds:.0f} ms per event)"
    return Check(about=agent.name, result="ok", text=text)


def _told(agent: Agent, arguments: Sequence[str], folder: str) -> tuple[list[str], float]:
    answers, times = [], []
    events = [event for number in range(ROUNDS) for event in agent.sample(number)]
    for event in (
        *events,
        agent.sample(ROUNDS)[0],
    ):  # agents that cannot get a message after a call refuse the next one
        began = time.perf_counter()
        answers.append(_answer(arguments, json.dumps(event), folder))
        times.append(time.perf_counter() - began)
    return answers, median(times) * 1000


def _answer(arguments: Sequence[str], event: str, folder: str) -> str:
    """The output of the hook."""
    mode = {"HEADWAY_POLICY__MODE": "enforce"}  # so that every program gets an answer about the loop
    environment = {**os.environ, "HEADWAY_STATE_DIR": folder, "TMPDIR": folder, **mode}
    done = subprocess.run(  # noqa: S603 (our own arguments, no shell)
        arguments,
        input=event, capture_output=True, text=True, timeout=PATIENCE, cwd=folder, env=environment,
        check=True,
    )  # fmt: skip
    return done.stdout.strip()


def _faults(folder: str) -> list[str]:
    log = Path(folder) / "faults.log"
    return log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []


def _why(error: Exception) -> str:
    if isinstance(error, subprocess.CalledProcessError):
        told = (error.stderr or "").strip().splitlines()
        return f"exit code {error.returncode}{': ' + told[-1] if told else ''}"
    if isinstance(error, subprocess.TimeoutExpired):
        return f"it took more than {PATIENCE:.0f} seconds"
    return str(error)


def _problem(agent: Agent, text: str) -> Check:
    return Check(about=agent.name, result="problem", text=text, fix=f"run `headway install {agent.name}` again")
