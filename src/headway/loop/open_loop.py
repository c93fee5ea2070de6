"""The parts of a running loop, which everything that works on it shares."""

from pathlib import Path

from headway.loop.clock import Clock
from headway.loop.facts import Fact
from headway.loop.journal import Journal
from headway.loop.report import report_of
from headway.loop.round_files import results_of, write_round
from headway.loop.round_snapshots import RoundSnapshots
from headway.loop.screen import Screen
from headway.loop.state import LoopState
from headway.probes import Plan
from headway.store.loop_files import LoopFiles


class OpenLoop:
    """A running loop: its state, journal, files, snapshots, screen and clock."""

    def __init__(
        self,
        state: LoopState,
        journal: Journal,
        files: LoopFiles,
        snapshots: RoundSnapshots,
        screen: Screen,
        clock: Clock,
    ) -> None:
        self.state, self.journal, self.files = state, journal, files
        self.snapshots, self.screen, self.now = snapshots, screen, clock.now
        self.folder = Path(state.folder)

    def note(self, fact: Fact) -> None:
        """Record a fact on disk, then apply it."""
        self.journal.append(fact)
        self.state.apply(fact)

    def write_latest_round(self) -> None:
        """Write the files of the latest round to the loop's folder."""
        write_round(self.state.tracker, self.files, results_of(self.state), report_of(self.state, self.snapshots))

    def show_plan(self, plan: Plan) -> None:
        """Show on the status line what is being measured."""
        self.screen.status(f"measuring: {plan.name}")
