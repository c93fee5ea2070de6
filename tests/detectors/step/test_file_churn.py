from headway.detectors.step.file_churn import FileChurn
from tests.streams import compaction, edit, moments, read, shell, sightings, user, watch


def edits(count, path="src/a.py"):
    return [edit(path, old=str(n), new=str(n + 1)) for n in range(count)]


def test_speaks_at_the_fifth_change_within_ten_calls():
    found = watch(FileChurn(), *edits(6))

    assert [5] == moments(found)
    assert {"churned_file": "src/a.py", "modification_count": 5} == found[0][1].evidence
    assert 0.5 == found[0][1].confidence


def test_stays_quiet_at_the_fourth():
    assert [] == watch(FileChurn(), *edits(4))


def test_stays_quiet_when_they_are_further_apart():
    words = [word for n in range(8) for word in (edit(old=str(n), new="x"), read("b.py"), read("c.py"))]
    assert [] == watch(FileChurn(), *words)


def test_changes_of_different_files_stay_quiet():
    assert [] == watch(FileChurn(), *(edit(f"src/{n}.py") for n in range(10)))


def test_files_of_one_name_in_several_folders_are_several_files():
    words = [word for name in "abcde" for word in (shell(f"cd /w/{name}"), shell("sed -i s/1/2/ version.txt"))]
    assert [] == watch(FileChurn(), *words)
    same = [word for name in "abcde" for word in (shell(f"cd /w/{name}"), shell("sed -i s/1/2/ /w/version.txt"))]
    assert [10] == moments(watch(FileChurn(), *same))


def test_failed_edits_are_no_changes():
    assert [] == watch(FileChurn(), *(edit(old=str(n), failed=True) for n in range(8)))


def test_the_user_or_a_compaction_starts_anew():
    for interruption in (user(), compaction()):
        assert [] == watch(FileChurn(), *edits(4), interruption, *edits(4))


def test_looks_at_the_last_ten_calls():
    first, *rest = edits(5)
    others = [read("b.py")] * 6
    assert [10] == moments(watch(FileChurn(), first, *others[:5], *rest))
    assert [] == watch(FileChurn(), first, *others, *rest)


def test_reading_the_file_changes_nothing():
    assert [] == watch(FileChurn(), *[word for change in edits(4) for word in (read(), change)])
    assert [5] == sightings(FileChurn(), *edits(5), read())


def test_changes_of_which_nobody_knows_the_file_stay_quiet():
    assert [] == watch(FileChurn(), *[shell("git apply fix.patch", "done")] * 8)
