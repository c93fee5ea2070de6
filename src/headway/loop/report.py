"""A loop as it is reported: what the tracker assessed, with what only the loop knows of its rounds."""

import shlex

import msgspec

from headway.loop.fate import left_in_place, told_round
from headway.loop.prompt import task_of
from headway.loop.round_snapshots import RoundSnapshots, SnapshotsLostError
from headway.loop.state import LoopState
from headway.rolling.secrets import mask
from headway.scoring.assessment import LoopReport
from headway.snapshots import GitError, patch

LONGEST_DIFF = 200_000
"""Characters of the diff that a report holds."""


def report_of(course: LoopState, keeping: RoundSnapshots | None = None) -> LoopReport:
    """The loop as far as it has gone; with the diff of the selected round, where its files can be looked at."""
    return msgspec.structs.replace(
        course.tracker.report(),
        rounds=tuple(told_round(course, one.iteration.number) for one in course.rounds),
        task=mask(task_of(course.order, course.prompt)),
        command=mask(shlex.join(course.order.command)),
        diff=_diff(course, keeping),
        left=left_in_place(course),
        cost_usd=course.cost_usd,
        seconds=round(course.seconds(), 3),
    )


def _diff(course: LoopState, keeping: RoundSnapshots | None) -> str:
    selection = course.tracker.selection
    selected = selection.selected_iteration if selection else None
    if keeping is None or not selected:
        return ""
    try:
        before, after = keeping.files_of(0), keeping.files_of(selected)
        if before is None or after is None:
            return ""
        text, size = [], 0
        for line in patch(before, after):
            text.append(line.decode("utf-8", "replace").rstrip("\n"))
            size += len(text[-1])
            if size > LONGEST_DIFF:
                text.append("… and more: headway diff shows all of it")
                break
    except (GitError, SnapshotsLostError):
        return ""
    return mask("\n".join(text))
