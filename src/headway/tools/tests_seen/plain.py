"""Fallbacks for unknown test runners: plain lines of counts, and runners that say there was nothing to run."""

import re

from headway.rolling.lazy import regex
from headway.tools.tests_seen import Found, TestsSeen, last_two, number

_BEFORE = r"[\s=*#|✓✔✗✘❌✅-]*(?:(?:[Tt]ests?|[Rr]esults?|[Ss]ummary|[Tt]otal|ok|FAILED)(?: [Rr]esults?)?\s?[:|]\s+)?"
_PASSED, _FAILED = r"(?P<passed>\d{1,9}) (?:tests? )?pass(?:ed)?", r"(?P<failed>\d{1,9}) (?:tests? )?fail(?:ed|ures?)?"
_BETWEEN = r"(?: tests?)?(?: \([^)\n]{1,20}\))?(?:,? and | ?[,;|/] *| +)"
_SKIPPED = r"(?: ?[,;|/]? +(?P<skipped>\d{1,9}) (?:skipped|ignored|pending))?(?: ?[,;|/]? +\d{1,9} total)?"
_AFTER = r"(?: \([^)\n]{1,40}\))?(?: in [\d.]+ ?m?s)?[\s=*.!-]*"
_LINES = tuple(
    regex(_BEFORE + counts + _AFTER)
    for counts in (
        _PASSED + _BETWEEN + _FAILED + _SKIPPED,
        _FAILED + _BETWEEN + _PASSED + _SKIPPED,
        r"[Pp]assed\s?[:=] *(?P<passed>\d{1,9})[,;|/]? *[Ff]ailed\s?[:=] *(?P<failed>\d{1,9})"
        r"(?:[,;|/]? *[Ss]kipped\s?[:=] *(?P<skipped>\d{1,9}))?",
        r"(?P<passed>\d{1,9}) ?/ ?(?P<total>\d{1,9}) tests passed",
        r"[Aa]ll (?P<passed>\d{1,9}) tests passed",
    )
)
"""Whole lines that hold nothing but counts: a sentence with the same words is not a result."""
_LONGEST_LINE = 200

_NOTHING = regex(
    r"\n(?:(?P<jest>No tests found, exiting with code \d)|(?P<vitest>No test files found, exiting with code \d)"
    r"|(?P<ctest>No tests were found!!!))[ \t]*(?=\n)"
)


def plain(text: str, whole: bool) -> Found | None:
    """The last line of counts that no runner's recogniser knows."""
    for line in reversed(text.split("\n")):
        if "ass" in line and len(line) < _LONGEST_LINE:
            for pattern in _LINES:
                if counts := pattern.fullmatch(line):
                    return _read(counts)
    return None


def _read(counts: re.Match[str]) -> Found | None:
    groups = counts.groupdict()
    passed, skipped = int(counts["passed"]), groups.get("skipped")
    failed = int(groups["total"]) - passed if groups.get("total") else number(groups.get("failed"))
    if failed < 0:
        return None  # `7/5 tests passed` is not a result
    return 0, TestsSeen(passed, failed, int(skipped) if skipped else None, (), "plain")


def nothing_to_run(text: str, whole: bool) -> Found | None:
    """A runner that found no tests."""
    line, _ = last_two(_NOTHING, text)
    return (line.start(), TestsSeen(0, 0, 0, (), line.lastgroup or "")) if line else None
