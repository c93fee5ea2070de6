"""Results of τ-bench: a list of runs with their `traj`, or the `simulations` of τ²-bench.

The user is a model, too; it counts as the person. In τ²-bench the user may have tools of its own, which are left out.
"""

from collections.abc import Iterator

from headway.core import events
from headway.core.events import Event
from headway.shapes.conversation import Conversation, messages_read
from headway.shapes.values import Record, fields, items, text, values
from headway.sources import Head, Source, seconds


class TauBench:
    """Runs of τ-bench and τ²-bench."""

    name = "tau-bench"
    title = "tau-bench and tau2-bench results"

    def recognises(self, head: Head) -> bool:
        """By runs that have a task, a reward and what was said."""
        first = head.first
        if {"simulations", "tasks"} <= first.keys():
            return True
        return {"task_id", "reward", "traj"} <= first.keys()

    def read(self, source: Source) -> Iterator[Event]:
        """Every trial of a task is a run."""
        for value in values(source):
            for run in value if isinstance(value, list) else items(fields(value).get("simulations")) or [value]:
                if isinstance(fields(run).get("traj", fields(run).get("messages")), list):
                    yield from _run(run, source)
                else:
                    source.skip("a run without messages")


def _run(run: Record, source: Source) -> Iterator[Event]:
    trial, task = run.get("trial"), run.get("task_id")
    talk = Conversation(f"task {task}, trial {trial}" if trial is not None else f"task {task}")
    agent = fields(fields(run.get("info")).get("agent_info"))
    yield talk.started(agent.get("llm"), None, at=seconds(run.get("start_time")))
    said = [_known(fields(message)) for message in items(run.get("traj", run.get("messages")))]
    for raw, message in messages_read([one for one in said if one.get("requestor") != "user"], source):
        at = seconds(raw.get("timestamp"))
        yield from talk.take(message, at)
        if raw.get("role") == "assistant":
            yield from talk.used(raw.get("usage"), raw.get("cost"), at)
    reward = run.get("reward", fields(run.get("reward_info")).get("reward"))
    yield events.RunEnded(run=talk.run, at=seconds(run.get("end_time")), outcome=f"reward {reward}")


def _known(message: Record) -> Record:
    """A message in the usual format, without calls of the user; τ²-bench names a result after its call."""
    calls = [fields(call) for call in items(message.get("tool_calls"))]
    own = [call for call in calls if call.get("requestor") != "user"]
    found = {**message, "tool_calls": own} if calls else message
    if message.get("role") == "tool" and "tool_call_id" not in message:
        flag = message.get("error")
        found = {**found, "tool_call_id": text(message.get("id")), "is_error": flag if isinstance(flag, bool) else None}
        found.pop("error", None)
    return found
