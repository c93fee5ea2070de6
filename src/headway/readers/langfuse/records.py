"""The needed fields of a Langfuse observation. Values of the wrong type are skipped."""

# ruff: noqa: N815 - the names of the fields are Langfuse's

from typing import Any

from msgspec import Raw, Struct

from headway.shapes.trace import Sent
from headway.shapes.values import UNREAD, Odd


class Observation(Struct, gc=False):
    """An observation, or a container of several. Input and output stay JSON at first."""

    id: Any = None
    type: Any = None
    name: Any = None
    input: Raw = UNREAD
    output: Raw = UNREAD
    level: Any = None
    model: Any = None
    usage: Any = None
    traceId: Any = None
    sessionId: Any = None
    parentObservationId: Any = None
    startTime: Any = None
    endTime: Any = None
    statusMessage: Any = None
    providedModelName: Any = None
    usageDetails: Any = None
    totalCost: Any = None
    calculatedTotalCost: Any = None
    # the same as the SDK for Python writes it
    trace_id: Any = None
    session_id: Any = None
    parent_observation_id: Any = None
    start_time: Any = None
    end_time: Any = None
    status_message: Any = None
    provided_model_name: Any = None
    usage_details: Any = None
    total_cost: Any = None
    calculated_total_cost: Any = None
    data: "Several" = None
    observations: "Several" = None


Several = list[Observation | list[Raw] | Odd] | dict[str, Raw] | Odd
File = Observation | list[Observation | list[Raw] | Odd] | Odd
Given = list[Raw] | Sent | Odd
