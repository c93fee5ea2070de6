"""Finds a command that did what another one failed to do."""

from functools import lru_cache

import msgspec

from headway.core.step import Step
from headway.rolling.lazy import regex
from headway.tools.shell.syntax import Simple, simple_commands

_SHAPING = frozenset(("head", "tail", "grep", "tee", "cat", "sort", "wc", "less", "awk", "sed", "jq"))
"""Programs after a pipe that only format the output."""
_BESIDE = frozenset(("cd", "echo", "export", "source", ".", "set", "true", "pwd", "sleep", "mkdir", "unset"))
"""Programs before and after the main one of a command line."""
_RUNNERS = frozenset(
    ("uv", "uvx", "poetry", "pipenv", "pdm", "rye", "hatch", "npx", "pnpm", "yarn", "bun", "bunx", "npm", "python",
     "python3", "py", "docker", "nix", "mise", "bundle", "conda", "mamba", "corepack", "direnv", "make", "just")
)  # fmt: skip
"""Programs that run other programs with their dependencies."""
_INSTALLS = frozenset(("install", "add", "-S"))
_INSTALLERS = frozenset(
    ("pip", "pip3", "python", "python3", "uv", "poetry", "pdm", "conda", "mamba", "apt", "apt-get", "apk", "dnf", "yum",
     "pacman", "brew", "npm", "pnpm", "yarn", "bun", "cargo", "go", "gem", "sudo")
)  # fmt: skip
_LONGEST_WORD = 60
_PLAIN = regex(r"[\w@%+=:,./~^*?\[\]{}$#!-]+")
"""A word that needs no quotes in a shell and cannot contain Markdown."""
_RISKY = frozenset(("rm", "sh", "bash", "zsh", "eval", "curl", "wget", "-c", "-e", "--eval", "--privileged"))
"""Words that may occur in a recording but are never suggested."""
_VERSION = regex(r"[\d.]+")


class Command(msgspec.Struct, frozen=True):
    """The main program of a command line."""

    words: tuple[str, ...]
    folder: str = ""
    """The folder that the command line changed to before."""

    @property
    def text(self) -> str:
        """The command as a user would type it."""
        line = " ".join(self.words)
        return f"cd {self.folder} && {line}" if self.folder else line

    @property
    def is_plain(self) -> bool:
        """Whether it can be written without quotes."""
        return all(_PLAIN.fullmatch(word) for word in (*self.words, self.folder or "."))

    @property
    def is_advisable(self) -> bool:
        """Whether it may be suggested: it contains no code and downloads nothing from an address in it."""
        opens_host = "docker" in self.words and not {"-v", "--volume", "--mount"}.isdisjoint(self.words)
        risky = opens_host or not _RISKY.isdisjoint(self.words) or any("://" in word for word in self.words)
        return self.is_plain and not risky


def command_of(step: Step) -> Command | None:
    """The main program of a step's command line; None if it has several, or one with a long text argument."""
    line = step.call.meaning.command
    return programs_in(line)[0] if line else None


@lru_cache(maxsize=64)  # called several times for each step, and commands repeat
def programs_in(line: str) -> tuple[Command | None, str]:
    """The main program of a command line (see `command_of`), and the name of its first one."""
    commands = simple_commands(line)
    return _main(commands), next((one.words[0] for one in commands if one.words), "")


def _main(commands: list[Simple]) -> Command | None:
    folder = ""
    main: list[list[str]] = []
    for one in commands:
        words = one.words
        while words and "=" in words[0] and words[0].partition("=")[0].isidentifier():
            words = words[1:]
        if not words or one.heredoc:
            return None
        if words[0] == "cd" and len(words) == 2 and not main:
            folder = words[1]
        elif words[0] not in _BESIDE and not (one.piped and words[0] in _SHAPING):
            main.append(words)
    if len(main) != 1 or any("\n" in word or len(word) > _LONGEST_WORD for word in main[0]):
        return None
    return Command(tuple(main[0]), folder)


def instead(failed: Command, worked: Command, kind: str, subject: str, same_test: bool = False) -> str:
    """How a working command does what the failed one should have done; empty if it does something else."""
    text = _instead(failed, worked, kind, subject, same_test)
    told = worked if text == worked.text else Command(worked.words[: len(text.split())])  # or its beginning
    return text if told.is_advisable else ""


def _instead(failed: Command, worked: Command, kind: str, subject: str, same_test: bool) -> str:
    words = worked.words
    if words == failed.words:
        return worked.text if worked.folder and worked.folder != failed.folder else ""
    if installed := _installed(words, subject, kind):
        return installed
    name = subject if kind in ("program", "module") else failed.words[0]
    until = words[: words.index(name, 1) + 1] if name in words[1:] else ()
    plain = (failed.words[0].rpartition("/")[2], *failed.words[1:])
    if until and until != plain[: len(until)] and words[0] in _RUNNERS and not _INSTALLS.intersection(until):
        return " ".join(until)
    if kind == "program" and words[0].endswith(f"/{name}"):
        return words[0]
    if words[1:] == failed.words[1:] and _are_versions(words[0], failed.words[0]):
        return words[0] if kind == "program" else worked.text
    if kind == "module" and _has_same_end(words, failed.words):
        return worked.text
    return worked.text if kind == "command" and same_test else ""


def _installed(words: tuple[str, ...], subject: str, kind: str) -> str:
    """The installation of what was missing."""
    names = {subject, subject.replace("_", "-"), f"python3-{subject}"} if kind == "module" else {subject}
    place = next((place for place, word in enumerate(words) if word in _INSTALLS), len(words))
    is_installed = _INSTALLERS.issuperset(words[: 2 if words[0] == "sudo" else 1]) and not names.isdisjoint(
        words[place + 1 :]
    )
    return " ".join(words) if is_installed and kind != "command" else ""


def _are_versions(one: str, other: str) -> bool:
    """Whether two names are versions of one program: python and python3, pip and pip3.11."""
    return one != other and _VERSION.sub("", one) == _VERSION.sub("", other)


def _has_same_end(words: tuple[str, ...], failed: tuple[str, ...]) -> bool:
    """Whether the same script or module ran in another way: `uv run python x.py` for `python x.py`."""
    end = failed[1:]
    return bool(end) and words[-len(end) :] == end and words[0] in _RUNNERS - {failed[0]}
