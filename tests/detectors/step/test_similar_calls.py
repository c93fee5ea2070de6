import pytest

from headway.core.limits import Sizes
from headway.detectors.step.similar_calls import SimilarCalls
from tests.streams import call, compaction, edit, moments, read, search, shell, user, watch


def grep(pattern, output="src/auth.py:3: def login(user):", tool="Grep", **more):
    return call(tool, {"pattern": pattern, "path": "src"}, output, **more)


ALIKE = [grep("def login"), grep("def login("), grep("def  login")]


def test_speaks_at_the_third_similar_call():
    found = watch(SimilarCalls(), *ALIKE, grep("def login.*"))

    assert [3] == moments(found)
    assert {"count": 3, "tool_name": "Grep"} == found[0][1].evidence
    assert found[0][1].message.startswith("3 similar Grep calls")


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
        assert [] == watch(SimilarCalls(), *ALIKE[:2], interruption, *ALIKE[:2])


def test_similar_writes_to_many_files_stay_quiet():
    """gemini-cli#5873, #7950: a batch of similar edits is work."""
    words = [call("Write", {"file_path": f"src/part{n}.py", "content": "x = 1"}, "written") for n in range(8)]
    assert [] == watch(SimilarCalls(), *words)


def test_looks_at_the_last_ten_steps():
    others = [read(f"{n}.py") for n in range(8)]
    assert [10] == moments(watch(SimilarCalls(), ALIKE[0], *others[:7], *ALIKE[1:]))
    assert [] == watch(SimilarCalls(), ALIKE[0], *others, *ALIKE[1:])


@pytest.mark.parametrize(
    "words",
    [
        [shell(f"./deploy.sh part{n}", "done") for n in range(5)],
        [grep(f"def login{n}", "Error: no such folder", failed=True) for n in range(5)],
        [call("BashOutput", {"bash_id": "1", "filter": f"line{n}"}, "still running") for n in range(5)],
        [grep(f"def login{n}", tool=tool) for n in range(2) for tool in ("Grep", "SearchText")],
        [grep(f"def login{n}", batch="b") for n in range(5)],
        [grep("def login", "a.py"), grep("def login(", "b.py"), grep("def  login", "a.py")],
    ],
    ids=["deeds", "failures", "polls", "two tools", "a parallel batch", "two results"],
)
def test_stays_quiet_for(words):
    assert [] == watch(SimilarCalls(), *words)


def test_it_takes_two_to_be_similar():
    assert SimilarCalls(limit=1).settings_error(Sizes()) and not SimilarCalls(limit=2).settings_error(Sizes())


def test_says_if_results_are_the_same_only_apart_from_ids():
    def told(*outputs):
        words = [call("WebSearch", {"query": "login page " + "?" * n}, output) for n, output in enumerate(outputs)]
        return watch(SimilarCalls(), *words)[0][1].message

    assert told(*["nothing new"] * 3).endswith("returned the same result.")
    one, other = (
        f"request {id}" for id in ("0b54f7e2-71c9-4c0e-9a43-0d5f6a7b8c9d", "6f9619ff-8b86-d011-b42d-00c04fc964ff")
    )
    assert told(one, other, one).endswith("the same result, times and ids aside.")
