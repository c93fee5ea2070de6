"""`samples/zed/threads.sql`: threads as Zed's `crates/agent/src/db.rs` saves them, of versions 0.3 and 0.2."""

import json
import sqlite3
from contextlib import closing

import zstandard

from tests.readers.samples_read import SAMPLES

TABLE = """
CREATE TABLE IF NOT EXISTS threads (
    id TEXT PRIMARY KEY,
    summary TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    data_type TEXT NOT NULL,
    data BLOB NOT NULL
);
ALTER TABLE threads ADD COLUMN parent_id TEXT;
ALTER TABLE threads ADD COLUMN folder_paths TEXT;
ALTER TABLE threads ADD COLUMN folder_paths_order TEXT;
ALTER TABLE threads ADD COLUMN created_at TEXT;
"""
BEGAN, ENDED = "2026-11-01T10:00:00+00:00", "2026-11-01T10:04:00+00:00"


def user(said):
    mention = {"Mention": {"uri": {"File": {"abs_path": "/home/dev/shop/calc.py"}}, "content": "def add"}}
    return {"User": {"id": "5f0f7a4e-0001-4000-8000-000000000001", "content": [{"Text": said}, mention]}}


def call(number, name, **given):
    return {
        "id": f"toolu_{number}",
        "name": name,
        "raw_input": json.dumps(given),
        "input": {"type": "json", "value": given},
        "is_input_complete": True,
        "thought_signature": None,
    }


def result(number, name, output, is_error=False):
    content = [{"Text": output}]
    return {
        "tool_use_id": f"toolu_{number}",
        "tool_name": name,
        "is_error": is_error,
        "content": content,
        "output": None,
    }


def agent(said, *steps):
    """An answer with its calls and their results."""
    content = [{"Thinking": {"text": "…", "signature": None}}, *([{"Text": said}] if said else [])]
    content += [{"ToolUse": call(number, name, **given)} for number, name, given, *_ in steps]
    results = {f"toolu_{number}": result(number, name, *outcome) for number, name, _, *outcome in steps}
    return {"Agent": {"content": content, "tool_results": results, "reasoning_details": None}}


def thread(title, messages, usage, **more):
    model = {"provider": "anthropic", "model": "claude-sonnet-5"}
    known = {"title": title, "messages": messages, "updated_at": ENDED, "cumulative_token_usage": usage, "model": model}
    return {**known, "request_token_usage": {}, "imported": False, "subagent_context": None, **more, "version": "0.3.0"}


FAILED = 'Command "pytest -q" failed with exit code 1.\n\n```\nE   assert -1 == 3\n1 failed in 0.02s\n```'
MAIN = thread(
    "Fix add",
    [
        user("add in calc.py is wrong, please fix it"),
        agent(
            "I look at the file and the tests.",
            (1, "read_file", {"path": "shop/calc.py"}, "def add(a, b):\n    return a - b\n"),
            (2, "grep", {"regex": "add\\("}, "No matches found"),
        ),
        agent("", (3, "terminal", {"command": "pytest -q", "cd": "shop"}, FAILED)),
        agent(
            "",
            (4, "edit_file", {"path": "shop/calc.py", "mode": "edit"}, "Permission to run tool denied by user", True),
        ),
        "Resume",
        agent("", (5, "spawn_agent", {"label": "look", "message": "look at README.md"}, "It is empty.")),
        {"Compaction": {"Summary": "add is to be fixed"}},
        agent("You declined the edit."),
    ],
    {"input_tokens": 900, "output_tokens": 120, "cache_creation_input_tokens": 300, "cache_read_input_tokens": 2_000},
)
SUB = thread(
    "look",
    [user("look at README.md"), agent("It is empty.", (1, "read_file", {"path": "shop/README.md"}, "# shop"))],
    {"input_tokens": 100, "output_tokens": 10},
    subagent_context={"parent_thread_id": "t-main", "depth": 1},
)
OLD = {
    "version": "0.2.0",
    "summary": "List",
    "updated_at": "2025-08-01T09:00:00Z",
    "messages": [
        {"id": 0, "role": "user", "segments": [{"type": "text", "text": "what is here?"}], "is_hidden": False},
        {
            "id": 1,
            "role": "assistant",
            "segments": [{"type": "text", "text": "I look."}],
            "tool_uses": [{"id": "a1", "name": "list_directory", "input": {"path": "shop"}}],
            "tool_results": [
                {"tool_use_id": "a1", "is_error": True, "content": "Path shop not found in project", "output": None}
            ],
        },
    ],
    "cumulative_token_usage": {"input_tokens": 40, "output_tokens": 5},
}


def made():
    """The text that makes the database."""
    packed = [zstandard.ZstdCompressor(level=3).compress(json.dumps(one).encode()) for one in (MAIN, SUB)]
    rows = [
        ("t-old", "List", "2025-08-01T09:00:00Z", "json", json.dumps(OLD).encode(), None, None, None, None),
        ("t-main", "Fix add", ENDED, "zstd", packed[0], None, "/home/dev/shop", "0", BEGAN),
        ("t-sub", "look", ENDED, "zstd", packed[1], "t-main", "/home/dev/shop", "0", BEGAN),
    ]
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLE)
        connection.executemany("INSERT INTO threads VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        return "\n".join(connection.iterdump()) + "\n"


if __name__ == "__main__":
    (SAMPLES / "zed" / "threads.sql").write_text(made())
