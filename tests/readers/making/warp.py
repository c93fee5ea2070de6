"""`samples/warp/warp.sql`: conversations as Warp saves them, after its `task.proto` and the schema of its database.

The messages are written by Google's own library, from those parts of Warp's definitions that are named here.
"""

import json
import sqlite3
from contextlib import closing

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, struct_pb2

from tests.readers.samples_read import SAMPLES

SCHEMA = {
    "Dependencies": {"parent_task_id": (1, "string")},
    "Task": {
        "id": (1, "string"),
        "description": (2, "string"),
        "dependencies": (3, "Dependencies"),
        "messages": (5, "[Message"),
    },
    "Stamp": {"seconds": (1, "int64"), "nanos": (2, "int32")},
    "Directory": {"pwd": (1, "string"), "home": (2, "string")},
    "InputContext": {"directory": (1, "Directory")},
    "UserQuery": {"query": (1, "string"), "context": (2, "InputContext")},
    "AgentOutput": {"text": (1, "string")},
    "ModelUsed": {"model_id": (1, "string"), "model_display_name": (2, "string")},
    "ConversationSummary": {"summary": (1, "string"), "token_count": (2, "int32")},
    "Summarization": {"conversation_summary": (1, "ConversationSummary")},
    "RunShellCommand": {"command": (1, "string"), "is_read_only": (2, "bool")},
    "Range": {"start": (1, "uint32"), "end": (2, "uint32")},
    "File": {"name": (1, "string"), "line_ranges": (2, "[Range")},
    "ReadFiles": {"files": (1, "[File")},
    "FileDiff": {"file_path": (1, "string"), "search": (2, "string"), "replace": (3, "string")},
    "ApplyFileDiffs": {"summary": (1, "string"), "diffs": (2, "[FileDiff")},
    "Grep": {"queries": (1, "[string"), "path": (2, "string")},
    "CallMCPTool": {"name": (1, "string"), "args": (2, "google.protobuf.Struct")},
    "Subagent": {"task_id": (1, "string"), "payload": (2, "string")},
    "ReadShellCommandOutput": {"command_id": (1, "string")},
    "ToolCall": {
        "tool_call_id": (1, "string"),
        "run_shell_command": (2, "RunShellCommand"),
        "read_files": (5, "ReadFiles"),
        "apply_file_diffs": (6, "ApplyFileDiffs"),
        "grep": (9, "Grep"),
        "call_mcp_tool": (12, "CallMCPTool"),
        "subagent": (19, "Subagent"),
        "read_shell_command_output": (23, "ReadShellCommandOutput"),
    },
    "Snapshot": {"output": (1, "string"), "cursor": (2, "string"), "command_id": (3, "string")},
    "Finished": {"output": (1, "string"), "exit_code": (2, "int32"), "command_id": (3, "string")},
    "RunResult": {
        "command": (3, "string"),
        "long_running_command_snapshot": (4, "Snapshot"),
        "command_finished": (5, "Finished"),
    },
    "FileContent": {"file_path": (1, "string"), "content": (2, "string"), "line_range": (3, "Range")},
    "FilesSuccess": {"files": (1, "[FileContent")},
    "Error": {"message": (1, "string")},
    "ReadFilesResult": {"text_files_success": (1, "FilesSuccess"), "error": (2, "Error")},
    "UpdatedFile": {"file": (1, "FileContent"), "was_edited_by_user": (2, "bool")},
    "DiffsSuccess": {"updated_files_v2": (2, "[UpdatedFile")},
    "ApplyFileDiffsResult": {"success": (1, "DiffsSuccess"), "error": (2, "Error")},
    "LineMatch": {"line_number": (1, "uint32")},
    "FileMatch": {"file_path": (1, "string"), "matched_lines": (2, "[LineMatch")},
    "GrepSuccess": {"matched_files": (1, "[FileMatch")},
    "GrepResult": {"success": (1, "GrepSuccess"), "error": (2, "Error")},
    "Text": {"text": (1, "string")},
    "Part": {"text": (1, "Text")},
    "MCPSuccess": {"results": (1, "[Part")},
    "CallMCPToolResult": {"success": (1, "MCPSuccess"), "error": (2, "Error")},
    "SubagentResult": {"payload": (1, "string")},
    "ReadOutputResult": {"command": (1, "string"), "command_finished": (3, "Finished")},
    "Cancel": {},
    "ToolCallResult": {
        "tool_call_id": (1, "string"),
        "run_shell_command": (2, "RunResult"),
        "read_files": (5, "ReadFilesResult"),
        "apply_file_diffs": (6, "ApplyFileDiffsResult"),
        "grep": (9, "GrepResult"),
        "cancel": (14, "Cancel"),
        "call_mcp_tool": (16, "CallMCPToolResult"),
        "subagent": (23, "SubagentResult"),
        "read_shell_command_output": (27, "ReadOutputResult"),
    },
    "Message": {
        "id": (1, "string"),
        "user_query": (2, "UserQuery"),
        "agent_output": (3, "AgentOutput"),
        "tool_call": (4, "ToolCall"),
        "tool_call_result": (5, "ToolCallResult"),
        "task_id": (11, "string"),
        "request_id": (13, "string"),
        "timestamp": (14, "Stamp"),
        "summarization": (16, "Summarization"),
        "model_used": (25, "ModelUsed"),
    },
}
"""Those parts of Warp's definitions that the sample has; `[` marks what may stand there several times."""
TABLES = """
CREATE TABLE agent_conversations (id INTEGER PRIMARY KEY NOT NULL, conversation_id TEXT NOT NULL UNIQUE,
    conversation_data TEXT NOT NULL, last_modified_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE agent_tasks (id INTEGER PRIMARY KEY NOT NULL, conversation_id TEXT NOT NULL, task_id TEXT NOT NULL UNIQUE,
    task BLOB NOT NULL, last_modified_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE ai_queries (id INTEGER PRIMARY KEY NOT NULL, exchange_id TEXT NOT NULL, conversation_id TEXT NOT NULL,
    start_ts DATETIME NOT NULL, input TEXT NOT NULL, working_directory TEXT, output_status TEXT NOT NULL,
    model_id TEXT NOT NULL DEFAULT '', planning_model_id TEXT NOT NULL DEFAULT '', coding_model_id TEXT NOT NULL DEFAULT '');
"""
KINDS = descriptor_pb2.FieldDescriptorProto


