"""pi: a small extension that passes its events to the hook."""

from headway.setup.plugin import PluginAgent


class Pi(PluginAgent):
    """pi loads every file in its extension folders; those of a project only if the user trusts the project."""

    name = "pi"
    title = "pi"
    program = "pi"
    home = ("PI_CODING_AGENT_DIR", ".pi/agent")
    user_plugins = "extensions"
    project_plugins = ".pi/extensions"
    script = "pi.js"
    before = "tool_call"
    after = "tool_result"
