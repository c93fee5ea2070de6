"""Interpret the programs that look at files: which file, which lines, which pattern."""

import re
from collections.abc import Callable, Sequence

from headway.rolling.lazy import regex
from headway.tools.kinds import END
from headway.tools.shell.programs import CommandPart, Programs, Writer, split_options

Reader = Callable[[list[str], bool, Programs], CommandPart]
"""Takes the words of one program (its name first), whether its input is a pipe, and the known programs."""

_NONE: frozenset[str] = frozenset()
_SED_RANGE = regex(r"\s*(\d+)(?:\s*,\s*(\+?\d+|\$))?\s*(?:p|!d)\s*(?:;|$|\{|\})")
_IN_PLACE = regex(r"(?:-[A-Za-z0]*i|--in-place=)([.~][^/\s]*|\w*\.\w+|bak|orig|old)")
_SED_QUIT = regex(r"\s*(\d+)q\s*$")
_SED_PATTERN = regex(r"\s*/((?:[^/\\]|\\.)++)/[I]?p?\s*$")
_AWK_LINE = regex(r"\b(?:NR|FNR)\s*(>=|<=|==|>|<)\s*(\d{1,9})")
_AWK_PATTERN = regex(r"\s*/((?:[^/\\]|\\.)++)/\s*(?:\{[^{}]*\}\s*)?$")
_AWK_WRITES = regex(
    r"""\bprintf?\b (?: "(?:[^"\\]++|\\.)*+" | \( (?: [^()]++ | \([^()]*+\) )*+ \) | [^"();}\n>|]++ | \|\| )*+
    >>?\s*+ (?!["]/dev/)""",
    re.VERBOSE,
)
_AWK_REGEX = regex(r"(?<![\w)\]\s])\s*+/(?:[^/\\\n]++|\\.)++/")
_AWK_RUNS = regex(
    r"""(?:\bsystem\s*+\(|(?<!\|)\|(?![|&]))\s*+(?:"((?:[^"\\]++|\\.)*+)"\s*+(?=[);}\n]|$))?|"((?:[^"\\]++|\\.)*+)"\s*+\|\s*+getline"""
)
_SED_WRITES = regex(
    r"(?:^|[;{\n])[ \t]*+(?:[\d,$+~!]++|/(?:[^/\\\n]|\\.)*+/)?[ \t]*+"
    r"(?:s([/|#,@!:%])(?:(?!\1)[^\\\n]|\\.)*+\1(?:(?!\1)[^\\\n]|\\.)*+\1[gpiIeMm\d]*+)?[wW][ \t]++(?!/dev/)([^\s;}]++)"
)


def number(text: str) -> int | None:
    """The number a word stands for, if it is a plain one of sensible length."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def read_files(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`cat a b`: a read of all the files it names."""
    operands, _ = split_options(words[1:], programs.valued.get(words[0], _NONE))
    return CommandPart("read", operands, filter=not operands, in_order=words[0] in programs.families["in_order"])


