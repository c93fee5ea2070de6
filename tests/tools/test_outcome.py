"""Whether a call failed, and which line says so."""

import pytest

from headway.tools.kinds import Meaning
from headway.tools.outcome import first_error_line, looks_failed
from headway.tools.shell import read_command

FAILED = [
    ("run", "Traceback (most recent call last):\n  File 'a.py', line 1\nValueError: x"),
    ("run", "working\n" * 500 + "Traceback (most recent call last):\n  File 'a.py'\nKeyError: 'x'"),
    ("run", "Error: could not connect"),
    ("run", "bash: foo: command not found"),
    ("run", "zsh: no such file or directory: ./x\nzsh: permission denied: ./x"),
    ("run", "python3: can't open file 'x.py': [Errno 2] No such file or directory"),
    ("run", "doing things\n[Command finished with exit code 1]"),
    ("run", "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nhello"),
    ("run", "Exit code 1\nsome output"),
    ("run", "Error: Exit code 127\nfoo: not found"),
    ("run", "output\n<shellId: 1 completed with exit code 1>"),
    ("run", "Command: x\nOutput: y\nError: (none)\nExit Code: 1\nSignal: (none)"),
    ("run", '{"output":"x","metadata":{"exit_code":1,"duration_seconds":0.0}}'),
    ("run", "E: Unable to locate package foo"),
    ("read", "<tool_use_error>File does not exist.</tool_use_error>"),
    ("read", "cat: a.py: No such file or directory"),
    ("read", "File not found: a.py"),
    ("read", "Path does not exist"),
    ("read", "ERROR:\nInvalid `path` parameter"),
    ("edit", "ERROR:\nNo replacement was performed, old_str `x` did not appear verbatim"),
    ("edit", "String to replace not found in file."),
    ("edit", "[No exact match found in a.py for\n```\nx\n```\n]"),
    ("edit", "Your proposed edit has introduced new syntax error(s).\n" + "code\n" * 1000),
    ("plan", "The user doesn't want to proceed with this tool use."),
    ("search", "grep: src: No such file or directory"),
    ("search", "Error: user not found"),
    ("vcs", "fatal: not a git repository"),
    ("vcs", "Auto-merging a.py\nerror: could not apply 1234"),
    ("test", "...F..\n==== 1 failed, 5 passed in 0.1s ===="),
    ("test", "\x1b[31m FAIL \x1b[0m src/a.test.ts"),
    ("test", "FAILED (failures=1)"),
    ("build", "src/a.ts(1,2): error TS2304: Cannot find name 'x'."),
    ("build", "error[E0425]: cannot find value `x`"),
    ("build", "make: *** [all] Error 2"),
    ("build", "npm ERR! code ELIFECYCLE"),
    ("other", "Command timed out after 120 seconds"),
    ("run", "The last command <command>python train.py</command> timed out and has been killed."),
    ("run", "<returncode>1</returncode>\n<output>\nall good\n</output>"),
    ("read", "File content (30000 tokens) exceeds maximum allowed tokens (25000). Please use offset and limit."),
    ("search", "spawn /usr/local/lib/ripgrep/rg EACCES"),
    ("search", "Error"),
    ("edit", "No edit history found for /src/a.py."),
    ("edit", "Invalid `insert_line` parameter: 900. It should be within the lines of the file: [0, 20]"),
    ("test", "/usr/bin/python: No module named pytest"),
    ("edit", "  Cell In[4], line 10\n    a = '\n        ^\nSyntaxError: unterminated string literal"),
    ("vcs", "licence..................Failed\n- hook id: licence\n- exit code: 1"),
    ("other", '422 {"detail": "amount: expected a string"}'),
    ("other", "---------------\nTypeError                 Traceback (most recent call last)\nCell In[1]"),
]

FINE = [
    ("run", ""),
    ("run", "all good"),
    ("run", "Successfully installed foo-1.0"),
    ("run", "0 errors, 0 warnings"),
    ("run", "Testing the error handling\ndone"),
    ("run", "done\n[Command finished with exit code 0]"),
    ("run", "Error: near FROM: syntax error\n[Command finished with exit code 0]"),
    ("run", "Process exited with code 0\nOutput:\nError: this one was expected"),
    ("run", "Error: (none)\nExit Code: 0"),
    ("run", "<returncode>0</returncode>\n<output>\nTraceback (most recent call last):\nValueError: x\n</output>"),
    ("read", "spawn a process; it exceeds maximum allowed patience\n" + "text\n" * 500),
    ("search", "Errors and how to read them\nNo module named anything here"),
    ("read", "def f():\n    raise ValueError('x')\n\nError: not an error"),
    ("read", "     1\tTraceback (most recent call last) is what Python prints"),
    ("read", "# File not found: how to handle it\n" + "text\n" * 500),
    ("read", "Cannot and will not: a novel.\n" + "text\n" * 500),
    ("read", "log line\nTraceback (most recent call last):\n  x\nValueError: y"),
    ("search", "src/a.py:10: raise FileNotFoundError('No such file or directory')\nsrc/b.py:1: x"),
    ("search", "No matches found"),
    ("list", "error.log\nfatal.txt"),
    ("web", "404 ways to cook an egg\nError: none of them is wrong"),
    ("vcs", "commit 123\n\n    fix: Error: in parser\n    fatal: mistake"),
    ("vcs", "+Error: x\n-fatal: y"),
    ("test", "==== 5 passed in 0.1s ===="),
    ("test", "test result: ok. 5 passed; 0 failed"),
    ("build", "webpack compiled successfully with 0 errors"),
    ("poll", "12:00 ERROR something in a log"),
    ("delegate", "I found the Error: it was in a.py"),
]


