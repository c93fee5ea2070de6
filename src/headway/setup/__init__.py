"""Add the hook to the settings of agents, remove it, and check that it works."""

from headway.setup.agents import agents
from headway.setup.change import Change, installing, uninstalling
from headway.setup.settings_file import SetupError

__all__ = ["Change", "SetupError", "agents", "installing", "uninstalling"]
