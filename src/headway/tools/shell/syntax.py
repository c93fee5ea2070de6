"""The grammar of a shell command line, as far as it is needed to find the programs that run.

A command line becomes a list of simple commands: words with their quotes removed, files written by redirection,
and whether the input comes through a pipe. Nothing is expanded or executed, wrong syntax never raises, and the
work is bounded: `LONGEST_LINE` characters are read, the texts inside here-documents not counted.
"""

import re
from functools import lru_cache
from typing import Final

import msgspec

from headway.rolling.lazy import regex
from headway.tools.kinds import LONGEST_LINE

HEREDOC_HEAD: Final = 4_000
"""Characters of a here-document that are kept, enough to see which files a patch names."""

_MOST_HEREDOCS = 20
_MOST_LOOKS = 50
"""Places where a here-document's end word may occur inside its text before we stop looking for its end."""

# All repetitions are possessive and white space alone is a match too: an unclosed quote runs to the end, and nothing
# is ever tried twice.
_STRING = r"""'[^']*+' | "(?: [^"\\]++ | \\. )*+" """
_PLAIN = rf"""[^()'"\\]++ | \\. | {_STRING}"""
_CASE = r"(?<![\w-])case\s (?: (?!\besac\b) . )*+ \besac\b"  # its patterns have parentheses that nothing opens
_INSIDE = (
    rf"""(?: [^()'"\\c]++ | \\. | {_STRING} | {_CASE} | c | \( (?: {_PLAIN} | \( [^()]*+ \) | ['"] )*+ \) | ['"] )*+"""
)
_SUM = r"\( (?: [^()]++ | \( (?: [^()]++ | \( [^()]*+ \) )*+ \) )*+ \)\)"
_PARAMETER = rf"""\$\{{ (?: [^'"\\{{}}]++ | \\. | {_STRING} | \$?\{{ [^{{}}]*+ \}} )*+ \}}"""
_TICKS = r"` (?: [^`\\]++ | \\. )*+ `"
_DOUBLE = rf""" (?: [^"\\$`]++ | \\. | \$\( {_INSIDE} \) | \$ | {_TICKS} | ` )*+ """
_TOKEN = regex(
    rf"""[ \t\r\f\v]*+(?:\\\r?\n[ \t\r\f\v]*+)*+
    (?: (?P<plain> [^\s'"\\|&;()<>`$\#\d] [^\s'"\\|&;()<>`$]*+ (?= [\s|&;<>)] | \Z | (?<!=) \( ) )
      | \#[^\n]*+
      | (?P<redirect> \d*+(?: >> | >\| | >& | <<< | <<- | << | <& | <> | [<>] (?! \( ) ) | &>>? )
      | (?P<operator> && | \|\| | ;;&? | ;& | \|& | [;|&)\n] | \( (?! {_SUM} ) )
      | (?P<quoted> (?: [^\s'"\\|&;()<>`$]++ (?: (?<==) \( (?: [^()'"]++ | {_STRING} | \( [^()]*+ \) )*+ \) )?+
                      | \\. | \\\Z | \$'(?: [^'\\]++ | \\. )*+'? | '[^']*+'? | "{_DOUBLE}\\?"?
                      | [$<>]\( {_INSIDE} \)? | {_PARAMETER} | \$ | `[^`]*+`?
                      | \( {_SUM} )++ )
    )?""",
    re.VERBOSE | re.DOTALL,
)
_IN_STRING = rf"\\. | \$\( (?= {_SUM} ) | \$\( (?P<text> {_INSIDE} ) \) | ` (?P<ticks> (?: [^`\\]++ | \\. )*+ ) `"
_INNER_OF_STRING = regex(_IN_STRING, re.VERBOSE | re.DOTALL)
_INNER = regex(rf"""'[^']*+'? | "(?P<double> {_DOUBLE} )"? | {_IN_STRING}""", re.VERBOSE | re.DOTALL)
_QUOTED_PIECE = regex(r"""'([^']*+)'?|"((?:[^"\\]++|\\.)*+)"?|\\(.)""", re.DOTALL)
_ESCAPED = regex(r"\\([\"\\$`\n])")
_QUOTES = frozenset("'\"\\")
_TEXT_AS_ARGUMENT = regex(r"""\$\(\s*cat\s*<<-?\s*(['"]?)(\w+)\1[ \t]*\n""")


