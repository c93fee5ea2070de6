"""Settings of one monitor: checked when they are given, so that a typing error cannot go unnoticed.

Shape: `{"detectors": {id: {field: value}}, "tools": {name: {"kind": …, …}}, "session": {size: value}}`.
"""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, get_type_hints

import msgspec

from headway.core.detector import Detector
from headway.core.sizes import Sizes
from headway.tools.meaning import Vocabulary


class SettingsError(ValueError):
    """A setting is unknown or has the wrong type; the message names it and the nearest known one."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a user can change about a monitor."""

    detectors: dict[str, dict[str, Any]] = {}
    """Fields of detectors, by detector id. An id that does not come with Headway is looked up among plug-ins."""
    tools: dict[str, dict[str, Any]] = {}
    """Your own tools: what they do, and which argument is the path, the query, the command."""
    session: Sizes = Sizes()
    """How much is remembered."""

    @classmethod
    def of(cls, given: "Settings | Mapping[str, Any] | None") -> "Settings":
        """Check settings given as plain data."""
        if isinstance(given, Settings):
            return given
        given = dict(given or {})
        _refuse_unknown("setting", given, cls.__struct_fields__)
        sizes = given.get("session")
        if isinstance(sizes, Mapping):
            _refuse_unknown("setting session", sizes, Sizes.__struct_fields__)
        try:
            settings = msgspec.convert(given, cls)
        except msgspec.ValidationError as error:
            raise SettingsError(f"settings: {error}") from error
        for name, size in zip(Sizes.__struct_fields__, msgspec.structs.astuple(settings.session), strict=True):
            if size <= 0:
                raise SettingsError(f"session.{name} must be more than 0, not {size}")
        return settings

    def vocabulary(self) -> Vocabulary:
        """The packaged vocabulary with the user's own tools."""
        if not self.tools:
            return Vocabulary.packaged()
        try:
            return Vocabulary.packaged().with_tools(self.tools)
        except ValueError as error:
            raise SettingsError(f"tools: {error}") from error


def configured(kind: type[Detector], given: Mapping[str, Any]) -> Detector:
    """Make a detector with its settings, or raise an error that names the field."""
    if not given:
        return kind()
    names = kind.setting_names()
    _refuse_unknown(f"setting detectors.{kind.id}", given, names)
    types = get_type_hints(kind)
    values = {}
    for name, value in given.items():
        try:
            values[name] = msgspec.convert(value, types[name])
        except msgspec.ValidationError as error:
            raise SettingsError(f"detectors.{kind.id}.{name}: {error}") from error
        if type(value) in (int, float) and value <= 0:
            raise SettingsError(f"detectors.{kind.id}.{name} must be more than 0, not {value}")
    return kind(**values)


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint at what may have been meant."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else f"; known are: {', '.join(sorted(known))}"


def _refuse_unknown(what: str, given: Mapping[str, Any], known: Iterable[str]) -> None:
    for name in given:
        if name not in known:
            raise SettingsError(f"unknown {what}: {name!r}{nearest(str(name), known)}")
