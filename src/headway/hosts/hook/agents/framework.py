"""Agents in frameworks of other languages: a client in their program sends events to the service and applies answers.

The names of events are Headway's own: `called` and `returned` for a tool, `answered` for the model, and `user_spoke`.
Every event names the conversation (`session`), and may have `settings` and an `id` that identifies it if it is sent
again. The answers are those of the Python adapters: a nudge is added to the model's next input, a refused call gets the
reason in place of a result, and a stop ends the run.
"""

from headway.hosts.abilities import Abilities
from headway.hosts.hook.agents.plugin import PluginHost
from headway.hosts.hook.event import AFTER, ANSWERED, BEFORE, PROMPT, HookEvent, HookReply, ToolUse
from headway.policy.wording import IN_A_FRAMEWORK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from headway.core.events import Sender

COUNTS = ("tokens_in", "tokens_out", "tokens_cached", "tokens_written")
LARGEST = 1e12
"""Larger amounts of tokens or dollars are implausible."""


class Framework(PluginHost):
    """Any framework, and loops written by hand."""

    name = "framework"
    moments = {"user_spoke": PROMPT, "called": BEFORE, "returned": AFTER, "answered": ANSWERED}
    can = Abilities((PROMPT, BEFORE, AFTER, ANSWERED), stop=True, at_once=True)
    is_brief = is_attended = False
    tells_usage = True
    fields = {
        "id": ("id",), "event": ("event",), "session": ("session",), "cwd": ("cwd",), "call": ("call",),
        "batch": ("batch",), "tool": ("tool",), "args": ("args",), "response": ("result",), "prompt": ("text",),
        "message": ("text",),
    }  # fmt: skip

    def event_from(self, data: "Mapping[str, Any]") -> HookEvent | None:
        """Read an event, with the settings it brings and what was used."""
        hook_event = super().event_from(data)
        if hook_event is not None:
            hook_event.id = self.text(data, "id")
            hook_event.settings = settings if isinstance(settings := data.get("settings"), dict) else {}
            hook_event.used = _used(data) if hook_event.moment == ANSWERED else {}
        return hook_event

    def is_meaningful(self, moment: str, data: "Mapping[str, Any]") -> bool:
        """Every event is; a message of the user may contain only pictures."""
        return True

    def sender(self, moment: str, data: "Mapping[str, Any]") -> "Sender":
        """The program says it itself, if it knows."""
        from headway.core.events import SENDERS  # which loads the engine

        kind = data.get("kind") if moment == PROMPT else None
        return next((sender for sender in SENDERS if sender == kind), "")

    def uses(self, event: str, moment: str, data: "Mapping[str, Any]") -> "tuple[ToolUse, ...]":
        """The call that an event is about."""
        uses = super().uses(event, moment, data)
        for use in uses:
            use.batch = self.text(data, "batch")
        return uses

    def sentence(self, hook_event: HookEvent, action: str, reason: str, message: str, at_limit: bool = False) -> str:
        """The same wording as in the Python adapters."""
        return IN_A_FRAMEWORK[action].format(reason=reason, message=message)  # type: ignore[index]

    def reply(self, hook_event: HookEvent, said: HookReply) -> "dict[str, Any] | None":
        """The action, with its reason for the program."""
        answer = self.answer(hook_event, said.action, said.message)
        return None if answer is None else answer | {"reason": said.reason}


class AiSdk(Framework):
    """The Vercel AI SDK."""

    name = "ai-sdk"


class Mastra(Framework):
    """Mastra."""

    name = "mastra"


def _used(data: "Mapping[str, Any]") -> "dict[str, Any]":
    """The fields of `Used`, without those that are not numbers."""
    counts: dict[str, Any] = {name: int(amount) for name in COUNTS if (amount := _amount(data.get(name)))}
    cost = _amount(data.get("cost_usd"))
    return counts | ({"cost_usd": float(cost)} if cost else {})


def _amount(value: object) -> float:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and 0 < value < LARGEST else 0  # type: ignore[operator, return-value]
