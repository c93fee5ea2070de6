"""The facts of a loop: what happened, recorded one after the other.

The state of a loop follows from its facts alone. So a loop that was killed at any moment continues from the last fact
that reached the disk.
"""

from typing import Literal

import msgspec

from headway.config.settings import Settings
from headway.core.iteration import FileChanges, Measurements
from headway.loop.spec import LoopSpec
from headway.probes import Plan, Reading

FORMAT = 1
"""Version of the facts. A loop with another version cannot be resumed."""

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
        """The exit code of the process."""
        return EXIT_CODES[self.outcome]


class Measured(msgspec.Struct, frozen=True):
    """One measuring plan and its result."""

    plan: Plan
    reading: Reading


class Fact(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="fact"):
    """Something that happened in a loop."""

    at: float


class Started(Fact, frozen=True, tag="started"):
    """The loop was started."""

    loop_id: str
    folder: str
    spec: LoopSpec = msgspec.field(name="order")
    settings: Settings
    prompt: str | None = None
    """The content of the prompt file, if there is one."""
    format: int = 0
    """The version of the facts; 0 in early journals."""


class Resumed(Fact, frozen=True, tag="resumed"):
    """The loop was resumed, perhaps with other limits."""

    spec: LoopSpec = msgspec.field(name="order")


class Interrupted(Fact, frozen=True, tag="interrupted"):
    """The process was interrupted. The loop is not over."""

    left: str = ""
    """The snapshot of the files at that moment."""


class FilesFound(Fact, frozen=True, tag="files_found"):
    """When the loop was resumed, files differed from how it had left them: the user changed them."""

    number: int
    """The latest finished round."""
    since: str
    """The snapshot of the files as the loop left them."""
    now: str
    """The snapshot of the files as they were found."""


class ContinuingFrom(Fact, frozen=True, tag="going_on_from"):
    """The files of the round on the branch are about to be restored, to continue from them."""

    number: int


class ContinuedFrom(Fact, frozen=True, tag="went_on_from"):
    """When the loop was resumed, it continued from another round than the one in the working tree."""

    number: int
    left: str = ""
    """The snapshot of the files in the working tree now."""
    by_hand: bool = False
    """Whether the user restored that round."""


class StartMeasured(Fact, frozen=True, tag="start_measured"):
    """The measurements of the files with the user's changes. The next round is compared with them."""

    readings: tuple[Measured, ...] = ()
    unkept: dict[str, str] = {}
    """The ignored files that decide how rounds are measured, as in `RoundEnded`."""


class RoundBegan(Fact, frozen=True, tag="round_began"):
    """The agent is about to be started."""

    number: int
    approach: str = ""
    """How the prompt was varied because the work was stuck; empty for a normal round."""
    agent: int = 0
    """0 for the agent of the command line, 1 for that of `--then`."""
    prompt: str | None = None
    """The content of the prompt file, if it changed."""
    start: str = ""
    """The snapshot of the files at the start, if measuring had changed them since the round before."""
    guarded: dict[str, str] = {}
    """All files at and below protected paths, ignored or not, with digests."""


class Spent(Fact, frozen=True, tag="spent"):
    """The cost of a round so far, while its agent is running."""

    number: int
    cost_usd: float


class AgentEnded(Fact, frozen=True, tag="agent_ended"):
    """The agent has ended, and its files are as it left them."""

    number: int
    exit_code: int | None = None
    """Negative if a signal ended it, None if we did."""
    cut: str = ""
    """Why we ended it: a detector's id, `round_timeout` or `time`."""
    message: str = ""
    """The message of that detector or limit."""
    seconds: float = 0.0
    cost_usd: float | None = None
    claimed: bool = False
    """Whether it said that the task is complete."""
    output: str = ""
    """The beginning and the end of its output."""


class RoundEnded(Fact, frozen=True, tag="round_ended"):
    """A round was saved and measured. From here on it is never lost."""

    number: int
    readings: tuple[Measured, ...] = ()
    times: int = 1
    """How often it was measured: more than once if the first result could have been chance."""
    until: bool | None = None
    """Whether the `--until` command succeeded; None if there is none."""
    beside: Measurements = Measurements()
    """Which tests are new, gone or flaky."""
    measuring: tuple[str, ...] = ()
    """Files that decide how a round is measured and that changed since the baseline."""
    new_tests: tuple[str, ...] = ()
    """Test files that the baseline did not have."""
    unkept: dict[str, str] = {}
    """Ignored files that decide how a round is measured, with digests, because no snapshot holds them."""
    old_tests: Reading | None = None
    """The result of the baseline's tests on this round's code."""
    guarded: dict[str, str] = {}
    """Files at and below protected paths that the agent changed, ignored or not, with digests."""
    unexplained: tuple[str, ...] = ()
    """Tests that failed in the round before and pass now, although no saved file changed."""
    lost: tuple[str, ...] = ()
    """Ignored files that were deleted in this round. No snapshot holds them."""
    changes: FileChanges | None = None
    snapshot: str | None = None


class RollingBack(Fact, frozen=True, tag="going_back"):
    """The files are about to be rolled back to an earlier round."""

    to: int
    message: str = ""


class RolledBack(Fact, frozen=True, tag="went_back"):
    """The files were rolled back."""

    to: int
    kept: str = ""
    """The snapshot of the files before."""


class Stayed(Fact, frozen=True, tag="stayed"):
    """A round was not rolled back although that was advised, because the user said so."""


class Finishing(Fact, frozen=True, tag="handing_over"):
    """The loop is over, and its result is about to be restored."""

    ending: Ending
    selected: int | None = None
    kept: str = ""
    """The snapshot of the files before."""


class Ended(Fact, frozen=True, tag="ended"):
    """The result is in place, or the message says why not."""

    placed: str
    base: int | None = None
    """The round whose files are in the working tree now."""
    kept: str = ""
    """The snapshot of the files that were replaced."""
    left: str = ""
    """The snapshot of the files at the end."""


AnyFact = (
    Started
    | Resumed
    | Interrupted
    | FilesFound
    | ContinuingFrom
    | ContinuedFrom
    | StartMeasured
    | RoundBegan
    | Spent
    | AgentEnded
    | RoundEnded
    | RollingBack
    | RolledBack
    | Stayed
    | Finishing
    | Ended
)
