"""Finds the strictest policy for a user's own agents within a given rate of false stops.

The rate is guaranteed for runs like the recorded ones: with the given confidence, at most that share of solved runs is
stopped. Each ladder is tested with the exact binomial bound, in a fixed order from the most patient to the strictest,
and the first that fails ends the tests. Because the order is fixed in advance (Learn then Test), choosing among ladders
costs no confidence. The bound assumes that runs are independent; several runs of one task count for less than they
seem.
"""

from collections.abc import Sequence
from contextlib import closing
from math import ceil, log

import msgspec

from headway.config.settings import Settings
from headway.policy import Ladder
from headway.reports.words import counted
from headway.study.figures import Figures, figures, upper_bound
from headway.study.judged import Judged, Recorded, headway, judged
from headway.study.outcomes import Outcome, recorded_in
from headway.study.shards import Shard

LADDERS: tuple[Ladder, ...] = (
    Ladder(stop_after_blocks=8, stop_after_high=10, stop_after_medium=30),
    Ladder(stop_after_blocks=5, stop_after_high=6, stop_after_medium=20),
    Ladder(stop_after_blocks=3, stop_after_high=4, stop_after_medium=12),
    Ladder(stop_after_blocks=2, stop_after_high=3, stop_after_medium=10),
    Ladder(),
    Ladder(stop_after_blocks=1, stop_after_high=1, stop_after_medium=6),
)
"""From the most patient to the strictest."""
CONFIDENCE = 0.95
RUNGS = ("stop_after_blocks", "stop_after_high", "stop_after_medium")


class Point(msgspec.Struct, frozen=True):
    """One ladder, and its effect on the recorded runs."""

    ladder: Ladder
    figures: Figures
    at_most: float
    """The upper bound of the false-stop rate, at the given confidence."""


class Outcomes(msgspec.Struct, frozen=True):
    """How to find out which runs were solved, and the settings to replay them with."""

    known: dict[str, Outcome] | None
    command: str | None
    settings: Settings | None = None


Replayed = tuple[Judged, ...]
"""One run, replayed with each ladder."""


def replayed(one: Recorded, settings: Settings | None = None) -> Replayed:
    """Replay a run with each ladder, the most patient first."""
    chosen = (with_ladder(settings or Settings(), ladder) for ladder in LADDERS)
    return tuple(judged(one, headway(one.model, ladder)) for ladder in chosen)


def replay_shard(shard: Shard, given: Outcomes) -> list[Replayed]:
    """Replay the runs of a shard whose outcome is known, with each ladder."""
    found = []
    for source in shard.sources:
        with closing(source):
            runs = recorded_in(source, given.known, given.command)
            found += [replayed(one, given.settings) for one in runs]
    return found


def curve(runs: Sequence[Replayed], confidence: float = CONFIDENCE) -> list[Point]:
    """The effect of each ladder on the runs, the most patient first."""
    points = []
    for number, ladder in enumerate(LADDERS):
        found = figures(one[number] for one in runs)
        bound = upper_bound(found.killed, found.solved, confidence) if found.solved else 1.0
        points.append(Point(ladder, found, bound))
    return points


def strictest(points: Sequence[Point], at_most: float) -> Point | None:
    """The strictest ladder within the rate, such that every more patient one is within it too."""
    kept = None
    for point in points:
        if point.at_most > at_most:
            break
        kept = point
    return kept


def solved_runs_needed(at_most: float, confidence: float = CONFIDENCE) -> int:
    """How many solved runs without a false stop are needed to guarantee that rate."""
    return ceil(log(1 - confidence) / log(1 - at_most))


def with_ladder(settings: Settings, ladder: Ladder) -> Settings:
    """The settings with another ladder."""
    rungs = {name: getattr(ladder, name) for name in RUNGS}
    return msgspec.structs.replace(settings, policy=msgspec.structs.replace(settings.policy, **rungs))


def as_toml(point: Point, at_most: float, confidence: float = CONFIDENCE) -> str:
    """A settings file with the chosen ladder, and the reason."""
    found = point.figures
    saved = "–" if found.saved is None else f"{found.saved:.1%}"
    lines = [
        f"# headway calibrate: {found.killed} of {counted(found.solved, 'solved run')} would have been stopped,",
        f"# so at most {point.at_most:.1%} false stops ({confidence:.0%} sure; {at_most:.1%} was asked for). Turns "
        f"saved in failed runs: {saved}.",
        "[policy]",
        *(f"{name} = {getattr(point.ladder, name)}" for name in RUNGS),
    ]
    return "\n".join(lines) + "\n"
