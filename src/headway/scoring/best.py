"""Selects the best round, and explains why.

The baseline is not a round. If every round did harm or nothing, the work returns to the baseline. `better` has the
rules.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise

import msgspec

from headway.core.iteration import Iteration
from headway.scoring.better import (
    deleted_tests,
    harmed_tests,
    holds_against,
    in_words,
    is_better,
    proven_in_words,
    quality_in_words,
    sure_value,
)
from headway.scoring.quality import ACCEPTED
from headway.scoring.verdict import compare, worse_in

PEAK = "Quality goes up and down between rounds, so the peak is taken, not the final round (REF-015, Self-Refine)"
"""The reason for this module, and its source: Madaan et al., NeurIPS 2023."""


class Degradation(msgspec.Struct, frozen=True):
    """What happened after the peak."""

    degradation_started: int
    pattern: str
    iterations_after_peak: int
    """Only rounds with a quality are counted."""
    quality_loss: float
    """In percent of the peak; negative."""
    last_measured: int | None = None
    """The round that the loss refers to: the last one with a quality."""


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """The selected round."""

    selected_iteration: int | None
    """None if nothing could be compared; 0 is the baseline."""
    selected_quality: float | None
    proven_quality: float | None = None
    """What is proven of the selected quality; `acceptable` rests on it."""
    set_aside: tuple[str, ...] = ()
    """What `proven_quality` leaves out, in words."""
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
    """Whether it was selected because it finished the work, and not for its quality."""

    @property
    def quality_in_words(self) -> str:
        """The selected quality, and what is proven of it if that is less."""
        if self.selected_quality is None:
            return "no quality"
        return in_words(self.selected_quality, self.proven_quality or self.selected_quality, self.set_aside)

    @property
    def proven_in_words(self) -> str:
        """What is proven of the selected quality."""
        sure = self.selected_quality if self.proven_quality is None else self.proven_quality
        return "no quality" if sure is None else proven_in_words(sure, self.set_aside)


def lineage(rounds: Sequence[Iteration], number: int) -> list[Iteration]:
    """The baseline and the rounds that a round is based on, including itself; without rounds that were rolled back."""
    by_number = {one.number: one for one in rounds}
    found = {one.number: one for one in rounds if one.number in (0, number)}
    while number and number in by_number:
        number = by_number[number].began_from
        found |= {number: by_number[number]} if number in by_number else {}
    return [found[each] for each in sorted(found)]


def best_so_far(rounds: Sequence[Iteration], *, strict: bool = False) -> Iteration | None:
    """The best round, or None if each did harm, did nothing, or measured no tests.

    With `strict`, a round that broke a test is never a candidate, however many tests it fixed.
    """
    baseline = _baseline(rounds)
    by_number = {one.number: one for one in rounds}
    best: Iteration | None = None
    for one in _intact(rounds, strict):
        if baseline is not None and not holds_against(one, baseline):
            continue
        if best is None or is_better(one, best, by_number):
            best = one
    return best


def best_to_return_to(rounds: Sequence[Iteration], *, strict: bool = False) -> int:
    """The round to roll back to from the latest one: the best that it is based on, or the baseline."""
    before = lineage(rounds, rounds[-1].number)[:-1] if rounds else []
    best = best_so_far(before, strict=strict)
    return 0 if best is None else best.number


def select(
    rounds: Sequence[Iteration],
    *,
    accepted: float = ACCEPTED,
    strict: bool = False,
    taken_back: Collection[int] = (),
    after_edits: bool = False,
) -> Selection:
    """Select among all rounds of a loop, except those that were rolled back. The first may be the baseline.

    With `after_edits`, these are only the rounds after a person changed files, and the reasons say so.
    """
    there = [one for one in rounds if one.number not in taken_back]
    baseline, best = _baseline(rounds), best_so_far(there, strict=strict)
    if best is not None:
        return _selection(
            best, rounds, accepted, _rationale(best, rounds, " since a person changed files" if after_edits else "")
        )
    if not any(one.number for one in rounds):
        return _selection(None, rounds, accepted, ["No round was finished"])
    if baseline is None:
        return _selection(None, rounds, accepted, ["No round could be compared"])
    if all(one.quality is None for one in rounds):
        if all(compare(one.measured, baseline.measured)[0] == "regression" for one in rounds if one.number):
            return _selection(baseline, rounds, accepted, ["Every round is a regression from the baseline"])
        if rounds[-1].number in taken_back:
            before = lineage(rounds, rounds[-1].number)[-2]
            why = (
                f"Round {rounds[-1].number} is rolled back; no tests were measured, so no round can be called the best"
            )
            return _selection(before, rounds, accepted, [why])
        return _selection(None, rounds, accepted, ["No tests were measured, so no round can be called the best"])
    return _selection(baseline, rounds, accepted, _why_none(rounds, baseline, strict, taken_back))


def _why_none(rounds: Sequence[Iteration], baseline: Iteration, strict: bool, taken_back: Collection[int]) -> list[str]:
    """Why no round replaces the baseline: for each the first reason that applies, with the rounds."""
    found: dict[str, list[int]] = {}
    for one in rounds:
        if one.number:
            found.setdefault(_why_not(one, baseline, strict, taken_back), []).append(one.number)
    return [f"No round replaces the baseline ({quality_in_words(baseline)})"] + [
        f"Round{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}: {why}" for why, numbers in found.items()
    ]


def _why_not(one: Iteration, baseline: Iteration, strict: bool, taken_back: Collection[int]) -> str:
    if deleted_tests(one):
        return "fewer tests run, or a failing test is gone or skipped"
    if harmed_tests(one):
        return "working tests broke"
    if harmed_tests(one, strict=strict):
        return "working tests broke, which --strict does not allow however many are fixed"
    if one.number in taken_back:
        return "rolled back"
    if one.quality is None:
        return "no tests were measured"
    if one.changes is not None and not one.changes.files:
        return "no file was changed"
    worse = worse_in(one.measured, baseline.measured)
    if worse:
        return f"worse than the baseline in {', '.join(worse)}"
    if one.measured.changed_measure and sure_value(one) < sure_value(baseline):
        return f"the tests or their settings were changed, and the quality is lower ({quality_in_words(one)})"
    return f"no better than the baseline ({quality_in_words(one)})"


def choose(rounds: Sequence[Iteration], number: int, reason: str, *, accepted: float = ACCEPTED) -> Selection:
    """Select the user's choice instead, and record why."""
    chosen = next((one for one in rounds if one.number == number), None)
    if chosen is None:
        raise ValueError(f"there is no round {number}; there are rounds {', '.join(str(one.number) for one in rounds)}")
    best = best_so_far(rounds)
    over = (
        f", over round {best.number} ({quality_in_words(best)})" if best is not None and best.number != number else ""
    )
    selection = _selection(chosen, rounds, accepted, [f"Chosen by a person{over}: {reason}"])
    return msgspec.structs.replace(selection, override=reason)


