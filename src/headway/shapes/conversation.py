"""A conversation, message by message, as events of one agent in one run."""

from collections.abc import Iterable, Iterator

from headway.core import events
from headway.core.events import Event
from headway.shapes.message import Message, cached_of, read_message, usage_of
from headway.shapes.values import Record, amount, fields
from headway.sources import Source
from headway.tools import program_name


class Conversation:
    """Keeps track of open calls, so that a result without an id finds its call."""

    def __init__(self, run: str = "", agent: str = "", first_number: int = 0) -> None:
        self.run = run
        self.agent = agent
        self.open: dict[str, str] = {}
        """The tools of calls without a result, by the id of the call, oldest first."""
        self._number = first_number
        self._model: object = None

    def started(
        self, model: object = None, program: object = None, root: object = None, at: float | None = None
    ) -> Event:
        """The beginning."""
        return events.RunStarted(
            run=self.run,
            agent=self.agent,
            at=at,
            model=model if isinstance(model, str) and model else None,
            program=program_name(program) if isinstance(program, str) and program else None,
            root=root if isinstance(root, str) and root else None,
        )

    def answered_by(
        self, model: object, program: object = None, root: object = None, at: float | None = None
    ) -> Iterator[Event]:
        """Report the model that answers from now on, if it is a different one."""
        if model and model != self._model:
            self._model = model
            yield self.started(model, program, root, at)

    def turn(self) -> str:
        """Begin a message; its calls are a batch of this name."""
        self._number += 1
        return f"message {self._number}"

    def take(self, message: Message, at: float | None = None) -> list[Event]:
        """The events of one message. Text beside a result comes from the host, not from the user."""
        role, texts, calls, results = message.role, message.texts, message.calls, message.results
        batch = self.turn()
        # a provider's own tools answer within the message that calls them
        own = {call.id for call in calls} if calls and results else ()
        found: list[Event] = []
        for result in results:
            if result.call not in own:
                found.append(self.answered(result.call, result.tool, result.output, result.failed, None, at))
        if texts and (role == "agent" or (role == "user" and not results)):
            spoke = events.AgentSpoke if role == "agent" else events.UserSpoke
            for said in texts:
                found.append(spoke(run=self.run, agent=self.agent, at=at, text=said))
        for call in calls:
            found.append(self.asked(call.id, call.tool, call.args, batch, at))
        for result in results if own else ():
            if result.call in own:
                found.append(self.answered(result.call, result.tool, result.output, result.failed, None, at))
        return found

    def asked(self, call: str, tool: str, args: Record, batch: str | None = None, at: float | None = None) -> Event:
        """A tool was requested; a call without an id gets one."""
        call = call or f"call {self._number}.{len(self.open)}"
        self.open[call] = tool
        return events.ToolCalled(run=self.run, agent=self.agent, at=at, call=call, tool=tool, args=args, batch=batch)

    def answered(
        self,
        call: str,
        tool: str = "",
        output: str = "",
        failed: bool | None = None,
        exit_code: int | None = None,
        at: float | None = None,
    ) -> Event:
        """A result; without an id it belongs to the oldest open call of that tool, or to the oldest of all."""
        call = call or self.oldest(tool) or f"call {self._number}"
        self.open.pop(call, None)
        return events.ToolReturned(
            run=self.run, agent=self.agent, at=at, call=call, output=output, failed=failed, exit_code=exit_code
        )

    def unrecorded(self, call: str, at: float | None = None) -> Event:
        """A call whose result was not recorded: a numbered result that equals no other."""
        self._number += 1
        return self.answered(call, output=f"(result {self._number} was not recorded)", failed=False, at=at)

    def oldest(self, tool: str = "") -> str:
        """The oldest open call of a tool, or of all."""
        named = next((call for call, name in self.open.items() if tool and name == tool), "")
        return named or next(iter(self.open), "")

    def used(self, usage: object, cost: object = None, at: float | None = None) -> Iterator[events.Used]:
        """The usage, if there is any; some providers include the cost in it."""
        known = fields(usage)
        tokens_in, tokens_out = usage_of(known)
        cost_usd = (amount(cost) if cost else 0.0) or (amount(known["cost"]) if "cost" in known else 0.0)
        if tokens_in or tokens_out or cost_usd:
            cached, written = cached_of(known) if len(known) > 2 else (0, 0)  # it has only tokens in and out
            yield events.Used(
                run=self.run,
                agent=self.agent,
                at=at,
                tokens_in=tokens_in,
                tokens_out=tokens_out,
                cost_usd=cost_usd,
                tokens_cached=cached,
                tokens_written=written,
            )


def messages_read(raw: Iterable[object], source: Source) -> Iterator[tuple[Record, Message]]:
    """Each message as recorded and as read; anything else is skipped and counted."""
    for item in raw:
        if isinstance(item, dict):
            yield item, read_message(item)
        else:
            source.skip("a message that is not an object")
