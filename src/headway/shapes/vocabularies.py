"""Interprets a span of any vocabulary."""

from headway.shapes.genai import genai_moment
from headway.shapes.openinference import openinference_moment
from headway.shapes.otlp import Span
from headway.shapes.span_names import OPENINFERENCE, VERCEL
from headway.shapes.trace import Moment
from headway.shapes.vercel import vercel_moment


def moment_of(span: Span) -> Moment:
    """Interpret a span of any vocabulary; its kind is empty if it is not about an agent."""
    if OPENINFERENCE in span.attributes:
        return openinference_moment(span)
    return vercel_moment(span) if VERCEL in span.attributes else genai_moment(span)
