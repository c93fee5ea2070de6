"""Finishes a loop: selects a round, restores its files or puts them on a branch, and writes the report."""

from collections.abc import Iterator, Sequence

from headway.loop import facts
from headway.loop.open_loop import OpenLoop
from headway.loop.report import report_of
from headway.loop.result_branch import commit_to_branch
from headway.loop.round_files import write_selection
from headway.loop.round_snapshots import RoundSnapshots, SnapshotsLostError
from headway.loop.state import LoopState
from headway.snapshots import Committed, GitError, RestoreError, Snapshot

RESTORE_ERRORS = (RestoreError, GitError, SnapshotsLostError)
"""Errors after which the files stay as they are although a round should have been restored."""
MAX_FILES_SHOWN = 5


def finish_loop(loop: OpenLoop, ending: facts.Ending) -> None:
    """Select a round, put its files in place, and write the report. It is safe to repeat."""
    state, snapshots = loop.state, loop.snapshots
    selected, kept = _select(state, ending), None
    try:
        if state.finishing is None:
            to = _round_to_place(state, snapshots, selected)
            kept = None if to is None else snapshots.save_before(to, state.number)
            loop.note(facts.Finishing(at=loop.now(), ending=ending, selected=selected, kept=kept.ref if kept else ""))
        placed, base, gave_way = _place(state, snapshots, selected, kept)
        left = snapshots.save_state(f"at-end-{state.number:03d}")
    except RESTORE_ERRORS as error:
        give_up(loop, f"{_sentence(_named(selected))} could not be put in place: {error}")
        return
    write_selection(state.tracker, loop.files, report_of(state, snapshots))
    loop.note(facts.Ended(at=loop.now(), placed=placed, base=base, kept=gave_way, left=left.ref if left else ""))


def give_up(loop: OpenLoop, message: str) -> None:
    """End a loop whose files cannot be restored. There is no result, and the report says why."""
    state = loop.state
    ending = facts.Ending(outcome="stopped", reason="rollback_failed", message=message)
    state.tracker.selection, state.tracker.ending = None, f"{ending.outcome}. {message}"
    loop.note(facts.Finishing(at=loop.now(), ending=ending))
    write_selection(state.tracker, loop.files, report_of(state))
    loop.note(facts.Ended(at=loop.now(), placed="No round was put in place."))


def _select(state: LoopState, ending: facts.Ending) -> int | None:
    """The best round, or the round that finished the work."""
    tracker, number = state.tracker, state.number
    tracker.ending = f"{ending.outcome}. {ending.message}"
    is_done = ending.outcome == "done" and number > 0
    selection = tracker.post_loop(done_in=number if is_done else None, because=ending.message).selection
    return selection.selected_iteration if selection else None


def _round_to_place(state: LoopState, snapshots: RoundSnapshots, selected: int | None) -> int | None:
    """The round whose files go to the working tree; None to leave the files as they are."""
    spec = state.spec
    if selected is None or snapshots.repository is None:
        return None
    if not spec.branch and spec.rollback == "never" and state.base != selected:
        return None
    to = state.home if spec.branch else selected
    return to if state.base != to or state.agent_is_due else None


def _place(
    state: LoopState, snapshots: RoundSnapshots, selected: int | None, kept: Snapshot | None
) -> tuple[str, int | None, str]:
    """The location of the selected round as text, the round in the working tree, and the snapshot that it replaced."""
    spec, name = state.spec, _named(selected)
    if selected is None:
        return _why_none(state), None, ""
    if snapshots.repository is None:
        return _sentence(f"{name} is the best, but without git its files were not saved."), None, ""
    if spec.branch:
        done = commit_to_branch(snapshots, spec.branch, selected)
        gave_way = _restore(state, snapshots, state.home, kept)
        where, committed = done or (spec.branch, None)
        ignored = snapshots.ignored_since_start()
        apart = ", apart from ignored files" if ignored else ""
        said = _sentence(f"{name} is on the branch {where}; the working tree is unchanged{apart}.")
        missing = [*_not_on_branch(state, selected, committed)] if committed else []
        if ignored:
            made = "created or changed since the loop started, and still in the working tree"
            missing.append(f"Not on the branch, because git ignores them: {_names(ignored)} ({made}).")
        return " ".join([said, *missing]), state.home, gave_way
    if spec.rollback == "never" and state.base != selected:
        are = (
            "were left as they are" if state.agent_is_due else f"in the working tree are those of {_named(state.base)}"
        )
        return _sentence(f"{name} is the best, but the files {are} (--rollback never)."), None, ""
    gave_way = _restore(state, snapshots, selected, kept)
    edits = ", with your own changes" if snapshots.has_edits_since(selected) else ""
    return _sentence(f"{name} is in the working tree{edits}."), selected, gave_way


def _why_none(state: LoopState) -> str:
    """Why no round is selected. The agent may have changed files before an end in the middle of a round."""
    if state.number > 0:
        return "The rounds cannot be compared, so the files were left as they are."
    if state.began is None:
        return "No round was made; the files were not changed."
    return "No round was finished; the files were left as they are."


def _not_on_branch(state: LoopState, selected: int, done: Committed) -> Iterator[str]:
    """What the user should know about the branch."""
    if done.left_out:
        export = f"headway export {state.loop_id} {selected} DIR"
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
    more = f" and {len(paths) - MAX_FILES_SHOWN} more" if len(paths) > MAX_FILES_SHOWN else ""
    return ", ".join(paths[:MAX_FILES_SHOWN]) + more


def _restore(state: LoopState, snapshots: RoundSnapshots, to: int, kept: Snapshot | None) -> str:
    """Restore a round's files; returns the snapshot of the files before, if any were replaced.

    An earlier process may have been killed after it restored them. Its fact then says where the files before are saved.
    """
    restored = snapshots.restore_round(to, state.number, kept) if state.base != to or state.agent_is_due else None
    noted = state.finishing.kept if state.finishing else ""
    if noted:
        wanted = snapshots.files_of(to)
        return noted if wanted and snapshots.snapshot_at(noted).tree != wanted.tree else ""
    return restored.kept.ref if restored and (restored.written or restored.removed) else ""


def _named(selected: int | None) -> str:
    return "the baseline" if selected == 0 else f"round {selected}"
