"""Which of two rounds is better, and which did no harm.

A round did no harm if it has no fewer tests than the baseline or than the round it began from, and, measured against
the baseline, went forward, or changed something and broke nothing. If some things got worse and others better, its
quality must be higher.

Of two such rounds the higher quality wins, over what both measured; then the one that was verified (tests ran, all
passed), then the one that measured more, then a later one that was built upon the other, then the earlier one. A round
that went forward from the other wins unless its quality is clearly lower; one that only made things worse never wins.
"""

from collections.abc import Mapping

from headway.core.iteration import Iteration
from headway.scoring.quality import quality_score
from headway.scoring.verdict import EXACT, STALL_RANGE, compare, fewer_tests

CLEARLY = STALL_RANGE
"""How much lower the quality must be to outweigh measurements that got better."""


def deleted_tests(one: Iteration) -> bool:
    """Does a round have fewer tests than the one it began from, or than the baseline? Skipped ones are none."""
    return any(change is not None and fewer_tests(change) for change in (one.from_previous, one.from_baseline))


def comparable(one: Iteration, other: Iteration) -> bool:
    """Whether the qualities of two rounds rest on the same measurements."""
    return bool(one.quality and other.quality and _components(one) == _components(other))


def holds_against(one: Iteration, baseline: Iteration) -> bool:
    """Did a round go forward from the baseline, or at least change something without harm?"""
    if baseline.quality is None:
        return True
    verdict, mixed = compare(one.measured, baseline.measured)
    if verdict == "forward":
        return True
    if _components(baseline) - _components(one):  # what broke may have taken a measurement with it
        return False
    if verdict == "plateau" and one.changes is not None:
        return bool(one.changes.files)
    ours, theirs = _qualities(one, baseline, baseline)
    return ours > theirs and (mixed or verdict == "plateau")


def is_better(one: Iteration, best: Iteration, rounds: Mapping[int, Iteration]) -> bool:
    """Whether a later round takes the place of the best one before it."""
    mine, others = _components(one), _components(best)
    if not mine & others:
        return len(mine) > len(others)
    verdict, mixed = compare(one.measured, best.measured)
    if others - mine:
        return verdict == "forward"
    if verdict == "regression" and not mixed:
        return False
    ours, theirs = _qualities(one, best, rounds.get(0))
    if verdict == "forward":
        return round(theirs - ours, EXACT) < CLEARLY
    our_rank, their_rank = (ours, one.measured.all_passed, len(mine)), (theirs, best.measured.all_passed, len(others))
    return our_rank > their_rank if our_rank != their_rank else _is_built_on(one, best, rounds)


def _is_built_on(one: Iteration, other: Iteration, rounds: Mapping[int, Iteration]) -> bool:
    """Does a round hold the work of the other, and something more?"""
    if one.changes is None or not one.changes.files:
        return False
    before = one.began_from
    while before > other.number and before in rounds:
        before = rounds[before].began_from
    return before == other.number


def _qualities(one: Iteration, other: Iteration, baseline: Iteration | None) -> tuple[float, float]:
    """Both qualities, over the components that both rounds measured."""
    if one.quality is None or other.quality is None:
        return 0.0, 0.0
    if comparable(one, other):
        return one.quality.value, other.quality.value
    common, base = _components(one) & _components(other), baseline.measured if baseline else None
    ours, theirs = (quality_score(each.measured, base, common) for each in (one, other))
    return (ours.value if ours else 0.0), (theirs.value if theirs else 0.0)


def _components(one: Iteration) -> set[str]:
    return set(one.quality.components) if one.quality else set()
