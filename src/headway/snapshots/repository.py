"""Finds the git directory that stores a folder's snapshots and hashes its files.

Snapshots of a folder inside a git work tree are objects and refs of that repository, and cover the whole work tree. A
folder without git (or one that the repository around it ignores) gets its own git directory, `.headway/git`. Once that
exists it stays in use, so that an agent's `git init` in the middle of a loop does not hide earlier rounds.

Files are hashed through a *room*: a small private git directory inside the real one. It shares the objects but has its
own `info/attributes`, the only file that takes precedence over a project's `.gitattributes`. It turns off every
conversion (line endings, `ident`, encodings, filters such as LFS), so files are restored byte for byte. For an LFS file
the real content is stored, not the pointer.
"""

import errno
import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from headway.snapshots.git import Git, GitError
from headway.snapshots.locks import exclusive_lock
from headway.snapshots.names import OWN_FOLDER

ATTRIBUTES = b"* -text -ident !filter !working-tree-encoding !diff\n"
"""No conversion when files are hashed. When they are compared, content alone decides what is binary."""


MAKING = "headway-making-"


class Repository(msgspec.Struct, frozen=True):
    """A place that stores snapshots."""

    root: Path
    """The folder whose files are saved: the top of the work tree."""
    git_dir: Path
    """The git directory with the refs."""
    objects: Path
    private: bool
    """Whether it is our own git directory, because the folder had none."""

    @classmethod
    def at(cls, folder: str | Path) -> "Repository":
        """The repository for a folder; created if there is none."""
        here = Path(folder).resolve()
        if not here.is_dir():
            raise NotADirectoryError(f"{folder} is not a folder, so it has no snapshots")
        _refuse_links(here)
        theirs = None if _own_git(here).is_dir() else _users_around(here)
        if theirs is None or _own_git(theirs.root).is_dir():
            theirs = _private_at(theirs.root if theirs else here)
        _refuse_links(theirs.root, theirs.room)
        _make_room(theirs)
        return theirs

    @property
    def refs(self) -> Git:
        """Git for reading and moving refs only."""
        return Git(self.root, {"GIT_DIR": str(self.git_dir)})

    @property
    def room(self) -> Path:
        """Our private git directory: attributes, cached indexes, scratch files."""
        return self.git_dir / "headway"

    @property
    def store(self) -> Git:
        """Git for reading and writing objects without conversion."""
        return Git(self.root, self._objects_through_the_room)

    def hashing(self, folder: str, index: Path) -> Git:
        """Git for hashing the files of one part into our own index."""
        work_tree = self.root / folder
        places = {"GIT_WORK_TREE": str(work_tree), "GIT_INDEX_FILE": str(index)}
        return Git(work_tree, {**self._objects_through_the_room, **places})

    def listing(self, folder: str, *, index: bool = True) -> Git:
        """Git for listing the files of a part: the part's own git if it has one.

        Without its index, all files that no rule ignores count as untracked.
        """
        work_tree = self.root / folder
        git_dir = self.git_dir if not folder and not self.private else git_dir_in(work_tree)
        if git_dir is None:
            return self.hashing(folder, self.room / "no-index")
        is_read = index and not (git_dir / "index").is_fifo()  # git would wait forever on a pipe
        none = {} if is_read else {"GIT_INDEX_FILE": str(self.room / "no-index")}
        return Git(work_tree, {"GIT_DIR": str(git_dir), "GIT_WORK_TREE": str(work_tree), **none})

    @property
    def _objects_through_the_room(self) -> dict[str, str]:
        # set twice, because a file `commondir` in the room would make git read other attributes
        room = {"GIT_DIR": str(self.room), "GIT_COMMON_DIR": str(self.room)}
        return {**room, "GIT_OBJECT_DIRECTORY": str(self.objects)}


def git_dir_in(folder: Path) -> Path | None:
    """The working git directory that belongs to exactly this folder, if there is one."""
    if not os.path.lexists(folder / ".git"):
        return None
    git = Git(folder)
    try:
        found, top = map(Path, _answers(git, (["--absolute-git-dir"], ["--show-toplevel"])))
    except GitError:  # it is broken: its files then count as the project's files
        return None
    return found if top.resolve() == folder.resolve() else None


