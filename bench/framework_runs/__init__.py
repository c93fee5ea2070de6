"""For each framework a run that can be measured: one file each, whose `prepare` gives the run.

A run is CALLS calls of one tool, asked for one at a time by a scripted model, "watched" by Headway or with "idle" hooks
of the same kind. Nothing is registered: the folder is the list.
"""

from collections.abc import Callable
from pathlib import Path

CALLS = 100
COMMANDS = [f"cat src/{n}.py" for n in range(CALLS)]
NAMES = sorted(path.stem.replace("_", "-") for path in Path(__file__).parent.glob("[a-z]*.py"))

Run = Callable[[str], object]
"""One run, "watched" or "idle"."""


def text_of(command: str) -> str:
    """About a screen of text that is different for each command."""
    return "".join(f"{line}: what `{command}` says here, in some words\n" for line in range(30))
