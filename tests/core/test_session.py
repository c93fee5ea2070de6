from datetime import timedelta

import pytest

from headway import Monitor
from headway.core import events
from headway.core.files import is_closer, overlap
from headway.core.limits import Sizes
from headway.tools.meaning import END
from headway.tools.paths import project_path, top_level
from tests.streams import (
    advice,
    agent,
    call,
    compaction,
    edit,
    engine_of,
    failure,
    read,
    search,
    shell,
    spelled,
    user,
    write,
)  # fmt: skip


def played(*words, **monitor):
    watcher = Monitor(**monitor)
    for happening in spelled(words):
        for event in happening:
            watcher.feed(event)
    return watcher.session


def test_a_turn_is_what_the_agent_does_between_two_results():
    session = played(agent("I look"), read("a"), read("b"), agent("done"))
    # speaking and the first read are one turn; each later call answers a result
    assert session.turn_count == 3


def test_a_batch_is_one_turn_even_when_results_come_in_between():
    assert played(read("a", batch="m1"), read("b", batch="m1")).turn_count == 1


def test_totals_count_the_whole_run_and_lists_only_the_window():
    words = [shell(f"run {n}", str(n), failed=n % 2 == 0) for n in range(120)]
    session = played(*words)

    assert (session.tool_call_count, session.error_count, session.step_count) == (120, 60, 120)
    assert (len(session.calls), len(session.steps), len(session.errors)) == (50, 50, 50)
    assert session.tool_frequency() == {"Bash": 120}


def test_duration_needs_times_and_does_not_mind_their_order():
    assert played(read()).duration == timedelta(0)
    assert played(read(at=10), read(at=4), read(at=7)).duration == timedelta(seconds=6)


def test_queries_give_the_latest_oldest_first():
    session = played(*(shell(f"run {n}", f"Error: {n}x", failed=True) for n in range(4)))

    assert ["run 2", "run 3"] == [c.params["command"] for c in session.recent_tool_calls(2)]
    assert ["Error: 2x", "Error: 3x"] == [e.message for e in session.recent_errors(2)]
    assert [] == session.recent_tool_calls(0) == session.recent_errors(0)


def test_errors_are_counted_by_what_identifies_them():
    session = played(*(failure(f"Error: /tmp/x{n}/f.py:{n} broke") for n in range(3)))
    assert [3] == list(session.error_frequency().values())


def test_consecutive_errors_end_with_a_success():
    assert played(failure(), failure(), read(), failure()).consecutive_errors == 1


def test_a_result_without_a_call_is_a_step_of_an_unknown_tool():
    monitor = Monitor()
    monitor.returned("never-called", "Error: x", failed=True)

    assert monitor.session.step_count == 1
    assert monitor.session.pairing.results_without_call == 1
    assert monitor.session.error_count == 1


def test_a_result_that_comes_twice_counts_once():
    monitor = Monitor()
    monitor.called("Read", {}, call="c")
    for _ in range(3):
        monitor.returned("c", "x")
    assert (monitor.session.step_count, monitor.session.pairing.results_repeated) == (1, 2)


def test_a_call_that_is_announced_twice_counts_once():
    monitor = Monitor()
    for _ in range(2):
        monitor.called("Read", {"file_path": "a"}, call="c")
    monitor.returned("c", "x")
    assert (monitor.session.tool_call_count, monitor.session.step_count) == (1, 1)


def test_a_call_that_is_announced_again_after_the_shell_moved_is_the_same():
    monitor = Monitor()
    monitor.called("Bash", {"command": "make"}, call="slow")
    monitor.called("Bash", {"command": "cd /x"}, call="quick")
    monitor.returned("quick")
    monitor.called("Bash", {"command": "make"}, call="slow")
    monitor.returned("slow", "done")
    assert (2, {}) == (monitor.session.tool_call_count, monitor.session.pairing.waiting)
    assert [None, "/x"] == [monitor.session.steps[1].call.folder, monitor.session.shell.folder]


def test_an_id_that_is_used_again_names_a_new_call():
    monitor = Monitor()
    for path in ("a", "b"):
        monitor.called("Read", {"file_path": path}, call="same")
        monitor.returned("same", path)
    assert monitor.session.step_count == 2


def test_a_call_without_a_result_is_not_forgotten_when_its_id_is_used_again():
    monitor = Monitor()
    for _ in range(6):
        monitor.called("Edit", {"file_path": "a", "old_string": "x", "new_string": "y"}, call="same")
        monitor.called("Bash", {"command": "ls"}, call="same")
        monitor.returned("same", "a")
    assert [] == [one.finding.message for one in monitor.session.ledger.entries.values()]
    assert (monitor.session.step_count, len(monitor.session.pairing.waiting)) == (6, 6)


