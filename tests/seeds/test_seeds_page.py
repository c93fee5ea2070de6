"""docs/development/seeds.md is true: every place it names exists, every value is the default, every name of a seed is there."""

import json
import re
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from headway import Detector, Measurements, Monitor
from headway.config.profiles import packaged
from headway.detectors import built_in
from headway.scoring.quality import quality_score
from tests.provocations import PROVOCATIONS
from tests.streams import spelled

PAGE = (Path(__file__).parent.parent.parent / "docs" / "development" / "seeds.md").read_text()
ROW = re.compile(r"^\| (?P<names>[^|]+) \| `(?P<place>[^`]+)` \|(?: `(?P<value>[^`]+)`)? *\|$", re.MULTILINE)
ROWS = [match.groupdict() for match in ROW.finditer(PAGE)]

# The identifiers that stand in the seeds.
SEED_000 = """
ProgressMonitor detectIssues recordToolCalls clearOnNewTurn getMetrics DetectionIssue issueType severity message toolCallId
metadata count filePath hitRate dirCount exact_cycle repeated_file similar_calls low_hit_rate scope_creep empty_streak high
medium low ProgressMetrics fileAccessCount searchMetrics totalSearches emptyResults consecutiveEmpty uniqueTopLevelDirs
recentCalls injectSystemReminder CycleDetector ToolCall ToolResult ToolCallHistoryEntry combineDetectionResults detectionIssues
""".split()
SEED_002 = """
TrajectoryAnalysis turn_count tool_call_count error_count consecutive_errors unique_tools_used duration recent_tool_calls
recent_errors tool_frequency error_frequency patterns has_pattern TrajectoryPattern pattern_type confidence evidence
first_seen occurrences PatternDetector name detect reset DoomLoop cycle_length repetitions cycle_actions RepeatedError
error_signature count tool_name ProgressStall stall_duration actions_during_stall ToolAvoidance avoided_tool
alternative_attempts ContextDegradation symptoms TrajectoryBuilder on_event build ToolInvoked PromptExecuted
sequence_similarity normalize_error new_file_created test_passed build_succeeded user_acknowledged plan_step_completed
TrajectoryAnalysisConfig window_size doom_loop_threshold doom_loop_min_length similarity_threshold error_window
stall_threshold detectors DEFAULT_DETECTORS from_config with_event FileChurnDetector churn_threshold window churned_file
modification_count DoomLoopDetector RepeatedErrorDetector ProgressStallDetector ToolAvoidanceDetector
ContextDegradationDetector params FileChurnPattern
""".split()
SEED_001 = """
ProgressSignal calculate_progress_score output_diff_score normalize SequenceMatcher file_changes_score parse_git_diff_stat
extract_progress_markers explicit_markers checklist_progress count_checked PROGRESS_THRESHOLD STUCK_AFTER progress_threshold
stuck_after loop output_diff file_changes checklist marker_score
""".split()
SEED_003 = """
send receive generateReply initiateChat IterationComplete BaselineRequest LoopDecisionRequest ProgressReport RegressionAlert
BestIterationSelection Goal Extraction Reasoning Exception Synthesis iteration_metrics timestamp classification test_count
tests_passed tests_failed tests_skipped pass_rate coverage_percentage coverage_lines_covered coverage_lines_total lint_errors
lint_warnings type_errors build_status file_count loc_total complexity_score quality_score is_best_iteration deltas
from_previous from_baseline test_count_delta pass_rate_delta coverage_delta alerts test_deletion coverage_regression
functionality_loss best_iteration_tracker current_best best_quality_score recommendation action target_iteration reason
confidence best_output_selection selected_iteration final_iteration total_iterations quality_trajectory comparison_to_final
improvement_percentage selection_rationale degradation_analysis degradation_started pattern iterations_after_peak quality_loss
baseline forward plateau regression stalled test_count_decreased working_tests_failing error_increase file_deletion
complexity_explosion complexity_delta infinite_loop_detection stall_detection validation completeness correctness readability
efficiency threshold_for_acceptance recommend_stop recommend_continue recommend_rollback escalate uncertainty_high pre_loop
post_iteration loop_decision post_loop capture_baseline select_best_output error_count over_refinement capture_metrics
assess_progress update_best_iteration check_alerts generate_iteration_report recommend_termination generate_final_report
apply_selected_artifacts all_tests_pass build_success no_lint_errors test_count_vs_baseline error_count_inverted
lint_warnings_inverted complexity_reasonable loc_appropriate no_code_bloat classification_rules alert_triggers metric_signature
selection_criteria verification_required reason_final_not_selected artifacts_applied artifacts_path report_generated
best_artifacts_path snapshot_all_iterations loop_id trajectory immediate_alert_and_rollback alert_and_flag_iteration
alert_regression alert_and_review alert_complexity force_terminate suggest_termination termination_logic critical_regression
regression_detected infinite_loop_pattern metric_cycling max_iterations final_quality selected_quality triggered_at
""".split()
SEED_004 = """
UnifiedTaskTracker UnifiedTaskProgress TaskType EDIT CREATE CREATE_SIMPLE SEARCH ANALYZE RESEARCH DESIGN GENERAL
max_exploration_iterations force_action_after_target_read tool_budget loop_repeat_threshold model_overrides
exploration_multiplier continuation_patience max_total_iterations min_content_threshold signature_history_size
UnifiedTaskConfig task_type iteration_count total_turns low_output_iterations tool_calls milestones target_files files_read
files_modified unique_resources file_read_ranges FileReadRange signature_history loop_warning_given stage ConversationStage
Milestone set_task_type set_model_capabilities record_tool_call increment_turn should_stop StopDecision reason hint
_calculate_effective_max _check_loop tool_budget_exceeded loop_detected max_iterations goal_forcing manual_stop progress
ToolCallingCapabilities task_types global _get_completion_hint _get_goal_hint _should_force_for_goal _get_task_config
_load_task_config unified_task_config
""".split()


