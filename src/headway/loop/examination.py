"""Examines a round beyond measuring it: its tests by name, and whether it changed how it is measured."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path

import msgspec

from headway.core.iteration import FileChanges, Measurements
from headway.loop.ignored_files import changed_since, guarded_files, prefix_of, unkept_files
from headway.loop.measuring import Confirmed
from headway.loop.measuring_files import measuring_files, new_test_files, scripts_of, switched_off
from headway.loop.names import new_and_gone_tests
from headway.loop.old_tests import with_old_tests
from headway.loop.open_loop import OpenLoop
from headway.loop.round_snapshots import RoundSnapshots
from headway.loop.state import LoopState
from headway.probes import Plan, Reading, merged
from headway.reports.text import plain
from headway.snapshots import Baseline, FileChange, Snapshot, changes, lost_files, patch, words_in

OLD_TESTS = Plan(name="the baseline's own tests", probe="")
"""The plan that is shown while the baseline's tests run."""
MAX_LOST_FILES = 1_000


def known_flaky(state: LoopState) -> tuple[str, ...]:
    """Tests that both failed and passed on the same files of a round."""
    return tuple(sorted({test for one in state.rounds for test in one.iteration.measured.flaky_tests or ()}))


def measuring_scripts(snapshots: RoundSnapshots, plans: Sequence[Plan], baseline: Snapshot) -> set[str]:
    """The scripts that measuring runs, according to the makefiles and similar files of the baseline."""
    repository = snapshots.repository
    if repository is None:
        return set()
    prefix = prefix_of(repository.root, snapshots.folder)
    return scripts_of(plans, lambda path: snapshots.text_in(baseline, f"{prefix}{path}"))


def unkept_now(snapshots: RoundSnapshots, plans: Sequence[Plan], number: int) -> dict[str, str]:
    """The current ignored files that decide how a round is measured, with digests."""
    baseline, kept = snapshots.files_of(0), snapshots.files_of(number)
    if snapshots.repository is None or baseline is None or kept is None:
        return {}
    return unkept_files(snapshots.repository, snapshots.folder, kept, measuring_scripts(snapshots, plans, baseline))


def guarded_now(state: LoopState, snapshots: RoundSnapshots) -> dict[str, str]:
    """The files at and below protected paths, ignored or not, with digests."""
    return guarded_files(snapshots.root or snapshots.folder, state.settings.loop.protect)


