"""Builds the report of a loop: the tracker's assessments, and what only the loop knows about its rounds."""

import shlex

import msgspec

from headway.loop.fate import left_in_place, round_outcome
from headway.loop.prompt import task_of
from headway.loop.round_snapshots import RoundSnapshots, SnapshotsLostError
from headway.loop.state import LoopState
from headway.rolling.secrets import mask
from headway.scoring.assessment import LoopReport
from headway.snapshots import GitError, patch

MAX_DIFF_CHARACTERS = 200_000


def report_of(state: LoopState, snapshots: RoundSnapshots | None = None) -> LoopReport:
    """The report of the loop so far, with the diff of the selected round if its files are available."""
    return msgspec.structs.replace(
        state.tracker.report(),
        rounds=tuple(round_outcome(state, one.iteration.number) for one in state.rounds),
        task=mask(task_of(state.spec, state.prompt)),
        command=mask(shlex.join(state.spec.command)),
        diff=_diff(state, snapshots),
        left=left_in_place(state),
        cost_usd=state.cost_usd,
        seconds=round(state.seconds(), 3),
    )


def _diff(state: LoopState, snapshots: RoundSnapshots | None) -> str:
    selection = state.tracker.selection
    selected = selection.selected_iteration if selection else None
    if snapshots is None or not selected:
        return ""
    try:
        before, after = snapshots.files_of(0), snapshots.files_of(selected)
        if before is None or after is None:
            return ""
        text, size = [], 0
        for line in patch(before, after):
            text.append(line.decode("utf-8", "replace").rstrip("\n"))
            size += len(text[-1])
            if size > MAX_DIFF_CHARACTERS:
                text.append("… and more: headway diff shows all of it")
                break
    except (GitError, SnapshotsLostError):
        return ""
    return mask("\n".join(text))
