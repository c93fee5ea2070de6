"""Cline: a small plugin that hands its events to the hook."""

from pathlib import Path

from headway.setup.agent import home_of
from headway.setup.plugin import PluginAgent


class Cline(PluginAgent):
    """Cline's hook files can end a run but not refuse one call, so Headway is a plugin there."""

    name = "cline"
    title = "Cline"
    program = "cline"
    parts = ("plugins/ask.js", "plugins/cline.js")
    before = "beforeTool"
    after = "afterTool"
    shell = "run_commands"

    def user_file(self) -> Path:
        """`~/.cline/plugins/headway.js`."""
        return home_of("CLINE_DIR", ".cline") / "plugins" / "headway.js"

    def project_file(self, folder: Path) -> Path:
        """The project's `.cline/plugins/headway.js`."""
        return folder / ".cline" / "plugins" / "headway.js"