def task_class():
    file = descriptor_pb2.FileDescriptorProto(name="warp.proto", package="warp", syntax="proto3")
    file.dependency.append("google/protobuf/struct.proto")
    for name, fields in SCHEMA.items():
        message = file.message_type.add(name=name)
        for field, (number, kind) in fields.items():
            plain = kind.removeprefix("[")
            added = message.field.add(name=field, number=number, label=3 if kind.startswith("[") else 1)
            if known := getattr(KINDS, f"TYPE_{plain.upper()}", None) if plain.islower() and "." not in plain else None:
                added.type = known
            else:
                added.type, added.type_name = KINDS.TYPE_MESSAGE, f".{plain if '.' in plain else f'warp.{plain}'}"
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(struct_pb2.DESCRIPTOR.serialized_pb)
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("warp.Task"))


class Task:
    """A task in the making, a message every ten seconds."""

    def __init__(self, name, parent=""):
        self.message = task_class()(id=name, description="fix add")
        self.message.dependencies.parent_task_id = parent
        self.now = 1_794_000_000

    def say(self, **content):
        self.now += 10
        number = len(self.message.messages)
        known = {"id": f"m{number}", "task_id": self.message.id, "request_id": "r1", "timestamp": {"seconds": self.now}}
        self.message.messages.add(**known, **content)
        return self

    def call(self, number, **tool):
        return self.say(tool_call={"tool_call_id": f"c{number}", **tool})

    def result(self, number, **outcome):
        return self.say(tool_call_result={"tool_call_id": f"c{number}", **outcome})

    def row(self, number, conversation):
        data = self.message.SerializeToString(deterministic=True)
        return number, conversation, self.message.id, data, "2026-11-06 20:01:00"


