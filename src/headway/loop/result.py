"""Formats the result of a loop for standard output, as text and JSON."""

import msgspec

from headway.loop.done import warnings
from headway.loop.evidence import results_line
from headway.loop.fate import left_in_place
from headway.loop.forecast import forecast
from headway.loop.state import LoopState
from headway.loop.talk import spend
from headway.reports.iteration_markdown import round_name
from headway.reports.text import plain
from headway.reports.words import counted, duration
from headway.scoring.quality import ACCEPTED

VERSION = 1


def result_json(state: LoopState, report: str) -> str:
    """The result as one JSON document."""
    over, left = state.finishing, left_in_place(state)
    document = {
        "version": VERSION,
        "loop": state.loop_id,
        "ending": over.ending if over else None,
        "exit_code": over.ending.exit_code if over else None,
        "selected": over.selected if over else None,
        "warnings": warnings(state, over.selected if left is None else None) if over else [],
        "placed": state.placed,
        "rounds": state.number,
        "seconds": round(state.seconds(), 3),
        "cost_usd": state.cost_usd,
        "attempts": [{"round": number, "approach": approach} for number, approach in state.attempts],
        "report": report,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode()


def result_text(state: LoopState, report: str, can_go_on: bool = True) -> str:
    """The result in a few lines. How to continue is included only if the files of all rounds still exist."""
    over, selection = state.finishing, state.tracker.selection
    lines = [f"{over.ending.outcome}: {plain(over.ending.message)}", plain(state.placed or "")] if over else []
    if state.kept_state:
        lines.append(f"to undo this: headway rollback {state.loop_id} {state.kept_state}")
    if selection is not None and selection.selected_quality is not None:
        verdict = "" if selection.acceptable else f", below {ACCEPTED:.2f}"
        selected = selection.selected_iteration or 0
        stands = results_line(state.tracker.current(selected).measured)
        name = round_name(selected) + " with your changes" * (state.tracker.start == selected)
        quality = f"{name}: quality {selection.quality_in_words}{verdict}"
        lines.append("; ".join(filter(None, [quality, stands])))
    if state.attempts:
        tried = ", ".join(f"{approach} (round {number})" for number, approach in state.attempts)
        lines.append(f"other approaches: {tried}")
    rounds = counted(state.number, "round")
    lines.append(", ".join(filter(None, [rounds, duration(state.seconds()), spend(state)])))
    expected = forecast(state)
    if expected and over and over.ending.outcome != "done":
        lines.append(f"estimate for another round: {expected}")
    if over and over.ending.outcome != "done" and can_go_on:
        more = {
            "max_rounds": f" --max-rounds {state.number + 10}",
            "time": " --for TIME",
            "spend": " --budget-usd X",
            "gain": " --stop-when-gain-below X",
            "nothing_measured": " --no-tests",
        }
        lines.append(f"continue with: headway loop --resume {state.loop_id}{more.get(over.ending.reason, '')}")
    return "\n".join([*lines, f"report: {report}"])
