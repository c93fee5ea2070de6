"""The session: the memory of one agent in one run, and how events change it.

Only `apply` changes it, one event at a time.
"""

from collections.abc import Iterable
from math import inf, isfinite

import msgspec

from headway.core import events
from headway.core.call import Call
from headway.core.decision import Action, Decision
from headway.core.events import Event
from headway.core.iteration import Iteration, Measurements
from headway.core.memory import KEPT_PAUSES, Memory
from headway.core.paths import project_path
from headway.core.step import EXPLORING, KEPT_OUTPUT, Step
from headway.core.turn import Turn
from headway.rolling.bounded import count, push
from headway.rolling.text import clean, clip
from headway.tools.agent_names import program_name
from headway.tools.asked_repeats import asked_repeats
from headway.tools.envelope import Output
from headway.tools.meaning import Vocabulary
from headway.tools.problems_seen import problems_seen
from headway.tools.request import named_paths, speaks_of_tests
from headway.tools.tests_seen.seen import tests_seen

MOST = 10**15
"""Larger amounts of tokens or money in one report are implausible."""
KEPT_ROUND = 400_000
"""Characters of the latest round's output that are kept, in order to compare the next one with it."""
KEPT_TEXT = 4_000
"""Characters that are kept of the output of earlier rounds."""


