"""Reads the cause of a failed step from its error, if the error names a program, a module, a path or a tool."""

import re
from collections.abc import Iterator

from headway.core.run_report import CauseKind
from headway.core.step import Step
from headway.rolling.lazy import regex
from headway.study.workarounds import command_of, programs_in
from headway.tools.shell.syntax import simple_commands

_PROGRAM = regex(r"(?:^|: |\s)[`'\"]?([A-Za-z_][\w.+-]+)[`'\"]?: (?:command )?not found|spawn ([\w.+-]+) ENOENT")
_WRAPPERS = frozenset(("sudo", "env", "time", "nohup", "xargs", "timeout", "exec", "command", "nice"))
_MODULE = regex(r"No module named '?([A-Za-z_]\w*)|Cannot find (?:module|package) '(@?[\w-][^'.]*)'")
_NO_PATH = regex(
    r"(?:file|path|directory)[^\n]{0,80} (?:does not|doesn't) exist|no such file or directory|\bENOENT\b"
    r"|file not found",
    re.IGNORECASE,
)
_NOT_STARTED = regex(
    r"missing script|no rule to make target|unrecognized arguments|unknown (?:option|command|flag|subcommand)"
    r"|unexpected argument|no such option|could not find `?cargo\.toml|go\.mod file not found"
    r"|externally-managed-environment|no configuration file provided|could not read package\.json"
    r"|command \"[\w:.-]{1,40}\" not found|err_pnpm_(?:no_|recursive)\w+|no package\.json|no such (?:sub)?command",
    re.IGNORECASE,
)
_SLOW = regex(r"(?:command|process|execution)[^\n]{0,200}timed out|timeout exceeded|timed out after", re.IGNORECASE)
_UNREAD = regex(r"has not been read yet", re.IGNORECASE)
_NO_FIT = regex(
    r"string to replace not found|no replacement was performed|no exact match|could not find the exact text"
    r"|old_str(?:ing)?\b.{0,80}(?:not found|did not appear)|failed to find (?:expected lines|context)"
    r"|found \d+ matches",
    re.IGNORECASE | re.DOTALL,
)
_LARGE = regex(r"exceeds (?:the )?maximum (?:allowed )?(?:size|tokens)", re.IGNORECASE)
_REFUSED = regex(
    r"requested permissions? to|haven't granted|sandbox denied|(?:is|are) not allowed by|denied by", re.IGNORECASE
)
_PATH = regex(r"[~./\w][^\s:;|<>*?\"'`]*")
"""A pattern for paths. A confused model sends other things."""
_HINTS = (
    "not found", "no module named", "cannot find", "missing script", "no rule to", "unrecognized", "unknown ",
    "unexpected argument", "no such", "could not", "externally-managed", "no configuration", "err_pnpm", "no package",
    "not exist", "n't exist", "enoent",
)  # fmt: skip
"""Every error that names its cause contains one of these. Most errors have none, and this check is fast."""
_TAIL = 1_500
"""Number of characters at the end of an output to search for the cause."""


def causes_in(step: Step) -> Iterator[tuple[CauseKind, str]]:
    """The causes of a failed step, each with its subject."""
    message = f"{step.message}\n{step.said[-_TAIL:]}" if step.meaning.command else step.message or step.said[:300]
    lowered = message.lower()
    if step.denied or ("permission" in lowered and _REFUSED.search(message)):
        yield "refused", refused_name(step)
    elif "time" in lowered and _SLOW.search(step.message):
        if (command := command_of(step)) and command.is_plain:
            yield "slow", command.text
    elif step.meaning.command:
        if any(map(lowered.__contains__, _HINTS)):
            yield from _of_command(step, message, lowered)
    elif step.path and _PATH.fullmatch(step.path):
        yield from _of_file(step, step.path, message)


def complaint_in(step: Step) -> str:
    """Why a command did not start, from the program's own message: the rest of an output may contain anything."""
    found = _NOT_STARTED.search(step.message) or _NOT_STARTED.search(step.said[-_TAIL:])
    return found[0] if found else ""


def refused_name(step: Step) -> str:
    """What was refused: the program of a command line with its first word, or the tool."""
    return (_beginning(step.meaning.command) if step.meaning.command else "") or step.tool_name


def _beginning(line: str) -> str:
    """The first two words of the program in a command line; only the first word if there are several programs."""
    command, first = programs_in(line)
    return " ".join(command.words[:2]) if command else first


def _of_command(step: Step, message: str, lowered: str) -> Iterator[tuple[CauseKind, str]]:
    line = step.meaning.command or ""
    found = _PROGRAM.search(message) if "not found" in lowered or "enoent" in lowered else None
    program = (found[1] or found[2]) if found else ""
    if program and _runs(program, line):
        yield "program", program
    elif found := _MODULE.search(message):
        yield "module", found[1] or found[2]
    elif _NOT_STARTED.search(message):
        if (command := command_of(step)) and command.is_plain:
            yield "command", command.text
    elif step.kind == "read" and step.path and _NO_PATH.search(message) and _PATH.fullmatch(step.path):
        yield "path", step.path


def _runs(program: str, line: str) -> bool:
    """Whether a command line runs this program. A shell also complains about words that it mistook for one."""
    for one in simple_commands(line):
        if one.words[:1] == [program] or (one.words and one.words[0] in _WRAPPERS and program in one.words[1:4]):
            return True
    return False


def _of_file(step: Step, path: str, message: str) -> Iterator[tuple[CauseKind, str]]:
    if step.kind in ("edit", "write"):
        if _UNREAD.search(message):
            yield "unread", step.tool_name
        elif _NO_FIT.search(message):
            yield "edit", path
    elif step.kind == "read" and _LARGE.search(message):
        yield "large", path
    elif _NO_PATH.search(message):
        yield "path", path
