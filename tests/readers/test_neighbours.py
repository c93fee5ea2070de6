"""Formats that look alike go to the right reader, and what is nobody's recording is read by nobody.

For every reader there are at least two files that look like its own and are not; none of them is one of the samples.
"""

import io
import json
import sqlite3
import zipfile
from contextlib import closing

import pyarrow
import pyarrow.parquet
import pytest

from headway.readers import UnknownFormatError, knows, opened, readers
from headway.sources import Source
from tests.readers.samples_read import lines, sources

SESSION = "631c8f61-454e-49ce-bce3-fbdd05f33a06"


def record(number, **more):
    link = {"uuid": f"u{number}", "parentUuid": f"u{number - 1}" if number else None, "sessionId": SESSION}
    return {**link, "timestamp": f"2026-03-01T10:00:0{number}.000Z", "cwd": "/p", "version": "1", **more}


def text(said):
    return [{"type": "text", "text": said}]


CLAUDE = lines(
    record(0, type="user", isSidechain=False, message={"role": "user", "content": "fix it"}),
    record(1, type="assistant", isSidechain=False, message={"id": "m", "role": "assistant", "content": text("ok")}),
)
CLAUDE_SUMMARY_FIRST = lines({"type": "summary", "summary": "s", "leafUuid": "u1"}) + b"\n" + CLAUDE
QWEN_OLD = lines(
    record(0, type="user", message={"role": "user", "parts": [{"text": "fix it"}]}),
    record(1, type="assistant", model="qwen3", message={"role": "model", "parts": [{"text": "ok"}]}),
)
QWEN_SYSTEM_FIRST = lines(
    record(0, type="system", subtype="ui_telemetry", systemPayload={"uiEvent": {"event.name": "qwen-code.config"}}),
    record(1, type="user", message={"role": "user", "parts": [{"text": "fix it"}]}),
)
QWEN_STREAM = lines(
    {"type": "system", "subtype": "init", "uuid": "1", "session_id": "s", "cwd": "/p", "qwen_code_version": "0.20.0"},
    {
        "type": "assistant",
        "uuid": "2",
        "session_id": "s",
        "message": {"id": "m", "role": "assistant", "content": text("ok")},
    },
)
DROID = lines(
    {"type": "system", "subtype": "init", "cwd": "/p", "session_id": "s", "tools": ["Read"], "model": "m"},
    {"type": "message", "role": "user", "id": "1", "text": "fix it", "timestamp": 1762517060000, "session_id": "s"},
    {"type": "tool_call", "id": "c", "toolName": "Read", "parameters": {}, "session_id": "s"},
)
GEMINI_SESSION = json.dumps(
    {
        "sessionId": "s", "projectHash": "h", "startTime": "2026-03-01T10:00:00Z", "lastUpdated": "2026-03-01T10:00:01Z",
        "messages": [{"id": "1", "timestamp": "2026-03-01T10:00:00Z", "type": "user", "content": "fix it"}],
    }
).encode()  # fmt: skip
GEMINI_STREAM = lines(
    {"type": "init", "timestamp": "2026-03-01T10:00:00Z", "session_id": "s", "model": "gemini-3"},
    {"type": "message", "timestamp": "2026-03-01T10:00:01Z", "role": "user", "content": "fix it"},
)
GEMINI_CALLS = json.dumps({"contents": [{"role": "user", "parts": [{"text": "fix it"}]}]}).encode()
ROLLOUT = lines(
    {"timestamp": "2026-03-01T10:00:00Z", "type": "session_meta", "payload": {"id": "t", "cwd": "/p"}},
    {"timestamp": "2026-03-01T10:00:01Z", "type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "fix it"}]}},
)  # fmt: skip
CODEX_EXEC = lines(
    {"type": "thread.started", "thread_id": "t"},
    {"type": "item.completed", "item": {"id": "i", "type": "agent_message", "text": "ok"}},
)
ASSISTANTS_STREAM = lines({"event": "thread.created", "data": {"id": "thread_1", "object": "thread", "metadata": {}}})
RESPONSES = lines(
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "fix it"}]},
    {"type": "function_call", "call_id": "c", "name": "shell", "arguments": "{}"},
)
CHAT = json.dumps(
    [{"role": "user", "content": "fix it"}, {"role": "assistant", "content": "```bash\nls\n```"}]
).encode()
CHAT_OF_PARTS = json.dumps(
    [
        {"role": "user", "content": text("fix it")},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
    ]
).encode()  # fmt: skip
CHAT_AS_TRAJECTORY = json.dumps({"instance_id": "i", "trajectory": [{"role": "user", "content": "fix it"}]}).encode()
ANTHROPIC = json.dumps(
    {"messages": [{"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "Read", "input": {}}]}]}
).encode()
CLINE_UI = json.dumps(
    [
        {"ts": 1762517060000, "type": "say", "say": "task", "text": "fix it", "images": []},
        {"ts": 1762517061000, "type": "say", "say": "api_req_started", "text": '{"request":"…"}'},
        {"ts": 1762517062000, "type": "ask", "ask": "tool", "text": '{"tool":"readFile","path":"a"}'},
    ]
).encode()  # fmt: skip
MINI = json.dumps(
    {"info": {"exit_status": "Submitted", "mini_version": "1.9"}, "messages": [{"role": "user", "content": "fix it"}]}
).encode()
SWE_AGENT = json.dumps({"environment": "e", "trajectory": [{"action": "ls", "observation": "a", "state": {}}], "history": []}).encode()  # fmt: skip
OPENHANDS = json.dumps(
    [{"id": 0, "timestamp": "2026-03-01T10:00:00", "source": "user", "message": "m", "action": "message", "args": {"content": "fix it"}}]
).encode()  # fmt: skip
OPENHANDS_WRAPPED = b'{"trajectory": ' + OPENHANDS + b"}"
OP_LOG = lines({"op_name": "copy", "trace_id": "t", "started_at": "2026-03-01T10:00:00Z", "inputs": ["a"]})
LANGSMITH_RUN = lines(
    {
        "id": "1",
        "run_type": "tool",
        "trace_id": "t",
        "op_name": "x",
        "inputs": {},
        "outputs": {"output": "x"},
        "name": "ls",
    }
)
LOCK_FILE = json.dumps({"version": 3, "timestamp": 1, "packages": {"width": "1.0"}}).encode()
COMPOSE_FILE = lines({"version": 2, "height": 4, "services": {}}, [1, "o", "x"])
WIZARD = lines({"type": "user_input", "user_input": "yes", "status": "done"}, {"type": "done", "done": {}})
ISSUE_EVENTS = lines({"type": "issue", "status": "done", "issue": {"title": "planner_response and user_input"}})
AUDIT_LOG = lines({"timestamp": "2026-03-01T10:00:00Z", "source": "api", "action": "login", "user": "u", "ip": "::1"})
KUBERNETES = lines({"kind": "Event", "source": {"component": "kubelet"}, "timestamp": "2026-03-01T10:00:00Z", "reason": "Started"})  # fmt: skip
ATIF = json.dumps(
    {"schema_version": "ATIF-v1.5", "agent": {"name": "a", "version": "1"}, "steps": [{"step_id": 1, "source": "user", "message": "fix it"}]}
).encode()  # fmt: skip
WORKFLOW = json.dumps({"schema_version": "1.0", "agent": {"name": "runner"}, "steps": [{"name": "build"}]}).encode()
LANGSMITH = json.dumps(
    [{"id": "1", "trace_id": "t", "dotted_order": "d", "run_type": "tool", "name": "ls", "inputs": {"a": 1}, "outputs": {"output": "x"}}]
).encode()  # fmt: skip
LANGFUSE = json.dumps(
    [{"id": "1", "traceId": "t", "type": "TOOL", "name": "ls", "startTime": "2026-03-01T10:00:00Z", "input": {}, "output": "x"}]
).encode()  # fmt: skip
MLFLOW = json.dumps(
    {
        "info": {"trace_id": "tr-1", "request_preview": "r"},
        "data": {
            "spans": [
                {"name": "ls", "span_id": "1", "attributes": {"mlflow.spanType": '"TOOL"', "mlflow.spanInputs": "{}"}}
            ]
        },
    }
).encode()


def span(name, **attributes):
    listed = [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]
    one = {
        "traceId": "0a" * 16,
        "spanId": "0b" * 8,
        "name": name,
        "startTimeUnixNano": "1794766248343000000",
        "attributes": listed,
    }
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [one]}]}]}).encode()


