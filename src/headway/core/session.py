"""The memory of one agent in one run.

Only `apply` changes it, one event at a time. Everything in it is bounded: the sizes are settings. Totals
count the whole run, lists and maps hold the recent part of it.
"""

from datetime import timedelta
from typing import Any

import msgspec

from headway.core import events
from headway.core.events import Event
from headway.core.files import FileRecord, tidy
from headway.core.iteration import Iteration, Measurements
from headway.core.ledger import Ledger
from headway.core.pairing import Pairing
from headway.core.patterns import Pattern
from headway.core.sizes import Sizes
from headway.core.step import Call, Step
from headway.core.turn import Turn
from headway.rolling.bounded import count, push, put
from headway.rolling.text import clean, clip
from headway.tools.meaning import Vocabulary

KEPT_TEXT = 4_000
"""Characters that are kept of a round's output."""


class Session(msgspec.Struct):
    """What one agent did in one run."""

    run: str = ""
    agent: str = ""
    task: str | None = None
    model: str | None = None
    root: str | None = None
    targets: tuple[str, ...] = ()
    program: str | None = None
    sizes: Sizes = Sizes()

    calls: list[Call] = []
    steps: list[Step] = []
    errors: list[Step] = []
    iterations: list[Iteration] = []
    pairing: Pairing = msgspec.field(default_factory=Pairing)
    files: dict[str, FileRecord] = {}
    outputs: dict[int, None] = {}
    turn: Turn = msgspec.field(default_factory=Turn)
    ledger: Ledger = msgspec.field(default_factory=Ledger)

    event_count: int = 0
    last_seq: int = 0
    started_at: float | None = None
    last_at: float | None = None
    step_count: int = 0
    turn_count: int = 0
    """Agent turns: what the agent says and asks for between two results is one turn."""
    user_turn_count: int = 0
    tool_call_count: int = 0
    error_count: int = 0
    consecutive_errors: int = 0
    change_count: int = 0
    last_change: int = 0
    """Step of the latest change to any file."""
    last_compaction: int = 0
    """Step after which the context was last compacted."""
    iteration_count: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float = 0.0
    stopped: str | None = None
    """Why a person stopped the run."""
    ended: bool = False
    tool_counts: dict[str, int] = {}
    error_counts: dict[str, int] = {}
    agent_is_speaking: bool = False
    last_batch: str | None = None

    def apply(self, event: Event, vocabulary: Vocabulary) -> Step | Iteration | None:
        """Take in one event; return the step or round it completes, if it completes one."""
        self._note_origin(event)
        match event:
            case events.ToolCalled():
                self._on_call(event, vocabulary)
            case events.ToolReturned():
                return self._on_result(event, vocabulary)
            case events.AgentSpoke():
                self._on_agent_turn()
            case events.UserSpoke():
                self.user_turn_count += 1
                self.agent_is_speaking = False
                self.turn = Turn(first_step=self.step_count + 1)
                self.ledger.close_turn()
                for record in self.files.values():
                    record.note_turn()
            case events.ContextCompacted():
                self.last_compaction = self.step_count
                for record in self.files.values():
                    record.note_compaction()
            case events.Used():
                self.tokens_in += event.tokens_in
                self.tokens_out += event.tokens_out
                self.cost_usd += event.cost_usd
            case events.Stopped():
                self.stopped = event.reason or "stopped by a person"
            case events.IterationEnded():
                return self._on_iteration(event)
            case events.RunStarted():
                self._on_start(event)
            case events.RunEnded():
                self.ended = True
        return None

    # What seeds 002 and 000 ask of a trajectory

    @property
    def unique_tools_used(self) -> frozenset[str]:
        """Names of the tools that were called."""
        return frozenset(self.tool_counts)

    @property
    def duration(self) -> timedelta:
        """Time from the first event to the latest, as far as events carry times."""
        if self.started_at is None or self.last_at is None:
            return timedelta(0)
        return timedelta(seconds=min(self.last_at - self.started_at, 1e9))

    def recent_tool_calls(self, n: int) -> list[Call]:
        """The latest calls, oldest first, whether or not their results are known."""
        return self.calls[-n:] if n > 0 else []

    def recent_errors(self, n: int) -> list[Step]:
        """The latest failed steps, oldest first."""
        return self.errors[-n:] if n > 0 else []

    def tool_frequency(self) -> dict[str, int]:
        """How often each tool was called."""
        return dict(self.tool_counts)

    def error_frequency(self) -> dict[str, int]:
        """How often each error occurred, by normalised message."""
        return dict(self.error_counts)

    def patterns(self) -> dict[str, Pattern]:
        """What is going on now, by detector id."""
        return {entry.finding.detector: Pattern(entry) for entry in self.ledger.active(self.step_count)}

    def has_pattern(self, pattern_type: str) -> bool:
        """Whether a detector's pattern is going on now."""
        return any(entry.finding.detector == pattern_type for entry in self.ledger.active(self.step_count))

    def metrics(self) -> dict[str, Any]:
        """Seed 000's counters for the current user turn."""
        return {**self.turn.metrics(), "recent_calls": list(self.calls)}

    # What detectors ask

    @property
    def fresh_from(self) -> int:
        """First step of what the agent can be expected to remember: since the user spoke and since a compaction."""
        return max(self.turn.first_step, self.last_compaction + 1)

    def path_of(self, step: Step) -> str | None:
        """The step's file or folder in its one spelling."""
        return tidy(step.meaning.path, self.root) if step.meaning.path else None

    def previous(self, step: Step) -> Step | None:
        """The step before this one."""
        back = self.step_count - step.number + 2
        return self.steps[-back] if 0 < back <= len(self.steps) else None

    def in_same_batch(self, step: Step, other: Step) -> bool:
        """Whether two steps were asked for at the same time, so that neither could learn from the other."""
        return step.call.batch is not None and step.call.batch == other.call.batch

    # How events are taken in

    def _note_origin(self, event: Event) -> None:
        self.event_count += 1
        if event.seq is not None:
            self.last_seq = event.seq
        if event.at is not None:
            self.started_at = event.at if self.started_at is None else min(self.started_at, event.at)
            self.last_at = event.at if self.last_at is None else max(self.last_at, event.at)

    def _on_start(self, event: events.RunStarted) -> None:
        self.task = event.task or self.task
        self.model = event.model or self.model
        self.targets = event.targets or self.targets
        self.program = event.program or self.program
        if event.root:
            self.root = tidy(event.root, None)

    def _on_agent_turn(self, batch: str | None = None) -> None:
        same_batch = batch is not None and batch == self.last_batch
        if not self.agent_is_speaking and not same_batch:
            self.turn_count += 1
        self.agent_is_speaking = True
        self.last_batch = batch

    def _on_call(self, event: events.ToolCalled, vocabulary: Vocabulary) -> None:
        call = Call.of(event, vocabulary, self.tool_call_count + 1)
        if not self.pairing.is_repeated(call):
            self._note_call(call)
            self.pairing.open(call, self.sizes.waiting_calls)

    def _note_call(self, call: Call) -> None:
        self._on_agent_turn(call.batch)
        self.tool_call_count += 1
        count(self.tool_counts, call.tool_name, self.sizes.names)
        push(self.calls, call, self.sizes.window_size)

    def _on_result(self, event: events.ToolReturned, vocabulary: Vocabulary) -> Step | None:
        repeated = event.call in self.pairing.finished and event.call not in self.pairing.waiting
        call = self.pairing.close(event.call, self.sizes.waiting_calls)
        if repeated:
            return None
        if call is None:  # a result whose call we did not see still tells something
            call = Call.of(events.ToolCalled(call=event.call, tool=""), vocabulary, self.tool_call_count + 1)
            self._note_call(call)
        self.agent_is_speaking = False
        self.step_count += 1
        step = Step.of(call, event, self.step_count, seen=self.outputs)
        put(self.outputs, step.digest, None, self.sizes.outputs)
        push(self.steps, step, self.sizes.window_size)
        self._note_outcome(step)
        self._note_files(step)
        return step

    def _note_outcome(self, step: Step) -> None:
        if not step.failed:
            self.consecutive_errors = 0
            return
        self.error_count += 1
        self.consecutive_errors += 1
        push(self.errors, step, self.sizes.window_size)
        count(self.error_counts, step.signature, self.sizes.names)

    def _note_files(self, step: Step) -> None:
        if step.hits is not None:
            self.turn.note_search(step.hits)
        if step.changed:
            self.change_count += 1
            self.last_change = step.number
        if step.failed or step.denied:
            return
        for path in step.meaning.paths or ((step.meaning.path,) if step.meaning.path else ()):
            self._note_file(step, tidy(path, self.root))

    def _note_file(self, step: Step, path: str) -> None:
        self.turn.note_place(step, path, self.sizes.names)
        if step.kind == "read" or step.changed:
            record = self.files.get(path) or FileRecord()
            if step.changed:
                record.note_change(step.number)
            else:
                record.note_read(step.meaning.lines, step.digest, step.number, self.sizes.reread_share)
            put(self.files, path, record, self.sizes.files)

    def _on_iteration(self, event: events.IterationEnded) -> Iteration:
        output = clip(clean(event.output), KEPT_TEXT)
        iteration = Iteration(self.iteration_count, output, event.measured or Measurements())
        self.iteration_count += 1
        push(self.iterations, iteration, self.sizes.iterations)
        return iteration
