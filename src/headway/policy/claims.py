"""Where a final message says of all tests, or of tests by name, that they pass, although the last run shows otherwise.

Nothing else is read from a message: that the work is done, fixed or finished says nothing about tests. A claim is a run
of words that leaves no room ("all 42 tests are green"), in a clause without a doubt, a condition or a part ("should",
"once", "all tests of the parser"). If the message also says somewhere that tests fail or were left out, or names a test
that fails without saying that it passes, it does not count as a claim: in doubt, nothing is said.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from headway.policy.claim_words import LANGUAGES, MADE, NAME_OF_A_TEST, QUOTED, SENTENCE, STILL, Language
from headway.rolling.text import shortened
from headway.tools.tests_seen import TestsSeen

LONGEST = 20_000
"""Characters that are read; only the head and the tail of a longer message."""
LONGEST_QUOTE = 120
NEAR = 300
"""Characters before and after a claim, in its sentence, that may limit it."""
MOST_CLAIMS = 5
"""Claims of one sentence that are looked at."""
SHORTEST_NAME = 5
"""Characters of a test's name that can be told from an ordinary word."""
_CLAUSE = re.compile(r".*(?:[,;:(—–]|\s-\s|\b(?:and|but|und|aber|et|mais|y|pero)\b)", re.DOTALL | re.IGNORECASE)
_BUT = re.compile(r"(?:\b(?:but|except|besides|außer|ausser|sauf|excepto|salvo)|(?<!\w)-k \S+\W)\s*\Z", re.IGNORECASE)
_PLAIN_WORD = re.compile(r"[a-zäöüß]+")
_HIDDEN = "x"
"""What stands for each character of a quotation, so that `passes "eur"` still says what is passed."""
_NUMBERS = frozenset(("count", "some", "of", "passed"))


class Claim(NamedTuple):
    """What a message says of tests that fail."""

    words: str
    """In the words of the message."""
    tests: tuple[str, ...] = ()
    """The failing tests that it names; empty if it speaks of all."""


class Message:
    """A final message without quotations and marks, and where each of its characters stands."""

    def __init__(self, text: str) -> None:
        half = LONGEST // 2
        self.text = text if len(text) <= LONGEST else f"{text[:half]}\n{text[-half:]}"
        hidden = QUOTED.sub(lambda quoted: _HIDDEN * len(quoted[0]), self.text)
        self._places = [place for place, character in enumerate(hidden) if character not in "*`"]
        self.read = "".join(hidden[place] for place in self._places).replace("’", "'")

    def sentences(self) -> Iterator[tuple[str, int]]:
        """Each sentence as it is read, and where it begins."""
        for found in SENTENCE.finditer(self.read):
            sentence = found[0].lstrip()
            yield sentence, found.end() - len(sentence)

    def quoted(self, begin: int, end: int) -> str:
        """The text from one place that was read to another, as it was written."""
        first, last = self._places[begin], self._places[end - 1] + 1
        first -= self.text[max(first - 1, 0)] == "`"
        return shortened(" ".join(self.text[first:last].split()), LONGEST_QUOTE)


def contradicted_claim(text: str, run: TestsSeen) -> Claim | None:
    """What a message says of tests that fail in this run; None if it says nothing of them, or also that they fail."""
    message, claims = Message(text), []
    patterns = {test: _pattern(test) for test in run.failing}
    for sentence, begin in message.sentences():
        names = tuple(test for test, pattern in patterns.items() if pattern and pattern.search(sentence))
        found = _named(sentence, [patterns[test] for test in names]) if names else _of_all(sentence, run)
        if found is not None:
            claims.append(Claim(message.quoted(begin + found[0], begin + found[1]), names))
        elif _is_open(sentence) or _leaves_a_test_open(sentence):
            return None
    return claims[0] if claims else None


def _leaves_a_test_open(sentence: str) -> bool:
    """Whether it names a test, and says neither that it passes nor what was done to it."""
    named = NAME_OF_A_TEST.search(sentence)
    if named is None or MADE.search(sentence):
        return False
    return not any(language.passes.match(sentence, named.end()) for language in LANGUAGES)


def _is_open(sentence: str) -> bool:
    """Whether it says that something fails, is left or was not run."""
    return any(
        language.open.search(sentence) and (STILL.search(sentence) or not language.settled.search(sentence))
        for language in LANGUAGES
    )


def _of_all(sentence: str, run: TestsSeen) -> tuple[int, int] | None:
    """Where a sentence says that all tests pass."""
    for language in LANGUAGES:
        for found in islice(language.claim.finditer(sentence), MOST_CLAIMS):
            words = next(name for name, text in found.groupdict().items() if text and name not in _NUMBERS)
            begin, end = found.span(words)
            if _covers(found.groupdict(), run) and _is_certain(sentence, begin, end, language):
                return begin, end
    return None


def _covers(numbers: dict[str, str | None], run: TestsSeen) -> bool:
    """Whether as many tests are meant as ran: a smaller number may be other tests, or only some of them."""
    if numbers.get("some") != numbers.get("of"):
        return False
    count = next((int(numbers[name] or 0) for name in ("count", "of", "passed") if numbers.get(name)), None)
    return count is None or run.passed is None or count >= run.passed + (run.failed or 0)


def _named(sentence: str, patterns: list[re.Pattern[str] | None]) -> tuple[int, int] | None:
    """Where a sentence says of tests that they pass, the first of which is found by the first of these patterns."""
    starts = [found for pattern in patterns if pattern and (found := pattern.search(sentence))]
    first = min(starts, key=lambda found: found.start())
    last = max(starts, key=lambda found: found.start())
    for language in LANGUAGES:
        passes = language.passes.match(sentence, last.end())
        between = sentence[first.end() : passes.end()] if passes else ""
        if passes is None or language.exception.search(between) or language.doubt.search(between):
            continue
        if _is_certain(sentence, first.start(), passes.end(), language):
            return first.start(), passes.end()
    return None


def _is_certain(sentence: str, begin: int, end: int, language: Language) -> bool:
    """Whether nothing around a claim takes it back or limits it."""
    before, after = sentence[max(0, begin - NEAR) : begin], sentence[end : end + NEAR]
    clause = _CLAUSE.sub("", before)
    return not (
        sentence.endswith("?")
        or language.doubt.search(clause)
        or language.condition.search(before)
        or _is_open(before)
        or not language.goes_on.match(after)
        or language.exception.search(after)
        or _BUT.search(before)
    )


def _pattern(test: str) -> re.Pattern[str] | None:
    """How a message may name a test: by the last part of its id. None if that could be an ordinary word."""
    name = test.rpartition("::")[2].partition(" (")[0].rpartition(" › ")[2]
    if " " not in name:
        name = name.partition("/")[0] if "::" not in test and "." not in test else name.rpartition(".")[2]
    name, bracket, values = name.partition("[")
    if len(name) < SHORTEST_NAME or _PLAIN_WORD.fullmatch(name):
        return None
    values = re.escape(bracket + values)
    return re.compile(rf"(?<!\w){re.escape(name)}(?:{values}(?!\w)|(?![\w\[]))")
