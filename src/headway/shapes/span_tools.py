"""What a tool was given and what it answered, without what instrumentations wrap around it.

LangChain's callbacks add tags, steps and checkpoints to the arguments, smolagents calls tools as Python does, results
are messages of LangChain or outputs of LlamaIndex: what belongs to one call only would hide that two calls are equal.
"""

from collections.abc import Mapping
from typing import Any

from headway.shapes.message import Result, arguments_of, output_of, read_message
from headway.shapes.span_names import ARGUMENTS, Names, first
from headway.shapes.values import Record, decoded, fields

_GIVEN: Names = (*ARGUMENTS, "input.value")
_SCHEMA = "tool.parameters"
"""Arguments by OpenInference's definition; most of its instrumentations put the tool's JSON schema there."""
_DESCRIBES = frozenset(("type", "anyOf", "allOf", "oneOf", "$ref", "enum", "description"))
_LANGCHAIN = {"input_str", "metadata"}
"""What LangChain tells its callbacks at the start of a tool, beside what the tool was given."""


def given_arguments(attributes: Mapping[str, Any]) -> Record | None:
    """What a tool was called with, if that was recorded; a schema of the tool is never taken for it."""
    given = first(attributes, _GIVEN)
    if given is None:
        given = first(attributes, (_SCHEMA,))
        if given is None or _is_schema(decoded(given)):
            return None
    return _unwrapped(arguments_of(given))


def _unwrapped(given: Record) -> Record:
    if given.keys() >= _LANGCHAIN:
        return fields(given.get("inputs")) or arguments_of(given["input_str"])
    if isinstance(named := given.get("kwargs"), dict):  # as Python calls a function
        return {**named, **({"args": given["args"]} if given.get("args") else {})}
    return given


def _is_schema(value: Any) -> bool:
    """Whether this describes parameters: `{"type": "object", "properties": …}`, or a description for each of them."""
    if not isinstance(value, dict):
        return False
    described = value.get("properties", value)
    return isinstance(described, dict) and all(
        isinstance(one, dict) and (not one or not _DESCRIBES.isdisjoint(one)) for one in described.values()
    )


def result_of(value: object) -> Result:
    """What a tool answered, with the id of its call where that is told with it."""
    answer = decoded(value)
    if isinstance(answer, str):
        return Result("", "", answer)
    if isinstance(answer, dict):
        if answer.keys() <= {"output", "kwargs"} and "output" in answer:  # what LangChain tells at the end of a tool
            answer = answer["output"]
        message = _message(answer)
        if message.get("tool_call_id") and (found := read_message(message).results):
            return found[0]
        if isinstance(answer, dict) and answer.keys() >= {"tool_name", "raw_output"}:  # LlamaIndex
            failed = answer["is_error"] if isinstance(answer.get("is_error"), bool) else None
            return Result("", "", output_of(answer.get("blocks") or answer["raw_output"]), failed)
    return Result("", "", output_of(answer))


def _message(answer: object) -> Record:
    """LangChain's message of a tool, out of what is around it."""
    found = fields(answer)
    return {**(fields(found.get("data")) or fields(found.get("kwargs")) or found), "role": "tool"}
