"""How many problems a linter, a type checker or a compiler printed.

If the tool states a total, that is used, the last one of several. Lines are counted only for tools that state none,
and only in an output that was not clipped.
"""

import re

import msgspec

from headway.rolling.lazy import regex
from headway.rolling.text import has_any
from headway.tools.envelope import Output


class ProblemsSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a checker or compiler counted; None is a number that was not printed or that was clipped away."""

    errors: int | None = None
    warnings: int | None = None
    tool: str = ""


_E, _W, _N = r"(?P<errors>\d{1,9}) errors?", r"(?P<warnings>\d{1,9}) warnings?", r"\d{1,9}"
_TOTALS: tuple[tuple[str, str, str], ...] = (
    ("ruff", "Found ", rf"Found {_N} errors? \({_N} fixed, (?P<errors>\d{{1,9}}) remaining\)\."),
    ("ruff", "Found ", rf"Found {_E}\."),
    ("ruff", "All checks passed!", r"(?P<clean>)All checks passed!"),
    ("mypy", "Found ", rf"Found {_E} in {_N} files? \((?:checked|errors prevented) [^\n]*"),
    ("mypy", "Success: ", r"(?P<clean>)Success: no issues found in [^\n]*"),
    ("pyright", " information", rf"{_E}, {_W}, {_N} informations?(?: [^\n]*)?"),
    ("eslint", " problem", rf"✖ {_N} problems? \({_E}, {_W}\)"),
    ("tsc", "Found ", rf"(?:\[[^\]\n]{{1,20}}\] )?Found {_E}(?: in (?:{_N} files\.|[^\s(]+:\d+)|\. Watching [^\n]*)"),
    ("clang", " generated.", rf"(?P<clean>)(?:{_W})?(?: and )?(?:{_E})? generated\."),
    ("rustc", " previous error", rf"error: [^\n]{{1,300}} due to (?:{_N} )?previous error[^\n]*"),
    ("rustc", " emitted", rf"(?P<clean>)warning: {_W} emitted"),
    ("rustc", " generated ", rf"(?P<clean>)warning: `[^\n]{{1,200}}\) generated {_W}(?: \([^\n]*)?"),
    ("javac", ".java:", rf"{_E}"),
    ("maven", "COMPILATION ERROR", rf"\[INFO\] {_E}"),
)
"""Tools that state a total: the tool, a word that is always there, the line. `clean`: no errors unless stated."""

_BY_WORD: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
for _tool, _word, _line in _TOTALS:
    _BY_WORD.setdefault(_word, []).append((_tool, regex(rf"\n{_line}[ \t]*(?=\n)")))
_DUE_TO = regex(rf" due to (?:(?P<errors>{_N}) )?previous errors?(?:; (?P<warnings>{_N}) warnings? emitted)?")


def problems_seen(output: str | Output) -> ProblemsSeen | None:
    """The totals of the last checker or compiler in an output, or None when it shows none."""
    output = Output.of(output)
    if not _may_show_problems(output.text):
        return None
    from headway.tools.tests_seen.clip import readable  # most outputs show no problems

    text, whole = readable(output)
    place, found = -1, None
    for word, patterns in _BY_WORD.items():
        if word not in text:
            continue
        for tool, pattern in patterns:
            for total in pattern.finditer(text):
                if total.start() > place:
                    place, found = total.start(), _stated(tool, total)
    return found or (_counted(text) if whole else None)


_GLANCE = 20_000
_COMPLAINTS = (": error: ", ": fatal error: ", ": warning: ")
_WORDS = (*_BY_WORD, *_COMPLAINTS, " error TS", ".go:", "rated at")
"""Every such output contains one of these, unless its lines have codes, or colours interrupt the words."""


def _may_show_problems(output: str) -> bool:
    """A quick check that rules out most other outputs; it looks only at the end of a long one."""
    end = output if len(output) < _GLANCE else output[-_GLANCE:]
    if "rror" in end or "warning" in end or ".go:" in end:
        is_whole = end is output and "\x1b" not in output
        return not is_whole or has_any(output, _WORDS) or _CODE.search(output) is not None
    last = end[-500:]
    if "no issues found" in last or "checks passed" in last or "rated at" in last:
        return True
    return _CODED.match("\n" + end[:400]) is not None  # flake8 writes no word that the others do


def _stated(tool: str, total: re.Match[str]) -> ProblemsSeen:
    numbers = total.groupdict()
    if due_to := _DUE_TO.search(total[0]):
        numbers = {"errors": due_to["errors"] or "1", "warnings": due_to["warnings"]}  # "due to previous error" is one
    errors, warnings = (int(numbers[name]) if numbers.get(name) else None for name in ("errors", "warnings"))
    if errors is None and "clean" in numbers:
        errors = 0
    return ProblemsSeen(errors, warnings, tool)


_COMPLAINT = regex(r"\n[^\s:][^\n:]{0,300}\.(?P<suffix>\w{1,5}):\d+(?::\d+)?: (?:fatal )?(?P<what>error|warning): ")
_TSC = regex(r"\n[^\n(]{1,300}\(\d+,\d+\): (?P<what>error) TS\d+: ")
_CODE = regex(r":\d+:\d+: [A-Z]")
_CODED = regex(r"\n[^\s:][^\n:]{0,300}:\d+:\d+: (?P<code>[A-Z]{1,4})\d{3,4}:? ")
_GO = regex(r"\n(?:vet: )?[^\s:]{1,300}\.go:\d+(?::\d+)?: ")
_BY_SUFFIX = {"py": "mypy", "pyi": "mypy", "java": "javac"}


def _counted(text: str) -> ProblemsSeen | None:
    """The lines of tools that state no total."""
    if has_any(text, _COMPLAINTS) and (found := list(_COMPLAINT.finditer(text))):
        errors = sum(match["what"] == "error" for match in found)
        return ProblemsSeen(errors, len(found) - errors, _BY_SUFFIX.get(found[0]["suffix"], "gcc"))
    if " error TS" in text and (errors := len(_TSC.findall(text))):
        return ProblemsSeen(errors, tool="tsc")
    if "\n# " in text and (errors := len(_GO.findall(text, text.index("\n# ")))):
        return ProblemsSeen(errors, tool="go")
    return _coded(text)


def _coded(text: str) -> ProblemsSeen | None:
    """`file:1:8: F401 …` of flake8, and `file:1:8: W0611: …` of pylint, where C, R and W are warnings."""
    codes = [match["code"] for match in _CODED.finditer(text)] if _CODE.search(text) else []
    if not codes:
        return ProblemsSeen(0, 0, "pylint") if "\nYour code has been rated at 10.00/10" in text else None
    if "\n************* Module " not in text:
        return ProblemsSeen(len(codes), tool="flake8")
    errors = sum(code in ("E", "F") for code in codes)
    return ProblemsSeen(errors, len(codes) - errors, "pylint")
