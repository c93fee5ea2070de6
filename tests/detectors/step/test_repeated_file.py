from headway.core.limits import Sizes
from headway.detectors.step.repeated_file import RepeatedFile
from tests.streams import compaction, edit, missing, moments, read, shell, sightings, user, watch


def test_speaks_at_the_fifth_read():
    found = watch(RepeatedFile(), *[read()] * 6)

    assert [5] == moments(found)
    assert {"count": 5, "reads": 5, "file_path": "src/a.py"} == found[0][1].evidence
    assert found[0][1].message.startswith("4 of 5 reads of src/a.py returned mostly lines that had been read before")


def test_stays_quiet_at_the_fourth():
    assert [] == watch(RepeatedFile(), *[read()] * 4)


def test_counts_reads_of_the_same_lines_with_other_arguments():
    """The seed's case: same file, varying offsets, but nothing new to see."""
    words = [read(offset=1, limit=200), *(read(offset=n, limit=100) for n in (1, 20, 40, 60))]
    assert [5] == moments(watch(RepeatedFile(), *words))


def test_counts_shell_reads_too():
    words = [read(), shell("cat src/a.py", "x"), *[shell("sed -n 1,50p ./src/a.py", "x")] * 5]
    assert [7] == moments(watch(RepeatedFile(), *words))


def test_a_closer_look_at_a_part_of_what_was_read_is_not_reading_it_again():
    """Whole file first, then the places that matter: hosts clip long files, and a person reads like this too."""
    looks = [read(offset=n * 20 + 1, limit=10) for n in range(8)]
    assert [] == watch(RepeatedFile(), read(), *looks)


def test_but_going_over_known_lines_without_end_is():
    looks = [read(offset=n * 7 + 1, limit=7) for n in range(12)]
    assert [10] == moments(watch(RepeatedFile(), read(), *looks))


def test_the_same_lines_that_say_something_else_now_are_new():
    """Somebody else changed the file, or the tool counts something: the result does not repeat."""
    assert [] == watch(RepeatedFile(), *(read(offset=1, limit=9, output=f"now {n}") for n in range(9)))


def test_paging_is_not_rereading():
    """deer-flow PR#5486, VTCode#680: each page is new."""
    assert [] == watch(RepeatedFile(), *(read(offset=n * 100 + 1, limit=100) for n in range(20)))


def test_an_edit_of_the_file_starts_anew():
    assert [] == watch(RepeatedFile(), *[read()] * 4, edit(), *[read()] * 4)


def test_the_same_name_in_other_folders_is_another_file():
    here = [word for name in "abcdefgh" for word in (shell(f"cd /w/{name}"), shell("cat setup.cfg", "[tool]\nx = 1"))]
    assert [] == watch(RepeatedFile(), *here)
    there = [
        word for name in "abcdefgh" for word in (shell(f"cd /w/{name}"), shell("cat /w/setup.cfg", "[tool]\nx = 1"))
    ]
    assert [10] == moments(watch(RepeatedFile(), *there))


def test_an_edit_whose_result_is_missing_starts_anew():
    assert [] == watch(RepeatedFile(), *[read()] * 4, missing(edit()), *[read()] * 4)


def test_an_edit_of_another_file_does_not():
    assert [6] == moments(watch(RepeatedFile(), *[read()] * 4, edit("src/b.py"), read()))


def test_a_compaction_or_the_user_starts_anew():
    for interruption in (compaction(), user()):
        assert [] == watch(RepeatedFile(), *[read()] * 4, interruption, *[read()] * 4)


def test_failed_reads_are_not_reads():
    assert [] == watch(RepeatedFile(), *[read(output="no such file", failed=True)] * 6)


def test_one_file_under_two_names_is_one_file():
    words = [
        read("/work/src/a.py"),
        read("src/a.py"),
        read("./src/a.py"),
        read("/work/src/a.py"),
        read("src/../src/a.py"),
    ]
    same = [read_as(word) for word in words]
    assert [5] == moments(watch(RepeatedFile(), *same, root="/work"))


def read_as(word):
    """The same output whatever the spelling of the path."""
    import msgspec

    return lambda place: [word(place)[0], msgspec.structs.replace(word(place)[1], output="content")]


def test_a_new_page_after_many_rereads_is_none_of_them():
    page, next_page = read(offset=1, limit=100), read(offset=101, limit=100)
    assert [5, 7] == sightings(RepeatedFile(), *[page] * 5, next_page, page)


def test_the_first_read_repeats_nothing():
    assert RepeatedFile(limit=1).settings_error(Sizes()) and not RepeatedFile(limit=2).settings_error(Sizes())


def test_reads_of_one_parallel_batch_count_once():
    assert [] == watch(RepeatedFile(), *[read(batch="b")] * 8)
    assert [5] == moments(watch(RepeatedFile(), *(read(batch=f"b{n}") for n in range(5))))


def test_half_of_the_lines_must_be_known():
    def after_the_first_hundred(offset):
        return moments(watch(RepeatedFile(limit=2), read(offset=1, limit=100), read(offset=offset, limit=100)))

    assert [2] == after_the_first_hundred(51)
    assert [] == after_the_first_hundred(52)


def test_what_shows_nothing_shows_no_known_lines():
    """Pages without text, and keys that are not there: each is asked for once."""
    assert [] == watch(RepeatedFile(), *(shell(f"pdftotext -f {n} -l {n} deed.pdf -", "") for n in range(12)))
    assert [] == watch(RepeatedFile(), *(shell(f"jq .k{n} settings.json", "null") for n in range(12)))