class Session(Memory):
    """What one agent did in one run, taken in event by event."""

    def apply(self, event: Event, vocabulary: Vocabulary) -> Step | Iteration | None:
        """Take in one event; return the step or round it completes, if it completes one."""
        self.event_count += 1
        if event.seq is not None:
            self.last_seq = event.seq
        if event.at is not None:
            self._note_time(event.at)
        self.asking = self.ended_round = None
        if isinstance(event, events.ToolReturned):
            return self._on_result(event, vocabulary)
        if isinstance(event, events.ToolCalled):
            self._on_call(event, vocabulary)
            return None
        match event:
            case events.Used():
                self.use_count += 1
                self.tokens_in += int(amount(event.tokens_in))
                self.tokens_out += int(amount(event.tokens_out))
                self.cost_usd += amount(event.cost_usd)
            case events.AgentSpoke():
                self._end_talk()
                self._on_agent_turn()
                self.talk = len(event.text.strip())
                self.message_length += len(event.text)
            case events.UserSpoke():
                self._on_user_turn(event.text)
            case events.ContextCompacted():
                self.last_compaction = self.step_count
                self.novelty.seen.clear()  # what was read before has to be read again
                self.ledger.note_compaction()
                self.files.note_compaction()
            case events.Stopped():
                self.stopped = event.reason or "stopped by a person"
            case events.IterationEnded():
                return self._on_iteration(event)
            case events.RunStarted():
                self._on_start(event)
            case events.RunEnded():
                self._end_talk()
                self.ended = True
        return None

    def _note_time(self, at: float) -> None:
        if isfinite(at):
            if self.started_at is None or at < self.started_at:
                self.started_at = at
            if self.last_at is None or at > self.last_at:
                self.last_at = at

    def _on_start(self, event: events.RunStarted) -> None:
        if event.root:
            self.root = project_path(None, event.root)
        self.task = event.task or self.task
        self.model = event.model or self.model
        self.targets = tuple(project_path(self.root, target) for target in event.targets) or self.targets
        self.program = program_name(event.program) if event.program else self.program

    def _on_user_turn(self, text: str) -> None:
        self._end_talk()
        self.user_turn_count += 1
        self.low_output_turns = self.exploration_count = 0
        self.explored_since_target = None
        self.stopped = None
        self.agent_is_speaking = False
        self.targets = named_paths(text) or self.targets
        self.tests.note_turn()
        self.turn = Turn(
            first_step=self.step_count + 1,
            first_call=self.tool_call_count + 1,
            about_tests=speaks_of_tests(text),
            asked_repeats=asked_repeats(text),
        )
        self.ledger.close_turn()
        self.files.note_turn()

    def _end_talk(self) -> None:
        """A turn is over in which the agent spoke and called nothing."""
        if self.talk is not None:
            self.idle_turn_count += 1
            is_little = self.talk < (self.limits.min_content_threshold or 0)
            self.low_output_turns = self.low_output_turns + 1 if is_little else 0
            self.talk, self.agent_is_speaking = None, False

    def _on_agent_turn(self, batch: str | None = None) -> None:
        same_batch = batch is not None and batch == self.last_batch
        if not self.agent_is_speaking and not same_batch:
            self.turn_count += 1
        self.agent_is_speaking = True
        self.last_batch = batch

    def _on_call(self, event: events.ToolCalled, vocabulary: Vocabulary) -> None:
        call = Call.of(event, vocabulary, self.tool_call_count + 1)
        if not self.pairing.is_repeated(call):
            self.asking = call
            self._note_call(call)
            self.pairing.open(call, self.sizes.waiting_calls)

    def _note_call(self, call: Call) -> None:
        self._on_agent_turn(call.batch)
        self.talk, self.low_output_turns = None, 0
        self.tool_call_count += 1
        count(self.tool_counts, call.tool_name, self.sizes.names)
        push(self.calls, call, self.sizes.window_size)

    def _on_result(self, event: events.ToolReturned, vocabulary: Vocabulary) -> Step | None:
        repeated = event.call in self.pairing.finished and event.call not in self.pairing.waiting
        call = self.pairing.close(event.call, self.sizes.waiting_calls)
        if repeated:
            return None
        if call is None:  # a result whose call we did not see still tells something
            unseen = events.ToolCalled(call=event.call, tool="", args={"id": event.call})  # equal to no other call
            call = Call.of(unseen, vocabulary, self.tool_call_count + 1)
            self._note_call(call)
        self.agent_is_speaking = False
        self.step_count += 1
        step = self._completed(call, event)
        self.message_length = 0
        push(self.steps, step, self.sizes.window_size)
        self._note_pace(step)
        self._note_outcome(step)
        self._note_goal(step)
        self._note_files(step)
        self.turn.note_repeat(step)
        if step.meaning.waits:
            self.last_wait = step.number
        return step

    def _completed(self, call: Call, event: events.ToolReturned) -> Step:
        runs_something = call.meaning.kind in ("test", "run", "build") or call.meaning.runs
        output = Output(clean(event.output), event.exit_code)
        tests = tests_seen(output) if runs_something else None
        if tests is not None:
            self.tests.note(
                call,
                tests,
                self.step_count,
                max(self.changes.last_effect, self.last_compaction, self.last_wait),
                is_untouched=self.changes.last < self.turn.first_step,
            )
        elif runs_something and (problems := problems_seen(output)) and problems.errors is not None:
            self.tests.note_problems(call, problems.errors, self.step_count)
        same = [step for step in self.steps if step.call.digest == call.digest]
        return Step.of(
            call,
            event,
            self.step_count,
            output=output,
            path=project_path(self.root, call.meaning.path) if call.meaning.path else None,
            novelty=self.novelty.share(clip(output.body, KEPT_OUTPUT)),
            tests=tests,
            better=self.tests.improved_at == self.step_count,
            before=same[-1] if same else None,
            idle=self.changes.is_idle(call, len(same)),
            message_length=self.message_length,
        )

    def _note_pace(self, step: Step) -> None:
        paused = None if step.at is None or step.again else self.pause_before(step)
        if paused is not None and 0 <= paused < inf:
            push(self.pauses, paused, KEPT_PAUSES)

    def _note_outcome(self, step: Step) -> None:
        if not step.failed:
            self.consecutive_errors = 0
            self.last_learnt = step.number if step.news else self.last_learnt
            return
        self.error_count += 1
        self.consecutive_errors += not step.denied  # a call that did not run neither failed nor succeeded
        push(self.errors, step, self.sizes.window_size)
        count(self.error_counts, step.signature, self.sizes.names)

    def _note_goal(self, step: Step) -> None:
        kind = step.kind
        if kind in EXPLORING:
            self.exploration_count += 1
            if self.explored_since_target is not None:
                self.explored_since_target += 1
        if kind == "read" and not step.failed and self._is_target(step.path):
            self.target_read, self.explored_since_target = True, self.explored_since_target or 0
        if kind in ("test", "build"):
            self.last_check = step.number
            self.last_verified = step.number if not step.failed else self.last_verified
        self.changes.note(step)
        if step.changed:
            self.exploration_count, self.explored_since_target = 0, None

    def _is_target(self, path: str | None) -> bool:
        return path is not None and any(path == target or path.endswith(f"/{target}") for target in self.targets)

    def _note_files(self, step: Step) -> None:
        if step.hits is not None:
            self.turn.note_search(step.hits)
        if step.changed:
            self.turn.consecutive_empty = 0
        if step.failed or step.denied:
            return
        if step.path is not None and not step.meaning.paths:
            self._note_file(step, step.path)
        for path in step.meaning.paths:
            self._note_file(step, project_path(self.root, path))

    def _note_file(self, step: Step, path: str) -> None:
        self.turn.note_place(step, path, self.sizes.names)
        if step.changed:
            self.files.touched(path).note_change(step.call.edit, step.number)
        elif step.kind == "read" and not self.waits(step):
            since = max(self.changes.last_anywhere, self.changes.of_other_spelling(path), self.last_wait)
            self.files.touched(path).note_read(step, self.sizes.reread_share, since)

    def _on_iteration(self, event: events.IterationEnded) -> Iteration:
        self.previous_output = self.round_output
        self.round_output = None if event.output is None else clip(clean(event.output), KEPT_ROUND)
        iteration = Iteration(
            number=self.iteration_count,
            output=self.round_output,
            measured=event.measured or Measurements(),
            changes=event.changes,
            based_on=event.based_on,
            snapshot=event.snapshot,
            at=event.at,
        )
        self.iteration_count += 1
        return iteration

    def note_round(self, iteration: Iteration) -> None:
        """Keep a round after it has been scored; of its output only a part."""
        output = None if iteration.output is None else clip(iteration.output, KEPT_TEXT)
        kept = msgspec.structs.replace(iteration, output=output)
        self.iterations.append(kept)
        if len(self.iterations) > self.sizes.iterations:
            self.iterations.remove(next(one for one in self.iterations if not self._is_kept_for_ever(one)))
        self.ended_round = kept

    def note_way_back(self, decision: Decision) -> None:
        """Remember where the work was sent back to. A stop for the same cause again changes nothing about that.

        A round that went forward and may stay settles what broke before it.
        """
        if decision.action is Action.ROLLBACK:
            self.sent_back_to = decision.back_to
        elif self.ended_round is not None and not self.ledger.has_rolled_back(decision.findings):
            self.sent_back_to = None
            if self.ended_round.verdict == "forward":
                self.ledger.forgive_rollbacks()

    def begin_again(self, rounds: Iterable[Iteration]) -> None:
        """Compare with these rounds from here on: the files of all others have been changed from outside."""
        self.iterations[:] = rounds
        self.ended_round, self.sent_back_to = self.iterations[-1], None

    def _is_kept_for_ever(self, one: Iteration) -> bool:
        """The baseline, the latest and the best rounds are never forgotten."""
        best = max((other.quality.value for other in self.iterations if other.number and other.quality), default=None)
        is_best = one.quality is not None and one.quality.value == best
        return one.number == 0 or is_best or one is self.iterations[-1]


def amount(given: float) -> float:
    """What was used: nothing where the number is none, is negative, or is more than anybody uses."""
    return given if 0 <= given <= MOST else 0  # also 0 for `nan`, which is not between anything
