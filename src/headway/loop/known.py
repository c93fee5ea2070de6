"""Lists the loops of a project, and deletes them.

A loop consists of a folder below `.headway/loops` and refs in git. The folder may be gone, or in another worktree: all
worktrees share their refs.
"""

import shutil
from contextlib import suppress
from pathlib import Path

import msgspec

from headway.loop.journal import JOURNAL, Journal
from headway.loop.lock import loop_at_work
from headway.loop.round_snapshots import NAME
from headway.loop.starting import LOOPS
from headway.loop.state import LoopState
from headway.loop.talk import best_yet
from headway.loop.tracker import TrackerError
from headway.snapshots import Repository, forget, git_is_installed, may_have_snapshots, names_below, text_at
from headway.store.loop_files import LOOP, StorageError

AT_WORK, INTERRUPTED, UNREADABLE, ELSEWHERE = "running", "interrupted", "cannot be read", "elsewhere"


class KnownLoop(msgspec.Struct, frozen=True, kw_only=True):
    """One loop, as far as it is known."""

    loop: str
    state: str
    """`running`, `interrupted`, `cannot be read`, `elsewhere`, or how it ended: `done`, `stopped`, `limit`."""
    reason: str = ""
    """The machine-readable reason for its end."""
    rounds: int = 0
    best: int | None = None
    cost_usd: float | None = None
    last_worked: float | None = None
    """The time of its latest fact, in seconds since 1970; None if unknown."""
    folder: str = ""


def known_loops(folder: Path) -> list[KnownLoop]:
    """All loops of a project and of its other worktrees, the most recent one last."""
    repository = Repository.at(folder) if git_is_installed() and may_have_snapshots(folder) else None
    at_work = loop_at_work(repository or folder)
    here = {place.parent.name for file in (JOURNAL, LOOP) for place in (folder / LOOPS).glob(f"*/{file}")}
    found = [_told(folder, name, at_work) for name in here]
    if repository is not None:
        others = set(names_below(repository, "loops")) - here
        found += [_without_folder(repository, name, folder) for name in others]
    return sorted(found, key=lambda one: (one.last_worked or 0.0, one.loop))


def forget_loop(folder: Path, loop: KnownLoop) -> int:
    """Delete a loop's folder and then its refs; returns how many refs. It is safe to repeat."""
    place = folder / LOOPS / loop.loop
    try:
        if place.is_dir():
            shutil.rmtree(place)
    except OSError as error:
        raise StorageError(f"{error.filename}: {error.strerror}; expected a folder that can be removed") from error
    return forget(Repository.at(folder), f"loops/{loop.loop}") if git_is_installed() else 0


def _told(folder: Path, name: str, at_work: str) -> KnownLoop:
    place = folder / LOOPS / name
    files = [file for file in (place / JOURNAL, place / LOOP) if file.is_file()]
    worked = max((file.stat().st_mtime for file in files), default=None)
    try:
        state = LoopState.of(Journal(place).read(mend=False))
    except (StorageError, TrackerError, LookupError, ValueError):
        return KnownLoop(loop=name, state=UNREADABLE, last_worked=worked, folder=str(folder))
    ending = state.finishing.ending if state.finishing and state.placed is not None else None
    over = ending.outcome if ending else INTERRUPTED
    return KnownLoop(
        loop=name,
        state=AT_WORK if name == at_work else over,
        reason=ending.reason if ending and name != at_work else "",
        rounds=max(0, state.number),
        best=best_yet(state) if state.rounds else None,
        cost_usd=state.cost_usd,
        last_worked=worked,
        folder=state.folder,
    )


def _without_folder(repository: Repository, name: str, here: Path) -> KnownLoop:
    """A loop that only git knows: it belongs to another worktree, or its folder was deleted."""
    home = ""
    with suppress(LookupError):
        home = text_at(repository, f"loops/{name}/{NAME}")
    return KnownLoop(loop=name, state=UNREADABLE if home == str(here) else ELSEWHERE, folder=home)
