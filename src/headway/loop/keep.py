"""Rounds on disk: what the tracker assessed, in seed 003's tree of files."""

from collections.abc import Mapping

from headway.loop.tracker import Tracker
from headway.reports.iteration_markdown import iteration_report
from headway.reports.loop_json import best_json, loop_json, manifest_json, metrics_json, trajectory_json
from headway.reports.selection_markdown import selection_report
from headway.store.loop_files import LoopFiles


def keep_round(tracker: Tracker, files: LoopFiles, results: Mapping[str, bytes] | None = None) -> None:
    """Write down the latest round of a tracker, with the results of its measuring tools."""
    loop, one = tracker.report(), tracker.rounds[-1]
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


def keep_selection(tracker: Tracker, files: LoopFiles) -> None:
    """Write down which round is handed over, and why."""
    loop = tracker.report()
    files.write_selection(report=selection_report(loop), best=best_json(loop), loop=loop_json(loop))
