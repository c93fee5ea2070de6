"""The last word about a loop, on standard output: for people, and for programs."""

import msgspec

from headway.loop.done import warnings
from headway.loop.evidence import standing
from headway.loop.fate import left_in_place
from headway.loop.forecast import forecast
from headway.loop.state import LoopState
from headway.loop.talk import spend
from headway.reports.iteration_markdown import round_name
from headway.reports.text import plain
from headway.reports.words import counted, duration
from headway.scoring.quality import ACCEPTED

VERSION = 1


def result_json(course: LoopState, report: str) -> str:
    """The result as one document."""
    over, left = course.handing_over, left_in_place(course)
    document = {
        "version": VERSION,
        "loop": course.loop_id,
        "ending": over.ending if over else None,
        "exit_code": over.ending.exit_code if over else None,
        "selected": over.selected if over else None,
        "warnings": warnings(course, over.selected if left is None else None) if over else [],
        "placed": course.placed,
        "rounds": course.number,
        "seconds": round(course.seconds(), 3),
        "cost_usd": course.cost_usd,
        "attempts": [{"round": number, "approach": approach} for number, approach in course.attempts],
        "report": report,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode()


def result_text(course: LoopState, report: str, can_go_on: bool = True) -> str:
    """The result in a few lines; how to go on only where the files of all rounds are still there."""
    over, selection = course.handing_over, course.tracker.selection
    lines = [f"{over.ending.outcome}: {plain(over.ending.message)}", plain(course.placed or "")] if over else []
    if course.given_way:
        lines.append(f"to undo this: headway rollback {course.loop_id} {course.given_way}")
    if selection is not None and selection.selected_quality is not None:
        verdict = "" if selection.acceptable else f", below {ACCEPTED:.2f}"
        selected = selection.selected_iteration or 0
        stands = standing(course.tracker.current(selected).measured)
        name = round_name(selected) + " with your changes" * (course.tracker.start == selected)
        quality = f"{name}: quality {selection.selected_quality:.2f}{verdict}"
        lines.append("; ".join(filter(None, [quality, stands])))
    if course.attempts:
        tried = ", ".join(f"{approach} (round {number})" for number, approach in course.attempts)
        lines.append(f"other approaches: {tried}")
    rounds = counted(course.number, "round")
    lines.append(", ".join(filter(None, [rounds, duration(course.seconds()), spend(course)])))
    expected = forecast(course)
    if expected and over and over.ending.outcome != "done":
        lines.append(f"estimate for another round: {expected}")
    if over and over.ending.outcome != "done" and can_go_on:
        more = {
            "max_rounds": f" --max-rounds {course.number + 10}",
            "time": " --for TIME",
            "spend": " --budget-usd X",
            "gain": " --stop-when-gain-below X",
            "nothing_measured": " --no-tests",
        }
        lines.append(f"continue with: headway loop --resume {course.loop_id}{more.get(over.ending.reason, '')}")
    return "\n".join([*lines, f"report: {report}"])
