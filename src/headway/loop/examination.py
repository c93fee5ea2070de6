"""What is found out about a round beside measuring it: its tests by name, and whether it changed how it is measured."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path

import msgspec

from headway.core.iteration import FileChanges, Measurements
from headway.loop.measuring import Sure
from headway.loop.names import looked_for
from headway.loop.old_tests import with_old_tests
from headway.loop.round_snapshots import RoundSnapshots
from headway.loop.state import LoopState
from headway.loop.unkept import changed_since, guarded_files, prefix_of, unkept_files
from headway.loop.yardstick import measuring_files, new_test_files, scripts_of, switched_off
from headway.probes import Plan, Reading, merged
from headway.reports.text import plain
from headway.snapshots import Baseline, FileChange, Snapshot, changes, lost_files, patch, text_in, words_in

OLD_TESTS = Plan(name="the baseline's own tests", probe="")
"""What a person is told is being measured."""
MOST_LOST = 1_000
"""How many names of lost files are written down."""


def known_flaky(course: LoopState) -> tuple[str, ...]:
    """Tests that failed once and passed once on the files of one round."""
    return tuple(sorted({test for one in course.rounds for test in one.iteration.measured.flaky_tests or ()}))


def measuring_scripts(keeping: RoundSnapshots, plans: Sequence[Plan], baseline: Snapshot) -> set[str]:
    """The scripts that measuring runs, by what makefiles and the like say at the baseline."""
    repository = keeping.repository
    if repository is None:
        return set()
    prefix = prefix_of(repository.root, keeping.folder)
    return scripts_of(plans, lambda path: text_in(repository, baseline, f"{prefix}{path}"))


def unkept_now(keeping: RoundSnapshots, plans: Sequence[Plan], number: int) -> dict[str, str]:
    """The files that decide how a round is measured and that are ignored, as they are now, with digests."""
    baseline, kept = keeping.files_of(0), keeping.files_of(number)
    if keeping.repository is None or baseline is None or kept is None:
        return {}
    return unkept_files(keeping.repository, keeping.folder, kept, measuring_scripts(keeping, plans, baseline))


def guarded_now(course: LoopState, keeping: RoundSnapshots) -> dict[str, str]:
    """The files at and below protected paths, ignored or not, with digests."""
    return guarded_files(keeping.root or keeping.folder, course.settings.loop.protect)


class Examination:
    """One round, whose files are kept and whose measurements are in."""

    def __init__(
        self, course: LoopState, keeping: RoundSnapshots, plans: Sequence[Plan], sure: Sure, guarded: dict[str, str]
    ) -> None:
        self._course, self._keeping, self._plans, self._sure = course, keeping, plans, sure
        self._guarded = guarded
        self._number = course.number + 1

    def beside(self) -> Measurements:
        """Which tests are new, gone or flaky."""
        flaky = tuple(sorted({*known_flaky(self._course), *self._sure.flaky}.difference(self._sure.steady)))
        earlier = [self._course.tracker.current(number).measured for number in range(self._number)]
        now = merged(self._sure.readings)
        has_files = self._keeping.repository is not None
        look = looked_for(now, earlier, self._course.base, self._number, self._words) if has_files else Measurements()
        return msgspec.structs.replace(look, flaky_tests=flaky or None)

    @cached_property
    def unkept(self) -> dict[str, str]:
        """The ignored files that decide how it is measured."""
        return unkept_now(self._keeping, self._plans, self._number)

    @cached_property
    def guarded(self) -> dict[str, str]:
        """What it changed at and below protected paths, and what earlier rounds put there and is ignored."""
        if self._course.began is None or not self._course.settings.loop.protect:
            return {}
        then, now = self._course.began.guarded, self._guarded
        earlier = {path: digest for end in self._course.ends for path, digest in end.guarded.items() if digest}
        changed = {path for path in changed_since(then, now) if path in now or path not in earlier}
        stayed = {path for path, digest in earlier.items() if now.get(path) == digest}
        return {path: now.get(path, "") for path in changed | stayed}

    def with_unkept(self, found: FileChanges | None) -> FileChanges | None:
        """What the round changed, with those of them that it changed."""
        changed = changed_since(self._course.ends[-1].unkept, self.unkept) if found else set()
        unkept = {path: self.unkept.get(path, "") for path in changed}
        return found and FileChanges(lines=found.lines, files=self.guarded | found.files | unkept)

    def unexplained(self, changed: FileChanges | None) -> tuple[str, ...]:
        """The tests that pass now and failed before, where it changed no file that is kept and that could be why."""
        if changed is None or changed.files:
            return ()
        before, now = self._course.rounds[self._course.base].iteration.measured, merged(self._sure.readings)
        passing = None if now.passing_tests is None else {*now.passing_tests}
        not_passing = {*(now.failing_tests or ()), *(now.skipped_tests or ()), *(before.flaky_tests or ())}
        not_passing |= {*known_flaky(self._course), *self._sure.flaky}
        fixed = [test for test in before.failing_tests or () if passing is None or test in passing]
        return tuple(test for test in fixed if test not in not_passing) if now.tests_passed else ()

    @cached_property
    def lost(self) -> tuple[str, ...]:
        """The ignored files that are gone, and were not before it."""
        repository, baseline = self._keeping.repository, self._keeping.files_of(0)
        if repository is None or baseline is None or not baseline.baseline:
            return ()
        known = {path for end in self._course.ends for path in end.lost}
        gone = lost_files(repository, Baseline(repository, baseline.baseline))
        return tuple(readable for readable in map(plain, gone) if readable not in known)[:MOST_LOST]

    @cached_property
    def measuring(self) -> tuple[str, ...]:
        """The files that decide how it is measured, and that changed since the baseline."""
        now, baseline = self._keeping.files_of(self._number), self._keeping.files_of(0)
        if now is None or baseline is None:
            return ()
        repository, folder = self._keeping.repository, Path(self._course.folder)
        scripts = measuring_scripts(self._keeping, self._plans, baseline)
        prefix = prefix_of(repository.root, folder) if repository else ""
        with ThreadPoolExecutor(1) as beside:  # git compares twice, at the same time
            off = beside.submit(lambda: switched_off(patch(baseline, now, repository)))
            found = measuring_files(self._changed, self._plans, scripts, prefix)
            outside = changed_since(self._course.ends[0].unkept, self.unkept)
            return tuple(sorted({*found, *outside, *off.result()}))

    @cached_property
    def _changed(self) -> tuple[FileChange, ...]:
        """All files that differ from the baseline's."""
        now, baseline = self._keeping.files_of(self._number), self._keeping.files_of(0)
        return changes(baseline, now, self._keeping.repository).files if now and baseline else ()

    @cached_property
    def new_tests(self) -> tuple[str, ...]:
        """The test files that the baseline did not have."""
        return new_test_files(self._changed)

    def old_tests(self, tell: Callable[[Plan], None], timeout: Callable[[], float]) -> Reading | None:
        """What the baseline's own tests say, without new ones, where tests changed and gave a result."""
        repository, paths = self._keeping.repository, {*self.measuring, *self.new_tests}
        paths |= {file.old_path for file in self._changed if file.old_path and file.path in paths}
        now, baseline = self._keeping.files_of(self._number), self._keeping.files_of(0)
        if not paths or repository is None or now is None or baseline is None:
            return None
        if merged(self._sure.readings).tests_passed is None:
            return None
        tell(OLD_TESTS)
        return with_old_tests(repository, Path(self._course.folder), now, baseline, paths, self._plans, timeout)

    def _words(self, number: int, words: set[str]) -> set[str]:
        snapshot = self._keeping.files_of(number)
        return words_in(snapshot, words, self._keeping.repository) if snapshot else set()
