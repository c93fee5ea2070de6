"""Finds the scripts that a test command runs through make, package.json, tox or another script.

Only scripts count. Such files often name the code under test too, and changing that code is the work.
"""

import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath

Text = Callable[[str], str | None]
"""Returns the content of a project file; None if there is none."""

MAX_FILES_READ = 20
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
WHOLE_FILES = {"tox": ("tox.ini",), "nox": ("noxfile.py",), "just": ("justfile", "Justfile")}
SHELL = {".sh", ".bash", ".zsh", ".ksh"}
SCRIPTS = SHELL | {".mk", ".ps1", ".bat"}
SCRIPT_FOLDERS = {"scripts", "script", "bin", "tools", "ci", ".ci", "hack"}

_NAMED_FOR_IT = re.compile(r"(?i)(test|check|spec|verify|lint).*\.(py|js|mjs|cjs|ts|rb|pl|php)$")
_TOKEN = re.compile(r"[;&|()`]+|[^\s;&|()`]+")
_RUNS_ANOTHER = re.compile(
    r"then|do|else|if|while|!|exec|env|time|nice|sudo|(?:ba|z|k|da)?sh|python[\d.]*|node|ruby|perl|php|commands|.*="
)
"""Words that run the word after them. Sourced files count as code."""
_RULE = re.compile(r"^([^\s:#=][^:=]*)::?(?!=)([^=]*)$")
_VARIABLE = re.compile(r"^\s*(\w+)\s*[:?+]?=\s*(.*)$")
_USE = re.compile(r"\$[({](\w+)[)}]")


def scripts_run(command: str, text_of: Text) -> set[str]:
    """The scripts that a command line runs, directly or indirectly, by their names as written there."""
    found: set[str] = set()
    read: set[str] = set()
    waiting = [command]
    while waiting:
        line = waiting.pop()
        for name, lines in _behind(line, text_of, read):
            read.add(name)
            waiting += lines
        for word in _words(line):
            if _is_script(word) and word not in found:
                found.add(word)
                is_shell = PurePosixPath(word).suffix in SHELL or "." not in PurePosixPath(word).name
                if is_shell and len(read) < MAX_FILES_READ:
                    read.add(word)
                    waiting += (text_of(word) or "").splitlines()
    return found


def _words(line: str) -> Iterator[str]:
    """The words that are run: the first of each command, and the argument of an interpreter."""
    is_run = not line.lstrip().startswith("#")
    for token in _TOKEN.findall(line) if is_run else ():
        word = token.strip("'\"@").removeprefix("./")
        if token[0] in ";&|()`":
            is_run = True
        elif is_run and word and not word.startswith("-") and not re.match(r"\w+=.", word):
            yield word
            is_run = _RUNS_ANOTHER.fullmatch(PurePosixPath(word).name) is not None


def _is_script(word: str) -> bool:
    place = PurePosixPath(word)
    in_folder = bool(SCRIPT_FOLDERS & {*place.parts[:-1]}) and not place.is_absolute()
    return place.suffix in SCRIPTS or in_folder or _NAMED_FOR_IT.search(place.name) is not None


def _behind(line: str, text_of: Text, read: set[str]) -> Iterator[tuple[str, list[str]]]:
    """The command lines that a program reads from its own file."""
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        words = line.split()
    for number, word in enumerate(words):
        program, after = PurePosixPath(word).name, words[number + 1 :]
        names: tuple[str, ...]
        if program in ("make", "gmake", "$(MAKE)"):
            names, lines = MAKEFILES, _made
        elif program in ("npm", "yarn", "pnpm", "bun"):
            names, lines = ("package.json",), _packaged
        elif program in WHOLE_FILES:
            names, lines = WHOLE_FILES[program], _whole
        else:
            continue
        key = f"{program} {' '.join(after)}"
        if key in read or len(read) >= MAX_FILES_READ:
            continue
        text = next(filter(None, map(text_of, names)), None)
        yield key, lines(text, [one for one in after if not one.startswith("-")]) if text else []


def _whole(text: str, wanted: list[str]) -> list[str]:
    return text.splitlines()


def _packaged(text: str, wanted: list[str]) -> list[str]:
    try:
        scripts = json.loads(text).get("scripts", {})
    except (ValueError, AttributeError):
        return []
    names = [name for one in wanted for name in (one, f"pre{one}", f"post{one}")] if isinstance(scripts, dict) else []
    return [scripts[name] for name in names if isinstance(scripts.get(name), str)]


def _made(text: str, wanted: list[str]) -> list[str]:
    """The recipes of the wanted targets of a makefile, and of all their prerequisites."""
    variables, needs, recipes = _read_makefile(text)
    first = next((name for name in recipes if not name.startswith(".")), "")
    waiting, lines, seen = [one for one in wanted if one in recipes] or [first], [], set()
    while waiting:
        target = waiting.pop()
        if target in recipes and target not in seen:
            seen.add(target)
            lines += recipes[target]
            waiting += needs[target]
    return [_USE.sub(lambda use: variables.get(use[1], use[0]), line).lstrip("@-+ ") for line in lines]


def _read_makefile(text: str) -> tuple[dict[str, str], dict[str, list[str]], dict[str, list[str]]]:
    variables: dict[str, str] = {}
    needs: dict[str, list[str]] = {}
    recipes: dict[str, list[str]] = {}
    targets: list[str] = []
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("\t"):
            for target in targets:
                recipes[target].append(line.strip())
        elif rule := _RULE.match(line):
            targets = rule[1].split()
            for target in targets:
                recipes.setdefault(target, [])
                needs.setdefault(target, []).extend(rule[2].partition(";")[0].replace("|", " ").split())
                recipes[target] += _after_semicolon(rule[2])
        elif variable := _VARIABLE.match(line):
            variables[variable[1]] = variable[2]
    return variables, needs, recipes


def _after_semicolon(text: str) -> Iterable[str]:
    command = text.partition(";")[2].strip()
    return [command] if command else []
