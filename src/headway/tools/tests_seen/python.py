"""Recognisers of Python's test runners: pytest, and unittest with Django's runner."""

import re

from headway.rolling.lazy import regex
from headway.tools.tests_seen import Found, TestsSeen, counted, ids, last_two

_SUMMARY = regex(
    r"\n(?P<bar>=+ )?(?P<counts>no tests ran|\d{1,9} [a-z]+(?: [a-z]+)?(?:, \d{1,9} [a-z]+(?: [a-z]+)?){0,11})"
    r" in \d+(?:\.\d+)?(?:s| seconds)(?: \(\d+:\d\d:\d\d\))?(?: =+)?[ \t]*(?=\n)"
)
_SHORT_SUMMARY = regex(r"\n=+ short test summary info =+(?=\n)")
_SHORT_LINE = regex(
    r"\n(?:FAILED|ERROR|SUBFAILED?(?:\[[^\n]*?\])?) (?P<id>(?!-)[^\[\n:]*[^\[\n]*?(?:\[[^\n]*?\])?)(?= - |[ \t]*\n)"
)
_VERBOSE_LINE = regex(
    r"\n(?:\[gw\d+\] \[ *\d+%\] (?:FAILED|ERROR) (?P<by_worker>\S+::[^\n]+?)"
    r"|(?P<plain>[^\s:]+::[^\n]+?) (?:FAILED|ERROR)(?: +\[ *\d+%\])?)[ \t]*(?=\n)"
)
_HEADING = regex(r"\n_+ (?:ERROR (?:at (?:setup|teardown) of|collecting) )?(?P<id>[^\s_][^\n]*?|_*\w[^\n]*?) _+(?=\n)")
_OUTCOMES = ("passed", "failed", "error", "errors", "skipped", "xfailed", "xpassed", "deselected")


def pytest(text: str, whole: bool) -> Found | None:
    """Pytest: the last line with counts; without one (-qq) the lines of the short summary."""
    summary, before = last_two(_SUMMARY, text)
    if summary is None:
        return _without_counts(text, whole)
    counts = counted(summary["counts"])
    if summary["counts"] != "no tests ran" and not any(word in counts for word in _OUTCOMES):
        return None  # such as `8 tests collected in 0.01s`
    failed = counts.get("failed", 0) + counts.get("error", 0) + counts.get("errors", 0)
    run = text[before : summary.end() + 1]
    if not summary["bar"] and counts and counts.keys() <= {"error", "errors"} and "= ERRORS =" not in run:
        return None  # other programs print `2 errors in 1.2s` as well
    passed: int | None = counts.get("passed", 0) + counts.get("xpassed", 0)
    if not passed and failed and "Interrupted: " in run:
        passed = None  # the tests could not be collected
    skipped = counts.get("skipped", 0) + counts.get("xfailed", 0)
    failing = _pytest_ids(run, whole) if failed else ()
    return summary.start(), TestsSeen(passed, failed, skipped, failing, "pytest")


def _without_counts(text: str, whole: bool) -> Found | None:
    heading, _ = last_two(_SHORT_SUMMARY, text)
    if heading is None:
        return None
    failing = [match["id"] for match in _SHORT_LINE.finditer(text, heading.end())]
    if not failing:
        return None
    return heading.start(), TestsSeen(failed=len(failing) if whole else None, failing=ids(failing), runner="pytest")


def _pytest_ids(run: str, whole: bool) -> tuple[str, ...]:
    """From the short summary; without one from the lines of -v; without those from the headings of tracebacks."""
    heading, _ = last_two(_SHORT_SUMMARY, run)
    short = [match["id"] for match in _SHORT_LINE.finditer(run, heading.end() if heading else 0)]
    if heading or any("::" in name for name in short):
        return ids(name for name in short if heading or "::" in name)
    if "::" in run and (found := ids(m["by_worker"] or m["plain"] for m in _VERBOSE_LINE.finditer(run))):
        return found
    return ids(match["id"] for match in _HEADING.finditer(run)) if whole else ()


_RAN = regex(
    r"\nRan (?P<ran>\d{1,9}) tests? in \d+\.\d+s[ \t]*\n(?:[^\n]*\n){0,3}?"
    r"(?P<word>OK|FAILED|NO TESTS RAN)(?: \((?P<counts>[a-z =\d,]{1,200})\))?[ \t]*(?=\n)"
)
_VERDICT = regex(r"\n(?P<word>FAILED) \((?P<counts>(?:failures|errors)=\d{1,9}[a-z =\d,]{0,200})\)[ \t]*(?=\n)")
_WORD = regex(r"([a-z ]+?)=(\d{1,9})")
_FAILING = regex(r"\n(?:FAIL|ERROR): (?P<test>[\w.<>-]+ \([\w.<>-]+\))(?P<part>[^\n]{0,200})(?=\n)")
_AROUND_TESTS = ("setUpClass", "tearDownClass", "setUpModule", "tearDownModule")


def unittest(text: str, whole: bool) -> Found | None:
    """Unittest and Django: `Ran 12 tests in …` with the verdict below, or the verdict alone."""
    summary, before = last_two(_RAN, text)
    if summary is None:
        summary, before = last_two(_VERDICT, text)
        if summary is None or "Traceback (most recent" not in text:
            return None
    counts = {word.strip(): int(digits) for word, digits in _WORD.findall(summary["counts"] or "")}
    failed = counts.get("failures", 0) + counts.get("errors", 0) + counts.get("unexpected successes", 0)
    skipped = counts.get("skipped", 0) + counts.get("expected failures", 0)
    headings = list(_FAILING.finditer(text, before, summary.start() + 1))
    ran = summary.groupdict().get("ran")
    passed = None if ran is None else _passed(int(ran) - skipped, failed, headings, counts)
    failing = ids(heading["test"] + heading["part"].rstrip() for heading in headings)
    return summary.start(), TestsSeen(passed, failed, skipped, failing if failed else (), "unittest")


def _passed(ran: int, failed: int, headings: list[re.Match[str]], counts: dict[str, int]) -> int | None:
    """Those that ran and did not fail: one test may fail in several parts, and a failing setUpClass is no test."""
    if not failed:
        return ran
    unexpected = counts.get("unexpected successes", 0)
    if len(headings) != failed - unexpected:
        return None  # some were clipped away, so how many tests they are is unknown
    tests = {h["test"] for h in headings if not h["test"].startswith(_AROUND_TESTS)}
    return max(0, ran - len(tests) - unexpected)
