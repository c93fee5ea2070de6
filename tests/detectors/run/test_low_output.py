from headway.core.limits import Limits
from headway.detectors.run.low_output import LowOutput
from tests.streams import advice, agent, moments, news, read, sightings, user, watch

THRESHOLD = Limits(min_content_threshold=150)
SHORT, LONG = agent("I am thinking about it."), agent("x" * 150)


def test_speaks_when_three_such_turns_are_over():
    """That a turn has no call is known when the next one begins."""
    found = watch(LowOutput(), *[SHORT] * 4, limits=THRESHOLD)

    assert [4] == moments(found)
    assert {"low_output_turns": 3} == found[0][1].evidence


def test_stays_quiet_at_two():
    assert [] == watch(LowOutput(), *[SHORT] * 3, limits=THRESHOLD)


def test_a_call_a_longer_answer_or_the_user_starts_anew():
    for interruption in (read(), LONG, user()):
        assert [] == watch(LowOutput(), SHORT, SHORT, interruption, SHORT, SHORT, limits=THRESHOLD)


def test_speaking_before_a_call_is_not_an_empty_turn():
    assert [] == watch(LowOutput(), *[SHORT, read()] * 6, limits=THRESHOLD)


def test_patience_is_the_models():
    patient = Limits(min_content_threshold=150, continuation_patience=5)
    assert [6] == moments(watch(LowOutput(), *[SHORT] * 6, limits=patient))


def test_stays_quiet_without_limits():
    assert [] == watch(LowOutput(), *[SHORT] * 20)


def test_who_says_something_at_last_is_left_alone():
    assert [] == watch(LowOutput(), *[SHORT] * 3, LONG, limits=THRESHOLD)


def test_what_others_say_is_not_looked_at():
    assert [4] == sightings(LowOutput(), *[SHORT] * 4, advice(), limits=THRESHOLD)


def test_who_notes_reports_in_few_words_is_left_alone():
    assert [] == watch(
        LowOutput(), *[word for n in range(9) for word in (news(f"part {n} is done"), SHORT)], limits=THRESHOLD
    )
    found = watch(LowOutput(), *[word for _ in range(9) for word in (news("still busy"), SHORT)], limits=THRESHOLD)
    assert [10] == moments(found), "the first of these reports was new"
