"""Writes assessed rounds to the loop's folder."""

from collections.abc import Mapping

import msgspec

from headway.loop.facts import Measured
from headway.loop.state import LoopState
from headway.loop.tracker import Tracker
from headway.reports.iteration_markdown import iteration_report
from headway.reports.loop_json import best_json, loop_json, manifest_json, metrics_json, trajectory_json
from headway.reports.selection_markdown import selection_report
from headway.scoring.assessment import LoopReport
from headway.store.loop_files import LoopFiles


def write_round(
    tracker: Tracker, files: LoopFiles, results: Mapping[str, bytes] | None = None, loop: LoopReport | None = None
) -> None:
    """Write the latest round, with the results of its measuring tools; `loop` may add to it."""
    loop = loop or tracker.report()
    one = loop.rounds[-1]
    files.write_round(
        one.iteration.number,
        metrics=metrics_json(one),
        manifest=manifest_json(one),
        report=iteration_report(one, loop.rounds),
        trajectory=trajectory_json(loop),
        best=best_json(loop),
        loop=loop_json(loop),
        results=results,
    )


def write_selection(tracker: Tracker, files: LoopFiles, loop: LoopReport | None = None) -> None:
    """Write which round is selected, and why."""
    loop = loop or tracker.report()
    files.write_selection(report=selection_report(loop), best=best_json(loop), loop=loop_json(loop))


def results_of(state: LoopState) -> dict[str, bytes]:
    """The readings of the latest round and the agent's output, as files."""
    by_name: dict[str, list[Measured]] = {}
    for one in state.ends[-1].readings:
        by_name.setdefault(one.plan.name, []).append(one)
    results = {
        f"{name}-results.json": msgspec.json.format(msgspec.json.encode([one.reading for one in found]), indent=2)
        for name, found in by_name.items()
    }
    agent = state.last_agent
    return results | ({"agent-output.txt": agent.output.encode("utf-8", "replace")} if agent else {})
