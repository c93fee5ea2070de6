"""Recognisers of the Test Anything Protocol: the lines themselves, and prove's report on many files of them."""

from headway.rolling.lazy import regex
from headway.tools.tests_seen import Found, TestsSeen, ids, last_two

_PLAN = regex(r"\n1\.\.(\d{1,9})(?: # [^\n]*)?[ \t]*(?=\n)")
_RESULT = regex(
    r"\n(?P<word>ok|not ok) (?P<number>\d{1,9})(?: -)?(?: (?P<name>[^\s#][^\n#]*))?"
    r"(?: ?# (?P<why>(?i:skip|todo))[^\n]*|[^\n]*)(?=\n)"
)
_TOTALS = regex(r"\n# tests +\d{1,9}\n# pass +(?P<passed>\d{1,9})(?:\n# fail +(?P<failed>\d{1,9}))?")


def tap(text: str, whole: bool) -> Found | None:
    """TAP: `1..5` with `ok` and `not ok` lines, summed over files; counted only where every planned line is there."""
    plans, results = list(_PLAN.finditer(text)), list(_RESULT.finditer(text))
    if not plans or not results:
        return None
    place = max(plans[-1].start(), results[-1].start())
    skipped = sum(result["why"] is not None for result in results)
    failed = [result for result in results if result["word"] == "not ok" and not result["why"]]
    failing = ids((result["name"] or result["number"]).strip() for result in failed)
    if sum(int(plan[1]) for plan in plans) == len(results):
        passed = len(results) - len(failed) - skipped
        return place, TestsSeen(passed, len(failed), skipped, failing, "tap")
    totals, _ = last_two(_TOTALS, text)
    if totals:
        return place, TestsSeen(int(totals["passed"]), int(totals["failed"] or 0), None, failing, "tap")
    return place, TestsSeen(failing=failing, runner="tap")


_PROVE = regex(r"\nFiles=\d{1,9}, Tests=(?P<tests>\d{1,9}), [^\n]*\nResult: (?P<word>PASS|FAIL|NOTESTS)")
_REPORT = regex(
    r"\nTest Summary Report\n-+(?P<files>(?:\n {2}[^\n]*|\n\S[^\n]*\(Wstat: [^\n]* Tests: \d+ Failed: \d+\)[ \t]*)+)\Z"
)
_FILE = regex(r"\n(?P<file>\S+) +\(Wstat: (?P<status>\d+)[^\n]* Tests: \d+ Failed: (?P<failed>\d+)\)")


def prove(text: str, whole: bool) -> Found | None:
    """Prove: `Files=2, Tests=6` and the report above it. Failures are listed by file; a crashed file is one error."""
    summary, before = last_two(_PROVE, text)
    if summary is None:
        return None
    tests = int(summary["tests"])
    if summary["word"] != "FAIL":
        return summary.start(), TestsSeen(tests, 0, None, (), "tap")
    heading = text.rfind("\nTest Summary Report\n", before, summary.start())
    report = _REPORT.match(text[heading : summary.start()]) if heading >= 0 else None
    if report is None:
        return summary.start(), TestsSeen(runner="tap")
    files = list(_FILE.finditer(report["files"]))
    failed = sum(int(file["failed"]) for file in files)
    died = sum(file["failed"] == "0" and file["status"] != "0" for file in files)
    failing = ids(file["file"] for file in files if file["failed"] != "0" or file["status"] != "0")
    return summary.start(), TestsSeen(tests - failed, failed + died, None, failing, "tap")
