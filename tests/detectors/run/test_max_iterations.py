import pytest

from headway import Severity
from headway.core.limits import Limits
from headway.detectors.run.max_iterations import MaxIterations
from tests.streams import agent, edit, missing, moments, read, shell, watch

EIGHT = Limits(max_exploration_iterations=8, advice=frozenset({"max_exploration_iterations"}))
"""As it comes with a task type."""


def reads(count):
    return [read(f"{n}.py") for n in range(count)]


def test_speaks_at_the_ninth_exploration():
    """Above the maximum, not at it."""
    found = watch(MaxIterations(), *reads(9), limits=EIGHT)

    assert [9] == moments(found)
    assert {"count": 9, "limit": 8} == found[0][1].evidence


def test_stays_quiet_at_the_eighth():
    assert [] == watch(MaxIterations(), *reads(8), limits=EIGHT)


def test_is_critical_past_the_limit_by_half():
    found = watch(MaxIterations(), *reads(14), limits=EIGHT)
    assert [(9, Severity.HIGH), (13, Severity.CRITICAL)] == [(place, f.severity) for place, f in found]
    assert [0.4, 0.9] == [finding.confidence for _, finding in found]  # only said at first


def test_a_number_that_holds_ends_the_run_where_it_is_exceeded():
    found = watch(MaxIterations(), *reads(9), limits=Limits(max_exploration_iterations=8))
    assert [(9, Severity.CRITICAL, 1.0)] == [(place, f.severity, f.confidence) for place, f in found]


def test_whoever_thinks_little_of_it_is_not_stopped():
    found = watch(MaxIterations(severity=Severity.MEDIUM), *reads(20), limits=EIGHT)
    assert [(9, Severity.MEDIUM)] == [(place, f.severity) for place, f in found]


def test_a_change_starts_anew():
    assert [] == watch(MaxIterations(), *reads(8), edit(), *reads(8), limits=EIGHT)


def test_runs_and_tests_are_not_explorations():
    assert [] == watch(MaxIterations(), *(shell(f"make {n}", str(n)) for n in range(30)), limits=EIGHT)


def test_turns_without_a_call_give_more_room():
    words = [word for n in range(8) for word in (agent("thinking about it"), agent("and more"), read(f"{n}.py"))]
    assert [] == watch(MaxIterations(), *words, read("one.py"), limits=EIGHT)


def test_the_total_counts_every_step():
    words = [shell(f"make {n}", str(n)) for n in range(50)]
    found = watch(MaxIterations(), *words, limits=Limits(max_total_iterations=50))
    assert [(50, Severity.CRITICAL, 1.0)] == [(place, f.severity, f.confidence) for place, f in found]
    assert [] == watch(MaxIterations(), *words[:49], limits=Limits(max_total_iterations=50))


def test_stays_quiet_without_limits():
    assert [] == watch(MaxIterations(), *reads(300))


def test_tells_each_limit_that_is_reached():
    found = watch(MaxIterations(), *reads(9), limits=Limits(max_exploration_iterations=8, max_total_iterations=8))
    assert [(8, "total"), (9, "exploration")] == [(place, finding.identity) for place, finding in found]


@pytest.mark.parametrize(
    "acted",
    [
        shell("sed -i s/a/b/ src/a.py && pytest -q", "1 failed in 0.1s", failed=True, exit_code=1),
        missing(edit("src/a.py")),
    ],
    ids=["an edit, and tests that fail", "an edit without a result"],
)
def test_does_not_say_without_an_edit_if_there_may_have_been_one(acted):
    for words in ([*reads(4), acted, *reads(5)], [edit(), acted, *reads(9)]):
        ((_, found),) = watch(MaxIterations(), *words, limits=EIGHT)
        assert "9 reads, searches and listings; the limit is now 8." == found.message


def test_says_without_an_edit_once_an_edit_has_come_back():
    ((_, found),) = watch(MaxIterations(), shell("python gen.py", "ok"), edit(), *reads(9), limits=EIGHT)
    assert "9 reads, searches and listings without an edit in between; the limit is now 8." == found.message
