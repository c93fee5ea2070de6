"""What a person changed between two sittings of a loop: it is theirs, and where the work goes on from."""

from collections.abc import Callable

from headway.loop.facts import Fact, FilesFound, WentOnFrom
from headway.loop.round_snapshots import RoundSnapshots
from headway.loop.state import LoopState
from headway.loop.talk import differing
from headway.reports.iteration_markdown import round_name
from headway.snapshots import Snapshot


def find_edits(
    course: LoopState,
    keeping: RoundSnapshots,
    note: Callable[[Fact], None],
    now: Callable[[], float],
    say: Callable[[str], None],
) -> None:
    """Compare the files with how the loop left them, and say and note what differs.

    A round that a person brought back by hand is no edit: the work goes on from it.

    If a round was running when the loop was killed, it is unknown whose changes they are. They then count as the
    round's, and kept under a name that is told.
    """
    before = keeping.state(course.left) if course.left else keeping.files_of(course.base) if course.ends else None
    changed = keeping.changed_since(before) if before else None
    if before is None or not changed or not changed.files:
        return
    kept = keeping.keep_state(f"at-start-{course.number:03d}")
    if kept is None:
        return
    again = _round_again(course, keeping, before, kept)
    if again is not None:
        number, theirs = again
        note(WentOnFrom(at=now(), number=number, left=kept.ref, by_hand=True))
        apart = ", apart from what you changed" if theirs else ""
        say(f"   the files are those of {round_name(number)} again{apart}; the loop continues from there")
        before = keeping.files_of(number)
        changed = keeping.changed_since(before) if before and theirs else None
        if before is None or not changed:
            return
    said = differing(changed, round_name(course.base))
    if course.left or not course.is_under_way:
        note(FilesFound(at=now(), number=course.number, since=before.ref, now=kept.ref))
        say(f"   {said}. These count as your changes: a rollback keeps them")
        return
    undo = f"headway rollback {course.loop_id} {kept.ref.rpartition('/')[2]}"
    say(f"   {said}. A round was running, so they count as its work")
    say(f"   these files were saved; to restore them later: {undo}")


def _round_again(
    course: LoopState, keeping: RoundSnapshots, left: Snapshot, now: Snapshot
) -> tuple[int, set[str]] | None:
    """The round that a person brought back by hand, and the files that are not as it has them; None if they did not."""
    is_theirs = not course.is_under_way or (course.left and course.agent_is_due)
    if not is_theirs or left.tree == now.tree:
        return None
    nearest, theirs = keeping.nearest_round(now, left, course.base, course.number)
    return (nearest, theirs) if nearest != course.base or not theirs else None
