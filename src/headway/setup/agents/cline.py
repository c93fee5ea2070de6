"""Cline: a small plugin that hands its events to the hook."""

from headway.setup.plugin import PluginAgent


class Cline(PluginAgent):
    """Cline's hook files can end a run but not refuse one call, so Headway is a plugin there."""

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
