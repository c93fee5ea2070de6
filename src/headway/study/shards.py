"""Divides recordings into shards, and scans a shard on any engine.

The result of a shard depends only on its recordings, the options and the version of Headway. It is stored under names
derived from the shard. A shard whose result exists is done.
"""

import hashlib
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from functools import partial

import msgspec

from headway.core.run_report import ScannedFile, ScannedRun
from headway.sources import Source
from headway.sources.storage import Storage, storage_at
from headway.store.fault_lines import faults_told
from headway.study.packing import SHARD
from headway.study.parquet import OF_RESULTS, OF_STEPS, ParquetFiles
from headway.study.scan import ScanOptions, scan_each
from headway.study.tables import Tables

MAX_FILES_PER_SHARD = 2_000
LAST = "runs"
"""The table that is written last. If it exists, the others do too."""


class Shard(msgspec.Struct, frozen=True):
    """Some recordings that are scanned together."""

    id: str
    sources: tuple[Source, ...]
    size: int
    left_out: tuple[tuple[str, str], ...] = ()
    """Recordings to skip because the process that read them died, and why."""

    @property
    def name(self) -> str:
        """A readable name."""
        first = self.sources[0].name
        return first if len(self.sources) == 1 else f"{first} and {len(self.sources) - 1:,} more"


class Job(msgspec.Struct, frozen=True):
    """What to do with each shard."""

    asked: ScanOptions
    out: str


class ShardDone(msgspec.Struct, frozen=True):
    """The counts of one scanned shard."""

    id: str
    size: int
    runs: int
    troubles: tuple[str, ...] = ()
    verdicts: dict[str, int] = {}
    faults: tuple[str, ...] = ()
    """The log messages."""


def shards_of(sources: Iterable[Source], size: int = SHARD) -> Iterator[Shard]:
    """Group neighbouring recordings, up to a size."""
    held: list[Source] = []
    total = 0
    for source in sources:
        if held and (total + source.size > size or len(held) >= MAX_FILES_PER_SHARD):
            yield _shard(held, total)
            held, total = [], 0
        held.append(source)
        total += source.size
    if held:
        yield _shard(held, total)


def _shard(sources: list[Source], size: int) -> Shard:
    named = "\n".join(f"{source.name} {source.version}" for source in sources)
    return Shard(hashlib.sha256(named.encode()).hexdigest()[:16], tuple(sources), size)


def part(shard_id: str, table: str) -> str:
    """The path of a table of a shard's result."""
    return f"{table}/{shard_id}.parquet"


def done_in(storage: Storage) -> set[str]:
    """The shards whose results exist."""
    return {file.name.removeprefix(f"{LAST}/").removesuffix(".parquet") for file in storage.files(LAST)}


def scan_shard(shard: Shard, job: Job) -> ShardDone:
    """Scan the recordings of a shard and write the result. Runs are written one by one, to save memory."""
    names = (*(OF_STEPS if job.asked.steps else ()), *OF_RESULTS)
    faults, troubles, verdicts = list[str](), list[str](), Counter[str]()
    with faults_told(faults.append), ParquetFiles(storage_at(job.out), names, partial(part, shard.id)) as files:
        for source in shard.sources:
            runs, tables = 0, Tables()
            for one in _scanned(source, shard, job):
                if isinstance(one, ScannedRun):
                    runs += 1
                    verdicts[str(one.report.verdict)] += 1
                    tables.add_run(one)
                else:
                    tables.add_file(one, runs, job.asked.content)
                    troubles += [tables.files[-1]["trouble"]] if one.trouble else []
                files.add(tables)
                tables = Tables()
    return ShardDone(shard.id, shard.size, verdicts.total(), tuple(troubles), dict(verdicts), tuple(faults))


def try_shard(shard: Shard, job: Job) -> None:
    """Scan the recordings of a shard without a result, to check whether the process survives."""
    for source in shard.sources:
        deque(_scanned(source, shard, job), maxlen=0)


def _scanned(source: Source, shard: Shard, job: Job) -> Iterator[ScannedRun | ScannedFile]:
    why = dict(shard.left_out).get(source.name)
    return (
        scan_each(source, job.asked) if why is None else iter([ScannedFile(source.name, size=source.size, trouble=why)])
    )
