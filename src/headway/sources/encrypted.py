"""Conversations that cannot be read because their editor encrypts them, and what to do instead."""

import re
from collections.abc import Sequence
from pathlib import Path

_CONVERSATION = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.pb")
WINDSURF = (
    "Windsurf encrypts the conversations it keeps here. Set a hook for `post_cascade_response_with_transcript` in "
    "~/.codeium/windsurf/hooks.json, and Windsurf writes transcripts into ~/.windsurf/transcripts, which Headway reads"
)
_OTHERS = "files of this name and kind hold encrypted conversations, as Windsurf and Antigravity keep them"


def is_encrypted(names: Sequence[str]) -> bool:
    """Whether a folder holds such conversations and nothing else."""
    return bool(names) and all(map(_CONVERSATION.fullmatch, names))


def why_unread(path: Path | None) -> str:
    """Why a file or folder of such conversations is not read."""
    return WINDSURF if path and {".codeium", "windsurf"} & set(path.absolute().parts) else _OTHERS


def untold_in(home: Path) -> str:
    """What to say about Windsurf's conversations in a home folder without its transcripts."""
    folder = home / ".codeium/windsurf/cascade"
    is_untold = any(folder.glob("*.pb")) and not any((home / ".windsurf/transcripts").glob("*"))
    return f"~/.codeium/windsurf/cascade: {WINDSURF}" if is_untold else ""
