"""Reading a call's arguments, whatever a host or a confused model put into them."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import structs

from headway.rolling.forgiving import FAULTS, from_json
from headway.tools.kinds import END, LONGEST_LINE, LONGEST_TEXT, MOST_PATHS, Meaning, ToolEntry
from headway.tools.paths import tidy

_LONGEST_PATH = 4_000
_MOST_WORDS = 1_000
_LEAST = 1.0
"""Seconds below which a call does not wait."""
_MILLISECONDS = 1_000
"""From here on, a time without a unit is in milliseconds."""
_PATH_KEYS = ("path", "file_path", "filePath", "file")
_QUESTION_KEYS = ("question", "query", "text", "header", "url")
_REPLACEMENTS = (
    ("old_string", "new_string"),
    ("old_str", "new_str"),
    ("oldText", "newText"),
    ("oldString", "newString"),
    ("old_text", "new_text"),
    ("search", "replace"),
)
_CONTENT = ("content", "file_text", "contents", "text")
_EDIT_KEYS = frozenset((*_CONTENT, *(old for old, _ in _REPLACEMENTS)))


def as_mapping(args: object) -> Mapping[str, Any]:
    """Arguments as a mapping; text is parsed as JSON, or else becomes the tool's only argument."""
    if isinstance(args, Mapping):
        return args
    if not isinstance(args, str):
        return {}
    if args.lstrip()[:1] == "{":
        try:
            decoded = from_json(args, object)
        except FAULTS:
            decoded = None
        if isinstance(decoded, dict):
            return decoded
    return {"input": args, "command": args}


def text_of(args: Mapping[str, Any], names: Iterable[str]) -> str | None:
    """The first of these arguments that holds text; lists are joined, and questions extracted from their objects."""
    for name in names:
        value = args.get(name)
        if isinstance(value, str) and value:
            return value[:LONGEST_TEXT]
        if isinstance(value, (list, tuple)):
            found = [text for item in value[:10] if (text := _text_in(item))]
            if found:
                return ", ".join(found)[:LONGEST_TEXT]
    return None


def _text_in(item: object) -> str | None:
    if isinstance(item, Mapping):
        item = next((item[key] for key in _QUESTION_KEYS if isinstance(item.get(key), str)), None)
    return item[:LONGEST_TEXT] if isinstance(item, str) else None


def paths_of(args: Mapping[str, Any], names: Iterable[str]) -> tuple[str, ...]:
    """The files named by the first of these arguments that names any."""
    for name in names:
        value = args.get(name)
        if isinstance(value, str):
            if value:
                return (_path(value),)
        elif isinstance(value, (list, tuple)):
            found = [_path(path) for item in value[: 2 * MOST_PATHS] if (path := _path_in(item))]
            if found:
                return tuple(dict.fromkeys(found))[:MOST_PATHS]
    return ()


def _path(text: str) -> str:
    return tidy(text[:_LONGEST_PATH].removeprefix("file://").strip())


def _path_in(item: object) -> str | None:
    if isinstance(item, Mapping):
        item = next((item[key] for key in _PATH_KEYS if isinstance(item.get(key), str)), None)
    return item if isinstance(item, str) else None


def raw_text(args: Mapping[str, Any], names: Iterable[str]) -> str | None:
    """The first of these arguments that is text, unclipped and possibly empty."""
    for name in names:
        value = args.get(name)
        if isinstance(value, str):
            return value
    return None


def command_of(args: Mapping[str, Any], names: Iterable[str]) -> str | None:
    """The shell command in the first of these arguments; a list is a command with its words, or several `commands`."""
    for name in names:
        value = args.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, (list, tuple)) and value:
            words = [word for item in value[:_MOST_WORDS] if (word := _command_in(item))]
            return "\n".join(words)[: 10 * LONGEST_LINE] if name == "commands" else _command_line(words)
    return None


def _command_in(item: object) -> str | None:
    """A command, or a word of one. Some agents send an object for each: `{"command": "ls", "args": ["-l"]}`."""
    if not isinstance(item, Mapping):
        return item if isinstance(item, str) else None
    command, words = item.get("command"), item.get("args")
    if not isinstance(command, str):
        return None
    more = [word for word in words if isinstance(word, str)] if isinstance(words, list) else []
    return " ".join([command, *more])


def _command_line(words: list[str]) -> str:
    """For `["bash", "-lc", "…"]` the text that the shell runs; the words of any other list are quoted and joined."""
    if len(words) >= 3 and words[1][:1] == "-" and words[1].lower().endswith(("c", "command")):
        return words[2]
    return " ".join(word if _is_plain(word) else f"'{word}'" for word in words)[: 10 * LONGEST_LINE]


def _is_plain(word: str) -> bool:
    return word.replace("/", "").replace(".", "").replace("-", "").replace("_", "").replace("=", "").isalnum()


def number_of(args: Mapping[str, Any], names: Iterable[str]) -> int | None:
    """The first of these arguments that is a whole number, also when written as text."""
    for name in names:
        value = whole_number(args.get(name))
        if value is not None:
            return value
    return None


