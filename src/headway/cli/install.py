"""`headway install`: add the hook to the settings of an agent."""

import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import click

from headway.cli.named_agents import AgentName, for_each_agent
from headway.cli.output import tell
from headway.config.find import find_settings
from headway.config.settings import SettingsError
from headway.hosts.abilities import ENFORCE, MODES, NUDGE, OBSERVE
from headway.setup import Change, agents, installing
from headway.setup.agent import Agent
from headway.setup.change import commands_in
from headway.setup.command import (
    HTTP,
    PROCESS,
    SOCKET,
    TOKEN_NAME,
    WAYS,
    hook_address,
    mode_in,
    quoted,
    service_port,
    status_line_command,
    via_of,
)
from headway.setup.form import Form
from headway.setup.service_unit import is_service_installed
from headway.setup.settings_file import SetupError, read_text
from headway.setup.status_line import HooksAndStatusLine
from headway.store.place import service_token


@click.command()
@click.argument("names", nargs=-1, required=True, type=AgentName(), metavar="AGENT…")
@click.option(
    "--project", is_flag=True, help="Use the settings of the project in this folder, for everybody who works on it."
)
@click.option("--mode", type=click.Choice(MODES), help="What Headway does in its sessions. The default is nudge.")
@click.option(
    "--via",
    type=click.Choice(WAYS),
    help="How events reach Headway. The default is process, or socket if the service is installed.",
)
@click.option("--interrupt", is_flag=True, help="Codex only: let Headway end a run that continues after a stop.")
@click.option("--statusline", is_flag=True, help="Claude Code only: show state, cost and minutes in its status line.")
@click.option("--mcp", is_flag=True, help="Claude Code and Codex only: let the agent ask about its own session.")
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
def command(
    names: tuple[str, ...],
    project: bool,
    mode: str | None,
    via: str | None,
    interrupt: bool,
    statusline: bool,
    mcp: bool,
    dry_run: bool,
) -> int:
    """Add Headway to an agent, starting with its next session.

    AGENT is claude-code, cline, codex, copilot, cursor, gemini, kilo, opencode, openhands, pi or qwen. This adds
    a few lines that call `headway hook` to its settings; comments, layout and everything else are preserved. The
    previous file is saved next to it. Installing again changes nothing, or updates the lines.

    The mode is what Headway does by itself. nudge, the default, sends the agent a message, and refuses or stops nothing
    except at limits that you set. enforce also refuses repeated calls and stops runs. observe says nothing, applies no
    limits, and records what it would have done. The setting `policy.mode` outranks this option. Installing again
    without --mode keeps the mode.

    With --via socket, events go to the service (`headway serve`) and are answered faster; while it is not running, the
    hook does the work itself. With --via http, Claude Code sends events to the service itself, and nothing is watched
    while it is not running. Installing again without --via keeps the current one.

    With --mcp, the agent also gets tools with which it can ask about its own session: whether it is stuck, what it has
    tried, what has changed. Installing again without --mcp leaves them there; uninstalling removes them.

    \b
      headway install claude-code --dry-run     show what would change
      headway install claude-code               install
      headway install claude-code --mode enforce
      headway doctor claude-code                check that it works
      headway uninstall claude-code             remove it

    If the settings of one agent cannot be edited, the other agents are still installed.

    Exit codes: 0 installed; 2 some settings cannot be read or written.
    """
    if interrupt and names != ("codex",):
        raise click.UsageError("--interrupt works with codex only; other agents do not need it")
    if statusline and names != ("claude-code",):
        raise click.UsageError("--statusline works with claude-code only; other agents have no such line")
    if mcp and (without := [name for name in names if agents()[name].server_place(None) is None]):
        raise click.UsageError(f"--mcp works with claude-code and codex only, not with {', '.join(without)}")
    if project and via not in (None, PROCESS):
        raise click.UsageError(f"--via {via} names a path or port of this machine; with --project only process works")
    options = " --interrupt" if interrupt else ""

    def install(agent: Agent) -> None:
        _install(agent, project, mode, via, options, statusline, dry_run)
        if mcp:
            _install_server(agent, project, dry_run)

    return for_each_agent(names, install)


