"""Which files belong to a project: its own, and those of every repository nested in it.

Git itself records a nested repository (a submodule, or a plain `.git` folder further down) as one number. Its files
would be neither counted nor kept, so each nested repository is a *part* of its own, listed by its own rules.

The project's files are those its git tracks, ignored or not, and the untracked ones that no rule ignores. In a loop,
the rules of the baseline decide: what they ignored is none of the files, wherever it lies by now, and what a newer rule
hides still is one. Only a new folder that ignores itself, the cache of a tool, is left out.
"""

import errno
import os
import stat
from collections.abc import Iterable, Iterator

import msgspec

from headway.snapshots.baseline import Baseline, ignored_among
from headway.snapshots.git import GitError
from headway.snapshots.names import OWN_FOLDER, is_ours
from headway.snapshots.repository import Repository
from headway.snapshots.rules import installed_in, self_ignoring

GITLINK = "160000"
GITLINK_WORD = f" {GITLINK} ".encode()
FILE, REPOSITORY = "file", "repository"
RULES = "--exclude-standard"
"""What the user ignores is left out of the untracked files."""
NOTHING_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
"""A path leads nowhere. ELOOP: a folder above it is now a symbolic link that points to itself."""
LISTING = ("ls-files", "-z", "-t", "--stage", "--others", "-x", f"{OWN_FOLDER}/")
IGNORED = ("ls-files", "-z", "--others", "--ignored", "--directory", "-x", f"{OWN_FOLDER}/")


class Part(msgspec.Struct, frozen=True):
    """The files of one repository inside the project, by their paths below its folder."""

    folder: str
    """Where it is below the project's root; empty for the project itself."""
    listing: bytes
    """As git printed it. Equal listings name equal files, which is known long before ten thousand names are read."""
    also: list[str] = []
    """Files that are taken in though its git does not list them."""
    baseline: Baseline | None = None
    """What decides in a loop."""
    inside: list[str] = []
    """The folders of all repositories nested in it, as seen from the project's root."""
    caches: list[str] = []
    """New folders that ignore themselves."""

    @property
    def mark(self) -> bytes:
        """Equal for equal lists of files, as far as that can be told without reading the names."""
        if self.baseline is None:
            return self.listing
        displaced = self.baseline.displaced.gone
        return b"\0".join([self.listing, self.baseline.commit.encode(), *map(os.fsencode, self.caches), *displaced])

    @property
    def files(self) -> list[str]:
        """What belongs to it: a tracked one among them may be gone, or no file any more."""
        listed = dict.fromkeys(path for kind, path in _records(self.listing) if kind == FILE)
        found = [path for path in listed if not is_ours(path)]
        return [*(found if self.baseline is None else self._by_the_baseline(found, self.baseline)), *self.also]

    @property
    def nested(self) -> list[str]:
        """Places of repositories directly inside it."""
        if b"/\0" not in self.listing and GITLINK_WORD not in self.listing:
            return []  # as nearly always
        found = [path for kind, path in _records(self.listing) if kind == REPOSITORY and not is_ours(path)]
        if self.baseline is None:
            return found
        known = set(self.baseline.repositories)
        new = [f"{path}/x" for path in found if below(self.folder, path) not in known]  # asks about the folder
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

    Files named in `also` are taken in wherever they exist, even if a rule ignores them.
    """
    parts: list[Part] = []
    waiting = [Part("", listing, baseline=baseline)]
    while waiting:
        part = waiting.pop()
        parts.append(part)
        root = repository.root / part.folder
        part.caches.extend(_caches(repository, part))
        inner = [below(part.folder, name) for name in part.nested if _is_folder(str(root), name)]
        waiting.extend(Part(folder, listed(repository, folder, baseline), baseline=baseline) for folder in inner)
    for part in parts:
        around = f"{part.folder}/" if part.folder else ""
        part.inside.extend(one.folder for one in parts if one is not part and one.folder.startswith(around))
    _take_in(repository, parts, also)
    return parts


def listed(repository: Repository, folder: str, baseline: Baseline | None = None) -> bytes:
    """The listing of one part."""
    return _asked(repository, folder, by_rules(LISTING, folder, baseline))


def moved_files(repository: Repository, baseline: Baseline) -> dict[str, str]:
    """Where ignored files lie that are not in their places, and where they were at the baseline."""
    if not baseline.displaced.gone:
        return {}
    known, found = set(baseline.known), []
    for folder in baseline.repositories:
        if (repository.root / folder).is_dir():
            records = _records(listed(repository, folder, baseline))
            printed = _asked(repository, folder, by_rules(IGNORED, folder, baseline))
            paths = [*(path for _, path in records), *os.fsdecode(printed).split("\0")[:-1]]
            found += [below(folder, path) for path in paths if below(folder, path) not in known and not is_ours(path)]
    return baseline.displaced.found_among(found)


def lost_files(repository: Repository, baseline: Baseline) -> list[str]:
    """The ignored files and folders of the baseline that are gone: no snapshot holds them."""
    return baseline.displaced.lost({*moved_files(repository, baseline).values()}) if baseline.displaced.gone else []


def _asked(repository: Repository, folder: str, words: tuple[str, ...]) -> bytes:
    """What git lists in a part. Where its index is damaged, it is asked to do without."""
    try:
        return repository.listing(folder).run(*words)
    except GitError:
        return repository.listing(folder, index=False).run(*words)


def by_rules(words: tuple[str, ...], folder: str, baseline: Baseline | None) -> tuple[str, ...]:
    """A command for git that lists files: by the baseline's rules, by the present ones where there is no baseline.

    In a repository that was not there at the baseline all files are listed, and asked about later.
    """
    if baseline is None:
        return (*words, RULES)
    rules = baseline.rules_file(folder)
    return (*words, f"--exclude-from={rules}") if rules else words


def _caches(repository: Repository, part: Part) -> list[str]:
    """The folders in a part that were not there at the baseline and that are no part of the work.

    They ignore themselves, or they hold installed packages and the present rules ignore them.
    """
    if part.baseline is None:
        return []
    known = part.baseline.facts.directories
    found = {*self_ignoring(repository.root / part.folder, part.listing)}
    if installed := installed_in(part.listing):
        found |= ignored_among(repository.listing(part.folder), sorted(installed))
    return [folder for folder in found if os.fsencode(below(part.folder, folder)) not in known]


def below(folder: str, path: str) -> str:
    """A path inside a part, as seen from the project's root."""
    return f"{folder}/{path}" if folder else path


