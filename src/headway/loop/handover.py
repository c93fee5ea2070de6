"""The way out: the round that is handed over is put in place, and the report says which one and why."""

import time
from collections.abc import Callable

from headway.loop import facts
from headway.loop.course import Course
from headway.loop.keep import keep_selection
from headway.loop.keeping import Keeping, SnapshotsLostError
from headway.loop.report import report_of
from headway.snapshots import GitError, RestoreError
from headway.store.loop_files import LoopFiles

NOT_BROUGHT_BACK = (RestoreError, GitError, SnapshotsLostError)
"""Why files may stay as they are although a round was to be brought back."""


def hand_over(
    course: Course, ending: facts.Ending, note: Callable[[facts.Fact], None], keeping: Keeping, files: LoopFiles
) -> None:
    """Select a round, put its files in place, and write the report. Doing it twice does no harm."""
    selected = _select(course, ending)
    if course.handing_over is None:
        note(facts.HandingOver(at=time.time(), ending=ending, selected=selected))
    try:
        placed, base, kept = _place(course, keeping, selected)
    except NOT_BROUGHT_BACK as error:
        give_up(course, f"{_named(selected).capitalize()} could not be put in place: {error}", note, files)
        return
    keep_selection(course.tracker, files, report_of(course, keeping))
    note(facts.Ended(at=time.time(), placed=placed, base=base, kept=kept))


def give_up(course: Course, message: str, note: Callable[[facts.Fact], None], files: LoopFiles) -> None:
    """End a loop whose files cannot be brought back: there is no result, and the report says why."""
    ending = facts.Ending(outcome="stopped", reason="rollback_failed", message=message)
    course.tracker.selection, course.tracker.ending = None, f"{ending.outcome}. {message}"
    note(facts.HandingOver(at=time.time(), ending=ending))
    keep_selection(course.tracker, files, report_of(course))
    note(facts.Ended(at=time.time(), placed="No round was put in place."))


def _select(course: Course, ending: facts.Ending) -> int | None:
    """The best round; where the work is done, the round in which it was done."""
    tracker, number = course.tracker, course.number
    tracker.ending = f"{ending.outcome}. {ending.message}"
    is_done = ending.outcome == "done" and number > 0
    selection = tracker.post_loop(done_in=number if is_done else None, because=ending.message).selection
    return selection.selected_iteration if selection else None


def _place(course: Course, keeping: Keeping, selected: int | None) -> tuple[str, int | None, str]:
    """Where the selected round is now, in words; the round that the working tree holds; and what gave way to it."""
    order, name = course.order, _named(selected)
    if selected is None:
        return "Nothing could be compared, so the files are left as they are.", None, ""
    if keeping.repository is None:
        return f"Without git no files were kept; {name} is the best.", None, ""
    if order.branch:
        keeping.branch(order.branch, selected)
        kept = _bring_back(course, keeping, 0)
        return f"{name} is on the branch {order.branch}; the working tree is as it was before.".capitalize(), 0, kept
    if order.rollback == "never" and course.base != selected:
        return f"{name} is the best; the files are left as they are (--rollback never).".capitalize(), None, ""
    kept = _bring_back(course, keeping, selected)
    return f"{name} is in the working tree.".capitalize(), selected, kept


def _bring_back(course: Course, keeping: Keeping, to: int) -> str:
    """Put a round's files in place; returns where those are kept that were there, if any had to give way."""
    restored = keeping.go_back(to, course.number) if course.base != to or course.agent_is_due else None
    return restored.kept.ref if restored and (restored.written or restored.removed) else ""


def _named(selected: int | None) -> str:
    return "the baseline" if selected == 0 else f"round {selected}"
