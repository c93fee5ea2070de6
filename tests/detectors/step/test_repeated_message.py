from headway.detectors.step.repeated_message import RepeatedMessage
from tests.streams import agent, moments, read, user, watch

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


def test_acting_in_between_makes_it_a_habit_of_speech():
    assert [] == watch(RepeatedMessage(), *[agent("Let me look at the next file."), read()] * 5)


def test_the_user_starts_anew():
    assert [] == watch(RepeatedMessage(), agent(ASKING), agent(ASKING), user("?"), agent(ASKING), agent(ASKING))


def test_short_words_are_not_looked_at():
    assert [] == watch(RepeatedMessage(), *[agent("OK.")] * 6)
