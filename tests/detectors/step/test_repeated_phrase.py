import pytest

from headway.detectors.step.repeated_phrase import RepeatedPhrase
from tests.streams import agent, moments, user, watch

SENTENCE = "I will now look into the configuration of the server and see. "
PARAGRAPH = "The cause seems to be the cache, which is filled once.\nLet me have another look at it.\n"


def test_speaks_at_the_sixth_repetition():
    found = watch(RepeatedPhrase(), agent("Well. " + SENTENCE * 6))

    assert [1] == moments(found)
    assert 6 == found[0][1].evidence["count"]


def test_stays_quiet_at_the_fifth():
    assert [] == watch(RepeatedPhrase(), agent("Well. " + SENTENCE * 5))


@pytest.mark.parametrize(
    "text",
    [
        PARAGRAPH * 8,
        "again and " * 60,
        SENTENCE * 9 + SENTENCE[:20],
        "no " * 300,
    ],
    ids=["block of lines", "phrase without stops", "cut off in the middle", "one word"],
)
def test_speaks_on_other_chants(text):
    assert [1] == moments(watch(RepeatedPhrase(), agent(text)))


@pytest.mark.parametrize(
    "text",
    [
        "Here it is:\n```\n" + "x = f(x)\n" * 60 + "```\nDone.",
        "| a | b |\n" * 60,
        "- [x] done\n" * 60,
        "1. a step\n" * 60,
        "-" * 400 + "\n" + "=" * 400,
        "# Heading\n" * 60,
        "ha ha ha ha ha ha",
        "".join(f"Step {n} looks at file {n}. " for n in range(60)),
        "word " * 30 + "and then something else entirely happens here, which is the end of it.",
    ],
    ids=["code", "table", "list", "numbered", "dividers", "headings", "short", "counting up", "gets over it"],
)
def test_stays_quiet_on_what_repeats_honestly(text):
    assert [] == watch(RepeatedPhrase(), agent(text))


def test_short_chants_stay_quiet():
    """Twenty characters ten times over are long enough; the same repetition is too short for a higher minimum."""
    repeating = agent("I have to look at a. " * 10)
    assert [1] == moments(watch(RepeatedPhrase(), repeating))
    assert [] == watch(RepeatedPhrase(min_length=201), repeating)


@pytest.mark.parametrize(
    "sentence",
    [
        SENTENCE.rstrip(),
        "Investigating authentication configuration.",
        "Is-it-the-configuration-of-the-server-again?",
        "まず設定ファイルを確認して、それからサーバーの状態をもう一度調べます。",
    ],
    ids=["many words", "few words", "no words", "Japanese"],
)
@pytest.mark.parametrize("before", ["", "Let us think about what there is. " * 3])
def test_sentences_without_a_space_between_them(before, sentence):
    assert [] == watch(RepeatedPhrase(), agent(before + sentence * 5))
    assert [1] == moments(watch(RepeatedPhrase(), agent(before + sentence * 6)))


def test_what_the_user_pastes_is_not_looked_at():
    assert [] == watch(RepeatedPhrase(), user(SENTENCE * 9))


def test_a_message_that_goes_on_after_the_phrase_is_not_said_to_end_in_it():
    ((_, finding),) = watch(RepeatedPhrase(), agent("Well. " + SENTENCE * 6 + "Now the other one"))
    assert finding.message.startswith("Towards its end, the message repeats the same phrase 6 times: ")


@pytest.mark.parametrize(
    ("text", "count", "phrase"),
    [
        ("Well. " + SENTENCE * 500, 500, SENTENCE.strip().lower()),
        ("no " * 31_900, 31_900, "no"),
        ("- [x] module reviewed, no change needed\n" * 21_000, 21_000, "- [x] module reviewed, no change needed"),
        ("Rows:\n" + "| a | b |\n" * 21_000, 21_000, "| a | b |"),
        ("It is " + "ABCDE" * 4_000, 4_000, "ABCDE"),
    ],
    ids=["sentences", "words", "list", "table", "letters"],
)
def test_the_count_is_that_of_the_whole_message(text, count, phrase):
    ((_, finding),) = watch(RepeatedPhrase(), agent(text))
    assert (count, phrase) == (finding.evidence["count"], finding.evidence["phrase"])
    assert f" {count:,} times" in finding.message


def test_a_count_that_is_cut_off_says_so():
    ((_, finding),) = watch(RepeatedPhrase(), agent("All is well here. " * 100_000))
    assert "at least" in finding.message


@pytest.mark.parametrize("count", [99, 100])
def test_equal_lines_of_a_list(count):
    found = watch(RepeatedPhrase(), agent("The list:\n" + "- [x] module reviewed, no change needed\n" * count))
    assert [1] * (count >= 100) == moments(found)


@pytest.mark.parametrize("sign", ["-", "=", "0", "A"])
def test_a_long_row_of_signs_is_no_chant(sign):
    assert [] == watch(RepeatedPhrase(), agent("The end.\n" + sign * 900))
