"""The needed fields of a LangSmith run. Values of the wrong type are skipped."""

from typing import Any

from msgspec import Raw, Struct

from headway.shapes.values import UNREAD, Odd


class Extra(Struct, gc=False):
    """Additional fields of a run."""

    metadata: Any = None
    invocation_params: Any = None
    tool_call_id: Any = None


class Run(Struct, gc=False):
    """A node of a trace. Input and output are read only when needed."""

    id: Any = None
    run_type: Any = None
    trace_id: Any = None
    parent_run_id: Any = None
    name: Any = None
    start_time: Any = None
    end_time: Any = None
    extra: Extra | list[Raw] | Odd = None
    inputs: Raw = UNREAD
    outputs: Raw = UNREAD
    error: Any = None
    prompt_tokens: Any = None
    completion_tokens: Any = None
    total_cost: Any = None
    child_runs: "list[Run | list[Raw] | Odd] | dict[str, Raw] | Odd" = None
    runs: "list[Run | list[Raw] | Odd] | dict[str, Raw] | Odd" = None
    """Where this is the answer of the API and no run."""


File = Run | list[Run | list[Raw] | Odd] | Odd
