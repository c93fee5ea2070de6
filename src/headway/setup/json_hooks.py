"""Hooks in a JSON settings file: `{"hooks": {event: [entry, …]}}`, with or without handlers grouped inside an entry."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from headway.setup.form import UnfitError, is_mention, is_ours
from headway.setup.json_edit import Style, appended, closed_as, without
from headway.setup.jsonc import NotJsonError, Value, parse, tokens

_COMMAND_NAMES = ("command", "bash", "powershell", "url")


class JsonHooks:
    """Settings that may contain anything besides our entries, in the user's own layout and with comments."""

    def __init__(self, entries: Mapping[str, Any], new_file: Mapping[str, Any] | None = None) -> None:
        self.entries = entries
        """The entries to add, by event."""
        self.new_file = dict(new_file or {})
        """What a new file contains besides the hooks."""

    def installed(self, text: str) -> str:
        """The text with each entry at the end of its event; unchanged if it already has them."""
        if self._is_complete(text):
            return text
        base = _without_ours(text, {}) if text.strip() else self._empty(text)
        style = Style.of(base)
        root = read_object(base)
        if "hooks" not in root.data:
            return appended(base, root, {event: [entry] for event, entry in self.entries.items()}, style, "hooks")
        for event, entry in self.entries.items():
            hooks = _hooks(base)
            array = hooks.member(event)
            if array is None:
                base = appended(base, hooks, [entry], style, event)
            else:
                base = appended(base, array, entry, style)
        return base

    def removed(self, text: str, original: str | None) -> str | None:
        """The text without our entries, and without the containers that were created only for them."""
        if original is None:
            return None if self._was_made(text) else _without_ours(text, None)
        if not original.strip():
            return self._original_if_equal(_without_ours(text, None), original)
        rest = _without_ours(text, read_object(original).data.get("hooks"))
        return self._original_if_equal(_closed_as_before(rest, original), original)

    def commands(self, text: str) -> list[str]:
        """The command lines of our hooks, without duplicates."""
        if not text.strip():
            return []
        found = [container.parts[index].value.data for _, container, index in _ours(text)]
        return list(dict.fromkeys(command for handler in found for command in _commands_in(handler)))

    def events(self, text: str) -> set[str]:
        """The events that have our hook."""
        return {event for event, _, _ in _ours(text)} if text.strip() else set()

    def mentions(self, text: str) -> list[str]:
        """The command lines that mention our hook, without duplicates."""
        if not text.strip() or "hooks" not in read_object(text).data:
            return []
        entries = [entry for event in _hooks(text).data.values() for entry in event]
        return list(dict.fromkeys(line for entry in entries for line in _commands_in(entry) if is_mention(line)))

    def _original_if_equal(self, text: str, original: str) -> str:
        """The text of the backup, if the two differ only in white space."""
        base = original if original.strip() else json.dumps(self.new_file)
        return original if tokens(base) == tokens(text) else text

    def _was_made(self, text: str) -> bool:
        """Whether Headway (any version) created the whole file: only our entries, in our layout."""
        hooks = read_object(text).data.get("hooks", {})
        if not all(len(entries) == 1 and _is_all_ours(entries[0]) for entries in hooks.values()):
            return False
        made = JsonHooks({event: entries[0] for event, entries in hooks.items()}, self.new_file).installed("")
        return made == text.replace("\r\n", "\n")

    def _is_complete(self, text: str) -> bool:
        if not text.strip():
            return False
        hooks = _hooks(text).data if "hooks" in read_object(text).data else {}
        ours = {event: [entry for entry in there if _has_ours(entry)] for event, there in hooks.items()}
        return {event: [entry] for event, entry in self.entries.items()} == {
            e: found for e, found in ours.items() if found
        }

    def _empty(self, text: str) -> str:
        newline = "\r\n" if "\r\n" in text else "\n"
        return Style(newline).shown(self.new_file, "") + newline


