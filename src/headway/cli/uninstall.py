"""`headway uninstall`: remove the hook from the settings of an agent."""

from pathlib import Path

import click

from headway.cli.named_agents import AgentName, for_each_agent
from headway.cli.output import tell
from headway.setup import Change, uninstalling
from headway.setup.agent import Agent


@click.command()
@click.argument("names", nargs=-1, required=True, type=AgentName(), metavar="AGENT…")
@click.option("--project", is_flag=True, help="Use the settings of the project in this folder.")
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
def command(names: tuple[str, ...], project: bool, dry_run: bool) -> int:
    """Remove Headway from the settings of an agent.

    If the file has not been changed since the installation, it is restored byte for byte. Otherwise only Headway's
    lines are removed, and the backup stays next to the file.

    \b
      headway uninstall claude-code
      headway uninstall codex gemini --project

    Exit codes: 0 removed, or not installed; 2 some settings cannot be read or written.
    """
    return for_each_agent(names, lambda agent: _uninstall(agent, project, dry_run))


def _uninstall(agent: Agent, project: bool, dry_run: bool) -> None:
    folder = Path.cwd() if project else None
    places = [("hook", *place) for place in agent.places(folder)]
    if (server := agent.server_place(folder)) is not None:
        places.insert(0, ("MCP server", *server))  # it was installed last, maybe in the same file
    is_found = False
    for what, path, form in places:
        change = uninstalling(path, form, folder)
        if change is None:
            continue
        is_found = True
        if dry_run:
            click.echo(change.diff(), nl=False)
        else:
            _apply(agent, what, change)
    if not is_found:
        files = dict.fromkeys(str(path) for what, path, _ in places if what == "hook")
        tell(f"{agent.title}: no Headway hook found in {' or '.join(files)}")


def _apply(agent: Agent, what: str, change: Change) -> None:
    change.apply()
    how = _how(change.after is None, bool(change.spent_backup))
    tell(f"{agent.title}: the {what} was removed from {change.path}{how}")
    if change.old_backup:
        tell(f"  The file has been changed since the installation. Backup from before: {change.old_backup}")


def _how(removed: bool, restored: bool) -> str:
    if removed:
        return ", and the file was deleted because Headway had created it"
    return ", and the file is as it was before" if restored else ""