def table(seed):
    return PAGE.split(f"## Seed {seed}")[1].split("\n## ")[0]


@pytest.mark.parametrize(
    ("seed", "names"), [("000", SEED_000), ("001", SEED_001), ("002", SEED_002), ("003", SEED_003), ("004", SEED_004)]
)
def test_every_name_of_the_seed_is_mapped(seed, names):
    words = {word for row in ROW.finditer(table(seed)) for word in re.findall(r"\w+", row["names"])}
    assert [] == [name for name in names if name not in words]


def test_every_line_of_the_tables_is_understood():
    lines = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| seed's ")]
    assert len(lines) == len(ROWS) > 250


PLACED = [row for row in ROWS if not row["place"].startswith(("evidence:", "component:", "said:"))]


def rows_of(kind):
    """The rows of a kind of place that is no module, each with what follows the colon."""
    return [(row["place"].partition(":")[2], row["value"]) for row in ROWS if row["place"].startswith(f"{kind}:")]


def test_every_place_exists():
    assert [] == [row for row in PLACED if found_at(row["place"]) is None]


def test_every_value_is_the_default():
    written = {row["place"]: json.loads(row["value"]) for row in PLACED if row["value"] is not None}
    assert written == {place: json.loads(msgspec.json.encode(found_at(place))) for place in written}


def found_at(place):
    """What stands at a place of our own."""
    module, _, path = place.partition(":")
    found = packaged() if module == "profile" else import_module(f"headway.{module}")
    for name in path.split("."):
        found = found[name] if isinstance(found, dict) else getattr(built(found), name)
    return found


def built(thing):
    """An instance, where defaults are only told by one."""
    is_made_easily = isinstance(thing, type) and (
        issubclass(thing, Detector) or thing.__name__ in ("Sizes", "Turn", "Loop")
    )
    return thing() if is_made_easily else thing


@pytest.mark.parametrize("place", [place for place, _ in rows_of("evidence")])
def test_every_field_of_a_pattern_is_there(place):
    id, _, field = place.partition(".")
    assert hasattr(pattern(id), field)


@pytest.mark.parametrize(("id", "sentence"), rows_of("said"))
def test_every_sentence_is_said_as_the_page_tells(id, sentence):
    words = re.sub(r"\\{\w+\\}", ".+", re.escape(json.loads(sentence)))
    assert re.fullmatch(words, pattern(id).evidence[0])


def test_the_components_of_the_quality_score_are_the_seeds():
    all_ones = dict.fromkeys(Measurements.__struct_fields__, 1)
    del all_ones["failing_tests"]
    everything = Measurements(**{**all_ones, "build_status": "success"})
    assert set(quality_score(everything, None).components) == {name for name, _ in rows_of("component")}


def pattern(id):
    monitor = Monitor()
    for happening in spelled(PROVOCATIONS[id](built_in()[id]())):
        for event in happening:
            monitor.feed(event)
    return monitor.session.patterns()[id]
