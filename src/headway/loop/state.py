"""Where a loop stands: what follows from its facts.

Rounds are assessed by the tracker again whenever a loop is taken up; the same facts always give the same course.
"""

import math
from collections.abc import Iterable

import msgspec

from headway.core.iteration import Measurements
from headway.loop.belief import believed
from headway.loop.facts import (
    AgentEnded,
    Ended,
    Fact,
    FilesFound,
    GoingBack,
    GoingOnFrom,
    HandingOver,
    Interrupted,
    Resumed,
    RoundBegan,
    RoundEnded,
    Spent,
    Started,
    StartMeasured,
    Stayed,
    WentBack,
    WentOnFrom,
)
from headway.loop.tracker import Tracker
from headway.policy.ladder import Mode
from headway.scoring.assessment import RoundReport

MEASURING_AGAIN = 1.5
"""How much longer than the last time measuring may take."""


class LoopState:
    """The state of one loop; only `apply` changes it."""

    def __init__(self, started: Started) -> None:
        self.loop_id, self.folder = started.loop_id, started.folder
        self.order, self.settings = started.order, started.settings
        self.tracker = Tracker(started.loop_id, settings=started.settings)
        self.mode: Mode = started.settings.policy.mode or "enforce"
        """What the loop does about what the policy says."""
        self.prompt = started.prompt
        """What the file with the prompt said when it could last be read."""
        self.began: RoundBegan | None = None
        """The round that is under way or was the last one."""
        self.agents: list[AgentEnded] = []
        """How the agent ended, round by round from the first."""
        self.ends: list[RoundEnded] = []
        """How rounds ended, from the baseline on."""
        self.measuring: list[float] = []
        """How many seconds it took to keep and measure each of them."""
        self.base = 0
        """The round whose files are in the working tree, or were when the present round began."""
        self.going_back: GoingBack | None = None
        self.returns: dict[int, tuple[int, str]] = {}
        """Rounds that were rolled back: where to, and why."""
        self.by_hand: dict[int, int] = {}
        """Where a person went back to between two sittings, by the latest round then."""
        self.home = 0
        """The round whose files the working tree gets back at the end, where the result goes on a branch."""
        self.bringing: int | None = None
        """The round whose files are about to be put in place, to go on from them."""
        self.on_branch: int | None = None
        """The round that is on the branch, while the working tree has the files from before the loop."""
        self.settled = -1
        """The round up to which everything advised has been dealt with."""
        self.tried: list[str] = []
        """How the prompt was varied since the work last moved."""
        self.attempts: list[tuple[int, str]] = []
        """All such attempts, with their rounds."""
        self.agent = 0
        self.costs: list[float] = []
        """What is known to have been spent: for each start of the agent whose cost is known."""
        self._cost_is_open = False
        self.found: list[FilesFound] = []
        """What a person changed between two sittings."""
        self._start: RoundEnded | None = None
        self.start_is_unmeasured = False
        """Whether the user changed files that were not measured since."""
        self.left = ""
        """Where the files are kept as this loop left them, if nothing happened since."""
        self.handing_over: HandingOver | None = None
        self.placed: str | None = None
        """Where the result is, once the loop has ended."""
        self.given_way = ""
        """The state that gave way to it, as `headway rollback` calls it."""
        self._sitting, self._latest, self._earlier = started.at, started.at, 0.0

    @classmethod
    def of(cls, facts: Iterable[Fact]) -> "LoopState":
        """The course that all facts of a journal lead to."""
        first, *others = facts
        if not isinstance(first, Started):
            raise ValueError("a course begins with the fact that the loop was started")
        course = cls(first)
        for fact in others:
            course.apply(fact)
        return course

    def apply(self, fact: Fact) -> None:
        """Take in one fact."""
        self.left = self.left if isinstance(fact, Resumed | StartMeasured) else ""
        match fact:
            case Resumed():
                self._resume(fact)
            case FilesFound() | GoingOnFrom() | WentOnFrom():
                self._find(fact)
            case StartMeasured():
                self._measure_start(fact)
            case Spent():
                self._spend(fact.cost_usd)
            case RoundBegan():
                self._begin(fact)
            case AgentEnded():
                self._end_agent(fact)
            case RoundEnded():
                self._end_round(fact)
            case GoingBack():
                self.going_back = fact
            case WentBack():
                message = self.going_back.message if self.going_back else ""
                self.returns[self.number] = (fact.to, message)
                self.base, self.settled, self.going_back = fact.to, self.number, None
            case Stayed():
                self.settled, self.going_back = self.number, None
            case HandingOver():
                self.handing_over = fact
            case Ended():
                self.placed, self.base = fact.placed, self.base if fact.base is None else fact.base
                self.given_way, self.left = fact.kept.rpartition("/")[2], fact.left
                self.on_branch = self.handing_over.selected if self.handing_over and self.order.branch else None
                self.bringing = None
            case Interrupted():
                self.left = fact.left
        self._latest = fact.at

    @property
    def rounds(self) -> list[RoundReport]:
        """The assessed rounds, the baseline first."""
        return self.tracker.rounds

    @property
    def number(self) -> int:
        """The latest round that has ended; -1 before the baseline."""
        return len(self.rounds) - 1

    @property
    def measured(self) -> Measurements:
        """What the latest round measured."""
        return self.tracker.current(self.number).measured

    def current_end(self, number: int) -> RoundEnded:
        """How a round ended; where a person has changed its files since, with what they measured then."""
        return self._start if self._start is not None and self._start.number == number else self.ends[number]

    @property
    def agent_is_due(self) -> bool:
        """Has a round begun whose agent did not come to its end?"""
        return self.began is not None and self.began.number > len(self.agents)

    @property
    def measuring_is_due(self) -> bool:
        """Is there a baseline or a round that has not been measured?"""
        return self.number < len(self.agents)

    @property
    def last_agent(self) -> AgentEnded | None:
        """How the agent ended in the latest round that has ended."""
        return self.agents[self.number - 1] if 0 < self.number <= len(self.agents) else None

    @property
    def cost_usd(self) -> float | None:
        """The known cost; None if unknown."""
        return sum(self.costs) if self.costs else None

    @property
    def is_under_way(self) -> bool:
        """Is something begun and not finished: a round, going back, or handing over?"""
        handing_over = self.handing_over is not None and self.placed is None
        is_moving = self.going_back is not None or self.bringing is not None
        return self.agent_is_due or self.measuring_is_due or is_moving or handing_over

    def seconds(self, now: float | None = None) -> float:
        """How long the loop has been at work, over all sittings: until now, or until the latest fact."""
        return self._earlier + max(0.0, (self._latest if now is None else now) - self._sitting)

    def round_seconds(self, number: int) -> float:
        """How long a round took: the agent and measuring. Of the baseline, measuring alone."""
        return self.measuring[number] + (self.agents[number - 1].seconds if number else 0.0)

    def time_for_work(self, now: float) -> float:
        """Seconds that are left of the time for the whole loop, without those that measuring will need."""
        measuring = sum(one.reading.seconds for one in self.ends[-1].readings) if self.ends else 0.0
        limit = math.inf if self.order.seconds is None else self.order.seconds
        return limit - self.seconds(now) - MEASURING_AGAIN * measuring

    def _resume(self, fact: Resumed) -> None:
        self._earlier += max(0.0, self._latest - self._sitting)
        self._sitting = fact.at
        if self.handing_over is not None and self.placed is not None:
            # It was over, and a person wants it to go on: what ended it is settled.
            self.handing_over, self.placed = None, None
            self.tracker.selection, self.tracker.ending = None, ""
            self.settled, self.tried = self.number, []
        self.order = fact.order

    def _find(self, fact: FilesFound | GoingOnFrom | WentOnFrom) -> None:
        """Take in which files the loop goes on from."""
        if isinstance(fact, FilesFound):
            self.found.append(fact)
            self.left, self.start_is_unmeasured = fact.now, True
            return
        if isinstance(fact, GoingOnFrom):
            self.bringing = fact.number
            return
        self.base, self.left, self.on_branch, self.bringing = fact.number, fact.left, None, None
        if fact.by_hand:
            self.by_hand[self.number] = self.home = fact.number
        if self.tracker.is_of_other_files(fact.number):
            self.start_is_unmeasured = True

    def _measure_start(self, fact: StartMeasured) -> None:
        self._trust(fact.unkept)
        self.start_is_unmeasured = False
        self._start = msgspec.structs.replace(self.ends[self.base], readings=fact.readings, old_tests=None)
        self.tracker.begin_again(self.base, believed(self._start, None))

    def _trust(self, unkept: dict[str, str]) -> None:
        """What a person changed in ignored files between sittings is no round's doing, now or later."""
        latest, first = self.ends[-1].unkept, self.ends[0].unkept
        theirs = {path for path in {*latest, *unkept} if latest.get(path) != unkept.get(path)}
        kept = {path: digest for path, digest in first.items() if path not in theirs}
        kept |= {path: digest for path, digest in unkept.items() if path in theirs}
        self.ends[0] = msgspec.structs.replace(self.ends[0], unkept=kept)
        self.ends[-1] = msgspec.structs.replace(self.ends[-1], unkept=unkept)

    def _begin(self, fact: RoundBegan) -> None:
        again = self.began is not None and self.began.number == fact.number
        if fact.approach and not again:
            self.tried.append(fact.approach)
            self.attempts.append((fact.number, fact.approach))
        self.began, self.agent, self._cost_is_open, self.on_branch = fact, fact.agent, False, None
        self.prompt = self.prompt if fact.prompt is None else fact.prompt

    def _end_agent(self, fact: AgentEnded) -> None:
        self.agents.append(fact)
        if fact.cost_usd is not None:
            self._spend(fact.cost_usd)
        self._cost_is_open = False

    def _spend(self, cost_usd: float) -> None:
        """Note what the present start of the agent has cost so far. That never becomes less."""
        if self._cost_is_open:
            self.costs[-1] = max(self.costs[-1], cost_usd)
        else:
            self.costs.append(cost_usd)
        self._cost_is_open = True

    def _end_round(self, fact: RoundEnded) -> None:
        measured = believed(fact, self.tracker.current(0).measured if self.rounds else None)
        self.ends.append(fact)
        began = max(self._sitting, self.agents[-1].at if self.agents else 0.0)
        self.measuring.append(max(0.0, fact.at - began))
        self.start_is_unmeasured = False
        if fact.number > 1:  # only the latest output is asked for again
            self.agents[fact.number - 2] = msgspec.structs.replace(self.agents[fact.number - 2], output="")
        if fact.number == 0:
            self.tracker.pre_loop(measured, snapshot=fact.snapshot, at=fact.at)
            return
        report = self.tracker.post_iteration(
            measured,
            self.agents[fact.number - 1].output,
            changes=fact.changes,
            based_on=self.base,
            snapshot=fact.snapshot,
            at=fact.at,
        )
        self.base = fact.number
        if report.iteration.verdict == "forward":
            self.tried = []
