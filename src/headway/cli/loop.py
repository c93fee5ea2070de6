"""`headway loop`: run an agent in rounds, keep the best one."""

import shlex
import sys
import time
from pathlib import Path
from typing import Any

import click

from headway.cli.app import ended_by_signals
from headway.cli.loop_start import opened_loop
from headway.cli.options import Amount, duration, with_settings
from headway.cli.output import tell
from headway.loop.agents import FORMS
from headway.loop.known import known_loops
from headway.loop.listing import loops_json, loops_text
from headway.loop.programs import UsageError
from headway.loop.result import result_json, result_text
from headway.loop.round_snapshots import ALL_SAVED, SnapshotsLostError
from headway.loop.runner import Runner
from headway.loop.screen import Screen
from headway.loop.starting import LOOPS
from headway.loop.state import LoopState
from headway.loop.talk import best_yet, since_when
from headway.snapshots import GitError
from headway.store.loop_files import StorageError


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

    The project is measured once before the first round; this is the baseline. A round in which fewer tests run is
    rolled back. So is a round that breaks a working test, unless it fixes at least two tests for each one it breaks;
    --strict rolls it back even then. The line of each round and the report say why it was kept or rolled back.

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
        with opened_loop(agent_command, resume, given, folder, screen) as runner, ended_by_signals():
            state = _run(runner, screen)
            failed = state.finishing is not None and state.finishing.ending.reason == "rollback_failed"
            can_go_on = not failed or runner.loop.snapshots.finished_rounds_status() == ALL_SAVED
    except UsageError as error:
        raise click.UsageError(str(error)) from error
    except (StorageError, GitError) as error:
        raise click.ClickException(str(error)) from error
    return _told(state, form, can_go_on)


def _list(folder: Path, form: str) -> int:
    try:
        loops = known_loops(folder)
    except (StorageError, GitError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(loops_json(loops) if form == "json" else loops_text(loops, time.time()))
    return 0


def _run(runner: Runner, screen: Screen) -> LoopState:
    loop_id = runner.loop.state.loop_id
    go_on = f"headway loop --resume {loop_id}"
    screen.say(f"loop {loop_id}; the agent: {shlex.join(runner.loop.state.spec.command)[:200]}")
    if runner.loop.state.mode != "enforce":
        screen.say(f"   policy.mode is {runner.loop.state.mode}: no round is rolled back, and no finding ends the loop")
    if not runner.loop.state.spec.has_task:
        screen.say("   the agent gets no prompt; use --task TEXT or --prompt FILE")
    try:
        return runner.run()
    except KeyboardInterrupt:
        runner.record_interruption()
        best = best_yet(runner.loop.state) if runner.loop.state.rounds else 0
        so_far = (
            f"; the best {since_when(runner.loop.state)} is round {best} (headway rollback {loop_id} {best})"
            if best
            else ""
        )
        screen.say(f"finished rounds: {max(0, runner.loop.state.number)}{so_far}. Continue with: {go_on}")
        raise
    except SnapshotsLostError as error:
        screen.clear()
        left = f"The files are as the agent left them. The measurements are in {LOOPS / loop_id}"
        raise click.ClickException(f"{error}.\n{left}") from error
    except (StorageError, GitError, OSError) as error:
        screen.clear()
        kept = runner.loop.snapshots.finished_rounds_status()
        more = f" Continue with: {go_on}" if kept == ALL_SAVED else ""
        raise click.ClickException(f"{_said(error)}\n{kept}{more}") from error


def _said(error: Exception) -> str:
    return f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)


def _told(state: LoopState, form: str, can_go_on: bool) -> int:
    report = LOOPS / state.loop_id / "reports" / "output-selection-report.md"
    tell(result_json(state, str(report)) if form == "json" else result_text(state, str(report), can_go_on))
    return state.finishing.ending.exit_code if state.finishing else 2
