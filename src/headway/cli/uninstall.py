"""`headway uninstall`: take the hook out of the settings of an agent."""

from pathlib import Path

import click

from headway.cli.named_agents import for_each_agent
from headway.cli.output import tell
from headway.setup import Change, agents, uninstalling
from headway.setup.agent import Agent


@click.command()
@click.argument("names", nargs=-1, required=True, type=click.Choice(list(agents())), metavar="AGENT…")
@click.option("--project", is_flag=True, help="Out of the settings of the project in this folder.")
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
def command(names: tuple[str, ...], project: bool, dry_run: bool) -> int:
    """Take Headway out of an agent's settings again.

    If nobody changed the settings since, they are afterwards what they were before, to the byte. Otherwise only our
    lines go, and the file as it once was stays beside it.

    \b
      headway uninstall claude-code
      headway uninstall codex gemini --project

    Exit codes: 0 removed, or it was not there; 2 some settings cannot be read or written.
    """
    return for_each_agent(names, lambda agent: _uninstall(agent, project, dry_run))


def _uninstall(agent: Agent, project: bool, dry_run: bool) -> None:
    folder = Path.cwd() if project else None
    places = agent.places(folder)
    changes = [change for path, form in places if (change := uninstalling(path, form, folder)) is not None]
    if not changes:
        tell(f"{agent.title}: there is no hook of Headway in {' or '.join(str(path) for path, _ in places)}")
    for change in changes:
        if dry_run:
            click.echo(change.diff(), nl=False)
        else:
            _apply(agent, change)


def _apply(agent: Agent, change: Change) -> None:
    change.apply()
    how = _how(change.after is None, bool(change.spent_backup))
    tell(f"{agent.title}: the hook is gone from {change.path}{how}")
    if change.old_backup:
        tell(f"  Others have changed the file since; as it was before Headway: {change.old_backup}")


def _how(removed: bool, restored: bool) -> str:
    if removed:
        return ", which we had made and have removed"
    return ", which is as it was before" if restored else ""
