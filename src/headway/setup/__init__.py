"""Putting the hook into the settings of agents, taking it out again, and proving that it works."""

from headway.setup.agents import agents
from headway.setup.change import Change, installing, uninstalling
from headway.setup.settings_file import SetupError

__all__ = ["Change", "SetupError", "agents", "installing", "uninstalling"]
