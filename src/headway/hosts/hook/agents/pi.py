"""pi: events come through an extension.

It can be nudged after a tool, refused before one, stopped, and kept from ending its turn. A message can be added to
every result, even of a failed tool.
"""

from headway.hosts.abilities import Abilities
from headway.hosts.hook.agents.plugin import PluginHost
from headway.hosts.hook.event import AFTER, BEFORE, COMPACTED, PROMPT, SESSION_END, START, TURN_END


class Pi(PluginHost):
    """The pi coding agent."""

    name = "pi"
    moments = {
        "session_start": START, "before_agent_start": PROMPT, "tool_call": BEFORE, "tool_result": AFTER,
        "session_compact": COMPACTED, "agent_before_settle": TURN_END, "session_shutdown": SESSION_END,
    }  # fmt: skip
    can = Abilities((AFTER,), stop=True, hold=True)
    fields = {**PluginHost.fields, "event": ("pi_event",)}