def read_object(text: str) -> Value:
    """The whole file, which must be an object."""
    try:
        root = parse(text)
    except NotJsonError as error:
        raise UnfitError(f"{error}. Headway does not touch a file that it cannot read; please fix it first") from error
    if not isinstance(root.data, dict):
        raise UnfitError("line 1: expected an object, {…}, as the whole file")
    return root


def _hooks(text: str) -> Value:
    """The object under `hooks`; all its members must be arrays."""
    hooks = read_object(text).member("hooks")
    if hooks is None or not isinstance(hooks.data, dict):
        line = 1 if hooks is None else text.count("\n", 0, hooks.start) + 1
        raise UnfitError(f'line {line}: expected "hooks" to be an object, {{…}}')
    for part in hooks.parts:
        if not isinstance(part.value.data, list):
            line = text.count("\n", 0, part.start) + 1
            raise UnfitError(f'line {line}: expected "{part.name}" to be an array, […]')
    return hooks


def _without_ours(text: str, had: Mapping[str, Any] | None) -> str:
    """The text without our entries and the empty containers they leave, unless those were in `had` before."""
    left: dict[str, None] = {}
    while (found := next(_ours(text), None)) is not None:
        event, container, index = found
        text = without(text, container, index)
        left[event] = None
    for event in left:
        hooks = _hooks(text)
        if not hooks.data[event] and event not in (had or {}):
            text = without(text, hooks, hooks.place(event))
    root = read_object(text)
    if left and had is None and not root.data["hooks"]:
        text = without(text, root, root.place("hooks"))
    return text


def _closed_as_before(text: str, original: str) -> str:
    """The text with its closing brackets where the user had them: our entries needed lines of their own."""
    events = (read_object(original).data.get("hooks") or {}) if "hooks" in read_object(text).data else {}
    for path in (*(("hooks", event) for event in events), ("hooks",), ()):
        now, was = _at(text, path), _at(original, path)
        if now is not None and was is not None:
            text = closed_as(text, now, original, was)
    return text


def _at(text: str, path: tuple[str, ...]) -> Value | None:
    found: Value | None = read_object(text)
    for name in path:
        found = None if found is None else found.member(name)
    return found if found is not None and isinstance(found.data, (dict, list)) else None


def _ours(text: str) -> Iterator[tuple[str, Value, int]]:
    """Our entries, and our handlers in other groups: the event, the container and the index in it."""
    if "hooks" not in read_object(text).data:
        return
    for event in _hooks(text).parts:
        for index, entry in enumerate(event.value.parts):
            handlers = entry.value.member("hooks")
            inner = handlers.parts if handlers is not None else []
            ours = [place for place, handler in enumerate(inner) if is_our_handler(handler.value.data)]
            if _is_all_ours(entry.value.data):
                yield str(event.name), event.value, index
            elif handlers is not None:
                yield from ((str(event.name), handlers, place) for place in ours)


def is_our_handler(data: Any) -> bool:
    """Whether a handler has only command lines of ours."""
    lines = list(_commands_in(data))
    return bool(lines) and "hooks" not in data and all(map(is_ours, lines))


def _is_all_ours(entry: Any) -> bool:
    """Whether an entry is our handler, or a group of only our handlers."""
    is_group = _has_ours(entry) and all(map(is_our_handler, _inner(entry))) and not set(_COMMAND_NAMES) & set(entry)
    return is_our_handler(entry) or is_group


def _has_ours(entry: Any) -> bool:
    return is_our_handler(entry) or any(map(is_our_handler, _inner(entry)))


def _inner(entry: Any) -> list[Any]:
    handlers = entry.get("hooks") if isinstance(entry, dict) else None
    return handlers if isinstance(handlers, list) else []


def _commands_in(entry: Any) -> Iterator[str]:
    """The command lines in a handler, or in a group of handlers."""
    if not isinstance(entry, dict):
        return
    yield from (str(entry[name]) for name in _COMMAND_NAMES if name in entry)
    for handler in _inner(entry):
        yield from _commands_in(handler)
