"""The test result that a tool's output shows: `tests_seen` in `seen.py`.

One file for each family of test runners, listed in `runners`; `clip` finds the part of an output that can hold a
result. What a recogniser answers with is here.
"""

import re
from collections.abc import Callable, Iterable
from typing import ClassVar, Final

import msgspec

from headway.rolling.lazy import regex

MOST_FAILING: Final = 50
"""Ids of failing tests that are kept of one output."""
_LONGEST_ID = 300


class TestsSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of a test run as it was printed; None is a number that was not printed or that was clipped away."""

    __test__: ClassVar[bool] = False  # its name begins with Test, and pytest would collect it

    passed: int | None = None
    """Tests that passed."""
    failed: int | None = None
    """Failures and errors of tests together; what could not be collected or built is an error too."""
    skipped: int | None = None
    """Skipped, ignored, pending and to do, and those expected to fail."""
    failing: tuple[str, ...] = ()
    """Ids of failing tests, as the runner prints them but without durations and line numbers."""
    runner: str = ""
    """The program that ran them: pytest, jest, go, …"""

    @property
    def total(self) -> int | None:
        """How many tests there were; None unless both the passed and the failed are known."""
        if self.passed is None or self.failed is None:
            return None
        return self.passed + self.failed + (self.skipped or 0)

    @property
    def green(self) -> bool:
        """Whether tests ran and none failed. A runner that says "ok" without a number (go) ran some."""
        return self.failed == 0 and (self.passed is None or self.passed > 0)


Found = tuple[int, TestsSeen]
"""Where the summary of a run stands, and what it says."""

Recogniser = Callable[[str, bool], Found | None]
"""Reads (text, whether the text is whole) for the output of one runner."""


def ids(found: Iterable[str]) -> tuple[str, ...]:
    """Ids in the order in which they were printed, each once, and not too many."""
    unique = dict.fromkeys(name.strip()[:_LONGEST_ID] for name in found)
    unique.pop("", None)
    return tuple(unique)[:MOST_FAILING]


def last_two(pattern: re.Pattern[str], text: str) -> tuple[re.Match[str] | None, int]:
    """The last summary in a text, and where the one before it ends: failures in between belong to the last."""
    before, last = 0, None
    for match in pattern.finditer(text):
        before, last = (last.end() if last else 0), match
    return last, before


def number(text: str | None) -> int:
    """A printed number; what was not printed is none."""
    return int(text) if text else 0


def counted(text: str) -> dict[str, int]:
    """`2 failed, 1 passed` as {"failed": 2, "passed": 1}."""
    return {word: int(digits) for digits, word in _COUNT.findall(text)}


_COUNT = regex(r"(\d{1,9}) ([a-z]+)")
