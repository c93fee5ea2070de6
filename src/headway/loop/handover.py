"""The way out: the round that is selected is put in place, and the report says which one and why."""

from collections.abc import Callable, Iterator, Sequence

from headway.loop import facts
from headway.loop.report import report_of
from headway.loop.round_files import keep_selection
from headway.loop.round_snapshots import RoundSnapshots, SnapshotsLostError
from headway.loop.state import LoopState
from headway.snapshots import Committed, GitError, RestoreError, Snapshot
from headway.store.loop_files import LoopFiles

NOT_BROUGHT_BACK = (RestoreError, GitError, SnapshotsLostError)
"""Why files may stay as they are although a round was to be brought back."""
SHOWN = 5
"""How many files are named."""


def hand_over(
    course: LoopState,
    ending: facts.Ending,
    note: Callable[[facts.Fact], None],
    keeping: RoundSnapshots,
    files: LoopFiles,
    now: Callable[[], float],
) -> None:
    """Select a round, put its files in place, and write the report. Doing it twice does no harm."""
    selected, kept = _select(course, ending), None
    try:
        if course.handing_over is None:
            to = _to_be_placed(course, keeping, selected)
            kept = None if to is None else keeping.keep_before(to, course.number)
            note(facts.HandingOver(at=now(), ending=ending, selected=selected, kept=kept.ref if kept else ""))
        placed, base, gave_way = _place(course, keeping, selected, kept)
        left = keeping.keep_state(f"at-end-{course.number:03d}")
    except NOT_BROUGHT_BACK as error:
        give_up(course, f"{_sentence(_named(selected))} could not be put in place: {error}", note, files, now)
        return
    keep_selection(course.tracker, files, report_of(course, keeping))
    note(facts.Ended(at=now(), placed=placed, base=base, kept=gave_way, left=left.ref if left else ""))


def give_up(
    course: LoopState, message: str, note: Callable[[facts.Fact], None], files: LoopFiles, now: Callable[[], float]
) -> None:
    """End a loop whose files cannot be brought back: there is no result, and the report says why."""
    ending = facts.Ending(outcome="stopped", reason="rollback_failed", message=message)
    course.tracker.selection, course.tracker.ending = None, f"{ending.outcome}. {message}"
    note(facts.HandingOver(at=now(), ending=ending))
    keep_selection(course.tracker, files, report_of(course))
    note(facts.Ended(at=now(), placed="No round was put in place."))


def _select(course: LoopState, ending: facts.Ending) -> int | None:
    """The best round; where the work is done, the round in which it was done."""
    tracker, number = course.tracker, course.number
    tracker.ending = f"{ending.outcome}. {ending.message}"
    is_done = ending.outcome == "done" and number > 0
    selection = tracker.post_loop(done_in=number if is_done else None, because=ending.message).selection
    return selection.selected_iteration if selection else None


def _to_be_placed(course: LoopState, keeping: RoundSnapshots, selected: int | None) -> int | None:
    """The round whose files the working tree is to have; None where it is left as it is."""
    order = course.order
    if selected is None or keeping.repository is None:
        return None
    if not order.branch and order.rollback == "never" and course.base != selected:
        return None
    to = course.home if order.branch else selected
    return to if course.base != to or course.agent_is_due else None


def _place(
    course: LoopState, keeping: RoundSnapshots, selected: int | None, kept: Snapshot | None
) -> tuple[str, int | None, str]:
    """Where the selected round is now, in words; the round that the working tree holds; and what gave way to it."""
    order, name = course.order, _named(selected)
    if selected is None:
        return "The rounds cannot be compared, so the files were not changed.", None, ""
    if keeping.repository is None:
        return _sentence(f"{name} is the best, but without git its files were not saved."), None, ""
    if order.branch:
        done = keeping.branch(order.branch, selected)
        gave_way = _bring_back(course, keeping, course.home, kept)
        where, committed = done or (order.branch, None)
        ignored = keeping.ignored_since_start()
        apart = ", apart from ignored files" if ignored else ""
        said = _sentence(f"{name} is on the branch {where}; the working tree is unchanged{apart}.")
        missing = [*_not_on_branch(course, selected, committed)] if committed else []
        if ignored:
            made = "created or changed since the loop started, and still in the working tree"
            missing.append(f"Not on the branch, because git ignores them: {_names(ignored)} ({made}).")
        return " ".join([said, *missing]), course.home, gave_way
    if order.rollback == "never" and course.base != selected:
        return _sentence(f"{name} is the best; the files were not changed (--rollback never)."), None, ""
    gave_way = _bring_back(course, keeping, selected, kept)
    edits = ", with your own changes" if keeping.has_edits_since(selected) else ""
    return _sentence(f"{name} is in the working tree{edits}."), selected, gave_way


def _not_on_branch(course: LoopState, selected: int, done: Committed) -> Iterator[str]:
    """What the user should know about the branch."""
    if done.left_out:
        export = f"headway export {course.loop_id} {selected} DIR"
        names = f"{_names(done.left_out)} ({export} has them)"
        yield f"Not on the branch, because you had not committed them before: {names}."
    if done.mixed:
        yield f"On the branch with your own uncommitted edits, which overlap with the round's: {_names(done.mixed)}."
    if done.ignored:
        yield f"Not on the branch, because the ignore rules of the round exclude them: {_names(done.ignored)}."
    if done.nested:
        yield f"Not on the branch, because they are in nested repositories: {_names(done.nested)}."


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _names(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
    return ", ".join(paths[:SHOWN]) + more


def _bring_back(course: LoopState, keeping: RoundSnapshots, to: int, kept: Snapshot | None) -> str:
    """Put a round's files in place; returns where those are kept that were there, if any had to give way.

    A sitting before this one may have been killed after it had put them in place: then its note tells what was there.
    """
    restored = keeping.go_back(to, course.number, kept) if course.base != to or course.agent_is_due else None
    noted = course.handing_over.kept if course.handing_over else ""
    if noted:
        wanted = keeping.files_of(to)
        return noted if wanted and keeping.state(noted).tree != wanted.tree else ""
    return restored.kept.ref if restored and (restored.written or restored.removed) else ""


def _named(selected: int | None) -> str:
    return "the baseline" if selected == 0 else f"round {selected}"
