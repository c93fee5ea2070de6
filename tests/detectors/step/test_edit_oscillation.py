import pytest

from headway import Severity
from headway.detectors.step.edit_oscillation import EditOscillation
from tests.streams import call, edit, moments, read, shell, user, watch, write

THERE, BACK = edit(old="a", new="b"), edit(old="b", new="a")


def test_speaks_when_a_change_is_made_again_for_the_second_time():
    found = watch(EditOscillation(), THERE, BACK, THERE, BACK)

    weights = [(place, finding.severity) for place, finding in found]
    assert [(2, Severity.LOW), (4, Severity.HIGH)] == weights
    assert {"count": 2, "file_path": "src/a.py"} == found[-1][1].evidence
    assert "src/a.py was changed back and forth: 2 of the edits had been made before." == found[-1][1].message


def test_it_is_advice_and_never_a_reason_to_stop():
    found = watch(EditOscillation(), *[THERE, BACK] * 6)
    assert all(finding.advisory for _, finding in found)


def test_stays_quiet_at_the_first_which_is_only_recorded():
    """Taking an experiment back is honest."""
    assert [Severity.LOW] == [finding.severity for _, finding in watch(EditOscillation(), THERE, read(), BACK)]


def test_sees_through_other_edits_in_between():
    other, other_back = edit(old="x", new="y"), edit(old="y", new="x")
    found = watch(EditOscillation(), THERE, other, BACK, other_back)
    assert 4 in moments(found)


def test_whole_files_written_in_turn_count():
    one, two = write("a.py", "version one"), write("a.py", "version two")
    assert [3, 5] == moments(watch(EditOscillation(), one, two, one, two, one))


def test_edits_that_build_on_each_other_stay_quiet():
    assert [] == watch(EditOscillation(), *(edit(old=str(n), new=str(n + 1)) for n in range(10)))


def test_the_same_text_in_two_files_stays_quiet():
    assert [] == watch(EditOscillation(), edit("a.py", "a", "b"), edit("b.py", "b", "a"), edit("c.py", "a", "b"))


def test_failed_edits_change_nothing():
    assert [] == watch(EditOscillation(), THERE, edit(old="b", new="a", failed=True), edit(old="b", new="c"))


def test_the_user_starts_anew():
    found = watch(EditOscillation(), THERE, BACK, user("put it back"), THERE)
    assert {Severity.LOW} == {finding.severity for _, finding in found}
    assert [] == watch(EditOscillation(), THERE, user("put it back"), BACK)


def test_says_of_a_return_only_what_the_edits_show():
    """Where the text occurs twice, another place may have been changed back."""
    found = watch(EditOscillation(), THERE, BACK)
    assert ["The latest edits of src/a.py cancel each other out."] == [finding.message for _, finding in found]


@pytest.mark.parametrize(
    ("tool", "more"),
    [
        *[("write_file", {"mode": mode}) for mode in ("append", "a", "a+", "Append", "prepend", "insert")],
        *[("write_file", {"append": yes}) for yes in (True, "true")],
        *[(tool, {}) for tool in ("append_to_file", "append_file", "fs_append", "insert_content", "insert_text")],
        ("mcp__fs__append_note", {}),
    ],
)
def test_what_is_added_to_a_file_restores_nothing(tool, more):
    words = [call(tool, {"path": "log.md", "content": text, **more}, "ok") for text in ("x", "y", "x", "y", "x")]
    assert [] == watch(EditOscillation(), *words)


@pytest.mark.parametrize(
    "changed",
    [call("append_to_file", {"path": "src/a.py", "content": "more"}, "ok"), shell("sed -i s/q/r/ src/a.py")],
)
def test_edits_around_a_change_of_unknown_effect_do_not_cancel_it_out(changed):
    assert [] == watch(EditOscillation(), THERE, changed, BACK)


def test_writing_the_whole_file_in_a_mode_is_known_by_the_mode():
    words = [call("write_file", {"path": "a.py", "mode": "rewrite", "content": t}, "ok") for t in "xyxyx"]
    assert [3, 5] == moments(watch(EditOscillation(), *words))


def test_edits_of_one_name_in_other_folders_do_not_cancel_each_other_out():
    words = [word for name, change in (("a", THERE), ("b", BACK)) for word in (shell(f"cd /w/{name}"), change)]
    assert [] == watch(EditOscillation(), *words)
