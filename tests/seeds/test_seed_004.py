"""Seed 004: the effective maximum, read ranges, the loop threshold, each reason with its hint, and its progress."""

from itertools import product

import pytest

from headway import Monitor
from headway.core.stop import effective_maximum
from headway.seeds.stop_decision import equal_calls, loop_warning
from tests.streams import agent, call, edit, read, search, shell, spelled, suite, user


def play(monitor, *words, start=0):
    decisions = []
    for happening in (word(place) for place, word in enumerate(words, start + 1)):
        decisions += [monitor.feed(event).decision for event in happening]
    return decisions


@pytest.mark.parametrize(
    ("base", "multiplier", "productive", "total", "expected"),
    [
        (8, 1.0, 8, 8, 8),
        (8, 1.0, 6, 8, 10),
        (8, 1.0, 8, 16, 16),
        (8, 1.0, 8, 40, 16),
        (8, 1.5, 8, 8, 12),
        (20, 1.5, 10, 12, 36),
        (8, 1.0, 0, 0, 8),
        (8, 1.0, 0, 5, 8),
    ],
)
def test_the_effective_maximum(base, multiplier, productive, total, expected):
    assert expected == effective_maximum(base, multiplier, productive, total)


def test_the_effective_maximum_is_the_seeds_to_the_last_bit():
    """The seed divides twice and cuts off, which now and then makes one less than the exact quotient would."""

    def seeds(base, multiplier, iteration_count, total_turns):
        productivity = iteration_count / total_turns
        productivity_mult = min(2.0, max(1.0, 1.0 / productivity))
        return int(int(base * multiplier) * productivity_mult)

    for given in product((3, 8, 10, 20), (1.0, 1.5), range(1, 40), range(1, 80)):
        assert seeds(*given) == effective_maximum(*given)
    assert 10 == effective_maximum(6, 1.5, 9, 11)


def test_read_ranges_that_follow_each_other_are_no_loop_and_overlapping_ones_are():
    monitor = Monitor(task="edit")
    play(monitor, read("a.py", offset=1, limit=100), read("a.py", offset=101, limit=100))
    assert 1 == equal_calls(monitor.session, monitor.session.calls[-1])
    play(monitor, read("a.py", offset=51, limit=100), start=2)
    assert 3 == equal_calls(monitor.session, monitor.session.calls[-1])


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (read("a.py", offset=1, limit=10), read("a.py", offset=10, limit=5), True),
        (read("a.py", offset=10, limit=5), read("a.py", offset=1, limit=10), True),
        (read("a.py", offset=1, limit=10), read("a.py", offset=11, limit=5), False),
        (read("a.py", offset=11, limit=5), read("a.py", offset=1, limit=10), False),
        (read("a.py"), read("a.py", offset=11, limit=5), True),
        (read("a.py", offset=11, limit=5), read("a.py"), True),
        (read("a.py"), read("b.py"), False),
        (read("a.py"), shell("cat a.py"), False),
        (edit("a.py", new="y"), edit("a.py", new="z"), False),
        (call("Read", {"x": 1}), call("Read", {"x": 2}), False),
        (search("x"), search("x"), True),
    ],
)
def test_which_calls_are_the_same(one, other, same):
    """Reads of one file by one tool when a line is in both; all others by their arguments."""
    monitor = Monitor(task="edit")
    play(monitor, one, other)
    assert 1 + same == equal_calls(monitor.session, monitor.session.calls[-1])


def test_threshold_four_warns_at_three_blocks_the_same_signature_and_allows_another_path():
    monitor = Monitor(task="edit")
    warnings = []
    for n in range(3):
        monitor.called("Read", {"file_path": "a.py"}, call=f"r{n}")
        warnings.append(loop_warning(monitor.session) is not None)
        monitor.returned(f"r{n}", "content")
    assert [False, False, True] == warnings
    assert monitor.session.task_progress().loop_warning_given

    assert "continue" == monitor.called("Read", {"file_path": "b.py"}, call="other").action
    assert "block" == monitor.called("Read", {"file_path": "a.py"}, call="again").action
    decision = monitor.session.stop_decision()
    assert (True, "loop_detected") == (decision.should_stop, decision.reason)
    assert "4 times" in decision.hint
    assert monitor.session.task_progress().loop_warning_given


def test_the_threshold_is_the_tasks_and_a_trusted_model_is_not_warned():
    settings = {"model_overrides": {"trusted*": {"loop_detection": False}}}
    for model, expected in (("other", [4, 5]), ("trusted-1", [])):
        monitor, warned = Monitor(task="analyze", model=model, settings=settings), []
        for n in range(5):
            play(monitor, shell("make", "x"), start=n)
            warned += [n + 1] if monitor.session.task_progress().loop_warning_given else []
        assert expected == warned
        assert ("loop_detected" if expected else None) == monitor.session.stop_decision().reason


def reads(count):
    return [read(f"{n}.py") for n in range(count)]


@pytest.mark.parametrize(
    ("reason", "hint", "words"),
    [
        ("tool_budget_exceeded", "(15/15)", [shell(f"make {n}", str(n)) for n in range(15)]),
        ("loop_detected", "4 times", [shell("make", "x")] * 4),
        ("max_iterations", "9 reads, searches and listings without an edit in between", reads(9)),
        ("goal_forcing", "nothing has been changed yet", [user("fix goal.py"), read("goal.py"), *reads(3)]),
    ],
)
def test_each_reason_with_its_hint(reason, hint, words):
    monitor = Monitor(task="edit")
    play(monitor, *words[:-1])
    assert not monitor.session.stop_decision().should_stop
    play(monitor, words[-1], start=len(words))
    decision = monitor.session.stop_decision()
    assert (True, reason) == (decision.should_stop, decision.reason)
    assert hint in decision.hint


