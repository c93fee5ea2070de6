"""An event of an agent program and the reply to it, in a form that all programs share.

Plain classes, because this is imported in every hook call, even those without the engine.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing takes noticeable time
    from collections.abc import Mapping
    from typing import Any

    from headway.core.events import Sender

START = "start"
"""A session starts or is resumed."""
PROMPT = "prompt"
"""The user sends a message."""
ALLOWED = "allow"
"""An event that no agent sends: a person answers from outside, which counts like a user message."""
NEWS = "news"
"""A machine reports something in the user's place."""
TASK = "task"
"""A sub-agent gets a task, its first one or another."""
BEFORE = "before"
"""A tool is about to run."""
AFTER = "after"
"""A tool has run."""
BATCH = "batch"
"""All calls of one answer have run, including those that no other event reported."""
ANSWERED = "answered"
"""The model has answered: what it said and used."""
COMPACTED = "compacted"
WAITING = "waiting"
"""The program asks a person, for example whether a call may run."""
TURN_END = "turn end"
"""The agent wants to end its turn."""
SESSION_END = "session end"
REMARK = "remark"
"""What a reply is that only a person sees."""


class NotUnderstoodError(ValueError):
    """Headway cannot read what an agent sent. The message says who sent what kind of thing, but not its content."""


class ToolUse:
    """A tool call, with its result if it has run."""

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
        """Empty if the host gives none."""
        self.tool = tool
        self.args = args
        self.response = response
        """The result, in the host's own format."""
        self.failed = failed
        """Whether the host says that it failed; None if it does not say."""
        self.batch = ""
        """The same for all calls that were requested together; empty if the host does not report it."""


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
        id: str = "",
        mode: str = "",
        sender: "Sender" = "",
    ) -> None:
        self.event = event
        """The host's own name for it, which the reply may have to repeat."""
        self.moment = moment
        self.session = session
        self.agent = agent
        """The id of a sub-agent; empty for the main one."""
        self.agent_is_guess = False
        """The host does not report the agent. If another agent of the session made this call, it is that agent's."""
        self.cwd = cwd
        self.model = model
        self.at = at
        self.mark = mark
        """Distinguishes it from the next event of its kind if calls have no id: a time or the id of a prompt."""
        self.text = text
        """What the user said, what a machine reported, or what the agent said last."""
        self.sender: Sender = sender
        """Who wrote a message in the user's place, and why, as `UserSpoke.kind` has it."""
        self.again = again
        """A hook has already kept the agent from ending this turn."""
        self.uses = uses
        self.transcript = transcript
        self.compacted = compacted
        """The agent's context was just compacted."""
        self.queued = queued
        """The name under which it waited, if it could not be handled at once. Its reply is not read."""
        self.id = id
        """An id that identifies it if another process sends it again; empty if this cannot happen."""
        self.mode = mode
        """The mode with which the hook was installed (`headway hook --mode`); `policy.mode` outranks it."""
        self.settings: Mapping[str, Any] = {}
        """Settings that the program passes itself; they outrank those of files."""
        self.used: Mapping[str, Any] = {}
        """What an answer of the model has used: the fields of `Used`."""


class Response:
    """What a transcript says that one response of the model has used."""

    def __init__(
        self, id: str, model: "Any", tokens_in: "Any", tokens_out: "Any", cached: "Any", written: "Any"
    ) -> None:
        self.id = id
        """The same in all records about this response."""
        self.model = model if isinstance(model, str) else None
        self.counts = tokens_in, tokens_out, cached, written
        """As in `Used`: the first is the whole prompt, the last two are parts of it."""


class HookReply:
    """What the host must do, and the message."""

    def __init__(self, action: str, message: str, again: bool = False, reason: str = "") -> None:
        self.action = action
        """nudge, block, stop, escalate, or a remark to a person."""
        self.message = message
        self.again = again
        """The run was stopped before, and the agent requests another call."""
        self.reason = reason
        """The detector or limit that caused it."""
