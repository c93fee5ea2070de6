from headway import Severity
from headway.detectors.step.scope_creep import ScopeCreep
from tests.streams import edit, moments, read, search, sightings, user, watch


def visits(*folders):
    return [read(f"{folder}/x.py") for folder in folders]


def test_speaks_at_the_sixth_folder():
    found = watch(ScopeCreep(), *visits("a", "b", "c", "d", "e", "f"))

    assert [(4, Severity.LOW), (6, Severity.MEDIUM)] == [(place, finding.severity) for place, finding in found]
    assert 6 == found[1][1].evidence["dir_count"]


def test_stays_quiet_at_three():
    assert [] == watch(ScopeCreep(), *visits("a", "b", "c", "a/deeper", "b/deeper"))


def test_five_are_only_recorded():
    found = watch(ScopeCreep(), *visits("a", "b", "c", "d", "e"))
    assert [Severity.LOW] == [finding.severity for _, finding in found]


def test_stays_quiet_where_looking_around_is_the_work():
    for session in ({"task": "analyze"}, {"guessed_task": "search"}):
        found = watch(ScopeCreep(), *visits(*"abcdefgh"), **session)
        assert {Severity.LOW} == {finding.severity for _, finding in found}


def test_counts_folders_below_the_root():
    words = [read(f"/work/src/{name}/x.py") for name in "abcdefg"]
    assert [] == watch(ScopeCreep(), *words, root="/work")


def test_files_at_the_top_are_in_no_folder():
    assert [] == watch(ScopeCreep(), *(read(f"{name}.md") for name in "abcdefg"))


def test_edits_count_as_visits():
    words = [edit(f"{name}/x.py") for name in "abcdef"]
    assert 6 in moments(watch(ScopeCreep(), *words))


def test_the_user_starts_anew():
    assert [] == watch(ScopeCreep(), *visits("a", "b", "c"), user(), *visits("d", "e", "f"), search())


def test_going_back_to_a_known_folder_is_not_seen_again():
    assert [4, 6, 7] == sightings(ScopeCreep(), *visits(*"abcd", "a", "e", "f", "b"))


def test_less_sure_where_nobody_knows_the_root():
    words = [read(f"/work/{name}/x.py") for name in "abcdef"]
    [*_, (_, known)], [*_, (_, guessed)] = (watch(ScopeCreep(), *words, root=root) for root in ("/work", None))
    assert known.confidence > guessed.confidence


def test_relative_paths_tell_where_the_project_begins_as_well_as_a_root_does():
    [*_, (_, relative)] = watch(ScopeCreep(), *visits(*"abcdef"))
    [*_, (_, known)] = watch(ScopeCreep(), *(read(f"/work/{name}/x.py") for name in "abcdef"), root="/work")
    [*_, (_, mixed)] = watch(ScopeCreep(), *visits(*"abcde"), read("/elsewhere/f/x.py"), read("/elsewhere/g/x.py"))

    assert (0.5, 0.5, 0.3) == (relative.confidence, known.confidence, mixed.confidence)