def _own_git(folder: Path) -> Path:
    return folder / OWN_FOLDER / "git"


def _refuse_links(root: Path, *more: Path) -> None:
    """Refuse links at our own paths, because we write there: a link in a project could point anywhere."""
    for path in (root / OWN_FOLDER, _own_git(root), *more):
        if path.is_symlink():
            raise OSError(errno.ELOOP, f"it is a link, and nothing is written through it; remove it: {path}", str(path))


def _users_around(folder: Path) -> Repository | None:
    """The user's repository whose work tree contains the folder, unless it ignores the whole folder."""
    questions = (["--show-toplevel"], ["--absolute-git-dir"], ["--git-path", "objects"])
    try:
        top, git_dir, objects = _answers(Git(folder), questions)
    except GitError as error:
        if "not a git repository" in error.message or "must be run in a work tree" in error.message:
            return None
        raise
    root = Path(top).resolve()
    if root != folder and _ignores(root, folder):
        return None
    return Repository(root, Path(git_dir), (folder / objects).resolve(), private=False)


def _answers(git: Git, questions: Iterable[list[str]]) -> list[str]:
    """The answers of `rev-parse`, from one call unless a folder name contains a newline."""
    asked = list(questions)
    answers = git.text("rev-parse", *(word for question in asked for word in question)).split("\n")
    return answers if len(answers) == len(asked) else [git.text("rev-parse", *question) for question in asked]


def _ignores(root: Path, folder: Path) -> bool:
    """Check whether a repository ignores the whole folder. Its snapshots would then be empty."""
    try:
        Git(root).run("check-ignore", "-q", "--", str(folder))
    except GitError:
        return False
    return True


def is_ignored(repository: Repository, path: str) -> bool:
    """Check whether the project's rules ignore a file or folder that git does not track."""
    try:
        repository.listing("").run("check-ignore", "-q", "--", f"./{path}")
    except GitError:
        return False
    return True


def may_have_snapshots(folder: Path) -> bool:
    """Whether a folder has a repository, of its user or of ours. Nothing is created, unlike by `Repository.at`."""
    places = (folder, *folder.parents)
    return _own_git(folder).is_dir() or any((place / ".git").exists() for place in places)


def _private_at(root: Path) -> Repository:
    git_dir = _own_git(root)
    if not git_dir.is_dir():
        git_dir.parent.mkdir(exist_ok=True)
        with suppress(FileExistsError), (git_dir.parent / ".gitignore").open("x") as rules:
            rules.write("*\n")  # a later `git add -A` must not pick it up
        _make(git_dir, "sha1")
    return Repository(root, git_dir, git_dir / "objects", private=True)


def _make_room(repository: Repository) -> None:
    if not repository.room.is_dir():
        _make(repository.room, repository.refs.text("rev-parse", "--show-object-format"))
    _write_attributes(repository.room)


def _write_attributes(git_dir: Path) -> None:
    """Write our attributes if they differ: a room that came with an archive may name filters to run."""
    info = git_dir / "info"
    attributes, beside = info / "attributes", info / f"attributes-{os.getpid()}"
    if info.is_symlink():
        info.unlink()
    elif not attributes.is_symlink() and attributes.is_file() and attributes.read_bytes() == ATTRIBUTES:
        return
    info.mkdir(exist_ok=True)
    beside.write_bytes(ATTRIBUTES)
    beside.replace(attributes)


def _make(git_dir: Path, object_format: str) -> None:
    """Create a bare git directory with our attributes under another name, then rename it, so it is never partial."""
    options = ["--quiet", "--bare", "--template=", "--initial-branch=headway", f"--object-format={object_format}"]
    with exclusive_lock(git_dir.parent):
        if git_dir.is_dir():
            return  # another process was faster and created the same
        for left_behind in git_dir.parent.glob(MAKING + "*"):
            shutil.rmtree(left_behind, ignore_errors=True)
        with TemporaryDirectory(prefix=MAKING, dir=git_dir.parent) as scratch:
            made = Path(scratch) / "made"
            Git(git_dir.parent).run("init", *options, str(made))
            _write_attributes(made)
            made.rename(git_dir)
