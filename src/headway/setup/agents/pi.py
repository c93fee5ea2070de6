"""pi: a small extension that hands its events to the hook."""

from pathlib import Path

from headway.setup.agent import home_of
from headway.setup.plugin import PluginAgent


class Pi(PluginAgent):
    """pi loads every file in its folders of extensions; a project's only if its user trusts the project."""

    name = "pi"
    title = "pi"
    program = "pi"
    parts = ("plugins/ask.js", "plugins/pi.js")
    before = "tool_call"
    after = "tool_result"

    def user_file(self) -> Path:
        """`~/.pi/agent/extensions/headway.js`."""
        return home_of("PI_CODING_AGENT_DIR", ".pi/agent") / "extensions" / "headway.js"

    def project_file(self, folder: Path) -> Path:
        """The project's `.pi/extensions/headway.js`."""
        return folder / ".pi" / "extensions" / "headway.js"
