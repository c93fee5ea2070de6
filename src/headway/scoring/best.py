"""The best round, and why it is the best.

Only rounds that measured the same things can be compared; the group with the most components wins. In it the highest
quality counts, then a round that was verified (tests ran, all passed), then one that went forward from the other, then
the earlier one. The baseline is not a round: where no round is better than it, the work goes back to it. Nor is a round
that has fewer tests than the baseline or than the round it began from: deleting what fails is the cheapest way up.
"""

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from headway.core.iteration import Iteration
from headway.scoring.quality import ACCEPTED
from headway.scoring.verdict import compare


class Degradation(msgspec.Struct, frozen=True):
    """What happened after the peak."""

    degradation_started: int
    pattern: str
    iterations_after_peak: int
    quality_loss: float
    """In percent of the peak; negative."""


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """The round that is handed over."""

    selected_iteration: int | None
    """None when nothing could be compared; 0 is the baseline."""
    selected_quality: float | None
    final_iteration: int
    final_quality: float | None
    total_iterations: int
    acceptable: bool
    verified: bool
    rationale: tuple[str, ...]
    trajectory: dict[int, float]
    delta: float | None = None
    improvement_percentage: float | None = None
    """How much better the selected round is than the final one, in percent of the final one."""
    degradation: Degradation | None = None
    override: str | None = None
    """Why a person chose another round than the best one."""
    done: bool = False
    """Whether it was selected because the work is done in it, and not for its quality."""


def best_so_far(rounds: Sequence[Iteration]) -> Iteration | None:
    """The best of the rounds, or None if none of them has a quality and all its tests."""
    best: Iteration | None = None
    for one in _comparable(rounds):
        if best is None or _is_better(one, best):
            best = one
    return best


def best_to_return_to(rounds: Sequence[Iteration]) -> int:
    """The round to go back to: the best one, or the baseline where none is better."""
    best, baseline = best_so_far(rounds), next((one for one in rounds if one.number == 0), None)
    return 0 if best is None or (baseline is not None and not _beats(best, baseline)) else best.number


def select(rounds: Sequence[Iteration], *, accepted: float = ACCEPTED) -> Selection:
    """Choose among all rounds of a loop; the first may be the baseline."""
    baseline = next((one for one in rounds if one.number == 0), None)
    best = best_so_far(rounds)
    if best is not None and baseline is not None and not _beats(best, baseline):
        return _selection(baseline, rounds, accepted, [f"No round is better than the baseline ({_shown(baseline)})"])
    if best is None and baseline is not None and any(map(deleted_tests, rounds)):
        return _selection(baseline, rounds, accepted, ["Every round that could be compared has fewer tests"])
    return _selection(best, rounds, accepted, _rationale(best, rounds) if best else ["No round could be compared"])


def choose(rounds: Sequence[Iteration], number: int, reason: str, *, accepted: float = ACCEPTED) -> Selection:
    """Take a person's choice instead, and record why."""
    chosen = next((one for one in rounds if one.number == number), None)
    if chosen is None:
        raise ValueError(f"there is no round {number}; there are rounds {', '.join(str(one.number) for one in rounds)}")
    best = best_so_far(rounds)
    over = f", over round {best.number} ({_shown(best)})" if best is not None and best.number != number else ""
    selection = _selection(chosen, rounds, accepted, [f"Chosen by a person{over}: {reason}"])
    return msgspec.structs.replace(selection, override=reason)


def finished(rounds: Sequence[Iteration], number: int, why: str, *, accepted: float = ACCEPTED) -> Selection:
    """Take the round in which the work is done: a better one before it would not be."""
    selection = choose(rounds, number, why, accepted=accepted)
    best = best_so_far(rounds)
    over = f"; round {best.number} has {_shown(best)}" if best is not None and best.number != number else ""
    rationale = (f"The work is done in round {number}{over}: {why}", *selection.rationale[1:])
    return msgspec.structs.replace(selection, override=None, done=True, rationale=rationale)


def _comparable(rounds: Sequence[Iteration]) -> list[Iteration]:
    groups: dict[frozenset[str], list[Iteration]] = {}
    for one in rounds:
        if one.number > 0 and one.quality is not None and not deleted_tests(one):
            groups.setdefault(frozenset(one.quality.components), []).append(one)
    return max(groups.items(), key=lambda item: (len(item[0]), len(item[1])))[1] if groups else []


