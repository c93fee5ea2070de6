"""Recognisers of JavaScript's test runners: jest, vitest, mocha and node --test."""

from headway.rolling.lazy import regex
from headway.tools.tests_seen import Found, TestsSeen, counted, ids, last_two, number
from headway.tools.tests_seen.clip import CUT

_JEST = regex(
    r"\n(?:Test Suites: (?P<suites>[^\n]{1,100})\n)?"
    r"Tests: {2,}(?P<counts>(?:\d{1,9} [a-z]+, )*)\d{1,9} total[ \t]*(?=\n)"
)
_JEST_LINE = regex(
    r"\n(?:(?P<word>FAIL|PASS) (?P<file>\S[^\n]*?)(?: \(\d+(?:\.\d+)? m?s\))?"
    rf"|{CUT}|  ● (?!Console\n|Validation |Deprecation )(?P<test>\S[^\n]*))[ \t]*(?=\n)"
)
_NO_SUITE = "Test suite failed to run"


def jest(text: str, whole: bool) -> Found | None:
    """Jest: `Tests: 2 failed, 1 passed, 3 total`. Where no test failed but a suite did not run, the suites count."""
    summary, before = last_two(_JEST, text)
    if summary is None:
        return None
    counts = counted(summary["counts"])
    failed = _failed(counts, summary["suites"])
    skipped = counts.get("skipped", 0) + counts.get("todo", 0) + counts.get("pending", 0)
    failing = _jest_ids(text[before : summary.start() + 1]) if failed else ()
    return summary.start(), TestsSeen(counts.get("passed", 0), failed, skipped, failing, "jest")


def _failed(counts: dict[str, int], suites: str | None) -> int | None:
    """Tests that failed, else suites that did not run; unknown if no test failed and the suites are clipped away."""
    if counts.get("failed"):
        return counts["failed"]
    return None if suites is None else counted(suites).get("failed", 0)


def _jest_ids(run: str) -> tuple[str, ...]:
    """`file › test`; a failure whose file was clipped away is left out, it could not be told from another's."""
    found, file = [], ""
    for line in _JEST_LINE.finditer(run):
        if not line["test"]:
            file = line["file"].removeprefix("./") if line["word"] == "FAIL" else ""
        elif file:
            found.append(file if line["test"] == _NO_SUITE else f"{file} › {line['test']}")
    return ids(found)


_VITEST = regex(
    r"\n(?: +Test Files {2}(?P<files>[^\n]{1,100})\n)? +Tests {2}"
    r"(?P<counts>no tests|\d{1,9} [a-z]+(?: [a-z]+)?(?: \| \d{1,9} [a-z]+(?: [a-z]+)?)* \(\d{1,9}\))"
    r"[ \t]*(?:\n +Errors {2}(?P<errors>\d{1,9}) errors?[ \t]*)?(?=\n)"
)
_VITEST_FAIL = regex(r"\n FAIL {2,}(?P<id>\S[^\n]*?)(?: \[ [^\n]* \])?[ \t]*(?=\n)")


def vitest(text: str, whole: bool) -> Found | None:
    """Vitest: `Tests  2 failed | 2 passed | 1 skipped (5)`. Errors outside of tests count as failures."""
    summary, before = last_two(_VITEST, text)
    if summary is None:
        return None
    counts = counted(summary["counts"])
    failed = _failed(counts, summary["files"])
    if failed is not None:
        failed += number(summary["errors"])
    skipped = counts.get("skipped", 0) + counts.get("todo", 0)
    failures = _VITEST_FAIL.finditer(text, before, summary.start() + 1)
    failing = ids(" ".join(match["id"].split()) for match in failures)  # a project's badge has spaces around it
    passed = counts.get("passed", 0) + counts.get("expected", 0)
    return summary.start(), TestsSeen(passed, failed, skipped, failing, "vitest")


_MOCHA = regex(
    r"\n {2}(?P<passed>\d{1,9}) passing(?: \(\d[^\n)]{0,20}\))?[ \t]*"
    r"(?:\n {2}(?P<pending>\d{1,9}) pending[ \t]*)?(?:\n {2}(?P<failed>\d{1,9}) failing[ \t]*)?(?=\n)"
)
_BLANK = regex(r"\n[ \t]*(?:\n|\Z)")
_MOCHA_FAILURE = regex(r"\n {2}\d{1,6}\) (?P<title>\S[^\n]*(?:\n {7,}\S[^\n]*){0,12}?):[ \t]*(?=\n)")


def mocha(text: str, whole: bool) -> Found | None:
    """Mocha: `3 passing (95ms)`, `1 pending`, `2 failing`; the failures are listed below."""
    summary, _ = last_two(_MOCHA, text)
    if summary is None:
        return None
    failures = _MOCHA_FAILURE.finditer(text, summary.end()) if summary["failed"] else ()
    failing = ids(" › ".join(part.strip() for part in match["title"].split("\n")) for match in failures)
    passed, failed, skipped = (number(summary[word]) for word in ("passed", "failed", "pending"))
    if not _BLANK.match(text, summary.end()):
        return summary.start(), TestsSeen(passed, runner="mocha")  # the lines below the first are missing
    return summary.start(), TestsSeen(passed, failed, skipped, failing, "mocha")


_NODE = regex(
    r"\n(?P<sign>ℹ|#) tests \d{1,9}\n(?:(?P=sign) suites \d{1,9}\n)?(?P=sign) pass (?P<passed>\d{1,9})\n"
    r"(?P=sign) fail (?P<failed>\d{1,9})\n(?P=sign) cancelled (?P<cancelled>\d{1,9})\n"
    r"(?P=sign) skipped (?P<skipped>\d{1,9})\n(?P=sign) todo (?P<todo>\d{1,9})(?=\n)"
)
_NODE_SPEC = regex(r"\ntest at (?P<file>[^\n]+?):\d+:\d+\n✖ (?P<test>[^\n]+?)(?: \(\d[\d.]*ms\))?[ \t]*(?=\n)")
_NODE_TAP = regex(
    r"\n *not ok \d+ - (?P<test>[^\n]+?)[ \t]*\n *---\n(?:(?! *\.\.\.\n)[^\n]*\n){0,6}? *failureType: '(?P<why>\w+)'"
)


def node(text: str, whole: bool) -> Found | None:
    """Node's own runner, as spec or as TAP: a block of counts at the end of the output or above the failures."""
    summary, before = last_two(_NODE, text)
    if summary is None:
        return None
    if summary["sign"] == "#":
        tests = _NODE_TAP.finditer(text, before, summary.start() + 1)
        failing = ids(match["test"] for match in tests if match["why"] != "subtestsFailed")
    else:
        failing = ids(f"{match['file']} › {match['test']}" for match in _NODE_SPEC.finditer(text, summary.end()))
    failed = int(summary["failed"]) + int(summary["cancelled"])
    skipped = int(summary["skipped"]) + int(summary["todo"])
    return summary.start(), TestsSeen(int(summary["passed"]), failed, skipped, failing, "node")
