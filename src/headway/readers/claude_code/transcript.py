"""From one record of Claude Code to the next: who speaks, and what has been counted already."""

from headway.core import events
from headway.core.events import Event
from headway.readers.claude_code.records import Record, SpokenMessage, Usage
from headway.readers.claude_code.words import advice, from_attachment, from_user
from headway.sources import seconds


class Transcript:
    """What has to be remembered from one record to the next."""

    def __init__(self) -> None:
        self.models: dict[tuple[str, str], str | None] = {}
        self.usage: dict[str, tuple[int, ...]] = {}
        self.roots: dict[str, str] = {}
        self.cost = 0.0
        self.program = "claude-code"

    def events_of(self, record: Record) -> list[Event]:
        """The events one record stands for."""
        if record.qwen_version:
            self.program = "qwen-code"  # which prints the same stream
        run, agent = record.session_id or record.stream_session or "", self._agent_of(record)
        at, message, kind = seconds(record.timestamp), record.message, record.type
        if message is not None and kind == "assistant":
            found = self._from_agent(message, run, agent, at) if message.model != "<synthetic>" else []
        elif message is not None:
            found = from_user(record, message, run, agent, at)
        elif record.attachment is not None:
            found = from_attachment(record.attachment, run, agent, at)
        elif record.subtype == "compact_boundary":
            found = [events.ContextCompacted(run=run, agent=agent, at=at)]
        elif record.subtype == "hook_response":
            found = [events.Advised(run=run, agent=agent, at=at, text=text) for text in advice(record.stream_hook)]
        else:
            found = self._from_end(record, run, agent, at)
        model = message.model if message else record.model
        known = self.models.get((run, agent), 0)
        if found and known != model and (model or known == 0):
            self.models[run, agent] = model
            start = events.RunStarted(run=run, agent=agent, at=at, model=model, root=record.cwd, program=self.program)
            found.insert(0, start)
        return found

    def _agent_of(self, record: Record) -> str:
        if not record.is_sidechain:
            return record.stream_parent or ""
        if record.agent_id:
            return record.agent_id
        id = record.uuid or ""
        self.roots[id] = root = self.roots.get(record.parent_uuid or "", id)
        return f"sidechain-{root[:8]}"

    def _from_agent(self, message: SpokenMessage, run: str, agent: str, at: float | None) -> list[Event]:
        found: list[Event] = []
        content = message.content
        if isinstance(content, str):
            found.append(events.AgentSpoke(run=run, agent=agent, at=at, text=content))
        for block in content if isinstance(content, list) else ():
            if block.type == "tool_use":
                args = block.input if isinstance(block.input, dict) else {"input": block.input}
                found.append(
                    events.ToolCalled(
                        run=run, agent=agent, at=at, call=block.id, tool=block.name, args=args, batch=message.id
                    )
                )
            elif block.type == "text" and block.text:
                found.append(events.AgentSpoke(run=run, agent=agent, at=at, text=block.text))
        if message.usage is not None:
            tokens_in, tokens_out, cached, written = self._uncounted(message.id or "", message.usage)
            if tokens_in or tokens_out:
                found.append(
                    events.Used(
                        run=run, agent=agent, at=at, tokens_in=tokens_in, tokens_out=tokens_out,
                        tokens_cached=cached, tokens_written=written,
                    )
                )  # fmt: skip
        return found

    def _uncounted(self, message: str, usage: Usage) -> tuple[int, ...]:
        """What a line adds to what earlier lines of the same message told: the first ones may not know it all."""
        cached, written = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
        told = ((usage.input_tokens or 0) + cached + written, usage.output_tokens or 0, cached, written)
        known = self.usage.get(message) if message else None
        if known is None:
            self.usage[message] = told
            return told
        if known == told:
            return (0, 0, 0, 0)
        self.usage[message] = tuple(map(max, known, told))
        return tuple(max(0, now - before) for before, now in zip(known, told, strict=True))

    def _from_end(self, record: Record, run: str, agent: str, at: float | None) -> list[Event]:
        found: list[Event] = []
        total = record.total_cost or record.stream_cost or 0.0
        if total != self.cost:
            cost = total - self.cost if total > self.cost else total  # smaller: the count restarted
            found.append(events.Used(run=run, agent=agent, at=at, cost_usd=cost))
            self.cost = total
        if record.type == "result":
            found.append(events.RunEnded(run=run, agent=agent, at=at, outcome=record.subtype))
        return found
