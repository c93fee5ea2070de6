"""The report about one round."""

import re

import msgspec
import pytest

from headway import Monitor
from headway.core.decision import Action
from headway.core.events import IterationEnded
from headway.core.iteration import Iteration, Measurements
from headway.reports.iteration_markdown import escaped, iteration_report, number, signed
from headway.scoring.assessment import Recommendation, RoundReport
from tests.reports.loops import EVIL, assessed, example_2, hostile

EXAMPLE_2 = """\
## Round 3 Progress Report

- **Timestamp**: 2026-02-02T10:15:00Z
- **Classification**: regression
- **Quality Score**: 0.80
- **Proven Quality**: 0.78 without 1 test that passes, as many as were added

### Metrics

| Metric | Current | Previous | Delta | Baseline | Delta from Baseline |
| --- | ---: | ---: | ---: | ---: | ---: |
| Test Count | 9 | 10 | −1 | 8 | +1 |
| Pass Rate | 77.8 % | 80 % | −2.2 points | 62.5 % | +15.3 points |
| Coverage | 72 % | 75 % | −3 points | 65 % | +7 points |
| Errors | – | – | – | 12 | – |

### Quality Score Breakdown

| Dimension | Score | Weight | Contribution |
| --- | ---: | ---: | ---: |
| Validation | 0.7778 | 0.3750 | 0.2917 |
| Completeness | 0.8600 | 0.3125 | 0.2687 |
| Correctness | 0.7778 | 0.3125 | 0.2431 |
| **Total** | **0.8035** | 1.00 | **0.8035** |

Based on: all_tests_pass, coverage_percentage, test_count_vs_baseline, pass_rate.

### Progress Score

| Signal | Score | Weight | Contribution |
| --- | ---: | ---: | ---: |
| Output diff | 0.1667 | 0.3000 | 0.0500 |
| File changes | 0.4000 | 0.3000 | 0.1200 |
| Explicit markers | 0.0000 | 0.2500 | 0.0000 |
| Checklist | 0.0000 | 0.1500 | 0.0000 |
| **Total** | **0.1700** | 1.00 | **0.1700** |

Based on: output_diff, file_changes, explicit_markers, checklist.

### Alerts

- **CRITICAL** test_deletion: Test count decreased from 10 to 9. (confidence 0.95)
- **CRITICAL** working_tests_failing: Passing tests decreased from 8 to 7. (confidence 0.95)
- **HIGH** coverage_regression: Coverage fell from 75 % to 72 %. (confidence 0.90)

### Best Round

- **Current Best**: Round 2 (quality: 0.82)
- **This Round**: Round 3 (quality: 0.80)
- **Best Preserved**: yes (refs/headway/ralph-001/2)

### Recommendation

- **Action**: rollback to round 2
- **Reason**: test_deletion: Test count decreased from 10 to 9. Passing tests decreased from 8 to 7.
- **Confidence**: 0.95

### Reasoning

- Goal: assess round 3.
- Synthesis: regression.
"""


def nothing_measured() -> RoundReport:
    advice = Recommendation(action=Action.CONTINUE, reason="plateau", confidence=0.6)
    return RoundReport(iteration=Iteration(number=4, verdict="plateau"), recommendation=advice)


def test_the_seeds_second_example():
    assert EXAMPLE_2 == iteration_report(example_2().rounds[3])


def test_the_baseline_has_nothing_to_be_compared_with():
    report = iteration_report(example_2().rounds[0])
    assert "| Coverage | 65 % | – | – | – | – |" in report
    assert "- **Current Best**: none\n- **This Round**: Round 0, the baseline (quality: 0.71)" in report
    assert "### Alerts\n\nNo alerts\n" in report


def test_what_nobody_measured_is_a_dash_and_never_0():
    report = iteration_report(nothing_measured())
    assert 4 == report.count("| – | – | – | – | – |")
    assert "**Timestamp**: not known" in report and "**Quality Score**: not measured" in report
    assert 2 == report.count("Nothing was measured.")
    assert "| 0" not in report and "### Reasoning" not in report


