from typing import Any

import pytest

from headway import Monitor, SettingsError
from headway.config.profiles import guess_task, limits_for, packaged, task_types
from headway.config.settings import Settings
from headway.rolling import lazy

NONE = Settings()


def test_the_packaged_profiles_are_settings_that_a_user_could_make():
    assert packaged() == Settings.of(lazy.packaged("config/profiles.json", dict[str, Any]))


def test_the_eight_task_types_of_the_seed_are_there():
    expected = ["analyze", "create", "create_simple", "design", "edit", "general", "research", "search"]
    assert expected == task_types(NONE)
    for task in packaged().task_types.values():
        assert None not in (task.max_exploration_iterations, task.tool_budget, task.loop_repeat_threshold)


def test_the_seeds_own_numbers():
    edit, analyze = limits_for("edit", None, NONE), limits_for("analyze", None, NONE)
    assert (8, 15, 4, True) == (
        edit.max_exploration_iterations, edit.tool_budget, edit.loop_repeat_threshold, edit.force_action_after_target_read,
    )  # fmt: skip
    assert (20, 30, 5) == (analyze.max_exploration_iterations, analyze.tool_budget, analyze.loop_repeat_threshold)
    assert (50, 150, 10) == (edit.max_total_iterations, edit.min_content_threshold, edit.signature_history_size)


@pytest.mark.parametrize(
    ("model", "multiplier", "patience"),
    [
        ("deepseek-chat", 1.5, 5),
        ("deepseek/DeepSeek-V3", 1.5, 5),
        ("claude-sonnet-4-5", 1.0, 3),
        ("Qwen2.5-Coder", 1.5, 5),
        ("unheard-of", 1.0, 3),
        (None, 1.0, 3),
    ],
)
def test_models_are_found_by_pattern(model, multiplier, patience):
    limits = limits_for("edit", model, NONE)
    assert (multiplier, patience) == (limits.exploration_multiplier, limits.continuation_patience)


def test_an_unnamed_run_has_no_limits():
    limits = limits_for(None, "claude-x", NONE)
    assert {None} == {
        limits.max_exploration_iterations,
        limits.tool_budget,
        limits.max_total_iterations,
        limits.max_tokens,
    }


def test_the_user_overrides_single_numbers():
    settings = Settings.of({"task_types": {"edit": {"tool_budget": 99}}, "global": {"max_total_iterations": 7}})
    limits = limits_for("edit", None, settings)
    assert (99, 8, 7) == (limits.tool_budget, limits.max_exploration_iterations, limits.max_total_iterations)
    assert 7 == limits_for(None, None, settings).max_total_iterations


def test_a_task_type_of_ones_own():
    settings = Settings.of({"task_types": {"triage": {"tool_budget": 3}}})
    assert 3 == Monitor(task="triage", settings=settings).session.limits.tool_budget


def test_an_unknown_task_type_is_refused():
    with pytest.raises(SettingsError, match="did you mean 'edit'"):
        Monitor(task="edti")


def test_settings_differ_per_conversation():
    """Seed 004's second open question."""
    one = Monitor(task="edit", settings={"task_types": {"edit": {"tool_budget": 2}}})
    assert (2, 15) == (one.session.limits.tool_budget, Monitor(task="edit").session.limits.tool_budget)


def test_loop_detection_can_be_off_for_trusted_models():
    """Seed 004's first open question."""
    settings = {"model_overrides": {"trusted*": {"loop_detection": False}}}
    trusted = Monitor(model="trusted-1", settings=settings)
    assert not {"exact_cycle", "doom_loop"} & {detector.id for detector in trusted.detectors}
    assert "exact_cycle" in {detector.id for detector in Monitor(model="other", settings=settings).detectors}
    for n in range(6):
        trusted.called("Read", {"file_path": "a"}, call=str(n))
        trusted.returned(str(n), "x")
    assert trusted.session.stop_decision().reason != "loop_detected"


def test_a_model_that_is_told_later_counts_too():
    from headway.core import events

    settings = {"model_overrides": {"trusted*": {"detectors": {"exact_cycle": {"limit": 9}}}}}
    monitor = Monitor(settings=settings)
    monitor.feed(events.RunStarted(model="trusted-1", task="edit"))
    assert 9 == next(d.limit for d in monitor.detectors if d.id == "exact_cycle")
    assert 15 == monitor.session.limits.tool_budget


@pytest.mark.parametrize(
    ("request_", "task"),
    [
        ("Fix the failing test in tests/test_auth.py", "edit"),
        ("Where is the session cookie set?", "search"),
        ("Create a new endpoint for invoices", "create"),
        ("Write a small script that prints hello world", "create"),
        ("Analyze how many functions have no docstring", "analyze"),
        ("Research the best library for PDF parsing on the web", "research"),
        ("Design an architecture for the billing module", "design"),
        ("Hello", "general"),
    ],
)
def test_a_request_tells_its_kind(request_, task):
    assert task == guess_task(request_).task


def test_the_guess_is_the_less_sure_the_more_it_could_be():
    sure, unsure = guess_task("Fix it."), guess_task("Find the bug, explain it, fix it and write a new module.")
    assert 0 < unsure.confidence < sure.confidence < 1


def test_a_guess_brings_no_limits_unless_the_user_wants_it():
    careful, trusting = Monitor(), Monitor(settings={"global": {"trust_guessed_task": True}})
    for monitor in (careful, trusting):
        monitor.user_spoke("Please fix src/a.py")
    assert "edit" == careful.session.guessed_task
    assert (None, 15) == (careful.session.limits.tool_budget, trusting.session.limits.tool_budget)
