from headway.core import events
from headway.core.limits import Sizes
from headway.detectors.step.doom_loop import DoomLoop
from headway.detectors.step.error_run import ErrorRun
from headway.detectors.step.exact_cycle import ExactCycle
from headway.detectors.step.known_answer import KnownAnswer
from headway.detectors.step.progress_stall import ProgressStall
from tests.streams import (
    agent,
    call,
    compaction,
    edit,
    engine_of,
    failure,
    in_other_order,
    missing,
    moments,
    read,
    search,
    shell,
    sightings,
    user,
    watch,
    write,
)


def test_speaks_at_the_third_equal_call():
    """A count includes the current call: the third one is 'three times'."""
    found = watch(ExactCycle(), search(), search(), search(), search())

    assert [3] == moments(found)
    assert {"count": 3, "tool_name": "Grep"} == found[0][1].evidence


def test_stays_quiet_at_the_second():
    assert [] == watch(ExactCycle(), search(), search())


def test_a_limit_of_one_is_refused():
    assert "limit is 1, but a repeat takes at least 2 calls" == ExactCycle(limit=1).settings_error(Sizes())
    assert ExactCycle(limit=2).settings_error(Sizes()) is None
    assert [2] == moments(watch(ExactCycle(limit=2), search(), search()))


def test_stays_quiet_when_the_result_differs():
    """Asking again is honest when the answer changes."""
    assert [] == watch(ExactCycle(), *(shell("git status", f"{n} files changed") for n in range(6)))


def test_speaks_when_only_times_and_ids_differ():
    """openclaw#89090: a clock in the output does not make the result new."""
    outputs = (f"FAILED at 2026-01-0{n} 10:00:0{n} in 0.{n}3s (pid {n}77)" for n in range(1, 5))
    assert [3] == moments(watch(ExactCycle(), *(failure(output) for output in outputs)))


def test_speaks_when_only_the_description_differs():
    """OpenHands#15087: other words around the same call do not make it another call."""
    words = (call("Bash", {"command": "ls", "description": f"look, take {n}"}, "a.py") for n in range(3))
    assert [3] == moments(watch(ExactCycle(), *words))


def test_speaks_across_messages():
    """opencode#25254: what the agent says in between does not hide the repeat."""
    assert [5] == moments(watch(ExactCycle(), search(), agent("hm"), search(), agent("again"), search()))


def test_another_call_in_between_starts_anew():
    assert [] == watch(ExactCycle(), search(), search(), read(), search(), search())


def test_a_parallel_batch_counts_once():
    """qwen-code PR#3236: calls that were asked for together could not learn from each other."""
    assert [] == watch(ExactCycle(), *(read(batch="b1") for _ in range(5)))


def test_two_more_after_a_batch_are_a_repeat():
    words = [read(batch="b1"), read(batch="b1"), read(batch="b2"), read(batch="b3")]
    assert [4] == moments(watch(ExactCycle(), *words))


def test_waiting_is_not_repeating():
    """OpenHands#5355, Roo#9502: a long job may be asked about as often as needed."""
    assert [] == watch(ExactCycle(), *(shell("sleep 30 && tail -1 build.log", "building") for _ in range(8)))


def test_a_user_turn_starts_anew():
    assert [] == watch(ExactCycle(), search(), search(), user(), search(), search())


def test_a_compaction_starts_anew():
    assert [] == watch(ExactCycle(), read(), read(), compaction(), read(), read())


def test_an_edit_in_between_starts_anew():
    """Running the same failing test after an edit is work, not a loop."""
    test = shell("pytest -q", "1 failed", exit_code=1)
    assert [] == watch(ExactCycle(), test, edit(new="1"), test, edit(new="2"), test, edit(new="3"), test)


def test_the_same_change_again_and_again_is_a_loop_at_three_times_as_many():
    """Each may have added something; nine equal ones with equal results have not."""
    growing = edit(old="def f():", new="def f():\n    # checked")
    assert [9] == moments(watch(ExactCycle(), *[growing] * 10))
    assert [] == watch(ExactCycle(), *[growing] * 8)


def test_a_file_that_is_written_whole_again_adds_nothing():
    """Unlike an edit, it can only lead to where it led before."""
    assert [3] == moments(watch(ExactCycle(), *[write(content="x = 1")] * 4))


def test_another_result_starts_the_count_anew():
    answers = ("a", "a", "b", "b", "b")
    assert [5] == moments(watch(ExactCycle(), *(shell("cat state", answer) for answer in answers)))


