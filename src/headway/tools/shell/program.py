"""Which program a simple command really runs, and what that program does.

Some programs only run others: `sudo`, `timeout 60`, `uv run`, `docker exec box`, `FOO=1 …`.
"""

import re
from typing import NamedTuple

from headway.rolling.lazy import regex
from headway.tools.shell.actions import (
    ACTIONS,
    kind_of_task,
    named_script,
    part_of,
    read_checker,
    read_code,
    read_moved_files,
    read_runner,
    read_script,
    read_verb,
    read_wait,
    read_web,
)
from headway.tools.shell.file_readers import (
    FILE_READERS,
    Reader,
    read_files,
    read_grep,
    read_listing,
    read_lookup,
    read_rg,
    read_writer,
)
from headway.tools.shell.programs import CommandPart, Programs, Wrapper, split_options

_PYTHONS = frozenset(("python", "pypy", "ipython", "py"))


def _read_git(words: list[str], piped: bool, programs: Programs) -> CommandPart:
    from headway.tools.shell.git import read_git  # many runs have no git

    return read_git(words, piped, programs)


def _read_find(words: list[str], piped: bool, programs: Programs) -> CommandPart:
    from headway.tools.shell.finders import read_fd, read_find  # they read the programs that they run with this module

    return (read_find if words[0] == "find" else read_fd)(words, piped, programs)


def _read_agent_command(words: list[str], piped: bool, programs: Programs) -> CommandPart:
    from headway.tools.shell.agent_commands import read_agent_command  # few agents have a shell of their own

    return read_agent_command(words, piped, programs)


_AGENT_COMMANDS = (
    "open", "goto", "search_dir", "search_file", "find_file", "edit", "create", "str_replace_editor", "edit_anthropic",
)  # fmt: skip
_SPECIAL: dict[str, Reader] = {
    **ACTIONS, **dict.fromkeys(_AGENT_COMMANDS, _read_agent_command), **FILE_READERS, "git": _read_git,
    **dict.fromkeys(("find", "fd", "fdfind"), _read_find),
}  # fmt: skip
_BY_KIND: dict[str, Reader] = {
    "read": read_files, "list": read_listing, "search": read_lookup, "files": read_moved_files,
    "web": read_web, "wait": read_wait, "build": read_checker,
}  # fmt: skip


class Command(NamedTuple):
    """What a program does; or the command line inside it, which does."""

    part: CommandPart
    inner: str | None = None


def read_program(words: list[str], piped: bool, heredoc: str, programs: Programs) -> Command:
    """Read one program with its words; on another machine without its files, which have the same names there."""
    words, fed, is_elsewhere = unwrapped(words, programs)
    if not words:
        return Command(CommandPart())
    command = _read_own(words, piped, fed, heredoc, programs)
    if command.part.kind == "test":
        if _has(words, programs.shows_only, programs):
            command.part.kind = "run"
        command.part.runs = command.part.runs or _has(words, programs.rewrites, programs)
    return Command(_without_files(command)) if is_elsewhere else command


def _has(words: list[str], table: dict[str, frozenset[str]], programs: Programs) -> bool:
    """Whether a program has one of the options, or of the first words, that a table names for it or for any program."""
    asked = {word.partition("=")[0] for word in words[1:] if word[:1] == "-"} | set(words[1:2])
    return not (asked.isdisjoint(table["any"]) and asked.isdisjoint(table.get(_name(words[0], programs), frozenset())))


def _without_files(command: Command) -> CommandPart:
    part, inner = command
    if inner is not None:
        from headway.tools.shell import read_command  # it reads command lines with this module

        if sum(map(inner.count, ("ssh", "exec", "run"))) > _MOST_WRAPPERS:  # each machine behind it takes one of them
            return CommandPart("run")
        does = read_command(inner)
        part = CommandPart(does.kind, query=does.query, changes=does.changes, waits=does.waits, runs=does.runs)
        part.moves = does.moves
    part.paths, part.lines = (), None
    part.filter = part.filter or part.kind in ("list", "search")  # it has no folder here
    return part


def _read_own(words: list[str], piped: bool, fed: bool, heredoc: str, programs: Programs) -> Command:
    """Read a program that runs no other one."""
    if "=" in words[0] and ASSIGNMENT.match(words[0]):  # nothing but assignments
        return Command(CommandPart())
    name = _name(words[0], programs)
    if name in ("source", "."):
        return Command(CommandPart("run"))
    if name in programs.families["shells"] or name == "eval":
        return _shell(name, words, heredoc, programs)
    if name in _PYTHONS:
        return _python(words, piped, heredoc, programs)
    part = _by_name(name, words, piped and not fed, programs)
    if fed:
        part.filter = False
        if part.changes and part.paths:
            part.paths = [*part.paths, "."]  # and what comes through the pipe
    if heredoc and part.changes and not part.paths:
        from headway.tools.code import files_in_patch  # few commands contain a patch

        part.paths = files_in_patch(heredoc)
    return Command(part)


def _name(word: str, programs: Programs) -> str:
    """A program's name without its folder, version and ending."""
    base = word.rsplit("/", 1)[-1] if "/" in word else word
    if base in programs.kinds or base in _SPECIAL:
        return base
    bare = base.lower().removesuffix(".exe").rstrip("0123456789.")
    return bare or base


