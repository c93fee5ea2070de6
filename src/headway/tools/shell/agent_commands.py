"""Commands that only exist inside agents' own shells: `open f 120`, `edit 3:7`, `str_replace_editor view f`."""

from headway.rolling.lazy import regex
from headway.tools.kinds import END
from headway.tools.shell.file_readers import Reader, number
from headway.tools.shell.programs import CommandPart, Programs, split_options

_WINDOW = 100
"""Lines such a viewer shows at a time, unless set otherwise."""
_ABOVE = 15
"""Lines it shows above the one asked for."""
_LINES = regex(r"(\d{1,9}):(\d{1,9})")
_EDITOR_KINDS = {"view": "read", "create": "write", "str_replace": "edit", "insert": "edit", "undo_edit": "edit"}


def _window(line: int | None) -> tuple[int, int]:
    first = max(1, (line or 1) - _ABOVE)
    return first, first + _WINDOW - 1


def read_open(words: list[str], _piped: bool, _programs: Programs) -> CommandPart:
    """`open f 120`: a page of a file."""
    return CommandPart("read", words[1:2], _window(number(words[2]) if len(words) > 2 else None))


def read_goto(words: list[str], _piped: bool, _programs: Programs) -> CommandPart:
    """`goto 120`: a page of the open file."""
    return CommandPart("read", (), _window(number(words[1]) if len(words) > 1 else None))


def read_search_words(words: list[str], _piped: bool, _programs: Programs) -> CommandPart:
    """`search_dir x src`: the pattern, then the place."""
    return CommandPart("search", words[2:3], query=words[1] if len(words) > 1 else None)


def read_edit(words: list[str], _piped: bool, _programs: Programs) -> CommandPart:
    """`edit 3:7 …`: lines of the open file are replaced."""
    match = _LINES.fullmatch(words[1]) if len(words) > 1 else None
    return CommandPart("edit", (), (int(match[1]), int(match[2])) if match else None, changes=True)


def read_create(words: list[str], _piped: bool, _programs: Programs) -> CommandPart:
    """`create f`."""
    return CommandPart("write", words[1:2], changes=True)


def read_editor(words: list[str], _piped: bool, _programs: Programs) -> CommandPart:
    """`str_replace_editor view f --view_range 1 50`: the verb decides."""
    operands, options = split_options(words[1:], frozenset(("--view_range", "--old_str", "--new_str", "--insert_line")))
    verb = operands[0] if operands else ""
    kind = _EDITOR_KINDS.get(verb)
    if kind is None:
        return CommandPart("run")
    if kind == "write":
        return CommandPart("write", operands[1:2], changes=True)
    if kind == "edit":
        return CommandPart("edit", operands[1:2], changes=True)
    first, last = number(options.get("--view_range", "")), number(operands[2]) if len(operands) > 2 else None
    return CommandPart("read", operands[1:2], (first, last or END) if first else None)


_READERS: dict[str, Reader] = {
    "open": read_open, "goto": read_goto, "search_dir": read_search_words, "search_file": read_search_words,
    "find_file": read_search_words, "edit": read_edit, "create": read_create, "str_replace_editor": read_editor,
    "edit_anthropic": read_editor,
}  # fmt: skip


def read_agent_command(words: list[str], piped: bool, programs: Programs) -> CommandPart:
    """Read one of them, by its name."""
    return _READERS[words[0]](words, piped, programs)
