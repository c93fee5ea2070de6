"""How the commands of a line belong together: groups, loops, conditions and functions.

`syntax` finds the simple commands, with the words of the shell before them (`then`, `do`, `{`); here they become a
tree. A redirection, or a pipe, behind a compound command belongs to all of it: `{ echo a; echo b; } > f` writes f.
"""

from collections.abc import Iterable, Sequence

import msgspec

from headway.tools.shell.syntax import Simple

_SKIPPED = frozenset(("then", "else", "elif", "do", "!", "coproc"))
_OPENS = {"{": "}", "if": "fi", "while": "done", "until": "done", "for": "done", "select": "done", "case": "esac"}
"""Words that open a compound command, and those that close it."""
_CLOSES = frozenset(_OPENS.values())
_HEADED = frozenset(("for", "select", "case"))
"""Words that open one, followed by words that are no command."""
_LOOPS = frozenset(("while", "until", "for"))
_DEEPEST = 20
"""Compound commands inside each other; those inside these are read as if they stood beside each other."""


class Compound(msgspec.Struct, gc=False):
    """A compound command: those inside it, and where the output of all of them goes."""

    opener: str
    """The word that opens it; `(` is a subshell."""
    name: str = ""
    """The function that it defines; it does nothing before that is called."""
    piped: bool = False
    """Whether its input is the output of the command before."""
    commands: list["Simple | Compound"] = []
    end: Simple = msgspec.field(default_factory=Simple)
    """What stands behind it: files its output goes to, and its here-document."""
    head: Simple = msgspec.field(default_factory=Simple)
    """The words behind `for` or `case`."""
    at_pattern: bool = False
    """Whether the next words of a `case` are a pattern."""

    @property
    def is_loop(self) -> bool:
        """Whether it may do the same several times."""
        return self.opener in _LOOPS


Node = Simple | Compound


def structure(flat: Iterable[Simple]) -> list[Node]:
    """The tree of a line's simple commands."""
    builder = _Builder()
    for simple in flat:
        builder.add(simple)
    return builder.top


class _Builder:
    """Puts one simple command after the other into its place."""

    def __init__(self) -> None:
        self.top: list[Node] = []
        self.open: list[Compound] = []
        self.closed: Compound | None = None
        """The compound command that was closed last, if a redirection may still follow."""
        self.name = ""
        """The function whose body comes next."""

    @property
    def here(self) -> list[Node]:
        return self.open[-1].commands if self.open else self.top

    def add(self, simple: Simple) -> None:
        if simple.after:
            self._operators(simple.after)
        if self._is_pattern(simple):
            return
        simple.skipped = self._words(simple.words, simple)
        rest = simple.words[simple.skipped :]
        if self.closed is not None and (simple.skipped or not rest):  # what follows `}` is no command
            self.closed.end = simple
        elif rest or simple.writes or simple.errors or simple.inner or simple.beside:
            self.here.append(simple)
            self.name = ""

    def _operators(self, after: str) -> None:
        """The operators between the command before and this one."""
        for place, sign in enumerate(after):
            self.closed = None
            if sign == "(":
                self._parenthesis(after, place)
            elif sign == ")" and self._at_pattern:
                self.open[-1].at_pattern = False
            elif sign == ")" and after[place - 1 : place] != "(":
                self._close("(")
            elif sign == ";" and after[place + 1 : place + 2] in (";", "&") and self.open:
                self.open[-1].at_pattern = self.open[-1].opener == "case"

    def _parenthesis(self, after: str, place: int) -> None:
        if self._at_pattern:
            return
        if after[place + 1 : place + 2] == ")":
            self._define()
        else:
            before = after[:place].rstrip("&")
            self._open("(", before.endswith("|") and not before.endswith("||"))

    @property
    def _at_pattern(self) -> bool:
        return bool(self.open) and self.open[-1].at_pattern

    def _is_pattern(self, simple: Simple) -> bool:
        return self._at_pattern and simple.words[:1] != ["esac"]

    def _define(self) -> None:
        """`name()`: the command before is the name of a function."""
        last = self.here[-1] if self.here and not self.name else None
        if isinstance(last, Simple) and len(last.words) == last.skipped + 1:
            self.name = last.words[-1]
            del self.here[-1]

    def _words(self, words: Sequence[str], simple: Simple) -> int:
        """Follow the words of the shell at the beginning of a command; returns their number."""
        place = 0
        while place < len(words):
            word = words[place]
            if word in _CLOSES:
                self._close(word)
            elif word in _OPENS:
                self._open(word, simple.piped and not place)
                if word in _HEADED:
                    self.open[-1].head, self.open[-1].at_pattern = simple, word == "case"
                    return len(words)
            elif word == "function" and place + 1 < len(words):
                self.name = words[place + 1]
                place += 1
            elif word in _SKIPPED or (word == "time" and _opens_next(words, place)):
                self.closed = None
            else:
                break
            place += 1
        return place

    def _open(self, opener: str, piped: bool) -> None:
        self.closed = None
        is_too_deep = len(self.open) >= _DEEPEST
        block = Compound(opener, self.name, piped, self.here if is_too_deep else [])
        self.name = ""
        if not is_too_deep:
            self.here.append(block)
        self.open.append(block)

    def _close(self, closer: str) -> None:
        """Close the innermost compound command that this word closes, and those left open inside it."""
        for place in range(len(self.open) - 1, -1, -1):
            if closer in (_OPENS.get(self.open[place].opener), self.open[place].opener):
                self.closed = self.open[place]
                del self.open[place:]
                return


def _opens_next(words: Sequence[str], place: int) -> bool:
    """Whether `time` stands before a compound command."""
    behind = [word for word in words[place + 1 : place + 3] if word != "-p"][:1]
    return not behind or behind[0] in _OPENS
