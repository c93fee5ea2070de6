"""`headway forget`: delete loops."""

import sys
import time
from pathlib import Path

import click

from headway.cli.options import duration
from headway.cli.output import tell
from headway.cli.stored_loop import refusals_explained
from headway.loop.known import AT_WORK, ELSEWHERE, KnownLoop, forget_loop, known_loops
from headway.loop.listing import line_of
from headway.reports.words import counted


@click.command()
@click.argument("loops", nargs=-1, metavar="LOOP…")
@click.option(
    "--older-than",
    metavar="TIME",
    callback=duration,
    help="Delete loops that were last active this long ago: 30d, 12h.",
)
@click.option("--dry-run", is_flag=True, help="Show what would be deleted; delete nothing.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@refusals_explained
def command(loops: tuple[str, ...], older_than: float | None, dry_run: bool, yes: bool) -> None:
    """Delete loops: their reports and the files of their rounds. The project's files do not change.

    With --older-than and no name, all loops of this project that are this old are deleted. A running loop is never
    deleted. Deleted loops cannot be restored: git frees the space the next time it cleans up.

    \b
      headway loop --list                  list the loops
      headway forget fix-login-1115-0930
      headway forget --older-than 30d
    """
    if not loops and older_than is None:
        raise click.UsageError("name the loops to delete, or pass --older-than TIME; `headway loop --list` shows them")
    folder = Path.cwd()
    chosen = _chosen(loops, older_than, known_loops(folder), folder)
    if not chosen:
        click.echo("no loop is that old; nothing was deleted", err=True)
        return
    for one in chosen:
        tell(line_of(one, time.time()))
    if dry_run:
        click.echo("dry run; nothing was deleted", err=True)
        return
    if not yes:
        _ask(len(chosen))
    refs = sum(forget_loop(folder, one) for one in chosen)
    click.echo(f"deleted {counted(len(chosen), 'loop')} with {counted(refs, 'snapshot')}", err=True)


def _chosen(names: tuple[str, ...], older_than: float | None, known: list[KnownLoop], folder: Path) -> list[KnownLoop]:
    by_name = {one.loop: one for one in known}
    for name in names:
        if name not in by_name:
            there = ", ".join(by_name) or "none"
            raise click.ClickException(f"no loop {name!r}; the loops are: {there}")
        _check(by_name[name])
    wanted = [by_name[name] for name in dict.fromkeys(names)] if names else [one for one in known if _is_ours(one)]
    if older_than is None:
        return wanted
    before = time.time() - older_than
    return [one for one in wanted if one.last_worked is not None and one.last_worked < before]


def _is_ours(one: KnownLoop) -> bool:
    return one.state not in (AT_WORK, ELSEWHERE)


def _check(one: KnownLoop) -> None:
    if one.state == AT_WORK:
        raise click.ClickException(f"{one.loop} is running. Nothing was deleted. End it with Ctrl-C first")
    if one.state == ELSEWHERE and one.folder and Path(one.folder).is_dir():
        raise click.ClickException(f"{one.loop} belongs to {one.folder}. Nothing was deleted. Delete it there")


def _ask(count: int) -> None:
    if not sys.stdin.isatty():
        raise click.ClickException("not a terminal; pass --yes to delete without asking. Nothing was deleted")
    click.confirm(f"Delete {counted(count, 'loop')} permanently?", abort=True, err=True)
