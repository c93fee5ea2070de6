import pytest

from headway.detectors.step.repeated_message import RepeatedMessage
from tests.streams import advice, agent, moments, read, user, watch

ASKING = "Please tell me how you would like to proceed with this."


def test_speaks_at_the_third_equal_message():
    """opencode#12716: the same text again and again."""
    found = watch(RepeatedMessage(), *[agent(ASKING)] * 4)

    assert [3] == moments(found)
    assert {"count": 3} == found[0][1].evidence


def test_stays_quiet_at_the_second():
    assert [] == watch(RepeatedMessage(), agent(ASKING), agent(ASKING))


def test_a_clock_does_not_make_it_another_message():
    words = [agent(f"It is 10:00:0{n}, and I am still waiting for your answer.") for n in range(3)]
    assert [3] == moments(watch(RepeatedMessage(), *words))


def test_an_id_of_letters_does_not_make_it_another_message():
    words = [agent(f"The request id {id} has no answer yet, so I wait 1 more time.") for id in ("xyzabcde", "qrstuvwx")]
    assert [3] == moments(watch(RepeatedMessage(), *words, words[0]))


def test_acting_in_between_makes_it_a_habit_of_speech():
    assert [] == watch(RepeatedMessage(), *[agent("Let me look at the next file."), read()] * 5)


def test_the_user_starts_anew():
    assert [] == watch(RepeatedMessage(), agent(ASKING), agent(ASKING), user("?"), agent(ASKING), agent(ASKING))


def test_short_words_are_not_looked_at():
    assert [] == watch(RepeatedMessage(), *[agent("OK.")] * 6)


@pytest.mark.parametrize(("length", "places"), [(19, []), (20, [3])])
def test_from_twenty_characters_on_it_is_a_message(length, places):
    assert places == moments(watch(RepeatedMessage(), *[agent("Waiting" + "." * (length - 7))] * 3))


@pytest.mark.parametrize(
    "message",
    ["{} is what I look at now, and then I go on.", "I look at `{}` now, and then I go on.", "What to do? " * 9 + "{}"],
    ids=["from the beginning", "in the middle", "at the end"],
)
def test_messages_that_differ_stay_quiet(message):
    """All of the same length, so that only the words can tell."""
    assert [] == watch(RepeatedMessage(), *(agent(message.format(name)) for name in ("Alpha", "Gamma", "Delta")))


def test_the_same_words_around_a_clock_in_another_place_are_another_message():
    words = [agent(f"I am {text} still here") for text in ("waiting 10:00:01", "10:00:01 waiting", "waiting 10:00:01")]
    assert [] == watch(RepeatedMessage(), *words)


def test_what_others_say_is_not_counted():
    assert [] == watch(RepeatedMessage(), *[advice(text=ASKING)] * 4)


def test_says_what_was_compared():
    def told(*texts):
        return watch(RepeatedMessage(), *map(agent, texts))[0][1].message

    numbered = "The same message (details such as times and ids aside) was sent 3 times with no call in between."
    assert numbered == told(*(f"It is 10:00:0{n}, and I wait for an answer." for n in (1, 2, 3)))
    long = ["so it goes on and on, " * 100 + name for name in ("north", "south", "west")]
    assert told(*long).startswith(
        "A message with the same first 2,000 characters (details such as times and ids aside) was sent 3"
    )


@pytest.mark.parametrize(
    "message",
    [
        "I have now finished the file /home/a/{0}/m.py and go on with the next one.",
        "I have now finished the file m.py and go on with the next one, see line {0}.",
        "The server answers at localhost:800{0}, and I go on with the next one.",
        "The check 1{0}.0.0.1 is done, and 3{0} % of the files are ready.",
    ],
)
def test_messages_about_different_things_are_different(message):
    assert [] == watch(RepeatedMessage(), *(agent(message.format(n)) for n in range(1, 5)))
