"""What the name of an unknown tool gives away."""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import cast

from headway.rolling.lazy import regex
from headway.tools.kinds import Kind

_WORD = regex(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_LONGEST_NAME = 200
_OLD = frozenset(("oldstring", "oldstr", "oldtext"))
_NEW = frozenset(("newstring", "newstr", "newtext"))


def canonical(name: str) -> str:
    """One spelling for `readFile`, `read_file`, `ReadFile` and `read-file`."""
    return name.lower().replace("_", "").replace("-", "").replace(" ", "")


def last_part(name: str) -> str:
    """The tool's own name: `read_file` of `mcp__fs__read_file`, `functions.read_file` or `fs:read_file`."""
    name = name[-_LONGEST_NAME:].rsplit("__", 1)[-1]
    for sign in ".:/":
        name = name.rsplit(sign, 1)[-1]
    return name


_MOVES = frozenset(
    [
        "press", "key", "type", "click", "tap", "swipe", "scroll", "drag", "computer", "step", "move", "turn",
        "advance", "next", "previous", "back", "forward", "pop", "roll", "undo", "redo", "page",
    ]
)  # fmt: skip

SEND_KEYS = ("tmux send", "xdotool ", "adb shell input ")
"""Commands that press keys in another program begin like this: the same key again does something else."""


@lru_cache(maxsize=256)
def moves_on(name: str) -> bool:
    """Whether a tool goes on from where it is, by its name: calling it again does something else, whatever it says."""
    return any(word.lower() in _MOVES for word in _WORD.findall(last_part(name)))


@lru_cache(maxsize=256)
def lets_time_pass(name: str) -> bool:
    """Whether a tool waits, by its name: `wait_for_deploy` does, `get_job_status` and `poll_job` only ask."""
    first = _WORD.match(last_part(name))
    return first is not None and first[0].lower() in ("wait", "sleep", "await")


class Guesses:
    """The verbs by which names are understood; immutable."""

    def __init__(self, data: Mapping[str, Mapping[str, Iterable[str]]]) -> None:
        self._starts, self._ends, self._runs = (_by_word(data[part]) for part in ("starts", "ends", "runs"))
        self._named = lru_cache(maxsize=256)(self._kind_named)  # a run uses few tools

    def kind(self, tool: str, argument_names: Collection[str]) -> Kind:
        """The kind of tool that a name (and its arguments' canonical names) suggests; "other" when in doubt."""
        replaces = not (_OLD.isdisjoint(argument_names) or _NEW.isdisjoint(argument_names))
        return self._named(tool) or ("edit" if replaces else "other")

    def _kind_named(self, tool: str) -> Kind | None:
        words = [word.lower() for word in _WORD.findall(last_part(tool))]
        kind = (self._starts.get(words[0]) or self._ends.get(words[-1])) if words else None
        if kind == "run":
            return next((self._runs[word] for word in words[1:] if word in self._runs), kind)
        return kind


def _by_word(kinds: Mapping[str, Iterable[str]]) -> dict[str, Kind]:
    return {word: cast(Kind, kind) for kind, words in kinds.items() for word in words}
