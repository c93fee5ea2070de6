"""What the JSON of each format has at its beginning, so that only the readers that may know a recording are loaded.

By module of `headway.readers`: words, one of which is in the beginning of every JSON recording of that format. None
means that nobody can tell; then the reader is loaded and looks for itself, as one that is not listed here always does.
A test compares this table with what the readers say about all samples.
"""

from headway.sources import Head

ONE_PROGRAM: dict[str, tuple[bytes, ...]] = {
    "aider": (b"# aider chat",),
    "atif": (b"ATIF",),
    "claude_code": (b"sessionId", b"parentUuid", b"leafUuid", b"messageId", b"session_id"),
    "codex": (b'"payload"', b'"instructions"'),
    "codex_exec": (b"thread.started", b"turn.", b"item."),
    "copilot_cli": (b'"parentId"',),
    "gemini_cli": (b'"projectHash"',),
    "gemini_stream": (b'"init"',),
    "headway_events": (
        b"run_started", b"user_spoke", b"agent_spoke", b"tool_called", b"tool_returned", b"context_compacted",
        b"advised", b"used", b"stopped", b"iteration_ended", b"run_ended",
    ),
    "inspect_log": (b'"eval"',),
    "mini_swe_agent": (b"mini-swe-agent", b"mini_version", b"model_stats", b"returncode", b"Observation:"),
    "opencode": (b'"projectID"', b'"sessionID"'),
    "openhands": (b'"instruction"', b'"source"'),
    "qwen_code": (b'"parentUuid"',),
    "swe_agent": (b'"trajectory"', b'"history"'),
}  # fmt: skip
"""Formats of single programs."""

GENERAL: dict[str, tuple[bytes, ...] | None] = {
    "anthropic_messages": (b'"role"',),
    "claude_telemetry": (b"claude_code.", b"claude-code"),
    "gemini_contents": (b'"parts"',),
    "langfuse": (b'"traceId"', b'"trace_id"'),
    "langsmith": (b'"run_type"', b'"dotted_order"'),
    "openai_chat": (b'"role"',),
    "openai_responses": None,
    "openinference": (b"openinference.span.kind",),
    "otel_genai": None,
}
"""Shapes that many programs write: their readers are asked after the others."""


_WORDS = ONE_PROGRAM | GENERAL
_KNOW_NAMES = frozenset(("inspect_log", "opencode", "openhands"))
"""Formats that may be a folder, a zip or a database."""


def may_begin(module: str, head: Head) -> bool:
    """Whether a recording that begins like this may be in the format of a reader's module."""
    if module not in _WORDS:
        return True
    if not head.data or head.is_zip or head.is_database:
        return module in _KNOW_NAMES
    words = _WORDS[module]
    return words is None or not head.is_json or any(map(head.data.__contains__, words))
