"""Agent programs Headway knows how to start for one round of work, and how a command is filled in."""

import re
from pathlib import PurePath
from typing import NamedTuple

PLACES = ("{prompt}", "{prompt_file}")
_PLACE = re.compile(r"\{(?:prompt|prompt_file|round)\}")


class Form(NamedTuple):
    """How one program is run for a single prompt, without a person."""

    batch_words: tuple[str, ...]
    """Words of which one shows that a command is already written for that."""
    before: tuple[str, ...]
    """What comes right after the program's name."""
    after: tuple[str, ...]
    """What comes after the arguments that the person gave."""


FORMS = {
    "claude": Form(("-p", "--print"), (), ("--permission-mode", "acceptEdits", "-p", "{prompt}")),
    "codex": Form(("exec", "e"), ("exec",), ("--sandbox", "workspace-write", "--skip-git-repo-check", "{prompt}")),
    "gemini": Form(("-p", "--prompt"), (), ("--approval-mode", "auto_edit", "-p", "{prompt}")),
    "aider": Form(("-m", "--message", "--msg", "-f", "--message-file"), (), ("--yes-always", "--message", "{prompt}")),
}
"""By the program's name. They may edit files without asking, and nothing else that the program would ask about."""


def program_of(command: tuple[str, ...]) -> str:
    """The name of a command's program, without its folder."""
    return PurePath(command[0]).name if command else ""


def completed(command: tuple[str, ...]) -> tuple[str, ...]:
    """The command, in the ready form of its program where it does not say itself how to take a prompt."""
    form = FORMS.get(program_of(command))
    given = command[1:]
    if form is None or takes_prompt(command) or set(form.batch_words) & set(given):
        return command
    options = _without_repeats(form.after, given)
    return (command[0], *form.before, *given, *options)


def takes_prompt(command: tuple[str, ...]) -> bool:
    """Does the command have a place for the prompt? Otherwise it gets it on standard input."""
    return any(place in word for word in command for place in PLACES)


def filled(command: tuple[str, ...], *, prompt: str, prompt_file: str, round: int) -> tuple[str, ...]:
    """The command for one round. Places inside the prompt itself are left alone."""
    argument = prompt.replace("\0", "")  # what we quote in it may be anything, and no argument can hold that
    values = {"{prompt}": argument, "{prompt_file}": prompt_file, "{round}": str(round)}
    return tuple(_PLACE.sub(lambda place: values[place[0]], word) for word in command)


def _without_repeats(options: tuple[str, ...], given: tuple[str, ...]) -> tuple[str, ...]:
    """Our own options without those that the person has decided about."""
    name = options[0]
    decided = any(word == name or word.startswith(f"{name}=") or word in DECISIONS for word in given)
    takes_value = len(options) > 1 and not options[1].startswith(("-", "{"))
    return options[2 if takes_value else 1 :] if decided else options


DECISIONS = (
    "--dangerously-skip-permissions", "--dangerously-bypass-approvals-and-sandbox", "--full-auto", "--yolo", "-y", "-s",
    "--yes", "--allowedTools", "--allowed-tools",
)  # fmt: skip
"""Options with which a person has said what the agent may do."""
