"""Messages as the Vercel AI SDK and Cursor keep them: calls and results are parts whose types have a hyphen."""

from headway.shapes.message import CallRequest, Message, Result, arguments_of, output_of, read_message
from headway.shapes.values import Record, fields, items, text


def read_ai_sdk(raw: object) -> Message:
    """Read a message."""
    message = fields(raw)
    parts = [fields(part) for part in items(message.get("content"))]
    found = read_message({**message, "content": [part for part in parts if "-" not in text(part.get("type"))]})
    if not parts:
        found = read_message(message)
    found.calls = [_call(part) for part in parts if part.get("type") == "tool-call"]
    found.results = [_result(part) for part in parts if part.get("type") == "tool-result"]
    return found


def _call(part: Record) -> CallRequest:
    given = part.get("input") if "input" in part else part.get("args")
    return CallRequest(text(part.get("toolCallId")), text(part.get("toolName")), arguments_of(given))


def _result(part: Record) -> Result:
    answer = fields(part.get("output"))
    kind = text(answer.get("type"))
    output = output_of(answer.get("value") if kind else part.get("output", part.get("result")))
    failed = True if kind.startswith("error") or part.get("isError") is True else None
    return Result(text(part.get("toolCallId")), text(part.get("toolName")), output, failed)
