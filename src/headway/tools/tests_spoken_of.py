"""Whether a request or a final message is about tests."""

from headway.rolling.regex import regex

_TESTS = regex(
    r"\b(?:tests?|test_\w+|specs?|suite|pytest|jest|ci|build|green|pass(?:es|ed|ing)?|fail(?:s|ed|ing|ures?)?)\b"
)


def speaks_of_tests(text: str) -> bool:
    """Whether tests, their success or their failure are named in a text."""
    return _TESTS.search(text.lower()) is not None
