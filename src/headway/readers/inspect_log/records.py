"""The needed fields of a sample that Inspect records; requests to models are not even decoded."""

from typing import Any

from msgspec import Struct

from headway.shapes.values import Odd


class Choice(Struct, gc=False):
    """One answer of a model."""

    message: Any = None


class Output(Struct, gc=False):
    """The output of a model."""

    choices: list[Choice | list[Any] | Odd] | dict[str, Any] | Odd = None
    usage: Any = None


class Happened(Struct, gc=False):
    """An event of a sample."""

    event: Any = None
    id: Any = None
    span_id: Any = None
    parent_id: Any = None
    type: Any = None
    name: Any = None
    timestamp: Any = None
    completed: Any = None
    model: Any = None
    output: Output | list[Any] | Odd = None
    function: Any = None
    arguments: Any = None
    result: Any = None
    error: Any = None


class Sample(Struct, gc=False):
    """One sample in one epoch, with the needed fields."""

    id: Any = None
    epoch: Any = 1
    messages: Any = None
    events: list[Happened | list[Any] | Odd] | dict[str, Any] | Odd = None
    attachments: Any = None
    error: Any = None
