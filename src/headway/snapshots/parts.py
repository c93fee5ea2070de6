"""Decides which files belong to a project: its own, and those of every repository nested in it.

Git records a nested repository (a submodule, or a plain `.git` folder further down) as one commit id, without its
files. So each nested repository is a *part* of its own, listed by its own rules.

A project's files are the tracked ones, and the untracked ones that no rule ignores. In a loop the rules of the baseline
decide: a file that they ignored never belongs to the project, even if it was moved, and a file that only a newer rule
ignores still does. The one exception is a new folder that ignores itself, such as the cache of a tool.
"""

import os
import stat
from collections.abc import Collection, Iterable

import msgspec

from headway.snapshots.baseline import Baseline, ignored_among
from headway.snapshots.git import paths_in
from headway.snapshots.listing import (
    FILE,
    IGNORED,
    REPOSITORY,
    UNTRACKED,
    by_rules,
    list_part,
    ls_files,
    records,
    summary,
)
from headway.snapshots.names import is_ours
from headway.snapshots.on_disk import RealFolders, mode_of, present
from headway.snapshots.repository import Repository
from headway.snapshots.rules import installed_in, self_ignoring


class Part(msgspec.Struct, frozen=True):
    """The files of one repository inside the project, by their paths below its folder."""

    folder: str
    """Its path below the project's root; empty for the project itself."""
    listing: bytes
    """As git printed it. Equal listings name equal files, so they can be compared without parsing the names."""
    also: list[str] = []
    """Additional files that its git does not list."""
    baseline: Baseline | None = None
    """The baseline whose rules decide; None outside of a loop."""
    inside: list[str] = []
    """The folders of all repositories nested in it, relative to the project's root."""
    caches: list[str] = []
    """New folders that ignore themselves."""

    @property
    def fingerprint(self) -> bytes:
        """A digest that is equal for equal lists of tracked files, computed without parsing the names."""
        digest = summary(self.listing).tracked
        if self.baseline is None:
            return digest
        displaced = self.baseline.displaced.gone
        return b"\0".join([digest, self.baseline.commit.encode(), *map(os.fsencode, self.caches), *displaced])

    @property
    def untracked(self) -> bytes:
        """The records of its untracked files."""
        return summary(self.listing).untracked

    def added_since(self, earlier: bytes, changed: Collection[str]) -> set[str] | None:
        """The files that are new compared to an earlier list of untracked files; None if all names must be checked.

        Files that are no longer listed must be among the changed ones. Then they were deleted, and nothing else
        happened.
        """
        if earlier == self.untracked:
            return set()
        if self.baseline is None or self.baseline.displaced.gone or summary(self.listing).may_nest:
            return None
        then, now = paths_in(earlier), paths_in(self.untracked)
        caches = tuple(f"{UNTRACKED}{folder}/" for folder in self.caches)
        gone, new = (
            {one.removeprefix(UNTRACKED) for one in some if not one.startswith(caches)}
            for some in (then - now, now - then)
        )
        if not gone.issubset(changed):
            return None
        return {path for path in new if not is_ours(path)} - self.baseline.ignored(self.folder, sorted(new))

    @property
    def files(self) -> list[str]:
        """The files that belong to it. A tracked file may be deleted, or may no longer be a file."""
        listed = dict.fromkeys(path for kind, path in records(self.listing) if kind == FILE)
        found = [path for path in listed if not is_ours(path)]
        return [*(found if self.baseline is None else self._by_the_baseline(found, self.baseline)), *self.also]

    @property
    def nested(self) -> list[str]:
        """The folders of the repositories directly inside it."""
        if not summary(self.listing).may_nest:
            return []  # the usual case
        found = [path for kind, path in records(self.listing) if kind == REPOSITORY and not is_ours(path)]
        if self.baseline is None:
            return found
        known = set(self.baseline.repositories)
        new = [f"{path}/x" for path in found if below(self.folder, path) not in known]  # a path in it
        ignored = self.baseline.ignored(self.folder, new)
        return [path for path in found if f"{path}/x" not in ignored]

    def _by_the_baseline(self, listed: list[str], baseline: Baseline) -> list[str]:
        beginning = f"{self.folder}/" if self.folder else ""
        inner = tuple(f"{folder}/" for folder in self.inside)
        known = dict.fromkeys(
            path[len(beginning) :]
            for path in baseline.known
            if path.startswith(beginning) and not (inner and path.startswith(inner))
        )
        caches = tuple(f"{folder}/" for folder in self.caches)
        new = [path for path in listed if path not in known and not (caches and path.startswith(caches))]
        ignored = baseline.ignored(self.folder, new)
        origin = baseline.displaced.origin
        return [*known, *(path for path in new if path not in ignored and origin(below(self.folder, path)) is None)]