def test_the_hint_claims_nothing_about_what_a_script_may_have_changed():
    monitor = Monitor(task="edit")
    play(monitor, user("fix goal.py"), read("goal.py"), shell("python codemod.py", "rewrote goal.py"), *reads(3))
    decision = monitor.session.stop_decision()
    assert (True, "goal_forcing") == (decision.should_stop, decision.reason)
    assert "The target was read 3 explorations ago." == decision.hint


def test_all_reasons_in_the_seeds_order():
    """Each time the first one is taken away, the next one answers."""
    words = [user("fix goal.py"), read("goal.py"), *reads(9), *[read("a.py")] * 4]
    limits = {"tool_budget": 14, "max_exploration_iterations": 8, "loop_repeat_threshold": 4}
    reasons = []
    for lifted in ({}, {}, {"tool_budget": 99}, {"loop_repeat_threshold": 9}, {"max_exploration_iterations": 99}):
        limits |= lifted
        monitor = Monitor(task="edit", settings={"task_types": {"edit": limits}})
        play(monitor, *words)
        if not reasons:
            monitor.stop("that is enough")
        decision = monitor.session.stop_decision()
        assert decision.should_stop and decision.hint
        reasons.append(decision.reason)
    assert ["manual_stop", "tool_budget_exceeded", "loop_detected", "max_iterations", "goal_forcing"] == reasons


def test_the_hint_of_the_budget_is_the_seeds_to_the_letter():
    monitor = Monitor(task="edit")
    play(monitor, *(shell(f"make {n}", str(n)) for n in range(15)))
    assert "Tool budget exceeded (15/15)" == monitor.session.stop_decision().hint
    monitor.stop("that is enough")
    assert "that is enough" in monitor.session.stop_decision().hint


def test_an_unnamed_run_is_never_stopped_by_a_count_alone():
    monitor = Monitor()
    actions = {str(d.action) for d in play(monitor, *(read(f"{n}.py", output=f"file {n}") for n in range(400)))}
    assert {"continue"} == actions
    assert not monitor.session.stop_decision().should_stop


def test_the_policy_says_the_hint_first_and_stops_past_the_limit_by_half():
    """Design, 18: max_iterations and goal_forcing go through the ladder."""
    monitor = Monitor(task="analyze", settings={"task_types": {"analyze": {"tool_budget": 500}}})
    done = [(n, str(d.action), d.reason) for n, d in enumerate(play(monitor, *reads(40))) if d.action != "continue"]
    steps = [(place // 2 + 1, action, reason) for place, action, reason in done]
    assert [(21, "nudge", "max_iterations"), (31, "stop", "max_iterations")] == steps[:2]


def test_the_tool_budget_is_hard_where_it_is_enforced():
    monitor = Monitor(task="edit", limits="enforce")
    decisions = play(monitor, *(shell(f"make {n}", str(n)) for n in range(15)))
    assert ("stop", "tool_budget_exceeded") == (decisions[-1].action, decisions[-1].reason)
    assert {"continue"} == {str(d.action) for d in decisions[:-1]}


def test_progress_under_the_seeds_names():
    monitor = Monitor(task="edit")
    progress = monitor.session.task_progress()
    assert ("initial", frozenset(), 15) == (progress.stage, progress.milestones, progress.tool_budget)

    play(monitor, user("Fix src/goal.py please."), search(hits=2), read("src/goal.py", offset=1, limit=50))
    progress = monitor.session.task_progress()
    assert "reading" == progress.stage
    assert {"target_identified", "target_read", "search_complete"} == progress.milestones
    assert {"src/goal.py"} == progress.target_files == progress.files_read
    assert {"src/goal.py": [(1, 50)]} == progress.file_read_ranges
    assert 2 == progress.tool_calls == progress.iteration_count == len(progress.signature_history)

    play(monitor, edit("src/goal.py"), start=10)
    progress = monitor.session.task_progress()
    assert ("executing", {"src/goal.py"}) == (progress.stage, progress.files_modified)
    assert "change_made" in progress.milestones and "change_verified" not in progress.milestones

    play(monitor, suite(failed=0), agent("ok"), agent("done"), start=20)
    progress = monitor.session.task_progress()
    assert ("verifying", True) == (progress.stage, "change_verified" in progress.milestones)
    assert (4, 5, 1) == (progress.tool_calls, progress.total_turns, progress.low_output_iterations)
    assert {"src/goal.py"} == progress.unique_resources


def test_idle_turns_raise_the_maximum_to_twice_at_most():
    monitor = Monitor(task="edit", settings={"task_types": {"edit": {"tool_budget": 500}}})
    words = [word for n in range(20) for word in (agent("hm"), agent("well"), agent("so"), read(f"{n}.py"))]
    stops = []
    for place, happening in enumerate(spelled(words)):
        for event in happening:
            monitor.feed(event)
        stops += [place // 4 + 1] if monitor.session.stop_decision().reason == "max_iterations" else []
    assert 17 == stops[0]
