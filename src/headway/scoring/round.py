"""Scores a finished round against the rounds before it."""

from collections.abc import Sequence

import msgspec

from headway.core.iteration import Iteration
from headway.scoring.progress import progress_score
from headway.scoring.proven import proven
from headway.scoring.quality import quality_score
from headway.scoring.verdict import compare, deltas, is_stalled


def scored(one: Iteration, earlier: Sequence[Iteration], previous_output: str | None) -> Iteration:
    """Add scores, deltas and verdict to a round. Deltas compare it with the round it is based on.

    Without tests there is no quality: lines and lint errors alone would give an empty project a perfect score.
    """
    by_number = {other.number: other for other in earlier}
    baseline, before = by_number.get(0), by_number.get(one.began_from)
    progress = progress_score(previous_output, one.output, one.changes.lines if one.changes else None)
    is_tested = one.measured.pass_rate is not None or one.measured.coverage_percentage is not None
    first = baseline.measured if baseline else None
    quality = quality_score(one.measured, first) if is_tested else None
    sure, set_aside = proven(one.measured, first)
    sure_quality = quality_score(sure, first) if is_tested and set_aside else quality
    one = msgspec.structs.replace(one, progress=progress, quality=quality, proven=sure_quality, set_aside=set_aside)
    if one.number == 0 or before is None:
        return one
    verdict, mixed = compare(one.measured, before.measured)
    one = msgspec.structs.replace(
        one,
        verdict=verdict,
        mixed=mixed,
        from_previous=deltas(one.measured, before.measured),
        from_baseline=deltas(one.measured, baseline.measured) if baseline else None,
    )
    return msgspec.structs.replace(one, verdict="stalled") if is_stalled([*earlier, one]) else one
