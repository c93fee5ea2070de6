"""Handoffs between agents: each is a step of the conversation as a whole, so that handoffs in circles are found.

The result of a handoff is what the agent did before it: results of tools, and messages of some length. Handoffs are
equal if they are between the same agents and have the same result; a short phrase ("I transfer you") is no result.
"""

from collections.abc import Hashable
from typing import Unpack

from headway.hosts.abilities import Abilities
from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.frameworks.conversations import Conversations
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.hook.event import AFTER
from headway.rolling.normalise import digest

TOLD_AFTERWARDS = Abilities(tell=(AFTER,), tell_instead=False, refuse=False, stop=True)
"""A handoff has happened when it is noted."""
ABOUT = "About the handoffs between agents: "
"""Prefix of messages about handoffs, because an agent sees only its own calls."""
REMEMBERED = 50
"""Messages of the user that are remembered."""
ALL = "all agents"
"""Name of the conversation as a whole, beside those of its agents."""


class Handoffs:
    """The conversations in which there were handoffs."""

    def __init__(self, **options: Unpack[Options]) -> None:
        self._known = Conversations(TOLD_AFTERWARDS, ABOUT, **options)
        self._has_store = options.get("store") is not None

    def of(self, conversation: Hashable) -> Conversation | None:
        """The conversation as a whole, if there were handoffs in it."""
        key = (conversation, ALL)
        return self._known.of(*key) if self._has_store or key in self._known else None

    @harmless
    def note(self, conversation: Hashable, giver: str, receiver: str, work: str, asked: str = "") -> None:
        """Record that an agent hands off to another after this work. `asked` is the user's message of this turn."""
        whole = self._known.of(conversation, ALL)
        whole.read_up_to = whole.read_up_to or [digest(asked)]
        call = f"handoff-{whole.monitor.session.tool_call_count + 1}"
        whole.called("handoff", {"from": giver, "to": receiver}, call, batch=call)
        whole.returned(call, work)

    @harmless
    def user_spoke(self, conversation: Hashable, text: str) -> None:
        """Begin a new turn, unless the conversation already has this message: agents repeat it to each other."""
        if whole := self.of(conversation):
            earlier = whole.read_up_to or []
            if (words := digest(text)) not in earlier:
                whole.read_up_to = [*earlier[-REMEMBERED:], words]
                whole.user_spoke(text)
