"""The beginning of a recording: what formats are recognised by."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from headway.rolling.forgiving import FAULTS, from_json

SIZE = 65_536
"""How much of a recording is looked at to recognise its format."""
GLANCE = 8_192
"""How much of a long document is looked at first."""
LINES = 20
"""How many lines of it."""

SQLITE = b"SQLite format 3\0"
ZIP = b"PK\x03\x04"
PARQUET = b"PAR1"

T = TypeVar("T")


class Head:
    """The first bytes of a recording, and the names in it where it is a folder, a zip or a database."""

    def __init__(
        self,
        data: bytes = b"",
        names: Callable[[], tuple[str, ...]] = tuple,
        first_line: Any = None,
        fault: str = "",
    ) -> None:
        self.data = data.removeprefix(b"\xef\xbb\xbf")
        self.fault = fault
        """What is wrong with the file where these bytes end, if anything is."""
        self._list_names = names
        self._seen: dict[Callable[[Head], Any], Any] = {}
        self._text = self.data.lstrip()
        self._is_json = self._text.startswith((b"{", b"["))
        self._line = self._first_line() if self._is_json and first_line is None else first_line

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What is inside: the files of a folder (one level deep) or a zip, the tables of a SQLite database, columns."""
        return self._list_names()

    @property
    def is_json(self) -> bool:
        """Whether it begins like JSON."""
        return self._is_json

    @property
    def is_database(self) -> bool:
        """Whether this is a SQLite database."""
        return self.data.startswith(SQLITE)

    @property
    def is_zip(self) -> bool:
        """Whether this is a zip archive."""
        return self.data.startswith(ZIP)

    @property
    def is_parquet(self) -> bool:
        """Whether this is a Parquet file."""
        return self.data.startswith(PARQUET)

    @property
    def document(self) -> Any:
        """The JSON value it begins with. One that goes on beyond these bytes is closed where they end."""
        return self._beginning[0]

    def _first_line(self) -> Any:
        """The JSON object or list on the first line, if one is there as a whole."""
        end = self._text.find(b"\n")
        if end < 0 and len(self.data) >= SIZE:
            return None  # it goes on beyond these bytes
        try:
            return from_json(self._text[:end] if end > 0 else self._text, object)
        except FAULTS:
            return None

    @cached_property
    def _beginning(self) -> tuple[Any, bool]:
        """The JSON value it begins with, and whether that is the first line, whole."""
        if self._line is not None:
            return self._line, True
        if self._is_json:
            from headway.sources.repair import close_json, repair_json  # most begin with a whole record

            for ending in (bytes, close_json, repair_json) if len(self.data) < SIZE else (close_json, repair_json):
                try:
                    return from_json(ending(self._text), object), False
                except FAULTS:
                    continue
        return None, False

    def glance(self) -> "Head | None":
        """Less of it, enough for the formats of single programs: the first record, or the beginning of a long document.

        Decoding all of it can take longer than reading the recording.
        """
        end = self._text.find(b"\n")
        if self._line is not None:
            return Head(self._text[:end], first_line=self._line) if end > 0 else None
        return Head(self._text[:GLANCE]) if self._is_json and len(self.data) >= SIZE else None

    @property
    def is_cut(self) -> bool:
        """Whether the recording goes on beyond these bytes."""
        return len(self.data) >= SIZE

    @property
    def breaks_off(self) -> bool:
        """Whether it is one JSON document, or a first line, that goes on beyond these bytes."""
        return self._is_json and self._line is None and self.is_cut

    @property
    def spans_lines(self) -> bool:
        """Whether it is one JSON document over several lines, and not one record on each."""
        document, is_line = self._beginning
        return not is_line and b"\n" in self._text and isinstance(document, (dict, list))

    @cached_property
    def records(self) -> list[dict[str, Any]]:
        """The JSON objects on the first lines; of one large document, the objects it is or begins with."""
        document, is_line = self._beginning
        if isinstance(document, list):
            return [item for item in document if isinstance(item, dict)]
        if isinstance(document, dict) and not is_line:
            return [document]
        found = [document] if isinstance(document, dict) else []
        for line in self._text.split(b"\n", LINES)[len(found) : LINES]:
            try:
                if line.rstrip().endswith(b"}"):  # the last one is often cut off
                    found.append(from_json(line, dict[str, Any]))
            except FAULTS:
                continue
        return found

    @property
    def first(self) -> dict[str, Any]:
        """The first JSON object: of the lines, of a list, or the document itself. Empty where there is none."""
        if isinstance(self._line, dict):
            return self._line  # which spares the other lines
        return self.records[0] if self.records else {}

    def once(self, look: Callable[["Head"], T]) -> T:
        """What a look at it comes to; several readers look for the same things, and only the first has to."""
        if look not in self._seen:
            self._seen[look] = look(self)
        found: T = self._seen[look]
        return found
