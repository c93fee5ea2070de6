"""The beginning of a recording, by which its format is recognised.

The tables say what the JSON of each format has at its beginning, so that only readers that may recognise a recording
are loaded. By module of `headway.readers`: words, one of which is in the beginning of every JSON recording of that
format. None means unknown; then the reader is loaded and looks for itself, as one that is not listed here always does.
A test compares the tables with what the readers say about all samples.
"""

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from headway.rolling.forgiving import FAULTS, from_json
from headway.rolling.text import has_any

SIZE = 65_536
"""How much of a recording is looked at to recognise its format."""
GLANCE = 8_192
"""How much of a long document is looked at first."""
LINES = 20
"""How many lines of it."""

SQLITE = b"SQLite format 3\0"
ZIP = b"PK\x03\x04"
PARQUET = b"PAR1"

T = TypeVar("T")


class Head:
    """The first bytes of a recording, and the names in it where it is a folder, a zip or a database."""

    def __init__(
        self,
        data: bytes = b"",
        names: Callable[[], tuple[str, ...]] = tuple,
        schema: Callable[[], str] = str,
        first_line: Any = None,
        fault: str = "",
    ) -> None:
        self.data = data.removeprefix(b"\xef\xbb\xbf")
        self.fault = fault
        """What is wrong with the file where these bytes end, if anything is."""
        self._list_names, self._find_schema = names, schema
        self._seen: dict[Callable[[Head], Any], Any] = {}
        self._text = self.data.lstrip()
        self._is_json = self._text.startswith((b"{", b"["))
        self._line = self._first_line() if self._is_json and first_line is None else first_line

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Its content by name: files of a folder (one level deep) or a zip, tables of a SQLite database, columns."""
        return self._list_names()

    @cached_property
    def schema(self) -> str:
        """The statements that created the tables of a SQLite database; they may be in its log, not in these bytes."""
        return self._find_schema()

    @property
    def is_json(self) -> bool:
        """Whether it begins like JSON."""
        return self._is_json

    @property
    def is_database(self) -> bool:
        """Whether this is a SQLite database."""
        return self.data.startswith(SQLITE)

    @property
    def is_zip(self) -> bool:
        """Whether this is a zip archive."""
        return self.data.startswith(ZIP)

    @property
    def is_parquet(self) -> bool:
        """Whether this is a Parquet file."""
        return self.data.startswith(PARQUET)

    @cached_property
    def has_names(self) -> bool:
        """Whether this is a folder, a zip, a database or a Parquet file, and recognised by the names in it."""
        return not self.data or self.is_zip or self.is_database or self.is_parquet

    @property
    def document(self) -> Any:
        """The JSON value it begins with, closed where these bytes end."""
        return self._beginning[0]

    def _first_line(self) -> Any:
        """The JSON object or list on the first line, if it is complete."""
        end = self._text.find(b"\n")
        if end < 0 and len(self.data) >= SIZE:
            return None  # it goes on beyond these bytes
        try:
            return from_json(self._text[:end] if end > 0 else self._text, object)
        except FAULTS:
            return None

    @cached_property
    def _beginning(self) -> tuple[Any, bool]:
        """The JSON value it begins with, and whether that is the complete first line."""
        if self._line is not None:
            return self._line, True
        if self._is_json:
            from headway.sources.repair import close_json, repair_json  # most begin with a whole record

            for ending in (bytes, close_json, repair_json) if len(self.data) < SIZE else (close_json, repair_json):
                try:
                    return from_json(ending(self._text), object), False
                except FAULTS:
                    continue
        return None, False

    def glance(self) -> "Head | None":
        """Less of it, enough for the formats of single programs: the first record, or the beginning of a long document.

        Decoding all of it can take longer than reading the recording.
        """
        end = self._text.find(b"\n")
        if self._line is not None:
            return Head(self._text[:end], first_line=self._line) if end > 0 else None
        return Head(self._text[:GLANCE]) if self._is_json and len(self.data) >= SIZE else None

    @property
    def is_cut(self) -> bool:
        """Whether the recording is longer than these bytes."""
        return len(self.data) >= SIZE

    @property
    def breaks_off(self) -> bool:
        """Whether it is one JSON document, or a first line, that is longer than these bytes."""
        return self._is_json and self._line is None and self.is_cut

    @property
    def spans_lines(self) -> bool:
        """Whether it is one JSON document over several lines, and not one record on each."""
        document, is_line = self._beginning
        return not is_line and b"\n" in self._text and isinstance(document, (dict, list))

    @cached_property
    def records(self) -> list[dict[str, Any]]:
        """The JSON objects on the first lines; of one large document, the objects it is or begins with."""
        document, is_line = self._beginning
        if isinstance(document, list):
            return [item for item in document if isinstance(item, dict)]
        if isinstance(document, dict) and not is_line:
            return [document]
        found = [document] if isinstance(document, dict) else []
        for line in self._text.split(b"\n", LINES)[len(found) : LINES]:
            try:
                if line.rstrip().endswith(b"}"):  # the last one is often cut off
                    found.append(from_json(line, dict[str, Any]))
            except FAULTS:
                continue
        return found

    @property
    def first(self) -> dict[str, Any]:
        """The first JSON object: of the lines, of a list, or the document itself. Empty where there is none."""
        if isinstance(self._line, dict):
            return self._line  # which spares the other lines
        return self.records[0] if self.records else {}

    def once(self, look: Callable[["Head"], T]) -> T:
        """The cached answer to a question about it, because several readers ask the same."""
        if look not in self._seen:
            self._seen[look] = look(self)
        found: T = self._seen[look]
        return found


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
"""The words between two quotes, without the quotes."""
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
    """All quoted texts: looking a word up in a set is faster than searching for each."""
    return frozenset(head.data.split(b'"')[1:-1])


def may_begin(module: str, head: Head) -> bool:
    """Whether a recording that begins like this may be in the format of a reader's module."""
    if module not in _WORDS:
        return True
    if head.has_names:
        names, ending = _NAMES.get(module, ()), _ENDINGS.get(module)
        return (
            names is None
            or any(name in head.names for name in names)
            or (ending is not None and any(name.endswith(ending) for name in head.names))
        )
    if _WORDS[module] is None or not head.is_json or not head.once(_quoted).isdisjoint(_QUOTED[module]):
        return True
    return has_any(head.data, _OTHERS[module])
