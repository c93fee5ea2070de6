"""Encodes the steps of one run, one cell each, as compact data for the HTML page.

Every step up to `MAX_STEPS` has its kind and whether it failed. The first and last `WORDED` steps, and those that lead
to a finding or decision, also have their text. Of the latter the outputs are included, so that a reader can see what
the agent saw.
"""

from collections import deque
from typing import get_args

import msgspec

from headway.core.step import Step
from headway.reports.brief import call_in_brief, outcome_in_brief
from headway.reports.privacy import step_without_content
from headway.reports.text import plain
from headway.rolling.secrets import mask
from headway.rolling.text import printable
from headway.tools.kinds import Kind

MAX_STEPS = 20_000
WORDED = 250
"""Number of steps with text: as many at the beginning, at the end, and around findings."""
LEADING = 8
"""Number of steps before a finding that lead to it."""
OUTPUTS = 40
"""Maximum number of outputs of a run to keep: the first that lead to a finding or a decision."""
KINDS: tuple[str, ...] = get_args(Kind)
_LETTERS = {kind: "abcdefghijklmnopqrstuvwxyz"[place] for place, kind in enumerate(KINDS)}

Words = tuple[int, int | None, str, str]
"""Number, time, call and outcome of a step."""


class Timeline:
    """Collects steps in bounded memory."""

    def __init__(self, content: bool) -> None:
        self.content = content
        self.kinds: list[str] = []
        self.failed: list[int] = []
        self.turns: list[int] = []
        self.first: list[Words] = []
        self.told: list[Words] = []
        self.last: deque[Words] = deque()
        self.outputs: dict[int, tuple[str, int]] = {}
        """Outputs by step, with the length of the whole output."""
        self._telling: set[int] = set()
        self._recent: deque[Step] = deque(maxlen=LEADING + 1)

    def take(self, step: Step, telling: bool = False) -> None:
        """Add one step, and whether there was a finding or decision."""
        if step.number <= MAX_STEPS:
            self.kinds.append(_LETTERS[step.kind])
            if step.failed or step.denied:
                self.failed.append(step.number)
        words = (step.number, None if step.at is None else int(step.at), *self._words(step))
        self._recent.append(step)
        if telling:
            self._telling.add(step.number)
            self._keep_outputs()
        (self.first if len(self.first) < WORDED else self.last).append(words)
        if len(self.last) > WORDED:
            self._let_go(self.last.popleft())

    def note_turn(self, steps: int) -> None:
        """The user sent a message after this many steps."""
        if 0 < steps < MAX_STEPS and steps + 1 not in self.turns[-1:]:
            self.turns.append(steps + 1)

    def encoded(self) -> bytes:
        """The data: kinds, numbers of failed steps and of steps that began a turn, texts."""
        kinds, words = "".join(self.kinds), [*self.first, *self.told, *self.last]
        return msgspec.json.encode({"kinds": kinds, "failed": self.failed, "turns": self.turns, "words": words})

    def encoded_outputs(self) -> bytes:
        """The outputs by step; empty if there are none."""
        return msgspec.json.encode(self.outputs) if self.outputs else b""

    def _keep_outputs(self) -> None:
        for step in self._recent if self.content else ():
            if step.output and step.number not in self.outputs and len(self.outputs) < OUTPUTS:
                self.outputs[step.number] = printable(mask(step.output), kept="\n\t"), step.size
        self._recent.clear()

    def _let_go(self, words: Words) -> None:
        """Drop the text of a step, unless something was found at it or soon after."""
        soon = range(words[0], words[0] + LEADING + 1)
        if len(self.told) < WORDED and not self._telling.isdisjoint(soon):
            self.told.append(words)
        self._telling.discard(words[0])

    def _words(self, step: Step) -> tuple[str, str]:
        if self.content:
            return plain(call_in_brief(step)), plain(outcome_in_brief(step))
        return step_without_content(step)
