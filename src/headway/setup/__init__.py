"""Add the hook to the settings of agents, remove it, and check that it works.

`change.py` makes one change of a settings file: shown first, written completely or not at all, and undone byte for
byte. `agents/` says for each program where its settings are. `doctor.py` finds out whether the hook works;
`rehearsal.py` runs it with an invented loop. `headway install`, `uninstall`, `doctor` and `serve` call this.
"""

from headway.setup.agents import agents
from headway.setup.change import Change, installing, uninstalling
from headway.setup.settings_file import SetupError

__all__ = ["Change", "SetupError", "agents", "installing", "uninstalling"]
