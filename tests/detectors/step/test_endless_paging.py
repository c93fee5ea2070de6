import msgspec
import pytest

from headway.core.files import KEPT_RANGES, FileRecord, merged
from headway.detectors.step.endless_paging import EndlessPaging
from tests.streams import call, compaction, edit, engine_of, moments, read, shell, spelled, user, watch


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


def text(first, count=100):
    return "\n".join(f"{n} row {n * n}" for n in range(first, first + count))


@pytest.mark.parametrize(
    ("words", "moment"),
    [
        ([read("big.log", offset=9000, limit=100), *pages(60)], 40),
        ([shell("tail -n 5 big.log", text(99_000, 5)), *pages(60)], 40),
        ([read("big.log"), *pages(60)], 41),  # the first page shows what the first read showed
        ([shell(f"sed -n '{n * 100 + 1},$p' big.log", text(n * 100 + 1)) for n in range(60)], 40),
        ([call("view", {"path": "big.log", "view_range": [n * 9 + 1, -1]}, text(n * 9 + 1, 9)) for n in range(60)], 40),
        ([read("big.log", offset=1 + 100 * ((n * 37) % 151), limit=100) for n in range(150)], 40),
        (pages(60)[::-1], 40),
    ],
    ids=["a look ahead", "tail", "the beginning", "open end", "view to the end", "mixed", "backwards"],
)
def test_new_parts_count_wherever_they_are(words, moment):
    assert [moment] == moments(watch(EndlessPaging(), *words))


def test_less_than_half_of_a_part_may_be_known():
    def steps_of(size):
        return [read("big.log", offset=1 + n * size, limit=100) for n in range(60)]

    assert [40] == moments(watch(EndlessPaging(), *steps_of(51)))
    assert [] == watch(EndlessPaging(), *steps_of(50))


def test_what_a_whole_read_showed_is_known():
    long = "\n".join(f"{n} the row with {n * n}" for n in range(1, 8001))
    cat = shell("cat big.log", long)
    assert [] == watch(
        EndlessPaging(), cat, *[shell(f"sed -n '{n},{n + 99}p' big.log", "x") for n in range(1, 6000, 100)]
    )


def test_ranges_that_touch_are_one_and_their_number_is_bounded():
    ranges = []
    for lines in [(1, 10), (21, 30), (41, 50), (11, 20), (25, 45)]:
        ranges = merged(ranges, lines)
    assert [(1, 50)] == ranges
    for n in range(1000):
        ranges = merged(ranges, (n * n * 10 + 100, n * n * 10 + 101))
    assert KEPT_RANGES == len(ranges) and ranges == sorted(ranges) and (1, 50) != ranges[-1]


def test_a_count_that_an_earlier_version_saved_starts_again():
    """It did not save which lines they were."""
    record = msgspec.convert({"parts": 39, "furthest": 3900, "ever_read": True, "reads": 39}, FileRecord)
    assert (39, []) == (record.parts, record.covered)
    detector = EndlessPaging()
    engine = engine_of(detector)
    engine.session.files.records["big.log"] = record
    found = [engine.feed(event).findings for words in spelled(pages(40)) for event in words]
    assert [79] == [place for place, one in enumerate(found) if one]
