"""Reads SARIF 2.1.0, a report format of many linters and scanners."""

from collections.abc import Iterator

import msgspec

from headway.core.iteration import Measurements
from headway.probes.json_text import decoded
from headway.probes.probe import Plan, Reading, Where
from headway.probes.report import read_report


class _Configuration(msgspec.Struct, frozen=True):
    level: str = "warning"


class _Rule(msgspec.Struct, rename="camel"):
    id: str = ""
    default_configuration: _Configuration = _Configuration()


class _Driver(msgspec.Struct):
    rules: list[_Rule] = []


class _Tool(msgspec.Struct):
    driver: _Driver


class _Result(msgspec.Struct, rename="camel"):
    level: str | None = None
    kind: str = "fail"
    rule_id: str | None = None
    rule_index: int = -1
    suppressions: list[dict[str, object]] | None = None
    baseline_state: str | None = None

    @property
    def counts(self) -> bool:
        """Whether this is an open problem that was neither accepted nor solved."""
        return self.kind == "fail" and not self.suppressions and self.baseline_state != "absent"


class _Run(msgspec.Struct):
    tool: _Tool
    results: list[_Result] | None = None

    def levels(self) -> Iterator[str]:
        """The level of each problem: its own, its rule's, or the standard's default, which is a warning."""
        rules = self.tool.driver.rules
        by_id = {rule.id: rule.default_configuration.level for rule in rules}
        for result in self.results or ():
            if result.counts:
                known = 0 <= result.rule_index < len(rules)
                rule_id = rules[result.rule_index].id if known else result.rule_id
                yield result.level or by_id.get(rule_id or "", "warning")


class _Log(msgspec.Struct):
    version: str
    runs: list[_Run]


def parse(data: bytes) -> Measurements:
    """Count errors and warnings over all runs; notes are neither."""
    levels = [level for run in decoded(data, _Log, "a SARIF report").runs for level in run.levels()]
    return Measurements(lint_errors=levels.count("error"), lint_warnings=levels.count("warning"))


def run(plan: Plan, where: Where) -> Reading:
    """Run the tool, and read its report."""
    return read_report(plan, where, parse)
