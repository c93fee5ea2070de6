"""Reads JUnit XML, for the probe `junit` and for test commands whose runner writes it as well."""

from typing import TYPE_CHECKING, Final

from headway.core.iteration import Measurements
from headway.probes.outcomes import FAILED, PASSED, SKIPPED, Outcomes
from headway.probes.probe import ProbeError
from headway.probes.xml_text import elements, local_name, number

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_SUITES: Final = ("testsuites", "testsuite")
_NOT_RUN = ("notrun", "disabled", "skipped")
_UNLOADED = "collection failure"
"""The message of pytest for a file that it could not import."""
_WHAT = "JUnit XML (<testsuites> or <testsuite>)"


def parse(data: bytes) -> Measurements:
    """Count each test case once, by class and name. Totals of suites are ignored, because nested suites repeat them."""
    outcomes, suites, open_suites = Outcomes(), _Stated(), 0
    for event, element in elements(data, _WHAT):
        name = local_name(element)
        if event == "start":
            if not open_suites and name not in _SUITES:
                raise ProbeError(f"it begins with <{name[:40]}>; expected {_WHAT}")
            open_suites += name in _SUITES
            suites.opened(name, element)
        elif name == "testcase":
            outcomes.add(_identity(element), _outcome(element), element.get("file", ""))
            outcomes.unloaded |= any(child.get("message") == _UNLOADED for child in element)
            element.clear()  # a case may contain the whole output of its test
        elif name in _SUITES:
            suites.closed(name, element)
            element.clear()
    return outcomes.measured() if outcomes else suites.measured()


def _identity(case: "Element") -> str:
    place, name = case.get("classname", ""), case.get("name", "")
    return f"{place}::{name}" if place else name


def _outcome(case: "Element") -> str:
    children = {local_name(child) for child in case}
    if children & {"failure", "error"}:
        return FAILED
    return SKIPPED if "skipped" in children or case.get("status") in _NOT_RUN else PASSED


class _Stated:
    """The totals of the outermost suites, for reports that list no cases."""

    def __init__(self) -> None:
        self.tests, self.failed, self.skipped = 0, 0, 0
        self._inside = 0

    def opened(self, name: str, element: "Element") -> None:
        if name not in _SUITES or element.get("tests") is None:
            return
        self._inside += 1
        if self._inside == 1:
            self.tests += _stated(element, "tests")
            self.failed += _stated(element, "failures") + _stated(element, "errors")
            self.skipped += _stated(element, "skipped") + _stated(element, "disabled")

    def closed(self, name: str, element: "Element") -> None:
        self._inside -= name in _SUITES and element.get("tests") is not None

    def measured(self) -> Measurements:
        passed = self.tests - self.failed - self.skipped
        if passed < 0:
            raise ProbeError(f"{self.tests} tests stated, but {self.failed} failed and {self.skipped} skipped")
        return Measurements(
            test_count=self.tests,
            tests_passed=passed,
            tests_failed=self.failed,
            tests_skipped=self.skipped,
            failing_tests=None if self.failed else (),
        )


def _stated(suite: "Element", attribute: str) -> int:
    return int(number(suite, attribute) or 0)
