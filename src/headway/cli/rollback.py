"""`headway rollback`: restore the files of a round."""

import shlex
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

import click

from headway.cli.diff import described
from headway.cli.output import tell
from headway.cli.stored_loop import (
    StoredLoop,
    present_state,
    refusals_explained,
    refuse_elsewhere,
    snapshot_of,
    stored_loop,
    with_root,
    working,
)
from headway.loop.lock import project_lock
from headway.loop.user_files import UserFiles
from headway.reports.suite import names_of
from headway.reports.words import counted
from headway.snapshots import (
    FileChange,
    Repository,
    Restored,
    RestoreError,
    Snapshot,
    Status,
    changes,
    list_snapshots,
    permissions_between,
    restore,
)

MAX_FILES_LISTED = 20
KEPT_AS = "before-rollback"


@click.command()
@click.argument("loop")
@click.argument("round")
@click.option("--dry-run", is_flag=True, help="Show what would change; change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@with_root
@refusals_explained
def command(loop: str, round: str, dry_run: bool, yes: bool, root: Path) -> None:
    """Restore the files of a round. Branches, commits and staged changes are not touched.

    LOOP is the id of a loop, a prefix of it, or `last`. ROUND is a number, `baseline`, `best`, or the name of a state
    that an earlier rollback saved. The current files are saved first, under a name that is printed. Files that were
    ignored when the loop started are in no snapshot, so they are neither restored nor removed. Files that you created
    after the loop stopped are kept, and so are edits you made before a --resume. Nothing is changed while a loop is
    running in the project.

    \b
      headway rollback last best --dry-run       show what would change
      headway rollback last best                 show the changes, ask, and restore
      headway rollback last before-rollback      undo the first rollback; each later one prints the name to use
    """
    stored = stored_loop(loop, root)
    refuse_elsewhere(stored)
    persons = UserFiles(stored.project, stored.report.loop_id)
    snapshot = persons.with_edits(snapshot_of(stored, round))
    with present_state(stored.project, like=snapshot) as now:
        spared = persons.made_since(now)
        found = changes(now, snapshot).files
        planned = [file for file in found if not _is_spared(file, spared)]
        allowed = permissions_between(Repository.at(stored.project), now, snapshot)
    if not planned and not allowed:
        meant = f"round {round}" if round.isdecimal() else round
        click.echo(f"the files already match {meant}; nothing was changed", err=True)
        return
    _show(planned, allowed, [file.path for file in found if _is_spared(file, spared)])
    if dry_run:
        click.echo("dry run; nothing was changed", err=True)
        return
    if not yes:
        _ask(len({*(file.path for file in planned), *allowed}), stored.project)
    with project_lock(Repository.at(snapshot.folder), "headway rollback"):
        _tell(stored, _restored(stored, snapshot, spared))
        persons.note_left(snapshot)


def _is_spared(file: FileChange, spared: Collection[str]) -> bool:
    return file.status is Status.DELETED and file.path in spared


def _show(planned: Sequence[FileChange], allowed: Sequence[str], spared: Sequence[str]) -> None:
    for file in planned[:MAX_FILES_LISTED]:
        tell(described(file))
    if len(planned) > MAX_FILES_LISTED:
        tell(f"and {len(planned) - MAX_FILES_LISTED} more")
    if allowed:
        tell(f"permissions: {names_of(allowed, MAX_FILES_LISTED)}")
    if spared:
        tell(f"kept, because it was created after the loop stopped: {names_of(spared, MAX_FILES_LISTED)}")


def _ask(count: int, project: Path) -> None:
    if not sys.stdin.isatty():
        raise click.ClickException("not a terminal; pass --yes to continue without asking. Nothing was changed")
    click.confirm(f"Change {counted(count, 'file')} in {project}?", abort=True, err=True)


def _restored(loop: StoredLoop, snapshot: Snapshot, spared: Collection[str]) -> Restored:
    known = _kept(loop)
    try:
        with working("restoring"):
            return restore(loop.project, snapshot, f"{loop.snapshots}/{KEPT_AS}", spared)
    except RestoreError as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        for name in _kept(loop) - known:
            click.echo(f"some files may have changed; {_rollback_move(loop, name)}", err=True)
        raise


def _kept(loop: StoredLoop) -> set[str]:
    return {one.ref.rpartition("/")[2] for one in list_snapshots(loop.project, loop.snapshots)}


def _tell(loop: StoredLoop, done: Restored) -> None:
    click.echo(f"written: {len(done.written)}, removed: {len(done.removed)}", err=True)
    if done.put_back:
        click.echo(f"moved ignored files were put back: {names_of(done.put_back, MAX_FILES_LISTED)}", err=True)
    click.echo(_rollback_move(loop, done.kept.ref.rpartition("/")[2]), err=True)


def _rollback_move(loop: StoredLoop, name: str) -> str:
    command = shlex.join(["headway", "rollback", loop.called, name])
    return f"the previous files are saved; to restore them: {command}"
