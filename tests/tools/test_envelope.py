"""Telling a host's words from a tool's output."""

import pytest

from headway.tools.envelope import Output, body, plain_text, stated_exit_code

CODES = [
    ("x\n[Command finished with exit code 1]", 1),
    ("[The command completed with exit code 0.]\n[Current working directory: /w]", 0),
    ("x\n[Command finished with exit code -1]", -1),
    ("Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 3\nOutput:\nx", 3),
    ("Exit code 2\nx", 2),
    ("Error: Exit code 2\nx", 2),
    ("x\nExit Code: 7\nProcess Group PGID: 1", 7),
    ("x\n<shellId: 1 completed with exit code 4>", 4),
    ("x\n\nCommand exited with code 5", 5),
    ("exitcode: 1 (execution failed)\nCode output: x", 1),
    ("The script ran, then exited with Unix exit code: 0", 0),
    ('{"output":"x","metadata":{"exit_code":6}}', 6),
    ("x\n[exit code 9]", 9),
    ("exit code: 9", 9),
    ("nothing here", None),
    ("The manual says that exit code 1 means trouble", None),
    ("sys.exit(1)", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "code"), CODES)
def test_stated_exit_codes(text, code):
    assert code == stated_exit_code(text)


def test_an_exit_code_in_the_middle_of_a_long_text_is_not_the_hosts():
    assert None is stated_exit_code("x\n" * 500 + "Exit code 1\n" + "x\n" * 500)


BODIES = [
    ("plain\ntext", "plain\ntext"),
    ("x\n[Python Interpreter: /a/b]\n[Command finished with exit code 0]", "x"),
    (
        "Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 2\nOutput:\nhello\n",
        "\nhello",
    ),
    ("Command: echo\nDirectory: (root)\nOutput: hello\nError: (none)\nExit Code: 0\nSignal: (none)", "hello"),
    ("(no output)", ""),
    ("<no output>", ""),
    ("Command ran successfully with no output", ""),
    ("x <system-reminder>\nhm\n</system-reminder>\n", "x "),
    ("[section]\nkey = 1\n[other]", "[section]\nkey = 1\n[other]"),
    (
        '{"meta": null, "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "isError": true}',
        "a\nb",
    ),
    ('{"content": [{"type": "text", "text": "cut of', '{"content": [{"type": "text", "text": "cut of'),
    ("x\nError: user not found", "x\nError: user not found"),
]


@pytest.mark.parametrize(("text", "inner"), BODIES)
def test_bodies(text, inner):
    assert inner.strip() == body(text).strip()


def test_text_is_found_in_any_shape():
    assert "a\nb" == plain_text([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])
    assert "out\nerr" == plain_text({"stdout": "out", "stderr": "err"})
    assert "5" == plain_text(5)
    assert "" == plain_text(None)


def test_a_short_output_that_comes_again_is_not_read_again():
    one, again, failed = (Output.remembered("3 passed in 0.1s", code) for code in (None, None, 1))
    assert one is again and (one.exit_code, failed.exit_code) == (None, 1)
    assert Output.remembered("long " * 1_000, None) is not Output.remembered("long " * 1_000, None)
