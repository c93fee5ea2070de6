"""A recording of a terminal (asciinema, versions 2 and 3): what was typed, if that was recorded, and what came out."""

import re
from collections.abc import Iterator

from headway.core.events import Event
from headway.rolling.forgiving import FAULTS, from_json
from headway.shapes.conversation import Conversation
from headway.shapes.values import fields
from headway.sources import Source, seconds

_MOST = 1_000_000
"""Characters of an output, and of a line that is typed, that are kept."""
_LAST = 500
"""Characters in which the prompt is looked for."""
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[@-Z\\-_])")
_ENDS = re.compile(r"([\r\n\x03\x04\x1a])")
_KEYS = {"\x03": "C-c", "\x1a": "C-z"}
_WAIT = "; tmux wait -S done"
"""What Terminal-Bench adds to a command to find out when it is over."""
_INSTALLED = "/installed-agent/"
"""Where Terminal-Bench puts an agent with its own screen; then what is typed is typed by Terminal-Bench."""
_RELATIVE = 3
"""The version in which each time counts from the one before."""


class Cast:
    """One recording."""

    def __init__(self, source: Source) -> None:
        header = fields(source.head().first)
        self._source = source
        self._is_relative = header.get("version") == _RELATIVE
        self.began = seconds(header.get("timestamp"))
        self._shown = _Shown()
        self._call = ""

    def events(self, talk: Conversation) -> Iterator[Event]:
        """A step for each line that was typed, with what came out before the next."""
        typed, steps, at = _Kept(), 0, self.began
        for at, kind, data in self._moments():
            if kind == "o":
                self._shown.add(data)
            for piece in _ENDS.split(_ESCAPES.sub("", data)) if kind == "i" else ():
                if not _ENDS.fullmatch(piece):
                    typed.add(piece)
                    continue
                said = typed.taken()
                line = _KEYS.get(piece, said.strip().removesuffix(_WAIT).strip())
                if not steps and _INSTALLED in line:
                    return
                yield from self._over(talk, at)
                if line and piece != "\x04" and (steps or line != "clear"):  # Terminal-Bench begins and ends so
                    talk.turn()
                    yield talk.asked("", "terminal", {"command": line}, at=at)
                    self._call, steps = next(reversed(talk.open)), steps + 1
        yield from self._over(talk, at)

    def _over(self, talk: Conversation, at: float | None) -> Iterator[Event]:
        """The output of the last line, when another one follows."""
        output = self._shown.taken()
        if self._call:
            yield talk.answered(self._call, output=output, at=at)
            self._call = ""

    def _moments(self) -> Iterator[tuple[float | None, str, str]]:
        now = 0.0
        for number, line in enumerate(self._source.lines()):
            if number == 0:
                continue
            try:
                time, kind, data = from_json(line, tuple[float, str, str])
            except FAULTS as error:
                self._source.skip(str(error))
                continue
            now = now + time if self._is_relative else time
            yield None if self.began is None else self.began + now, kind, data


class _Kept:
    """Pieces of a text, as far as they are kept."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0

    def add(self, data: str) -> None:
        """One more."""
        if data and self._size < _MOST:
            self._parts.append(data)
            self._size += len(data)

    def taken(self) -> str:
        """All of it; it is empty then."""
        whole = "".join(self._parts)
        self._parts, self._size = [], 0
        return whole


class _Shown(_Kept):
    """The output since a line was typed."""

    _prompt = ""

    def taken(self) -> str:
        """All of it, without the line as it was typed, and without the prompt before that, if it is there again."""
        plain = _ESCAPES.sub("", super().taken()).replace("\r\n", "\n").replace("\r", "")
        before, self._prompt = self._prompt, plain[-_LAST:].rpartition("\n")[2]
        output = plain.partition("\n")[2]
        return output.removesuffix(before) if before else output
