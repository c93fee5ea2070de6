"""Finds what the user changed while the loop was stopped, so that the work continues from those files."""

from contextlib import suppress

from headway.loop.facts import ContinuedFrom, FilesFound
from headway.loop.open_loop import OpenLoop
from headway.loop.round_snapshots import RoundSnapshots, SnapshotsLostError
from headway.loop.state import LoopState
from headway.loop.talk import differing
from headway.reports.iteration_markdown import round_name
from headway.snapshots import Snapshot


def find_edits(loop: OpenLoop) -> None:
    """Compare the files with how the loop left them; print and record the differences.

    A round that the user restored by hand is not an edit: the work continues from that round. If the loop was killed
    during a round, it is unknown who made the changes. They then count as the round's, and are saved under a name that
    is printed.
    """
    state, snapshots, say = loop.state, loop.snapshots, loop.screen.say
    before = snapshots.snapshot_at(state.left) if state.left else snapshots.files_of(state.base) if state.ends else None
    changed = snapshots.changed_since(before) if before else None
    if before is None or not changed or not changed.files:
        return
    kept = snapshots.save_state(f"at-start-{state.number:03d}")
    if kept is None:
        return
    again = _restored_by_hand(state, snapshots, before, kept)
    if again is not None:
        number, theirs = again
        loop.note(ContinuedFrom(at=loop.now(), number=number, left=kept.ref, by_hand=True))
        apart = ", apart from what you changed" if theirs else ""
        say(f"   the files are those of {round_name(number)} again{apart}; the loop continues from there")
        before = snapshots.files_of(number)
        changed = snapshots.changed_since(before) if before and theirs else None
        if before is None or not changed:
            return
    said = differing(changed, round_name(state.base))
    if state.left or not state.is_under_way:
        loop.note(FilesFound(at=loop.now(), number=state.number, since=before.ref, now=kept.ref))
        say(f"   {said}. These count as your changes: a rollback keeps them")
        return
    undo = f"headway rollback {state.loop_id} {kept.ref.rpartition('/')[2]}"
    say(f"   {said}. A round was running, so they count as its work")
    say(f"   these files were saved; to restore them later: {undo}")


def _restored_by_hand(
    state: LoopState, snapshots: RoundSnapshots, left: Snapshot, now: Snapshot
) -> tuple[int, set[str]] | None:
    """The round that the user restored by hand, with the files that differ from it; None if there is none."""
    is_theirs = not state.is_under_way or (state.left and state.agent_is_due)
    if not is_theirs or left.tree == now.tree:
        return None
    nearest, theirs = _nearest_round(snapshots, now, left, state)
    return (nearest, theirs) if nearest != state.base or not theirs else None


def _nearest_round(
    snapshots: RoundSnapshots, now: Snapshot, left: Snapshot, state: LoopState
) -> tuple[int, set[str]]:  # fmt: skip
    """The round that the working tree matches best, and the files that differ from it.

    That is the round the files were left at, unless another one is nearer. Files that measuring left behind do not
    count.
    """
    files: dict[int, Snapshot | None] = {}
    for number in (state.base, *range(state.number, -1, -1)):
        with suppress(SnapshotsLostError):  # a lost round cannot have been restored
            files[number] = snapshots.files_of(number)
    left_by_measuring = snapshots.differing(files.get(state.base), left) - snapshots.differing(left, now)
    found = {number: snapshots.differing(snapshot, now) - left_by_measuring for number, snapshot in files.items()}
    nearest = min(found, key=lambda number: len(found[number]), default=state.base)
    return nearest, found.get(nearest, set())