class Simple(msgspec.Struct, gc=False):
    """One simple command: a program with its words, and where its output goes."""

    words: list[str] = []
    writes: list[tuple[str, bool]] = []
    """Files its output goes to, and whether it is appended."""
    heredoc: str = ""
    here_string: str = ""
    """The text behind `<<<`."""
    piped: bool = False
    """Whether its input is the output of the command before."""
    depth: int = 0
    """The number of parentheses around it: a `cd` inside them does not last."""
    errors: list[str] = []
    """Files its errors go to."""
    inner: list[str] = []
    """Command lines inside its words, whose output the shell puts in their place: `$(…)`."""
    beside: list[str] = []
    """Command lines that it reads from or writes to as if they were files: `<(…)`, `>(…)`."""
    after: str = ""
    """The operators between the command before and this one."""
    skipped: int = 0
    """Words of the shell before its program, as `structure` counts them."""


def unquoted(word: str) -> str:
    """The word as the program gets it."""
    inner = word[1:-1]
    if word[0] == "'" == word[-1] and "'" not in inner:
        return inner
    if word[0] == '"' == word[-1] and '"' not in inner and "\\" not in inner:
        return inner
    return _QUOTED_PIECE.sub(_piece, word) if "'" in word or '"' in word or "\\" in word else word


def _piece(match: re.Match[str]) -> str:
    single, double, escaped = match.groups()
    if single is not None:
        return single
    if double is not None:
        return _ESCAPED.sub(r"\1", double) if "\\" in double else double
    return escaped if escaped != "\n" else ""


def simple_commands(text: str) -> tuple[Simple, ...]:
    """The simple commands of a command line, in order."""
    return _remembered(text) if len(text) <= _SHORT else _parsed(text)


def _parsed(text: str) -> tuple[Simple, ...]:
    heredocs: list[tuple[str, bool]] = []
    if "<<" in text:
        text, heredocs = _without_heredocs(text)
    commands: list[Simple] = []
    current = Simple()
    redirect = after = ""
    depth = 0
    is_comparing = False
    for plain, arrow, operator, quoted in _TOKEN.findall(text, 0, LONGEST_LINE):
        if plain or quoted:
            word = plain or unquoted(quoted)
            if quoted and quoted[:2] in _BESIDE:
                current.beside.append(quoted[2:].removesuffix(")"))
            elif quoted and ("$(" in quoted or "`" in quoted):
                current.inner += inner_lines(quoted)
            if not redirect:
                current.words.append(word)
                if plain and plain in _COMPARES:
                    is_comparing = plain == "[[" and SHELL_WORDS.issuperset(current.words[:-1])
                continue
            _redirect(current, redirect, word, heredocs)
            redirect = ""
        elif is_comparing and (arrow or operator not in _ENDS):
            current.words.append(arrow or operator)
        elif arrow:
            redirect = arrow
        elif operator:
            redirect = ""
            is_comparing = False
            depth = max(0, depth + (operator == "(") - (operator == ")"))
            if current.words or current.writes or current.errors or current.inner or current.beside:
                commands.append(current)
                after = ""
            elif operator == "\n":  # a line may end after its pipe sign
                after += operator
                current.after = after
                continue
            after += operator
            current = Simple(piped=operator in ("|", "|&"), depth=depth, after=after)
    if current.words or current.writes or current.errors or current.inner or current.beside:
        commands.append(current)
    return tuple(commands)


_COMPARES = ("[[", "]]")
SHELL_WORDS = frozenset((
    "if", "then", "elif", "else", "fi", "while", "until", "for", "select", "do", "done", "case", "esac", "function",
    "{", "}", "!", "time", "coproc",
))  # fmt: skip
"""Words of the shell before a program, or behind several."""
_BESIDE = ("<(", ">(")
_ENDS = (";", "\n", "")


