"""Limits: those that the user sets hold, before a call too; those of a task type are advice."""

import pytest

from headway import Monitor, SettingsError
from headway.config.find import find_settings
from headway.reports.settings import setting_lines
from tests.streams import edit, read, shell, spelled, suite

EIGHT = {"task_types": {"edit": {"tool_budget": 8}}}


def asked(monitor, count, batch=None):
    """So many calls, asked for before any result is there."""
    return [monitor.called("Read", {"file_path": f"{n}.py"}, call=f"c{n}", batch=batch) for n in range(count)]


def decided(monitor, words):
    """What is said at each step, but for continue."""
    said = []
    for place, happening in enumerate(spelled(words), 1):
        for event in happening:
            decision = monitor.feed(event).decision
            said += [(place, str(decision.action), decision.reason)] if decision.action != "continue" else []
    return said


def varied(steps):
    """Read, edit, test: another file each time, one more test that passes."""
    makers = (lambda n: read(f"m{n}.py"), lambda n: edit(f"m{n}.py"), lambda n: suite(2, passed=5 + n))
    return [makers[n % 3](n // 3) for n in range(steps)]


def test_a_hard_budget_is_kept_before_a_call_also_within_a_batch():
    monitor = Monitor(task="edit", settings=EIGHT)
    decisions = asked(monitor, 12, batch="one")

    assert ["continue"] * 8 + ["stop"] * 4 == [str(one.action) for one in decisions]
    assert "tool_budget_exceeded" == decisions[8].reason == monitor.session.stop_decision().reason
    assert decisions[8].message.startswith("The tool budget of 8 calls is exceeded: 9 calls requested.")


def test_after_the_stop_every_further_call_is_stopped():
    monitor = Monitor(task="edit", settings=EIGHT)
    said = decided(monitor, [read(f"{n}.py") for n in range(10)])

    assert (8, "stop", "tool_budget_exceeded") == said[0]
    assert "stop" == monitor.called("Read", {"file_path": "x.py"}, call="x").action
    monitor.user_spoke("go on")
    assert "stop" == monitor.called("Read", {"file_path": "y.py"}, call="y").action


def test_a_budget_that_is_used_up_is_not_called_exceeded():
    monitor = Monitor(task="edit", settings=EIGHT)
    asked(monitor, 7)
    monitor.called("Read", {"file_path": "last.py"}, call="last")
    decision = monitor.returned("last", "content")

    assert "stop" == decision.action
    assert decision.message.startswith("The tool budget is used up: 8 of 8 calls made.")


@pytest.mark.parametrize(
    ("limit", "spend"),
    [
        ({"max_tokens": 100}, lambda monitor: monitor.used(tokens_in=60, tokens_out=60)),
        ({"max_cost_usd": 1.0}, lambda monitor: monitor.used(cost_usd=1.2)),
        ({"max_seconds": 60}, lambda monitor: monitor.agent_spoke("so far", at=1061.0)),
    ],
)
def test_every_limit_of_the_user_is_kept_before_the_next_call(limit, spend):
    monitor = Monitor(settings={"global": limit})
    assert not Monitor().may_refuse and monitor.may_refuse
    assert "continue" == monitor.called("Read", {"file_path": "a.py"}, call="a", at=1000.0).action
    assert "stop" == spend(monitor).action
    decision = monitor.called("Read", {"file_path": "b.py"}, call="b")
    assert "stop" == decision.action and ", limit " in decision.message


def test_the_budget_of_a_task_type_is_told_once_and_never_stops_varied_work():
    assert [(15, "nudge", "tool_budget_exceeded")] == decided(Monitor(task="edit"), varied(45))
    assert {"nudge"} == {action for _, action, _ in decided(Monitor(task="edit"), varied(120))}


@pytest.mark.parametrize("way", [{"limits": "enforce"}, {"settings": {"global": {"limits": "enforce"}}}])
def test_it_stops_where_the_user_wants_that(way):
    assert (15, "stop", "tool_budget_exceeded") == decided(Monitor(task="edit", **way), varied(20))[0]


def test_enforced_limits_stay_enforced_when_a_session_is_loaded():
    monitor = Monitor.load(Monitor(task="edit", limits="enforce").save())
    assert (15, "stop", "tool_budget_exceeded") == decided(monitor, varied(20))[0]


def test_an_unknown_way_to_treat_limits_is_refused():
    with pytest.raises(SettingsError, match='limits must be "advise" or "enforce", not \'hard\''):
        Monitor(limits="hard")


def test_a_budget_of_ones_own_may_be_advice_too():
    advised = {"task_types": {"edit": {"tool_budget": 4, "tool_budget_hard": False}}}
    assert [(4, "nudge", "tool_budget_exceeded")] == decided(Monitor(task="edit", settings=advised), varied(9))


TWENTY = {"global": {"max_total_iterations": 20}}


@pytest.mark.parametrize("task", [None, "edit", "general"])
def test_a_step_limit_for_all_tasks_ends_the_run_at_its_number(task, tmp_path):
    (tmp_path / "headway.toml").write_text("[global]\nmax_total_iterations = 12\n")
    found = find_settings(folder=tmp_path, environment={})
    shown = {line.key: line for line in setting_lines(found)}

    assert 12 == shown["global.max_total_iterations"].value
    assert str(tmp_path / "headway.toml") == shown["global.max_total_iterations"].origin
    said = decided(Monitor(task=task, settings=found.settings), varied(30))
    assert [(12, "stop", "max_iterations"), (13, "stop", "max_iterations")] == [
        one for one in said if one[2] == "max_iterations"
    ][:2]


@pytest.mark.parametrize("limit", [10, 20, 50])
def test_a_step_limit_is_kept_before_a_call_too(limit):
    monitor = Monitor(settings={"global": {"max_total_iterations": limit}})
    for number in range(limit):
        assert "continue" == monitor.called("Edit", changing(number), call=f"c{number}").action
        decision = monitor.returned(f"c{number}", f"edited {number}")
        assert ("stop" if number == limit - 1 else "continue") == decision.action
    assert f"The step limit is reached: {limit} steps made, limit {limit}." in decision.message

    after = monitor.called("Edit", changing(limit), call="one more")
    assert ("stop", "max_iterations") == (after.action, after.reason)
    assert f"The step limit of {limit} is exceeded: {limit + 1} calls requested." in after.message
    monitor.user_spoke("go on")
    assert "stop" == monitor.called("Edit", changing(limit + 1), call="and another").action


def changing(number):
    return {"file_path": f"f{number}.py", "old_string": "a", "new_string": str(number)}


def test_a_call_of_a_batch_takes_its_place_when_it_is_asked_for():
    monitor = Monitor(settings={"global": {"max_total_iterations": 5}})
    assert ["continue"] * 5 + ["stop"] * 7 == [str(one.action) for one in asked(monitor, 12, batch="one")]
    assert ["continue"] * 4 + ["stop"] == [str(monitor.returned(f"c{n}", f"file {n}").action) for n in range(5)]


@pytest.mark.parametrize("way", [{"limits": "enforce"}, {"settings": {"global": {"limits": "enforce"}}}])
def test_the_step_limit_of_a_task_type_holds_where_the_user_wants_that(way):
    monitor = Monitor(task="edit", **way)
    monitor = Monitor.load(monitor.save())
    steps = [edit(f"m{n}.py") for n in range(60)]
    settings = {"task_types": {"edit": {"tool_budget": 99}}}
    apart = decided(Monitor(task="edit", settings={**settings, "global": {"limits": "enforce"}}), steps)
    assert (15, "stop", "tool_budget_exceeded") == decided(monitor, steps)[0]
    assert (50, "stop", "max_iterations") == next(one for one in apart if one[1] == "stop")


def test_the_step_limit_of_a_task_type_is_only_said_otherwise():
    said = decided(Monitor(task="edit", settings={"task_types": {"edit": {"tool_budget": 99}}}), varied(90))
    assert [(50, "nudge", "max_iterations")] == said


def test_exploration_is_limited_exactly_by_a_number_of_a_person_and_loosely_by_one_of_ours():
    reads = [read(f"m{n}.py") for n in range(14)]
    ours = decided(Monitor(task="edit"), reads)
    assert [(9, "nudge", "max_iterations"), (13, "stop", "max_iterations")] == ours[:2]
    for way in ({"limits": "enforce"}, {"settings": {"task_types": {"edit": {"max_exploration_iterations": 8}}}}):
        assert (9, "stop", "max_iterations") == decided(Monitor(task="edit", **way), reads)[0]


def test_a_call_is_looked_at_before_it_runs_wherever_its_number_is_limited():
    assert Monitor(settings=TWENTY).may_refuse and not Monitor(task="general").may_refuse
    assert Monitor(task="general", limits="enforce").may_refuse


def test_the_list_of_settings_says_which_limits_need_a_task(tmp_path):
    shown = {line.key: line for line in setting_lines(find_settings(folder=tmp_path, environment={}))}

    assert (50, "default; advice only, with a task type") == (
        shown["global.max_total_iterations"].value,
        shown["global.max_total_iterations"].origin,
    )
    assert (None, "advise", False) == tuple(
        shown[f"global.{name}"].value for name in ("max_tokens", "limits", "trust_guessed_task")
    )
    assert [] == decided(Monitor(), [shell(f"make part{n}", f"built {n}") for n in range(80)])
