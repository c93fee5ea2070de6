"""Putting the hook into the settings of agents, taking it out again, and proving that it works."""

from headway.setup.agents import agents
from headway.setup.change import Change, SetupError, installing, uninstalling

__all__ = ["Change", "SetupError", "agents", "installing", "uninstalling"]
