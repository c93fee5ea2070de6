from headway.detectors.step.failing_edit import FailingEdit
from tests.streams import compaction, edit, moments, read, user, watch

BAD = edit(old="not there", failed=True)


def test_speaks_at_the_sixth_failure_of_the_same_edit():
    found = watch(FailingEdit(), *[BAD] * 7)

    assert [6] == moments(found)
    assert {"count": 6, "file_path": "src/a.py"} == found[0][1].evidence


def test_stays_quiet_at_the_fifth():
    assert [] == watch(FailingEdit(), *[BAD] * 5)


def test_looking_at_what_is_known_does_not_make_it_fit():
    assert [12] == moments(watch(FailingEdit(), read(), *[BAD, read()] * 5, BAD))


def test_trying_again_after_having_seen_something_new_is_honest():
    words = [word for n in range(8) for word in (BAD, read(f"{n}.py", output=f"content of file {n}"))]
    assert [] == watch(FailingEdit(), *words)


def test_another_text_is_another_edit():
    assert [] == watch(FailingEdit(), *(edit(old=f"guess {n}", failed=True) for n in range(6)))


def test_a_change_a_compaction_or_the_user_starts_anew():
    for interruption in (edit(old="a", new="b"), compaction(), user()):
        assert [] == watch(FailingEdit(), *[BAD] * 5, interruption, *[BAD] * 5)


def test_calls_of_one_parallel_batch_count_once():
    assert [] == watch(FailingEdit(), *[edit(old="not there", failed=True, batch="b")] * 8)
