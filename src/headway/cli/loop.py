"""`headway loop`: run an agent in rounds, keep the best one."""

import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import click
import msgspec

from headway.cli.options import Amount, duration, settings_found, with_settings
from headway.cli.output import tell
from headway.config.settings import Loop
from headway.loop.agents import FORMS, completed
from headway.loop.known import known_loops
from headway.loop.listing import loops_json, loops_text
from headway.loop.programs import UsageError
from headway.loop.result import result_json, result_text
from headway.loop.round_snapshots import ALL_KEPT, SnapshotsLostError
from headway.loop.runner import Runner
from headway.loop.screen import Screen
from headway.loop.sitting import LOOPS, resume_loop, start_loop
from headway.loop.spec import LoopSpec
from headway.loop.state import LoopState
from headway.loop.talk import best_yet
from headway.snapshots import GitError
from headway.store.loop_files import StorageError

LIMITS = (
    "max_rounds", "seconds", "budget_usd", "stop_when_gain_below", "round_timeout", "until", "rollback", "then",
    "transcript", "no_tests",
)  # fmt: skip
"""Options that may be changed with --resume."""


@click.command(context_settings={"allow_interspersed_args": False})
@click.argument("agent_command", nargs=-1, type=click.UNPROCESSED, metavar="[--] AGENT COMMAND…")
@click.option("--task", metavar="TEXT", help="What the agent should do.")
@click.option(
    "--prompt",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="A file with the task. It is read again for every round.",
)
@click.option(
    "--agent",
    type=click.Choice(sorted(FORMS)),
    help="Run this agent; the same as its name after --.",
)
@click.option("--then", metavar="CMD", help="Command of another agent that takes over if the first one stays stuck.")
@click.option("--until", metavar="CMD", help="The work is done when this command succeeds.")
@click.option(
    "--test", metavar="CMD", help="Your test command. Its output is read.  [default: what headway probe finds]"
)
@click.option("--no-tests", is_flag=True, default=None, help="Run even if there are no tests to judge rounds by.")
@click.option(
    "--strict", is_flag=True, default=None, help="Roll back every round that breaks a test, however many it fixes."
)
@click.option(
    "--protect",
    multiple=True,
    metavar="PATH",
    help="Roll back every round that changes this file or folder, such as tests/. Can be repeated.",
)
@click.option(
    "--max-rounds", type=click.IntRange(min=1), metavar="N", help="Stop after this many rounds.  [default: 10]"
)
@click.option("--for", "seconds", metavar="TIME", callback=duration, help="Stop after this time: 30m, 2h, 1h30m.")
@click.option(
    "--round-timeout",
    metavar="TIME",
    callback=duration,
    help="Stop the agent if a round takes longer than this.",
)
@click.option(
    "--budget-usd",
    type=Amount(min=0, min_open=True),
    metavar="X",
    help="Stop before more than this is spent. The agent must report its cost.",
)
@click.option(
    "--stop-when-gain-below",
    type=Amount(min=0, min_open=True),
    metavar="X",
    help="Stop when the latest rounds suggest that another one would gain fewer than X passing tests.",
)
@click.option(
    "--progress-threshold",
    type=Amount(0, 1, min_open=True),
    metavar="P",
    help="Progress score below which a round made no progress.  [default: 0.15]",
)
@click.option(
    "--stuck-after",
    type=click.IntRange(min=1),
    metavar="N",
    help="Rounds without progress before the prompt is varied.  [default: 3]",
)
@click.option(
    "--target-quality",
    type=Amount(0, 1, min_open=True),
    metavar="Q",
    help="The work is done when a round reaches this quality.",
)
@click.option(
    "--rollback",
    type=click.Choice(["auto", "ask", "never"]),
    help="Whether to roll back rounds that break something.  [default: auto]",
)
@click.option(
    "--branch", metavar="NAME", help="Commit the result to a new branch and leave the working tree as it was."
)
@click.option("--transcript", metavar="PATH", help="Where the agent writes its transcript. {round} is replaced.")
@click.option(
    "--note/--no-note",
    default=None,
    help="Add measurements and advice to the task.  [default: note]",
)
@click.option("--id", "loop_id", metavar="NAME", help="A name for the loop.")
@click.option(
    "--resume",
    metavar="LOOP",
    help="Continue a loop that was interrupted, killed or stopped, or that reached a limit. `last` is the latest one.",
)
@click.option("--list", "listed", is_flag=True, help="List the loops of this project and exit.")
@click.option("--quiet", is_flag=True, help="Do not show the agent's output.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Format of the result on standard output.",
)
@with_settings
def command(
    agent_command: tuple[str, ...], resume: str | None, listed: bool, quiet: bool, form: str, **given: Any
) -> int:
    """Run an agent in rounds. Measure each round, roll back rounds that break tests, and keep the best one.

    The agent is any program. {prompt}, {prompt_file} and {round} in its command are replaced; a command without
    {prompt} or {prompt_file} gets the prompt on standard input. For claude, codex, gemini and aider the name is enough.

    \b
      headway loop --task 'make the tests pass' -- claude
      headway loop --prompt PROMPT.md --until 'make check' --for 2h -- codex
      headway loop --task 'speed it up' --max-rounds 5 -- ./my-agent --message {prompt}
      headway loop --resume make-the-tests-1115-0930 --max-rounds 20
      headway loop --list

    The project is measured once before the first round; this is the baseline. A round in which fewer tests run is taken
    back. So is a round that breaks a working test, unless it fixes at least two tests for each one it breaks; --strict
    rolls it back even then. The line of each round and the report say why it was kept or rolled back.

    The files of each round are stored with git. Your index, branches, stash and ignored files are not touched. See
    docs/loop.md for details. `headway forget` deletes loops.

    Exit codes: 0 done; 1 stopped; 2 invalid usage or nothing to measure; 3 a limit was reached; 130 interrupted.
    """
    if sys.platform == "win32":
        raise click.ClickException("headway loop needs a system with process groups: Linux, macOS or WSL")
    screen = Screen(stream=not quiet)
    folder = Path.cwd()
    if listed:
        return _list(folder, form)
    try:
        with _sitting(agent_command, resume, given, folder, screen) as runner, _ended_by_signals():
            course = _run(runner, screen)
            failed = course.handing_over is not None and course.handing_over.ending.reason == "rollback_failed"
            can_go_on = not failed or runner.keeping.what_is_kept() == ALL_KEPT
    except UsageError as error:
        raise click.UsageError(str(error)) from error
    except (StorageError, GitError) as error:
        raise click.ClickException(str(error)) from error
    return _told(course, form, can_go_on)


