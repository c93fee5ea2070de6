"""Recognisers of test runners for compiled languages: cargo, Maven Surefire, Gradle, ctest and dotnet."""

import re

from headway.rolling.lazy import regex
from headway.tools.tests_seen import Found, TestsSeen, ids, last_two, number

_CARGO = regex(
    r"\ntest result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored; (\d{1,9}) measured; "
)
_CARGO_RUNNING = regex(r"\nrunning (\d{1,9}) tests?(?=\n)")
_CARGO_BUILT = regex(r"\n +Finished [`\w]")
_CARGO_FAILED = regex(r"\ntest (?P<id>\S[^\n]*?)(?: - should panic)? \.\.\. FAILED(?=\n)")
_CARGO_LIST = regex(r"\nfailures:((?:\n {4}\S[^\n]*)+)")
_DOC_LINE = regex(r" \(line \d+\)")


def cargo(text: str, whole: bool) -> Found | None:
    """Cargo: one result for each binary, summed since the last build."""
    last, _ = last_two(_CARGO, text)
    if last is None:
        return None
    built = [match.start() for match in _CARGO_BUILT.finditer(text, 0, last.start())]
    start = built[-1] if built else 0
    results = [[int(digits) for digits in match.groups()] for match in _CARGO.finditer(text, start)]
    named = [match["id"] for match in _CARGO_FAILED.finditer(text, start)]
    named += [line for match in _CARGO_LIST.finditer(text, start) for line in match[1].split("\n")]
    failing = ids(_DOC_LINE.sub("", name) for name in named)
    running = [int(match[1]) for match in _CARGO_RUNNING.finditer(text, start)]
    if not whole or running != [sum(result) for result in results]:
        return last.start(), TestsSeen(failing=failing, runner="cargo")  # a binary's result is missing
    passed, failed, ignored, _ = (sum(column) for column in zip(*results, strict=True))
    return last.start(), TestsSeen(passed, failed, ignored, failing, "cargo")


_LEVEL = r"\n(?:\[(?:INFO|WARNING|ERROR|WARN)\] )?"
_MAVEN = regex(_LEVEL + r"Tests run: (\d{1,9}), Failures: (\d{1,9}), Errors: (\d{1,9}), Skipped: (\d{1,9})[ \t]*(?=\n)")
_MAVEN_START = regex(r"\n(?:\[INFO\] )?Scanning for projects\.\.\.")
_MAVEN_FAILED = regex(
    _LEVEL + r"(?P<test>[^\s(]+)(?:\((?P<class>[\w.$]+)\))?[^\n]{0,200}? (?:-- )?Time elapsed: [^\n]{1,40}"
    r"<<< (?:FAILURE|ERROR)!"
)


def maven(text: str, whole: bool) -> Found | None:
    """Maven Surefire: the totals of modules, summed since Maven started; those of classes are parts of them."""
    last, _ = last_two(_MAVEN, text)
    if last is None:
        return None
    starts = [match.start() for match in _MAVEN_START.finditer(text, 0, last.start())]
    start = starts[-1] if starts else 0
    totals = [[int(digits) for digits in match.groups()] for match in _MAVEN.finditer(text, start)]
    failing = ids(_maven_id(match) for match in _MAVEN_FAILED.finditer(text, start))
    if len(totals) > 1 and not whole:
        return last.start(), TestsSeen(failing=failing, runner="maven")
    ran, failures, errors, skipped = (sum(column) for column in zip(*totals, strict=True))
    failed = failures + errors
    return last.start(), TestsSeen(ran - failed - skipped, failed, skipped, failing, "maven")


def _maven_id(match: re.Match[str]) -> str:
    """`Class.test`, which older versions print as `test(Class)`."""
    if match["test"] == "Tests":
        return ""  # `Tests run: 3, … <<< FAILURE!` is a class
    return f"{match['class']}.{match['test']}" if match["class"] else match["test"]


_GRADLE = regex(
    r"\n(?P<ran>\d{1,9}) tests? completed, (?P<failed>\d{1,9}) failed(?:, (?P<skipped>\d{1,9}) skipped)?(?=\n)"
)
_GRADLE_FAILED = regex(r"\n(?P<id>[^\s>][^\n>]* > [^\n]+?) FAILED[ \t]*(?=\n)")


def gradle(text: str, whole: bool) -> Found | None:
    """Gradle: `12 tests completed, 2 failed`, which it prints only when a test fails."""
    summary, before = last_two(_GRADLE, text)
    if summary is None:
        return None
    ran, failed, skipped = (number(summary[word]) for word in ("ran", "failed", "skipped"))
    failing = ids(match["id"] for match in _GRADLE_FAILED.finditer(text, before, summary.start() + 1))
    return summary.start(), TestsSeen(ran - failed - skipped, failed, skipped, failing, "gradle")


_CTEST = regex(r"\n\d{1,3}% tests passed, (?P<failed>\d{1,9}) tests? failed out of (?P<total>\d{1,9})")
_CTEST_LISTED = regex(r"\n\s+\d{1,9} - (?P<id>[^\n]+?) \((?P<why>[A-Z][^()\n]*)\)[^\n]*(?=\n)")


def ctest(text: str, whole: bool) -> Found | None:
    """CTest: `80% tests passed, 1 tests failed out of 5`; those that failed or were skipped are listed below."""
    summary, _ = last_two(_CTEST, text)
    if summary is None:
        return None
    listed = [(match["id"], match["why"]) for match in _CTEST_LISTED.finditer(text, summary.end())]
    failed, skipped = int(summary["failed"]), sum(why == "Skipped" for _, why in listed)
    failing = ids(name for name, why in listed if why not in ("Skipped", "Disabled"))
    return summary.start(), TestsSeen(int(summary["total"]) - failed - skipped, failed, skipped, failing, "ctest")


_DOTNET = regex(
    r"\n(?:Passed|Failed|Skipped)! {2}- Failed: +(\d{1,9}), Passed: +(\d{1,9}), Skipped: +(\d{1,9}), Total: +\d{1,9}"
)
_DOTNET_FAILED = regex(r"\n {2}Failed (?P<id>[^\n]+?) \[(?:< )?\d[\d.,smh ]*\][ \t]*(?=\n)")


def dotnet(text: str, whole: bool) -> Found | None:
    """Dotnet test: one line for each test project, summed."""
    lines = list(_DOTNET.finditer(text))
    if not lines:
        return None
    failing = ids(match["id"] for match in _DOTNET_FAILED.finditer(text))
    if len(lines) > 1 and not whole:
        return lines[-1].start(), TestsSeen(failing=failing, runner="dotnet")
    failed, passed, skipped = (sum(int(line[part]) for line in lines) for part in (1, 2, 3))
    return lines[-1].start(), TestsSeen(passed, failed, skipped, failing, "dotnet")
