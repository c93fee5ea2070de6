"""Reads the results of a scan in shards, one shard after the other."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec

from headway.core.run_report import ScannedFile
from headway.sources.packed import UnreadableError
from headway.sources.storage import storage_at
from headway.study.batch import PLAN, SET_ASIDE, Plan, SetAside
from headway.study.parquet import rows_of
from headway.study.shards import LAST, done_in, part
from headway.study.tables import Row, scanned_files


def results_at(place: str) -> list[str]:
    """The results at a place or in the folder: one for each version and each combination of settings."""
    storage = storage_at(place)
    if storage.read(PLAN) is not None:
        return [place.rstrip("/")]
    plans = (file.name for file in storage.files() if file.name.count("/") == 1 and file.name.endswith(f"/{PLAN}"))
    return [f"{place.rstrip('/')}/{name.partition('/')[0]}" for name in plans]


class Results:
    """The results of one scan."""

    def __init__(self, place: str) -> None:
        self.place = place
        self._storage = storage_at(place)
        content = self._storage.read(PLAN)
        if content is None:
            raise UnreadableError(f"{place}: no results of a scan")
        try:
            self.plan = msgspec.json.decode(content, type=Plan)
        except msgspec.MsgspecError as error:
            raise UnreadableError(f"{place}/{PLAN}: {error}") from error
        self._done = done_in(self._storage)

    @property
    def missing(self) -> int:
        """The number of shards that are neither done nor set aside."""
        aside = {one.id for one in self.set_aside()}
        return sum(shard.id not in self._done and shard.id not in aside for shard in self.plan.shards)

    def set_aside(self) -> list[SetAside]:
        """Shards without a result."""
        names = (file.name for file in self._storage.files(SET_ASIDE))
        found = (self._storage.read(name) for name in names)
        try:
            return [msgspec.json.decode(content, type=SetAside) for content in found if content]
        except msgspec.MsgspecError as error:
            raise UnreadableError(f"{self.place}/{SET_ASIDE}: {error}") from error

    def files(self) -> Iterator[ScannedFile]:
        """The recordings with their reports, in the order of the shards. One recording is in memory at a time."""
        tables = ("files", "runs", "findings", "decisions", *(("timelines",) if self.plan.steps else ()))
        for shard in self.plan.shards:
            if shard.id in self._done:
                with ExitStack() as opened:
                    rows = [opened.enter_context(self._rows(shard.id, table)) for table in tables]
                    yield from scanned_files(*rows)
        yield from (ScannedFile(one.name, trouble=one.told) for one in self.set_aside())

    def recordings(self) -> Iterator[Row]:
        """The rows of all recordings, without their runs."""
        return self._all("files")

    def verdicts(self) -> set[str]:
        """The verdicts of the runs."""
        return {row["verdict"] for row in self._all("runs")}

    @property
    def done(self) -> int:
        """The number of shards with results."""
        return sum(shard.id in self._done for shard in self.plan.shards)

    def _all(self, table: str) -> Iterator[Row]:
        for shard in self.plan.shards:
            if shard.id in self._done:
                with self._rows(shard.id, table) as rows:
                    yield from rows

    @contextmanager
    def _rows(self, shard: str, table: str) -> Iterator[Iterator[Row]]:
        """The rows of one table of a shard."""
        with tempfile.TemporaryDirectory(prefix="headway-") as folder:
            copy = Path(folder, "part.parquet")
            try:
                self._storage.fetch(part(shard, table), copy)
            except FileNotFoundError as error:
                raise self._unusable(shard, table, "missing") from error
            yield self._read(copy, shard, table)

    def _read(self, copy: Path, shard: str, table: str) -> Iterator[Row]:
        try:
            yield from rows_of(copy)
        except ValueError as error:  # pyarrow's errors are of this kind
            raise self._unusable(shard, table, f"damaged ({error})") from error

    def _unusable(self, shard: str, table: str, why: str) -> UnreadableError:
        again = f"remove {self.place}/{part(shard, LAST)} and scan again"
        return UnreadableError(f"{self.place}/{part(shard, table)} is {why}; {again}")
