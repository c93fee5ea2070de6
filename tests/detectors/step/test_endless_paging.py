from headway.detectors.step.endless_paging import EndlessPaging
from tests.streams import call, compaction, edit, moments, read, user, watch


def pages(count, first=0):
    return [read("big.log", offset=n * 100 + 1, limit=100) for n in range(first, first + count)]


def test_speaks_at_the_fortieth_page():
    """stella#4034: a sweep of 164 pages through one file."""
    found = watch(EndlessPaging(), *pages(164))

    assert [40] == moments(found)
    assert {"count": 40, "file_path": "big.log"} == found[0][1].evidence


def test_stays_quiet_at_the_thirty_ninth():
    assert [] == watch(EndlessPaging(), *pages(39))


def test_many_files_stay_quiet():
    assert [] == watch(EndlessPaging(), *(read(f"{n}.py") for n in range(100)))


def test_a_change_a_compaction_or_the_user_starts_anew():
    for interruption in (edit("big.log"), compaction(), user()):
        assert [] == watch(EndlessPaging(), *pages(39), interruption, *pages(39, 39))


def test_the_same_pages_again_are_left_to_repeated_file():
    assert [] == watch(EndlessPaging(), *pages(20) * 3)
    assert [] == watch(EndlessPaging(), *pages(39), *pages(39))


def test_only_new_parts_are_counted():
    """Also when so many pages were read that the first of them are no longer remembered."""
    words = [page for n in range(0, 42, 3) for page in (*pages(3, n), *pages(1, n))]
    found = watch(EndlessPaging(), *words)
    assert [53] == moments(found)
    assert ("big.log was read in 40 parts.", 40) == (found[0][1].message, found[0][1].evidence["count"])


def test_a_read_that_names_no_file_stays_quiet():
    assert [] == watch(EndlessPaging(), *[call("Read", {})] * 41)
