"""Cline: a small plugin that passes its events to the hook."""

from headway.setup.plugin import PluginAgent


class Cline(PluginAgent):
    """A hook file of Cline can end a run but not refuse a single call, so Headway is a plugin there."""

    name = "cline"
    title = "Cline"
    program = "cline"
    home = ("CLINE_DIR", ".cline")
    user_plugins = "plugins"
    project_plugins = ".cline/plugins"
    script = "cline.js"
    before = "beforeTool"
    after = "afterTool"
    shell = "run_commands"
