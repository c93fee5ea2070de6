"""docs/seeds.md is true: every place it names exists, every value is the default, every name of a seed is there."""

import json
import re
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from headway import Detector, Monitor
from headway.detectors import built_in
from tests.provocations import PROVOCATIONS
from tests.streams import spelled

PAGE = (Path(__file__).parent.parent.parent / "docs" / "seeds.md").read_text()
ROW = re.compile(r"^\| (?P<names>[^|]+) \| `(?P<place>[^`]+)` \|(?: `(?P<value>[^`]+)`)? *\|$", re.MULTILINE)
ROWS = [match.groupdict() for match in ROW.finditer(PAGE)]

# The identifiers that stand in the two seeds.
SEED_000 = """
ProgressMonitor detectIssues recordToolCalls clearOnNewTurn getMetrics DetectionIssue issueType severity message toolCallId
metadata count filePath hitRate dirCount exact_cycle repeated_file similar_calls low_hit_rate scope_creep empty_streak high
medium low ProgressMetrics fileAccessCount searchMetrics totalSearches emptyResults consecutiveEmpty uniqueTopLevelDirs
recentCalls injectSystemReminder
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
ContextDegradationDetector params
""".split()


def table(seed):
    return PAGE.split(f"## Seed {seed}")[1].split("\n## ")[0]


@pytest.mark.parametrize(("seed", "names"), [("000", SEED_000), ("002", SEED_002)])
def test_every_name_of_the_seed_is_mapped(seed, names):
    words = {word for row in ROW.finditer(table(seed)) for word in re.findall(r"\w+", row["names"])}
    assert [] == [name for name in names if name not in words]


def test_every_line_of_the_tables_is_understood():
    lines = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| seed's name")]
    assert len(lines) == len(ROWS) > 90


@pytest.mark.parametrize(
    "row", [row for row in ROWS if ":" in row["place"] and "evidence:" not in row["place"]], ids=str
)
def test_every_place_exists_and_every_value_is_the_default(row):
    module, _, path = row["place"].partition(":")
    found = import_module(f"headway.{module}")
    for name in path.split("."):
        found = getattr(built(found), name)
    if row["value"] is None:
        assert found is not None
    else:
        assert json.loads(row["value"]) == json.loads(msgspec.json.encode(found))


def built(thing):
    """An instance, where defaults are only told by one."""
    is_made_easily = isinstance(thing, type) and (issubclass(thing, Detector) or thing.__name__ in ("Sizes", "Turn"))
    return thing() if is_made_easily else thing


@pytest.mark.parametrize("row", [row for row in ROWS if "evidence:" in row["place"]], ids=str)
def test_every_field_of_a_pattern_is_there(row):
    id, _, field = row["place"].removeprefix("evidence:").partition(".")
    assert hasattr(pattern(id), field)


def pattern(id):
    monitor = Monitor()
    for happening in spelled(PROVOCATIONS[id](built_in()[id]())):
        for event in happening:
            monitor.feed(event)
    return monitor.session.patterns()[id]
