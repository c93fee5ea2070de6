"""What was asked of a loop: the agent, the task, the limits. It is stored with the loop, so that it can be resumed."""

from typing import Literal

import msgspec

Rollback = Literal["auto", "ask", "never"]


class LoopSpec(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The task, agent and limits of one loop."""

    command: tuple[str, ...]
    """The agent with its arguments. `{prompt}`, `{prompt_file}` and `{round}` are filled in."""
    then: tuple[str, ...] = ()
    """The agent that takes over if the first one stays stuck."""
    task: str | None = None
    prompt: str | None = None
    """A file with the task, read again for every round."""
    test: str | None = None
    no_tests: bool = False
    """Whether to continue although no tests can be measured."""
    until: str | None = None
    """The command whose success means that the work is done."""
    max_rounds: int = 10
    seconds: float | None = None
    budget_usd: float | None = None
    stop_when_gain_below: float | None = None
    """Ends the loop when another round is likely to make fewer tests pass than this."""
    round_timeout: float | None = None
    measure_timeout: float = 600.0
    """Seconds for one measuring command, and for `until`."""
    rollback: Rollback = "auto"
    branch: str | None = None
    """The branch that gets the result; otherwise the working tree does."""
    transcript: str | None = None
    """Where the agent writes its transcript, if Headway does not know."""
    note: bool = True
    """Whether prompts include measurements and an explanation of how progress is measured."""

    @property
    def has_task(self) -> bool:
        """Check whether there is a task for the agent."""
        return self.task is not None or self.prompt is not None