def parts_of(
    repository: Repository, listing: bytes, also: Iterable[str] = (), baseline: Baseline | None = None
) -> list[Part]:
    """The project, whose listing is given, and its nested repositories, outer before inner.

    Files named in `also` are included if they exist, even if a rule ignores them.
    """
    parts: list[Part] = []
    waiting = [Part("", listing, baseline=baseline)]
    while waiting:
        part = waiting.pop()
        parts.append(part)
        root = repository.root / part.folder
        part.caches.extend(_caches(repository, part))
        inner = [below(part.folder, name) for name in part.nested if _is_folder(str(root), name)]
        waiting.extend(Part(folder, list_part(repository, folder, baseline), baseline=baseline) for folder in inner)
    for part in parts:
        around = f"{part.folder}/" if part.folder else ""
        part.inside.extend(one.folder for one in parts if one is not part and one.folder.startswith(around))
    _add_extra_files(repository, parts, also)
    return parts


def moved_files(repository: Repository, baseline: Baseline) -> dict[str, str]:
    """The current path → original path of ignored files that were moved since the baseline."""
    if not baseline.displaced.gone:
        return {}
    known, found = set(baseline.known), []
    for folder in baseline.repositories:
        if (repository.root / folder).is_dir():
            known_to_git = records(list_part(repository, folder, baseline))
            printed = ls_files(repository, folder, by_rules(IGNORED, folder, baseline))
            paths = [*(path for _, path in known_to_git), *os.fsdecode(printed).split("\0")[:-1]]
            found += [below(folder, path) for path in paths if below(folder, path) not in known and not is_ours(path)]
    return baseline.displaced.moved_among(found)


def lost_files(repository: Repository, baseline: Baseline) -> list[str]:
    """The ignored files and folders of the baseline that no longer exist. No snapshot holds them."""
    return baseline.displaced.lost({*moved_files(repository, baseline).values()}) if baseline.displaced.gone else []


def _caches(repository: Repository, part: Part) -> list[str]:
    """New folders in a part that are not part of the work.

    They ignore themselves, or they hold installed packages and the current rules ignore them.
    """
    if part.baseline is None:
        return []
    known, untracked = part.baseline.facts.directories, part.untracked
    found = {*self_ignoring(repository.root / part.folder, untracked)}
    if installed := installed_in(untracked):
        found |= ignored_among(repository.listing(part.folder), sorted(installed))
    return [folder for folder in found if os.fsencode(below(part.folder, folder)) not in known]


def below(folder: str, path: str) -> str:
    """The path of a part's file relative to the project's root."""
    return f"{folder}/{path}" if folder else path


def _is_folder(root: str, path: str) -> bool:
    return RealFolders(root).lead_to(path) and stat.S_ISDIR(mode_of(f"{root}/{path}"))


def _add_extra_files(repository: Repository, parts: list[Part], also: Iterable[str]) -> None:
    """Add each extra file to the innermost part that contains it."""
    extra = set(also)
    if not extra:
        return
    inner_first = sorted(parts, key=lambda part: len(part.folder), reverse=True)
    known = {below(part.folder, path) for part in parts for path in part.files}
    for path in present(str(repository.root), extra - known):
        home = next(part for part in inner_first if not part.folder or path.startswith(part.folder + "/"))
        home.also.append(path[len(below(home.folder, "")) :] if home.folder else path)
