"""Runs git: a list of arguments, no shell, and none of the user's settings that run programs.

Hooks, background services, signing and prompts are off for every call. Variables that point git elsewhere, such as
`GIT_DIR` inside a hook, are not passed on. Input and output are bytes, because file names are bytes.
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
    "core.splitIndex": "false",  # our index must be one file, because we copy and rename it
    "index.version": "4",  # a third smaller; applies to new indexes only, so to ours
    "core.checkStat": "default",  # an edit that keeps size and time must be seen …
    "core.trustctime": "true",
    "core.ignoreStat": "false",
    "index.skipHash": "false",  # … and we identify an index by its checksum
    "core.fsync": "objects,reference",  # a finished round survives a power cut …
    "core.fsyncMethod": "writeout-only",  # … at the price of one flush, by `update-ref`, not one for each file
    "commit.gpgsign": "false",
    "gc.auto": "0",
    "i18n.commitEncoding": "UTF-8",
    "advice.detachedHead": "false",
}
"""Settings for every call, whatever the user's configuration says."""

DURABLE = {"update-ref": {"core.fsyncMethod": "fsync", "core.filesRefLockTimeout": "1000"}}
"""`update-ref` ends a piece of work, so it waits until everything written so far is on disk."""

FIXED = {
    "LC_ALL": "C",  # we parse messages
    "GIT_OPTIONAL_LOCKS": "0",  # never refresh the user's index
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",  # a partial clone would run programs to fetch from its server
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_AUTHOR_NAME": "Headway",
    "GIT_AUTHOR_EMAIL": "headway",
    "GIT_COMMITTER_NAME": "Headway",
    "GIT_COMMITTER_EMAIL": "headway",
}

PASSED_ON = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT", "GIT_EXEC_PATH")
"""Variables of the user that git still gets: they say where settings are, not where the repository is."""
HANDED_ON_BEGINNINGS = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_")


PATIENCE = 5.0
"""Seconds until we check whether git is blocked on a pipe."""
RULES = frozenset({".gitignore", ".gitattributes", ".gitmodules"})
READ = ("index", "config", "HEAD", "packed-refs", "shallow", "info/exclude", "info/attributes", "info/sparse-checkout")
"""Files in the git directory that git reads."""


class GitError(RuntimeError):
    """Git failed. The message has the command, the folder and git's own message."""

    def __init__(self, command: str, folder: str, message: str) -> None:
        super().__init__(f"git {command} failed in {folder}: {message or 'no message'}")
        self.message = message


class Running:
    """A git process that runs in the background. Leaving the `with` block ends it."""

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
                    pipe.close()  # if git is still writing, it gets a broken pipe
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            if self._waits_for():
                self._process.kill()
            self._process.wait()

    def output(self, stdin: bytes = b"") -> bytes:
        """The output of git; raises GitError if it fails."""
        try:
            printed, message = self._process.communicate(stdin, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            if pipe := self._waits_for():
                self._process.kill()
                why = f"{pipe} is a pipe, on which git would wait forever; replace it with a file or remove it"
                raise self._failed(why) from None
            printed, message = self._process.communicate()
        if self._process.returncode:
            raise self._failed(message.decode("utf-8", "replace").strip())
        return printed

    def _waits_for(self) -> str | None:
        """The named pipe at a path where git expects its index, settings or rules, if there is one."""
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

    def _failed(self, message: str) -> GitError:
        return GitError(self._arguments[0], str(self._git.folder), message)


class Git(msgspec.Struct, frozen=True):
    """Git in one folder, with environment variables such as `GIT_DIR` and `GIT_INDEX_FILE`."""

    folder: Path
    places: Mapping[str, str] = {}

    def run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """The output of git; raises GitError if it fails."""
        with Running(self, arguments) as running:
            return running.output(stdin)

    def text(self, *arguments: str, stdin: bytes = b"") -> str:
        """The output of git as text, without the final newline."""
        return os.fsdecode(self.run(*arguments, stdin=stdin).removesuffix(b"\n"))

    def fields(self, *arguments: str, stdin: bytes = b"") -> list[str]:
        """The output of git with `-z`, split at the zero bytes."""
        return os.fsdecode(self.run(*arguments, stdin=stdin)).split("\0")[:-1]

    def start(self, *arguments: str, stderr: int = subprocess.DEVNULL) -> "subprocess.Popen[bytes]":
        """Start git as a process to communicate with."""
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
        kept = {name: value for name, value in os.environ.items() if _is_passed_on(name)}
        return {**kept, **FIXED, **self.places}


class Blobs:
    """The contents of stored files of any size, read one after the other from one git process."""

    CHUNK = 1 << 20

    def __init__(self, git: Git) -> None:
        self._git = git

    def __enter__(self) -> "Blobs":
        self._process = self._git.start("cat-file", "--batch")
        return self

    def __exit__(self, *exception: object) -> None:
        with suppress(OSError):  # git may have exited already
            self._input.close()
        self._output.close()
        self._process.wait()

    def copy(self, blob: str, to: IO[bytes]) -> None:
        """Write the bytes of one blob, exactly as stored."""
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


def git_is_installed() -> bool:
    """Check that git runs. (Some systems have a `git` that only offers to install it.)"""
    try:
        Git(Path.cwd()).run("version")
    except GitError:
        return False
    return True


def command(arguments: Sequence[str]) -> list[str]:
    """The full command line: our settings, then the arguments."""
    overrides = {**OVERRIDES, **DURABLE.get(arguments[0], {})}
    settings = [word for name, value in overrides.items() for word in ("-c", f"{name}={value}")]
    return ["git", *settings, *arguments]


def find_program(name: str) -> str | None:
    """The full path of a program. Relative entries of PATH, such as `.`, are skipped."""
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    found = shutil.which(name, path=os.pathsep.join(entry for entry in entries if Path(entry).is_absolute()))
    return found if found and Path(found).is_absolute() else None


@lru_cache(maxsize=1)
def _git(search_path: str) -> str:
    """The path of git. Never a program of that name in the project."""
    found = find_program("git")
    if found is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "git")
    return found


def paths_in(printed: bytes) -> set[str]:
    """Split what `joined` joined, or what git printed with `-z`."""
    return set(os.fsdecode(printed).split("\0")[:-1])


def joined(fields: Iterable[str]) -> bytes:
    """Join names for git's `-z --stdin`."""
    return os.fsencode("".join(f"{field}\0" for field in fields))


def _is_passed_on(name: str) -> bool:
    return not name.startswith("GIT_") or name in PASSED_ON or name.startswith(HANDED_ON_BEGINNINGS)
