"""Which files belong to a project: its own, and those of every repository nested in it.

Git itself records a nested repository (a submodule, or a plain `.git` folder further down) as one number. Its files
would be neither counted nor kept, so each nested repository is a *part* of its own, listed by its own rules.

The project's files are those its git tracks, ignored or not, and the untracked ones that no rule ignores.
"""

import os
import stat
from collections.abc import Iterable

import msgspec

from headway.snapshots.git import Git
from headway.snapshots.names import OWN_FOLDER, is_ours
from headway.snapshots.repository import Repository

GITLINK = "160000"


class Part(msgspec.Struct, frozen=True):
    """The files of one repository inside the project, by their paths below its folder.

    They are what its git lists: a tracked one among them may be gone, or no file any more.
    """

    folder: str
    """Where it is below the project's root; empty for the project itself."""
    files: list[str]


def parts_of(repository: Repository, also: Iterable[str] = ()) -> list[Part]:
    """The project and its nested repositories, outer before inner.

    Files named in `also` are taken in wherever they exist, even if a rule ignores them.
    """
    parts: list[Part] = []
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        files, nested = _look_into(repository, folder)
        parts.append(Part(folder, files))
        waiting.extend(below(folder, name) for name in nested)
    _take_in(repository, parts, also)
    return parts


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
    try:
        return os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0


def present(root: str, paths: Iterable[str]) -> list[str]:
    """Those paths that really are a file or a symbolic link there now."""
    folders = RealFolders(root)
    return [path for path in paths if folders.lead_to(path) and _is_file(f"{root}/{path}")]


def _look_into(repository: Repository, folder: str) -> tuple[list[str], list[str]]:
    """The files of one part, and the repositories directly inside it."""
    git = repository.listing(folder)
    tracked, links = _tracked(git)
    others = _untracked(git)
    root = str(git.folder)
    nested = [path.rstrip("/") for path in others if path.endswith("/")]
    nested += [path for path in links if _is_folder(root, path)]
    files = dict.fromkeys(path for path in (*tracked, *others) if not path.endswith("/"))
    return [path for path in files if not is_ours(path)], [path for path in nested if not is_ours(path)]


def _tracked(git: Git) -> tuple[list[str], list[str]]:
    """What the part's own index tracks: files, and the places of submodules."""
    entries = [entry.split("\t", 1) for entry in git.fields("ls-files", "-z", "--stage")]
    files = [path for about, path in entries if not about.startswith(GITLINK)]
    return files, [path for about, path in entries if about.startswith(GITLINK)]


def _untracked(git: Git) -> list[str]:
    rules = ["--exclude-standard", "-x", f"{OWN_FOLDER}/"]
    return git.fields("ls-files", "-z", "--others", *rules)


def _is_folder(root: str, path: str) -> bool:
    return RealFolders(root).lead_to(path) and stat.S_ISDIR(mode_of(f"{root}/{path}"))


def _is_file(path: str) -> bool:
    mode = mode_of(path)
    return stat.S_ISREG(mode) or stat.S_ISLNK(mode)


def _take_in(repository: Repository, parts: list[Part], also: Iterable[str]) -> None:
    """Give each extra file to the innermost part it lies in."""
    inner_first = sorted(parts, key=lambda part: len(part.folder), reverse=True)
    known = {below(part.folder, path) for part in parts for path in part.files}
    for path in present(str(repository.root), set(also) - known):
        home = next(part for part in inner_first if not part.folder or path.startswith(part.folder + "/"))
        home.files.append(path[len(below(home.folder, "")) :] if home.folder else path)
