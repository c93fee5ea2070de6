"""What a person's request says: which files it names, and whether it is about tests."""

from headway.rolling.regex import regex
from headway.rolling.secrets import mask

_PATH = regex(r"(?<![\w/.:@-])(?:[\w.-]+/)*[\w-]*[A-Za-z_][\w-]*\.[A-Za-z]\w{0,7}(?![\w/(])")
_ENDING = regex(r"\.[A-Za-z]")
_ABBREVIATIONS = {"e.g", "i.e", "etc.", "vs.", "Node.js", "node.js"}
_TESTS = regex(
    r"\b(?:tests?|test_\w+|specs?|suite|pytest|jest|ci|build|green|pass(?:es|ed|ing)?|fail(?:s|ed|ing|ures?)?)\b"
)


def named_paths(text: str, limit: int = 20) -> tuple[str, ...]:
    """Paths in the first 4,000 characters of a text, in order, each once; a password with a dot in it is none."""
    telling = [line for line in text[:4_000].splitlines() if _ENDING.search(line) and _paths_in(line)]
    return tuple(dict.fromkeys(_paths_in(mask("\n".join(telling)))))[:limit]


def speaks_of_tests(text: str) -> bool:
    """Whether tests, their success or their failure are named in a text."""
    return _TESTS.search(text.lower()) is not None


def _paths_in(text: str) -> list[str]:
    words = [word for word in text.split() if "." in word]  # the pattern is slow, and most words are no paths
    found = [match.group() for word in words for match in _PATH.finditer(word)]
    return [path for path in found if path not in _ABBREVIATIONS]
