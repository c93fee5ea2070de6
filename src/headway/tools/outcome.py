"""Whether a call failed, judged by its output, and which line says so.

Used only if the host does not report it. An exit code decides if there is one. Text is read cautiously: only the
beginning and the end, only clear patterns at the beginning of a line; and if the output is quoted text (a file, a
search result, a page), only its first line, because files may well mention errors.
"""

import re
from typing import Final

import msgspec

from headway.rolling.forgiving import FAULTS, from_json
from headway.rolling.lazy import regex
from headway.tools import error_shapes as shapes
from headway.tools.envelope import Output, edges, without_colours
from headway.tools.kinds import Meaning

LONGEST_LINE: Final = 300
"""Characters of the line that says what went wrong."""

_WIDTH = 300
"""Characters looked at on each end of an output."""
_LONGEST_COMPLAINT = 2_000
"""The message of a tool that could not get a file or a page is shorter; a longer text is the file or the page."""
_SEARCHED = 20_000
"""Characters on each end of a failed output in which to look for the line that explains the failure."""

_CONTENT = frozenset(("read", "search", "list", "web", "delegate", "poll"))
"""Kinds whose output is a text from elsewhere."""
_OTHERS_TEXT = _CONTENT | {"write", "edit", "plan", "ask"}
"""Kinds whose output is mostly text that the call itself did not write, or that repeats what it was given."""
_ASKING = frozenset(("web", "other", "run", "poll"))
"""Kinds whose output may be the answer of a server."""
_COMPARES = regex(r"(?:\S*/)?(?:diff|cmp|colordiff)\s|git\s(?:-\S+\s)*diff\s")
_TRACEBACK = "Traceback (most recent call last)"
_BETWEEN = ("During handling", "The above exception")
_TELLING = ((shapes.TELLING_LINE, shapes.TELLING_WORDS), (shapes.SUSPICIOUS_LINE, shapes.SUSPICIOUS_WORDS))


def looks_failed(meaning: Meaning, output: object, exit_code: int | None = None) -> bool:
    """Whether a call failed."""
    read = Output.of(output, exit_code)
    if read.exit_code is not None:
        return read.exit_code != 0 and not _is_an_answer(meaning, read)
    return _text_looks_failed(meaning, read.body)


def _is_an_answer(meaning: Meaning, output: Output) -> bool:
    """Exit code 1 of a search that found nothing, or of a comparison that found a difference."""
    if output.exit_code != 1:
        return False
    if meaning.kind == "search":
        from headway.tools.hits import count_hits  # most calls are no searches

        return count_hits(meaning, output) == 0
    return bool(meaning.command and _COMPARES.match(meaning.command)) and not shapes.FAILED_LINE.match(output.body)


def _text_looks_failed(meaning: Meaning, text: str) -> bool:
    head, tail = edges(text.strip() if len(text) < 10 * _WIDTH else text, _WIDTH)
    head, tail = without_colours(head).lstrip("-= \t\r\n"), without_colours(tail)  # some put a rule above an error
    if meaning.kind in _ASKING and _is_failed_response(head, text):
        return True
    if shapes.FAILED_LINE.match(head):
        return True
    if (len(text) < _LONGEST_COMPLAINT or meaning.kind not in _CONTENT) and shapes.FAILED_FIRST_LINE.match(head):
        return True
    if meaning.kind in _OTHERS_TEXT:
        return False
    if len(text) > 2 * _WIDTH:
        tail = tail.partition("\n")[2] or tail  # its first line may be the rest of one
    return any(shape.search(part) for shape in _shapes_for(meaning) for part in (tail, head))


def _is_failed_response(head: str, text: str) -> bool:
    """Whether a server's answer says that it failed: by its status line, its title, or the JSON it sends."""
    if shapes.FAILED_RESPONSE.match(head):
        return True
    if head[:1] != "{" or len(text) > _LONGEST_COMPLAINT:
        return False
    try:
        answer = from_json(text, _Answer)
    except FAULTS:
        return False
    status = next((s for s in (answer.status, answer.statusCode, answer.status_code) if isinstance(s, int)), 0)
    return 400 <= status < 600 or (isinstance(answer.error, (str, dict)) and bool(answer.error))


class _Answer(msgspec.Struct):
    error: object = None
    status: object = None
    statusCode: object = None  # noqa: N815  # a name of other people's JSON
    status_code: object = None


def _shapes_for(meaning: Meaning) -> tuple[re.Pattern[str], ...]:
    """What failure looks like anywhere in the output of such a call."""
    if meaning.kind == "vcs":
        return (shapes.FAILED_GIT,)
    if meaning.kind == "test":
        return (shapes.FAILED_TESTS, shapes.FAILED_LINE)
    if meaning.kind == "build":
        return (shapes.FAILED_BUILD, shapes.FAILED_LINE)
    return (shapes.FAILED_LINE,)


def first_error_line(output: object) -> str:
    """The one line of a failed output that best says what went wrong."""
    text = Output.of(output).body
    head, tail = (without_colours(part) for part in edges(text, _SEARCHED))
    first = _first_line(head)
    if shapes.FAILED_FIRST_LINE.match(first):
        return _clipped(first)
    line = _exception_line(tail) or _exception_line(head) or _telling_line(head) or _telling_line(tail)
    return _clipped(line or first or _first_line(tail))


def _clipped(line: str) -> str:
    return line.strip(" \t\r=")[:LONGEST_LINE].rstrip()


def _exception_line(text: str) -> str:
    """The line under the last Python traceback: the first one that is not indented."""
    start = text.rfind(_TRACEBACK)
    if start < 0:
        return ""
    for line in text[start:].split("\n")[1:]:
        if line[:1].strip() and not line.startswith(_BETWEEN) and not shapes.SAYS_NOTHING.fullmatch(line):
            return line
    return ""


def _telling_line(text: str) -> str:
    lowered = "\n" + text.replace("İ", "I").lower()  # the one letter whose small form is longer
    if not lowered.isascii():
        lowered = lowered.replace("ı", "i").replace("ſ", "s")  # a pattern that ignores case takes them for these
    for shape, words in _TELLING:
        there = [word for word in words if word in lowered]
        for line, small in zip(text.split("\n"), lowered[1:].split("\n"), strict=True) if there else ():
            # the pattern is tried only on lines with one of its words, because it is slow
            if any(map(f"\n{small}".__contains__, there)) and shape.match(line) and _says_something(line):
                return line
    return ""


def _says_something(line: str) -> bool:
    return not (shapes.ALL_WELL.search(line) or shapes.SAYS_NOTHING.fullmatch(line))


def _first_line(text: str) -> str:
    lines = text.lstrip().split("\n", 5)[:5]
    return next((line for line in lines if not shapes.SAYS_NOTHING.fullmatch(line)), lines[0])
