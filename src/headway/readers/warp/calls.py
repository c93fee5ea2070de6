"""Which tool was called, and with what: the numbers that Warp's `task.proto` gives to tools and to their arguments."""

from typing import Any

from headway.shapes.values import Record
from headway.shapes.wire import Fields

_NAMES = {
    2: "run_shell_command", 3: "search_codebase", 4: "server", 5: "read_files", 6: "apply_file_diffs",
    7: "suggest_plan", 8: "suggest_create_plan", 9: "grep", 10: "file_glob", 11: "read_mcp_resource",
    12: "call_mcp_tool", 13: "write_to_long_running_shell_command", 14: "suggest_new_conversation", 15: "file_glob_v2",
    16: "suggest_prompt", 17: "open_code_review", 18: "init_project", 19: "subagent", 20: "read_documents",
    21: "edit_documents", 22: "create_documents", 23: "read_shell_command_output", 24: "use_computer",
    25: "insert_review_comments", 26: "read_skill", 27: "request_computer_use", 28: "fetch_conversation",
    29: "start_agent", 30: "send_message_to_agent", 31: "transfer_shell_command_control_to_user",
}  # fmt: skip
_TEXTS: dict[str, dict[int, str]] = {
    "run_shell_command": {1: "command"},
    "search_codebase": {1: "query", 3: "codebase_path"},
    "grep": {2: "path"},
    "file_glob": {2: "path"},
    "file_glob_v2": {2: "search_dir"},
    "read_mcp_resource": {1: "uri", 2: "server_id"},
    "call_mcp_tool": {1: "name", 3: "server_id"},
    "write_to_long_running_shell_command": {1: "input", 3: "command_id"},
    "read_shell_command_output": {1: "command_id"},
    "subagent": {1: "task_id", 2: "payload"},
    "start_agent": {1: "name", 2: "prompt"},
    "read_skill": {1: "skill_path", 2: "bundled_skill_id", 3: "name"},
}
_LISTS = {
    "search_codebase": {2: "path_filters"},
    "grep": {1: "queries"},
    "file_glob": {1: "patterns"},
    "file_glob_v2": {1: "patterns"},
}
_DEEPEST = 20


def call_in(call: Fields) -> tuple[str, Record]:
    """The tool and its arguments. Those of unknown tools are kept unchanged, so that different calls stay different."""
    number = next((number for number in call.numbers() if number != 1), 0)
    name, raw = _NAMES.get(number, f"tool {number}"), call.bytes(number)
    given = Fields(raw)
    if name == "read_files":
        return name, _files(given)
    if name == "apply_file_diffs":
        return name, _diffs(given)
    if name == "call_mcp_tool":
        return given.text(1) or name, _struct(given.message(2))
    args: Record = {title: given.text(place) for place, title in _TEXTS.get(name, {}).items() if place in given}
    args |= {title: given.texts(place) for place, title in _LISTS.get(name, {}).items() if place in given}
    return name, args if name in _TEXTS else {"input": raw.decode("utf-8", "backslashreplace")}


def _files(given: Fields) -> Record:
    files = [
        (file.text(1), [[lines.number(1), lines.number(2)] for lines in file.messages(2)]) for file in given.messages(1)
    ]
    if len(files) != 1:
        return {"files": [name for name, _ in files], "ranges": [ranges for _, ranges in files]}
    ((name, ranges),) = files
    return {"path": name, **({"line_range": ranges[0]} if len(ranges) == 1 else {"ranges": ranges} if ranges else {})}


def _diffs(given: Fields) -> Record:
    diffs = [{"file_path": one.text(1), "search": one.text(2), "replace": one.text(3)} for one in given.messages(2)]
    new = [{"file_path": one.text(1), "content": one.text(2)} for one in given.messages(3)]
    gone = [{"file_path": one.text(1)} for one in given.messages(4)]
    hunks = [
        {"file_path": one.text(1), "hunks": [[hunk.text(3), hunk.text(4)] for hunk in one.messages(3)]}
        for one in given.messages(5)
    ]
    paths = [one.text(1) for place in (2, 3, 4, 5) for one in given.messages(place)]
    args: Record = {"path": paths[0]} if len(set(paths)) == 1 else {"paths": paths}
    return args | {
        name: found for name, found in {"diffs": diffs, "new": new, "deleted": gone, "hunks": hunks}.items() if found
    }


def _struct(given: Fields, depth: int = 0) -> Record:
    """A `google.protobuf.Struct`: JSON as a protocol buffer."""
    return {entry.text(1): _value(entry.message(2), depth) for entry in given.messages(1)}


def _value(given: Fields, depth: int) -> Any:
    if depth > _DEEPEST:
        return None
    if 3 in given:
        return given.text(3)
    if 5 in given:
        return _struct(given.message(5), depth + 1)
    if 6 in given:
        return [_value(item, depth + 1) for item in given.message(6).messages(1)]
    if 4 in given:
        return bool(given.number(4))
    return given.double(2) if 2 in given else None