GENAI = span("execute_tool ls", **{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "ls"})
OPENINFERENCE = span("ls", **{"openinference.span.kind": "TOOL", "tool.name": "ls", "input.value": "{}"})
HTTP_SPAN = span("GET /", **{"http.request.method": "GET", "url.path": "/"})
CLAUDE_SPAN = span(
    "claude_code.tool", **{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "Read", "tool_name": "Read"}
)
GEMINI_LOG = json.dumps(
    {"resourceLogs": [{"scopeLogs": [{"logRecords": [{"attributes": [{"key": "event.name", "value": {"stringValue": "gemini_cli.user_prompt"}}]}]}]}]}
).encode()  # fmt: skip
CURSOR_STREAM = lines(
    {"type": "system", "subtype": "init", "apiKeySource": "login", "cwd": "/p", "session_id": "s", "model": "m", "permissionMode": "default"},
    {"type": "user", "message": {"role": "user", "content": text("fix it")}, "session_id": "s"},
)  # fmt: skip
GROK = lines(
    {"type": "assistant", "content": "", "tool_calls": [{"id": "c", "name": "read_file", "arguments": "{}"}], "model_id": "grok-4"},
    {"type": "tool_result", "tool_call_id": "c", "content": "x"},
)  # fmt: skip
KIMI_CONTEXT = lines({"role": "_checkpoint", "id": 0}, {"role": "_usage", "token_count": 1})
KIMI_CODE = lines(
    {"type": "metadata", "protocol_version": "1.5"}, {"type": "turn.prompt", "agentId": "main", "input": text("fix it")}
)
DATASET_CARD = lines({"type": "metadata", "title": "runs", "version": 2})
SESSION_LOG = lines({"type": "session", "id": "1", "user": "u", "timestamp": "2026-03-01T10:00:00Z"})
CHAT_APP = lines(
    {"role": "user", "message": "hello", "timestamp": 1}, {"role": "assistant", "message": "hi", "timestamp": 2}
)
AMP = json.dumps(
    {
        "v": 3,
        "id": "T-1",
        "created": 1762517060000,
        "messages": [{"role": "user", "messageId": 0, "content": text("fix it")}],
    }
).encode()
CLINE_SDK = json.dumps(
    {
        "version": 1,
        "sessionId": "s",
        "agent": "lead",
        "origin": {},
        "messages": [{"role": "user", "content": text("fix it")}],
    }
).encode()
NOTEBOOK = json.dumps({"sessionId": "s", "history": [{"in": "1 + 1", "out": "2"}]}).encode()
VERCEL = span(
    "ai.toolCall",
    **{"ai.operationId": "ai.toolCall", "ai.toolCall.name": "ls", "ai.toolCall.id": "c", "ai.toolCall.args": "{}"},
)
DROID_SESSION = lines(
    {"type": "session_start", "id": "s", "title": "fix it", "owner": "u", "cwd": "/p"},
    {"type": "message", "id": "1", "timestamp": "2026-03-01T10:00:01Z", "message": {"role": "user", "content": text("fix it")}},
)  # fmt: skip
STEP_LOG = lines({"step_index": "1", "type": "build", "source": "ci"})
OTHER_EXPORT = json.dumps(
    [{"title": "t", "uuid": "1", "mapping": {"a": {"message": {"author": {"role": "user"}}}}}]
).encode()
TASK_LIST = json.dumps([{"task_id": 1, "reward": 5, "title": "mow the lawn"}]).encode()
HAR = json.dumps({"version": 3, "requests": [{"url": "https://example.com", "method": "GET"}]}).encode()
CHANGES = lines({"kind": 1, "k": ["theme"], "v": "dark"}, {"kind": 2, "k": ["tabs"], "v": []})
AGENT_LOG = lines({"type": "TextMessage", "text": "hi", "user": "u"})
COPILOT = lines(
    {"type": "session.start", "id": "1", "parentId": None, "timestamp": "2026-03-01T10:00:00Z", "data": {"sessionId": "s", "copilotVersion": "1"}},
    {"type": "user.message", "id": "2", "parentId": "1", "timestamp": "2026-03-01T10:00:01Z", "data": {"content": "fix it"}},
)  # fmt: skip
OPENCODE_RUN = lines(
    {"type": "text", "timestamp": 1762517060000, "sessionID": "ses_1", "part": {"id": "prt_1", "messageID": "msg_1", "type": "text", "text": "ok"}}
)  # fmt: skip
PI = lines(
    {"type": "session", "version": 3, "id": "s", "timestamp": "2026-03-01T10:00:00Z", "cwd": "/p"},
    {"type": "message", "id": "1", "parentId": None, "timestamp": "2026-03-01T10:00:01Z", "message": {"role": "user", "content": text("fix it")}},
)  # fmt: skip
HOOK_EVENTS = lines({"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Read", "tool_input": {}})
CONTAINER_LOG = lines(
    {"type": "stopped", "container": "web", "time": 1762517060}, {"type": "started", "container": "web"}
)
METRICS_LOG = lines({"type": "used", "disk": "/dev/sda1", "bytes": 1_000})
MARKDOWN = b"# My chat with a friend\n\n#### What is new?\n\n> nothing\n"
LLM_HISTORY = (
    b"TO LLM 2026-03-01T10:00:00\n-------\nSYSTEM Act as an expert software developer.\n-------\nUSER fix it\n"
)
PROMPTFOO = json.dumps({"evalId": "eval-1", "results": {"version": 3, "results": []}, "config": {}}).encode()


