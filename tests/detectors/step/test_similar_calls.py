from headway.detectors.step.similar_calls import SimilarCalls
from tests.streams import call, compaction, edit, moments, read, search, user, watch


def grep(pattern, output="src/auth.py:3: def login(user):"):
    return call("Grep", {"pattern": pattern, "path": "src"}, output)


ALIKE = [grep("def login"), grep("def login("), grep("def  login")]


def test_speaks_at_the_third_similar_call():
    found = watch(SimilarCalls(), *ALIKE, grep("def login.*"))

    assert [3] == moments(found)
    assert {"count": 3, "tool_name": "Grep"} == found[0][1].evidence


def test_stays_quiet_at_the_second():
    assert [] == watch(SimilarCalls(), *ALIKE[:2])


def test_stays_quiet_when_each_call_brings_something_new():
    assert [] == watch(SimilarCalls(), *(grep(f"def login{n}", f"src/{n}.py: def login{n}") for n in range(5)))


def test_stays_quiet_for_equal_calls():
    """Those are exact_cycle's."""
    assert [] == watch(SimilarCalls(), *[grep("def login")] * 4)


def test_stays_quiet_for_unlike_calls_with_the_same_result():
    words = [search("quaternion", 0), search("zebra crossing", 0), search("invoice_total", 0)]
    assert [] == watch(SimilarCalls(), *words)


def test_reads_are_left_to_repeated_file():
    assert [] == watch(SimilarCalls(), *(read("a.py", offset=n, limit=9, output="same") for n in range(5)))


def test_an_edit_a_compaction_or_the_user_starts_anew():
    for interruption in (edit(), compaction(), user()):
        assert [] == watch(SimilarCalls(), *ALIKE[:2], interruption, ALIKE[2])


def test_similar_writes_to_many_files_stay_quiet():
    """gemini-cli#5873, #7950: a batch of similar edits is work."""
    words = [call("Write", {"file_path": f"src/part{n}.py", "content": "x = 1"}, "written") for n in range(8)]
    assert [] == watch(SimilarCalls(), *words)
