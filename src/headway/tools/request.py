"""What a person's request says: which files it names, and how many repeats it asks for."""

from headway.rolling.lazy import regex
from headway.rolling.secrets import mask
from headway.rolling.text import has_any

_PATH = regex(r"(?<![\w/.:@-])(?:[\w.-]+/)*[\w-]*[A-Za-z_][\w-]*\.[A-Za-z]\w{0,7}(?![\w/(])")
_ENDING = regex(r"\.[A-Za-z]")
_ABBREVIATIONS = {"e.g", "i.e", "etc.", "vs.", "Node.js", "node.js"}


def named_paths(text: str, limit: int = 20) -> tuple[str, ...]:
    """Paths in the first 4,000 characters of a text, in order, each once; a password with a dot in it is none."""
    telling = [line for line in text[:4_000].splitlines() if _ENDING.search(line) and _paths_in(line)]
    return tuple(dict.fromkeys(_paths_in(mask("\n".join(telling)))))[:limit]


def _paths_in(text: str) -> list[str]:
    words = [word for word in text.split() if "." in word[:-1]]  # the pattern is slow, and most words are no paths
    found = [match.group() for word in words for match in _PATH.finditer(word)]
    return [path for path in found if path not in _ABBREVIATIONS]


# ---- repeats: "run this test ten times"

UNTOLD = 10
"""Repeats that are taken to be asked for where no number is named."""
MOST = 200
"""Repeats that are allowed for at most, whatever was asked for."""

_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "dozen": 12,
    "fifteen": 15, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100,
}  # fmt: skip
_HINTS = ("times", " runs", "repeat", "iterat", "over and", "again and", "in a loop", "until ", "flak", "intermit")
_TIMES_SIGN = regex(r"[x×](?:(?<=\d.)|(?<=\d .))")
"""One of these is in every sentence that asks for repeats; looking for words is far cheaper than for patterns, and for
patterns that begin with one of a few characters far cheaper than for others."""
_SENTENCE = regex(r"[.!?;\n](?:(?<=\n)|(?=\s))")
_ASKS = r"(?:^|[,:>*-]|\b(?:please|then|and|now|just|to|also|first|let's|(?:can|could|would|will) you))\s*"
_REQUEST = regex(
    rf"{_ASKS}"
    r"(?:repeat|execute|(?:re-?)?run|(?:re-?)?try|call|test|loop|invoke|launch|start|do|click|press|send|check|measure|keep|scale|switch|turn|toggle|restart|open|move|ping|hit|tap)\b"
)
_NUMBER = regex(
    rf"\b(\d{{1,6}}|{'|'.join(_WORDS)})(?:\s+more|\s+consecutive)?(?:\s*[x×](?!\w)|\s+(?:times|runs|iterations)\b)"
    r"(?!\s+(?:as|the|more|less|faster|slower|bigger|larger|smaller|better|higher|lower)\b)"
)
_COUNTED = regex(
    rf"{_ASKS}"
    r"(?:start|launch|spawn|press|hit|click|tap|turn|move|step|go|walk|jump|scroll|scale|make|add|send|roll|throw|flip|draw"
    r"|deal|raise|lower|increase|decrease|advance|skip|undo|redo|ring|order)\b[^;\n]{0,60}?"
    rf"\b(\d{{1,2}}|{'|'.join(_WORDS)})\s+(?:[a-z]+\s+)?[a-z]{{2,}}s\b"
)
"""An action with a number of things or steps: "start five workers", "make it eight steps louder"."""
_COUNTS = regex(rf"\b(?:\d{{1,2}}|{'|'.join(_WORDS)})\s+(?:[a-z]+\s+)?[a-z]{{2,}}s\b")
_OFTEN = regex(
    r"\brepeatedly\b|\bover and over\b|\bagain and again\b|\bin a loop\b|\b(?:several|multiple|many|a few) times\b"
    r"|\buntil (?:it|they|one|something) (?:fails?|breaks?|crash\w*|hangs?|happens?|reproduces?)\b"
)
_NOW_AND_THEN = regex(r"\bflak(?:y|es|iness)\b|\bintermittent")


def asked_repeats(text: str) -> int:
    """How many repeats the first 4,000 characters of a request ask for; none, mostly.

    What fails now and then can only be seen by running it again. "Until it passes" asks for no repeats, but for work.
    """
    asked = [0]
    for sentence in _sentences_that_may_ask(text[:4_000].lower()):
        often = [UNTOLD] if _OFTEN.search(sentence) else []
        numbers = [_WORDS.get(number) or int(number) for number in _NUMBER.findall(sentence)]
        if (often or numbers) and _REQUEST.search(sentence):
            asked += often + numbers
        asked += [_WORDS.get(number) or int(number) for number in _COUNTED.findall(sentence)]
        if _NOW_AND_THEN.search(sentence):
            asked.append(UNTOLD)
    return min(max(asked), MOST)


def _sentences_that_may_ask(text: str) -> list[str]:
    hints, has_sign = [hint for hint in _HINTS if hint in text], _TIMES_SIGN.search(text) is not None
    counts = _COUNTS.search(text) is not None
    if not hints and not has_sign and not counts:
        return []
    return [
        sentence
        for sentence in _SENTENCE.split(text)
        if has_any(sentence, hints)
        or (has_sign and _TIMES_SIGN.search(sentence))
        or (counts and _COUNTS.search(sentence))
    ]
