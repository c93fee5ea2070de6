"""`headway rollback`: bring the files back to a round of a loop."""

import shlex
import sys
from pathlib import Path

import click

from headway.cli.diff import described
from headway.cli.output import tell
from headway.cli.stored_loop import (
    StoredLoop,
    present_state,
    refusals_explained,
    snapshot_of,
    stored_loop,
    with_root,
    working,
)
from headway.loop.lock import only_loop_in
from headway.reports.words import counted
from headway.snapshots import Changes, Repository, Restored, RestoreError, Snapshot, changes, list_snapshots, restore

SHOWN = 20
"""How many files are named before somebody is asked."""
KEPT_AS = "before-rollback"


@click.command()
@click.argument("loop")
@click.argument("round")
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--yes", is_flag=True, help="Do it without asking.")
@with_root
@refusals_explained
def command(loop: str, round: str, dry_run: bool, yes: bool, root: Path) -> None:
    """Bring the project's files back to a round. Branches, commits and what is staged stay as they are.

    LOOP is the id of a loop, the beginning of it, or `last`. ROUND is a number, `baseline`, `best`, or the name of a
    state that going back kept. The files as they are now are kept first, under a name that is printed. Files that were
    ignored when the loop began are in no snapshot, so they are neither brought back nor removed. While a loop is at
    work in the project, nothing is changed.

    \b
      headway rollback last best --dry-run       what would change?
      headway rollback last best                 show it, ask, and do it
      headway rollback last before-rollback      undo the first one; each later one prints the name that undoes it
    """
    stored = stored_loop(loop, root)
    snapshot = snapshot_of(stored, round)
    with present_state(stored.project, like=snapshot) as now:
        planned = changes(now, snapshot)
    if not planned.files:
        click.echo(f"the files are as in {round} already; nothing to do", err=True)
        return
    _show(planned)
    if dry_run:
        click.echo("nothing was changed: this was a dry run", err=True)
        return
    if not yes:
        _ask(len(planned.files), stored.project)
    with only_loop_in(Repository.at(snapshot.folder), "headway rollback"):
        _tell(stored, _restored(stored, snapshot))


def _show(planned: Changes) -> None:
    for file in planned.files[:SHOWN]:
        tell(described(file))
    if len(planned.files) > SHOWN:
        tell(f"and {len(planned.files) - SHOWN} more")


def _ask(count: int, project: Path) -> None:
    if not sys.stdin.isatty():
        raise click.ClickException("nobody can be asked here, so nothing was changed; say --yes to go ahead")
    click.confirm(f"Change {counted(count, 'file')} in {project}?", abort=True, err=True)


def _restored(loop: StoredLoop, snapshot: Snapshot) -> Restored:
    known = _kept(loop)
    try:
        with working("restoring"):
            return restore(loop.project, snapshot, f"{loop.snapshots}/{KEPT_AS}")
    except RestoreError as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        for name in _kept(loop) - known:
            click.echo(f"some files may have changed; {_way_back(loop, name)}", err=True)
        raise


def _kept(loop: StoredLoop) -> set[str]:
    return {one.ref.rpartition("/")[2] for one in list_snapshots(loop.project, loop.snapshots)}


def _tell(loop: StoredLoop, done: Restored) -> None:
    click.echo(f"written: {len(done.written)}, removed: {len(done.removed)}", err=True)
    click.echo(_way_back(loop, done.kept.ref.rpartition("/")[2]), err=True)


def _way_back(loop: StoredLoop, name: str) -> str:
    command = shlex.join(["headway", "rollback", loop.called, name])
    return f"the files as they were are kept; to get them back: {command}"
