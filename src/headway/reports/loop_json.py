"""A loop as JSON: the complete document, which can be read back, and the smaller files of its folder."""

from typing import Any

import msgspec

from headway.core.iteration import Iteration
from headway.reports.iteration_markdown import by_weight, quality_of, time_of
from headway.scoring.assessment import LoopReport, RoundReport
from headway.scoring.better import sure_value

VERSION = 1
"""Version of the document; another one cannot be read."""


class LoopFormatError(ValueError):
    """A stored loop cannot be read. The message names the file, the place and what was expected."""


class _Head(msgspec.Struct):
    version: int


def loop_json(loop: LoopReport) -> bytes:
    """The whole loop as one document; `loop_from_json` reads it back."""
    fields = {field: getattr(loop, field) for field in LoopReport.__struct_fields__}
    return _document(fields | {"rounds": [_without_repeats(one) for one in loop.rounds]})


def _without_repeats(round: RoundReport) -> RoundReport:
    """A round whose earlier rounds do not list their passing tests again, which may be thousands."""
    return msgspec.structs.replace(round, previous=_short(round.previous), baseline=_short(round.baseline))


def _short(one: Iteration | None) -> Iteration | None:
    if one is None or one.measured.passing_tests is None:
        return one
    return msgspec.structs.replace(one, measured=msgspec.structs.replace(one.measured, passing_tests=None))


def loop_from_json(data: bytes, source: str = "loop.json") -> LoopReport:
    """Read what `loop_json` wrote; `source` is the file that an error should name."""
    try:
        version = msgspec.json.decode(data, type=_Head).version
        if version != VERSION:
            raise LoopFormatError(f"{source}: at `$.version`: expected {VERSION}, got {version}")
        return msgspec.json.decode(data, type=LoopReport)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise LoopFormatError(f"{source}: expected a loop of version {VERSION}: {error}") from error


def metrics_json(round: RoundReport) -> bytes:
    """The measurements and scores of a round; null if not measured."""
    one = round.iteration
    return _document(
        {
            "iteration": one.number,
            "timestamp": time_of(one),
            "classification": one.verdict,
            "measured": _every_field(one.measured)
            | {"pass_rate": one.measured.pass_rate, "error_count": one.measured.errors},
            "deltas": {
                "from_previous": _every_field(one.from_previous),
                "from_baseline": _every_field(one.from_baseline),
            },
            "quality_score": quality_of(one),
            "quality": one.quality,
            "proven_quality": sure_value(one) if one.quality else None,
            "set_aside": one.set_aside,
            "progress": one.progress,
            "is_best_iteration": one.number == round.best_iteration,
            "alerts": by_weight(round.alerts),
            "recommendation": round.recommendation,
        }
    )


def manifest_json(round: RoundReport) -> bytes:
    """Where the files of a round are, and which of them it changed; null if unknown."""
    one, changes = round.iteration, round.iteration.changes
    files = None
    if changes is not None:
        files = [{"path": path, "content": content or None} for path, content in sorted(changes.files.items())]
    return _document(
        {
            "iteration": one.number,
            "based_on": round.previous.number if round.previous else one.based_on,
            "snapshot": one.snapshot,
            "lines_changed": None if changes is None else changes.lines,
            "changed_files": files,
        }
    )


def trajectory_json(loop: LoopReport) -> bytes:
    """The quality of every round so far."""
    rounds = [one.iteration for one in loop.rounds]
    points = [{"iteration": one.number, "quality": quality_of(one), "classification": one.verdict} for one in rounds]
    return _document({"loop_id": loop.loop_id, "trajectory": points})


def best_json(loop: LoopReport) -> bytes:
    """The best round so far, and the selected one when the loop is over."""
    last = loop.rounds[-1] if loop.rounds else None
    best = last.best_iteration if last else None
    kept = next((one.iteration.snapshot for one in loop.rounds if one.iteration.number == best), None)
    return _document(
        {
            "loop_id": loop.loop_id,
            "current_best": best,
            "best_quality_score": last.best_quality if last else None,
            "best_snapshot": kept,
            "selected_iteration": loop.selection.selected_iteration if loop.selection else None,
        }
    )


def _every_field(struct: msgspec.Struct | None) -> dict[str, Any]:
    """All fields, including those that are left out when unknown."""
    return {} if struct is None else {name: getattr(struct, name) for name in struct.__struct_fields__}


def _document(content: dict[str, Any]) -> bytes:
    document = {"version": VERSION, **content}
    try:
        encoded = msgspec.json.encode(document)
    except UnicodeEncodeError:  # a lone surrogate cannot be encoded as UTF-8
        encoded = msgspec.json.encode(_encodable(msgspec.to_builtins(document)))
    return msgspec.json.format(encoded, indent=2) + b"\n"


def _encodable(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case dict():
            return {_encodable(name): _encodable(inner) for name, inner in value.items()}
        case list() | tuple():
            return [_encodable(inner) for inner in value]
    return value