def measuring(lines=1):
    """The same command with another duration each time."""
    return [shell("./bench", f"took {n}.5 s\n" + "ready\n" * (lines - 1)) for n in range(12)]


def test_a_short_answer_with_a_number_may_be_a_measurement():
    """Another number is another result, however often it is measured."""
    assert [] == watch(ExactCycle(), *measuring())
    assert [] == watch(ExactCycle(), *measuring(lines=3))


def test_a_longer_output_is_no_measurement_because_its_last_line_has_a_duration():
    assert [3] == moments(watch(ExactCycle(), *measuring(lines=4)))


def test_a_failure_or_a_file_is_no_measurement():
    assert [3] == moments(watch(ExactCycle(), *(failure(f"gave up after {n}.5 s") for n in range(4))))
    lines = "\n".join(f"line {n}" for n in range(9))
    assert [3] == moments(watch(ExactCycle(), *(read(output=f"{lines}\ntook {n}.5 s") for n in range(4))))


def test_numbers_that_no_one_measures_have_no_patience():
    """A clock and an id differ each time; the duration is the same."""
    outputs = (f"2026-01-0{n} 10:00:0{n} done in 0.5 s" for n in range(1, 5))
    assert [3] == moments(watch(ExactCycle(), *(shell("make", output) for output in outputs)))


def test_whoever_asks_for_repeats_means_what_is_run():
    asked = user("Run the benchmark 5 times.")
    assert [] == watch(ExactCycle(), asked, *[shell("./bench", "ready")] * 5)
    assert [4] == moments(watch(ExactCycle(), asked, *[read()] * 5))


def test_another_result_within_a_batch_ends_the_row():
    first, other = "the text of a file", "another text of it"
    words = [read(output=first)] * 2 + [read(output=first, batch="b"), read(output=other, batch="b")]
    assert [3] == sightings(ExactCycle(), *words, read(output=other))
    assert [3, 6] == sightings(ExactCycle(), *words, read(output=other), read(output=other))


def test_going_up_once_more_is_another_call():
    assert [] == watch(ExactCycle(), *[shell("cd ..")] * 5)
    assert [3] == moments(watch(ExactCycle(), *[shell("cd /repo")] * 4))


def test_a_missing_result_ends_the_row():
    def lost(place):
        return missing(edit("a.py", f"{place}"))(place)

    boom = shell("make x", "boom", failed=True)
    assert [] == watch(ExactCycle(), *[word for _ in range(5) for word in (boom, lost)])
    assert [] == watch(DoomLoop(), *[word for _ in range(6) for word in (boom, read(), lost)])
    assert [] == watch(KnownAnswer(), *[word for n in range(6) for word in (boom, read(f"{n}"), lost)])
    assert [] == watch(ErrorRun(), *[word for n in range(12) for word in (failure(command=f"{n}"), lost)])
    assert [] == watch(ProgressStall(), *[word for n in range(12) for word in (failure(command=f"{n}"), lost)])


def test_a_read_without_a_result_changes_nothing():
    lost = missing(read("a.py"))
    asked = [word for n in range(4) for word in (shell("git status", "clean"), read(f"{n}"), lost)]
    assert [10] == moments(watch(KnownAnswer(), *asked))


def test_results_of_a_batch_may_come_in_any_order():
    """Two batches of three equal calls and a third call: each batch counts once."""
    detector = ExactCycle()
    engine = engine_of(detector)
    found = []
    for batch, order in (("a", (3, 1, 2)), ("b", (6, 4, 5)), ("c", (9, 8, 7))):
        for number in sorted(order):
            engine.feed(events.ToolCalled(call=str(number), tool="fetch", args={"of": "page"}, batch=batch))
        for number in order:
            found += engine.feed(events.ToolReturned(call=str(number), output="the page")).findings
    assert found and all("3 times in a row" in one.message for one in found)


def test_a_call_in_between_ends_the_row_also_if_its_result_came_first_or_comes_later():
    again = shell("make x", "boom", failed=True)
    assert [] == watch(ExactCycle(), again, in_other_order((2, 1), again, edit(batch="b")), again)
    for order in ((1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)):
        assert [] == watch(ExactCycle(), again, in_other_order(order, again, read(), again))
    one_batch = (shell("make x", "boom", failed=True, batch="b"), edit(batch="b"), again)
    assert [] == watch(ExactCycle(), again, again, in_other_order((2, 1), *one_batch[1::-1]))
    assert [3] == moments(watch(ExactCycle(), again, again, in_other_order((2, 1), one_batch[0], one_batch[0])))
