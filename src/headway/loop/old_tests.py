"""Runs the baseline's tests against the code of a round, in a scratch copy.

A test that was emptied, or changed to expect the bug, passes. Its baseline version does not.
"""

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from pathlib import Path

from headway.probes import Plan, Reading, measure
from headway.probes.scratch import folder_for_reports
from headway.snapshots import GitError, Repository, Snapshot, export_mixed, paths_in_tree

OURS = {".git", ".headway"}


def with_old_tests(
    repository: Repository, folder: Path, now: Snapshot, baseline: Snapshot, paths: Collection[str],
    plans: Iterable[Plan], timeout: Callable[[], float],
) -> Reading | None:  # fmt: skip
    """The result of the tests with these files as at the baseline; None if there are no tests to run.

    Files that the baseline lacks are left out. Ignored files (dependencies, build folders) are not in a snapshot: those
    at the top are linked.
    """
    tests = [plan for plan in plans if plan.name == "tests" and plan.command is not None]
    if not tests:
        return None
    with folder_for_reports() as scratch:
        copy = scratch / "project"
        try:
            export_mixed(now, baseline, paths, copy)
            inner = folder.resolve().relative_to(repository.root.resolve())
            place = copy / inner
            here = {str(Path(path).relative_to(inner)) for path in paths if _is_in(path, inner)}
            kept = (Path(path) for path in paths_in_tree(repository, now, paths) if _is_in(path, inner))
            _link_the_rest(folder, place, here | {path.relative_to(inner).parts[0] for path in kept})
        except (OSError, GitError, ValueError) as error:
            return _not_possible(tests[0], f"no copy could be made: {error}")
        return measure(place, tests[:1], timeout)[0]


def _is_in(path: str, folder: Path) -> bool:
    return Path(path).is_relative_to(folder)


def _link_the_rest(folder: Path, copy: Path, without: set[str]) -> None:
    """Link what is in the project and in no snapshot: environments, dependencies, ignored settings.

    Files that changed since the baseline are not linked, such as an ignored conftest.py that the round created.
    """
    for place in folder.iterdir():
        if place.name not in OURS | without and not (copy / place.name).exists():
            with suppress(OSError):
                (copy / place.name).symlink_to(place, target_is_directory=place.is_dir())


def _not_possible(plan: Plan, reason: str) -> Reading:
    from headway.core.iteration import Measurements

    return Reading(probe=plan.probe, measured=Measurements(), how=plan.name, reason=reason)
