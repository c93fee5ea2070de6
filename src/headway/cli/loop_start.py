"""Starts or resumes a loop from the options of `headway loop`."""

import shlex
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import click
import msgspec

from headway.cli.options import settings_found
from headway.config.settings import Loop
from headway.loop.agents import completed
from headway.loop.programs import UsageError
from headway.loop.runner import Runner
from headway.loop.screen import Screen
from headway.loop.spec import LoopSpec
from headway.loop.starting import resume_loop, start_loop

LIMITS = (
    "max_rounds", "seconds", "budget_usd", "stop_when_gain_below", "round_timeout", "until", "rollback", "then",
    "transcript", "no_tests",
)  # fmt: skip
"""Options that may be changed with --resume."""


def opened_loop(
    agent_command: tuple[str, ...], resume: str | None, given: dict[str, Any], folder: Path, screen: Screen
) -> AbstractContextManager[Runner]:
    """Start a new loop, or resume the named one with the limits that are given again."""
    agrees = _agrees if sys.stdin.isatty() else None
    if resume is not None:
        return resume_loop(
            resume, folder, screen, lambda spec: _checked(_changed(spec, agent_command, given), agrees), agrees
        )
    overrides = [*given["overrides"]]
    for name, key in (("progress_threshold", "loop"), ("stuck_after", "loop"), ("target_quality", "policy")):
        overrides += [f"{key}.{name}={given[name]}"] if given[name] is not None else []
    overrides += ["policy.strict=true"] if given["strict"] else []
    overrides += [f"loop.protect={msgspec.json.encode(given['protect']).decode()}"] if given["protect"] else []
    settings = settings_found(overrides)
    spec = _spec(agent_command, given, settings.loop)
    return start_loop(_checked(spec, agrees), settings, folder, screen, loop_id=given["loop_id"], agrees=agrees)


def _agrees(question: str) -> bool:
    """Ask a question; Ctrl-C interrupts the loop."""
    try:
        return click.confirm(question, default=True, err=True)
    except click.Abort as error:
        raise KeyboardInterrupt from error


def _checked(spec: LoopSpec, agrees: Callable[[str], bool] | None) -> LoopSpec:
    """Refuse a loop that asks before a rollback if there is no terminal."""
    if spec.rollback == "ask" and agrees is None:
        raise UsageError("--rollback ask needs a terminal; use auto or never")
    return spec


def _spec(agent_command: tuple[str, ...], given: dict[str, Any], loop: Loop) -> LoopSpec:
    """The options of the command line, or else the settings."""
    words = (given["agent"], *agent_command) if given["agent"] else agent_command
    if not words:
        raise UsageError("no agent given; write its command after --, as in: headway loop --task '…' -- claude")

    def or_else(name: str) -> Any:
        return getattr(loop, name) if given[name] is None else given[name]

    return LoopSpec(
        command=completed(words),
        then=completed(_words(given["then"])),
        task=given["task"],
        prompt=given["prompt"],
        test=or_else("test"),
        no_tests=or_else("no_tests"),
        until=or_else("until"),
        max_rounds=or_else("max_rounds"),
        seconds=given["seconds"],
        budget_usd=given["budget_usd"],
        stop_when_gain_below=given["stop_when_gain_below"],
        round_timeout=or_else("round_timeout"),
        measure_timeout=loop.measure_timeout,
        rollback=or_else("rollback"),
        branch=given["branch"],
        transcript=given["transcript"],
        note=or_else("note"),
    )


def _changed(spec: LoopSpec, agent_command: tuple[str, ...], given: dict[str, Any]) -> LoopSpec:
    """The options of a resumed loop, with the limits that are given again."""
    fixed = [name for name, value in given.items() if value not in (None, ()) and name not in LIMITS]
    if agent_command or fixed:
        named = ", ".join(["the agent's command"] * bool(agent_command) + [f"--{n.replace('_', '-')}" for n in fixed])
        raise UsageError(f"{named} cannot be changed with --resume; start a new loop for that")
    changes = {name: given[name] for name in LIMITS if given[name] is not None}
    if "then" in changes:
        changes["then"] = completed(_words(changes["then"]))
    return msgspec.structs.replace(spec, **changes)


def _words(text: str | None) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text or ""))
    except ValueError as error:
        raise UsageError(f"--then {text}: {error}") from error
