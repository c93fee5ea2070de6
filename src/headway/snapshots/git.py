"""The one way Headway calls git: list arguments, no shell, and nothing of the user's set-up that could act.

Hooks, background services, signing and prompts are switched off for every call; variables that point git somewhere
else (`GIT_DIR` inside a hook, for example) are not handed on. Bytes go in and bytes come out, because a file name is
bytes.
"""

import errno
import os
import shutil
import stat
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import IO

import msgspec

OVERRIDES = {
    "core.hooksPath": os.devnull,  # update-ref would run a reference-transaction hook
    "core.fsmonitor": "false",  # starts a daemon
    "core.logAllRefUpdates": "false",  # "always" would write reflogs for our refs
    "core.quotePath": "false",
    "core.splitIndex": "false",  # an index of ours is one file, which is copied and renamed
    "index.version": "4",  # a third smaller; holds for new ones, so for ours alone
    "core.checkStat": "default",  # an edit that keeps size and time must be seen …
    "core.trustctime": "true",
    "core.ignoreStat": "false",
    "index.skipHash": "false",  # … and we tell one index from another by its checksum
    "core.fsync": "objects,reference",  # a finished round survives a power cut …
    "core.fsyncMethod": "writeout-only",  # … at the price of one flush, by `update-ref`, not one for each file
    "commit.gpgsign": "false",
    "gc.auto": "0",
    "i18n.commitEncoding": "UTF-8",
    "advice.detachedHead": "false",
}
"""Settings that hold for every call, whatever the user's configuration says."""

LASTING = {"update-ref": {"core.fsyncMethod": "fsync", "core.filesRefLockTimeout": "1000"}}
"""The call that ends a piece of work waits until the disk has it, and with it all that was written before."""

FIXED = {
    "LC_ALL": "C",  # we read messages
    "GIT_OPTIONAL_LOCKS": "0",  # never refresh the user's index in passing
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",  # a partial clone would ask its server, through whatever program reaches it
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_AUTHOR_NAME": "Headway",
    "GIT_AUTHOR_EMAIL": "headway",
    "GIT_COMMITTER_NAME": "Headway",
    "GIT_COMMITTER_EMAIL": "headway",
}

HANDED_ON = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT", "GIT_EXEC_PATH")
"""What a person's environment may still say: where settings are, not where the repository is."""
HANDED_ON_BEGINNINGS = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_")


PATIENCE = 5.0
"""Seconds after which we look whether git waits for something that never comes."""
RULES = frozenset({".gitignore", ".gitattributes", ".gitmodules"})
READ = ("index", "config", "HEAD", "packed-refs", "shallow", "info/exclude", "info/attributes", "info/sparse-checkout")
"""What git reads in its own folder."""


class GitError(RuntimeError):
    """Git could not do what was asked; the message names the command, the folder and git's own words."""

    def __init__(self, command: str, folder: str, said: str) -> None:
        super().__init__(f"git {command} failed in {folder}: {said or 'no message'}")
        self.said = said