def _list(folder: Path, form: str) -> int:
    try:
        loops = known_loops(folder)
    except (StorageError, GitError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(loops_json(loops) if form == "json" else loops_text(loops, time.time()))
    return 0


def _sitting(
    agent_command: tuple[str, ...], resume: str | None, given: dict[str, Any], folder: Path, screen: Screen
) -> AbstractContextManager[Runner]:
    agrees = _agrees if sys.stdin.isatty() else None
    if resume is not None:
        return resume_loop(
            resume, folder, screen, lambda order: _askable(_changed(order, agent_command, given), agrees), agrees
        )
    overrides = [*given["overrides"]]
    for name, key in (("progress_threshold", "loop"), ("stuck_after", "loop"), ("target_quality", "policy")):
        overrides += [f"{key}.{name}={given[name]}"] if given[name] is not None else []
    overrides += ["policy.strict=true"] if given["strict"] else []
    overrides += [f"loop.protect={msgspec.json.encode(given['protect']).decode()}"] if given["protect"] else []
    settings = settings_found(overrides)
    order = _order(agent_command, given, settings.loop)
    return start_loop(_askable(order, agrees), settings, folder, screen, loop_id=given["loop_id"], agrees=agrees)


def _agrees(question: str) -> bool:
    """Ask a question; Ctrl-C interrupts the loop."""
    try:
        return click.confirm(question, default=True, err=True)
    except click.Abort as error:
        raise KeyboardInterrupt from error


def _askable(order: LoopSpec, agrees: Callable[[str], bool] | None) -> LoopSpec:
    if order.rollback == "ask" and agrees is None:
        raise UsageError("--rollback ask needs a terminal; use auto or never")
    return order


def _order(agent_command: tuple[str, ...], given: dict[str, Any], loop: Loop) -> LoopSpec:
    """The options of the command line; the settings where an option is missing."""
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


def _changed(order: LoopSpec, agent_command: tuple[str, ...], given: dict[str, Any]) -> LoopSpec:
    """A resumed loop keeps its options, except for limits that are given again."""
    fixed = [name for name, value in given.items() if value not in (None, ()) and name not in LIMITS]
    if agent_command or fixed:
        named = ", ".join(["the agent's command"] * bool(agent_command) + [f"--{n.replace('_', '-')}" for n in fixed])
        raise UsageError(f"{named} cannot be changed with --resume; start a new loop for that")
    changes = {name: given[name] for name in LIMITS if given[name] is not None}
    if "then" in changes:
        changes["then"] = completed(_words(changes["then"]))
    return msgspec.structs.replace(order, **changes)


def _words(text: str | None) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text or ""))
    except ValueError as error:
        raise UsageError(f"--then {text}: {error}") from error


def _run(runner: Runner, screen: Screen) -> LoopState:
    loop_id = runner.course.loop_id
    go_on = f"headway loop --resume {loop_id}"
    screen.say(f"loop {loop_id}; the agent: {shlex.join(runner.course.order.command)[:200]}")
    if runner.course.mode != "enforce":
        screen.say(f"   policy.mode is {runner.course.mode}: no round is rolled back, and no finding ends the loop")
    if not runner.course.order.has_task:
        screen.say("   the agent gets no prompt; use --task TEXT or --prompt FILE")
    try:
        return runner.run()
    except KeyboardInterrupt:
        runner.interrupted()
        best = best_yet(runner.course) if runner.course.rounds else 0
        so_far = f"; the best so far is round {best} (headway rollback {loop_id} {best})" if best else ""
        screen.say(f"finished rounds: {max(0, runner.course.number)}{so_far}. Continue with: {go_on}")
        raise
    except SnapshotsLostError as error:
        screen.clear()
        left = f"The files are as the agent left them. The measurements are in {LOOPS / loop_id}"
        raise click.ClickException(f"{error}.\n{left}") from error
    except (StorageError, GitError, OSError) as error:
        screen.clear()
        kept = runner.keeping.what_is_kept()
        more = f" Continue with: {go_on}" if kept == ALL_KEPT else ""
        raise click.ClickException(f"{_said(error)}\n{kept}{more}") from error


def _said(error: Exception) -> str:
    return f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let a termination signal do what Ctrl-C does: end the agent, and keep finished rounds."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    signals = (signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, interrupt) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _told(course: LoopState, form: str, can_go_on: bool) -> int:
    report = LOOPS / course.loop_id / "reports" / "output-selection-report.md"
    tell(result_json(course, str(report)) if form == "json" else result_text(course, str(report), can_go_on))
    return course.handing_over.ending.exit_code if course.handing_over else 2