def deleted_tests(one: Iteration) -> bool:
    """Does a round have fewer tests than the one it began from, or than the baseline?"""
    changes = (one.from_previous, one.from_baseline)
    return any(change is not None and (change.test_count_delta or 0) < 0 for change in changes)


def _is_better(one: Iteration, best: Iteration) -> bool:
    """Higher quality, then verified, then forward against the other: more tests that pass are no tie."""
    ours, theirs = (_value(one), one.measured.all_passed), (_value(best), best.measured.all_passed)
    if ours != theirs:
        return (ours[0] or 0.0, ours[1]) > (theirs[0] or 0.0, theirs[1])
    return compare(one.measured, best.measured)[0] == "forward"


def _beats(best: Iteration, baseline: Iteration) -> bool:
    if best.quality is None or baseline.quality is None:
        return True
    ours, theirs = set(best.quality.components), set(baseline.quality.components)
    if ours != theirs:
        # who measures less than the baseline must be better in what both measured
        return not ours < theirs or compare(best.measured, baseline.measured)[0] == "forward"
    return _is_better(best, baseline)


def _selection(chosen: Iteration | None, rounds: Sequence[Iteration], accepted: float, why: list[str]) -> Selection:
    final = rounds[-1]
    quality, last = _value(chosen), _value(final)
    delta = None if quality is None or last is None else round(quality - last, 4)
    acceptable = quality is not None and quality >= accepted
    if quality is not None and not acceptable:
        why = [*why, f"Not acceptable: {quality:.2f} is below {accepted:.2f}"]
    return Selection(
        selected_iteration=None if chosen is None else chosen.number,
        selected_quality=quality,
        final_iteration=final.number,
        final_quality=last,
        total_iterations=sum(one.number > 0 for one in rounds),
        acceptable=acceptable,
        verified=chosen is not None and chosen.measured.all_passed,
        rationale=tuple(why),
        trajectory={one.number: one.quality.value for one in rounds if one.quality is not None},
        delta=delta,
        improvement_percentage=round(100 * delta / last, 1) if last and delta is not None else None,
        degradation=_degradation(chosen, rounds),
    )


def _rationale(best: Iteration, rounds: Sequence[Iteration]) -> list[str]:
    why = [f"Round {best.number} has the highest quality ({_shown(best)})"]
    if best.measured.all_passed:
        why.append(f"All tests pass ({best.measured.tests_passed})")
    coverages = [one.measured.coverage_percentage for one in rounds if one.measured.coverage_percentage is not None]
    if coverages and best.measured.coverage_percentage == max(coverages):
        why.append(f"Highest coverage ({max(coverages):g} %)")
    later = [one.number for one in rounds if one.number > best.number and (_value(one) or 0.0) < (_value(best) or 0.0)]
    if later and _degradation(best, rounds) is not None:
        why.append(f"Quality fell in round{'s' * (len(later) > 1)} {', '.join(map(str, later))}")
    return why


def _degradation(chosen: Iteration | None, rounds: Sequence[Iteration]) -> Degradation | None:
    after = [one for one in rounds if chosen is not None and one.number > chosen.number and one.quality is not None]
    if not after or chosen is None or chosen.quality is None:
        return None
    peak, last = chosen.quality.value, _value(after[-1]) or 0.0
    if last >= peak or not peak:
        return None
    values = [peak, *(_value(one) or 0.0 for one in after)]
    falling = all(later <= earlier for earlier, later in pairwise(values))
    return Degradation(
        degradation_started=next(one.number for one in after if (_value(one) or 0.0) < peak),
        pattern="over_refinement" if falling else "fluctuation",
        iterations_after_peak=len(after),
        quality_loss=round(100 * (last - peak) / peak, 2),
    )


def comparable(one: Iteration, other: Iteration) -> bool:
    """Whether the qualities of two rounds rest on the same measurements."""
    return bool(one.quality and other.quality and set(one.quality.components) == set(other.quality.components))


def _value(one: Iteration | None) -> float | None:
    return one.quality.value if one is not None and one.quality is not None else None


def _shown(one: Iteration) -> str:
    return f"quality {_value(one):.2f}" if _value(one) is not None else "no quality"