def _install(
    agent: Agent, project: bool, mode: str | None, via: str | None, options: str, statusline: bool, dry_run: bool
) -> None:
    folder = Path.cwd() if project else None
    before = _lines_before(*agent.place(folder))
    mode = mode or next(filter(None, map(mode_in, before)), "")
    via = via or _usual_way(agent, project, before)
    if via not in agent.ways or (os.name == "nt" and via == SOCKET):
        raise SetupError(f"{agent.title} works with --via {' or '.join(agent.ways)} only")
    path, form = agent.place(folder, f" --mode {mode}{options}" if mode else options, via)
    if via == HTTP:
        form = agent.form(path, hook_address(agent.name, service_port(), mode))
    if statusline and isinstance(form, HooksAndStatusLine):
        form.status_line = status_line_command(shared=project)
    if not _written(agent, "hook", installing(path, form, folder), dry_run):
        return
    if why := agent.why_ignored(read_text(path)):
        tell(f"  Warning: {path}: {why}; {agent.title} ignores the whole file until you correct that line.")
    for note in (*_about_mode(mode or NUDGE), *_about_way(agent, via), *_notes(agent, project)):
        tell(f"  {note}")


def _install_server(agent: Agent, project: bool, dry_run: bool) -> None:
    """Add the MCP server, which answers from what the hook records."""
    folder = Path.cwd() if project else None
    place = agent.server_place(folder)
    if place is None:
        return
    if _written(agent, "MCP server", installing(*place, folder), dry_run) and find_spec("mcp") is None:
        tell("  It needs a package that is missing here: pip install 'headway-agents[mcp]'")


def _written(agent: Agent, what: str, change: Change, dry_run: bool) -> bool:
    """Write and report a change; with `dry_run` only show it and return False."""
    if dry_run:
        unchanged = f"{agent.title}: {change.path} already has the {what}; nothing would change"
        click.echo(change.diff() or unchanged, nl=not change.is_needed)
        return False
    change = change.apply()
    tell(f"{agent.title}: the {what} {'is now in' if change.is_needed else 'was already in'} {change.path}")
    if change.new_backup:
        tell(f"  Backup of the previous file: {change.new_backup}")
    return True


_MODES = {
    OBSERVE: "says nothing and records what it would have done",
    NUDGE: "nudges the agent, and refuses or stops nothing except at limits that you set",
    ENFORCE: "nudges the agent, refuses calls it was nudged about, and stops a run that continues anyway",
}


def _lines_before(path: Path, form: Form) -> list[str]:
    """The command lines and addresses of the hook that is installed."""
    return commands_in(path, form) if path.exists() else []


def _usual_way(agent: Agent, project: bool, before: list[str]) -> str:
    """How events reach Headway without --via: as before, or through the service if it is installed."""
    if project:
        return PROCESS
    ways = {via_of(line) for line in before} or ({SOCKET} if is_service_installed() else {PROCESS})
    return next(way for way in (HTTP, SOCKET, PROCESS) if (way in ways and way in agent.ways) or way == PROCESS)


def _about_way(agent: Agent, via: str) -> Iterator[str]:
    """Which way events take, and what it needs."""
    if via == PROCESS and SOCKET in agent.ways:
        yield "Each event starts a process. `headway serve --install` and --via socket make that faster."
    if via == SOCKET:
        yield "Events go to the socket of `headway serve`. While it is not running, the hook does the work itself."
    if via == HTTP:
        yield "Events go to `headway serve` over HTTP. While it is not running, nothing is watched."
        yield f'Set the token in your shell profile: export {TOKEN_NAME}="$(cat {quoted(service_token())})"'


def _about_mode(mode: str) -> Iterator[str]:
    """The mode and what the others do, and whether a setting in this folder overrides it."""
    yield f"Mode: {mode}. Headway {_MODES[mode]}."
    yield f"Other modes: {'; '.join(f'`--mode {other}` {does}' for other, does in _MODES.items() if other != mode)}."
    try:
        found = find_settings()
    except SettingsError as error:
        yield f"Warning: Headway's settings are invalid: {error}. `headway doctor` says which are used."
        return
    outranking = found.settings.policy.mode
    if outranking not in (None, mode):
        yield f"In this folder the setting policy.mode = {outranking} outranks that ({found.origins['policy.mode']})."


def _notes(agent: Agent, project: bool) -> list[str]:
    notes = [agent.next_step] if agent.next_step else []
    if not shutil.which(agent.program):
        notes.append(f"`{agent.program}` is not on your PATH. The hook works once it is installed.")
    if project and not shutil.which("headway"):
        notes.append(
            "The project's settings call `headway`, which is not on your PATH. The hook cannot run until it is."
        )
    return [*notes, f"Check that it works: headway doctor {agent.name}"]
