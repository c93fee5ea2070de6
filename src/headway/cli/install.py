"""`headway install`: put the hook into the settings of an agent."""

import shutil
from pathlib import Path

import click

from headway.cli.named_agents import for_each_agent
from headway.cli.output import tell
from headway.setup import agents, installing
from headway.setup.agent import Agent
from headway.setup.settings_file import read_text


@click.command()
@click.argument("names", nargs=-1, required=True, type=click.Choice(list(agents())), metavar="AGENT…")
@click.option(
    "--project", is_flag=True, help="Into the settings of the project in this folder, for all who work in it."
)
@click.option("--interrupt", is_flag=True, help="Codex only: let Headway end a run that goes on after it was stopped.")
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
def command(names: tuple[str, ...], project: bool, interrupt: bool, dry_run: bool) -> int:
    """Let Headway watch an agent live, from its next session on.

    AGENT is claude-code, cline, codex, copilot, cursor, gemini, kilo, opencode, openhands, pi or qwen. Its settings get
    a few lines that call `headway hook`; comments, layout and everything else stay as they are. The file as it
    was is kept beside it. Installing again changes nothing, or brings the lines up to date.

    \b
      headway install claude-code --dry-run     what would change
      headway install claude-code               do it
      headway doctor claude-code                does it work?
      headway uninstall claude-code             as if nothing had been

    Of several agents, one whose settings cannot be edited does not keep the others from theirs.

    Exit codes: 0 installed, 2 some settings cannot be read or written.
    """
    if interrupt and names != ("codex",):
        raise click.UsageError("--interrupt is for codex alone: only there an answer cannot end a run")
    options = " --interrupt" if interrupt else ""
    return for_each_agent(names, lambda agent: _install(agent, project, options, dry_run))


def _install(agent: Agent, project: bool, options: str, dry_run: bool) -> None:
    folder = Path.cwd() if project else None
    path, form = agent.place(folder, options)
    change = installing(path, form, folder)
    if dry_run:
        click.echo(
            change.diff() or f"{agent.title}: {path} has the hook already; nothing would change",
            nl=not change.is_needed,
        )
        return
    change = change.apply()
    tell(f"{agent.title}: {'the hook is now in' if change.is_needed else 'the hook was already in'} {path}")
    if change.new_backup:
        tell(f"  The file as it was: {change.new_backup}")
    if why := agent.why_ignored(read_text(path)):
        tell(f"  Warning: {path}: {why}; {agent.title} ignores the whole file until you correct that line.")
    for note in _notes(agent, project):
        tell(f"  {note}")


def _notes(agent: Agent, project: bool) -> list[str]:
    notes = [agent.next_step] if agent.next_step else []
    if not shutil.which(agent.program):
        notes.append(f"There is no `{agent.program}` on your PATH; the hook waits until there is.")
    if project and not shutil.which("headway"):
        notes.append(
            "The project's settings call `headway`, which is not on your PATH: the hook cannot run until it is."
        )
    return [*notes, f"Prove that it works: headway doctor {agent.name}"]
