"""Builds the command lines that start common agent programs for one round, and fills in their placeholders."""

import re
from pathlib import PurePath
from typing import NamedTuple

PLACES = ("{prompt}", "{prompt_file}")
_PLACE = re.compile(r"\{(?:prompt|prompt_file|round)\}")


class Form(NamedTuple):
    """How a program is run for a single prompt, without a person."""

    batch_words: tuple[str, ...]
    """Options that show that a command already does so."""
    before: tuple[str, ...]
    """Arguments right after the program's name."""
    after: tuple[str, ...]
    """Arguments after the user's own."""


FORMS = {
    "claude": Form(("-p", "--print"), (), ("--permission-mode", "acceptEdits", "-p", "{prompt}")),
    "codex": Form(("exec", "e"), ("exec",), ("--sandbox", "workspace-write", "--skip-git-repo-check", "{prompt}")),
    "gemini": Form(("-p", "--prompt"), (), ("--approval-mode", "auto_edit", "-p", "{prompt}")),
    "aider": Form(("-m", "--message", "--msg", "-f", "--message-file"), (), ("--yes-always", "--message", "{prompt}")),
}
"""By program name. The agents may edit files without asking. Whatever else they would ask about is not allowed."""


def program_of(command: tuple[str, ...]) -> str:
    """The name of a command's program, without its folder."""
    return PurePath(command[0]).name if command else ""


def completed(command: tuple[str, ...]) -> tuple[str, ...]:
    """The command, with the options for a single prompt added if the user gave none."""
    form = FORMS.get(program_of(command))
    given = command[1:]
    if form is None or takes_prompt(command) or set(form.batch_words) & set(given):
        return command
    options = _without_repeats(form.after, given)
    return (command[0], *form.before, *given, *options)


def takes_prompt(command: tuple[str, ...]) -> bool:
    """Check whether the command has a placeholder for the prompt. Otherwise the prompt goes to standard input."""
    return any(place in word for word in command for place in PLACES)


def filled(command: tuple[str, ...], *, prompt: str, prompt_file: str, round: int) -> tuple[str, ...]:
    """The command for one round. Placeholders inside the prompt itself are not replaced."""
    argument = prompt.replace("\0", "")  # quoted output may contain NUL, which no argument can
    values = {"{prompt}": argument, "{prompt_file}": prompt_file, "{round}": str(round)}
    return tuple(_PLACE.sub(lambda place: values[place[0]], word) for word in command)


def _without_repeats(options: tuple[str, ...], given: tuple[str, ...]) -> tuple[str, ...]:
    """Our options without those that the user has set."""
    name = options[0]
    decided = any(word == name or word.startswith(f"{name}=") or word in DECISIONS for word in given)
    takes_value = len(options) > 1 and not options[1].startswith(("-", "{"))
    return options[2 if takes_value else 1 :] if decided else options


DECISIONS = (
    "--dangerously-skip-permissions", "--dangerously-bypass-approvals-and-sandbox", "--full-auto", "--yolo", "-y", "-s",
    "--yes", "--allowedTools", "--allowed-tools",
)  # fmt: skip
"""Options with which the user decides what the agent may do."""
