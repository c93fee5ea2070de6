"""Kilo Code's command line: built on OpenCode, with its plugins and their events."""

from headway.hosts.hook.agents.opencode import OpenCode


class Kilo(OpenCode):
    """The Kilo Code terminal agent."""

    name = "kilo"
    fields = {**OpenCode.fields, "event": ("kilo_event",)}
