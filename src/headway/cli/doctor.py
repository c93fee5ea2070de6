"""`headway doctor`: check that the hook works, and say what is missing."""

from pathlib import Path

import click
import msgspec
from rich.text import Text

from headway.cli.named_agents import AgentName
from headway.cli.output import Terminal
from headway.reports.text import plain
from headway.setup import agents
from headway.setup.check import Check
from headway.setup.doctor import examine

_SIGNS = {"ok": ("✓", "green"), "note": ("·", "yellow"), "problem": ("✗", "red")}


@click.command()
@click.argument("names", nargs=-1, type=AgentName(), metavar="[AGENT…]")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--live", is_flag=True, help="Also start the agents offline and check that they call the hook.")
def command(names: tuple[str, ...], form: str, live: bool) -> int:
    """Check that the hook works, and say what is missing.

    Checks the settings of all agents, or of the named ones, for this user and for the project in this folder. A command
    line that this Headway wrote is run with an invented loop and must report it; nothing of this is stored. Any other
    command line is shown and not run. The doctor also checks the database of live sessions and SQLite, and lists recent
    faults of Headway.

    With --live, each installed agent that has the hook is also started, in temporary folders. It talks to a small
    server on this machine, which asks it to run `echo headway`. It gets none of your keys, a proxy refuses all other
    traffic, and of your settings it sees only Headway's hooks and the settings that turn hooks off. None of your files
    change, and no real model is called.

    \b
      headway doctor
      headway doctor --live claude-code
      headway doctor codex --format json

    Exit codes: 0 the hook works; 1 something is missing.
    """
    known = agents()
    checks = list(examine([known[name] for name in names or known], Path.cwd(), named=bool(names), live=live))
    working = all(check.result != "problem" for check in checks)
    if form == "json":
        document = {"version": 1, "works": working, "checks": checks}
        click.echo(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())
    else:
        _show(checks)
    return int(not working)


def _show(checks: list[Check]) -> None:
    console = Terminal(highlight=False)
    about = ""
    for check in checks:
        if check.about != about:
            about = check.about
            console.print(Text(about, style="bold"))
        sign, colour = _SIGNS[check.result]
        console.print(Text.assemble("  ", (sign, colour), f" {plain(check.text)}"), soft_wrap=True)
        if check.fix:
            console.print(Text(f"    → {plain(check.fix)}"), soft_wrap=True)
