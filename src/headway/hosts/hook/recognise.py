"""Recognises which agent program sent an event: the named one, unless the event itself shows otherwise.

Copilot and Cursor also run the hooks that were installed for Claude Code, so the name alone is not enough.
"""

from headway.hosts.hook.host import Host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

HOSTS = {
    "claude-code": "claude_code.ClaudeCode",
    "codex": "codex.Codex",
    "gemini": "gemini_cli.GeminiCli",
    "qwen": "qwen_code.QwenCode",
    "copilot": "copilot_cli.CopilotCli",
    "cursor": "cursor.Cursor",
    "openhands": "openhands.OpenHands",
    "opencode": "opencode.OpenCode",
    "kilo": "kilo.Kilo",
    "pi": "pi.Pi",
    "cline": "cline.Cline",
}
"""Names for `--agent`, and the class of each; only the needed one is imported."""
FRAMEWORKS = {"framework": "framework.Framework", "ai-sdk": "framework.AiSdk", "mastra": "framework.Mastra"}
"""Frameworks whose events our client sends to the service. They must be named, and are never guessed."""
OTHER_NAMES = {"claude": "claude-code", "gemini-cli": "gemini", "qwen-code": "qwen", "copilot-cli": "copilot"}


class UnknownHostError(ValueError):
    """`--agent` names a program that Headway does not know."""


def host_called(name: str) -> Host:
    """The host of a name."""
    place = HOSTS.get(OTHER_NAMES.get(name, name)) or FRAMEWORKS.get(name)
    if place is None:
        raise UnknownHostError(f"unknown agent {name!r}; expected one of: {', '.join(HOSTS)}")
    module, _, kind = place.partition(".")
    found = __import__(f"headway.hosts.hook.agents.{module}", fromlist=[kind])  # `importlib` imports `warnings`
    host: Host = getattr(found, kind)()
    return host


def recognise(data: "Mapping[str, Any]", named: str | None, environment: "Mapping[str, str]") -> Host:
    """The host that sent an event."""
    if named is None:
        return host_called(guess(data, environment))
    if named in ("claude-code", "claude") and guess(data, {}) in ("cursor", "copilot"):
        return host_called(guess(data, {}))
    return host_called(named)


def guess(data: "Mapping[str, Any]", environment: "Mapping[str, str]") -> str:
    """The name of the host that an event looks like."""
    event = data.get("hook_event_name")
    if "cursor_version" in data:
        return "cursor"
    for plugin in ("opencode", "kilo", "pi", "cline"):
        if f"{plugin}_event" in data:
            return plugin
    if "sessionId" in data:
        return "copilot"
    if "event_type" in data:
        return "openhands"
    if isinstance(event, str) and (event.startswith(("Before", "After")) or event == "PreCompress"):
        return "gemini"
    if "QWEN_PROJECT_DIR" in environment or ("timestamp" in data and "permission_mode" in data):
        return "qwen"
    if ("model" in data and "permission_mode" in data) or "/rollout-" in str(data.get("transcript_path")):
        return "codex"
    if "timestamp" in data:  # Gemini names a transcript in every event, Copilot only at the end of a turn
        return "gemini" if "transcript_path" in data and "stop_reason" not in data else "copilot"
    return "claude-code"