class RealFolders:
    """Tells whether a path can be reached from a root without passing through a symbolic link."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._known = {"": True}

    def lead_to(self, path: str) -> bool:
        """Are all folders above the path real ones?"""
        return self._is_real(path.rpartition("/")[0])

    def _is_real(self, folder: str) -> bool:
        if folder not in self._known:
            mode = mode_of(f"{self._root}/{folder}")
            self._known[folder] = self._is_real(folder.rpartition("/")[0]) and stat.S_ISDIR(mode)
        return self._known[folder]


def mode_of(path: str) -> int:
    """The type and permissions of a path itself, not of what it points to; 0 if there is nothing."""
    found = _look(path)
    return found.st_mode if found else 0


def _look(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except OSError as error:
        if error.errno in NOTHING_THERE:
            return None
        raise


def present(root: str, paths: Iterable[str]) -> dict[str, os.stat_result]:
    """Those paths that really are a file or a symbolic link there now, each with its stat result."""
    folders = RealFolders(root)
    found = ((path, _look(f"{root}/{path}")) for path in paths if folders.lead_to(path))
    return {path: one for path, one in found if one and (stat.S_ISREG(one.st_mode) or stat.S_ISLNK(one.st_mode))}


def _records(listing: bytes) -> Iterator[tuple[str, str]]:
    """Each listed path and what is there: tracked ones come with their mode, the others with a question mark.

    A folder among the others is a repository that git does not look into; git ends its name with a slash.
    """
    for record in os.fsdecode(listing).split("\0")[:-1]:
        if record.startswith("?"):
            path = record[2:]
            yield (REPOSITORY, path.rstrip("/")) if path.endswith("/") else (FILE, path)
        else:
            about, path = record.split("\t", 1)
            yield (REPOSITORY if GITLINK in about.split() else FILE), path


def _is_folder(root: str, path: str) -> bool:
    return RealFolders(root).lead_to(path) and stat.S_ISDIR(mode_of(f"{root}/{path}"))


def _take_in(repository: Repository, parts: list[Part], also: Iterable[str]) -> None:
    """Give each extra file to the innermost part it lies in."""
    extra = set(also)
    if not extra:
        return
    inner_first = sorted(parts, key=lambda part: len(part.folder), reverse=True)
    known = {below(part.folder, path) for part in parts for path in part.files}
    for path in present(str(repository.root), extra - known):
        home = next(part for part in inner_first if not part.folder or path.startswith(part.folder + "/"))
        home.also.append(path[len(below(home.folder, "")) :] if home.folder else path)
