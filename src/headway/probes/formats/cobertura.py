"""Reads Cobertura XML, which coverage tools of many languages write."""

from typing import TYPE_CHECKING

from headway.core.iteration import Measurements
from headway.probes.line_coverage import line_coverage
from headway.probes.probe import Plan, ProbeError, Reading, Where
from headway.probes.report import read_report
from headway.probes.xml_text import elements, local_name, number

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_WHAT = "Cobertura XML (<coverage>)"


def parse(data: bytes) -> Measurements:
    """The totals in the root element, or else the lines. All elements are read, so that a truncated file fails."""
    root: Element | None = None
    file, hits = "", dict[tuple[str, int], bool]()
    for event, element in elements(data, _WHAT):
        if root is None:
            root = _coverage(element)
        name = local_name(element)
        if event == "start":
            file = element.get("filename", file) if name == "class" else file
        elif name == "line":
            _note(element, file, hits)
        if event == "end" and element is not root:
            element.clear()
    if root is None:
        raise ProbeError(f"empty; expected {_WHAT}")
    return _stated(root) or (line_coverage(sum(hits.values()), len(hits)) if hits else _rate(root))


def _coverage(element: "Element") -> "Element":
    if local_name(element) != "coverage":
        raise ProbeError(f"it begins with <{local_name(element)[:40]}>; expected {_WHAT}")
    return element


def _note(line: "Element", file: str, hits: dict[tuple[str, int], bool]) -> None:
    """Record whether a line ran. It may be listed under its method and its class, and counts once."""
    at, times = number(line, "number"), number(line, "hits", most=1e18)
    if at is not None and times is not None:
        key = (file, int(at))
        hits[key] = hits.get(key, False) or times > 0


def _stated(root: "Element") -> Measurements | None:
    covered, total = number(root, "lines-covered"), number(root, "lines-valid")
    return None if covered is None or total is None else line_coverage(int(covered), int(total))


def _rate(root: "Element") -> Measurements:
    """The percentage only, for a report that neither counts nor lists its lines."""
    rate = number(root, "line-rate", most=1)
    if rate is None:
        raise ProbeError("<coverage> has no lines and no line-rate; expected one of them")
    return Measurements(coverage_percentage=100 * rate)


def run(plan: Plan, where: Where) -> Reading:
    """Have the report written, and read it."""
    return read_report(plan, where, parse)
