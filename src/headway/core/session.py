"""What is known of one agent in one run, and the questions that can be asked about it.

Everything is bounded: the sizes are settings. Totals count the whole run, lists and maps hold the recent part of it.
"""

from typing import TYPE_CHECKING

import msgspec

from headway.core.apply import take_in
from headway.core.call import Call
from headway.core.events import Event
from headway.core.files import FileRecord, Files, Looks
from headway.core.iteration import Iteration
from headway.core.ledger import Clock, Ledger
from headway.core.limits import Limits, Sizes
from headway.core.notes import HOW, Note
from headway.core.parts import Exploration, Marks, Pairing, Shell, Spending, Talk, Turn
from headway.core.repeats import Changes
from headway.core.step import Step
from headway.core.testing import TestLog
from headway.rolling.bounded import Novelty
from headway.tools.meaning import Vocabulary

if TYPE_CHECKING:
    from datetime import timedelta

KNOWN_PAUSES = 3
"""Pauses it takes to know an agent's pace."""


class Session(msgspec.Struct, dict=True):
    """What one agent did in one run."""

    run: str = ""
    """Id of the run."""
    agent: str = ""
    """Id of the agent, where several work in one run."""
    task: str | None = None
    """The task type, if given."""
    model: str | None = None
    """The model, if known."""
    root: str | None = None
    """The project's folder, if known."""
    targets: tuple[str, ...] = ()
    """Files that the user named."""
    program: str | None = None
    """The agent program: claude-code, codex, …"""
    sizes: Sizes = Sizes()
    """How much is remembered."""
    limits: Limits = Limits()
    """The limits of this run."""
    guessed_task: str | None = None
    """The task type guessed from the first request, if none was given."""

    calls: list[Call] = []
    """The latest calls, oldest first, whether or not their results are known."""
    steps: list[Step] = []
    """The latest steps, oldest first; the last one is the current one."""
    errors: list[Step] = []
    """The latest failed steps, oldest first."""
    iterations: list[Iteration] = []
    """The rounds so far: the baseline, the best and the latest ones."""
    pairing: Pairing = msgspec.field(default_factory=Pairing)
    files: Files = msgspec.field(default_factory=Files)
    """What is known of each file."""
    tests: TestLog = msgspec.field(default_factory=TestLog)
    """The results of test runs."""
    novelty: Novelty = msgspec.field(default_factory=Novelty)
    turn: Turn = msgspec.field(default_factory=Turn)
    """What was counted since the user's last message."""
    changes: Changes = msgspec.field(default_factory=Changes)
    """What has changed, and when."""
    shell: Shell = msgspec.field(default_factory=Shell)
    """The folder that the agent's shell is in."""
    ledger: Ledger = msgspec.field(default_factory=Ledger)
    """What was found, and what was done about it."""
    marks: Marks = msgspec.field(default_factory=Marks)
    """When something last happened."""
    exploration: Exploration = msgspec.field(default_factory=Exploration)
    """Looking around without changing anything."""
    looks: Looks = msgspec.field(default_factory=Looks)
    """Whether what calls returned was recorded."""
    talk: Talk = msgspec.field(default_factory=Talk)
    """What the agent says."""
    spending: Spending = msgspec.field(default_factory=Spending)
    """What the run has used."""

    event_count: int = 0
    last_seq: int = 0
    started_at: float | None = None
    """Time of the first event that has one."""
    last_at: float | None = None
    """Time of the latest event that has one."""
    step_count: int = 0
    """Steps in the whole run."""
    turn_count: int = 0
    """Agent turns: what the agent says and asks for between two results is one turn."""
    user_turn_count: int = 0
    """Messages of the user."""
    tool_call_count: int = 0
    """Calls in the whole run."""
    error_count: int = 0
    """Failed steps in the whole run."""
    consecutive_errors: int = 0
    """Failed steps in a row, up to now."""
    iteration_count: int = 0
    """Rounds that have ended, the baseline included."""
    sent_back_to: int | None = None
    """The round that the latest rollback restored, until a round ends that is not rolled back."""
    round_output: str | None = None
    """The output of the latest round."""
    previous_output: str | None = None
    """The output of the round before it."""
    stopped: str | None = None
    """Why a person stopped the run."""
    ended: bool = False
    """The run is over."""
    pauses: list[float] = []
    """Recent pauses, in seconds, between a result and a call that had not been made before: the agent's own pace."""
    tool_counts: dict[str, int] = {}
    """How often each tool was called."""
    error_counts: dict[str, int] = {}
    """How often each error occurred, by normalised message."""

    def apply(self, what: Event | Note, vocabulary: Vocabulary | None = None) -> Step | Iteration | None:
        """Process an event or a note: the only thing that changes a session.

        Returns the step or round that an event completes, if it completes one.
        """
        take_note = HOW.get(type(what))  # `isinstance` is slow, and most are events
        if take_note is None:
            return take_in(self, what, vocabulary or Vocabulary.packaged())  # type: ignore[arg-type]
        take_note(self, what)
        return None

    # What is true only at the current event is stored outside the fields, and is not saved.

    @property
    def asking(self) -> Call | None:
        """The call that is being requested now."""
        call: Call | None = self.__dict__.get("asking")
        return call

    @property
    def heard_news(self) -> bool:
        """A machine has just reported something that the agent did not know."""
        return "heard" in self.__dict__

    @property
    def ended_round(self) -> Iteration | None:
        """The round that has just ended."""
        iteration: Iteration | None = self.__dict__.get("ended_round")
        return iteration

    @property
    def duration(self) -> "timedelta":
        """Time from the first event to the latest, as far as events have times."""
        from datetime import timedelta  # slow to import before Python 3.12, and seldom asked for

        if self.started_at is None or self.last_at is None:
            return timedelta(0)
        return timedelta(seconds=min(self.last_at - self.started_at, 1e9))

    @property
    def clock(self) -> Clock:
        """How far this run has come."""
        return Clock(self.step_count, self.iteration_count, self.turn_count, self.event_count, self.last_at)

    @property
    def fresh_from(self) -> int:
        """First step that the agent can be expected to remember: after the user's last message and any compaction."""
        turn, compaction = self.turn.first_step, self.marks.compacted
        return turn if turn > compaction else compaction + 1

    @property
    def fresh_steps(self) -> list[Step]:
        """The steps that the agent can be expected to remember, oldest first; the last one is the current one."""
        older = self.fresh_from - 1 - (self.step_count - len(self.steps))  # steps kept from before that
        return self.steps[max(0, older) :]

    def round_that_worked(self, iteration: Iteration) -> Iteration | None:
        """The round whose working tests must still pass: the one that a rollback restored, or the one before.

        If the start of a round is not given, the rollback may not have been done, and broken tests are still broken.
        """
        if iteration.based_on is None and self.sent_back_to is not None:
            return next((one for one in self.iterations if one.number == self.sent_back_to), None)
        return self.round_before(iteration)

    def round_before(self, iteration: Iteration) -> Iteration | None:
        """The round that a round began from."""
        return next((one for one in reversed(self.iterations) if one.number == iteration.began_from), None)

    def file_of(self, step: Step) -> FileRecord | None:
        """What is known of the step's file."""
        return self.files.get(step.path)

    def is_expected_repeat(self, step: Step) -> bool:
        """Whether repeating this step says nothing about the agent.

        It waits, or repeats a call after a wait, a long pause or a report, or the user has asked for it.
        """
        if self.turn.asked_until and self.turn.asked_for(step):
            return True
        meaning = step.call.meaning
        if meaning.kind == "poll" or step.let_time_pass:  # a status (see busy_polling)
            return not step.is_no_wait
        if meaning.kind == "ask":  # a person, who may answer something else
            return not step.answers_the_same
        if step.failed and meaning.kind in ("edit", "write") and meaning.command is None:
            return False  # an edit that does not fit will not fit a minute later either
        if step.again and self._is_first_since_wait(step):
            return True
        return step.again and self.rested(step, self.sizes.wait_gap) and self.rested(step, self._long_pause)

    def _is_first_since_wait(self, step: Step) -> bool:
        """Whether the agent has waited, or a machine reported, in this turn and the call was not made again since."""
        latest = max(self.marks.heard, self.marks.waited)
        if not latest or not self.turn.first_step - 1 <= latest < step.number:
            return False
        since = self.steps[latest - self.step_count :]
        return all(other.number == step.number or other.call.digest != step.call.digest for other in since)

    @property
    def _long_pause(self) -> float:
        """Seconds that are long for this agent: a multiple of its usual pause; 0 while its pace is unknown."""
        known = sorted(self.pauses)
        return self.sizes.wait_pace * known[len(known) // 2] if len(known) >= KNOWN_PAUSES else 0.0

    def rested(self, step: Step, seconds: float) -> bool:
        """Whether at least this many seconds are known to have passed between the previous result and this call."""
        paused = self.pause_before(step)
        return paused is not None and paused >= seconds

    def pause_before(self, step: Step) -> float | None:
        """Seconds between the previous result and this call, minus writing time; None if a time is unknown."""
        previous = self.previous(step)
        asked = step.call.at if step.call.at is not None else step.at
        if previous is None or previous.at is None or asked is None:
            return None
        return asked - previous.at - step.message_length / self.sizes.writing_speed

    def previous(self, step: Step) -> Step | None:
        """The step before this one."""
        back = self.step_count - step.number + 2
        return self.steps[-back] if 0 < back <= len(self.steps) else None

    def continues_batch(self, step: Step) -> bool:
        """Whether this step was requested at the same time as the one before it."""
        previous = None if step.call.batch is None else self.previous(step)
        return previous is not None and self.in_same_batch(step, previous)

    def failed_lately(self, times: int, window: int, since: int = 0) -> bool:
        """Whether `times` of the latest `window` steps after `since` failed: a quick check before looking closer."""
        return len(self.errors) >= times and self.errors[-times].number > max(since, self.step_count - window)

    def in_same_batch(self, step: Step, other: Step) -> bool:
        """Whether two steps were requested at the same time, so that neither could learn from the other."""
        return step.call.batch is not None and step.call.batch == other.call.batch