def test_calls_whose_results_never_come_are_let_go():
    monitor = Monitor(settings={"session": {"waiting_calls": 5}})
    for n in range(20):
        monitor.called("Read", {"file_path": str(n)}, call=str(n))
    assert len(monitor.session.pairing.waiting) == 5
    assert monitor.session.pairing.calls_without_result == 15
    assert monitor.session.tool_call_count == 20


def test_metrics_are_those_of_the_turn():
    words = [edit("docs/b.md"), read("src/a.py"), read("src/a.py"), search(hits=0), search(hits=0)]
    metrics = played(*words).metrics()

    assert metrics["file_access_count"] == {"src/a.py": 2, "docs/b.md": 1}
    assert metrics["search_metrics"] == {"total_searches": 2, "empty_results": 2, "consecutive_empty": 2}
    assert metrics["unique_top_level_dirs"] == {"src", "docs"}
    assert len(metrics["recent_calls"]) == 5
    assert played(*words, user()).metrics()["search_metrics"]["total_searches"] == 0


def test_patterns_carry_the_seeds_fields():
    session = played(*[failure("Error: nope", at=float(n)) for n in range(3)])
    pattern = session.patterns()["repeated_error"]

    assert session.has_pattern("repeated_error") and not session.has_pattern("doom_loop")
    assert (pattern.pattern_type, pattern.count, pattern.tool_name) == ("repeated_error", 3, "Bash")
    assert pattern.error_signature == "Error: nope"
    assert pattern.occurrences == 1
    assert pattern.first_seen.year == 1970
    assert "3 times" in pattern.evidence[0]
    with pytest.raises(AttributeError, match="it has: error_signature"):
        pattern.cycle_length  # noqa: B018


def test_patterns_go_when_they_are_no_longer_seen():
    session = played(*[failure()] * 3, *(read(f"{n}.py") for n in range(12)))
    assert not session.has_pattern("repeated_error")


def test_the_user_ends_what_is_going_on():
    assert played(*[failure()] * 3, user()).patterns() == {}


def test_spending_adds_up():
    monitor = Monitor()
    for _ in range(2):
        monitor.used(tokens_in=100, tokens_out=10, cost_usd=0.5)
    session = monitor.session
    assert (session.spending.tokens_in, session.spending.tokens_out, session.spending.cost_usd) == (200, 20, 1.0)


def test_rounds_are_numbered_from_the_baseline():
    monitor = Monitor()
    for output in ("first", "second"):
        monitor.iteration_ended(output)
    assert [(0, "first"), (1, "second")] == [(i.number, i.output) for i in monitor.session.iterations]


def test_a_start_event_tells_what_the_run_is():
    monitor = Monitor(model="known")
    monitor.feed(events.RunStarted(task="edit", root="/work/", targets=("a.py",)))
    session = monitor.session
    assert (session.task, session.model, session.root, session.targets) == ("edit", "known", "/work", ("a.py",))


def test_files_remember_what_was_read():
    session = played(read("a.py", offset=1, limit=100), read("a.py", offset=50, limit=100), advice("x"))
    record = session.files.get("a.py")
    assert (record.reads, record.rereads, [lines for lines, _ in record.shown]) == (2, 1, [(1, 100), (50, 149)])


def test_a_change_makes_a_file_unread():
    assert played(read("a.py"), edit("a.py")).files.get("a.py").reads == 0


def test_a_compaction_makes_all_files_unread_but_known():
    record = played(read("a.py"), compaction()).files.get("a.py")
    assert (record.reads, len(record.shown_before_compaction)) == (0, 1)


def test_a_tool_that_keeps_its_own_place_is_judged_by_its_output():
    """scroll_down has no arguments: another page is another output."""
    pages = [call("scroll_down", {"path": "a.py"}, page) for page in ("one", "two", "one")]
    record = played(*pages, settings={"tools": {"scroll_down": {"kind": "read", "path": "path"}}}).files.get("a.py")
    assert (record.reads, record.rereads, record.last_reread) == (3, 1, 3)


@pytest.mark.parametrize(
    ("lines", "seen", "share"),
    [((1, 100), (1, 100), 1.0), ((1, 100), (51, 200), 0.5), ((1, 10), (11, 20), 0.0), ((1, 50), (1, END), 1.0)],
)
def test_overlap_is_a_share_of_the_lines_asked_for(lines, seen, share):
    assert share == overlap(lines, seen)