class Running:
    """A git that is at work while we do something else. Leaving the `with` block ends it."""

    def __init__(self, git: "Git", arguments: tuple[str, ...]) -> None:
        self._git, self._arguments = git, arguments
        try:
            self._process = git.start(*arguments, stderr=subprocess.PIPE)
        except OSError as error:
            raise self._failed(f"git could not be started ({error.strerror})") from error

    def __enter__(self) -> "Running":
        return self

    def __exit__(self, *exception: object) -> None:
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()  # a git that still writes gets a broken pipe
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            if self._waits_for():
                self._process.kill()
            self._process.wait()

    def output(self, given: bytes = b"") -> bytes:
        """What git prints; raises GitError when it fails."""
        try:
            printed, said = self._process.communicate(given, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            if pipe := self._waits_for():
                self._process.kill()
                why = f"{pipe} is a pipe, on which git would wait forever; replace it with a file or remove it"
                raise self._failed(why) from None
            printed, said = self._process.communicate()
        if self._process.returncode:
            raise self._failed(said.decode("utf-8", "replace").strip())
        return printed

    def _waits_for(self) -> str | None:
        """The pipe that stands where git looks for its index, settings or rules, if there is one."""
        git_dir = Path(self._git.places.get("GIT_DIR") or self._git.folder / ".git")
        index = Path(self._git.places.get("GIT_INDEX_FILE") or git_dir / "index")
        for place in (index, *(git_dir / name for name in READ)):
            if place.is_fifo():
                return str(place)
        root = self._git.places.get("GIT_WORK_TREE") or str(self._git.folder)
        for folder, _, files in os.walk(root):
            for name in RULES.intersection(files):
                if stat.S_ISFIFO(os.lstat(f"{folder}/{name}").st_mode):
                    return os.path.relpath(f"{folder}/{name}", root)
        return None

    def _failed(self, said: str) -> GitError:
        return GitError(self._arguments[0], str(self._git.folder), said)


class Git(msgspec.Struct, frozen=True):
    """Git in one folder, with the places (`GIT_DIR`, `GIT_INDEX_FILE`, …) it should use instead of the usual ones."""

    folder: Path
    places: Mapping[str, str] = {}

    def run(self, *arguments: str, given: bytes = b"") -> bytes:
        """What git prints; raises GitError when it fails."""
        with Running(self, arguments) as running:
            return running.output(given)

    def text(self, *arguments: str, given: bytes = b"") -> str:
        """What git prints, as text without the newline at its end."""
        return os.fsdecode(self.run(*arguments, given=given).removesuffix(b"\n"))

    def fields(self, *arguments: str, given: bytes = b"") -> list[str]:
        """What git prints with `-z`, cut at the zero bytes."""
        return os.fsdecode(self.run(*arguments, given=given)).split("\0")[:-1]

    def start(self, *arguments: str, stderr: int = subprocess.DEVNULL) -> "subprocess.Popen[bytes]":
        """Git as a process to talk to."""
        return subprocess.Popen(  # noqa: S603 (a list, no shell; arguments are ours or checked)
            command(arguments),
            executable=_git(os.environ.get("PATH", os.defpath)),
            cwd=self.folder,
            env=self._environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
        )

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if _may_be_handed_on(name)}
        return {**kept, **FIXED, **self.places}


class Blobs:
    """The contents of stored files, one after the other from one git process, of any size."""

    CHUNK = 1 << 20

    def __init__(self, git: Git) -> None:
        self._git = git

    def __enter__(self) -> "Blobs":
        self._process = self._git.start("cat-file", "--batch")
        return self

    def __exit__(self, *exception: object) -> None:
        with suppress(OSError):  # git may have gone away first
            self._input.close()
        self._output.close()
        self._process.wait()

    def copy(self, blob: str, to: IO[bytes]) -> None:
        """Write one blob's bytes, exactly as they were kept."""
        self._input.write(f"{blob}\n".encode())
        self._input.flush()
        header = self._output.readline().split()
        if len(header) != 3 or header[1] != b"blob":
            raise GitError("cat-file", str(self._git.folder), f"{blob} is not there")
        left = int(header[2])
        while left:
            chunk = self._output.read(min(left, self.CHUNK))
            if not chunk:
                raise GitError("cat-file", str(self._git.folder), f"{blob} ended early")
            to.write(chunk)
            left -= len(chunk)
        self._output.read(1)  # the newline that git puts after each blob

    @property
    def _input(self) -> IO[bytes]:
        assert self._process.stdin is not None  # noqa: S101 (opened as a pipe; this tells mypy)
        return self._process.stdin

    @property
    def _output(self) -> IO[bytes]:
        assert self._process.stdout is not None  # noqa: S101 (as above)
        return self._process.stdout


def git_is_here() -> bool:
    """Can git be run at all? (Some systems have a `git` that only offers to install one.)"""
    try:
        Git(Path.cwd()).run("version")
    except GitError:
        return False
    return True


def command(arguments: Sequence[str]) -> list[str]:
    """The full command line: our settings first, then what is asked."""
    overrides = {**OVERRIDES, **LASTING.get(arguments[0], {})}
    settings = [word for name, value in overrides.items() for word in ("-c", f"{name}={value}")]
    return ["git", *settings, *arguments]


def found_program(name: str) -> str | None:
    """Where a program is, by its full path. Entries of PATH such as `.` are skipped."""
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    found = shutil.which(name, path=os.pathsep.join(entry for entry in entries if Path(entry).is_absolute()))
    return found if found and Path(found).is_absolute() else None


@lru_cache(maxsize=1)
def _git(search_path: str) -> str:
    """Git itself, and not a program of that name in the project."""
    found = found_program("git")
    if found is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "git")
    return found


def paths_in(printed: bytes) -> set[str]:
    """What `joined` joined, or git printed with `-z`."""
    return set(os.fsdecode(printed).split("\0")[:-1])


def joined(fields: Iterable[str]) -> bytes:
    """Names for git's `-z --stdin`."""
    return os.fsencode("".join(f"{field}\0" for field in fields))


def _may_be_handed_on(name: str) -> bool:
    return not name.startswith("GIT_") or name in HANDED_ON or name.startswith(HANDED_ON_BEGINNINGS)
