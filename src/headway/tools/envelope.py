"""What a host writes around a tool's output: exit codes, status lines, reminders. Telling it from the output itself.

Only the ends of a text are looked at, so a long log costs no more than a short one.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, TypeVar

import msgspec

from headway.rolling.forgiving import FAULTS, from_json
from headway.rolling.lazy import lazy, regex
from headway.rolling.normalise import digest
from headway.rolling.text import clean

T = TypeVar("T")

EDGE: Final = 400
"""Characters at each end of a text where a host's own lines are looked for."""

_LONGEST_REMEMBERED = 4_000
_LONGEST_JSON = 2_000_000
_LONGEST_REMINDER = 4_000
_MOST_BLOCKS = 50
_MOST_LINES = 8
_TEXT_KEYS = ("stdout", "output", "text", "content", "llmContent", "result", "message", "error", "stderr")

_EXIT_LINE = regex(
    r"""[\[(<\s]*+ (?:error:\s)?+ (?:the\s)?+
        (?: (?:process|command|script|program|shell|shellid|task|tool|job)\b [^\n]{0,80}? )?
        (?<!\w) (?:(?:completed|finished|failed|ended)\swith\s)?
        exit (?:ed)? [\s_]? (?:with\s)? (?:exit\s)? (?:code|status)?
        [\s:=]{0,4} (?P<code>-?\d{1,10}) (?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
_RETURN_CODE = "<returncode>"
_RETURNED = regex(_RETURN_CODE + r"(?P<code>-?\d{1,10})</returncode>")
_BLOCKS = regex(r'"content"\s*:\s*\[\s*\{\s*"type"\s*:\s*"text"\s*,\s*"text"\s*:')
"""The blocks of a result as MCP servers send it."""
_COLOUR = regex(r"\x1b\[[0-9;?]*[A-Za-z]")
_EXIT_IN_JSON = regex(r'"exit_?[cC]ode"\s*:\s*(-?\d{1,10})')
_HEAD_LINE = regex(
    r"""(?: (?:Chunk\ ID|Wall\ time|Original\ token\ count|Total\ output\ lines|Command|Directory):[^\n]*+
          | (?:Error:\ )?(?:Process\ exited\ with\ code|Exit\ code:?)\ -?\d+ [^\n]*+
          | <returncode>-?\d+</returncode>
          | exitcode:\ -?\d+ [^\n]*+ | <untrusted_context> | <(?:output|stdout|result)> ) [ \t\r]*+ (?:\n|\Z)
      | (?:Code\ )?Output:[ \t]?""",
    re.VERBOSE | re.IGNORECASE,
)
_HEAD_LETTERS = frozenset("cwotdpeCWOTDPE<")
"""What such lines begin with."""
_TAIL_LINE = regex(
    r"""\s*+ (?:
        \[ [^\n]{0,60}? \b(?:exit\ code|interpreter:|(?:working|current)\ directory|lines?\ truncated|exited)
           [^\n]*+ (?<=\])
      | \.\.\.\ \[\d+\ lines\ truncated\]\ \.\.\.
      | < [^\n<>]{0,80}? \bexit\ code\ -?\d+ [^\n<>]{0,20} >
      | \(?(?:Open\ file|Current\ directory): [^\n]*+ (?<=\))
      | (?:Command|Process)\ (?:exited|failed)\ with\ (?:exit\ )?code\ -?\d+ \.?
      | (?:Exit\ Code|Signal|Process\ Group\ PGID|Background\ PIDs): [^\n]{0,80} | Error:\ \(none\)
      | </(?:untrusted_context|output|stdout|result)> | bash-\$ )? \s*+""",
    re.VERBOSE | re.IGNORECASE,
)
_TAIL_WORDS = (
    "[", "...", "<", "(", "open file:", "current directory:", "command ", "process ", "exit code:", "signal:",
    "background pids:", "error: (none)", "bash-$",
)  # fmt: skip
"""One of these is at the beginning of every such line; looking for words first is far cheaper."""
_TAIL_LETTERS = frozenset("".join(word[0] + word[0].upper() for word in _TAIL_WORDS))
_NO_OUTPUT = regex(
    r"\s*[\[(<]?\s*(?:no output|empty|no content"
    r"|(?:tool|command) (?:ran|executed|completed)[^\n]{0,60}(?:no|without) output[^\n]{0,40})"
    r"\.?\s*[\])>]?\s*",
    re.IGNORECASE,
)


_OPAQUE = regex(
    r"""\s* (?:
        [\[(<] \s* (?: (?:an?\s)? (?:image|img|screenshot|picture|figure|plot|audio|video|binary|blob|attachment) \b
                    | object\sObject ) [^\n]{0,120} [\])>]
      | [\[(<] [^\n]{0,80} \b (?:not\srecorded|redacted|elided|content\somitted|data\somitted) [^\n]{0,40} [\])>]
      | (?: took\sa\s | successfully\s(?:took|captured)\s(?:a\s)? )? screenshot
        (?: \s(?:taken|captured|saved|of) [^\n]{0,120} )? \.?
    ) \s*""",
    re.VERBOSE | re.IGNORECASE,
)


_MADE = regex(
    r"[^\n]{0,200}/[^\s/]+\.(?:png|jpe?g|gif|webp|svg|bmp|tiff?|avif|mp3|wav|ogg|flac|m4a|mp4|webm|mov|avi|glb|obj|stl|pdf)"
    r"\b[^\n]{0,40}\n?",
    re.IGNORECASE,
)
_ADDRESS = regex(r"\s*<[^\n]{1,250}\bat 0x[0-9a-fA-F]+>\s*")
"""What Python shows of an object that has no description of its own: its type and its address."""


def is_opaque(text: str) -> bool:
    """Whether a text only stands for something that is not there: a picture, an object, what was not recorded."""
    if len(text) > 300 or (text.lstrip()[:1] not in ("[", "(", "<") and "creenshot" not in text):
        return False
    return _OPAQUE.fullmatch(text) is not None or has_only_an_address(text)


def has_only_an_address(text: str) -> bool:
    """Whether a text is nothing but an object's type and address, as in `<coroutine object fetch at 0x7f3a…>`."""
    return _ADDRESS.fullmatch(text) is not None


def names_what_was_made(text: str) -> bool:
    """Whether a text is one line that names a picture, a recording or the like, but does not show it."""
    return len(text) < 300 and _MADE.fullmatch(text) is not None


class Output:
    """One output, read once: the whole text, what the tool itself said, and the exit code that it or its host states.

    All questions about an output (did it fail, what did a search find, which tests ran) are answered from this.
    """

    def __init__(self, text: str, exit_code: int | None = None) -> None:
        self.text, self.digest = text, digest(text)
        self.body = body(text)
        """The text without the lines a host put around it."""
        self.opaque = is_opaque(self.body)
        """Whether it only stands for something that is not there."""
        self._exit_code = exit_code
        self._answers: dict[Any, Any] = {}

    @staticmethod
    def remembered(text: str, exit_code: int | None) -> "Output":
        """An output with what was read in it when it last came: of the outputs of a run, one in three comes again."""
        return _remembered(text, exit_code) if len(text) <= _LONGEST_REMEMBERED else Output(clean(text), exit_code)

    @classmethod
    def of(cls, output: object, exit_code: int | None = None) -> "Output":
        """An output in whatever shape a host gave it; one that has been read already is taken as it is."""
        return output if isinstance(output, Output) else cls(plain_text(output), exit_code)

    @lazy
    def exit_code(self) -> int | None:
        """The exit code as it was reported, or as the text states it."""
        return stated_exit_code(self.text) if self._exit_code is None else self._exit_code

    def once(self, question: Callable[["Output"], T]) -> T:
        """The answer to a question about this output, which is looked for once."""
        if question not in self._answers:
            self._answers[question] = question(self)
        answer: T = self._answers[question]
        return answer


_remembered = lru_cache(maxsize=64)(lambda text, exit_code: Output(clean(text), exit_code))


def plain_text(output: object, depth: int = 0) -> str:
    """The text of an output, whatever shape a host gave it."""
    if isinstance(output, str):
        return output
    if depth > 4 or output is None:
        return ""
    if isinstance(output, Mapping):
        parts = [plain_text(output[key], depth + 1) for key in _TEXT_KEYS if output.get(key)]
    elif isinstance(output, (list, tuple)):
        parts = [plain_text(item, depth + 1) for item in output[:_MOST_BLOCKS]]
    else:
        return str(output)[:EDGE]
    return "\n".join(part for part in parts if part)


def without_colours(text: str) -> str:
    """A text without the signs that colour it in a terminal."""
    return _COLOUR.sub("", text) if "\x1b" in text else text


def edges(text: str, width: int) -> tuple[str, str]:
    """The beginning and the end of a text, which do not overlap."""
    return text[:width], text[max(width, len(text) - width) :]


def stated_exit_code(text: str) -> int | None:
    """The exit code that a host wrote into the first or last lines of an output, if it did."""
    for part in reversed(edges(text, EDGE)):
        if part.startswith(_RETURN_CODE) and (match := _RETURNED.match(part)):
            return int(match["code"])
        if "exit" not in part and "Exit" not in part:
            continue
        if text.startswith("{") and (in_json := _EXIT_IN_JSON.findall(part)):
            return int(in_json[-1])
        lines = [line for line in part.split("\n") if "xit" in line and len(line) < 160]
        for line in reversed(lines):
            if match := _EXIT_LINE.match(line):
                return int(match["code"])
    return None


def body(text: str) -> str:
    """The output without the lines a host put around it."""
    if text.startswith("{") and (text.startswith('{"output"') or _BLOCKS.search(text, 0, EDGE)):
        text = _out_of_json(text)
    start = 0
    while text[start : start + 1] in _HEAD_LETTERS and (match := _HEAD_LINE.match(text, start)):
        start = match.end()
    end = _before_reminders(text)
    for _ in range(_MOST_LINES):
        line = text.rfind("\n", start, end) + 1 or start
        if end <= start or end - line > EDGE or not _is_added(text, line, end):
            break
        end = max(start, line - 1)
    if end - start < 200 and _NO_OUTPUT.fullmatch(text, start, end):
        return ""
    return text[start:end]


def _is_added(text: str, line: int, end: int) -> bool:
    """Whether a line at the end of an output is empty or a host's own."""
    said = text[line:end].strip()
    if said[:1] not in _TAIL_LETTERS:
        return not said
    return said.lower().startswith(_TAIL_WORDS) and _TAIL_LINE.fullmatch(text, line, end) is not None


class _Block(msgspec.Struct):
    text: str


class _Wrapped(msgspec.Struct):
    output: str | None = None
    content: list[_Block] | None = None


def _out_of_json(text: str) -> str:
    """Some hosts wrap the output in JSON, `{"output": "…", "metadata": {}}`, or hand on what an MCP server sends."""
    if len(text) > _LONGEST_JSON:
        return text
    try:
        found = from_json(text, _Wrapped)
    except FAULTS:
        return text
    if found.output is not None:
        return found.output
    return "\n".join(block.text for block in found.content) if found.content else text


def _before_reminders(text: str) -> int:
    """Where the output ends and a host's words to its model begin."""
    if ">" in text[-20:] and text[-20:].rstrip().endswith(">"):
        start = max(0, len(text) - _LONGEST_REMINDER)
        place = max(text.rfind("<system-reminder>", start), text.rfind("<hook_context>", start))
        if place >= 0:
            return place
    return len(text)
