"""Real recordings give exactly the findings that a person reading them agreed with."""

import json
from pathlib import Path

import pytest

from headway.sources import Source
from headway.study.scan import scan

FOLDER = Path(__file__).parent / "recordings"
EXPECTED = json.loads(FOLDER.with_suffix(".expected.json").read_text())


def test_every_recording_is_expected():
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_findings_are_as_expected(name):
    (report,) = scan(Source(FOLDER / f"{name}.jsonl"))
    found = [[f.detector, str(f.severity), f.first_step] for f in report.findings]
    assert EXPECTED[name] == {"steps": report.steps, "findings": found}
    assert 0 == report.skipped_records
