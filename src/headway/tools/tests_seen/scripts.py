"""Recognisers of test runners for Ruby, PHP and Elixir: rspec, minitest, phpunit and ExUnit."""

from headway.rolling.lazy import regex
from headway.tools.tests_seen import Found, TestsSeen, counted, ids, last_two, number
from headway.tools.tests_seen.clip import CUT

_RSPEC = regex(
    r"\n(?P<ran>\d{1,9}) examples?, (?P<failures>\d{1,9}) failures?(?:, (?P<pending>\d{1,9}) pending)?"
    r"(?:, (?P<errors>\d{1,9}) errors? occurred outside of examples)?[ \t]*(?=\n)"
)
_RSPEC_FAILED = regex(r"\nrspec '?(?P<file>\S+?)(?::\d+|\[[\d:]+\])'? # (?P<test>[^\n]+)")
_RSPEC_BROKEN = regex(r"\nAn error occurred while loading (?P<file>\S+?)\.?(?= |\n)")


def rspec(text: str, whole: bool) -> Found | None:
    """RSpec: `5 examples, 1 failure, 1 pending`; the failing are listed below."""
    summary, before = last_two(_RSPEC, text)
    if summary is None:
        return None
    ran, failures, pending, errors = (number(summary[word]) for word in ("ran", "failures", "pending", "errors"))
    broken = [match["file"] for match in _RSPEC_BROKEN.finditer(text, before, summary.start() + 1)]
    failing = [f"{match['file']} {match['test']}" for match in _RSPEC_FAILED.finditer(text, summary.end())]
    seen = TestsSeen(ran - failures - pending, failures + errors, pending, ids(broken + failing), "rspec")
    return summary.start(), seen


_MINITEST = regex(
    r"\n(?P<ran>\d{1,9}) (?:runs|tests), \d{1,9} assertions, (?P<failures>\d{1,9}) failures, (?P<errors>\d{1,9}) errors"
    r"(?:, (?P<skips>\d{1,9}) (?:skips|pendings))?"
)
_MINITEST_FAILED = regex(r"\n(?: +\d+\) )?(?:Failure|Error):\n(?P<id>[A-Z][\w:]*#\S+?)(?: \[[^\n]*\])?:[ \t]*(?=\n)")


def minitest(text: str, whole: bool) -> Found | None:
    """Minitest: `3 runs, 1 assertions, 1 failures, 1 errors, 0 skips`."""
    summary, before = last_two(_MINITEST, text)
    if summary is None:
        return None
    ran, failures, errors, skips = (number(summary[word]) for word in ("ran", "failures", "errors", "skips"))
    failing = ids(match["id"] for match in _MINITEST_FAILED.finditer(text, before))
    return summary.start(), TestsSeen(ran - failures - errors - skips, failures + errors, skips, failing, "minitest")


_PHPUNIT = regex(
    r"\n(?:OK \((?P<ok>\d{1,9}) tests?, \d{1,9} assertions?\)"
    r"|Tests: (?P<ran>\d{1,9}), Assertions: \d{1,9}(?P<rest>(?:, [A-Z][A-Za-z ]+: \d{1,9})*)\.)[ \t]*(?=\n)"
)
_PHPUNIT_COUNT = regex(r", ([A-Z][A-Za-z ]+): (\d{1,9})")
_PHPUNIT_ITEM = regex(
    rf"\n(?:{CUT}|There (?:was|were) \d+ (?P<what>[A-Za-z ]+):"
    r"|\d{1,6}\) (?P<id>[\w\\]+::\w+(?: with data set (?:\"[^\"\n]*\"|#\d+))?))"
)


def phpunit(text: str, whole: bool) -> Found | None:
    """PHPUnit: `OK (5 tests, 9 assertions)` or `Tests: 5, Assertions: 8, Failures: 1.`"""
    summary, before = last_two(_PHPUNIT, text)
    if summary is None:
        return None
    if summary["ok"]:
        return summary.start(), TestsSeen(int(summary["ok"]), 0, 0, (), "phpunit")
    counts = {word: int(digits) for word, digits in _PHPUNIT_COUNT.findall(summary["rest"])}
    failed = counts.get("Failures", 0) + counts.get("Errors", 0)
    skipped = counts.get("Skipped", 0) + counts.get("Incomplete", 0)
    failing = _phpunit_ids(text[before : summary.start() + 1])
    return summary.start(), TestsSeen(int(summary["ran"]) - failed - skipped, failed, skipped, failing, "phpunit")


def _phpunit_ids(run: str) -> tuple[str, ...]:
    """The tests listed under failures and errors, not those under skipped or risky tests."""
    found, what = [], ""
    for item in _PHPUNIT_ITEM.finditer(run):
        what = what if item["id"] else item["what"] or ""
        if item["id"] and what.startswith(("failure", "error")):
            found.append(item["id"])
    return ids(found)


_EXUNIT = regex(r"\n(?P<counts>(?:\d{1,9} [a-z]+, ){1,4}\d{1,9} failures?(?:, \d{1,9} [a-z]+)*)[ \t]*(?=\n)")
_EXUNIT_FAILED = regex(r"\n {2}\d{1,6}\) (?P<id>(?:test|doctest|property) [^\n]+ \([\w.]+\))[ \t]*(?=\n)")


def exunit(text: str, whole: bool) -> Found | None:
    """ExUnit: `1 doctest, 4 tests, 2 failures, 1 skipped`."""
    summary, before = last_two(_EXUNIT, text)
    if summary is None or " test" not in summary["counts"]:
        return None
    counts = counted(summary["counts"])
    failed = counts.get("failure", 0) + counts.get("failures", 0) + counts.get("invalid", 0)
    skipped = counts.get("skipped", 0) + counts.get("excluded", 0)
    kinds = ("test", "tests", "doctest", "doctests", "property", "properties")
    ran = sum(counts.get(kind, 0) for kind in kinds)
    failing = ids(match["id"] for match in _EXUNIT_FAILED.finditer(text, before, summary.start() + 1))
    return summary.start(), TestsSeen(ran - failed - skipped, failed, skipped, failing, "exunit")