class Examination:
    """One round that has been saved and measured."""

    def __init__(self, loop: OpenLoop, plans: Sequence[Plan], sure: Confirmed, guarded: dict[str, str]) -> None:
        self._state, self._snapshots, self._plans, self._sure = loop.state, loop.snapshots, plans, sure
        self._guarded = guarded
        self._number = loop.state.number + 1

    def beside(self) -> Measurements:
        """Which tests are new, gone or flaky."""
        flaky = tuple(sorted({*known_flaky(self._state), *self._sure.flaky}.difference(self._sure.steady)))
        earlier = [self._state.tracker.current(number).measured for number in range(self._number)]
        now = merged(self._sure.readings)
        look = Measurements()
        if self._snapshots.repository is not None:
            look = new_and_gone_tests(now, earlier, self._state.base, self._number, self._words)
        return msgspec.structs.replace(look, flaky_tests=flaky or None)

    @cached_property
    def unkept(self) -> dict[str, str]:
        """The ignored files that decide how it is measured."""
        return unkept_now(self._snapshots, self._plans, self._number)

    @cached_property
    def guarded(self) -> dict[str, str]:
        """Files at and below protected paths that it changed, and ignored ones that earlier rounds put there."""
        if self._state.began is None or not self._state.settings.loop.protect:
            return {}
        then, now = self._state.began.guarded, self._guarded
        earlier = {path: digest for end in self._state.ends for path, digest in end.guarded.items() if digest}
        changed = {path for path in changed_since(then, now) if path in now or path not in earlier}
        stayed = {path for path, digest in earlier.items() if now.get(path) == digest}
        return {path: now.get(path, "") for path in changed | stayed}

    def with_unkept(self, found: FileChanges | None) -> FileChanges | None:
        """The changes of the round, including ignored files that decide how it is measured."""
        changed = changed_since(self._state.ends[-1].unkept, self.unkept) if found else set()
        unkept = {path: self.unkept.get(path, "") for path in changed}
        return found and FileChanges(lines=found.lines, files=self.guarded | found.files | unkept)

    def unexplained(self, changed: FileChanges | None) -> tuple[str, ...]:
        """Tests that failed before and pass now, although no saved file changed that could explain it."""
        if changed is None or changed.files:
            return ()
        before, now = self._state.rounds[self._state.base].iteration.measured, merged(self._sure.readings)
        passing = None if now.passing_tests is None else {*now.passing_tests}
        not_passing = {*(now.failing_tests or ()), *(now.skipped_tests or ()), *(before.flaky_tests or ())}
        not_passing |= {*known_flaky(self._state), *self._sure.flaky}
        fixed = [test for test in before.failing_tests or () if passing is None or test in passing]
        return tuple(test for test in fixed if test not in not_passing) if now.tests_passed else ()

    @cached_property
    def lost(self) -> tuple[str, ...]:
        """Ignored files that the round deleted."""
        repository, baseline = self._snapshots.repository, self._snapshots.files_of(0)
        if repository is None or baseline is None or not baseline.baseline:
            return ()
        known = {path for end in self._state.ends for path in end.lost}
        gone = lost_files(repository, Baseline(repository, baseline.baseline))
        return tuple(readable for readable in map(plain, gone) if readable not in known)[:MAX_LOST_FILES]

    @cached_property
    def measuring(self) -> tuple[str, ...]:
        """The files that decide how it is measured and that changed since the baseline."""
        now, baseline = self._snapshots.files_of(self._number), self._snapshots.files_of(0)
        if now is None or baseline is None:
            return ()
        repository, folder = self._snapshots.repository, Path(self._state.folder)
        scripts = measuring_scripts(self._snapshots, self._plans, baseline)
        prefix = prefix_of(repository.root, folder) if repository else ""
        with ThreadPoolExecutor(1) as beside:  # two git comparisons in parallel
            off = beside.submit(lambda: switched_off(patch(baseline, now, repository)))
            found = measuring_files(self._changed, self._plans, scripts, prefix)
            outside = changed_since(self._state.ends[0].unkept, self.unkept)
            return tuple(sorted({*found, *outside, *off.result()}))

    @cached_property
    def _changed(self) -> tuple[FileChange, ...]:
        """All files that differ from the baseline."""
        now, baseline = self._snapshots.files_of(self._number), self._snapshots.files_of(0)
        return changes(baseline, now, self._snapshots.repository).files if now and baseline else ()

    @cached_property
    def new_tests(self) -> tuple[str, ...]:
        """Test files that the baseline did not have."""
        return new_test_files(self._changed)

    def old_tests(self, tell: Callable[[Plan], None], timeout: Callable[[], float]) -> Reading | None:
        """The result of the baseline's own tests, if test files changed and the current tests gave a result."""
        repository, paths = self._snapshots.repository, {*self.measuring, *self.new_tests}
        paths |= {file.old_path for file in self._changed if file.old_path and file.path in paths}
        now, baseline = self._snapshots.files_of(self._number), self._snapshots.files_of(0)
        if not paths or repository is None or now is None or baseline is None:
            return None
        if merged(self._sure.readings).tests_passed is None:
            return None
        tell(OLD_TESTS)
        return with_old_tests(repository, Path(self._state.folder), now, baseline, paths, self._plans, timeout)

    def _words(self, number: int, words: set[str]) -> set[str]:
        snapshot = self._snapshots.files_of(number)
        return words_in(snapshot, words, self._snapshots.repository) if snapshot else set()
