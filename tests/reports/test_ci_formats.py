"""JUnit and SARIF: what CI shows of a job's runs."""

import json
import xml.etree.ElementTree as ET

import msgspec
import pytest

from headway.core.decision import Action
from headway.core.finding import Severity
from headway.core.run_report import ENDING, ReportedDecision, ReportedFinding, RunReport, Spent
from headway.reports.junit import as_junit
from headway.reports.sarif import as_sarif

HOSTILE = "</failure>]]>\x00\x1b[31m\u202e\"'<&"
EMPTY = RunReport("r", "runs/r.jsonl", "headway", "codex", "m", 9, 0, Action.CONTINUE, (), ())


def finding(detector, severity=Severity.HIGH, message="went round"):
    return ReportedFinding(detector, severity, 0.9, message, {}, "x", 3, 7, 4)


@pytest.fixture
def reports():
    decision = ReportedDecision(5, Action.STOP, "doom_loop", "")
    found = (finding("doom_loop", message=f"went round {HOSTILE}"), finding("scope_creep", Severity.LOW))
    bad = {"verdict": Action.STOP, "findings": found, "decisions": (decision,), "prompt": f"fix it {HOSTILE}"}
    return [
        msgspec.structs.replace(EMPTY, run="good", spent=Spent(9, active_seconds=12.5)),
        msgspec.structs.replace(EMPTY, run="bad", source="/w/a b.jsonl", **bad),
    ]


def test_junit_has_a_case_for_each_run_and_a_failure_for_each_stop(reports):
    suite = ET.fromstring("".join(as_junit(reports, lambda verdict: verdict in ENDING)))[0]
    assert ("2", "1") == (suite.get("tests"), suite.get("failures"))
    good, bad = suite
    assert ("good", "codex", "12.500") == (good.get("name"), good.get("classname"), good.get("time")) and not len(good)
    (failure,) = bad
    assert "stop" == failure.get("type") and failure.get("message").startswith("stop at step 5: doom_loop")
    assert "steps 3–7, high doom_loop: went round </failure>]]>" in failure.text and "scope_creep" not in failure.text
    assert "\x1b" not in failure.text and bad.get("name").startswith("fix it </failure>")


def test_what_counts_as_a_failure_can_be_chosen(reports):
    suite = ET.fromstring("".join(as_junit(reports, lambda _: False)))[0]
    assert "0" == suite.get("failures") and [0, 0] == [len(case) for case in suite]


def test_sarif_has_a_result_for_each_finding_and_a_rule_for_each_detector(reports):
    document = json.loads("".join(as_sarif(reports, "1.2.3")))
    assert "2.1.0" == document["version"]
    (run,) = document["runs"]
    assert ("Headway", "1.2.3", ["doom_loop"]) == (
        run["tool"]["driver"]["name"], run["tool"]["driver"]["version"], [rule["id"] for rule in run["tool"]["driver"]["rules"]],
    )  # fmt: skip
    (result,) = run["results"]
    assert ("doom_loop", "error") == (result["ruleId"], result["level"])
    assert "file:///w/a%20b.jsonl" == result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert "bad, steps 3–7" == result["locations"][0]["logicalLocations"][0]["name"]
    low = json.loads("".join(as_sarif(reports, "1", Severity.LOW)))["runs"][0]["results"]
    assert ["error", "note"] == [one["level"] for one in low]


def test_a_scan_without_runs_is_valid():
    assert [] == json.loads("".join(as_sarif([], "1")))["runs"][0]["results"]
    assert "0" == ET.fromstring("".join(as_junit([], lambda _: True)))[0].get("tests")
