import pytest

from headway.core.limits import Sizes
from headway.detectors.step.context_degradation import ContextDegradation
from tests.streams import agent, call, compaction, edit, moments, read, search, shell, user, watch

QUESTION = agent("Which of the two databases should I use for the sessions?")


def test_speaks_at_the_second_symptom():
    """One file forgotten twice after a compaction, one question asked again: two symptoms."""
    words = [read(), QUESTION, compaction(), read(), read(), QUESTION]
    found = watch(ContextDegradation(), *words)

    assert [6] == moments(found)
    assert 2 == len(found[0][1].evidence["symptoms"])


def test_stays_quiet_at_one_symptom():
    assert [] == watch(ContextDegradation(), read(), compaction(), read(), read())


def test_reading_again_once_after_a_compaction_is_honest():
    words = [read("a"), read("b"), read("c"), compaction(), read("a"), read("b"), read("c")]
    assert [] == watch(ContextDegradation(), *words)


def test_an_edit_taken_back_is_a_symptom():
    words = [edit(old="a", new="b"), edit(old="b", new="a"), edit(old="a", new="b")]
    found = watch(ContextDegradation(), *words)

    assert [3] == moments(found)
    assert "edits of src/a.py cancelled each other out" in found[0][1].evidence["symptoms"][0]


def test_edits_that_go_on_are_not():
    assert [] == watch(ContextDegradation(), *(edit(old=str(n), new=str(n + 1)) for n in range(8)))


def test_a_repeated_question_to_the_user_tool_counts():
    ask = call("AskUserQuestion", {"questions": [{"question": "Which database should I use?"}]}, "postgres")
    assert [3] == moments(watch(ContextDegradation(), ask, ask, ask))


def test_other_questions_do_not():
    words = [agent(f"Should I also look into the {name} module?") for name in ("auth", "billing", "search", "mail")]
    assert [] == watch(ContextDegradation(), *words)


def test_both_symptoms_must_show_within_twenty_steps():
    steps = [shell(f"echo {n}", str(n)) for n in range(40)]
    undone = [edit(old="a", new="b"), edit(old="b", new="a")]
    assert [61] == moments(watch(ContextDegradation(), *steps, QUESTION, QUESTION, *steps[:17], *undone))
    assert [] == watch(ContextDegradation(), *steps, QUESTION, QUESTION, *steps[:18], *undone)


@pytest.mark.parametrize(
    "words",
    [
        [read()] * 5,
        [search("Where is the settings file loaded?")] * 4,
        [call("AskUserQuestion", {}, "well")] * 4,
        [agent("I will have another look at the settings file.")] * 4,
        [user("Which of the two databases should I use?")] * 4,
        [agent("Shall I go on?")] * 4,
        [agent("?")] * 4,
        [agent(f"Shall I go on with this part now? Or rather with {n}?") for n in ("auth", "mail", "shop", "cart")],
    ],
    ids=[
        "reading again without a compaction",
        "a search",
        "a question nobody can read",
        "a statement",
        "the user asks",
        "a short question",
        "no question",
        "two questions, one of them new",
    ],
)
def test_is_no_symptom(words):
    assert [] == watch(ContextDegradation(), *words)


def test_more_symptoms_than_steps_cannot_be():
    assert ContextDegradation(symptoms_needed=20).settings_error(Sizes())
    assert not ContextDegradation(symptoms_needed=19).settings_error(Sizes())


FORGETTING = [read(), read(), QUESTION, QUESTION]
"""One symptom, and another if the file was known before the compaction."""


def test_only_a_file_that_was_read_and_stayed_the_same_can_be_forgotten():
    assert [6] == moments(watch(ContextDegradation(), read(), compaction(), *FORGETTING))
    assert [7] == moments(watch(ContextDegradation(), read(), compaction(), compaction(), *FORGETTING))
    assert [] == watch(ContextDegradation(), read(), compaction(), edit(), *FORGETTING)
    assert [] == watch(ContextDegradation(), edit(), compaction(), *FORGETTING)


@pytest.mark.parametrize(
    "words",
    [
        [read(), compaction(), shell("python gen.py", "wrote src/a.py"), *FORGETTING],
        [shell("python gen.py", "wrote src/a.py"), read(), shell("python gen.py", "again"), compaction(), *FORGETTING],
        [read(output="one"), compaction(), *FORGETTING],
        [read(offset=40, limit=60), compaction(), *FORGETTING],
    ],
    ids=["a program ran", "a program ran before the compaction", "it shows other text", "other lines"],
)
def test_a_file_that_may_have_changed_is_not_forgotten(words):
    assert [] == watch(ContextDegradation(), *words)


def test_what_was_read_after_the_program_can_be_forgotten():
    words = [shell("python gen.py", "wrote src/a.py"), read(), compaction(), *FORGETTING]
    ((_, found),) = watch(ContextDegradation(), *words)
    assert "src/a.py was read again after a compaction, with the same text as before" in found.message


def test_what_is_appended_twice_cancels_nothing_out():
    words = [call("append_to_file", {"path": "log.md", "content": text}, "ok") for text in "xyxyxyxy"]
    assert [] == watch(ContextDegradation(), *words)


def test_a_question_about_another_path_is_another_question():
    asked = [agent(f"Shall I also change the file /home/a/{n}/m.py, line {n}?") for n in range(6)]
    assert [] == watch(ContextDegradation(), *[word for one in asked for word in (one, read())])
