"""Recorded steps to measure with: a pack of runs given on the command line, or the recordings in examples/."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from headway.core import events
from headway.core.events import Event
from headway.readers import read
from headway.sources import sources_in

EXAMPLES = Path(__file__).parent.parent / "examples" / "recordings"

Step = list[Event]
"""The events of one step: what the agent said, its call, the result."""


def runs(pack: str | None) -> Iterator[tuple[str, list[Step]]]:
    """Each run's name and steps. A pack has one run on each line: id, steps[tool, args, output, error, text]."""
    if pack is None:
        for source in sources_in(EXAMPLES):
            yield source.name, list(_by_step(read(source)))
        return
    opener = gzip.open if pack.endswith(".gz") else open
    with opener(pack, "rt", encoding="utf-8") as file:
        for line in file:
            run = json.loads(line)
            yield run["id"], steps_of(run)


GUESSED = frozenset(("sweagent_java", "llm_agents_study", "who_when", "trail"))
"""Sets of runs whose `error` was guessed when they were put together: a live host would not know it."""


def steps_of(run: dict[str, Any]) -> list[Step]:
    """The steps of one run of a pack, with what a live host would know."""
    guessed = run.get("dataset") in GUESSED
    steps = [_step(step, number, guessed) for number, step in enumerate(run["steps"], 1)]
    if steps and _has_no_result(run["steps"][-1]):
        steps[-1] = [event for event in steps[-1] if not isinstance(event, events.ToolReturned)]
    return steps


def _by_step(stream: Iterator[Event]) -> Iterator[Step]:
    step: Step = []
    for event in stream:
        step.append(event)
        if isinstance(event, events.ToolReturned):
            yield step
            step = []


def _has_no_result(record: dict[str, Any]) -> bool:
    """Whether a recording ends with a call: its result is missing, and not empty."""
    return record["tool"] is not None and not record["output"] and record["error"] is None


def _step(record: dict[str, Any], number: int, guessed: bool) -> Step:
    step: Step = []
    at = record["t"] if isinstance(record.get("t"), (int, float)) else None
    if record["text"]:
        step.append(events.AgentSpoke(text=record["text"], at=at))
    if record["tool"] is not None:
        args = record["args"] if isinstance(record["args"], dict) else {"input": record["args"]}
        id = f"c{number}"
        failed = None if guessed else record["error"]
        step.append(events.ToolCalled(call=id, tool=record["tool"], args=args, at=at))
        after = None if at is None else at + 1
        step.append(events.ToolReturned(call=id, output=record["output"] or "", failed=failed, at=after))
    elif (record["output"] or "").startswith("[user]"):
        step.append(events.UserSpoke(text=record["output"][6:].strip(), at=at))
    return step
