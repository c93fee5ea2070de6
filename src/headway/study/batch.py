"""Scans many recordings in shards. A scan can be interrupted and continued.

The results are below a prefix made from the version of Headway, the options and the paths. So results of other settings
or another version never mix. A shard that fails every time is set aside: it is named in the results, and tried again
when the job runs again.
"""

import hashlib
from collections.abc import Iterator, Sequence
from importlib.metadata import entry_points

import msgspec

from headway.sources.storage import storage_at
from headway.study.engines import Engine, Failure
from headway.study.pool import log_faults
from headway.study.scan import ScanOptions
from headway.study.shards import Job, Shard, ShardDone, done_in, scan_shard, try_shard

PLAN = "job.json"
"""The description of the job: its options, and its shards in order."""
SET_ASIDE = "set-aside"
"""The folder of shards that were set aside."""
TABLES_VERSION = 1


class PlannedShard(msgspec.Struct, frozen=True):
    """A shard, as named in the results."""

    id: str
    name: str
    files: int
    size: int


class Plan(msgspec.Struct, frozen=True):
    """What a job does, stored with its results."""

    version: str
    paths: tuple[str, ...]
    steps: bool
    prices_dated: str
    shards: tuple[PlannedShard, ...]


class SetAside(msgspec.Struct, frozen=True):
    """A shard without a result."""

    id: str
    name: str
    why: str

    @property
    def told(self) -> str:
        """A message about the shard."""
        return f"{self.name}: set aside: {self.why}"


class Batch:
    """One job."""

    def __init__(
        self, paths: Sequence[str], shards: Sequence[Shard], asked: ScanOptions, out: str, version: str
    ) -> None:
        self.paths, self.shards = tuple(paths), tuple(shards)
        self.place = f"{out.rstrip('/')}/{prefix(paths, asked, version)}"
        self._version = version
        self._job = Job(asked, self.place)
        self._storage = storage_at(self.place)
        done = done_in(self._storage)
        self.waiting = tuple(shard for shard in self.shards if shard.id not in done)
        """Shards without a result."""

    def run(self, engine: Engine) -> Iterator[ShardDone | SetAside]:
        """Scan the waiting shards."""
        self._storage.write(PLAN, msgspec.json.format(msgspec.json.encode(self._plan())))
        self._remove_others()
        failed: list[tuple[Shard, Failure]] = []
        for shard, result in engine.run(scan_shard, self.waiting, self._job):
            if isinstance(result, Failure):
                failed.append((shard, result))
            else:
                yield self._noted(result)
        for shard, why in failed:
            yield self._noted(self._without_deadly_files(shard, why, engine))

    def _without_deadly_files(self, shard: Shard, why: Failure, engine: Engine) -> ShardDone | SetAside:
        """Try the recordings of a failed shard one by one, then the shard without those that failed again."""
        aside = SetAside(shard.id, shard.name, why.why)
        if len(shard.sources) == 1:
            return aside
        alone = [Shard(source.name, (source,), source.size) for source in shard.sources]
        tried = engine.run(try_shard, alone, self._job)
        deadly = tuple(
            (one.id, f"{one.id}: {bad.why}; it was left out") for one, bad in tried if isinstance(bad, Failure)
        )
        if not deadly:
            return aside
        rest = msgspec.structs.replace(shard, left_out=tuple(sorted(deadly)))
        result = next(iter(engine.run(scan_shard, [rest], self._job)))[1]
        return aside if isinstance(result, Failure) else result

    def _noted(self, result: ShardDone | SetAside) -> ShardDone | SetAside:
        name = f"{SET_ASIDE}/{result.id}.json"
        if isinstance(result, SetAside):
            self._storage.write(name, msgspec.json.encode(result))
        else:
            self._storage.remove(name)
            log_faults(result.faults)
        return result

    def _remove_others(self) -> None:
        """Remove results of recordings that have changed since or are gone."""
        planned = {shard.id for shard in self.shards}
        for file in self._storage.files():
            name = file.name.partition("/")[2]
            if name and name.partition(".")[0] not in planned:
                self._storage.remove(file.name)

    def _plan(self) -> Plan:
        shards = tuple(PlannedShard(one.id, one.name, len(one.sources), one.size) for one in self.shards)
        prices = self._job.asked.prices
        return Plan(self._version, self.paths, self._job.asked.steps, str(prices.dated) if prices else "", shards)


def prefix(paths: Sequence[str], asked: ScanOptions, version: str) -> str:
    """A name for the results that differs if anything differs that they depend on."""
    found = (one for group in ("headway.detectors", "headway.readers") for one in entry_points(group=group))
    plugins = sorted(f"{one.name} {one.value} {one.dist.version if one.dist else ''}" for one in found)
    given = msgspec.json.encode([TABLES_VERSION, version, sorted(paths), asked, plugins], order="deterministic")
    return f"{version}-{hashlib.sha256(given).hexdigest()[:12]}"
