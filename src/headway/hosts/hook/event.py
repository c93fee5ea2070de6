"""What one call of a hook tells, in our words.

Plain classes: this is imported in every hook call, also in those that need neither events nor the engine.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would be felt
    from collections.abc import Mapping
    from typing import Any

START = "start"
"""A session begins or is taken up again."""
PROMPT = "prompt"
"""The user speaks."""
TASK = "task"
"""A sub-agent is given a task, its first or another one."""
BEFORE = "before"
"""A tool is about to run."""
AFTER = "after"
"""A tool has run."""
BATCH = "batch"
"""All calls of one answer have run, including those without any other event."""
COMPACTED = "compacted"
TURN_END = "turn end"
"""The agent wants to give the word back to the user."""
SESSION_END = "session end"


class NotUnderstoodError(ValueError):
    """Nothing could be made of what an agent sent; the message says who sent what kind of thing, not what was in it."""


class ToolUse:
    """A call, and what came back if it has run."""

    def __init__(
        self,
        id: str,
        tool: str,
        args: "Mapping[str, Any]",
        *,
        response: "Any" = None,
        failed: bool | None = None,
    ) -> None:
        self.id = id
        """Empty where the host gives none."""
        self.tool = tool
        self.args = args
        self.response = response
        """What the host sent as the result, in its own shape."""
        self.failed = failed
        """Whether the host says that it failed; None where it does not say."""


class HookEvent:
    """One event of a host."""

    def __init__(
        self,
        event: str,
        moment: str,
        session: str,
        *,
        agent: str = "",
        cwd: str = "",
        model: str | None = None,
        at: float | None = None,
        mark: str = "",
        text: str = "",
        again: bool = False,
        uses: "tuple[ToolUse, ...]" = (),
        transcript: str = "",
        compacted: bool = False,
        queued: str = "",
    ) -> None:
        self.event = event
        """The host's own name of it, which the answer may have to repeat."""
        self.moment = moment
        self.session = session
        self.agent = agent
        """The id of a sub-agent; empty for the main one."""
        self.agent_is_guess = False
        """The host does not say whose result this is: if another agent of the session asked for it, it is theirs."""
        self.cwd = cwd
        self.model = model
        self.at = at
        self.mark = mark
        """What tells this event from the next of its kind, where calls have no id: a time or the id of a prompt."""
        self.text = text
        """What the user said, or what the agent said last."""
        self.again = again
        """The agent wanted to end its turn before and a hook kept it going."""
        self.uses = uses
        self.transcript = transcript
        self.compacted = compacted
        """The session continues with a compacted context."""
        self.queued = queued
        """The file name of an event that had to wait; its answer is not delivered."""


class HookReply:
    """What is to be said to the host."""

    def __init__(self, action: str, message: str, again: bool = False) -> None:
        self.action = action
        """nudge, block, stop or escalate."""
        self.message = message
        self.again = again
        """The run was stopped, and the agent makes another call anyway."""
