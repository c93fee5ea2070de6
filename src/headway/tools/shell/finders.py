"""Interpret the programs that find files, and what they do with each file found."""

from headway.tools.shell.program import read_program
from headway.tools.shell.programs import CommandPart, Programs, split_options

_NAME_TESTS = ("-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-lname")
_PRINTS_INTO = ("-fprint", "-fprint0", "-fprintf", "-fls")
_DEEDS = frozenset(("-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"))
"""Options of `find` and `fd` that are followed by a command."""
_PLACES = frozenset(("{}", "{/}", "{//}", "{.}", "{/.}"))
"""Words in such a command that stand for the file."""


def read_find(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`find . -name x` searches, `find . -maxdepth 1` lists, `find … -delete` changes."""
    start = next((i for i, word in enumerate(words[1:], 1) if word[0:1] in ("-", "(", "!", "")), len(words))
    places, tests = words[1:start], words[start:]
    values = dict(zip(reversed(tests[:-1]), reversed(tests[1:]), strict=True))  # of equal tests the first
    if "-delete" in tests:
        return CommandPart("write", places, changes=True, minor=True)
    printed = [values[word] for word in _PRINTS_INTO if word in values and values[word][:5] != "/dev/"]
    if printed:
        return CommandPart("write", printed, changes=True)
    named = next((values[word] for word in tests if word in _NAME_TESTS and word in values), None)
    return _with_deeds(CommandPart("search" if named is not None else "list", places, query=named), tests, programs)


def read_fd(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`fd pattern folder`, and `fd … -x` with a command."""
    deed = next((i for i, word in enumerate(words) if word in _DEEDS), len(words))
    operands, options = split_options(words[1:deed], programs.valued["fd"])
    query = operands.pop(0) if operands else options.get("-e") or options.get("--extension")
    part = CommandPart("search" if query not in (None, ".") else "list", operands, query=query)
    deeds = words[deed:] if not _PLACES.isdisjoint(words) else [*words[deed:], "{}"]  # it comes last unless it is named
    return _with_deeds(part, deeds, programs)


def _with_deeds(part: CommandPart, words: list[str], programs: Programs) -> CommandPart:
    """The strongest of what is done with each file found; the search itself if that is no more than looking."""
    if _DEEDS.isdisjoint(words):
        return part
    return max((*(_done(part, deed, programs) for deed in _deeds(words)), part), key=lambda one: one.strength)


def _deeds(words: list[str]) -> list[list[str]]:
    """The commands for each file found: they begin behind one of the options, and end at `;` or `+`."""
    deeds: list[list[str]] = []
    is_inside = False
    for word in words:
        if not is_inside and word in _DEEDS:
            deeds.append([])
            is_inside = True
        elif word in (";", "+"):
            is_inside = False
        elif is_inside:
            deeds[-1].append(word)
    return deeds


def _done(part: CommandPart, words: list[str], programs: Programs) -> CommandPart:
    """What one command does with each file found."""
    if not _DEEDS.isdisjoint(words) and any(word.endswith(("find", "fd")) for word in words):
        return CommandPart("run", part.paths)  # a search in a search is not followed
    does, inner = read_program(words, False, "", programs)
    if inner is not None:
        from headway.tools.shell import read_command  # it reads command lines with this module

        return CommandPart("run", part.paths) if read_command(inner).may_change else part
    if does.kind in ("read", "list", "other"):
        return part
    others = [path for path in does.paths if path not in _PLACES] if does.paths else ["."]
    does.paths, does.lines, does.filter = [*part.paths, *(others if does.changes else ())], None, False
    if does.kind == "search":
        does.query = does.query or part.query
    return does
