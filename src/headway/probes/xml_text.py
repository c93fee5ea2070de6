"""Parses XML reports element by element, and refuses documents that attack the parser."""

from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING

from headway.probes.probe import ProbeError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def elements(data: bytes, what: str) -> Iterator[tuple[str, "Element"]]:
    """All `start` and `end` events of a document; `what` names the expected report for error messages.

    A document type is allowed (Cobertura has one). Entities are not: a few lines of them can expand to gigabytes, or
    read files of this machine.
    """
    if not data.strip():
        raise ProbeError(f"empty; expected {what}")
    from defusedxml import ElementTree  # type: ignore[import-untyped]  # it has no stubs
    from defusedxml.common import DefusedXmlException  # type: ignore[import-untyped]

    try:
        yield from ElementTree.iterparse(BytesIO(data), ("start", "end"), forbid_entities=True)
    except DefusedXmlException as error:
        raise ProbeError(f"refused, since it declares XML entities, which {what} does not need: {error}") from error
    except (ElementTree.ParseError, ValueError, LookupError) as error:  # LookupError: an unknown encoding
        if isinstance(error, ProbeError):
            raise
        raise ProbeError(f"not {what}: {error}") from error


def number(element: "Element", attribute: str, most: float = 1e9) -> float | None:
    """A numeric attribute from 0 to `most`; None if it is missing."""
    text = element.get(attribute)
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= most:  # also False for NaN
        raise ProbeError(f"<{element.tag}> has {attribute}={text[:40]!r}; expected a number from 0 to {most:g}")
    return value


def local_name(element: "Element") -> str:
    """The name of an element without its namespace."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
