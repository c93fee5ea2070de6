"""How often a person asks for something to be done over again: "run this test ten times"."""

from headway.rolling.regex import regex

UNTOLD = 10
"""Repeats that are taken to be asked for where no number is named."""
MOST = 200
"""Repeats that are allowed for at most, whatever was asked for."""

_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "dozen": 12,
    "fifteen": 15, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100,
}  # fmt: skip
_HINT = regex(r"times|\dx|\d ?×| runs|repeat|iterat|over and|again and|in a loop|until |flak|intermittent")
_SENTENCE = regex(r"[.!?;](?=\s)|\n")
_REQUEST = regex(
    r"(?:^|[,:>*-]|\b(?:please|then|and|now|just|to|also|first|let's|(?:can|could|would|will) you))\s*"
    r"(?:repeat|execute|(?:re-?)?run|(?:re-?)?try|call|test|loop|invoke|launch|start|do|click|press|send|check|measure|keep)\b"
)
_NUMBER = regex(
    rf"\b(\d{{1,6}}|{'|'.join(_WORDS)})(?:\s+more|\s+consecutive)?(?:\s*[x×](?!\w)|\s+(?:times|runs|iterations)\b)"
    r"(?!\s+(?:as|the|more|less|faster|slower|bigger|larger|smaller|better|higher|lower)\b)"
)
_OFTEN = regex(
    r"\brepeatedly\b|\bover and over\b|\bagain and again\b|\bin a loop\b|\b(?:several|multiple|many|a few) times\b"
    r"|\buntil (?:it|they|one|something) (?:fails?|breaks?|crash\w*|hangs?|happens?|reproduces?)\b"
)
_NOW_AND_THEN = regex(r"\bflak(?:y|es|iness)\b|\bintermittent")


def asked_repeats(text: str) -> int:
    """How many repeats the first 4,000 characters of a request ask for; none, mostly.

    What fails now and then can only be seen by running it again. "Until it passes" asks for no repeats, but for work.
    """
    text = text[:4_000].lower()
    if not _HINT.search(text):
        return 0
    asked = [UNTOLD] if _NOW_AND_THEN.search(text) else [0]
    for sentence in filter(_REQUEST.search, _SENTENCE.split(text)):
        asked += [_WORDS.get(number) or int(number) for number in _NUMBER.findall(sentence)]
        asked += [UNTOLD] if _OFTEN.search(sentence) else []
    return min(max(asked), MOST)
