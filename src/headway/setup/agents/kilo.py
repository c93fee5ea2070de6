"""Kilo Code: OpenCode's plugin, in Kilo's own folder."""

import os
from pathlib import Path

from headway.setup.plugin import PluginAgent


class Kilo(PluginAgent):
    """Kilo's command line is built on OpenCode and loads its plugins from folders of its own."""

    name = "kilo"
    title = "Kilo Code"
    program = "kilo"
    parts = ("opencode.js",)
    before = "tool.execute.before"
    after = "tool.execute.after"

    def user_file(self) -> Path:
        """`~/.config/kilo/plugins/headway.js`."""
        config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
        return Path(config) / "kilo" / "plugins" / "headway.js"

    def project_file(self, folder: Path) -> Path:
        """The project's `.kilo/plugins/headway.js`."""
        return folder / ".kilo" / "plugins" / "headway.js"
