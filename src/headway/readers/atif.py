"""Trajectories in Harbor's interchange format ATIF (v1.0 to v1.8): one document, one on each line, or a trial's folder.

The folder of a trial is one recording: beside the trajectory it may have the agent's own sessions of the same run.
A result is in the step that requested it. The format has no field for failures; if a converter noted them beside a
result, that is used. Events of Headway for which ATIF has no field are stored whole under `extra`.
"""

from collections.abc import Iterator
from typing import Any

from headway.core import events
from headway.core.events import Event, EventError, decode_event
from headway.shapes.conversation import Conversation
from headway.shapes.message import arguments_of, output_of
from headway.shapes.tokens import with_cache
from headway.shapes.values import Record, fields, items, text, values
from headway.sources import Head, Source, seconds

EVENT = "headway_event"
_TRAJECTORY = "agent/trajectory.json"
_RESULT = "result.json"
_DEEPEST = 8


class Atif:
    """Agent trajectories as Harbor exchanges them."""

    name = "atif"
    title = "Harbor ATIF trajectories"

    def recognises(self, head: Head) -> bool:
        """By the version of the schema, or by the files of a trial."""
        if not head.data:
            return {_TRAJECTORY, _RESULT} <= set(head.names)
        return text(head.first.get("schema_version")).startswith("ATIF")

    def read(self, source: Source) -> Iterator[Event]:
        """Every trajectory is a run; trajectories embedded in it are its sub-agents."""
        if source.is_folder:
            yield from self._trial(source)
            return
        for value in values(source):
            for record in value if isinstance(value, list) else (value,):
                run = text(fields(record).get("session_id")) or text(fields(record).get("trajectory_id"))
                yield from _trajectory(fields(record), Conversation(run), source, 0)

    def _trial(self, source: Source) -> Iterator[Event]:
        """The trajectory of a trial with its continuations, and how the trial ended."""
        for name in (name for name in source.names if name == _TRAJECTORY or name.startswith("agent/trajectory.cont-")):
            member = source.member(name)
            yield from self.read(member)
            source.count_in(member)
        result = fields(source.member(_RESULT).document(dict[str, Any]))
        rewards = fields(fields(result.get("verifier_result")).get("rewards"))
        failed = text(fields(result.get("exception_info")).get("exception_type"))
        ended = failed or ", ".join(f"{name} {reward}" for name, reward in rewards.items())
        run = fields(source.member(_TRAJECTORY).document(dict[str, Any]))
        if ended:
            yield events.RunEnded(run=text(run.get("session_id")), at=seconds(result.get("finished_at")), outcome=ended)


def _trajectory(record: Record, talk: Conversation, source: Source, depth: int) -> Iterator[Event]:
    if not isinstance(record.get("steps"), list):
        source.skip("not an ATIF trajectory: it has no steps")
        return
    agent, extra = fields(record.get("agent")), fields(record.get("extra"))
    program = agent.get("name") if agent.get("name") != "unknown" else None
    yield talk.started(agent.get("model_name"), program, extra.get("root"))
    told = _Told()
    for step in record["steps"]:
        if isinstance(step, dict):
            yield from told.through(_step(step, talk, source))
        else:
            source.skip("a step that is not an object")
    yield from told.rest(fields(record.get("final_metrics")), talk)
    for number, inner in enumerate(items(record.get("subagent_trajectories")), 1):
        name = text(fields(inner).get("trajectory_id")) or f"sub-agent {number}"
        if depth < _DEEPEST:
            yield from _trajectory(fields(inner), Conversation(talk.run, name), source, depth + 1)


class _Told:
    """The tokens and cost of the steps so far; some converters write only the totals."""

    def __init__(self) -> None:
        self.tokens = 0
        self.cost = 0.0

    def through(self, stream: Iterator[Event]) -> Iterator[Event]:
        """The same events, counted."""
        for event in stream:
            if isinstance(event, events.Used):
                self.tokens += event.tokens_in + event.tokens_out
                self.cost += event.cost_usd
            yield event

    def rest(self, total: Record, talk: Conversation) -> Iterator[Event]:
        """The part of the totals that no step contained."""
        names = ("total_prompt_tokens", "total_completion_tokens", "total_cached_tokens")
        tokens = {} if self.tokens else with_cache(*map(total.get, names))
        yield from talk.used(tokens, 0 if self.cost else total.get("total_cost_usd"))


def _step(step: Record, talk: Conversation, source: Source) -> Iterator[Event]:
    if step.get("is_copied_context"):
        return  # it is in the trajectory from which it was copied
    at = seconds(step.get("timestamp"))
    said = output_of(step.get("message"))
    own = fields(step.get("extra")).get(EVENT)
    if own is not None:
        yield from _own_event(own, talk, source)
    elif step.get("source") == "user" and said:
        yield events.UserSpoke(run=talk.run, agent=talk.agent, at=at, text=said)
    elif step.get("source") == "agent":
        if said:
            yield events.AgentSpoke(run=talk.run, agent=talk.agent, at=at, text=said)
        batch, calls = talk.turn(), list(map(fields, items(step.get("tool_calls"))))
        for call in calls:
            args = arguments_of(call.get("arguments"))
            yield talk.asked(text(call.get("tool_call_id")), text(call.get("function_name")), args, batch, at)
        metrics = fields(step.get("metrics"))
        yield from talk.used(metrics, metrics.get("cost_usd"), at)
        yield from _results(step, calls, talk, at)


def _results(step: Record, calls: list[Record], talk: Conversation, at: float | None) -> Iterator[Event]:
    results = [fields(result) for result in items(fields(step.get("observation")).get("results"))]
    one_for_all = len(results) == 1 < len(calls)
    for result in results:
        call = text(result.get("source_call_id"))
        if not call and one_for_all:  # a terminal shows the result of all input: the last call's result
            call = text(calls[-1].get("tool_call_id"))
        if call or talk.open:
            yield _result(call, result, talk, at)


def _result(call: str, result: Record, talk: Conversation, at: float | None) -> Event:
    noted = fields(result.get("extra"))
    known: dict[str, Any] = {}
    for name in ("is_error", "tool_result_is_error", "failed"):
        if isinstance(noted.get(name), bool):
            known["failed"] = noted[name]
    call = call or talk.oldest()
    talk.open.pop(call, None)
    for name, kind in (("exit_code", int), ("hits", int), ("denied", bool)):
        if type(noted.get(name)) is kind:
            known[name] = noted[name]
    when = seconds(noted.get("timestamp")) or at
    output = output_of(result.get("content"))
    return events.ToolReturned(run=talk.run, agent=talk.agent, at=when, call=call, output=output, **known)


def _own_event(raw: Any, talk: Conversation, source: Source) -> Iterator[Event]:
    try:
        yield decode_event({**fields(raw), "run": talk.run, "agent": talk.agent})
    except EventError as error:
        source.skip(str(error))
