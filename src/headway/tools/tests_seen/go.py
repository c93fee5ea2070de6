"""The recogniser of `go test`: plain, -v and -json.

Go prints no total, so tests without subtests of their own are counted, over all packages. Without -v, go prints only
failing tests, and the number of passed tests stays unknown.
"""

import re
from collections.abc import Iterator

import msgspec

from headway.rolling.lazy import regex
from headway.tools.tests_seen import Found, TestsSeen, ids
from headway.tools.tests_seen.clip import CUT

_LINE = regex(
    rf"\n(?:{CUT}| *--- (?P<word>PASS|FAIL|SKIP): (?P<test>\S+) \(\d+\.\d+s\)"
    r"|(?P<end>ok|FAIL)[ \t]+(?P<package>[\w.~/-]*[a-zA-Z][\w.~/-]*)[ \t]+(?:\d+\.\d+s|\(cached\)|\[(?P<why>[a-z ]+)\])"
    r"(?P<rest>[^\n]*))[ \t]*(?=\n)"
)
_OF_WORD = {"pass": "PASS", "fail": "FAIL", "skip": "SKIP"}


class _Record(msgspec.Struct):
    Action: str = ""
    Package: str = ""
    Test: str = ""
    FailedBuild: str = ""


class _Package(msgspec.Struct):
    """One package: its tests by name, and the word it ended with."""

    tests: dict[str, str] = {}
    end: str = ""
    why: str = ""

    def leaves(self) -> Iterator[tuple[str, str]]:
        """Tests that have no subtests."""
        parents = {name.rpartition("/")[0] for name in self.tests}
        return ((name, word) for name, word in self.tests.items() if name not in parents)


def go(text: str, whole: bool) -> Found | None:
    """Go: `--- FAIL: TestX`, `ok  pkg`, `FAIL  pkg [build failed]`, or the records of -json."""
    as_json = '"Action":"' in text
    place, packages = _from_json(text) if as_json else _from_lines(text)
    if not packages:
        return None
    failing = [name for package, seen in packages.items() for name in _failing(package, seen, whole)]
    words = [word for seen in packages.values() for _, word in seen.leaves()]
    if not whole:
        return place, TestsSeen(failing=ids(failing), runner="go")
    if as_json or "\n=== RUN " in text or _none_there(text, packages):
        return place, TestsSeen(words.count("PASS"), len(failing), words.count("SKIP"), ids(failing), "go")
    return place, TestsSeen(failed=len(failing), failing=ids(failing), runner="go")


def _from_lines(text: str) -> tuple[int, dict[str, _Package]]:
    """Tests are above the line of their package; a package that ran twice counts once, with its last result."""
    packages: dict[str, _Package] = {}
    place, pending = 0, _Package()
    for line in _LINE.finditer(text):
        place = line.start()
        if line["word"]:
            pending.tests[line["test"]] = line["word"]
        elif not line["end"]:
            pending = _Package()  # the package of these tests is unknown
        else:
            pending.end, pending.why = line["end"], line["why"] or ""
            packages[line["package"]] = pending
            pending = _Package()
    if pending.tests and not packages:
        packages[""] = pending  # only the lines of tests were kept
    return place, packages


def _from_json(text: str) -> tuple[int, dict[str, _Package]]:
    packages: dict[str, _Package] = {}
    place, decode = 0, msgspec.json.Decoder(_Record).decode
    for match in re.finditer(r'\n\{[^\n]*"Action":"(?:pass|fail|skip)"[^\n]*(?=\n)', text):
        try:
            record = decode(match[0])
        except (msgspec.MsgspecError, UnicodeError):
            continue
        place = match.start()
        package = packages.setdefault(record.Package, _Package())
        if record.Test:
            package.tests[record.Test] = _OF_WORD[record.Action]
        else:
            package.end, package.why = _OF_WORD[record.Action], "build failed" if record.FailedBuild else ""
    return place, packages


def _failing(package: str, seen: _Package, whole: bool) -> list[str]:
    """The failing tests of a package, or the package itself if it failed without naming a test."""
    tests = [f"{package}.{name}".lstrip(".") for name, word in seen.leaves() if word == "FAIL"]
    if tests or seen.end != "FAIL" or not (whole or seen.why):
        return tests
    return [f"{package} [{seen.why}]" if seen.why else package]


def _none_there(text: str, packages: dict[str, _Package]) -> bool:
    """Whether go says of every package that it has no tests to run."""
    return len(packages) == text.count("[no tests to run]")
