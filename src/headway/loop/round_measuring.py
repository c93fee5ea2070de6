"""Saves, measures and examines the files of a round."""

from headway.core.iteration import FileChanges, Measurements
from headway.loop import facts
from headway.loop.evidence import results_line
from headway.loop.examination import Examination, guarded_now, known_flaky, unkept_now
from headway.loop.lock import make_own_folder
from headway.loop.measuring import Confirmed, measure_confirmed, plans_for
from headway.loop.open_loop import OpenLoop
from headway.loop.programs import CANNOT_RUN
from headway.loop.talk import about_round, last_line
from headway.probes import Plan, Reading, Sizes, measure
from headway.probes.command import run_command
from headway.reports.iteration_markdown import round_name
from headway.reports.text import plain


class RoundMeasuring:
    """Measures the baseline, the rounds, and files that the user changed."""

    def __init__(self, loop: OpenLoop) -> None:
        self._loop, self._state = loop, loop.state
        self._sizes: dict[int, Sizes] = {}

    def measure_start(self) -> None:
        """Measure the files with the user's changes, so that they do not count for or against the next round.

        If a round is to be rolled back, that happens first.
        """
        plans = self.plans()
        unkept = unkept_now(self._loop.snapshots, plans, self._state.number)
        readings = measure(self._loop.folder, plans, self._measure_timeout, before=self._loop.show_plan)
        measured = tuple(map(facts.Measured, plans, readings))
        self._loop.note(facts.StartMeasured(at=self._loop.now(), readings=measured, unkept=unkept))
        self._loop.write_latest_round()
        self._loop.screen.status("")
        stands = results_line(self._state.tracker.current(self._state.base).measured)
        self._loop.screen.say(f"   measured with these changes: {stands or 'nothing that rounds are judged by'}")

    def assess(self, number: int) -> None:
        """Save the files, then measure them. In this order, files that measuring leaves behind are not in the round."""
        self._loop.screen.status(f"keeping {round_name(number)}")
        for place in {self._loop.folder, self._loop.snapshots.root or self._loop.folder}:
            make_own_folder(place)  # agents do run `git clean -fdx`
        snapshot = self._loop.snapshots.save_round(number)
        changes = self._loop.snapshots.changes(self._state.base, number) if number else None
        plans = self.plans() if number else plans_for(self._loop.folder, self._state.spec)
        guarded = guarded_now(self._state, self._loop.snapshots)
        sure = self._measure_round(number, plans, changes)
        if number and self._state.began and self._state.began.start:
            changes = self._loop.snapshots.changes_since(self._state.began.start, number)
        examined = Examination(self._loop, plans, sure, guarded) if number else None
        old_tests = examined.old_tests(self._loop.show_plan, self._measure_timeout) if examined else None
        until = self._condition_holds()
        ended = facts.RoundEnded(
            at=self._loop.now(),
            number=number,
            readings=tuple(map(facts.Measured, plans, sure.readings)),
            times=sure.times,
            until=until,
            changes=examined.with_unkept(changes) if examined else changes,
            snapshot=snapshot,
            beside=examined.beside() if examined else Measurements(),
            measuring=examined.measuring if examined else (),
            new_tests=examined.new_tests if examined else (),
            unkept=examined.unkept if examined else unkept_now(self._loop.snapshots, plans, 0),
            old_tests=old_tests,
            lost=examined.lost if examined else (),
            unexplained=examined.unexplained(changes) if examined else (),
            guarded=examined.guarded if examined else {},
        )
        self._loop.note(ended)
        self._loop.write_latest_round()
        self._loop.screen.status("")
        for line in about_round(self._state):
            self._loop.screen.say(line)

    def plans(self) -> list[Plan]:
        """How to measure the files in the working tree."""
        return plans_for(self._loop.folder, self._state.spec, self._state.current_end(self._state.base).readings)

    def _measure_round(self, number: int, plans: list[Plan], changes: FileChanges | None) -> Confirmed:
        """The measurements of the round, confirmed by comparison with the round it is based on."""
        sizes = self._sizes[number] = self._sizes_after(self._state.base, changes)

        def once() -> list[Reading]:
            return measure(self._loop.folder, plans, self._measure_timeout, before=self._loop.show_plan, sizes=sizes)

        before = self._state.tracker.current(self._state.base).measured if number else None
        return measure_confirmed(once, before, known_flaky(self._state))

    def _sizes_after(self, began_from: int, changes: FileChanges | None) -> Sizes:
        """The file sizes of the round it is based on, with the files it changed."""
        before, root = self._sizes.get(began_from), self._loop.snapshots.root
        if before is None or changes is None or root is None:
            return Sizes()
        folder = "" if self._loop.folder == root else f"{self._loop.folder.relative_to(root)}/"
        return before.after(name[len(folder) :] for name in changes.files if name.startswith(folder))

    def _condition_holds(self) -> bool | None:
        spec = self._state.spec
        if spec.until is None:
            return None
        ran = run_command(spec.until, self._loop.folder, self._measure_timeout())
        if ran.fault or ran.exit_code in CANNOT_RUN:
            said = ran.fault or last_line(ran.output) or f"exit code {ran.exit_code}"
            self._loop.screen.say(f"   --until could not be run: {plain(said)}")
        return ran.exit_code == 0

    def _measure_timeout(self) -> float:
        """Seconds that one measuring command may take: never more than what is left for the whole loop."""
        spec = self._state.spec
        left = spec.measure_timeout if spec.seconds is None else spec.seconds - self._state.seconds(self._loop.now())
        return max(0.0, min(spec.measure_timeout, left))
