"""What happens in a loop, as facts that are written down one after the other.

Where a loop stands follows from its facts alone, so a loop that was killed at any moment goes on from the last one that
reached the disk.
"""

from typing import Literal

import msgspec

from headway.config.settings import Settings
from headway.core.iteration import FileChanges, Measurements
from headway.loop.spec import LoopSpec
from headway.probes import Plan, Reading

FORMAT = 1
"""Version of the facts; a loop of another one cannot be taken up again."""

EXIT_CODES = {"done": 0, "stopped": 1, "refused": 2, "limit": 3}


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """How a loop ends, and why."""

    outcome: Literal["done", "stopped", "refused", "limit"]
    reason: str
    """For programs: until, complete, target_reached; max_rounds, time, spend, gain; nothing_measured; or a detector."""
    message: str
    """For people."""

    @property
    def exit_code(self) -> int:
        """What the process ends with."""
        return EXIT_CODES[self.outcome]


class Measured(msgspec.Struct, frozen=True):
    """One measuring plan and its result."""

    plan: Plan
    reading: Reading


class Fact(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="fact"):
    """Something that happened in a loop."""

    at: float


class Started(Fact, frozen=True, tag="started"):
    """The loop was asked for."""

    loop_id: str
    folder: str
    order: LoopSpec
    settings: Settings
    prompt: str | None = None
    """What the file with the prompt said, if there is one."""
    format: int = 0
    """The version of the facts; early journals do not tell."""


class Resumed(Fact, frozen=True, tag="resumed"):
    """The loop was resumed, perhaps with other limits."""

    order: LoopSpec


class Interrupted(Fact, frozen=True, tag="interrupted"):
    """A person or the system ended the sitting; the loop is not over."""

    left: str = ""
    """Where the files are kept as they were then."""


class FilesFound(Fact, frozen=True, tag="files_found"):
    """When the loop was resumed, files differed from how it had left them: a person changed them."""

    number: int
    """The latest finished round."""
    since: str
    """Where the files are kept as the loop left them."""
    now: str
    """Where they are kept as they were found."""


class GoingOnFrom(Fact, frozen=True, tag="going_on_from"):
    """The files of the round that is on the branch are about to be put in place: the work goes on from them."""

    number: int


class WentOnFrom(Fact, frozen=True, tag="went_on_from"):
    """When the loop was resumed, it went on from the files of another round than those it had left in place."""

    number: int
    left: str = ""
    """Where the files are kept as they are in the working tree now."""
    by_hand: bool = False
    """Whether a person had put that round's files in place."""


class StartMeasured(Fact, frozen=True, tag="start_measured"):
    """What the files measure with a person's changes in them: the next round is compared with that."""

    readings: tuple[Measured, ...] = ()
    unkept: dict[str, str] = {}
    """The ignored files that decide how rounds are measured, as a round's end tells them."""


class RoundBegan(Fact, frozen=True, tag="round_began"):
    """The agent is about to be started."""

    number: int
    approach: str = ""
    """How the prompt was varied because the work was stuck; empty for a plain round."""
    agent: int = 0
    """0 for the agent of the command line, 1 for the one given with `--then`."""
    prompt: str | None = None
    """What the file with the prompt says now, if that is something else than before."""
    start: str = ""
    """Where the files are kept as it found them, if measuring had changed them since the round that it began from."""
    guarded: dict[str, str] = {}
    """All files at and below protected paths, ignored or not, with digests of what they say."""


class Spent(Fact, frozen=True, tag="spent"):
    """What a round has cost so far, while its agent is at work."""

    number: int
    cost_usd: float


class AgentEnded(Fact, frozen=True, tag="agent_ended"):
    """The agent's part of a round is over; its files are as it left them."""

    number: int
    exit_code: int | None = None
    """Negative when a signal ended it, None when we did."""
    cut: str = ""
    """Why we ended it: a detector's id, `round_timeout` or `time`."""
    message: str = ""
    """What was seen when we ended it."""
    seconds: float = 0.0
    cost_usd: float | None = None
    """None if unknown."""
    claimed: bool = False
    """Whether it said that the task is complete."""
    output: str = ""
    """What it printed, its beginning and its end."""


class RoundEnded(Fact, frozen=True, tag="round_ended"):
    """A round has been kept and measured: from here on it is never lost."""

    number: int
    readings: tuple[Measured, ...] = ()
    times: int = 1
    """How often it was measured: more than once where the first result could have been chance."""
    until: bool | None = None
    """Whether the condition held; None when there is none."""
    beside: Measurements = Measurements()
    """What was found out about the tests beside running them: which are new, gone or flaky."""
    measuring: tuple[str, ...] = ()
    """Files that decide how a round is measured and that are not as they were at the baseline."""
    new_tests: tuple[str, ...] = ()
    """Test files that were not there at the baseline."""
    unkept: dict[str, str] = {}
    """Such files that no snapshot holds because they are ignored, with digests of what they say."""
    old_tests: Reading | None = None
    """What the baseline's own versions of those files say about this round's code."""
    guarded: dict[str, str] = {}
    """Those at and below protected paths that the agent changed, ignored or not, as they are now."""
    unexplained: tuple[str, ...] = ()
    """Tests that failed in the round it began from and pass now, although it changed no file that is kept."""
    lost: tuple[str, ...] = ()
    """Ignored files that are gone since this round: no snapshot holds them."""
    changes: FileChanges | None = None
    snapshot: str | None = None


class GoingBack(Fact, frozen=True, tag="going_back"):
    """The files are about to be brought back to an earlier round."""

    to: int
    message: str = ""


class WentBack(Fact, frozen=True, tag="went_back"):
    """They have been."""

    to: int
    kept: str = ""
    """Where the state before is kept."""


class Stayed(Fact, frozen=True, tag="stayed"):
    """A round was not rolled back, although that was advised: a person said so."""


class HandingOver(Fact, frozen=True, tag="handing_over"):
    """The loop is over; its result is about to be put in place."""

    ending: Ending
    selected: int | None = None
    kept: str = ""
    """Where the files are kept as they were before."""


class Ended(Fact, frozen=True, tag="ended"):
    """The result is in place, or the message says why it is not."""

    placed: str
    base: int | None = None
    """The round whose files are in the working tree now."""
    kept: str = ""
    """Where the files are kept that had to give way."""
    left: str = ""
    """Where the files are kept as they were at the end."""


AnyFact = (
    Started
    | Resumed
    | Interrupted
    | FilesFound
    | GoingOnFrom
    | WentOnFrom
    | StartMeasured
    | RoundBegan
    | Spent
    | AgentEnded
    | RoundEnded
    | GoingBack
    | WentBack
    | Stayed
    | HandingOver
    | Ended
)