@pytest.mark.parametrize(("lines", "closer"), [((1, 49), True), ((1, 50), False), ((1, 100), False)])
def test_a_closer_look_shows_less_than_half(lines, closer):
    assert closer is is_closer(lines, (1, 100))


@pytest.mark.parametrize(
    ("path", "root", "expected"),
    [
        ("./a//b/../c.py", None, "a/c.py"),
        ("/work/src/a.py", "/work", "src/a.py"),
        ("/workshop/a.py", "/work", "/workshop/a.py"),
        ("/work", "/work", "."),
        ("src\\win\\a.py", None, "src/win/a.py"),
        ("", None, ""),
    ],
)
def test_a_file_has_one_spelling(path, root, expected):
    assert expected == project_path(root, path)


@pytest.mark.parametrize(
    ("folders", "expected"),
    [
        (["src", "src/x", "docs"], ["docs", "src"]),
        (["/w/p/src/a", "/w/p/docs"], ["docs", "src"]),
        (["/w/p/src"], []),
        (["", ".", "src"], ["src"]),
        (["/w/src/a", "lib/x"], ["lib"]),
        (["/w/p", "/w/p-old/x", "/w/p/y"], ["p", "p-old"]),
        (["/w/p/y", "/w/p", "/w/p/z/y"], ["y", "z"]),
        (["/", "/w/p"], ["w"]),
    ],
)
def test_top_level_folders(folders, expected):
    assert expected == top_level(folders)


def test_denied_calls_still_count_as_tried():
    session = played(call("Bash", {"command": "rm x"}, "", denied=True, failed=None))
    assert (session.tool_call_count, session.error_count, session.changes.count) == (1, 1, 0)


def test_a_command_that_fails_after_it_changed_files_has_changed_them():
    chained = shell("sed -i s/a/b/ x.py && python x.py", "TypeError: no", failed=True)

    assert 2 == played(read(), chained).changes.last_effect
    assert (
        2 == played(read(), chained, chained).changes.last_effect
    )  # the very same once more: what is repeated is no change
    assert 0 == played(read(), shell("sed -i s/a/b/ x.py", "sed: can't read x.py", failed=True)).changes.last_effect


@pytest.mark.parametrize("again", [shell("touch x"), shell("mkdir -p out"), shell("cp a b"), write("a.py", "text")])
def test_the_third_time_the_same_file_is_written_changes_nothing(again):
    test = shell("pytest -q", "1 failed in 0.1s", failed=True)

    assert [True, True, False, False, False] == [
        step.changed for step in played(*[again, test] * 5).steps if step.kind == "write"
    ]
    assert played(*[again, test] * 4, edit(), again).steps[-1].changed  # something else was changed since


@pytest.mark.parametrize("again", [shell("echo x >> log"), shell("sed -i 1d x"), call("create_row", {"value": 1})])
def test_what_may_add_to_what_is_there_is_a_change_each_time(again):
    steps = played(*[again, read()] * 6).steps[::2]

    assert steps[0].changed == steps[-1].changed


def test_repeats_the_user_asked_for_are_counted_down():
    session = played(user("run it three times"), *[shell("python x.py", "ok")] * 6)

    assert [False, True, True, True, False, False] == [session.turn.asked_for(step) for step in session.steps]


def test_without_being_asked_no_repeat_is_asked_for():
    session = played(user("run it"), *[shell("python x.py", "ok")] * 6)

    assert not any(session.turn.asked_for(step) for step in session.steps)


@pytest.mark.parametrize(("kept", "expected"), [(50, [3, 4]), (2, [3, 4]), (1, [4])])
def test_fresh_steps_are_those_since_the_user_spoke(kept, expected):
    engine = engine_of(sizes=Sizes(window_size=kept))
    fresh = []
    for happening in spelled([read("1"), read("2"), user(), read("3"), read("4"), compaction()]):
        for event in happening:
            engine.feed(event)
        fresh.append([step.number for step in engine.session.fresh_steps])
    assert (expected, []) == (fresh[4], fresh[5])
    assert [] == fresh[2]


class Name(str):
    """A text of another class, as some libraries have them."""

    __slots__ = ()


def test_arguments_of_a_class_that_is_based_on_text_are_compared_as_text():
    monitor = Monitor()
    for number in range(5):
        monitor.called("write_file", {"path": Name(f"{number}.txt"), "content": Name(number)}, call=str(number))
        assert "continue" == monitor.returned(str(number), "ok").action
    assert [f"{number}.txt" for number in range(5)] == [step.path for step in monitor.session.steps]
