import pytest

from headway.detectors.step.fruitless_streak import FruitlessStreak
from tests.streams import edit, missing, moments, shell, user, watch

LINES = [
    f"module {name} is loaded and ready" for name in ("auth", "mail", "shop", "cart", "core", "data", "site", "user")
]
FIRST = shell("list", "\n".join(LINES))


def fruitless(count):
    """Different commands that show parts of what is known already."""
    return [shell(f"look {n}", "\n".join(LINES[n % 3 : n % 3 + 4])) for n in range(count)]


def test_speaks_at_the_twelfth_call_with_little_news():
    """stella#3292: dozens of varied useless commands; it says so, and says how unsure it is."""
    found = watch(FruitlessStreak(), FIRST, *fruitless(13))

    assert [13] == moments(found)
    assert found[0][1].confidence < 0.5 and found[0][1].advisory


def test_stays_quiet_at_the_eleventh():
    assert [] == watch(FruitlessStreak(), FIRST, *fruitless(11))


def test_calls_of_one_parallel_batch_count_once():
    """None of them could learn from the others."""
    assert [] == watch(FruitlessStreak(), FIRST, *[shell("list", "\n".join(LINES), batch="b") for _ in range(30)])


def test_news_or_a_change_or_the_user_ends_it():
    for fruit in (shell("new", "something never seen before"), edit(new="2"), missing(edit(new="2")), user()):
        assert [] == watch(FruitlessStreak(), FIRST, edit(new="1"), *fruitless(11), fruit, *fruitless(11))


def test_better_tests_are_news():
    def tested(failed):
        known = "\n".join(LINES)
        return shell("pytest -q", f"{known}\n{failed} failed, {9 - failed} passed in 0.1s", failed=True)

    words = [FIRST, tested(5), *fruitless(10), tested(4), *fruitless(11)]
    assert [] == watch(FruitlessStreak(), *words)


def test_waiting_is_not_fruitless():
    assert [] == watch(FruitlessStreak(), *[shell("sleep 9; tail -1 log", "busy")] * 30)


def test_counts_from_the_first_call_on():
    assert [12] == moments(watch(FruitlessStreak(), *(shell(f"try {n}") for n in range(13))))


@pytest.mark.parametrize(("known", "is_news"), [(4, True), (6, False)], ids=["a fifth", "a seventh"])
def test_how_much_of_an_output_must_be_new(known, is_news):
    partly_new = shell("new", "\n".join([*LINES[:known], "something never seen before"]))
    found = watch(FruitlessStreak(), FIRST, *fruitless(11), partly_new)
    assert ([] if is_news else [13]) == moments(found)


def test_does_not_say_that_programs_changed_nothing():
    """Nothing is known of their effect."""
    found = watch(FruitlessStreak(), *(shell(f"python make_{n}.py", "done") for n in range(13)))
    told = "The last 12 calls showed hardly anything new, and no change of a file was seen."
    assert [told] == [finding.message for _, finding in found]
