"""What a round measured: other spellings are understood, and what cannot be meant is refused."""

import msgspec
import pytest

from headway import Measurements
from headway.scoring.quality import quality_score


@pytest.mark.parametrize("status", ["success", "succeeded", "passed", "Passed ", "PASS", "ok", "green", True])
def test_a_build_that_passed_scores_in_any_spelling(status):
    measured = Measurements(build_status=status)

    assert "success" == measured.build_status
    assert 1.0 == quality_score(measured, None).value


@pytest.mark.parametrize("status", ["failure", "failed", "FAILED", "error", "broken", "red", False])
def test_a_build_that_failed_scores_nothing_in_any_spelling(status):
    measured = Measurements(build_status=status)

    assert "failure" == measured.build_status
    assert 0.0 == quality_score(measured, None).value


@pytest.mark.parametrize("status", ["", "maybe", "skipped", 1, 0, ["success"]])
def test_any_other_build_status_is_refused_with_field_and_fix(status):
    with pytest.raises(ValueError, match=r"Measurements\.build_status must be 'success' or 'failure' .* or None"):
        Measurements(build_status=status)


def test_a_build_that_nobody_looked_at_has_no_score():
    assert quality_score(Measurements(), None) is None


def test_spellings_are_understood_in_what_is_read_too():
    assert "success" == msgspec.json.decode(b'{"build_status": "passed"}', type=Measurements).build_status
    with pytest.raises(msgspec.ValidationError, match="must be 'success' or 'failure'"):
        msgspec.json.decode(b'{"build_status": "maybe"}', type=Measurements)
