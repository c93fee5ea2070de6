"""A tool call, read once for what it means."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from headway.core.events import ToolCalled
from headway.rolling.normalise import digest
from headway.rolling.secrets import mask
from headway.rolling.text import clean, clip
from headway.tools.arguments import replacement
from headway.tools.meaning import Meaning, Vocabulary
from headway.tools.paths import is_absolute

KEPT_ARGUMENT = 1_000
"""Characters of one argument that are kept."""
KEPT_ITEMS = 50
"""Entries of a nested argument that are kept."""
KEPT_DEPTH = 32
"""Levels of a nested argument that are kept; the call's fingerprint is made from all of them."""


class Call(msgspec.Struct, frozen=True, gc=False):
    """What the agent asked for."""

    id: str
    """The id that the host gave to the call."""
    number: int
    """Place of this call in the run, counted from 1."""
    tool_name: str
    """Name of the tool, as the agent knows it."""
    params: dict[str, Any]
    """The arguments; long values are clipped."""
    meaning: Meaning
    """What the call does."""
    digest: int
    """Equal for equal tool, arguments and folder, however the agent words its reasons."""
    edit: tuple[int, int] | None = None
    """Fingerprints of the text an edit removes (0: the whole file) and of the text it inserts; None if unknown."""
    is_code: bool = False
    """It runs a program, which is compared without comments, unused constants and the names it gives."""
    batch: str | None = None
    """Calls that were requested at the same time share a batch; None if unknown."""
    at: float | None = None
    """When it was requested, in seconds since the epoch; None if unknown."""
    masked: bool = False
    """Secrets in its arguments have been removed, so that it can be stored."""
    folder: str | None = None
    """The folder in which it is made, if it depends on one; None is the one in which the shell began."""
    refused: bool = False
    """Headway refused it, so that it did not run unless a result comes."""

    def in_folder(self, folder: str | None) -> "Call":
        """The same call, made in a folder: equal calls in other folders get other fingerprints."""
        if folder is None:
            return self
        return msgspec.structs.replace(self, folder=folder, digest=digest(f"{self.digest:x} {folder}"))

    def folder_of(self, path: str) -> str | None:
        """The folder that a path of this call is seen from; None for an absolute one."""
        return None if self.folder is None or is_absolute(path) else self.folder

    @classmethod
    def of(cls, event: ToolCalled, vocabulary: Vocabulary, number: int) -> "Call":
        """Interpret a call."""
        tool, length = event.tool, _length(event.args)
        args = _plain(event.args) if length is None else dict(event.args)
        if length is not None and length + len(tool) <= KEPT_ARGUMENT:
            params, read = args, _remembered(vocabulary, tool, tuple(args.items()))
        else:
            params, read = _kept(args), _read(vocabulary, tool, args)
        name, (meaning, mark, edit, is_code) = clip(clean(tool), KEPT_ARGUMENT), read
        return cls(event.call, number, name, params, meaning, mark, edit, is_code, event.batch, event.at)


Reading = tuple[Meaning, int, tuple[int, int] | None, bool]
"""What tool and arguments tell: the meaning, the fingerprint, the edit, and whether it is code."""


def _length(args: Mapping[str, Any]) -> int | None:
    """Length of all arguments if they are plain texts, as most are; None if they are not."""
    length = 0
    for name, value in args.items():
        if type(value) is not str or type(name) is not str or not (value.isascii() and name.isascii()):
            return None
        length += len(name) + len(value)
    return length


def _read(vocabulary: Vocabulary, tool: str, args: dict[str, Any]) -> Reading:
    identity = vocabulary.identity(args, tool)
    code = vocabulary.code_in(args, tool)
    if code is not None:
        identity = {**identity, code[0]: _compared(code[1])}
    meaning = _without_secrets(vocabulary.meaning(tool, args))
    fingerprint = digest(tool.encode("utf-8", "surrogatepass") + b"\0" + _as_json(identity))
    is_code = code is not None and identity[code[0]] != code[1]
    return meaning, fingerprint, _edit(args, meaning), is_code


_as_json = msgspec.json.Encoder(order="deterministic").encode


@lru_cache(maxsize=64)
def _remembered(vocabulary: Vocabulary, tool: str, args: tuple[tuple[str, str], ...]) -> Reading:
    """Agents make the same calls again and again: a quarter of them is among the latest."""
    return _read(vocabulary, tool, dict(args))


def _compared(code: str) -> str:
    from headway.tools.python_code import without_accidents  # what most runs do not need

    return without_accidents(code)


def _without_secrets(meaning: Meaning) -> Meaning:
    """A path is a name under which things are kept and compared: it never holds a secret, live or loaded."""
    begins, leaves = meaning.begins_in, meaning.leaves_in
    if (begins and _masked(begins) != begins) or (leaves and _masked(leaves) != leaves):
        folders = {"begins_in": begins and _masked(begins), "leaves_in": leaves and _masked(leaves)}
        meaning = msgspec.structs.replace(meaning, **folders)
    if meaning.path is None:  # there are several paths only if there is one
        return meaning
    path, paths = _masked(meaning.path), tuple(map(_masked, meaning.paths)) if meaning.paths else ()
    if path == meaning.path and paths == meaning.paths:
        return meaning
    return msgspec.structs.replace(meaning, path=path, paths=paths)


_masked = lru_cache(maxsize=512)(mask)
"""The same files come again and again."""


def _edit(args: dict[str, Any], meaning: Meaning) -> tuple[int, int] | None:
    """Only a tool that writes files replaces the whole one; a text for an edit may be added to what is there."""
    change = replacement(args)
    if change is None or (change[0] is None and meaning.kind != "write"):
        return None
    return 0 if change[0] is None else digest(change[0]), digest(change[1])


def _plain(args: Mapping[str, Any]) -> dict[str, Any]:
    """Copy arguments into plain JSON data, whatever the host put into them."""
    try:
        plain = msgspec.json.decode(msgspec.json.encode(args, enc_hook=_as_text))
        msgspec.msgpack.encode(plain)  # JSON knows numbers that cannot be saved
    except (TypeError, ValueError, RecursionError, OverflowError):
        plain = {clean(str(key)): _as_text(value) for key, value in args.items()}
    return plain if isinstance(plain, dict) else {}


def _as_text(value: object) -> str:
    try:
        path = getattr(value, "__fspath__", None)
        return clean(str.__str__(value) if isinstance(value, str) else str(path()) if path else repr(value))
    except Exception:  # a foreign __repr__ may raise anything
        return f"<{type(value).__name__}>"


def _kept(args: dict[str, Any]) -> dict[str, Any]:
    """The arguments as they are, if all of them are short."""
    for value in args.values():
        if len(value) > KEPT_ARGUMENT if type(value) is str else isinstance(value, (list, dict)):
            return {name: _shortened(value) for name, value in args.items()}
    return args


def _shortened(value: Any, depth: int = 0) -> Any:
    if isinstance(value, str):
        return clip(value, KEPT_ARGUMENT) if len(value) > KEPT_ARGUMENT else value
    if not isinstance(value, (list, dict)):
        return value
    if depth == KEPT_DEPTH:
        return "…"
    if isinstance(value, list):
        return [_shortened(item, depth + 1) for item in value[:KEPT_ITEMS]]
    return {clip(key, 200): _shortened(item, depth + 1) for key, item in list(value.items())[:KEPT_ITEMS]}
