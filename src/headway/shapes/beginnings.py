"""What the JSON of each format has at its beginning, so that only the readers that may know a recording are loaded.

By module of `headway.readers`: words, one of which is in the beginning of every JSON recording of that format. None
means unknown; then the reader is loaded and looks for itself, as one that is not listed here always does.
A test compares this table with what the readers say about all samples.
"""

import re

from headway.sources import Head

ONE_PROGRAM: dict[str, tuple[bytes, ...]] = {
    "aider": (b"# aider chat",),
    "amp": (b'"T-',),
    "antigravity": (b'"step_index"',),
    "atif": (b"ATIF",),
    "autogen": (b'"models_usage"',),
    "claude_code": (b'"sessionId"', b'"parentUuid"', b'"leafUuid"', b'"messageId"', b'"session_id"'),
    "claude_web": (b'"chat_messages"',),
    "cline": (b'"ts"', b'"origin"'),
    "codex": (b'"payload"', b'"instructions"'),
    "codex_exec": (b"thread.started", b"turn.", b"item."),
    "continue_dev": (b'"workspaceDirectory"',),
    "copilot_cli": (b'"parentId"',),
    "crush": (),
    "cursor": (b'{"role"', b'"tool_call"', b'"apiKeySource"'),
    "droid": (b'"session_start"', b'{"type":"message"', b'{"type": "message"'),
    "gemini_cli": (b'"projectHash"',),
    "gemini_stream": (b'"init"',),
    "goose": (
        b'"accumulated_total_tokens"', b'"toolRequest"', b'"frontendToolRequest"', b'"toolResponse"',
        b'"toolConfirmationRequest"',
    ),
    "grok": (b'"type":"system"', b'"type": "system"', b'"model_id"', b'"tool_result"', b'"prompt_index"'),
    "headway_events": (
        b'"run_started"', b'"user_spoke"', b'"agent_spoke"', b'"turn_ending"', b'"tool_called"', b'"tool_returned"',
        b'"context_compacted"', b'"advised"', b'"used"', b'"stopped"', b'"iteration_ended"', b'"run_ended"',
        b'"ticked"',
    ),
    "inspect_log": (b'"eval"',),
    "kimi": (b'"protocol_version"', b'"payload"', b'"context.append_loop_event"'),
    "langgraph": (),
    "mini_swe_agent": (b"mini-swe-agent", b'"mini_version"', b'"model_stats"', b"returncode", b"Observation:"),
    "mlflow": (b"mlflow.spanType",),
    "packed_sessions": (),
    "opencode": (b'"projectID"', b'"sessionID"'),
    "openhands": (b'"instruction"', b'"source"'),
    "pi": (b'"session"', b'"parentId"'),
    "qwen_code": (b'"parentUuid"',),
    "swe_agent": (b'"trajectory"', b'"history"'),
    "tau_bench": (b'"traj"', b'"simulations"'),
    "terminal_bench": (b'{"version": 2', b'{"version":2', b'{"version": 3', b'{"version":3'),
    "vercel_ai": (b"ai.operationId",),
    "vscode_chat": (b'"requests"',),
    "warp": (),
    "weave": (b'"op_name"',),
    "windsurf": (b'"user_input"', b'"planner_response"'),
    "zed": (),
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
_IS_QUOTED = re.compile(rb'"([^"]+)"')
_QUOTED = {
    module: frozenset(found[1] for word in words or () if (found := _IS_QUOTED.fullmatch(word)))
    for module, words in _WORDS.items()
}
"""The words that stand between two quotes, without these."""
_OTHERS = {
    module: tuple(word for word in words or () if not _IS_QUOTED.fullmatch(word)) for module, words in _WORDS.items()
}
_NAMES: dict[str, tuple[str, ...] | None] = {
    "antigravity": ("transcript_full.jsonl",),
    "atif": ("agent/trajectory.json",),
    "cline": ("ui_messages.json",),
    "crush": ("goose_db_version",),
    "cursor": ("blobs",),
    "goose": ("schema_version",),
    "grok": ("chat_history.jsonl",),
    "inspect_log": None,
    "kimi": ("wire.jsonl",),
    "langgraph": ("writes",),
    "opencode": ("part", "migration"),
    "openhands": None,
    "packed_sessions": ("events",),
    "terminal_bench": ("sessions/agent.cast", "sessions/agent.log", "panes/post-agent.txt"),
    "warp": ("agent_tasks",),
    "zed": ("threads",),
}
"""Formats that may be a folder, a zip, a database or a Parquet file: one of these names is in it; None if unknown."""
_ENDINGS = {"windsurf": ".pb"}
"""Formats that may be a folder: a name in it ends like this."""


def _quoted(head: Head) -> frozenset[bytes]:
    """Everything that stands between two quotes: looking a word up here takes less than searching for each."""
    return frozenset(head.data.split(b'"')[1:-1])


def may_begin(module: str, head: Head) -> bool:
    """Whether a recording that begins like this may be in the format of a reader's module."""
    if module not in _WORDS:
        return True
    if not head.data or head.is_zip or head.is_database or head.is_parquet:
        names, ending = _NAMES.get(module, ()), _ENDINGS.get(module)
        return (
            names is None
            or any(name in head.names for name in names)
            or (ending is not None and any(name.endswith(ending) for name in head.names))
        )
    if _WORDS[module] is None or not head.is_json or not head.once(_quoted).isdisjoint(_QUOTED[module]):
        return True
    return any(map(head.data.__contains__, _OTHERS[module]))
