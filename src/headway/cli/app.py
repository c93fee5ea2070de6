"""The group of all commands. Each is imported only when it is called."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import click

import headway
import headway.cli as package

_NOT_COMMANDS = {
    "app", "detector_list", "keys", "live_sessions", "named_agents", "options", "output", "recordings", "stored_loop",
}  # fmt: skip


class Commands(click.Group):
    """Finds commands by looking into this folder: `scan.py` holds the command `scan`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, by name."""
        return sorted(info.name for info in iter_modules(package.__path__) if info.name not in _NOT_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"{package.__name__}.{cmd_name}").command
        return command

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Read the command line; asked for help, it is given here."""
        with _closed_pipes_are_no_fault():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _closed_pipes_are_no_fault():
            return super().invoke(ctx)


@contextmanager
def _closed_pipes_are_no_fault() -> Iterator[None]:
    """Pass a broken pipe on without its number: click would take it for a fault and end with 1."""
    try:
        yield
    except BrokenPipeError:
        raise BrokenPipeError from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(headway.__version__, prog_name="headway")
def app() -> None:
    """Is your agent making headway?

    Headway reads what AI agents did and tells where they went round in circles.

    \b
      headway scan ~/.claude/projects      what went wrong in my recordings, and where
      headway show session.jsonl           one run, step by step
      headway convert FILE --to atif       a recording in another format
      headway install claude-code          let Headway watch an agent live; doctor, status, watch
      headway allow                        let a session run what was refused; off leaves it alone
      headway explain exact_cycle          what a detector looks for
      headway meaning Bash 'pytest -q'     how Headway reads a tool call
      headway config                       what is set, and where
      headway probe                        what can be measured in this project, and how
      headway loop --task '…' -- claude    run an agent in rounds, keep the best one
      headway report                       a work loop again, round by round
      headway diff last baseline best      what a loop has won
      headway rollback last best           bring the files back to a round
      headway forget --older-than 30d      remove loops that are no longer needed
    """