def test_a_measured_0_is_a_0():
    round = nothing_measured()
    one = msgspec.structs.replace(round.iteration, measured=Measurements(error_count=0, coverage_percentage=0.0))
    report = iteration_report(msgspec.structs.replace(round, iteration=one))
    assert "| Errors | 0 | – |" in report and "| Coverage | 0 % | – |" in report


def test_a_round_after_a_rollback_names_the_round_it_began_from():
    rounds = example_2().rounds
    after = msgspec.structs.replace(rounds[3].iteration, number=4, based_on=2)
    report = iteration_report(msgspec.structs.replace(rounds[3], iteration=after))
    assert "- **Previous**: round 2, from which this one started\n" in report


def test_whether_the_best_round_is_kept_is_looked_up_and_not_guessed():
    rounds = example_2().rounds
    far = msgspec.structs.replace(rounds[3], best_iteration=1)
    lost = msgspec.structs.replace(rounds[1].iteration, snapshot=None)
    without = (msgspec.structs.replace(rounds[1], iteration=lost),)

    assert "**Best Preserved**: not known (round 1 is not available)" in iteration_report(far)
    assert "**Best Preserved**: yes (refs/headway/ralph-001/1)" in iteration_report(far, rounds)
    assert "**Best Preserved**: no (no snapshot)" in iteration_report(far, without)


def test_hostile_text_is_shown_as_text():
    report = iteration_report(hostile().rounds[0])
    assert "<" not in report and "\x1b" not in report and "\u202e" not in report
    assert not re.search(r"(?<!\\)\[a", report) and not re.search(r"(?<!\\)`", report)
    assert [line for line in report.splitlines() if line.startswith("#")] == [
        "## Round 1 Progress Report", "### Metrics", "### Quality Score Breakdown", "### Progress Score", "### Alerts",
        "### Best Round", "### Recommendation", "### Reasoning",
    ]  # fmt: skip
    report.encode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("test_deletion", "test_deletion"),
        ("# head", r"\# head"),
        ("1. first", r"1\. first"),
        ("- [ ] item", r"\- \[ \] item"),
        ("---", r"\---"),
        ("__init__", r"\_\_init\_\_"),
        ("a | b\nc", r"a \| b c"),
        ("&lt;b>", "&amp;lt;b>"),
        ("C:\\x", r"C:\\x"),
        ("3 rounds", "3 rounds"),
        ("2025-09-25 to 2025-09-26", "2025-09-25 to 2025-09-26"),
        ("2) second", r"2\) second"),
        ("\ud800", "–"),
        ("", "–"),
    ],
)
def test_nothing_in_a_text_is_markup(text, shown):
    assert shown == escaped(text)


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [(None, 1, "–"), (0, 1, "0"), (-0.04, 1, "0"), (10, 1, "+10"), (100.0, 0, "+100"), (-7.95, 2, "−7.95"), (0.5, 1, "+0.5")],
)  # fmt: skip
def test_differences_have_a_sign(value, digits, shown):
    assert shown == signed(value, digits=digits)


def test_the_malice_is_all_there():
    """Nothing printable of a text is lost on the way."""
    assert "alert(1)" in escaped(EVIL) and "javascript:b" in escaped(EVIL)


def test_not_quite_everything_is_not_shown_as_everything():
    assert ["99.9 %", "100 %", "99.4 %"] == [number(value, " %") for value in (99.96, 100.0, 99.4)]


def test_unlike_errors_are_not_subtracted():
    monitor = Monitor()
    given = Measurements(lint_errors=0, type_errors=9), Measurements(lint_errors=17)
    report = iteration_report([assessed(monitor, IterationEnded(measured=one)) for one in given][-1])
    assert "| Errors | 17 | 9 | – | 9 | – |" in report
