"""Where agent programs keep their recordings on this machine."""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec


class Place(msgspec.Struct, frozen=True):
    """A file or folder in which one program keeps its recordings."""

    program: str
    """The agent program: claude-code, codex, …"""
    path: Path


_EXTENSIONS = {
    "cline": "saoudrizwan.claude-dev",
    "roo": "rooveterinaryinc.roo-cline",
    "kilo": "kilocode.kilo-code",
}
"""Extensions of VS Code that keep a folder for each task."""
_EDITORS = ("Code", "Code - Insiders", "Cursor", "VSCodium", "Windsurf")
_IN_HOME = (
    ("claude-code", "CLAUDE_CONFIG_DIR", ".claude", ("projects",)),
    ("claude-code", "", ".config/claude", ("projects",)),
    ("codex", "CODEX_HOME", ".codex", ("sessions", "archived_sessions")),
    ("gemini-cli", "GEMINI_CLI_HOME", "", (".gemini/tmp",)),
    ("qwen-code", "QWEN_HOME", ".qwen", ("projects", "tmp")),
    ("copilot-cli", "COPILOT_HOME", ".copilot", ("session-state",)),
    ("openhands", "OH_PERSISTENCE_DIR", ".openhands", ("conversations", "sessions")),
    ("pi", "PI_CODING_AGENT_DIR", ".pi/agent", ("sessions",)),
    ("cline", "CLINE_DIR", ".cline", ("data/tasks", "data/sessions")),
    ("continue", "CONTINUE_GLOBAL_DIR", ".continue", ("sessions",)),
    ("cursor", "", ".cursor", ("projects", "chats")),
    ("droid", "", ".factory", ("sessions",)),
    ("antigravity", "", ".gemini/antigravity-cli", ("brain",)),
    ("grok", "", ".grok", ("sessions",)),
    ("kimi", "", ".kimi", ("sessions",)),
    ("kimi", "KIMI_CODE_HOME", ".kimi-code", ("sessions",)),
    ("openclaw", "", ".openclaw", ("agents/*/sessions",)),
    ("windsurf", "", ".windsurf", ("transcripts",)),
    ("zed", "XDG_DATA_HOME", ".local/share", ("zed/threads/threads.db",)),
    ("zed", "LOCALAPPDATA", "AppData/Local", ("Zed/threads/threads.db",)),
    ("zed", "", "Library/Application Support", ("Zed/threads/threads.db",)),
    ("warp", "XDG_STATE_HOME", ".local/state", ("warp-terminal*/warp.sqlite",)),
    ("warp", "LOCALAPPDATA", "AppData/Local", ("warp/Warp*/data/warp.sqlite",)),
    ("warp", "", "Library/Group Containers/2BBY89MBSN.dev.warp/Library/Application Support", ("*/warp.sqlite",)),
)
"""Program, the variable that names its folder, that folder in the home, and what is in it."""
_IN_DATA = (
    ("opencode", ("opencode/opencode*.db", "opencode/storage")),
    ("goose", ("goose/sessions",)),
    ("amp", ("amp/threads",)),
)
"""Program, and where it is in the user's folder for data."""


def recordings_of_this_user(environment: Mapping[str, str] | None = None) -> list[Place]:
    """Every place on this machine where a known program keeps recordings, each once."""
    environment = os.environ if environment is None else environment
    home = Path(environment.get("HOME") or Path.home())
    found: dict[Path, Place] = {}
    for program, top, pattern in _candidates(environment, home):
        for path in sorted(top.glob(pattern)):
            if path.is_file() or path.is_dir():  # reading a pipe would wait for its writer
                found.setdefault(path.resolve(), Place(program, path))
    return list(found.values())


def _candidates(environment: Mapping[str, str], home: Path) -> Iterator[tuple[str, Path, str]]:
    for program, variable, folder, patterns in _IN_HOME:
        given = environment.get(variable) if variable else None
        for pattern in patterns:
            yield program, Path(given) if given else home / folder, pattern
    data = Path(environment.get("XDG_DATA_HOME") or home / ".local/share")
    for program, patterns in _IN_DATA:
        for pattern in patterns:
            yield program, data, pattern
    for program, extension in _EXTENSIONS.items():
        for editor in _EDITORS:
            yield program, _settings_folder(environment, home), f"{editor}/User/globalStorage/{extension}/tasks"
    for editor in _EDITORS:
        for kind in ("workspaceStorage/*/chatSessions", "globalStorage/emptyWindowChatSessions"):
            yield "vscode-chat", _settings_folder(environment, home), f"{editor}/User/{kind}"
    yield "aider", Path.cwd(), ".aider.chat.history.md"
    yield "crush", Path.cwd(), ".crush/crush.db"


def _settings_folder(environment: Mapping[str, str], home: Path) -> Path:
    """The folder of editors' user data, by the conventions of the platform."""
    if sys.platform == "darwin":
        return home / "Library/Application Support"
    if sys.platform == "win32":
        return Path(environment.get("APPDATA") or home / "AppData/Roaming")
    return Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
