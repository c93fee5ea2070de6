"""What reaches the agent: the user's words, results of tools, and what hooks say."""

import re
from collections.abc import Iterator

from headway.core import events
from headway.core.events import Event
from headway.readers.claude_code.records import Attachment, Block, Found, HookSaid, Record, SpokenMessage, Structured
from headway.rolling.forgiving import FAULTS, from_json
from headway.shapes.marks import Marks
from headway.tools.envelope import plain_text

_MACHINE_TEXT = (
    "<command-name>", "<system-reminder>", "<local-command-", "<bash-", "<ide_", "<task-notification>",
    "<user-prompt-submit-hook>", "Caveat: The messages below", "[Request interrupted",
)  # fmt: skip
_NAME, _ARGS = (Marks(f"<command-{part}>", f"</command-{part}>") for part in ("name", "args"))
_REFUSED = re.compile(
    r"The user doesn't want to (?:proceed|take this action)|Permission to use |PreToolUse:\S+ hook error|"
    r"Claude requested permissions to |Hook PreToolUse:\S+ denied"
)
_EXIT = re.compile(r"(?:Error: )?Exit code (\d{1,9})\b")


def from_user(record: Record, message: SpokenMessage, run: str, agent: str, at: float | None) -> list[Event]:
    """Results of tools, or a turn of the user."""
    content = message.content
    texts = [content] if isinstance(content, str) else []
    found: list[Event] = []
    for block in content if isinstance(content, list) else ():
        if block.type == "tool_result":
            found.append(_result(block, record, run, agent, at))
        elif block.type == "text" and block.text:
            texts.append(block.text)
    if found or record.is_meta or record.is_synthetic or record.is_compact_summary:
        return found  # words beside a result are the host's, not the user's
    said = [_typed(text) for text in texts if not text.startswith(_MACHINE_TEXT)]
    return [events.UserSpoke(run=run, agent=agent, at=at, text="\n".join(said))] if said else []


def _typed(text: str) -> str:
    """What the user typed: of a command that stands for a prompt, its name and what was given to it."""
    names = _NAME.inside(text) if text.startswith("<command-message>") else []
    return " ".join([*names[:1], *_ARGS.inside(text)[:1]]).strip() if names else text


def _result(block: Block, record: Record, run: str, agent: str, at: float | None) -> Event:
    output = block.content if isinstance(block.content, str) else plain_text(block.content)
    failed = bool(block.is_error)
    exit_code = _EXIT.match(output) if failed else None
    return events.ToolReturned(
        run=run,
        agent=agent,
        at=at,
        call=block.tool_use_id,
        output=output,
        failed=failed,
        exit_code=int(exit_code[1]) if exit_code else None,
        denied=record.tool_denial_kind is not None or (failed and _REFUSED.match(output) is not None),
        hits=_hits(record.tool_use_result or record.stream_structured),
    )


def _hits(structured: Structured) -> int | None:
    """How much a search found. Some counts are 0 by the mode of the search: the largest one counts."""
    if not isinstance(structured, Found):
        return None
    named = None if structured.filenames is None else len(structured.filenames)
    counts = (structured.num_files, structured.num_lines, structured.num_matches, named)
    return max((max(0, count) for count in counts if count is not None), default=None)


def advice(printed: object) -> Iterator[str]:
    """The guidance in what a hook printed, if there is any."""
    try:
        said = from_json(str(printed), HookSaid)
    except FAULTS:
        return  # a hook may print anything
    text = said.context.additional_context or (said.reason if said.decision == "block" else "")
    if text:
        yield text


def from_attachment(attachment: Attachment, run: str, agent: str, at: float | None) -> list[Event]:
    """Guidance of hooks, and what the user said while the agent was at work."""
    kind = attachment.type
    if kind == "hook_additional_context":
        return [events.Advised(run=run, agent=agent, at=at, text=plain_text(attachment.content))]
    if kind == "hook_blocking_error":
        error = attachment.blocking_error
        text = error.get("blockingError") if isinstance(error, dict) else error
        return [events.Advised(run=run, agent=agent, at=at, text=plain_text(text))]
    if kind == "queued_command" and attachment.command_mode in (None, "prompt"):
        return [events.UserSpoke(run=run, agent=agent, at=at, text=plain_text(attachment.prompt))]
    return []
