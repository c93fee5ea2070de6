"""The part of an output in which to look for a result, with marks where text was left out."""

import re
from typing import Final

from headway.rolling.lazy import regex
from headway.rolling.text import has_any
from headway.tools.envelope import EDGE, Output, body, without_colours

HEAD: Final = 16_000
TAIL: Final = 64_000
"""Characters looked at on each end of a long output: summaries stand at the end."""
CUT: Final = "✂"
"""The line that stands where something was left out."""

_WORDS = ("left out", "omitted", "truncated", "clipped", "elided", "hidden", "TRUNCATED")
"""Words that hosts write in place of output that they cut."""
_AMOUNT = r"\d[\d,.]* ?(?:more |additional )?(?:characters?|chars?|bytes|tokens?|[KkM]i?B|(?P<lines>lines?))\b"
_MARK = regex(
    rf"{_AMOUNT}[^\n]{{0,30}}(?:left out|omitted|truncated|clipped|elided|hidden)"
    rf"|(?:omitted|truncated|clipped|elided)[^\n\d]{{1,20}}{_AMOUNT.replace('lines>', 'of_lines>')}"
    r"|[\[(<]\W{0,6}(?:(?:tool |command )?(?:output|response|content|result)s? (?:was |has been )?)?"
    r"(?:truncated|clipped|omitted)|(?:\.\.\.|…) ?\(?(?:truncated|clipped|omitted)",
    re.IGNORECASE,
)


def readable(output: str | Output) -> tuple[str, bool]:
    """An output without its envelope and colours, with a newline at both ends; and whether it is whole."""
    return Output.of(output).once(_readable)


def _readable(read: Output) -> tuple[str, bool]:
    output, text = read.text, read.body
    if len(output) > HEAD + TAIL:
        head, tail = output[:HEAD].rpartition("\n")[0], output[-TAIL:].partition("\n")[2]
        output = f"{head}\n{CUT}\n{tail}"
        text = body(output)
    if text.startswith('{"output"'):
        text = text.replace("\\n", "\n")  # JSON that was clipped and can no longer be decoded
    text = without_colours(text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")  # in a progress bar it begins a line
    text = f"\n{text}\n"
    if not has_any(output, _WORDS):
        return text, f"\n{CUT}\n" not in text
    text = _with_cuts(text)
    # a mark in the last line is taken for a part of the envelope
    return text, f"\n{CUT}\n" not in text and not _MARK.search(output[-EDGE:])


def _with_cuts(text: str) -> str:
    """A cut in place of each line that says so, and of the halves of lines around it."""
    lines = text.split("\n")
    marks = [
        (at, mark)
        for at, line in enumerate(lines)
        if len(line) < _LONGEST_MARK and _names_a_cut(line) and (mark := _MARK.search(line))
    ]
    for at, mark in reversed(marks):
        alone = len(lines[at]) < len(mark[0]) + _AROUND
        halves = alone and not (mark["lines"] or mark["of_lines"])
        rest = halves and not lines[at + 1].startswith("==")  # half a bar is as good as a whole one
        # the newlines at both ends of the text stay
        lines[max(1, at - halves) : min(len(lines) - 1, at + 1 + rest)] = [CUT]
    return "\n".join(lines)


def _names_a_cut(line: str) -> bool:
    """A quick check that rules out most lines."""
    return has_any(line.lower(), _WORDS)


_LONGEST_MARK = 400
_AROUND = 40
"""Characters of decoration beside a mark; with more than that it stands inside a line of the output."""
