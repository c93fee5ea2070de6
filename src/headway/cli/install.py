"""`headway install`: add the hook to the settings of an agent."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import click

from headway.cli.named_agents import for_each_agent
from headway.cli.output import tell
from headway.config.find import find_settings
from headway.config.settings import SettingsError
from headway.hosts.abilities import ENFORCE, MODES, NUDGE, OBSERVE
from headway.setup import agents, installing
from headway.setup.agent import Agent
from headway.setup.change import commands_in
from headway.setup.command import mode_in, status_line_command
from headway.setup.form import Form
from headway.setup.settings_file import read_text
from headway.setup.status_line import HooksAndStatusLine


@click.command()
@click.argument("names", nargs=-1, required=True, type=click.Choice(list(agents())), metavar="AGENT…")
@click.option(
    "--project", is_flag=True, help="Use the settings of the project in this folder, for everybody who works on it."
)
@click.option("--mode", type=click.Choice(MODES), help="What Headway does in its sessions. The default is nudge.")
@click.option("--interrupt", is_flag=True, help="Codex only: let Headway end a run that continues after a stop.")
@click.option("--statusline", is_flag=True, help="Claude Code only: show state, cost and minutes in its status line.")
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
def command(
    names: tuple[str, ...], project: bool, mode: str | None, interrupt: bool, statusline: bool, dry_run: bool
) -> int:
    """Add Headway to an agent, starting with its next session.

    AGENT is claude-code, cline, codex, copilot, cursor, gemini, kilo, opencode, openhands, pi or qwen. This adds
    a few lines that call `headway hook` to its settings; comments, layout and everything else are preserved. The
    previous file is saved next to it. Installing again changes nothing, or updates the lines.

    The mode is what Headway does by itself. nudge, the default, tells the agent and never refuses a call or stops a
    run. enforce also refuses and stops. observe says nothing and records what it would have done. Limits that you set
    hold in nudge and enforce. The setting `policy.mode` outranks this option. Installing again without --mode keeps
    the mode.

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
    options = " --interrupt" if interrupt else ""
    return for_each_agent(names, lambda agent: _install(agent, project, mode, options, statusline, dry_run))


def _install(agent: Agent, project: bool, mode: str | None, options: str, statusline: bool, dry_run: bool) -> None:
    folder = Path.cwd() if project else None
    mode = mode or _mode_before(*agent.place(folder))
    path, form = agent.place(folder, f" --mode {mode}{options}" if mode else options)
    if statusline and isinstance(form, HooksAndStatusLine):
        form.status_line = status_line_command(shared=project)
    change = installing(path, form, folder)
    if dry_run:
        click.echo(
            change.diff() or f"{agent.title}: {path} already has the hook; nothing would change",
            nl=not change.is_needed,
        )
        return
    change = change.apply()
    tell(f"{agent.title}: {'the hook is now in' if change.is_needed else 'the hook was already in'} {path}")
    if change.new_backup:
        tell(f"  Backup of the previous file: {change.new_backup}")
    if why := agent.why_ignored(read_text(path)):
        tell(f"  Warning: {path}: {why}; {agent.title} ignores the whole file until you correct that line.")
    for note in (*_about_mode(mode or NUDGE), *_notes(agent, project)):
        tell(f"  {note}")


_MODES = {
    OBSERVE: "says nothing and records what it would have done",
    NUDGE: "tells the agent, and refuses or stops nothing except at limits that you set",
    ENFORCE: "tells the agent, refuses calls it was told about, and stops a run that goes on",
}


def _mode_before(path: Path, form: Form) -> str:
    """The mode of the hook that is installed; empty if there is none."""
    return next(filter(None, map(mode_in, commands_in(path, form))), "") if path.exists() else ""


def _about_mode(mode: str) -> Iterator[str]:
    """Which mode is set and what the others do, and whether a setting outranks it in this folder."""
    yield f"Mode: {mode}. Headway {_MODES[mode]}."
    yield f"Others: {'; '.join(f'--mode {other}: it {does}' for other, does in _MODES.items() if other != mode)}."
    try:
        found = find_settings()
    except SettingsError:
        return  # `headway doctor` and the hook itself report that
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
