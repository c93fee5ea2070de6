from headway.detectors.step.failing_edit import FailingEdit
from tests.streams import compaction, edit, moments, read, user, watch

BAD = edit(old="not there", failed=True)


def test_speaks_at_the_third_failure_of_the_same_edit():
    found = watch(FailingEdit(), BAD, BAD, BAD, BAD)

    assert [3] == moments(found)
    assert {"count": 3, "file_path": "src/a.py"} == found[0][1].evidence


def test_stays_quiet_at_the_second():
    assert [] == watch(FailingEdit(), BAD, BAD)


def test_looking_in_between_does_not_make_it_fit():
    assert [5] == moments(watch(FailingEdit(), BAD, read(), BAD, read(), BAD))


def test_another_text_is_another_edit():
    assert [] == watch(FailingEdit(), *(edit(old=f"guess {n}", failed=True) for n in range(6)))


def test_a_change_a_compaction_or_the_user_starts_anew():
    for interruption in (edit(old="a", new="b"), compaction(), user()):
        assert [] == watch(FailingEdit(), BAD, BAD, interruption, BAD, BAD)
