"""The steps of one run, one cell each, as compact data for the HTML page.

Every step up to `CELLS` has its kind and whether it failed; the first and the last `WORDED` also have their words.
"""

from collections import deque
from typing import get_args

import msgspec

from headway.core.step import Step
from headway.reports.brief import call_in_brief, outcome_in_brief
from headway.reports.privacy import step_without_content
from headway.reports.text import plain
from headway.tools.kinds import Kind

CELLS = 3_000
"""Steps of a run that are drawn."""
WORDED = 250
"""Steps at the beginning, and as many at the end, that are shown with their words."""
KINDS: tuple[str, ...] = get_args(Kind)
_LETTERS = {kind: "abcdefghijklmnopqrstuvwxyz"[place] for place, kind in enumerate(KINDS)}

Words = tuple[int, int | None, str, str]
"""Number, time, call and outcome of a step."""


class Timeline:
    """Takes in steps one by one, in bounded memory."""

    def __init__(self, content: bool) -> None:
        self.content = content
        self.kinds: list[str] = []
        self.failed: list[int] = []
        self.turns: list[int] = []
        self.first: list[Words] = []
        self.last: deque[Words] = deque(maxlen=WORDED)

    def take(self, step: Step) -> None:
        """Note one step."""
        if step.number <= CELLS:
            self.kinds.append(_LETTERS[step.kind])
            if step.failed or step.denied:
                self.failed.append(step.number)
        words = (step.number, None if step.at is None else int(step.at), *self._words(step))
        (self.first if len(self.first) < WORDED else self.last).append(words)

    def note_turn(self, steps: int) -> None:
        """The user spoke after so many steps."""
        if 0 < steps < CELLS and steps + 1 not in self.turns[-1:]:
            self.turns.append(steps + 1)

    def encoded(self) -> bytes:
        """The data: kinds, numbers of the steps that failed and that began a turn, words."""
        kinds, words = "".join(self.kinds), [*self.first, *self.last]
        return msgspec.json.encode({"kinds": kinds, "failed": self.failed, "turns": self.turns, "words": words})

    def _words(self, step: Step) -> tuple[str, str]:
        if self.content:
            return plain(call_in_brief(step)), plain(outcome_in_brief(step))
        return step_without_content(step)