def is_general(name):
    return getattr(readers()[name], "general", False)


def zipped(**files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_json", ".json"), content)
    return out.getvalue()


def database(*tables):
    with closing(sqlite3.connect(":memory:")) as connection:
        for table in tables:
            connection.execute(f"CREATE TABLE {table} (id TEXT PRIMARY KEY, data TEXT)")
        return connection.serialize()


def table(**columns):
    file = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), file)
    return file.getvalue()


LIKE = {
    "amp": [(ANTHROPIC, "anthropic-messages"), (CLINE_SDK, "cline"), (ATIF, "atif")],
    "autogen": [(AGENT_LOG, None), (CHAT, "openai-chat")],
    "aider": [(MARKDOWN, None), (LLM_HISTORY, None)],
    "anthropic-messages": [(CHAT_OF_PARTS, "openai-chat"), (QWEN_STREAM, "claude-code")],
    "atif": [(WORKFLOW, None), (MINI, "mini-swe-agent"), (OPENHANDS, "openhands")],
    "claude-code": [(QWEN_OLD, "qwen-code"), (QWEN_SYSTEM_FIRST, "qwen-code"), (DROID, None), (DROID_SESSION, "droid"), (PI, "pi"), (CURSOR_STREAM, "cursor")],
    "claude-telemetry": [(GEMINI_LOG, None), (GENAI, "otel-genai")],
    "codex": [(CODEX_EXEC, "codex-exec"), (RESPONSES, "openai-responses")],
    "codex-exec": [(ROLLOUT, "codex"), (ASSISTANTS_STREAM, None)],
    "copilot-cli": [(OPENCODE_RUN, "opencode"), (PI, "pi")],
    "gemini-cli": [(GEMINI_CALLS, "gemini-contents"), (GEMINI_STREAM, "gemini-stream"), (QWEN_OLD, "qwen-code")],
    "gemini-contents": [(QWEN_OLD, "qwen-code"), (GEMINI_SESSION, "gemini-cli")],
    "gemini-stream": [(QWEN_STREAM, "claude-code"), (DROID, None), (RESPONSES, "openai-responses")],
    "headway": [(CONTAINER_LOG, None), (METRICS_LOG, None), (HOOK_EVENTS, None)],
    "inspect-log": [(PROMPTFOO, None), (zipped(header_json="{}", trace_json="[]"), None)],
    "langfuse": [(LANGSMITH, "langsmith"), (GENAI, "otel-genai")],
    "langsmith": [(LANGFUSE, "langfuse"), (MLFLOW, "mlflow")],
    "mini-swe-agent": [(SWE_AGENT, "swe-agent"), (CHAT, "openai-chat")],
    "openai-chat": [(CLINE_UI, "cline"), (KIMI_CONTEXT, None), (ANTHROPIC, "anthropic-messages"), (GEMINI_CALLS, "gemini-contents")],
    "openai-responses": [(ROLLOUT, "codex"), (CODEX_EXEC, "codex-exec"), (DROID, None), (GROK, "grok")],
    "opencode": [(COPILOT, "copilot-cli"), (database("session", "message", "files"), None), (database("sessions", "messages"), None)],
    "openhands": [(AUDIT_LOG, None), (KUBERNETES, None), (SWE_AGENT, "swe-agent")],
    "openinference": [(GENAI, "otel-genai"), (HTTP_SPAN, None), (VERCEL, "vercel-ai")],
    "otel-genai": [(OPENINFERENCE, "openinference"), (HTTP_SPAN, None), (CLAUDE_SPAN, "claude-telemetry")],
    "qwen-code": [(CLAUDE, "claude-code"), (CLAUDE_SUMMARY_FIRST, "claude-code"), (GEMINI_SESSION, "gemini-cli")],
    "antigravity": [(STEP_LOG, None), (GEMINI_SESSION, "gemini-cli")],
    "claude-web": [(OTHER_EXPORT, None), (CHAT, "openai-chat")],
    "droid": [(PI, "pi"), (SESSION_LOG, None), (COPILOT, "copilot-cli")],
    "tau-bench": [(CHAT_AS_TRAJECTORY, "openai-chat"), (TASK_LIST, None), (SWE_AGENT, "swe-agent")],
    "vscode-chat": [(HAR, None), (CHANGES, None), (GEMINI_SESSION, "gemini-cli")],
    "cline": [(ANTHROPIC, "anthropic-messages"), (AMP, "amp"), (NOTEBOOK, None)],
    "continue": [(GEMINI_SESSION, "gemini-cli"), (NOTEBOOK, None), (CLINE_SDK, "cline")],
    "crush": [(database("sessions", "messages", "files"), None), (database("session", "messages", "files", "goose_db_version"), None)],
    "cursor": [(CHAT_APP, None), (QWEN_STREAM, "claude-code"), (database("blobs", "meta", "refs"), None)],
    "goose": [(database("sessions", "messages", "files"), None), (PI, "pi")],
    "grok": [(RESPONSES, "openai-responses"), (CLAUDE, "claude-code"), (SESSION_LOG, None)],
    "kimi": [(DATASET_CARD, None), (KIMI_CONTEXT, None), (ROLLOUT, "codex")],
    "langgraph": [(database("checkpoints", "files"), None), (database("writes"), None)],
    "mlflow": [(LANGFUSE, "langfuse"), (json.dumps({"info": {"trace_id": "t"}, "data": {"rows": []}}).encode(), None)],
    "packed-sessions": [(table(run=["r"], type=["user_spoke"]), None), (table(events=[1], agent=["a"]), None)],
    "pi": [(SESSION_LOG, None), (COPILOT, "copilot-cli")],
    "vercel-ai": [(GENAI, "otel-genai"), (HTTP_SPAN, None)],
    "swe-agent": [(OPENHANDS_WRAPPED, "openhands"), (CHAT_AS_TRAJECTORY, "openai-chat"), (ATIF, "atif")],
    "terminal-bench": [(LOCK_FILE, None), (COMPOSE_FILE, None)],
    "weave": [(OP_LOG, None), (LANGSMITH_RUN, "langsmith")],
    "warp": [(database("agent_tasks", "agent_conversations"), None), (database("agent_tasks", "threads"), None)],
    "zed": [(database("threads"), None), (database("threads", "summary", "data_type"), None)],
    "windsurf": [(WIZARD, None), (ISSUE_EVENTS, None)],
}  # fmt: skip
CASES = [(f"{name} {number}", *case) for name, cases in LIKE.items() for number, case in enumerate(cases)]


