"""A weighted score that distributes the weight of what was not measured."""

from collections.abc import Mapping

from headway.core.iteration import Score, ScorePart


def weighted(parts: Mapping[str, tuple[float, float | None]], components: tuple[str, ...] = ()) -> Score | None:
    """Combine scores between 0 and 1, given as name -> (weight, score); None if nothing was measured.

    >>> weighted({"a": (0.3, 1.0), "b": (0.3, None), "c": (0.4, 0.0)}).value
    0.4286
    """
    known = {name: (weight, score) for name, (weight, score) in parts.items() if score is not None}
    whole = sum(weight for weight, _ in known.values())
    if not whole:
        return None
    value = sum(weight / whole * score for weight, score in known.values())
    shares = tuple(
        ScorePart(name, round(weight / whole, 4), round(score, 4)) for name, (weight, score) in known.items()
    )
    return Score(round(value, 4), shares, components or tuple(known))
