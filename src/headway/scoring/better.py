"""Decides which of two rounds is better, and which did no harm.

A round did no harm if all of this is true. It has no fewer tests than the baseline and the round it is based on. It
broke none of their tests, or fixed at least twice as many. Compared with the baseline it went forward, or changed
something and broke nothing. If some measurements got worse and others better, its quality must be higher. If it changed
how it is measured and did not go forward, its quality must not be lower.

Of two such rounds, the one in which more of the same tests pass wins, if nothing got worse. Then the higher quality
wins, over what both measured and what is proven (`proven`); then a verified round (tests ran and all passed), then the
one that measured more, then a later one that is based on the other, then the earlier one. A round that went forward in
another way wins unless its quality, not counting lines, is clearly lower. One that only made things worse never wins.
"""

from collections.abc import Collection, Mapping

from headway.core.iteration import Iteration
from headway.scoring.proven import proven
from headway.scoring.quality import quality_score
from headway.scoring.verdict import EXACT, STALL_RANGE, broke_tests, compare, deltas, fewer_tests

CLEARLY = STALL_RANGE
"""How much lower the quality must be to outweigh measurements that got better."""
LINES = {"loc_appropriate"}
"""Components about the amount of code. They never outweigh measurements that got better."""


def deleted_tests(one: Iteration) -> bool:
    """Check whether a round has fewer tests than the one it is based on or the baseline. Skipped ones do not count."""
    return any(change is not None and fewer_tests(change) for change in (one.from_previous, one.from_baseline))


def harmed_tests(one: Iteration, *, strict: bool = False) -> bool:
    """Check whether a round broke tests of these two. Unless `strict`, a round that fixed many more did not."""
    known = [change for change in (one.from_previous, one.from_baseline) if change is not None]
    if strict and any(change.suite is not None and change.suite.lost for change in known):
        return True
    return any(map(broke_tests, known))


def comparable(one: Iteration, other: Iteration) -> bool:
    """Check whether the qualities of two rounds rest on the same measurements."""
    return bool(one.quality and other.quality and _components(one) == _components(other))


def holds_against(one: Iteration, baseline: Iteration) -> bool:
    """Check whether a round went forward from the baseline, or at least changed something without harm."""
    if baseline.quality is None:
        return True
    verdict, mixed = compare(proven(one.measured, baseline.measured).measured, baseline.measured)
    if verdict == "forward":
        return True
    if _components(baseline) - _components(one):  # a measurement may be missing because something broke
        return False
    if one.measured.changed_measure and one.quality and sure_value(one) < baseline.quality.value:
        return False
    if verdict == "plateau" and one.changes is not None:
        return bool(one.changes.files)
    ours, theirs = _qualities(one, baseline, baseline, LINES)
    return ours > theirs and (mixed or verdict == "plateau")


def is_better(one: Iteration, best: Iteration, rounds: Mapping[int, Iteration]) -> bool:
    """Check whether a later round replaces the best one before it."""
    mine, others = _components(one), _components(best)
    if not mine & others:
        return len(mine) > len(others)
    first = rounds[0].measured if 0 in rounds else None
    sure, best_sure = (proven(each.measured, first).measured for each in (one, best))
    verdict, mixed = compare(sure, best_sure)
    if others - mine:
        return verdict == "forward"
    if verdict == "regression" and not mixed:
        return False
    if verdict == "forward" and _fixed(one, best) and not mixed:
        return True
    ours, theirs = _qualities(one, best, rounds.get(0), LINES if verdict == "forward" or mixed else frozenset())
    if verdict == "forward":
        return round(theirs - ours, EXACT) < CLEARLY
    our_rank, their_rank = (ours, one.measured.all_passed, len(mine)), (theirs, best.measured.all_passed, len(others))
    return our_rank > their_rank if our_rank != their_rank else _is_built_on(one, best, rounds)


def is_step_forward(one: Iteration, baseline: Iteration) -> bool:
    """Check whether a round is better than the baseline in what is proven."""
    return compare(proven(one.measured, baseline.measured).measured, baseline.measured)[0] == "forward"


def sure_value(one: Iteration) -> float:
    """The quality that is proven; 0 if there is none."""
    score = one.proven or one.quality
    return score.value if score else 0.0


def quality_in_words(one: Iteration) -> str:
    """The quality, and what is left of it if something was set aside: "quality 0.99, or 0.39 without 40 new tests"."""
    return f"quality {in_words(one.quality.value, sure_value(one), one.set_aside)}" if one.quality else "no quality"


def in_words(quality: float, sure: float, set_aside: Collection[str]) -> str:
    """A quality, and what is proven of it if something was set aside."""
    return f"{quality:.2f}, or {proven_in_words(sure, set_aside)}" if set_aside else f"{quality:.2f}"


def proven_in_words(sure: float, set_aside: Collection[str]) -> str:
    """What is proven of a quality: 0.39 without 40 new tests."""
    return " ".join((f"{sure:.2f}", " and ".join(set_aside))).rstrip()


def _is_built_on(one: Iteration, other: Iteration, rounds: Mapping[int, Iteration]) -> bool:
    """Check whether a round contains the work of the other, and something more."""
    if one.changes is None or not one.changes.files:
        return False
    before = one.began_from
    while before > other.number and before in rounds:
        before = rounds[before].began_from
    return before == other.number


def _fixed(one: Iteration, other: Iteration) -> bool:
    """Check whether more of the same tests pass. New tests do not count."""
    change = deltas(one.measured, other.measured)
    if change.suite is not None:
        return bool(change.suite.fixed)
    return (change.tests_passed_delta or 0) > max(0, change.test_count_delta or 0)


def _qualities(
    one: Iteration, other: Iteration, baseline: Iteration | None, without: Collection[str] = ()
) -> tuple[float, float]:
    """Both qualities, over the components that both rounds measured."""
    if one.quality is None or other.quality is None:
        return 0.0, 0.0
    mine, others = _components(one), _components(other)
    if mine == others and mine.isdisjoint(without):
        return sure_value(one), sure_value(other)
    common, base = (mine & others).difference(without), baseline.measured if baseline else None
    ours, theirs = (quality_score(proven(each.measured, base).measured, base, common) for each in (one, other))
    return (ours.value if ours else 0.0), (theirs.value if theirs else 0.0)


def _components(one: Iteration) -> set[str]:
    return set(one.quality.components) if one.quality else set()