def inner_lines(word: str) -> list[str]:
    """The command lines inside a word: in `$(…)` or back quotes, and not in single quotes."""
    lines: list[str] = []
    for match in _INNER.finditer(word):
        if double := match["double"]:
            lines += [found["text"] or found["ticks"] or "" for found in _INNER_OF_STRING.finditer(double)]
        else:
            lines.append(match["text"] or match["ticks"] or "")
    return [line for line in lines if line.strip()]


_SHORT = 1_000
_remembered = lru_cache(maxsize=2)(_parsed)
"""A scan parses the same line several times in a row."""


def _redirect(command: Simple, arrow: str, target: str, heredocs: list[tuple[str, bool]]) -> None:
    if arrow.startswith("<<") and arrow != "<<<":
        command.heredoc, is_expanded = heredocs.pop(0) if heredocs else ("", False)
        if is_expanded:
            command.inner += [
                line
                for found in _INNER_OF_STRING.finditer(command.heredoc)
                if (line := found["text"] or found["ticks"])
            ]
    elif arrow == "<<<":
        command.here_string = target
    elif ">" not in arrow or target.startswith(("/dev/", "&", "-")) or target.isdigit():  # `>&2` names a stream
        return
    elif arrow[0] in "&1>" or arrow.endswith("<>"):
        command.writes.append((target, arrow.endswith((">>", "<>"))))
    else:
        command.errors.append(target)


def _without_heredocs(text: str) -> tuple[str, list[tuple[str, bool]]]:
    """The command line without the texts of its here-documents; their beginnings, and whether commands in them run."""
    text = _without_texts_as_arguments(text)
    kept: list[str] = []
    bodies: list[tuple[str, bool]] = []
    start, budget = 0, LONGEST_LINE
    while budget > 0 and len(bodies) < _MOST_HEREDOCS:
        line_end, words = _next_heredocs(text, start, start + budget)
        kept.append(text[start : min(line_end, start + budget)])
        budget -= line_end - start
        start = line_end
        for word in words:
            end, after = _end_of_heredoc(text, unquoted(word), start)
            bodies.append((text[start : min(end, start + HEREDOC_HEAD)], _QUOTES.isdisjoint(word)))
            start = after
        if not words:
            break
    return "".join(kept), bodies


def _next_heredocs(text: str, start: int, stop: int) -> tuple[int, list[str]]:
    """Where the line ends that opens the next here-documents, and their end words."""
    words: list[str] = []
    opened = False
    for match in _TOKEN.finditer(text, start, stop):
        kind = match.lastgroup
        if kind == "redirect":
            opened = match["redirect"] in ("<<", "<<-")
        elif opened and kind in ("plain", "quoted"):
            words.append(match[kind])
            opened = False
        elif words and kind == "operator" and match["operator"] == "\n":
            return match.end(), words
    return len(text), words


def _end_of_heredoc(text: str, word: str, start: int) -> tuple[int, int]:
    """Where a here-document's text ends, and where the command line continues."""
    place = start
    for _ in range(_MOST_LOOKS):
        place = text.find(word, place)
        if place < 0 or not word:
            break
        line = text.rfind("\n", start - 1, place) + 1
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        if end - line < len(word) + 40 and text[line:end].strip() == word:
            return line, min(end + 1, len(text))
        place += len(word)
    return len(text), len(text)


def _without_texts_as_arguments(text: str) -> str:
    """`git commit -m "$(cat <<'EOF' … EOF)"` with the text left out: its quotes would confuse everything after."""
    for _ in range(_MOST_HEREDOCS):
        match = _TEXT_AS_ARGUMENT.search(text)
        if not match:
            break
        _, after = _end_of_heredoc(text, match[2], match.end())
        rest = text[after:].lstrip(" \t\n")
        text = text[: match.start()] + "text" + (rest[1:] if rest.startswith(")") else rest)
    return text
