"""Measures a project after a round. `formats/` is the registry: one file per measuring tool.

`propose` looks for the tools of a project and returns plans; `measure` runs plans and returns readings. `probe.py`
says what a probe is, and `report.py` runs a plan: its command, then the parser of its report. `command.py` limits a
program in time and output, and ends all its processes. `loop` and `headway probe` call this.
"""

import logging
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import iter_modules
from typing import cast

from headway.core.iteration import Measurements
from headway.probes import formats
from headway.probes.probe import Plan, Probe, ProbeError, Reading, Where, has_result, measured_in, merged
from headway.probes.propose import propose, tested_by
from headway.probes.scratch import folder_for_reports
from headway.probes.sizes import Sizes

__all__ = [
    "Plan", "ProbeError", "Reading", "Sizes", "has_result", "measure", "measured_in", "merged", "probe_named",
    "probes", "propose", "tested_by",
]  # fmt: skip

_log = logging.getLogger("headway")


@cache
def probes() -> dict[str, Probe]:
    """The probes that come with Headway, by name."""
    names = [info.name for info in iter_modules(formats.__path__)]
    return {name: cast(Probe, import_module(f"{formats.__name__}.{name}")) for name in names}


def probe_named(name: str) -> Probe:
    """The probe of this name: one of Headway's own, or one from the entry points `headway.probes`."""
    if name in probes():
        return probes()[name]
    for entry in entry_points(group="headway.probes", name=name):
        return cast(Probe, entry.load())
    raise ProbeError(f"there is no probe {name!r}; expected one of: {', '.join(probes())}")


def measure(
    folder: Path | str,
    plans: Iterable[Plan] | None = None,
    timeout: float | Callable[[], float] = 600.0,
    test_command: str | None = None,
    before: Callable[[Plan], None] | None = None,
    sizes: Sizes | None = None,
) -> list[Reading]:
    """Run plans in a project, one after the other; without any, those that fit the project.

    A `test_command` replaces the plans for tests and coverage. `before` is called with each plan before it runs.
    `timeout` applies to each plan; if it is a function, it is called before each of them. `sizes` caches what was
    counted in source files for the next measurement.

    What cannot be measured stays None, and its reading has the reason.
    """
    project = Path(folder).resolve()
    chosen = propose(project) if plans is None else list(plans)
    if test_command:
        chosen = tested_by(test_command, chosen)
    readings = []
    with folder_for_reports() as reports:
        for plan in chosen:
            if before:
                before(plan)
            seconds = timeout() if callable(timeout) else timeout
            readings.append(
                _reading(plan, Where(project, reports, seconds, sizes)) if seconds > 0 else _timed_out(plan)
            )
    return readings


def _timed_out(plan: Plan) -> Reading:
    return Reading(probe=plan.probe, measured=Measurements(), how=f"plan {plan.name}", reason="no time was left for it")


def _reading(plan: Plan, where: Where) -> Reading:
    """One reading. A broken probe must not end the round that it measures."""
    try:
        return probe_named(plan.probe).run(plan, where)
    except Exception as error:
        _log.exception("the probe %s failed", plan.probe)
        reason = str(error) if isinstance(error, ProbeError) else f"the probe failed: {type(error).__name__}: {error}"
        return Reading(probe=plan.probe, measured=Measurements(), how=f"plan {plan.name}", reason=reason)
