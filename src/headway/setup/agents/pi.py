"""pi: a small extension that hands its events to the hook."""

from headway.setup.plugin import PluginAgent


class Pi(PluginAgent):
    """pi loads every file in its folders of extensions; a project's only if its user trusts the project."""

    name = "pi"
    title = "pi"
    program = "pi"
    home = ("PI_CODING_AGENT_DIR", ".pi/agent")
    user_plugins = "extensions"
    project_plugins = ".pi/extensions"
    script = "pi.js"
    before = "tool_call"
    after = "tool_result"
