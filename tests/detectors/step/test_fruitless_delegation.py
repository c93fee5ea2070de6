from uuid import UUID

import pytest

from headway.detectors.step.fruitless_delegation import FruitlessDelegation
from tests.streams import call, compaction, edit, missing, moments, read, user, watch


def asked(count, answer="I could not find it.", **more):
    return [call("Task", {"prompt": f"look for it, attempt {n}"}, answer, **more) for n in range(count)]


def test_speaks_at_the_fifth_with_the_same_answer():
    found = watch(FruitlessDelegation(), *asked(6))

    assert [5] == moments(found)
    assert {"count": 5, "tool_name": "Task"} == found[0][1].evidence


def test_stays_quiet_at_the_fourth():
    assert [] == watch(FruitlessDelegation(), *asked(4))


@pytest.mark.parametrize(
    "answer", ["could not find it", "I was unable to locate it", "Nothing was found.", "I couldn't find it"]
)
def test_these_answers_are_fruitless(answer):
    assert [5] == moments(watch(FruitlessDelegation(), *asked(5, answer)))


@pytest.mark.parametrize("answer", ["Done.", "No issues found.", "All tests pass.", ""])
def test_these_answers_are_not(answer):
    assert [] == watch(FruitlessDelegation(), *asked(20, answer))


@pytest.mark.parametrize("other", [edit(), missing(edit()), compaction(), user(), *asked(1, "I found it in a.py")])
def test_begins_anew(other):
    assert [] == watch(FruitlessDelegation(), *asked(4), other, *asked(4))


def test_looks_in_between_do_not_matter():
    words = [word for one in asked(5) for word in (one, read())]
    assert [9] == moments(watch(FruitlessDelegation(), *words))


def test_a_parallel_batch_counts_once():
    assert [] == watch(FruitlessDelegation(), *asked(9, batch="all at once"))


def test_delegations_by_several_tools_are_called_delegations():
    words = [call(("Task", "Agent")[n % 2], {"prompt": f"attempt {n}"}, "I could not find it.") for n in range(5)]
    told = "The last 5 delegations that were answered got the same answer, times and ids aside. "
    told += 'It says "could not find".'
    assert [told] == [finding.message for _, finding in watch(FruitlessDelegation(), *words)]


def test_a_delegation_without_an_answer_is_not_said_to_have_one():
    ((place, found),) = watch(FruitlessDelegation(), *asked(3), missing(asked(1)[0]), *asked(2))
    assert 6 == place
    assert found.message.startswith("The last 5 delegations that were answered got the same answer")


def test_answers_that_differ_in_their_middle_or_in_a_number_are_not_the_same():
    long = [asked(1, f"I could not find it. {'a' * 3_000} {n} {'b' * 3_000}")[0] for n in range(6)]
    errors = [asked(1, f"Error: could not find agent {n}", failed=True)[0] for n in range(6)]
    assert [] == watch(FruitlessDelegation(), *long) + watch(FruitlessDelegation(), *errors)


DENIED = asked(1, "Unable to run: the user denied it.", denied=True, failed=True)


def test_a_denied_delegation_did_not_run_and_is_not_counted():
    assert [] == watch(FruitlessDelegation(), *DENIED * 8)
    assert [] == watch(FruitlessDelegation(), *asked(4), *DENIED * 4)
    ((place, found),) = watch(FruitlessDelegation(), *asked(4), *DENIED, *asked(1))
    assert (6, 5) == (place, found.evidence["count"])
    assert found.message.startswith("The last 5 delegations that were answered got the same answer")


def test_failures_that_differ_only_in_an_id_are_the_same():
    ids = [UUID(int=n * 10**30) for n in range(1, 9)]
    words = [asked(1, f"Error: could not find agent. Request ID: {id}", failed=True)[0] for id in ids]
    assert [5] == moments(watch(FruitlessDelegation(), *words))
