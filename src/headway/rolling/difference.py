"""How different two texts of any length are, from 0 (equal) to 1 (nothing in common).

Characters are the wrong unit: unrelated texts still share a third of them, and long texts take seconds. Words are right
up to some size and lines above it; both through the Indel distance, which knows insertions and deletions only.
"""

WORDS_UP_TO = 60_000
"""Characters up to which words are compared; longer texts are compared by lines."""


def difference(one: str, other: str) -> float:
    """Compare two texts, white space and case aside."""
    if one == other:
        return 0.0
    by_words = max(len(one), len(other)) <= WORDS_UP_TO
    ours, theirs = (_units(text, by_words) for text in (one, other))
    if ours == theirs:
        return 0.0
    from rapidfuzz.distance import Indel  # only needed for rounds

    return float(Indel.normalized_distance(ours, theirs))


def _units(text: str, by_words: bool) -> list[str]:
    text = text.lower()
    return text.split() if by_words else [" ".join(line.split()) for line in text.splitlines()]