def read_listing(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`ls src`, `wc -l f`: names and sizes, not contents."""
    operands, _ = split_options(words[1:], programs.valued.get(words[0], _NONE))
    return CommandPart("list", operands, filter=not operands and words[0] in programs.families["filters"])


def read_lookup(words: list[str], _piped: bool, _programs: Programs) -> CommandPart:
    """`which java`: a search by name."""
    return CommandPart("search", query=next((word for word in words[1:] if word[:1] != "-"), None))


def read_through(_words: list[str], _piped: bool, _programs: Programs) -> CommandPart:
    """`tr a b` never has a file of its own."""
    return CommandPart("read", filter=True)


def read_head(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`head -n 20 f`: the first lines."""
    operands, options = split_options(words[1:], programs.valued["head"])
    count = _count(words, options)
    return CommandPart("read", operands, (1, count) if count else None, filter=not operands, in_order=True)


def read_tail(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`tail -20 f`: the last lines; `tail -f` waits for more."""
    operands, options = split_options(words[1:], programs.valued["tail"])
    if "-f" in options or "-F" in options or "--follow" in options or "--retry" in options:
        return CommandPart("poll", operands, waits=True)
    given = options.get("-n") or options.get("--lines") or next((w for w in operands if w[:1] == "+"), "")
    if given.startswith("+"):
        operands = [word for word in operands if word != given]
        start = number(given[1:])
        return CommandPart("read", operands, (start, END) if start else None, filter=not operands, in_order=True)
    count = _count(words, options)
    return CommandPart("read", operands, (END - count + 1, END) if count else None, filter=not operands, in_order=True)


def _count(words: list[str], options: dict[str, str]) -> int | None:
    """How many lines `head` or `tail` show: ten, unless told otherwise; None where bytes are counted."""
    if "-c" in options or "--bytes" in options:
        return None
    given = options.get("-n") or options.get("--lines")
    if given is None:
        given = next((word[1:] for word in words[1:] if word[:1] == "-" and word[1:].isdigit()), "10")
    return number(given)


def read_sed(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`sed -n 10,20p f` looks at lines, `sed -i` edits."""
    # BSD's `sed -i ''` has an empty word of its own, GNU's `-i.bak` has none
    words = [word for word in words if word]
    operands, options = split_options(words[1:], programs.valued["sed"])
    script = options.get("-e") or options.get("--expression")
    if script is None and "-f" not in options and operands:
        script = operands.pop(0)
    if "-i" in options or "--in-place" in options:
        return CommandPart("edit", [*operands, *backups(words, operands)], changes=True)
    if script is None:
        return CommandPart("read", operands, filter=not operands)
    if match := _SED_WRITES.search(script):
        return CommandPart("write", (match[2],), changes=True)
    return _sed_script(script, operands, "-n" in options)


def backups(words: list[str], files: Sequence[str]) -> list[str]:
    """The copies that `sed -i.bak` and `perl -i.bak` keep of the files that they edit."""
    ending = next((match[1] for word in words[1:] if (match := _IN_PLACE.fullmatch(word))), "")
    return [f"{file}{ending}" for file in files] if ending else []


def _sed_script(script: str, operands: list[str], silent: bool) -> CommandPart:
    part = CommandPart("read", operands, filter=not operands)
    if match := _SED_RANGE.match(script):
        first, last = int(match[1][:9]), match[2]
        if last is None:
            end = first
        elif last == "$":
            end = END
        else:
            end = first + int(last[:10]) if last[0] == "+" else int(last[:9])
        part.lines = (first, max(first, end)) if (first, end) != (1, END) else None
        part.in_order = True
    elif match := _SED_QUIT.match(script):
        part.lines, part.in_order = (1, int(match[1][:9])), True
    elif silent and (match := _SED_PATTERN.match(script)):
        part.kind, part.query = "search", match[1]
    return part


def read_awk(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`awk 'NR>=10 && NR<=20' f` looks at lines, `awk '/x/' f` searches."""
    operands, options = split_options(words[1:], programs.valued["awk"])
    script = "" if "-f" in options or not operands else operands.pop(0)
    files = [word for word in operands if "=" not in word]
    if any("inplace" in options.get(option, "") for option in ("-i", "--include")):
        return CommandPart("edit", files, changes=True)
    if _AWK_WRITES.search(script):
        return CommandPart("write", changes=True)
    if ("system" in script or "|" in script) and _awk_runs(script):
        return CommandPart("run")
    part = CommandPart("read", files, filter=not operands)
    limits = _AWK_LINE.findall(script)
    if limits:
        part.lines, part.in_order = _awk_lines(limits), True
    elif match := _AWK_PATTERN.match(script):
        part.kind, part.query = "search", match[1]
    return part


def _awk_runs(script: str) -> bool:
    """Whether a script runs other programs that may do more than look."""
    from headway.tools.shell import read_command  # it reads command lines with this module

    lines = [match[1] or match[2] or "" for match in _AWK_RUNS.finditer(_AWK_REGEX.sub("", script))]
    return any(not line or "awk" in line or read_command(line).may_change for line in lines)


def _awk_lines(limits: Sequence[tuple[str, str]]) -> tuple[int, int]:
    first, last = 1, END
    exact = [int(value) for sign, value in limits if sign == "=="]
    if exact:
        first, last = min(exact), max(exact)
    for sign, value in limits:
        line = int(value)
        if sign in (">", ">="):
            first = max(first, line + (sign == ">"))
        elif sign in ("<", "<="):
            last = min(last, line - (sign == "<"))
    return first, max(first, last)


def read_grep(words: list[str], piped: bool, programs: Programs) -> CommandPart:
    """`grep -rn x src`: a search; without files it filters its input."""
    operands, options = split_options(words[1:], programs.valued["grep"])
    query = _pattern(operands, options)
    folders = not options.keys().isdisjoint(("-r", "-R", "--recursive", "--dereference-recursive"))
    part = CommandPart("search", operands, query=query, filter=not operands and (piped or not folders))
    if "-v" in options and part.filter:  # leaving lines out is not a search
        part.query = None
    return part


def read_rg(words: list[str], piped: bool, programs: Programs) -> CommandPart:
    """`rg x`: a search of the whole folder, unless something comes through a pipe."""
    operands, options = split_options(words[1:], programs.valued.get(words[0], programs.valued["rg"]))
    if "--files" in options:
        globs = options.get("-g") or options.get("--glob")
        return CommandPart("search" if globs else "list", operands, query=globs)
    query = _pattern(operands, options)
    return CommandPart("search", operands, query=query, filter=piped and not operands)


def _pattern(operands: list[str], options: dict[str, str]) -> str | None:
    query = options.get("-e") or options.get("--regexp")
    if query is None and not ("-f" in options or "--file" in options) and operands:
        return operands.pop(0)
    return query


def read_jq(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`jq FILTER file`."""
    operands, _ = split_options(words[1:], programs.valued.get(words[0], programs.valued["jq"]))
    return CommandPart("read", operands[1:], filter=len(operands) < 2)


def read_ast_grep(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`ast-grep run -p PATTERN src`: a search for code of this form."""
    operands, options = split_options(words[1:], programs.valued[words[0]])
    places = operands[1:] if operands[:1] in (["run"], ["scan"]) else operands
    return CommandPart("search", places, query=options.get("-p") or options.get("--pattern"))


def read_writer(words: list[str], writer: Writer, programs: Programs) -> CommandPart | None:
    """`yq -i … f` and `sort -o f` change a file; None if this call only reads."""
    operands, options = split_options(words[1:], programs.valued.get(words[0], _NONE))
    if not writer.in_place.isdisjoint(options):
        own = writer.words + (bool(operands) and operands[0] in writer.verbs)
        return CommandPart("edit", operands[own:], changes=True)
    into = next((options[option] for option in writer.into if option in options), "")
    if writer.second and operands[1:]:
        into = operands[1]
    return CommandPart("write", (into,), changes=True) if into not in ("", "-") and into[:5] != "/dev/" else None


FILE_READERS: dict[str, Reader] = {
    "head": read_head, "tail": read_tail, "sed": read_sed, "gsed": read_sed, "awk": read_awk, "gawk": read_awk,
    "mawk": read_awk, "grep": read_grep, "rg": read_rg, "ast-grep": read_ast_grep,
    "sg": read_ast_grep, "jq": read_jq, "yq": read_jq, "tr": read_through, "json.tool": read_through,
    "jaq": read_jq, "gojq": read_jq, "pbcopy": read_through, "xclip": read_through, "clip": read_through,
}  # fmt: skip
