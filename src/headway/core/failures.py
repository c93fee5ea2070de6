"""How commands fail, again and again: in the same way as before, or for the same cause.

A way of failing is what was printed: the tests, the error and the lines. A cause is less: the tests that fail, by their
names, or the error, whichever command shows it.
"""

import msgspec

from headway.core.repeats import Changes
from headway.core.step import Step
from headway.rolling.bounded import put
from headway.rolling.lazy import regex
from headway.rolling.normalise import digest, normalise

KEPT_WAYS = 4
"""Ways in which one command fails that are remembered."""

_PLACE = regex(r":\d+(?::\d+)?\b|\bline \d+")
_RUN_TIME = regex(r"\(\d[\d.,]* ?m?s\)| in \d[\d.,]* ?m?s\b")
_PATH = regex(r"/[\w.@+/-]+")


class Failures(msgspec.Struct):
    """How one command has failed since its result last improved."""

    ways: dict[int, int] = {}
    """The latest ways in which it failed: fingerprint of the gist, and of its latest details (0: not computed)."""
    halves: int = 0
    """Rounds of changes since it failed in a new way, counted in halves."""
    last_step: int = 0
    batch: str | None = None
    seen: dict[int, None] = {}
    """The ways in which it has failed in these rounds."""
    unsure: bool = False
    """In one of these rounds, no file is known to have been changed."""
    places: dict[int, int] = {}
    """The same ways, with the fingerprint of their latest details and of the lines they name."""
    moved: bool = False
    """In one of these rounds, the failing tests were at other lines than before."""

    def note(self, step: Step, changes: Changes, new_ground: int) -> int:
        """Compare a failure with the ones before it; return how many rounds of changes have made no difference."""
        since, parallel = self.last_step, self.batch is not None and self.batch == step.call.batch
        self.last_step, self.batch = step.number, step.call.batch
        is_known = self._is_known(step)
        if not (is_known and self.seen):  # without ways, it is a new way, or the count of an earlier version
            self.halves, self.seen, self.unsure, self.moved = 0, {}, False, False
        if not is_known:
            return 0
        put(self.seen, _gist(step), None, KEPT_WAYS)
        if changes.last_effect > since and not parallel:
            self.halves += 1 if new_ground > since else 2
            self.unsure = self.unsure or changes.last <= since
        return self.halves // 2

    def _is_known(self, step: Step) -> bool:
        """Whether it has failed like this before. Details are slow to compute, and only needed if the gist is known."""
        gist = _gist(step)
        details, places = _details(step) if gist in self.ways else (0, 0)
        known = gist in self.ways and self.ways[gist] in (0, details)
        self.moved = self.moved or self.places.get(gist, 0) not in (0, places)
        put(self.ways, gist, details, KEPT_WAYS)
        put(self.places, gist, places, KEPT_WAYS)
        return known


class Lasting(msgspec.Struct):
    """For how long one cause of failures has lasted, whatever was run."""

    rounds: int = 0
    """Rounds of changes since it was first seen."""
    halves: int = 0
    """The same in halves: a round counts one if something else was printed, or a file changed for the first time."""
    printed: int = 0
    """Fingerprint of what was printed in the latest round, paths and lines aside; 0 before the second round."""
    last_step: int = 0
    batch: str | None = None

    def note(self, step: Step, changes: Changes, new_ground: int, better: int) -> int:
        """Count a round if anything was changed since the latest failure; return how many whole rounds there are."""
        parallel = self.batch is not None and self.batch == step.call.batch
        if self.last_step < better:
            self.rounds = self.halves = 0
        elif changes.last_effect > self.last_step and not parallel:
            before, self.printed = self.printed, _printed(step)  # slow, so only where it counts
            self.rounds += 1
            self.halves += 1 + (before in (0, self.printed) and new_ground <= self.last_step)
        self.last_step, self.batch = step.number, step.call.batch
        return self.halves // 2


def _gist(step: Step) -> int:
    """Fingerprint of what failed: which tests, how many, with which message, in how many lines."""
    tests = step.tests
    return digest(f"{(tests.passed, tests.failed, tests.failing) if tests else ''} {step.signature} {step.line_count}")


def _details(step: Step) -> tuple[int, int]:
    """Fingerprints of the whole output without what varies by chance; durations count only in the main error line.

    In the first one, the lines do not count at which a test fails that is known by its name.
    """
    measured = normalise(_RUN_TIME.sub("", step.message), "none")
    text = f"{measured}\n{normalise(step.said)}"
    whole = digest(text)
    return (digest(_PLACE.sub(":0", text)) if step.tests and step.tests.failing else whole), whole


def _printed(step: Step) -> int:
    return digest(_PLACE.sub(":0", _PATH.sub("/", normalise(_RUN_TIME.sub("", step.said), "none"))))
