"""Runs a loop: determines the next move, makes it and records it, until the loop is over."""

from collections.abc import Callable
from contextlib import suppress

from headway.loop import facts
from headway.loop.agent_rounds import AgentRounds
from headway.loop.done import with_warnings
from headway.loop.edits import find_edits
from headway.loop.examination import unkept_now
from headway.loop.fate import round_outcome
from headway.loop.finishing import RESTORE_ERRORS, finish_loop, give_up
from headway.loop.ignored_files import changed_since
from headway.loop.moves import Assess, Finish, Move, Over, RollBack, Work, next_move
from headway.loop.open_loop import OpenLoop
from headway.loop.round_measuring import RoundMeasuring
from headway.loop.state import LoopState
from headway.reports.iteration_markdown import fate, round_name
from headway.reports.suite import names_of


class Runner:
    """Makes the moves of a loop."""

    def __init__(self, loop: OpenLoop, *, agrees: Callable[[str], bool] | None = None) -> None:
        self.loop, self._state, self._agrees = loop, loop.state, agrees
        self._agent, self._measuring = AgentRounds(loop), RoundMeasuring(loop)

    def run(self) -> LoopState:
        """Run until the loop is over."""
        while True:
            move = next_move(self._state, self.loop.now())
            if self._prepare(move):
                continue
            match move:
                case Assess():
                    self._measuring.assess(move.number)
                case Work():
                    self._agent.run(move)
                case RollBack():
                    self._roll_back(move)
                case Finish():
                    ending = move.ending if self._state.finishing else with_warnings(self._state, move.ending)
                    finish_loop(self.loop, ending)
                case Over():
                    self.loop.screen.clear()
                    return self._state

    def record_interruption(self) -> None:
        """Record that this process was interrupted, and save the files as they are."""
        self.loop.screen.clear()
        left = None
        with suppress(KeyboardInterrupt, OSError, *RESTORE_ERRORS):  # a second Ctrl-C, or git is gone
            left = self.loop.snapshots.save_state(f"at-end-{max(0, self._state.number):03d}")
        self.loop.note(facts.Interrupted(at=self.loop.now(), left=left.ref if left else ""))

    def catch_up(self) -> None:
        """Write the files of the latest round again, because the process before may have ended too early to do so.

        Changes that the user made since then are recorded.
        """
        if self._state.rounds:
            self.loop.write_latest_round()
        find_edits(self.loop)
        if self._state.ends and not self._state.is_under_way:
            unkept = unkept_now(self.loop.snapshots, self._measuring.plans(), self._state.number)
            theirs = sorted(changed_since(self._state.ends[-1].unkept, unkept))
            if theirs:
                self.loop.screen.say(
                    f"   these ignored files decide how rounds are measured and changed: {names_of(theirs)}"
                )
                self._state.start_is_unmeasured = True  # if this process is killed, the next one notices it again

    def _prepare(self, move: Move) -> bool:
        """Restore the files to continue from, or measure the user's changes, if the next move needs it."""
        if self._state.restoring is not None:
            self._go_on_from(self._state.restoring)
            return True
        if self._state.is_under_way or isinstance(move, RollBack | Over):
            return False
        on_branch, is_unmeasured = self._state.on_branch, self._state.start_is_unmeasured
        if on_branch and (is_unmeasured or isinstance(move, Work)):
            self._go_on_from(on_branch)
        elif is_unmeasured:
            self._measuring.measure_start()
        else:
            return False
        return True

    def _go_on_from(self, number: int) -> None:
        """Restore the round on the branch. When a loop ends, the working tree gets its earlier files back."""
        if self._state.restoring is None:
            self.loop.note(facts.ContinuingFrom(at=self.loop.now(), number=number))
        try:
            self.loop.snapshots.restore_round(number, self._state.number)
            left = self.loop.snapshots.save_state(f"at-start-{self._state.number:03d}")
        except RESTORE_ERRORS as error:
            give_up(self.loop, f"Cannot continue from round {number}: {error}")
            return
        self.loop.note(facts.ContinuedFrom(at=self.loop.now(), number=number, left=left.ref if left else ""))
        self.loop.screen.say(
            f"   continuing from round {number}: its files are in the working tree until the loop ends"
        )

    def _roll_back(self, move: RollBack) -> None:
        """Roll back to an earlier round, unless the user does not want that."""
        rollback = self._state.spec.rollback
        if rollback == "ask" and self._state.rolling_back is None:
            self.loop.screen.clear()
            question = f"{move.message} Go back to {round_name(move.to)}?"
            wanted = self._agrees is not None and self._agrees(question)
        else:
            wanted = rollback != "never"
        if not wanted or self.loop.snapshots.repository is None:
            self.loop.note(facts.Stayed(at=self.loop.now()))
            self.loop.write_latest_round()
            if rollback == "ask":
                self.loop.screen.say(f"   {fate(round_outcome(self._state, self._state.number), with_reason=True)}")
            return
        if self._state.rolling_back is None:
            self.loop.note(facts.RollingBack(at=self.loop.now(), to=move.to, message=move.message))
        try:
            restored = self.loop.snapshots.restore_round(move.to, self._state.number)
        except RESTORE_ERRORS as error:
            give_up(self.loop, f"A round could not be rolled back: {error}")
            return
        self.loop.note(facts.RolledBack(at=self.loop.now(), to=move.to, kept=restored.kept.ref if restored else ""))
        self.loop.write_latest_round()
        undo = f"headway rollback {self._state.loop_id} {self._state.number}"
        self.loop.screen.say(f"   rolled back to {round_name(move.to)}; to undo: {undo}")
        if restored and restored.put_back:
            self.loop.screen.say(f"   moved ignored files were put back: {names_of(restored.put_back)}")
