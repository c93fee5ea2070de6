"""What a stream of events amounts to, to be compared with numbers taken from the raw recording."""

import json
from collections import Counter
from pathlib import Path

from headway.core import events
from headway.readers import read
from headway.sources import Source

SAMPLES = Path(__file__).parent / "samples"


def sample(name):
    """The events of a sample and its source."""
    source = Source(SAMPLES / name)
    return list(read(source)), source


def raw_lines(name):
    """The JSON values on a sample's lines, read without Headway."""
    return [json.loads(line) for line in (SAMPLES / name).read_text().splitlines() if line.strip()]


def only(stream, kind):
    """The events of one kind."""
    return [event for event in stream if isinstance(event, kind)]


def counts(stream):
    """Calls, results, failures, denials, user turns and usage."""
    kinds = Counter(type(event).__name__ for event in stream)
    results, used = only(stream, events.ToolReturned), only(stream, events.Used)
    return {
        "calls": kinds["ToolCalled"],
        "results": kinds["ToolReturned"],
        "failed": sum(event.failed is True for event in results),
        "denied": sum(event.denied for event in results),
        "turns": kinds["UserSpoke"],
        "tokens_in": sum(event.tokens_in for event in used),
        "tokens_out": sum(event.tokens_out for event in used),
    }
