"""Kilo Code: OpenCode's plugin, in Kilo's own folder."""

from headway.setup.plugin import PluginAgent


class Kilo(PluginAgent):
    """Kilo's command line is built on OpenCode and loads plugins from its own folders."""

    name = "kilo"
    title = "Kilo Code"
    program = "kilo"
    home = ("XDG_CONFIG_HOME", ".config")
    user_plugins = "kilo/plugins"
    project_plugins = ".kilo/plugins"
    script = "opencode.js"
    before = "tool.execute.before"
    after = "tool.execute.after"
