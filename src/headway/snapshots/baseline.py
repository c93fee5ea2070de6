"""Records what belonged to the user when a loop began. Every later snapshot of the loop uses this record.

A tree of files does not contain everything: which files the rules ignored, how to recognise those files if they are
moved, unusual permissions, and empty folders. An agent may rewrite `.gitignore`, run `git add -f .env` or move `.env`.
The rules of the baseline still decide what belongs to the project, so files that they ignored are never saved, removed
or committed.

The record is a commit, and later snapshots have it as a parent. Its tree holds the baseline's files as `known` and
everything else in one blob. Git itself applies the rules, from copies of them in an otherwise empty folder.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

import msgspec

from headway.snapshots.filters import filters_of
from headway.snapshots.git import Git, GitError, joined
from headway.snapshots.moved import MAX_FILES_PER_FOLDER, Displaced, FileIdentity, identities_of
from headway.snapshots.names import OWN_FOLDER, is_ours, readable
from headway.snapshots.repository import Repository, git_dir_in
from headway.snapshots.rules import merge_rules
from headway.snapshots.trees import TREE

IGNORED = ("ls-files", "-z", "--others", "--ignored", "--directory", "--exclude-standard")
"""Lists ignored files. A folder that a rule names is one entry, without its contents."""
RULES_FILE = ".gitignore"
BLOB, KNOWN = "about", "known"
TOP = "."
"""The path of the project's root among the recorded folders."""


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """The record itself. Paths are bytes, as they are on disk."""

    rules: dict[bytes, dict[bytes, bytes]] = {}
    """The rule files of each repository: its folder → path → content. The path `b""` holds its general rules."""
    ignored: dict[bytes, FileIdentity] = {}
    """The ignored files, so that they can be recognised in another place. Large folders are recorded in part."""
    permissions: dict[bytes, int] = {}
    """The permissions of files with unusual ones."""
    directories: dict[bytes, int] = {}
    """The project's root (as a dot) and all folders that are not ignored, with their permissions."""
    folders: list[bytes] = []
    """The empty ones among these folders."""
    head: str = ""
    """The commit that was checked out."""
    filters: dict[bytes, bytes] | None = None
    """The git settings that name programs which convert files; None if not checked."""


class Baseline:
    """The record of one baseline, read on first use."""

    def __init__(self, repository: Repository, commit: str) -> None:
        self.commit = commit
        self._repository = repository

    @cached_property
    def facts(self) -> Facts:
        """The record."""
        return _facts_at(self._repository, self.commit)

    @cached_property
    def known(self) -> list[str]:
        """All files of the baseline. They stay part of the project even if a later rule ignores them."""
        return self._store.fields("ls-tree", "-r", "-z", "--name-only", "--full-tree", f"{self.commit}:{KNOWN}")

    @property
    def folders(self) -> list[str]:
        """The folders that were empty."""
        return [os.fsdecode(folder) for folder in self.facts.folders]

    @property
    def repositories(self) -> list[str]:
        """The folders of the project and its nested repositories; the project's own is the empty string."""
        return [os.fsdecode(folder) for folder in self.facts.rules]

    @cached_property
    def displaced(self) -> Displaced:
        """The ignored files that are no longer in their places."""
        return Displaced(str(self._repository.root), self.facts.ignored)

    def rules_file(self, folder: str) -> Path | None:
        """The path of a file with all rules of a repository, or None if the repository is new."""
        rules = self.facts.rules.get(os.fsencode(folder))
        return None if rules is None else self._copied(folder, rules).parent / "all"

    def ignored(self, folder: str, paths: Sequence[str]) -> set[str]:
        """The given paths that the rules ignored. Paths are relative to the folder of a repository.

        A new repository is judged by the rules of the repository around it, because its own rules may be an agent's.
        """
        if not paths:
            return set()
        around = folder
        while os.fsencode(around) not in self.facts.rules:
            around = around.rpartition("/")[0]
        if around != folder:
            inner = folder[len(around) :].lstrip("/")
            found = self.ignored(around, [f"{inner}/{path}" for path in paths])
            return {path[len(inner) + 1 :] for path in found}
        place = self._copied(folder, self.facts.rules[os.fsencode(folder)])
        git = Git(place, {"GIT_DIR": str(self._repository.room), "GIT_WORK_TREE": str(place)})
        return ignored_among(git, paths, "-c", f"core.excludesFile={place.parent / 'general'}")

    def ignored_since(self) -> list[str]:
        """The ignored files created or changed since the baseline, without caches and large folders."""
        then, root = self.facts.ignored, str(self._repository.root)
        paths = [_below(folder, path) for folder in self.repositories for path in _ignored_in(self._repository, folder)]
        large = {
            path for path in paths if path.endswith("/") and _count(then, os.fsencode(path)) >= MAX_FILES_PER_FOLDER
        }
        now = identities_of(root, (path for path in paths if path not in large))
        found = {
            os.fsdecode(path) for path, seen in now.items() if not seen.is_folder and _is_new(then.get(path), seen)
        }
        return sorted(readable(path) for path in found if "cache" not in path.lower() and not path.endswith(".pyc"))

    def _copied(self, folder: str, rules: dict[bytes, bytes]) -> Path:
        """A folder that holds only the rule files, each at its own path."""
        number = [*self.facts.rules].index(os.fsencode(folder))
        place = self._repository.room / "rules" / self.commit / str(number) / "files"
        if not place.is_dir():
            (place.parent / "general").parent.mkdir(parents=True, exist_ok=True)
            (place.parent / "general").write_bytes(rules.get(b"", b""))
            (place.parent / "all").write_bytes(merge_rules(rules))
            for path, content in rules.items():
                if path:
                    copy = place.with_name("making") / os.fsdecode(path)
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    copy.write_bytes(content)
            place.with_name("making").mkdir(exist_ok=True)
            place.with_name("making").rename(place)
        return place

    @property
    def _store(self) -> Git:
        return self._repository.store