@pytest.mark.parametrize(("content", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_it_goes_to_the_right_reader(content, expected):
    try:
        found = opened(Source(content=content))[0].name
    except UnknownFormatError:
        found = None
    assert expected == found


def test_every_reader_has_two_neighbours():
    assert set(readers()) == set(LIKE) and all(len(cases) >= 2 for cases in LIKE.values())


@pytest.mark.parametrize(("content", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_no_two_readers_claim_it(content, expected):
    """Except that a general shape may be part of one program's recording: then the program's reader is asked first."""
    head = Source(content=content).head()
    claimed = [
        name for name, reader in readers().items() if knows(reader, head) and not getattr(reader, "general", False)
    ]
    assert claimed == ([] if expected is None or getattr(readers()[expected], "general", False) else [expected])


SOURCES = list(sources())


@pytest.mark.parametrize(("name", "source"), SOURCES, ids=lambda value: getattr(value, "name", value))
def test_a_sample_is_ambiguous_from_no_record_on(name, source):
    """A log that was cut at its beginning, rotated or filtered begins with any record; no other reader may claim it."""
    if source.is_folder or not source.head().records or source.head().spans_lines or not source.name.endswith(".jsonl"):
        heads = [source.head()]
    else:
        content = source.path.read_bytes().splitlines(keepends=True)
        heads = [Source(content=b"".join(content[start:])).head() for start in range(len(content))]
    for head in heads:
        for look in filter(None, (head, head.glance())):
            claimed = [one for one, reader in readers().items() if knows(reader, look)]
            assert {one for one in claimed if not is_general(one)} <= {name}
