"""SWE-agent trajectories: `<instance>.traj`.

The steps are under `trajectory`; each repeats the whole input of the model in `query`, which is most of the file and is
skipped. A file may have nothing but the `history` of messages. Demonstrations in it are not the agent's work.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from headway.core import events
from headway.core.events import Event
from headway.rolling.forgiving import FAULTS, from_json
from headway.shapes.conversation import Conversation, messages_read
from headway.shapes.values import decoded, fields, items, number, text
from headway.sources import Head, Source

_ASIDE = {"state", "environment", "execution_time"}
"""Keys in a step or beside the steps. Both are checked, because the end of a long step may be cut off."""


class _Step(msgspec.Struct):
    action: str | None = None
    observation: str | None = None
    response: str | None = None
    thought: str | None = None
    state: Any = None


class _File(msgspec.Struct):
    trajectory: list[msgspec.Raw] = []
    history: Any = None
    info: Any = None
    replay_config: Any = None


class SweAgent:
    """Runs of SWE-agent."""

    name = "swe-agent"
    title = "SWE-agent trajectories (.traj)"

    def recognises(self, head: Head) -> bool:
        """By steps of action and observation, or by a history whose messages name their agent."""
        steps, history = items(head.first.get("trajectory")), items(head.first.get("history"))
        step, message = fields(next(iter(steps), None)), fields(next(iter(history), None))
        return ("action" in step and bool(_ASIDE & {*step, *head.first})) or {"role", "agent"} <= message.keys()

    def read(self, source: Source) -> Iterator[Event]:
        """One run."""
        file = source.document(_File)
        if file is None:
            return
        talk = Conversation()
        history = [message for message in items(file.history) if not fields(message).get("is_demo")]
        if file.trajectory:
            steps = [step for step in (_step(raw, source) for raw in file.trajectory) if step]
            yield talk.started(_model(file), self.name, _folder(steps))
            yield from _task(talk, history)
            for number_, step in enumerate(steps, 1):
                yield from _step_events(talk, step, number_)
        else:
            yield talk.started(None, self.name)
            for _, message in messages_read(history, source):
                yield from talk.take(message)
        yield from _spent(talk, fields(file.info))


def _step(raw: msgspec.Raw, source: Source) -> _Step | None:
    try:
        return from_json(raw, _Step)
    except FAULTS as error:
        source.skip(f"a step: {error}")
        return None


def _task(talk: Conversation, history: list[Any]) -> Iterator[Event]:
    """The issue is the first message of the user that is not a demonstration; later ones are observations."""
    said = next((message.get("content") for message in history if fields(message).get("role") == "user"), None)
    if isinstance(said, list):
        said = "\n".join(text(fields(part).get("text")) for part in said)
    if text(said):
        yield events.UserSpoke(text=text(said))


def _step_events(talk: Conversation, step: _Step, number_: int) -> Iterator[Event]:
    if said := step.thought or step.response:
        yield events.AgentSpoke(text=said)
    if action := (step.action or "").strip():
        call = f"step {number_}"
        yield talk.asked(call, "bash", {"command": action})
        yield talk.answered(call, output=step.observation or "")


def _spent(talk: Conversation, info: dict[str, Any]) -> Iterator[Event]:
    stats = fields(info.get("model_stats"))
    usage = {"input_tokens": number(stats.get("tokens_sent")), "output_tokens": number(stats.get("tokens_received"))}
    yield from talk.used(usage, stats.get("instance_cost") or stats.get("total_cost"))
    if text(info.get("exit_status")):
        yield events.RunEnded(outcome=info["exit_status"])


def _model(file: _File) -> object:
    return fields(fields(fields(decoded(file.replay_config)).get("agent")).get("model")).get("name")


def _folder(steps: list[_Step]) -> object:
    return fields(decoded(steps[0].state)).get("working_dir") if steps else None