def main_task():
    task, path = Task("task-1"), "/home/dev/shop/calc.py"
    where = {"directory": {"pwd": "/home/dev/shop", "home": "/home/dev"}}
    task.say(user_query={"query": "add() is wrong, please fix it", "context": where})
    task.say(model_used={"model_id": "claude-sonnet-5", "model_display_name": "Claude Sonnet 5"})
    task.say(agent_output={"text": "I look at the file and its tests."})
    task.call(1, read_files={"files": [{"name": path, "line_ranges": [{"start": 1, "end": 2}]}]})
    task.call(2, grep={"queries": ["add("], "path": "."})
    code = "def add(a, b):\n    return a - b\n"
    task.result(1, read_files={"text_files_success": {"files": [{"file_path": path, "content": code}]}})
    lines = [{"line_number": 1}, {"line_number": 4}]
    task.result(2, grep={"success": {"matched_files": [{"file_path": "calc.py", "matched_lines": lines}]}})
    task.call(3, run_shell_command={"command": "pytest -q"})
    failed = {"output": "E   assert -1 == 3\n1 failed in 0.02s", "exit_code": 1, "command_id": "b1"}
    task.result(3, run_shell_command={"command": "pytest -q", "command_finished": failed})
    diff = {"file_path": path, "search": "return a * b", "replace": "return a + b"}
    task.call(4, apply_file_diffs={"summary": "fix", "diffs": [diff]})
    task.result(4, apply_file_diffs={"error": {"message": "Could not apply all diffs to calc.py."}})
    task.call(5, apply_file_diffs={"summary": "fix", "diffs": [{**diff, "search": "return a - b"}]})
    updated = [{"file": {"file_path": path, "content": code.replace("-", "+")}}]
    task.result(5, apply_file_diffs={"success": {"updated_files_v2": updated}})
    task.call(6, run_shell_command={"command": "npm run watch"})
    still = {"output": "watching…", "command_id": "b2"}
    task.result(6, run_shell_command={"command": "npm run watch", "long_running_command_snapshot": still})
    task.call(7, read_shell_command_output={"command_id": "b2"})
    over = {"output": "watching…\ndone", "exit_code": -1, "command_id": "b2"}
    task.result(7, read_shell_command_output={"command": "npm run watch", "command_finished": over})
    task.say(summarization={"conversation_summary": {"summary": "add is fixed", "token_count": 12}})
    task.call(
        8,
        call_mcp_tool={"name": "create_issue", "args": {"title": "add", "labels": ["bug"], "number": 7, "open": True}},
    )
    task.result(8, call_mcp_tool={"success": {"results": [{"text": {"text": "created #7"}}]}})
    task.call(9, subagent={"task_id": "task-2", "payload": "look at README.md"})
    task.result(9, subagent={"payload": "It is empty."})
    task.call(10, run_shell_command={"command": "rm -rf build"}).result(10, cancel={})
    return task.say(agent_output={"text": "`add` adds its numbers now."})


def sub_task():
    task = Task("task-2", parent="task-1")
    task.call(1, read_files={"files": [{"name": "/home/dev/shop/README.md"}]})
    task.result(1, read_files={"error": {"message": "no such file"}})
    return task.say(agent_output={"text": "It is empty."})


def made():
    """The text that makes the database."""
    usage = {"credits_spent": 2.5, "token_usage": [{"model_id": "claude-sonnet-5", "warp_tokens": 5_200}]}
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES)
        data = json.dumps({"server_conversation_token": "t", "conversation_usage_metadata": usage})
        connection.execute("INSERT INTO agent_conversations VALUES (1, 'conv-1', ?, '2026-11-06 20:01:00')", (data,))
        rows = [main_task().row(1, "conv-1"), sub_task().row(2, "conv-1")]
        connection.executemany("INSERT INTO agent_tasks VALUES (?, ?, ?, ?, ?)", rows)
        return "\n".join(connection.iterdump()) + "\n"


if __name__ == "__main__":
    (SAMPLES / "warp" / "warp.sql").write_text(made())