def _by_name(name: str, words: list[str], piped: bool, programs: Programs) -> CommandPart:
    words = [name, *words[1:]] if words[0] != name and _is_known(name, programs) else words
    if (writer := programs.writers.get(name)) and (part := read_writer(words, writer, programs)):
        return part
    if reader := _SPECIAL.get(name):
        return reader(words, piped, programs)
    kind = programs.kinds.get(name)
    if kind is not None:
        reader = _BY_KIND.get(kind)
        if reader:
            return reader(words, piped, programs)
        part = part_of(kind)
        part.harmless = name in programs.families["settings"]
        part.acts = part.harmless or name in programs.families["signals"]
        if kind == "edit":
            operands, _ = split_options(words[1:], programs.valued.get(name, frozenset()))
            part.paths = [word for word in operands if word[:1] != "+"]
        return part
    if name in programs.verbs:
        return read_verb(words, piped, programs)
    if name in programs.runners:
        return read_runner(words, piped, programs)
    if name in programs.families["grep"]:
        return read_grep(words, piped, programs)
    if name in programs.families["rg"]:
        return read_rg(words, piped, programs)
    return read_script(words, piped, programs)


def _is_known(name: str, programs: Programs) -> bool:
    if name in _SPECIAL or name in programs.kinds or name in programs.verbs or name in programs.runners:
        return True
    return any(name in programs.families[family] for family in ("grep", "rg", "interpreters"))


def _shell(name: str, words: list[str], heredoc: str, programs: Programs) -> Command:
    """`bash -lc '…'` runs the command in the quotes; `bash x.sh` runs a script."""
    if name == "eval":
        return Command(CommandPart("run"), " ".join(words[1:]))
    valued = programs.valued["bash"]
    for place, word in enumerate(words[1:], 1):
        if words[place - 1] in valued:
            continue
        if word[:1] not in ("-", "+"):
            return Command(named_script(words[place:], programs))
        if word[1:2] != "-" and "c" in word and words[place + 1 :]:
            return Command(CommandPart("run"), words[place + 1])
    return Command(CommandPart("run"), heredoc or None)


def _python(words: list[str], piped: bool, heredoc: str, programs: Programs) -> Command:
    """`python -m pytest` is pytest, `python x.py` runs a script, `python -c …` a piece of code."""
    valued = programs.valued["python"]
    place = 1
    while place < len(words) and words[place][:1] == "-" and words[place] != "-":
        word = words[place]
        rest = words[place + 1 :]
        if match := _PYTHON_RUNS.fullmatch(word):
            rest = [match[2], *rest] if match[2] else rest
            if match[1] == "m" and rest:
                return read_program(rest, piped, heredoc, programs)
            return Command(read_code("".join(rest[:1])))
        place += 1 + (word in valued)
    script = words[place:]
    if not script or script[0] == "-":
        return Command(read_code(heredoc))
    return Command(named_script(script, programs))


_PYTHON_RUNS = regex(r"-[bBdEhiIOPqsSuvx]*([mc])(.*)", re.DOTALL)
ASSIGNMENT = regex(r"[A-Za-z_]\w*\+?=")
_MOST_WRAPPERS = 5


def unwrapped(words: list[str], programs: Programs) -> tuple[list[str], bool, bool]:
    """The words of the program that is really run, whether xargs feeds it files, and whether it runs elsewhere."""
    fed = is_elsewhere = False
    for _ in range(_MOST_WRAPPERS):
        while len(words) > 1 and "=" in words[0] and ASSIGNMENT.match(words[0]):
            words = words[1:]
        name = words[0] if words else ""
        if "bin/" in name and (base := name.rsplit("/", 1)[-1]) in programs.wrapped_by:
            name, words = base, [base, *words[1:]]
        if name not in programs.wrapped_by:
            break
        wrapper, used = _wrapper(words, programs)
        if wrapper is None or (name == "timeout" and words[1:2] and words[1][:1] == "/"):  # that of Windows only waits
            break
        if name == "command" and words[1:2] in (["-v"], ["-V"]):
            return ["which", *words[2:]], False, is_elsewhere
        inner = _after_own_words(words[used:], wrapper)
        if not inner:
            break
        fed = fed or name in ("xargs", "parallel")
        is_elsewhere = is_elsewhere or wrapper.elsewhere
        if name == "ssh":  # the shell of the other machine parses the command again
            return ["eval", *inner], False, True
        words = [wrapper.alias, *inner] if wrapper.alias else inner
        if wrapper.tasks and _names_task(inner[0], programs):
            words = ["npm", "run", *inner]  # its own task of this name, and not a program
    return words, fed, is_elsewhere


def _names_task(word: str, programs: Programs) -> bool:
    """Whether a word is no program that is known, and a task by its name: `hatch run test`."""
    is_known = word in programs.wrapped_by or programs.kinds.get(word, "other") != "other" or _is_known(word, programs)
    return (
        (word == "test" or not is_known) and "/" not in word and "." not in word and bool(kind_of_task(word, programs))
    )


def _wrapper(words: list[str], programs: Programs) -> tuple[Wrapper | None, int]:
    """The wrapper these words begin with, and how many of them are its name."""
    for count in (1, 2, 3):
        wrapper = programs.wrappers.get(" ".join(words[:count]))
        if wrapper:
            return wrapper, count
    return None, 0


def _takes_next(option: str, valued: frozenset[str]) -> bool:
    """Whether the value of an option is the next word: `-n 5`, and `-nu root` if `-u` has one."""
    bundled = option[1:2] != "-" and len(option) > 2
    return option in valued or (
        bundled and f"-{option[-1]}" in valued and not any(f"-{sign}" in valued for sign in option[1:-1])
    )


def _after_own_words(words: list[str], wrapper: Wrapper) -> list[str]:
    """What is left behind a wrapper's options and own words."""
    if wrapper.alias:
        return words
    place, own = 0, wrapper.words
    while place < len(words):
        word = words[place]
        if word == "--":
            return words[place + 1 :]
        if word[:1] == "-":
            place += 1 + _takes_next(word, wrapper.valued)
        elif own:
            own -= 1
            place += 1
        elif "=" in word and ASSIGNMENT.match(word):
            place += 1
        else:
            break
    return words[place:]
