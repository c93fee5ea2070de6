"""The arguments and the result of a tool, without what instrumentations wrap around them.

LangChain's callbacks add tags, steps and checkpoints to the arguments, smolagents calls tools as Python does, results
are messages of LangChain or outputs of LlamaIndex. Such details of a single call would hide that two calls are equal.
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
"""What LangChain passes to its callbacks at the start of a tool, besides the arguments."""


def given_arguments(attributes: Mapping[str, Any]) -> Record | None:
    """The arguments of a tool call, if they were recorded; the tool's schema is never used instead."""
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
    """The result of a tool, with the id of its call if it contains that."""
    answer = decoded(value)
    if isinstance(answer, str):
        return Result("", "", answer)
    if isinstance(answer, dict):
        if answer.keys() <= {"output", "kwargs"} and "output" in answer:  # LangChain's callback at the end of a tool
            answer = answer["output"]
        message = _message(answer)
        if message.get("tool_call_id") and (found := read_message(message).results):
            return found[0]
        if isinstance(answer, dict) and answer.keys() >= {"tool_name", "raw_output"}:  # LlamaIndex
            failed = answer["is_error"] if isinstance(answer.get("is_error"), bool) else None
            return Result("", "", output_of(answer.get("blocks") or answer["raw_output"]), failed)
    return Result("", "", output_of(answer))


def _message(answer: object) -> Record:
    """LangChain's tool message, without its wrappers."""
    found = fields(answer)
    return {**(fields(found.get("data")) or fields(found.get("kwargs")) or found), "role": "tool"}
