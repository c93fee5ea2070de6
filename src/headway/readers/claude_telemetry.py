"""Claude Code's own telemetry: OTLP JSON of its logs (and, in beta, spans), one request on each line.

It contains prompts, calls with their input, failures, tokens and cost, but no outputs: the result of a successful call
is unknown, and equal to no other. If the input was not recorded either, a call stays open. If the logs have everything,
the spans are not needed.
"""

from collections.abc import Iterator

from headway.core import events
from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.message import arguments_of
from headway.shapes.otlp import Span
from headway.shapes.spans import first_spans, spans
from headway.shapes.values import Record, text
from headway.sources import Head, Source
from headway.tools.senders import sender_of


class ClaudeTelemetry:
    """Sessions of Claude Code, from its telemetry."""

    name = "claude-telemetry"
    title = "Claude Code telemetry (OTLP JSON)"
    general = True

    def recognises(self, head: Head) -> bool:
        """By the names of its spans or the name of the service."""
        found = first_spans(head)
        return any(span.name.startswith("claude_code.") or span.service == "claude-code" for span in found)

    def read(self, source: Source) -> Iterator[Event]:
        """One run for each session."""
        found = sorted(spans(source), key=lambda span: span.start or 0.0)
        with_logs = {_session(span) for span in found if span.is_log and span.name == "user_prompt"}
        talks: dict[str, Conversation] = {}
        for span in found:
            session, name = _session(span), span.name.removeprefix("claude_code.")
            if name not in _TELL or (not span.is_log and session in with_logs):
                continue
            if session not in talks:
                talks[session] = Conversation(session)
                yield talks[session].started(span.attributes.get("model"), "claude-code", at=span.start)
            yield from events_of(talks[session], span)


def events_of(talk: Conversation, span: Span) -> Iterator[Event]:
    """The events of one span or log record; none if it is about something else."""
    tell = _TELL.get(span.name.removeprefix("claude_code."))
    return iter(()) if tell is None else tell(talk, span, span.attributes)


def _session(span: Span) -> str:
    return text(span.attributes.get("session.id")) or span.trace


def _prompt(talk: Conversation, span: Span, attributes: Record) -> Iterator[Event]:
    said = text(attributes.get("prompt")) or text(attributes.get("user_prompt"))
    sender = sender_of("claude-code", said)
    if sender is not None:
        yield events.UserSpoke(run=talk.run, at=span.start, text=said, kind=sender)


def _request(talk: Conversation, span: Span, attributes: Record) -> Iterator[Event]:
    tokens = {"input_tokens": attributes.get("input_tokens"), "output_tokens": attributes.get("output_tokens")}
    tokens["cache_read_input_tokens"] = attributes.get("cache_read_tokens")
    tokens["cache_creation_input_tokens"] = attributes.get("cache_creation_tokens")
    yield from talk.used(tokens, attributes.get("cost_usd"), span.end)


def _tool(talk: Conversation, span: Span, attributes: Record) -> Iterator[Event]:
    call, tool = text(attributes.get("tool_use_id")) or span.id, text(attributes.get("tool_name"))
    args = attributes.get("tool_input") or attributes.get("tool_parameters")
    if args is None and text(attributes.get("full_command")):
        args = {"command": attributes["full_command"]}
    yield talk.asked(call, tool, arguments_of(args), at=span.start)
    if args is None:
        return
    if not span.failed and str(attributes.get("success")).lower() != "false":
        yield talk.unrecorded(call, span.end)
    else:
        said = text(attributes.get("error")) or span.error or text(attributes.get("error_type"))
        yield talk.answered(call, tool, said, failed=True, at=span.end)


def _response(talk: Conversation, span: Span, attributes: Record) -> Iterator[Event]:
    yield events.AgentSpoke(run=talk.run, at=span.start, text=text(attributes.get("response")))


def _compaction(talk: Conversation, span: Span, attributes: Record) -> Iterator[Event]:
    yield events.ContextCompacted(run=talk.run, at=span.start)


_TELL = {
    "user_prompt": _prompt, "interaction": _prompt,
    "api_request": _request, "llm_request": _request,
    "tool_result": _tool, "tool": _tool,
    "assistant_response": _response, "compaction": _compaction,
}  # fmt: skip