@pytest.mark.parametrize(("kind", "output"), FAILED)
def test_looks_failed(kind, output):
    assert looks_failed(Meaning(kind), output, None)


@pytest.mark.parametrize(("kind", "output"), FINE)
def test_looks_fine(kind, output):
    assert not looks_failed(Meaning(kind), output, None)


def test_an_exit_code_decides():
    assert looks_failed(Meaning("run"), "all good", 1)
    assert not looks_failed(Meaning("run"), "Traceback (most recent call last):", 0)


def test_a_search_that_finds_nothing_has_not_failed():
    grep = read_command("grep -n x a.py")
    assert not looks_failed(grep, "", 1)
    assert not looks_failed(grep, "\n[Command finished with exit code 1]")
    assert not looks_failed(Meaning("search"), "No files found", 1)
    assert looks_failed(grep, "grep: a.py: No such file or directory", 2)
    assert looks_failed(Meaning("search"), "hits:\n1\n2", 1)


def test_a_difference_is_an_answer():
    assert not looks_failed(read_command("diff a b"), "1c1\n< x\n> y", 1)
    assert looks_failed(read_command("diff a b"), "diff: b: No such file", 2)
    assert not looks_failed(read_command("git diff --exit-code"), "+x", 1)


def test_structured_output_is_read_by_its_text():
    assert looks_failed(Meaning("run"), {"stdout": "", "stderr": "bash: x: command not found"})
    assert looks_failed(Meaning("run"), [{"type": "text", "text": "Error: x"}])
    assert not looks_failed(Meaning("run"), {"stdout": "fine", "stderr": ""})


TELLING = [
    ("Traceback (most recent call last):\n  File 'a'\n    x\nValueError: bad\n", "ValueError: bad"),
    (
        "Traceback (most recent call last):\n  a\nKeyError: 1\n\nDuring handling of the above exception, another"
        " exception occurred:\n\nTraceback (most recent call last):\n  b\nmy.Custom: two\nmore",
        "my.Custom: two",
    ),
    (
        "collecting\n\nsrc/a.ts(1,2): error TS2304: Cannot find name 'x'.\ndone",
        "src/a.ts(1,2): error TS2304: Cannot find name 'x'.",
    ),
    ("= FAILURES =\n    def f():\n>       assert 1 == 2\nE       assert 1 == 2\n1 failed", "E       assert 1 == 2"),
    ("0 errors so far\nsomething failed badly\n", "something failed badly"),
    ("Exit code 1\ncat: x: No such file or directory", "cat: x: No such file or directory"),
    (
        "ERROR:\nNo replacement was performed, old_str `raise InvalidError`",
        "No replacement was performed, old_str `raise InvalidError`",
    ),
    ("Successfully edited a.py\n[TEST] FAIL (file=a.py)", "[TEST] FAIL (file=a.py)"),
    ("just some text\nmore", "just some text"),
    ("\x1b[31merror: red\x1b[0m", "error: red"),
    ("", ""),
    (None, ""),
    ({"stderr": "fatal: x"}, "fatal: x"),
    (
        "bash: foo: command not found\n[Python Interpreter: /x]\n[Command finished with exit code 127]",
        "bash: foo: command not found",
    ),
]


@pytest.mark.parametrize(("output", "line"), TELLING)
def test_the_telling_line(output, line):
    assert line == first_error_line(output)


@pytest.mark.parametrize(
    "line",
    [
        "E   assert 1 == 2",
        "FAILED tests/test_a.py::test_b",
        "src/a.c:1:2: fatal error: no.h",
        "my.module.OddException",
        "npm ERR! code 1",
        "panic: it fell over",
        "make: *** [all] 2",
        "x: command not found",
        "x: NO SUCH FILE OR DIRECTORY",
        "x: Permission denied",
        "The request timed out",
        "thread main PANICKED here",
    ],
)
def test_the_telling_line_stands_after_others(line):
    plain = "İstanbul, a line of a log\n" * 3
    assert line == first_error_line(f"{plain}{line}\n{plain}")


def test_letters_that_a_pattern_takes_for_i_and_s_are_those():
    """`re.IGNORECASE` does, `str.lower` does not."""
    assert "connection refuſed by peer" == first_error_line("starting up\nconnection refuſed by peer\nbye")
    assert "derleme faıled" == first_error_line("Derleme başladı\nderleme faıled\nbitti")


@pytest.mark.parametrize(
    "mark",
    [
        "…[1098 chars clipped]…",
        "[... 200 lines truncated ...]",
        "(1,024 characters left out)",
        "<3 more lines omitted>",
    ],
)
def test_the_mark_of_a_cut_is_no_error(mark):
    """Otherwise all failures that were cut would look the same."""
    trace = 'Traceback (most recent call last):\n  File "a.py", line 1'
    assert "ValueError: no" == first_error_line(f"{trace}\n{mark}\nValueError: no")
    assert "it fell over" == first_error_line(f"{mark}\nit fell over")


def test_the_telling_line_is_clipped():
    assert 300 == len(first_error_line("Error: " + "x" * 1_000))
