"""The test result in a tool's output, for any test runner.

One file for each family of test runners, listed in `runners`; `clip` finds the part of an output that can hold a
result. The result type of the recognisers is defined here.

Of several runs in one output (`pytest a; pytest b`, or a suite before and after a change) the **last** one counts. Runs
are summed only where a runner itself prints its result in parts and no total: cargo's binaries, go's packages, Maven's
modules, dotnet's projects, TAP's files. Where such an output was clipped, its parts are not summed and the counts stay
unknown; a runner that prints a total is right also when the middle of its output is missing.

Only lines that a runner prints as its summary count as a result: words such as FAILED in a source file, a search result
or a sentence do not.
"""

import re
from collections.abc import Callable, Iterable
from typing import ClassVar, Final

import msgspec

from headway.rolling.lazy import regex
from headway.rolling.text import has_any
from headway.tools.envelope import Output

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


def tests_seen(output: str | Output) -> TestsSeen | None:
    """The result of the last test run in an output, or None when it shows none."""
    output = Output.of(output)
    if not _may_show_tests(output.text):
        return None
    from headway.tools.tests_seen.clip import readable  # many modules, which most outputs do not need
    from headway.tools.tests_seen.runners import OTHERS, RUNNERS

    text, whole = readable(output)
    found = _last(RUNNERS, text, whole) or _last(OTHERS, text, whole)
    return found[1] if found else None


def _last(recognisers: tuple[tuple[Recogniser, tuple[str, ...]], ...], text: str, whole: bool) -> Found | None:
    """The last summary in the text that any of the recognisers finds."""
    last: Found | None = None
    for recogniser, words in recognisers:
        for word in words:
            if word in text:
                found = recogniser(text, whole)
                last = found if found and (last is None or found[0] > last[0]) else last
                break
    return last


_GLANCE, _LINES_AT_END, _LAST_LINES = 20_000, 2_000, 300
"""Characters at the end of an output in which to search for words; fewer for words that stand closer to the end."""
_RARE_WORDS = ("fail", "FAIL", "PASS", "ok ", "assed: ", "ssertion", "test summary", "No test", '"Action')
_TIMED = regex(r" in \d")
"""Every summary without "tests" and "pass" contains one of these, unless colours interrupt the words."""


def _may_show_tests(output: str) -> bool:
    """A quick check for words that summaries have, which rules out most other outputs."""
    end = output if len(output) < _GLANCE else output[-_GLANCE:]
    if "ests" in end or "pass" in end:
        return True
    is_whole = end is output and "\x1b" not in output
    end = "\n" + end[-_LINES_AT_END:]
    if "fail" in end or "FAIL" in end or "\nok " in end:
        return True
    end = end[-_LAST_LINES:]  # `2 skipped in 0.1s`, `1 error in 0.1s`, `Ran 1 test in`, `OK (1 test, 1 assertion)`
    is_likely = " in " in end or "ror" in end or "est" in end or "assed: " in end
    return is_likely and (not is_whole or has_any(output, _RARE_WORDS) or bool(_TIMED.search(output)))


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
    """A printed number; 0 if it was not printed."""
    return int(text) if text else 0


def counted(text: str) -> dict[str, int]:
    """`2 failed, 1 passed` as {"failed": 2, "passed": 1}."""
    return {word: int(digits) for digits, word in _COUNT.findall(text)}


_COUNT = regex(r"(\d{1,9}) ([a-z]+)")
