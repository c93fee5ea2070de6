"""mini-swe-agent trajectories: `*.traj.json`.

The `extra` of a message has its data: the commands that an assistant message requested, the return code and raw output
of an observation, what interrupted the agent. Files of the first version have only the texts; the oldest are a bare
list of messages.
"""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, cast

import msgspec

from headway.core.events import Event
from headway.readers.mini_swe_agent.run import Run, is_refusal, ran_a_command
from headway.shapes.values import fields, items, text
from headway.sources import Head, Source


class _File(msgspec.Struct):
    messages: list[Any] = []
    info: Any = None


class MiniSweAgent:
    """Runs of mini-swe-agent."""

    name = "mini-swe-agent"
    title = "mini-swe-agent trajectories (.traj.json)"

    def recognises(self, head: Head) -> bool:
        """By the name of the format, by what `info` says about the run, or by the messages themselves."""
        first = head.first
        info, messages = fields(first.get("info")), items(first.get("messages"))
        if text(first.get("trajectory_format")).startswith("mini-swe-agent") or "mini_version" in info:
            return True
        return bool(messages and "model_stats" in info) or ran_a_command(messages or items(head.document))

    def read(self, source: Source) -> Iterator[Event]:
        """One run."""
        file = source.document(cast(type[_File | list[Any]], _File | list[Any]))
        if file is None:
            return
        file = file if isinstance(file, _File) else _File(file)
        info, run = fields(file.info), Run()
        config = fields(info.get("config"))
        folder = fields(config.get("environment")).get("cwd")
        yield run.talk.started(fields(config.get("model")).get("model_name"), self.name, folder)
        for message, after in zip_longest(file.messages, file.messages[1:]):
            if isinstance(message, dict):
                yield from run.events_of(message, is_refusal(after))
            else:
                source.skip("a message that is not an object")
        yield from run.end(info)
