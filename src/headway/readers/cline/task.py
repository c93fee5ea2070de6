"""The folder of a task: the requests to the model and its answers, and beside them what the screen showed.

The screen's messages have tokens and cost. Older versions write calls as XML within the text, and results as text that
begins with `[name_of_the_tool …] Result:`.
"""

import re
from collections.abc import Iterator
from typing import Any

from headway.core import events
from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.message import CallRequest, Message, Result, arguments_of, read_message
from headway.shapes.tokens import beside_cache, with_cache
from headway.shapes.values import Record, decoded, fields, items, text
from headway.sources import Source, readable, seconds

HISTORY, SCREEN = "api_conversation_history.json", "ui_messages.json"
_ABOUT = "task_metadata.json"
_TOOLS = re.compile(
    r"<(access_mcp_resource|apply_diff|ask_followup_question|attempt_completion|browser_action|codebase_search|condense"
    r"|execute_command|fetch_instructions|insert_content|list_code_definition_names|list_files|load_mcp_documentation"
    r"|new_rule|new_task|plan_mode_respond|read_file|replace_in_file|search_and_replace|search_files|switch_mode"
    r"|update_todo_list|use_mcp_tool|web_fetch|web_search|write_to_file)>"
)
_TAG = re.compile(r"<(\w{1,40})>")
_MOST = 20
"""Arguments of one call."""
_RESULT = "] Result:"
_SAID = re.compile(r"<(task|feedback|user_message)>(.*?)</\1>", re.DOTALL)
_FAILED = ("The tool execution failed", '{"status":"error"')
_DENIED = ("The user denied this operation", '{"status":"denied"')
_EXIT = re.compile(r"Exit code: (-?\d{1,9})\b")
_CALLS = frozenset(("tool", "command", "use_mcp_server", "browser_action", "browser_action_launch"))


def read_task(source: Source) -> Iterator[Event]:
    """The events of a task."""
    history, screen = source.member(HISTORY), source.member(SCREEN)
    shown = [fields(item) for item in screen.document(list[Any]) or ()]
    spent = [item for item in shown if item.get("say") == "api_req_started"]
    used = fields(source.member(_ABOUT).document(dict[str, Any])) if _ABOUT in source.names else {}
    models = [fields(one).get("model_id") for one in items(used.get("model_usage"))]
    talk = Conversation(readable(source.path.name) if source.path else "")
    yield talk.started(models[-1] if models else None, "cline", at=seconds(shown[0].get("ts")) if shown else None)
    for raw in history.document(list[Any]) or ():
        if not isinstance(raw, dict):
            history.skip("a message that is not an object")
            continue
        yield from _message(raw, talk)
        if raw.get("role") == "assistant" and spent:
            yield from _spent(spent.pop(0), talk)
    for item in spent:
        yield from _spent(item, talk)
    for member in (history, screen):
        source.count_in(member)


def _message(raw: Record, talk: Conversation) -> Iterator[Event]:
    message, at = read_message(raw), seconds(raw.get("ts"))
    said: list[str] = []
    if message.role == "agent" and not message.calls:
        message.calls = [call for one in message.texts for call in _written(one)]
        message.texts = [words for one in message.texts if (words := _TOOLS.split(one, 1)[0].strip())]
    elif message.role == "user":
        said = _sort(message)
    for event in talk.take(message, at):
        yield _judged(event) if isinstance(event, events.ToolReturned) else event
    for one in said:  # a person may answer beside a result
        yield events.UserSpoke(run=talk.run, at=at, text=one)


def _written(said: str) -> Iterator[CallRequest]:
    """The call in a text, if one is there; only one is carried out."""
    if found := _TOOLS.search(said):
        body, place = said[found.end() :], 0
        args: Record = {}
        body = body.partition(f"</{found[1]}>")[0]
        for _ in range(_MOST):
            if not (tag := _TAG.search(body, place)):
                break
            end = body.find(f"</{tag[1]}>", tag.end())
            place = tag.end() if end < 0 else end
            if end >= 0:
                args[tag[1]] = body[tag.end() : end].strip("\n")
        yield CallRequest("", found[1], args)


def _sort(message: Message) -> list[str]:
    """Split a message of the user into what a person said, and results that are written as text."""
    said: list[str] = []
    texts, message.texts = message.texts, []
    results = list(message.results)
    for one in texts:
        if one.startswith("[") and _RESULT in one[:2_000]:
            results.append(Result("", "", one[one.find(_RESULT) + len(_RESULT) :].lstrip("\n")))
        elif results and not results[-1].output and not one.startswith("<environment_details>"):
            results[-1].output = one
        else:
            said += [match[2].strip() for match in _SAID.finditer(one)]
    message.results = results
    return said


def _judged(result: events.ToolReturned) -> events.ToolReturned:
    """Whether a call failed or was refused, as the program says it at the beginning of a result."""
    start = result.output[:300]
    denied, code = start.startswith(_DENIED), _EXIT.search(start)
    failed = True if denied or start.startswith(_FAILED) else result.failed
    return events.ToolReturned(
        run=result.run,
        at=result.at,
        call=result.call,
        output=result.output,
        failed=failed,
        exit_code=int(code[1]) if code else None,
        denied=denied,
    )


def _spent(item: Record, talk: Conversation) -> Iterator[events.Used]:
    """Tokens of one request. Roo Code and Kilo Code count what was cached into `tokensIn`, Cline does not."""
    info = fields(decoded(item.get("text")))
    counted = with_cache if "apiProtocol" in info else beside_cache
    tokens = counted(*map(info.get, ("tokensIn", "tokensOut", "cacheReads", "cacheWrites")))
    yield from talk.used(tokens, info.get("cost"), seconds(item.get("ts")))


def read_screen(source: Source) -> Iterator[Event]:
    """What the screen showed, if there is nothing else: calls, but results of commands only."""
    talk = Conversation()
    yield talk.started(None, "cline")
    for number, raw in enumerate(source.document(list[Any]) or ()):
        item, at = fields(raw), seconds(fields(raw).get("ts"))
        kind, said = text(item.get(text(item.get("type")))), text(item.get("text"))
        if kind in _CALLS and not item.get("partial"):
            about = {"tool": "execute_command", "command": said} if kind == "command" else arguments_of(said)
            yield talk.asked("", text(about.pop("tool", None)) or kind, about, talk.turn(), at)
            if kind != "command":
                yield talk.unrecorded(talk.oldest(), at)
        elif kind == "command_output" and talk.open:
            yield talk.answered("", "execute_command", said, at=at)
        elif said and (number == 0 or kind in ("task", "user_feedback")):
            yield events.UserSpoke(at=at, text=said)
        elif said and kind in ("text", "completion_result"):
            yield events.AgentSpoke(at=at, text=said)
        elif kind == "api_req_started":
            yield from _spent(item, talk)