def finished(rounds: Sequence[Iteration], number: int, why: str, *, accepted: float = ACCEPTED) -> Selection:
    """Select the round that finished the work. A better round before it would not be finished."""
    selection = choose(rounds, number, why, accepted=accepted)
    best = best_so_far(rounds)
    over = f"; round {best.number} has {quality_in_words(best)}" if best is not None and best.number != number else ""
    rationale = (f"The work is done in round {number}{over}: {why}", *selection.rationale[1:])
    return msgspec.structs.replace(selection, override=None, done=True, rationale=rationale)


def _baseline(rounds: Sequence[Iteration]) -> Iteration | None:
    return next((one for one in rounds if one.number == 0), None)


def _intact(rounds: Sequence[Iteration], strict: bool = False) -> list[Iteration]:
    """The rounds with measured tests that lost no tests and broke none (or fixed many more)."""
    tested = [one for one in rounds if one.number > 0 and one.quality is not None]
    return [one for one in tested if not deleted_tests(one) and not harmed_tests(one, strict=strict)]


def _selection(chosen: Iteration | None, rounds: Sequence[Iteration], accepted: float, why: list[str]) -> Selection:
    final = rounds[-1]
    quality, last = _value(chosen), _value(final)
    delta = None if quality is None or last is None else round(quality - last, 4)
    acceptable = chosen is not None and quality is not None and sure_value(chosen) >= accepted
    if chosen is not None and quality is not None and not acceptable:
        why = [*why, f"Not acceptable: {proven_in_words(sure_value(chosen), chosen.set_aside)} is below {accepted:.2f}"]
    return Selection(
        selected_iteration=None if chosen is None else chosen.number,
        selected_quality=quality,
        proven_quality=None if chosen is None or quality is None else sure_value(chosen),
        set_aside=() if chosen is None else chosen.set_aside,
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


def _rationale(best: Iteration, rounds: Sequence[Iteration], since: str) -> list[str]:
    why = _why_this_one(best, rounds, since)
    if best.measured.all_passed:
        why.append(f"All tests pass ({best.measured.tests_passed})")
    coverages = [one.measured.coverage_percentage for one in rounds if one.measured.coverage_percentage is not None]
    if coverages and best.measured.coverage_percentage == max(coverages):
        why.append(f"Highest coverage{since} ({max(coverages):g} %)")
    peak = _value(best) or 0.0
    later = [one.number for one in rounds if one.number > best.number and one.quality and one.quality.value < peak]
    if later and _degradation(best, rounds) is not None:
        why += [f"Quality was lower in round{'s' * (len(later) > 1)} {', '.join(map(str, later))}", PEAK]
    return why


def _why_this_one(best: Iteration, rounds: Sequence[Iteration], since: str) -> list[str]:
    """The first reason, and a note if the baseline or another round has a higher quality."""
    is_highest = sure_value(best) >= max(sure_value(one) for one in rounds if one.number > 0)
    most = "has the highest quality" if is_highest else "is the best of the rounds that did no harm"
    baseline = _baseline(rounds)
    is_below = baseline is not None and sure_value(baseline) > sure_value(best)
    after = " of the rounds after the baseline" if is_highest and is_below else ""
    why = [f"Round {best.number} {most}{after}{since} ({quality_in_words(best)})"]
    if baseline is not None and is_below:
        forward = compare(best.measured, baseline.measured)[0] == "forward"
        did = "is a step forward from it" if forward else "changed something and broke nothing"
        why.append(f"The baseline scores higher ({quality_in_words(baseline)}), but the round {did}")
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
        last_measured=after[-1].number,
    )


def _value(one: Iteration | None) -> float | None:
    return one.quality.value if one is not None and one.quality is not None else None
