import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.detectors.step.monologue import Monologue, _words
from tests.streams import advice, agent, moments, read, user, watch

ORDERS = [
    "Okay, the user has trouble with the project: the settings file is not found where it should be.",
    "So the settings file is not found. The user has trouble with the project where it should be.",
    "The project has trouble: the user should be where the settings file is not found, okay.",
    "Okay, so it should be the settings file of the project that the user has trouble with, not found.",
]
"""The same thought, in another order each time."""


def talk(count):
    return [agent(ORDERS[n % len(ORDERS)]) for n in range(count)]


def test_speaks_at_the_fifth_message_that_adds_nothing():
    found = watch(Monologue(), *talk(7))

    assert [6] == moments(found)
    assert {"count": 5} == found[0][1].evidence


def test_stays_quiet_at_the_fourth():
    assert [] == watch(Monologue(), *talk(5))


def test_a_call_or_the_user_in_between_starts_anew():
    for interruption in (read(), user("go on")):
        assert [] == watch(Monologue(), *talk(5), interruption, *talk(5))


def test_messages_that_say_something_new_stay_quiet():
    """Several agents that talk to each other: each message brings its own matter."""
    matters = "tickets museum prices; calculate costs yearly; verify sums carefully; weather report tomorrow; train leaves late; book rooms cheaply; thank everybody warmly"
    assert [] == watch(Monologue(), *(agent(matter) for matter in matters.split(";") * 1))


def test_thinking_aloud_before_each_call_stays_quiet():
    words = [word for n in range(10) for word in (agent(ORDERS[0]), read(f"{n}.py"))]
    assert [] == watch(Monologue(), *words)


def test_empty_messages_are_nothing_said():
    assert [] == watch(Monologue(), *[agent("   ")] * 9)


def test_it_remembers_a_bounded_number_of_words():
    detector = Monologue()
    watch(
        detector,
        *(
            agent(" ".join(f"word{'abcdefghij'[n % 10]}{'x' * (n // 10 % 50)}{'y' * m}" for n in range(900)))
            for m in range(6)
        ),
    )
    assert len(detector.last_said) <= 2_000


def test_a_message_that_says_something_new_starts_anew():
    assert [] == watch(Monologue(), *talk(5), agent("weather report tomorrow"), *talk(4))


@pytest.mark.parametrize(("new", "places"), [(3, [6]), (4, [])])
def test_three_new_words_in_ten_add_nothing(new, places):
    """`share` is how many there may be."""
    known = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split()
    messages = [known, *(known[new:] + [f"new{'abcdefg'[m]}{'xyzw'[n]}" for n in range(new)] for m in range(5))]
    assert places == moments(watch(Monologue(), *(agent(" ".join(words)) for words in messages)))


def test_what_others_say_is_not_counted():
    assert [] == watch(Monologue(), *talk(3), *[advice(text=ORDERS[0])] * 6)


@given(st.text(st.characters(exclude_categories=("Cs",))))
def test_words_are_runs_of_three_letters_of_any_script(text):
    assert set(re.findall(r"[^\W\d]{3,}", text.lower())) == _words(text.lower())


def test_words_beside_other_scripts():
    assert {"naïve", "café", "straße", "und", "one_two"} == _words("naïve café—straße… und 3x one_two, ab")
