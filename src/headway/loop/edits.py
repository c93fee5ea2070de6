"""What a person changed between two sittings of a loop: it is theirs, and where the work goes on from."""

from collections.abc import Callable

from headway.loop.course import Course
from headway.loop.facts import Fact, FilesFound
from headway.loop.keeping import Keeping
from headway.loop.talk import differing


def find_edits(
    course: Course, keeping: Keeping, note: Callable[[Fact], None], now: Callable[[], float], say: Callable[[str], None]
) -> None:
    """Compare the files with how the loop left them, and say and note what differs.

    Where a round was under way when the loop was killed, nobody can tell whose changes they are. They are then the
    round's, and kept under a name that is told.
    """
    before = keeping.state(course.left) if course.left else keeping.files_of(course.base) if course.ends else None
    changed = keeping.changed_since(before) if before else None
    if before is None or not changed or not changed.files:
        return
    kept = keeping.keep_state(f"at-start-{course.number:03d}")
    if kept is None:
        return
    said = differing(changed, "the baseline" if course.base == 0 else f"round {course.base}")
    if course.left or not course.is_under_way:
        note(FilesFound(at=now(), number=course.number, since=before.ref, now=kept.ref))
        say(f"   {said}. That counts as yours: going back leaves it as it is")
        return
    undo = f"headway rollback {course.loop_id} {kept.ref.rpartition('/')[2]}"
    say(f"   {said}. A round was under way, so that counts as its work")
    say(f"   these files are kept as they are now; to get them back later: {undo}")
