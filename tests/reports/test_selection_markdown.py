"""The report about a whole loop."""

import msgspec

from headway.core.iteration import Score
from headway.reports.selection_markdown import selection_report
from headway.scoring.assessment import LoopReport
from headway.scoring.best import choose, select
from tests.reports.loops import example_2, example_3, hostile, of_qualities

EXAMPLE_3 = """\
# Output Selection Report: ralph-001

**Round 3 is selected, not the final round 5.**

- **Selected**: Round 3 (quality: 0.88)
- **Final**: Round 5 (quality: 0.81)
- **Rounds**: 5
- **Acceptable**: yes
- **Snapshot**: none was taken

## Quality Trajectory

| Round | Quality | Tests | Coverage | Classification | Mark |
| --- | ---: | ---: | ---: | --- | --- |
| 1 | 0.65 | 6/8 | 68 % | forward |  |
| 2 | 0.82 | 9/10 | 78 % | forward |  |
| 3 | 0.88 | 10/10 | 85 % | forward | best, selected |
| 4 | 0.85 | 10/10 | 83 % | regression |  |
| 5 | 0.81 | 9/10 | 80 % | regression | final |

## Selection Criteria

- Primary: among the rounds that did no harm, more of the same tests passing, then the highest quality score
- Ties: a verified round, then one built upon the other, then the earlier one
- Threshold: 0.70 (met)
- Verified: yes (tests ran, and all passed)

## Comparison to Final

- Selected quality: 0.88
- Final quality: 0.81
- Delta: +0.07
- Improvement: +8.6 %

## Degradation Analysis

- Started: round 4
- Pattern: over-refinement: no round after the selected one was better than its predecessor
- Measured rounds after the peak: 2
- Quality loss: −7.95 % in round 5

## Selection Rationale

- Round 3 has the highest quality (quality 0.88)
- All tests pass (10)
- Highest coverage (85 %)
- Quality was lower in rounds 4, 5
- Quality goes up and down between rounds, so the peak is taken, not the final round (REF-015, Self-Refine)
"""


def test_the_seeds_third_example():
    assert EXAMPLE_3 == selection_report(example_3())


def test_a_selection_below_the_threshold_is_called_not_acceptable():
    report = selection_report(of_qualities([0.5, 0.6]))
    assert "**Round 2 is selected, which is also the final one.**" in report
    assert "**Not acceptable: quality 0.60 is below the threshold.**" in report
    assert "- Threshold: 0.70 (not met)" in report and "- The selected round is the final one." in report


def test_a_baseline_that_no_round_beats_is_handed_over():
    report = selection_report(of_qualities([0.9, 0.8, 0.7], first=0))
    assert "**The baseline is selected: no round qualifies.**" in report
    assert "| 0 | 0.90 | – | – | baseline | baseline, selected |\n" in report
    assert "| 1 | 0.80 | – | – | regression |  |\n" in report


def test_a_persons_choice_is_told_with_its_reason():
    loop = example_3()
    chosen = choose([one.iteration for one in loop.rounds], 4, "the API of 4 is *nicer*")
    report = selection_report(msgspec.structs.replace(loop, selection=chosen))
    assert "**Round 4 is selected, because a person chose it.**" in report
    assert r"Reason given: the API of 4 is \*nicer\*" in report
    assert "| 3 | 0.88 | 10/10 | 85 % | forward | best |" in report


def test_nothing_to_compare_is_said():
    report = selection_report(of_qualities([None, None]))
    assert "**No round is selected: the rounds cannot be compared.**" in report
    assert "| 1 | – | – | – | forward |  |" in report and "- There is no selected round." in report


def test_a_round_that_measured_other_things_is_marked():
    """Otherwise a higher number that was not selected would look like a mistake."""
    loop = of_qualities([0.8, 0.7])
    other = msgspec.structs.replace(loop.rounds[1].iteration, quality=Score(0.75, components=("pass_rate", "coverage")))
    rounds = (loop.rounds[0], msgspec.structs.replace(loop.rounds[1], iteration=other, best_iteration=2))
    selection = select([one.iteration for one in rounds])
    report = selection_report(LoopReport(loop_id="x", rounds=rounds, selection=selection))
    assert "| 1 | 0.80 | – | – | forward | different measurements |" in report
    assert "| 2 | 0.75 | – | – | regression | best, selected, final |" in report


def test_a_loop_that_is_not_over_has_a_trajectory_but_no_selection():
    report = selection_report(example_2())
    assert "**The loop has not ended: no round is selected yet.**" in report
    assert "| 2 | 0.82 | 8/10 | 75 % | forward | best |" in report
    assert "## Selection" not in report


def test_an_empty_loop_is_told():
    assert "No round has been assessed." in selection_report(LoopReport(loop_id="x"))


def test_hostile_text_is_shown_as_text():
    report = selection_report(hostile())
    assert "<" not in report and "\x1b" not in report and "\u202e" not in report
    assert 1 == sum(line.startswith("# ") for line in report.splitlines())