@lru_cache(maxsize=8)
def _facts_at(repository: Repository, commit: str) -> Facts:
    """Read the record in a commit. Commits never change, so the result is cached."""
    return msgspec.msgpack.decode(repository.store.run("cat-file", "blob", f"{commit}:{BLOB}"), type=Facts)


def ignored_among(git: Git, paths: Sequence[str], *settings: str) -> set[str]:
    """The given paths that git ignores, by the rules in its folder."""
    try:
        named = joined(f"./{path}" for path in paths)  # a leading colon would be a pathspec
        found = git.fields(*settings, "check-ignore", "--no-index", "-z", "--stdin", stdin=named)
    except GitError as error:
        if error.message:  # git fails without a message if nothing is ignored
            raise
        return set()
    return {path.removeprefix("./") for path in found}


def remember(repository: Repository, tree: str, files: dict[str, list[str]], unusual: Mapping[str, int]) -> str:
    """Record what belongs to the user now, and return the commit of the record.

    `files` maps the folder of each repository to its files. `unusual` holds the permissions that a tree cannot store.
    """
    ignored = {folder: _ignored_in(repository, folder) for folder in files}
    below = [_below(folder, path) for folder, paths in ignored.items() for path in paths]
    whole = {_below(folder, path) for folder, paths in ignored.items() for path in whole_folders(paths)}
    head, root = head_of(repository), repository.root
    folders = dict(_folders(root, whole))
    facts = Facts(
        rules={os.fsencode(folder): _rules_of(repository, folder, files[folder], ignored[folder]) for folder in files},
        ignored=identities_of(str(root), (path for path in below if not path.endswith("/") or path[:-1] in whole)),
        permissions={os.fsencode(path): mode for path, mode in unusual.items()},
        directories={os.fsencode(folder): os.lstat(root / folder).st_mode & 0o777 for folder in (TOP, *folders)},
        folders=[os.fsencode(folder) for folder, is_empty in folders.items() if is_empty],
        head=head,
        filters=filters_of(repository.refs),
    )
    store = repository.store
    blob = store.text("hash-object", "-w", "--stdin", stdin=msgspec.msgpack.encode(facts))
    listing = joined([f"100644 blob {blob}\t{BLOB}", f"{TREE} tree {tree}\t{KNOWN}"])
    parent = ["-p", head] if head else []  # so that git keeps it as long as the record
    return store.text("commit-tree", store.text("mktree", "-z", stdin=listing), *parent, "-m", "baseline record")


def head_of(repository: Repository) -> str:
    """The commit that is checked out; empty before the first one."""
    try:
        return repository.refs.text("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    except GitError:
        return ""


def _count(seen: Iterable[bytes], folder: bytes) -> int:
    return sum(path.startswith(folder) for path in seen)


def _is_new(then: FileIdentity | None, now: FileIdentity) -> bool:
    return then is None or (then.size, then.time) != (now.size, now.time)


def _below(folder: str, path: str) -> str:
    return f"{folder}/{path}" if folder else path


def _ignored_in(repository: Repository, folder: str) -> list[str]:
    try:
        found = repository.listing(folder).fields(*IGNORED)
    except GitError:  # its index is damaged
        found = repository.listing(folder, index=False).fields(*IGNORED)
    return [path for path in found if not is_ours(path)]


def whole_folders(ignored: Iterable[str]) -> Iterator[str]:
    """The folders that a rule ignores as a whole, without the slash at the end."""
    waiting = ""
    for path in [*sorted(ignored), ""]:
        if waiting and not path.startswith(waiting):
            yield waiting[:-1]
        waiting = path if path.endswith("/") else ""


def _rules_of(repository: Repository, folder: str, files: Iterable[str], ignored: Iterable[str]) -> dict[bytes, bytes]:
    """The rule files of one repository, including those that ignore themselves, and its general rules."""
    root = repository.root / folder
    places = [path for path in (*files, *ignored) if path.rpartition("/")[2] == RULES_FILE]
    found = {os.fsencode(path): _content(root / path) for path in places}
    git, git_dir = repository.listing(folder), git_dir_in(root)
    exclude = root / git.text("rev-parse", "--git-path", "info/exclude") if git_dir else None
    general = _content(_general_rules(git)) + b"\n" + (_content(exclude) if exclude else b"")
    return {**found, b"": general}


def _general_rules(git: Git) -> Path:
    """The user's own rules for all projects, at the path where git looks for them."""
    try:
        return Path(git.text("config", "--type=path", "--get", "core.excludesFile"))
    except GitError:
        home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
        return Path(home) / "git" / "ignore"


def _content(path: Path) -> bytes:
    """The content of a regular file; empty for anything else, because reading a pipe could block."""
    try:
        return path.read_bytes() if path.is_file() else b""
    except OSError:
        return b""


def _folders(root: Path, skipped: set[str]) -> Iterator[tuple[str, bool]]:
    """All folders except ignored ones and `.git`, each with whether it is empty."""
    for place, folders, files in os.walk(root):
        here = "" if place == str(root) else os.path.relpath(place, root)
        if here:
            yield here, not folders and not files
        ours = (".git", OWN_FOLDER)
        folders[:] = [name for name in folders if name not in ours and _below(here, name) not in skipped]
