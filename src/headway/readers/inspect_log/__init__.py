"""Logs of Inspect evaluations: `.eval` archives and `.json`. Every sample in each epoch is a run.

The events of a sample contain more than its messages (times, sub-agents, what a compaction removed); of a log without
them the messages are read. Long texts are stored separately as attachments. A user's message that is neither in the
input nor from a person comes from the scaffold.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from headway.core.events import Event
from headway.readers.inspect_log.records import Sample
from headway.readers.inspect_log.sample import SampleReader
from headway.rolling.forgiving import FAULTS, from_json
from headway.shapes.values import fields
from headway.sources import Head, Source

_PARTS = ("samples/", "_journal/", "summaries.json", "reductions.json")
"""Files beside the header in an archive."""


class _Log(msgspec.Struct):
    eval: Any = None
    samples: list[msgspec.Raw] = []


class InspectLog:
    """Evaluations run with Inspect."""

    name = "inspect-log"
    title = "Inspect logs (.eval and .json)"

    def recognises(self, head: Head) -> bool:
        """By the samples in the archive, or by the parts every log has."""
        if head.is_zip:
            is_finished = "header.json" in head.names and any(name.startswith(_PARTS) for name in head.names)
            return is_finished or "_journal/start.json" in head.names
        return {"eval", "plan", "status"} <= head.first.keys() or "eval_id" in fields(head.first.get("eval"))

    def read(self, source: Source) -> Iterator[Event]:
        """The samples, one after the other; of an archive no more than one is in memory."""
        if not source.head().is_zip:
            log = source.document(_Log)
            for raw in log.samples if log else ():
                yield from _read_sample(raw, source)
            return
        for member in source.members(lambda name: name.startswith("samples/") and name.endswith(".json")):
            sample = member.document(Sample)
            source.count_in(member)
            if sample:
                yield from SampleReader(sample, source).events()


def _read_sample(raw: msgspec.Raw, source: Source) -> Iterator[Event]:
    try:
        sample = from_json(raw, Sample)
    except FAULTS as error:
        source.skip(f"a sample: {error}")
        return
    yield from SampleReader(sample, source).events()
