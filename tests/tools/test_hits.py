"""How much a search found."""

import pytest

from headway.tools.hits import count_hits, hits_in
from headway.tools.kinds import Meaning
from headway.tools.shell import read_command

SEARCH = Meaning("search")

TEXTS = [
    ("", 0),
    ("  \n", 0),
    ("(no output)", 0),
    ("No matches found", 0),
    ("No files found", 0),
    ('No matches found for "x" in /src', 0),
    ("Found 0 files", 0),
    ("0 results", 0),
    ("No results found for query", 0),
    ("[]", 0),
    ('{"results": []}', 0),
    ("Found 12 files\n/a.py\n/b.py", 12),
    ('Found 3 matches for "x" in /src:\nLine 1: x', 3),
    ("More than 239 files matched", 239),
    ('No matches found for "x" in /src\nFound 3 matches for "y" in /src:\n/src/a.py (3 matches)', 3),
    ('No matches found for "x" in /src\nNo matches found for "y" in /src', 0),
    ("/a.py\n/b.py\n\n/c.py", 3),
    ("a.py:1:No matches found\nb.py:2:x", 2),
    ('[{"id": 1}, {"id": 2}]', 2),
    ("[not json", 1),
    ("find: 'x': Permission denied\n/a.py", 1),
    ("/a.py\n[Python Interpreter: /x]\n[Command finished with exit code 0]", 1),
    ("\n[The command completed with exit code 1.]\n[Current working directory: /w]\n[Python interpreter: /x]", 0),
    ("Command exited with code 1", 0),
    ("(no output)\n\nCommand exited with code 1", 0),
    ('{"output":"","metadata":{"exit_code":1,"duration_seconds":0.0}}', 0),
    ('{"output":"a.py:1:x\\nb.py:2:x\\n","metadata":{"exit_code":0,"duration_seconds":0.0}}', 2),
    ("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\na.py:1:x\n", 1),
    ("<untrusted_context>\nOutput: a.py:1:x\nProcess Group PGID: 1\n</untrusted_context>", 1),
    ("a.py:1:x\n<system-reminder>\nBe careful.\nVery.\n</system-reminder>", 1),
    ("a.py:1:x\n<shellId: 0 completed with exit code 0>", 1),
]


@pytest.mark.parametrize(("output", "hits"), TEXTS)
def test_hits_in_text(output, hits):
    assert hits == count_hits(SEARCH, output, None, False)


def test_only_searches_that_worked_are_counted():
    assert None is count_hits(Meaning("read"), "a\nb", 0, False)
    assert None is count_hits(Meaning("list"), "", 0, False)
    assert None is count_hits(SEARCH, "grep: x: No such file", 2, True)


def test_grep_says_by_its_exit_code_that_it_found_nothing():
    assert 0 == count_hits(read_command("grep -n x a.py"), "some remark of the host", 1, False)
    assert 1 == count_hits(read_command("grep -n x a.py"), "1:x", 0, False)


STRUCTURED = [
    ({"mode": "files_with_matches", "filenames": ["a", "b"], "numFiles": 2}, 2),
    ({"mode": "files_with_matches", "filenames": [], "numFiles": 0}, 0),
    ({"mode": "content", "numFiles": 0, "filenames": [], "content": "a:1:x\nb:2:x", "numLines": 2}, 2),
    ({"mode": "content", "numFiles": 0, "filenames": [], "content": "a:1:x"}, 1),
    ({"mode": "count", "numFiles": 2, "filenames": [], "content": "a:3\nb:4", "numMatches": 7}, 7),
    ({"filenames": ["a"], "numFiles": 1, "durationMs": 5, "truncated": False, "totalMatches": 1}, 1),
    ({"count": 0}, 0),
    ({"total_count": 3, "items": [1, 2, 3]}, 3),
    ({"matches": []}, 0),
    ({"result": {"files": ["a"]}}, 1),
    ([], 0),
    ([1, 2, 3], 3),
    ([{"type": "text", "text": "x"}], None),
    ({"count": True}, None),
    ({"stdout": "x"}, None),
    ({}, None),
    ("text", None),
    (None, None),
    (5, None),
]


@pytest.mark.parametrize(("value", "hits"), STRUCTURED)
def test_hits_in_structured_results(value, hits):
    assert hits == hits_in(value)


def test_structured_output_of_a_search_is_counted():
    assert 2 == count_hits(SEARCH, {"matches": ["a", "b"]})
    assert 2 == count_hits(SEARCH, [{"type": "text", "text": "a.py\nb.py"}])
