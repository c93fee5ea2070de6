"""The state of a loop, computed from its facts.

When a loop is resumed, the tracker assesses its rounds again. The same facts always give the same state.
"""

import math
from collections.abc import Iterable

import msgspec

from headway.core.iteration import Measurements
from headway.loop.facts import (
    AgentEnded,
    ContinuedFrom,
    ContinuingFrom,
    Ended,
    Fact,
    FilesFound,
    Finishing,
    Interrupted,
    Resumed,
    RolledBack,
    RollingBack,
    RoundBegan,
    RoundEnded,
    Spent,
    Started,
    StartMeasured,
    Stayed,
)
from headway.loop.tracker import Tracker
from headway.loop.trusted import trusted
from headway.policy import Mode
from headway.scoring.assessment import RoundReport

MEASURING_AGAIN = 1.5
"""How many times longer than the last time measuring may take."""


class LoopState:
    """The state of one loop; only `apply` changes it."""

    def __init__(self, started: Started) -> None:
        self.loop_id, self.folder = started.loop_id, started.folder
        self.spec, self.settings = started.spec, started.settings
        self.tracker = Tracker(started.loop_id, settings=started.settings)
        self.mode: Mode = started.settings.policy.mode or "enforce"
        """What the loop does about the policy's recommendations."""
        self.prompt = started.prompt
        """The content of the prompt file when it was last read."""
        self.began: RoundBegan | None = None
        """The current or latest round."""
        self.agents: list[AgentEnded] = []
        """How the agent ended in each round, the first round first."""
        self.ends: list[RoundEnded] = []
        """How each round ended, the baseline first."""
        self.measuring: list[float] = []
        """Seconds to save and measure each of them."""
        self.base = 0
        """The round in the working tree, or the one that the current round is based on."""
        self.rolling_back: RollingBack | None = None
        self.returns: dict[int, tuple[int, str]] = {}
        """Rounds that were rolled back: to which round, and why."""
        self.by_hand: dict[int, int] = {}
        """Manual rollbacks while the loop was stopped: latest round then → restored round."""
        self.home = 0
        """The round that the working tree gets back at the end, if the result goes to a branch."""
        self.restoring: int | None = None
        """The round whose files are about to be restored, to continue from them."""
        self.on_branch: int | None = None
        """The round on the branch, while the working tree has the files from before the loop."""
        self.settled = -1
        """The round up to which all advice has been dealt with."""
        self.tried: list[str] = []
        """The approaches tried since the work last made progress."""
        self.attempts: list[tuple[int, str]] = []
        self.agent = 0
        self.costs: list[float] = []
        """The known costs, one for each start of the agent."""
        self._cost_is_open = False
        self.found: list[FilesFound] = []
        """What the user changed while the loop was stopped."""
        self._start: RoundEnded | None = None
        self.start_is_unmeasured = False
        """Whether the user changed files that were not measured since."""
        self.left = ""
        """The snapshot of the files as this loop left them, if nothing happened since."""
        self.finishing: Finishing | None = None
        self.placed: str | None = None
        """The location of the result, once the loop has ended."""
        self.kept_state = ""
        """The name for `headway rollback` of the state that the result replaced."""
        self._sitting, self._latest, self._earlier = started.at, started.at, 0.0

    @classmethod
    def of(cls, facts: Iterable[Fact]) -> "LoopState":
        """The state after all facts of a journal."""
        first, *others = facts
        if not isinstance(first, Started):
            raise ValueError("a journal must begin with the fact that the loop was started")
        state = cls(first)
        for fact in others:
            state.apply(fact)
        return state

    def apply(self, fact: Fact) -> None:
        """Apply one fact."""
        self.left = self.left if isinstance(fact, Resumed | StartMeasured) else ""
        match fact:
            case Resumed():
                self._resume(fact)
            case FilesFound() | ContinuingFrom() | ContinuedFrom():
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
            case RollingBack():
                self.rolling_back = fact
            case RolledBack():
                message = self.rolling_back.message if self.rolling_back else ""
                self.returns[self.number] = (fact.to, message)
                self.base, self.settled, self.rolling_back = fact.to, self.number, None
            case Stayed():
                self.settled, self.rolling_back = self.number, None
            case Finishing():
                self.finishing = fact
            case Ended():
                self.placed, self.base = fact.placed, self.base if fact.base is None else fact.base
                self.kept_state, self.left = fact.kept.rpartition("/")[2], fact.left
                self.on_branch = self.finishing.selected if self.finishing and self.spec.branch else None
                self.restoring = None
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
        """The measurements of the latest round."""
        return self.tracker.current(self.number).measured

    def current_end(self, number: int) -> RoundEnded:
        """How a round ended, with newer measurements if the user has changed its files since."""
        return self._start if self._start is not None and self._start.number == number else self.ends[number]

    @property
    def agent_is_due(self) -> bool:
        """Check whether a round has begun whose agent has not ended."""
        return self.began is not None and self.began.number > len(self.agents)

    @property
    def measuring_is_due(self) -> bool:
        """Check whether the baseline or a round still has to be measured."""
        return self.number < len(self.agents)

    @property
    def last_agent(self) -> AgentEnded | None:
        """How the agent ended in the latest finished round."""
        return self.agents[self.number - 1] if 0 < self.number <= len(self.agents) else None

    @property
    def cost_usd(self) -> float | None:
        """The known cost; None if unknown."""
        return sum(self.costs) if self.costs else None

    @property
    def is_under_way(self) -> bool:
        """Check whether a round, a rollback or the finish has begun and not ended."""
        finishing = self.finishing is not None and self.placed is None
        is_moving = self.rolling_back is not None or self.restoring is not None
        return self.agent_is_due or self.measuring_is_due or is_moving or finishing

    def seconds(self, now: float | None = None) -> float:
        """How long the loop has been running, over all its processes: until now, or until the latest fact."""
        return self._earlier + max(0.0, (self._latest if now is None else now) - self._sitting)

    def round_seconds(self, number: int) -> float:
        """How long a round took: the agent and measuring. The baseline has only measuring."""
        return self.measuring[number] + (self.agents[number - 1].seconds if number else 0.0)

    def time_for_work(self, now: float) -> float:
        """Seconds left for the whole loop, minus the time needed for measuring."""
        measuring = sum(one.reading.seconds for one in self.ends[-1].readings) if self.ends else 0.0
        limit = math.inf if self.spec.seconds is None else self.spec.seconds
        return limit - self.seconds(now) - MEASURING_AGAIN * measuring

    def _resume(self, fact: Resumed) -> None:
        self._earlier += max(0.0, self._latest - self._sitting)
        self._sitting = fact.at
        if self.finishing is not None and self.placed is not None:
            # The user resumed a finished loop, so the reason for its end is settled.
            self.finishing, self.placed = None, None
            self.tracker.selection, self.tracker.ending = None, ""
            self.settled, self.tried = self.number, []
        self.spec = fact.spec

    def _find(self, fact: FilesFound | ContinuingFrom | ContinuedFrom) -> None:
        """Apply which files the loop continues from."""
        if isinstance(fact, FilesFound):
            self.found.append(fact)
            self.left, self.start_is_unmeasured = fact.now, True
            return
        if isinstance(fact, ContinuingFrom):
            self.restoring = fact.number
            return
        self.base, self.left, self.on_branch, self.restoring = fact.number, fact.left, None, None
        if fact.by_hand:
            self.by_hand[self.number] = self.home = fact.number
        if self.tracker.is_of_other_files(fact.number):
            self.start_is_unmeasured = True

    def _measure_start(self, fact: StartMeasured) -> None:
        self._trust(fact.unkept)
        self.start_is_unmeasured = False
        self._start = msgspec.structs.replace(self.ends[self.base], readings=fact.readings, old_tests=None)
        self.tracker.begin_again(self.base, trusted(self._start, None))

    def _trust(self, unkept: dict[str, str]) -> None:
        """Accept ignored files that the user changed while the loop was stopped, now and in later rounds."""
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
        """Record the cost of the agent's current start so far. It never decreases."""
        if self._cost_is_open:
            self.costs[-1] = max(self.costs[-1], cost_usd)
        else:
            self.costs.append(cost_usd)
        self._cost_is_open = True

    def _end_round(self, fact: RoundEnded) -> None:
        measured = trusted(fact, self.tracker.current(0).measured if self.rounds else None)
        self.ends.append(fact)
        began = max(self._sitting, self.agents[-1].at if self.agents else 0.0)
        self.measuring.append(max(0.0, fact.at - began))
        self.start_is_unmeasured = False
        if fact.number > 1:  # only the latest output is needed again
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
