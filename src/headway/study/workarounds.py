"""Finds a command that did what another one failed to do."""

from functools import lru_cache

import msgspec

from headway.core.step import Step
from headway.rolling.lazy import regex
from headway.tools.shell.programs import packaged
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
_NODE = frozenset(("npm", "npx", "pnpm", "yarn", "bun", "bunx"))
_LONGEST_WORD = 60
_PLAIN = regex(r"[\w@%+=:,./~^*?\[\]{}$#!-]+")
"""A word that needs no quotes in a shell and cannot contain Markdown."""
_RISKY = frozenset(
    ("rm", "sh", "bash", "zsh", "eval", "curl", "wget", "-c", "-e", "--eval", "--privileged", "--call", "--with",
     "--from", "--package", "--index", "--index-url", "--extra-index-url", "--default-index", "--find-links",
     "--registry")
)  # fmt: skip
"""Programs and options that may occur in a recording but are never suggested."""
_RISKY_TO_FETCH = frozenset(("-i", "-f", "-p"))
"""Short options that name a source where something is installed or fetched, and something harmless elsewhere."""
_FETCHERS = frozenset(("npx", "uvx", "bunx", "nix", "dlx"))
"""Programs and subcommands that fetch a package by its name and run it."""
_OPENS_HOST = regex(r"-v.*|--(?:volume|mount|net|network|pid|ipc|userns|device|cap-add|security-opt)(?:=.*)?")
"""Options with which a container can change the machine around it."""
_CODE = regex(r"-[ce].+")
"""Code in the same word as the option that runs it."""
_INTERPRETERS = frozenset(("python", "py", "pypy", "node", "perl", "ruby", "php", "deno", "bun"))
_PASSING = ("/tmp/", "/var/tmp/", "/dev/", "/proc/")  # noqa: S108 - no file is made there
"""Folders whose files do not last, or that anybody can write to."""
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
        runs_image = {"docker", "run"}.issubset(self.words) and "compose" not in self.words
        risky = runs_image or self._names_a_source or any(map(self._is_risky, self.words))
        return self.is_plain and not risky

    def _is_risky(self, word: str) -> bool:
        name, program = word.partition("=")[0], _name(word)
        return (
            program in _RISKY
            or name in _RISKY
            or any(mark in word for mark in ("://", "$", *_PASSING))
            or ("docker" in self.words and _OPENS_HOST.fullmatch(word) is not None)
            or (self._interprets and _CODE.fullmatch(word) is not None)
        )

    @property
    def _interprets(self) -> bool:
        return any(_VERSION.sub("", _name(word)) in _INTERPRETERS for word in self.words)

    @property
    def _names_a_source(self) -> bool:
        """Whether it installs or fetches something from a place that it names."""
        if _INSTALLS.isdisjoint(self.words) and _FETCHERS.isdisjoint(self.words):
            return False
        places = (word for word in self.words[1:] if not word.startswith("@"))
        return not _RISKY_TO_FETCH.isdisjoint(self.words) or any(mark in word for word in places for mark in ":/+#")


def command_of(step: Step) -> Command | None:
    """The main program of a step's command line; None if it has several, or one with a long text argument."""
    line = step.call.meaning.command
    return programs_in(line)[0] if line else None


@lru_cache(maxsize=64)  # called several times for each step, and commands repeat
def programs_in(line: str) -> tuple[Command | None, str]:
    """The main program of a command line (see `command_of`), and the name of its first one."""
    commands = simple_commands(line)
    return _main(commands), next((one.words[0] for one in commands if one.words), "")


def _main(commands: tuple[Simple, ...]) -> Command | None:
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
        return "" if _fetches_another(until) else " ".join(until)
    if kind == "program" and words[0].endswith(f"/{name}"):
        return words[0]
    if words[1:] == failed.words[1:] and _are_versions(words[0], failed.words[0]):
        return words[0] if kind == "program" else worked.text
    if kind == "module" and _has_same_end(words, failed.words):
        return worked.text
    return worked.text if kind == "command" and same_test and _has_same_runner(words, failed.words) else ""


def _has_same_runner(words: tuple[str, ...], failed: tuple[str, ...]) -> bool:
    """Whether two commands run tests with the same runner, or the same script; `npm test` names no runner."""
    known = packaged().kinds
    one, other = ({_name(word) for word in some if known.get(_name(word)) == "test"} for some in (words, failed))
    if one and other:
        return one == other
    return words[:2] == failed[:2] or (not other and _NODE.issuperset((words[0], failed[0])))


def _installed(words: tuple[str, ...], subject: str, kind: str) -> str:
    """The installation of what was missing."""
    names = {subject, subject.replace("_", "-"), f"python3-{subject}"} if kind == "module" else {subject}
    place = next((place for place, word in enumerate(words) if word in _INSTALLS), len(words))
    is_installed = _INSTALLERS.issuperset(words[: 2 if words[0] == "sudo" else 1]) and not names.isdisjoint(
        words[place + 1 :]
    )
    return " ".join(words) if is_installed and kind != "command" else ""


def _fetches_another(words: tuple[str, ...]) -> bool:
    """Whether a package of another name is fetched to run the last word."""
    between = (word for word in words[1:-1] if not word.startswith("-") and word not in _FETCHERS)
    return not _FETCHERS.isdisjoint(words) and any(between)


def _name(word: str) -> str:
    return word.rpartition("/")[2]


def _are_versions(one: str, other: str) -> bool:
    """Whether two names are versions of one program: python and python3, pip and pip3.11."""
    return one != other and _VERSION.sub("", one) == _VERSION.sub("", other)


def _has_same_end(words: tuple[str, ...], failed: tuple[str, ...]) -> bool:
    """Whether the same script or module ran in another way: `uv run python x.py` for `python x.py`."""
    end = failed[1:]
    return bool(end) and words[-len(end) :] == end and words[0] in _RUNNERS - {failed[0]}
