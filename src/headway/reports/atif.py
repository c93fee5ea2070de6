"""Write events as trajectories in Harbor's interchange format (ATIF), one per run.

A trajectory consists of steps: messages of the user, messages and calls of the agent with their results, and actions of
the system. A result is stored in the step with its call, so a run is written when it is complete. Whatever ATIF has no
field for (a failure, an exit code, advice, a compaction) is stored under `extra`, where other programs ignore it and
Headway reads it back.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from headway.core import events
from headway.core.events import Event

VERSION = "ATIF-v1.7"
EVENT = "headway_event"
"""Key of a complete event for which ATIF has no field."""

Object = dict[str, Any]


class Trajectories:
    """Collects events and returns one trajectory per run. Sub-agents are embedded in the trajectory of their run."""

    def __init__(self) -> None:
        self._runs: dict[str, dict[str, _Trajectory]] = {}

    def take(self, event: Event) -> None:
        """Add one event."""
        agents = self._runs.setdefault(event.run, {})
        if event.agent not in agents:
            agents[event.agent] = _Trajectory()
        agents[event.agent].take(event)

    def finished(self) -> Iterator[Object]:
        """Return all trajectories so far and forget them."""
        runs, self._runs = self._runs, {}
        for run, agents in runs.items():
            main = agents.pop("", None) or _Trajectory()
            document = main.document(run)
            inner = [agent.document(run, name) for name, agent in agents.items()]
            yield document | ({"subagent_trajectories": inner} if inner else {})


class _Trajectory:
    """The steps of one agent in one run."""

    def __init__(self) -> None:
        self.about = events.RunStarted()
        self.steps: list[Object] = []
        self.asked_in: dict[str, Object] = {}
        """Steps with calls that have no result yet."""
        self.agent_step: Object | None = None
        self.batch: str | None = None
        self.spent = events.Used()

    def take(self, event: Event) -> None:
        if isinstance(event, events.RunStarted):
            self._started(event)
        elif isinstance(event, events.UserSpoke) and event.text and event.starts_turn:
            self._step("user", event.text, event.at)
        elif isinstance(event, events.AgentSpoke) and event.text:
            self._agent(event.text, event.at)
        elif isinstance(event, events.ToolCalled):
            self._called(event)
        elif isinstance(event, events.ToolReturned) and event.call in self.asked_in:
            self._returned(event)
        elif isinstance(event, events.Used):
            self._used(event)
        else:
            self._other(event)

    def document(self, run: str, name: str = "") -> Object:
        if not self.steps:
            self._other(self.about)  # a trajectory has at least one step
        about, spent = self.about, self.spent
        agent = {"name": about.program or "unknown", "version": "unknown", "model_name": about.model}
        totals = {
            "total_prompt_tokens": spent.tokens_in or None,
            "total_completion_tokens": spent.tokens_out or None,
            "total_cached_tokens": spent.tokens_cached or None,
            "total_cost_usd": spent.cost_usd or None,
            "total_steps": len(self.steps),
        }
        return _known(
            schema_version=VERSION,
            session_id=run or None,
            trajectory_id=name or None,
            agent=_known(**agent),
            steps=self.steps,
            final_metrics=_known(**totals),
            extra={"root": about.root} if about.root else None,
        )

    def _started(self, event: events.RunStarted) -> None:
        told = {field: value for field in event.__struct_fields__ if (value := getattr(event, field)) not in (None, "")}
        self.about = msgspec.structs.replace(self.about, **{"seq": None, **told})

    def _step(self, source: str, message: str, at: float | None, **more: Any) -> Object:
        step = _known(step_id=len(self.steps) + 1, timestamp=_iso(at), source=source, message=message, **more)
        self.steps.append(step)
        self.agent_step, self.batch = None, None
        return step

    def _agent(self, message: str, at: float | None) -> Object:
        step = self._step("agent", message, at)
        self.agent_step = step
        return step

    def _called(self, event: events.ToolCalled) -> None:
        step = self.agent_step
        if step is None or ("tool_calls" in step and (event.batch is None or event.batch != self.batch)):
            step = self._agent("", event.at)
        call = {"tool_call_id": event.call, "function_name": event.tool, "arguments": dict(event.args)}
        step.setdefault("tool_calls", []).append(call)
        self.asked_in[event.call] = step
        self.batch = event.batch

    def _returned(self, event: events.ToolReturned) -> None:
        step = self.asked_in.pop(event.call)
        noted = _known(
            failed=event.failed,
            exit_code=event.exit_code,
            denied=event.denied or None,
            hits=event.hits,
            timestamp=_iso(event.at),
        )
        result = _known(source_call_id=event.call, content=event.output, extra=noted or None)
        step.setdefault("observation", {"results": []})["results"].append(result)

    def _used(self, event: events.Used) -> None:
        step = self.agent_step or next((s for s in reversed(self.steps) if s["source"] == "agent"), None)
        step = step or self._agent("", event.at)
        before = step.get("metrics", {})
        step["metrics"] = {
            "prompt_tokens": before.get("prompt_tokens", 0) + event.tokens_in,
            "completion_tokens": before.get("completion_tokens", 0) + event.tokens_out,
            "cached_tokens": before.get("cached_tokens", 0) + event.tokens_cached,
            "cost_usd": before.get("cost_usd", 0.0) + event.cost_usd,
        }
        self.spent = events.Used(
            tokens_in=self.spent.tokens_in + event.tokens_in,
            tokens_out=self.spent.tokens_out + event.tokens_out,
            cost_usd=self.spent.cost_usd + event.cost_usd,
            tokens_cached=self.spent.tokens_cached + event.tokens_cached,
        )

    def _other(self, event: Event) -> None:
        whole = msgspec.to_builtins(msgspec.structs.replace(event, run="", agent="", seq=None))
        said = next(
            (text for name in ("text", "reason", "output", "outcome") if (text := getattr(event, name, None))), ""
        )
        self._step("system", said or str(whole["type"]).replace("_", " "), event.at, extra={EVENT: whole})


def _known(**values: Any) -> Object:
    """The values that are known; ATIF leaves out the rest."""
    return {name: value for name, value in values.items() if value is not None}


def _iso(at: float | None) -> str | None:
    try:
        return None if at is None else datetime.fromtimestamp(at, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return None
