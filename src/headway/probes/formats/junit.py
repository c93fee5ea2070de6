"""JUnit XML, which test runners of all languages can write."""

from headway.probes.junit_xml import parse
from headway.probes.probe import Plan, Reading, Where
from headway.probes.report import read_report

__all__ = ["parse", "run"]


def run(plan: Plan, where: Where) -> Reading:
    """Run the tests, and read the report that they wrote."""
    return read_report(plan, where, parse)