def whole_number(value: object) -> int | None:
    """A whole number out of an int, a float or digits, kept within ±END."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        digits = value.strip()
        if not digits.lstrip("-").isdecimal() or len(digits) > 12:
            return None
        value = int(digits) if digits.lstrip("-") == digits or digits[1:].isdecimal() else None
    if isinstance(value, float):
        value = int(value) if value == value and abs(value) < END else None
    return max(-END, min(END, value)) if isinstance(value, int) else None


def lines_of(args: Mapping[str, Any], entry: ToolEntry) -> tuple[int, int] | None:
    """The lines a call asks for; None when it asks for the whole file."""
    if entry.line_arguments.isdisjoint(args):
        return (1, min(END, entry.page)) if entry.page > 0 else None
    if (pair := _pair(args, entry.range)) is not None:
        first, last = pair
    else:
        first, last = number_of(args, entry.first), number_of(args, entry.last)
    if first is None and last is None:
        return _page(args, entry)
    if last is None and entry.page:
        return max(1, first or 1), max(1, first or 1) + entry.page - 1
    if first is not None and first < 0:
        return END + first + 1, END
    first = max(1, first or 1)
    last = END if last is None or last < first else last
    return None if (first, last) == (1, END) else (first, last)


def _pair(args: Mapping[str, Any], names: Iterable[str]) -> tuple[int | None, int | None] | None:
    """A range such as [10, 20] or "[10, 20]" or "10-20"."""
    for name in names:
        value = args.get(name)
        if isinstance(value, str):
            value = value[:40].strip("[]() ").replace("-", ",", 1).split(",")
        if isinstance(value, (list, tuple)) and len(value) == 2:
            return whole_number(value[0]), whole_number(value[1])
    return None


def _page(args: Mapping[str, Any], entry: ToolEntry) -> tuple[int, int] | None:
    """The lines from an offset on: as many as requested, or as the tool shows by default."""
    offset, limit = number_of(args, entry.offset), number_of(args, entry.limit) or entry.page
    if offset is None and limit <= 0:
        return None
    if offset is not None and offset < 0:
        return END + offset + 1, END
    first = min(END, max(1, (offset or 0) + (1 if entry.from_zero else 0)))
    return first, (min(END, first + limit - 1) if limit > 0 else END)


def appends(args: Mapping[str, Any]) -> bool:
    """Whether the arguments of a tool that writes files ask it to add to the file: `mode="append"`, `append=True`."""
    mode, flag = args.get("mode"), args.get("append")
    added = isinstance(mode, str) and (mode[:1] in ("a", "A") or "insert" in mode or "prepend" in mode)
    return added or flag is True or (isinstance(flag, str) and flag.lower() == "true")


def replacement(args: Mapping[str, Any]) -> tuple[str | None, str] | None:
    """The text that an edit removes and the text that it inserts; the first is None if there is only a new text.

    None if the arguments do not show an edit.
    """
    if _EDIT_KEYS.isdisjoint(args):  # most calls are not edits
        return None
    for old, new in _REPLACEMENTS:
        before, after = args.get(old), args.get(new)
        if isinstance(before, str) and isinstance(after, str):
            return before, after
    for name in _CONTENT:
        if isinstance(args.get(name), str):
            return None, args[name]
    return None


class Pauses:
    """The arguments that say for how long a call waits; immutable."""

    def __init__(self, data: Mapping[str, list[str]]) -> None:
        self._waits, self._at_most, self._sent = (frozenset(data[part]) for part in ("waits", "at_most", "sent"))

    def read(self, meaning: Meaning, args: Mapping[str, Any]) -> Meaning:
        """The meaning of a call without a command; it waits if it says so, or if it only asks within a time."""
        if meaning.waits or (self._waits.isdisjoint(args) and self._at_most.isdisjoint(args)):
            return meaning
        if self._lasts(self._waits, args):
            return structs.replace(meaning, waits=True)
        sends_nothing = self._sends_nothing(args)
        if (meaning.kind == "poll" or sends_nothing) and self._lasts(self._at_most, args):
            return Meaning(kind="poll", waits=True) if sends_nothing else structs.replace(meaning, waits=True)
        return meaning

    def _sends_nothing(self, args: Mapping[str, Any]) -> bool:
        """Whether there are keys or text to be sent, and they are empty."""
        sent = [args[name] for name in self._sent.intersection(args)]
        return bool(sent) and all(text in ("", []) for text in sent)

    def _lasts(self, names: frozenset[str], args: Mapping[str, Any]) -> bool:
        return any(_seconds(name, args[name]) >= _LEAST for name in names.intersection(args))


def _seconds(name: str, value: object) -> float:
    """The time that an argument states, in seconds; 0 if it states none."""
    if isinstance(value, str):
        value = float(value) if value.isdecimal() else 0.0
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return 0.0
    name = name.lower()
    is_short = name.endswith(("ms", "msec", "millis", "milliseconds"))
    is_bare = not name.endswith(("s", "sec", "duration"))
    return value / 1000 if is_short or (is_bare and value >= _MILLISECONDS) else float(value)
