"""The group of all commands. Each is imported only when it is called."""

import logging
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import FrameType
from typing import Any

import click

import headway
import headway.cli as package

_NOT_COMMANDS = {
    "app", "compared", "detector_list", "engines", "keys", "live_sessions", "loop_start", "named_agents", "options",
    "output", "recordings", "results_report", "scan_batch", "scan_output", "stored_loop",
}  # fmt: skip
_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Commands(click.Group):
    """Finds commands in this folder: `scan.py` has the command `scan`, `mcp_proxy.py` has `mcp-proxy`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, by name."""
        names = (info.name for info in iter_modules(package.__path__) if info.name not in _NOT_COMMANDS)
        return sorted(name.replace("_", "-") for name in names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"{package.__name__}.{_module(cmd_name)}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is called; a wrong name is answered with the closest one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from headway.config.settings import nearest  # needed only after a mistake

            hint = nearest(args[0], self.list_commands(ctx))
            raise click.UsageError(f"No such command {args[0]!r}{hint}", ctx) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with the first sentence of their help, read from the source because imports are slow."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, first_sentence(name)) for name in self.list_commands(ctx)])

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Parse the command line. `--help` is answered here."""
        with _closed_pipes_are_no_fault():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _closed_pipes_are_no_fault():
            return super().invoke(ctx)


def first_sentence(name: str) -> str:
    """The first sentence of a command's help."""
    source = (Path(package.__path__[0]) / f"{_module(name)}.py").read_text(encoding="utf-8")
    found = re.search(r'^def command\(.*?"""(.+?)(?:\.\s|\.?""")', source, re.DOTALL | re.MULTILINE)
    return " ".join(found[1].split()) if found else ""


def _module(name: str) -> str:
    return name.replace("-", "_")


@contextmanager
def _closed_pipes_are_no_fault() -> Iterator[None]:
    """Re-raise a broken pipe without its errno, because click would report a fault and exit with 1."""
    try:
        yield
    except BrokenPipeError:
        raise BrokenPipeError from None


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Treat a termination signal like Ctrl-C, so that all is cleaned up; an ignored one (nohup) stays ignored."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in _ENDING}
    active = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    for number in active:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in active:
            signal.signal(number, before[number])


class _Faults(logging.Handler):
    """Prints faults of Headway and of plug-ins. Most commands see none, and load nothing for it."""

    _lines: logging.Handler | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Print one, if it is new."""
        if self._lines is None:
            from headway.store.fault_lines import FaultLines

            self._lines = FaultLines(_warn)
        self._lines.handle(record)


@contextmanager
def faults_printed() -> Iterator[None]:
    """Print faults as warnings inside a `with` block."""
    faults, log = _Faults(logging.WARNING), logging.getLogger("headway")
    log.addHandler(faults)
    try:
        yield
    finally:
        log.removeHandler(faults)


def _warn(line: str) -> None:
    """Print a warning with secrets masked: a message of a plug-in may quote what the agent did."""
    from headway.reports.text import plain
    from headway.rolling.secrets import mask

    click.echo(f"Warning: {plain(mask(line))}", err=True)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(headway.__version__, prog_name="headway")
def app() -> None:
    """Is your agent making headway?

    Headway watches AI agents, live or in recordings, and tells you when one goes in circles or stops making progress.

    \b
      headway scan ~/.claude/projects      find loops and waste in recorded runs
      headway show session.jsonl           show one run step by step
      headway convert FILE --to atif       convert a recording to another format
      headway pack IN OUT                  pack recordings into a few large files
      headway install claude-code          watch an agent live; see also doctor, status, watch
      headway serve --open                 see all live sessions in a browser
      headway mcp-proxy -- COMMAND         watch the tool calls of any MCP client
      headway allow                        let a session run a refused call; see also mute, stop, off
      headway explain exact_cycle          explain a detector
      headway meaning Bash 'pytest -q'     show how Headway interprets a tool call
      headway config                       list all settings and where they come from
      headway probe                        measure this project the way `headway loop` does
      headway loop --task '…' -- claude    run an agent in rounds and keep the best round
      headway report                       show the report of a loop
      headway diff last baseline best      show what a loop changed
      headway rollback last best           restore the files of a round
      headway forget --older-than 30d      delete old loops
      headway new detector my_pattern      write a detector of your own
    """
