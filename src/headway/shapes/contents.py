"""Recognises instrumentations whose spans have no content, and names the option with which each records it."""

from headway.shapes.message import read_message
from headway.shapes.trace import Moment

ENOUGH = 3
"""Number of spans without content, and none with any, after which the content counts as missing."""
_LATEST = (
    "OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental and "
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY"
)
_OPTIONS = {
    "opentelemetry.util.genai": _LATEST,
    "opentelemetry.instrumentation.openai_v2": _LATEST,
    "gcp.vertex.agent": f"{_LATEST}, in Google ADK 1 ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS=true",
    "opentelemetry.instrumentation.": "TRACELOOP_TRACE_CONTENT=true",
    "openinference.": "OPENINFERENCE_HIDE_INPUTS=false and OPENINFERENCE_HIDE_OUTPUTS=false",
    "agent_framework": "ENABLE_SENSITIVE_DATA=true",
    "pydantic-ai": "include_content=True in InstrumentationSettings",
    "ai": "recordInputs=true and recordOutputs=true in the telemetry settings",
}
"""What to set, by the beginning of the scope's name."""
_OTHERS = "the option of your instrumentation that records arguments, results and messages"
_SCOPES = 1000
_LOOKED_AT = 3
"""Messages, the last ones of those that a model was sent."""


class Contents:
    """Which instrumentations have recorded content so far."""

    def __init__(self) -> None:
        self._without: dict[str, int] = {}
        self._known: set[str] = set()

    def missing(self, moment: Moment, scope: str) -> str:
        """What to set, reported once for each instrumentation; empty as long as nothing is missing."""
        if scope in self._known or moment.kind not in ("tool", "model") or len(self._known) > _SCOPES:
            return ""
        has_some = moment.args is not None if moment.kind == "tool" else _has_content(moment)
        count = 0 if has_some else self._without.get(scope, 0) + 1
        if has_some or count >= ENOUGH:
            self._known.add(scope)
            self._without.pop(scope, None)
        elif len(self._without) < _SCOPES:
            self._without[scope] = count
        return "" if count < ENOUGH else warning(scope)


def _has_content(moment: Moment) -> bool:
    """Whether one of the messages of a model has content; some instrumentations record only empty messages."""
    messages = [*map(moment.read or read_message, moment.sent[-_LOOKED_AT:]), *map(read_message, moment.said)]
    return any(message.texts or message.calls or message.results for message in messages)


def warning(scope: str) -> str:
    """Why no loop can be found, and what to set."""
    option = next((option for beginning, option in _OPTIONS.items() if scope.startswith(beginning)), _OTHERS)
    who = f"The spans of {scope}" if scope else "The spans"
    return f"{who} hold no arguments, results or messages, so Headway finds no loops in them. Set {option}."
