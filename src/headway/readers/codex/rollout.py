"""Follows the records of Codex: which thread they belong to, and which calls belong together."""

import re

from headway.core import events
from headway.core.events import Event
from headway.readers.codex.records import Info, Item, Shown, Usage, Wrapped
from headway.rolling.forgiving import FAULTS, from_json
from headway.sources import seconds
from headway.tools.envelope import plain_text
from headway.tools.senders import sender_of, sender_of_all

CALLS = frozenset(("function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call"))
OUTPUTS = frozenset(("function_call_output", "custom_tool_call_output", "tool_search_output"))
EVENTS = frozenset(("token_count", "context_compacted", "item_completed", "exec_command_end"))
"""Events with information that no item has."""

_HOOK_PROMPT = re.compile(r"<hook_prompt[^>]*>(.*)</hook_prompt>", re.DOTALL)
_REQUEST = "## My request for Codex:"
_EXIT = re.compile(r"(?:Process exited with code|[Ee]xit code:?) (-?\d{1,9})\b")
_REFUSED = re.compile(r"Command blocked by PreToolUse hook|(?:exec command |patch )?rejected by user")
_MOST_SHOWN = 1_000


class Rollout:
    """What has to be remembered from one line to the next."""

    def __init__(self) -> None:
        self.run = self.agent = ""
        self.named = False
        self.family: set[str] = set()
        """This thread, and those whose history was copied into it."""
        self.created = self.written = 0.0
        """When the thread was made, and when its header was written."""
        self.model: str | None = None
        self.root: str | None = None
        self.batch = 0
        self.total: Usage | None = None
        self.shown: dict[str, Shown] = {}
        self.is_compacted = False

    def is_over(self, header: Item, at: float | None) -> bool:
        """Whether this header begins another thread.

        A forked thread also has the headers of the threads that it was forked from. Its own header names them, or else
        (before 2026) they were created earlier and yet written later than its own.
        """
        if not self.named or not header.id or header.id in self.family:
            return False
        made = seconds(header.timestamp)
        if made is None:
            return header.id != self.run
        return made >= self.created or (at or self.written) < self.written

    def learns(self, item: Item, at: float | None) -> bool:
        """Process the settings of a thread; returns whether the model or the folder changed."""
        if not self.named and item.id:  # in a forked thread the first name is its own
            self.named = True
            self.run = item.session_id or item.id
            self.agent = "" if self.run == item.id else item.id
            self.created, self.written = seconds(item.timestamp) or 0.0, at or 0.0
        self.family.update(name for name in (item.id, item.forked_from_id) if name)
        known = (self.model, self.root)
        self.model, self.root = item.model or self.model, item.cwd or self.root
        return known != (self.model, self.root)

    def started(self, at: float | None) -> Event:
        """The thread begins, or continues with other settings."""
        return events.RunStarted(
            run=self.run, agent=self.agent, at=at, model=self.model, root=self.root, program="codex"
        )

    def from_item(self, item: Item, at: float | None) -> list[Event]:
        """Something that was said, a call, or its result."""
        self.is_compacted = False
        if item.type in CALLS:
            return [self._call(item, at)]
        self.batch += item.role != "developer"  # calls belong together until something else comes; hooks speak between
        if item.type == "message":
            return self._message(item, at)
        return [self._result(item, at)]

    def from_event(self, item: Item, at: float | None) -> list[Event]:
        """Information in an event for the screen that no item has."""
        if item.type == "token_count":
            return self._used(item.info, at)
        if item.type == "context_compacted":
            return self.compacted(at)
        if item.type == "item_completed" and item.item is not None and item.item.id:
            self._show(item.item.id, item.item)
        elif item.type == "exec_command_end" and item.call_id:
            self._show(item.call_id, Shown(exit_code=item.exit_code))
        return []

    def compacted(self, at: float | None) -> list[Event]:
        """The context was summarised; a line and an event may both say so."""
        if self.is_compacted:
            return []
        self.is_compacted = True
        return [events.ContextCompacted(run=self.run, agent=self.agent, at=at)]

    def _show(self, call: str, shown: Shown) -> None:
        if len(self.shown) >= _MOST_SHOWN:
            self.shown.clear()
        self.shown[call] = shown

    def _message(self, item: Item, at: float | None) -> list[Event]:
        run, agent = self.run, self.agent
        if item.role == "assistant":
            return [events.AgentSpoke(run=run, agent=agent, at=at, text=plain_text(item.content))]
        parts = item.content if isinstance(item.content, list) else [item.content]
        texts = [text for text in map(plain_text, parts) if text]
        if item.role == "user":
            heard = [(text, sender) for text in texts if (sender := sender_of("codex", text)) is not None]
            advice = [match[1] for text in texts if (match := _HOOK_PROMPT.match(text))]
            if heard:
                said = "\n".join(text.rpartition(_REQUEST)[2].strip() for text, _ in heard)
                kind = sender_of_all([sender for _, sender in heard])
                return [events.UserSpoke(run=run, agent=agent, at=at, text=said, kind=kind)]
        else:
            advice = texts if item.origin and "hooks.additional_context" in item.origin.content_item_kinds else []
        return [events.Advised(run=run, agent=agent, at=at, text=text) for text in advice]

    def _call(self, item: Item, at: float | None) -> Event:
        given = item.arguments if item.arguments is not None else item.input if item.input is not None else item.action
        args: dict[str, object] = given if isinstance(given, dict) else {"input": given}
        if isinstance(given, str) and given.startswith("{"):
            try:
                args = from_json(given, dict[str, object])
            except FAULTS:
                args = {"input": given}
        tool = item.name or item.type.removesuffix("_call")
        call = item.call_id or item.id or ""
        return events.ToolCalled(
            run=self.run, agent=self.agent, at=at, call=call, tool=tool, args=args, batch=str(self.batch)
        )

    def _result(self, item: Item, at: float | None) -> Event:
        call = item.call_id or ""
        output = item.output if isinstance(item.output, str) else plain_text(item.output)
        exit_code = None
        if output.startswith('{"output"'):
            output, exit_code = _unwrapped(output)
        shown = self.shown.pop(call, None)
        if shown is not None:
            exit_code = shown.exit_code
        elif exit_code is None and (match := _EXIT.search(output, 0, 200)):
            exit_code = int(match[1])
        success = item.output.get("success") if isinstance(item.output, dict) else None
        has_failed = success is False or (shown is not None and shown.status == "failed" and exit_code is None)
        return events.ToolReturned(
            run=self.run,
            agent=self.agent,
            at=at,
            call=call,
            output=output,
            failed=True if has_failed else None,
            exit_code=exit_code,
            denied=_REFUSED.match(output) is not None or (shown is not None and shown.status == "declined"),
        )

    def _used(self, info: Info | None, at: float | None) -> list[Event]:
        """What the last answer used; a repeated total adds nothing."""
        if info is None or info.last_token_usage is None or info.total_token_usage == self.total:
            return []
        self.total, last = info.total_token_usage, info.last_token_usage
        return [
            events.Used(
                run=self.run,
                agent=self.agent,
                at=at,
                tokens_in=last.input_tokens,
                tokens_out=last.output_tokens,
                tokens_cached=last.cached_input_tokens,
            )
        ]


def _unwrapped(text: str) -> tuple[str, int | None]:
    try:
        wrapped = from_json(text, Wrapped)
    except FAULTS:
        return text, None
    return wrapped.output, wrapped.metadata.exit_code if wrapped.metadata else None
