"""Nothing that agents or hosts send makes this room raise, or take long."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.tools.hits import count_hits, hits_in
from headway.tools.kinds import KINDS, MOST_PATHS, Meaning
from headway.tools.meaning import Vocabulary
from headway.tools.outcome import first_error_line, looks_failed
from headway.tools.shell import read_command
from tests.conftest import examples
from tests.cost import costs_at_most

VOCABULARY = Vocabulary.packaged()

TOOLS = [
    "Read",
    "Bash",
    "shell",
    "Grep",
    "apply_patch",
    "str_replace_editor",
    "write_stdin",
    "read_file",
    "open",
    "python",
]
NAMES = [
    "command",
    "cmd",
    "path",
    "file_path",
    "view_range",
    "offset",
    "limit",
    "query",
    "pattern",
    "input",
    "code",
    "chars",
]
SHELL_TEXT = st.text(alphabet=st.sampled_from("ab /.'\"\\$()`<>|&;\n\t#{}[]=-0123456789!*~"), max_size=80)
SHELL_WORDS = st.lists(
    st.sampled_from(
        [
            "cat",
            "grep",
            "sed",
            "awk",
            "head",
            "tail",
            "find",
            "xargs",
            "git",
            "python",
            "-m",
            "-c",
            "-n",
            "-e",
            "10,20p",
            "f.py",
            "|",
            "&&",
            "||",
            ";",
            ">",
            ">>",
            "<",
            "<<EOF",
            "EOF",
            "'x'",
            '"',
            "(",
            ")",
            "{",
            "}",
            "sleep",
            "5",
            "cd",
            "..",
            "tee",
            "bash",
            "-lc",
            "rm",
            "make",
            "npm",
            "run",
            "test",
            "curl",
            "localhost",
            "timeout",
            "docker",
            "exec",
            "kubectl",
            "get",
            "$(ls)",
            "`",
            "&",
            "2>&1",
        ]
    ),
    max_size=25,
).map(" ".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | SHELL_TEXT,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=10,
)
MEANINGS = st.builds(Meaning, kind=st.sampled_from(sorted(KINDS)), command=st.none() | SHELL_TEXT)
CODES = st.none() | st.integers(-1, 3)


def faults(meaning: Meaning) -> list[str]:
    """What should hold for every meaning, and does not for this one."""
    rules = {
        "a known kind": meaning.kind in KINDS,
        "not too many paths": len(meaning.paths) <= MOST_PATHS,
        "the first path is the path": not meaning.paths or meaning.path == meaning.paths[0],
        "a short command": len(meaning.command or "") <= 500,
        "a short query": len(meaning.query or "") <= 500,
        "an edit changes something": meaning.changes or meaning.kind not in ("write", "edit"),
        "lines in order": meaning.lines is None or 1 <= meaning.lines[0] <= meaning.lines[1],
    }
    return [rule for rule, holds in rules.items() if not holds]


@given(tool=st.sampled_from(TOOLS) | st.text(max_size=30) | st.none(), args=JSON)
@settings(max_examples=examples(500))
def test_any_call_has_a_meaning(tool, args):
    assert [] == faults(VOCABULARY.meaning(tool, args))


@given(tool=st.sampled_from(TOOLS), args=st.dictionaries(st.sampled_from(NAMES), JSON, max_size=6))
@settings(max_examples=examples(500))
def test_any_arguments_of_known_tools_have_a_meaning(tool, args):
    assert [] == faults(VOCABULARY.meaning(tool, args))


@given(SHELL_TEXT | SHELL_WORDS | st.text())
@settings(max_examples=examples(1_000))
def test_any_command_has_a_meaning(command):
    assert [] == faults(read_command(command))


@given(args=JSON)
def test_identity_keeps_something_of_everything(args):
    kept = VOCABULARY.identity(args)
    assert bool(kept) == (isinstance(args, dict) and bool(args))


@given(meaning=MEANINGS, output=st.text() | JSON, code=CODES, failed=st.booleans())
@settings(max_examples=examples(500))
def test_any_output_has_an_outcome(meaning, output, code, failed):
    assert looks_failed(meaning, output, code) in (True, False)
    hits = count_hits(meaning, output, code, failed)
    assert hits is None or hits >= 0
    line = first_error_line(output)
    assert len(line) <= 300 and "\n" not in line
    found = hits_in(output)
    assert found is None or found >= 0


@given(st.text(min_size=1).filter(lambda text: text.strip()))
def test_the_telling_line_is_a_line_of_the_output(text):
    """It is quoted, never made up (colours and the host's own lines aside)."""
    line = first_error_line(text)
    assert line in text or "\x1b" in text


MEGABYTE = 1_000_000
SEEDS = [
    "a", " ", "\n", "'", '"', "$(", "(", ")", "`", "\\", "<<E\n", "<<E ", "E\n<<E", "$(cat <<EOF\n", "a=$((", "|", "> ",
    "2>&1 ", "cat f; ", "cd a && ", "sudo ", "bash -c '", "error ", "Error: ", "\nError", "exit code ", "[", "<", "a: ",
    "Traceback (most recent call last)\n", "0 errors\n", "found 0 ", "*** Update File: a\n", "NR>=1 ", "/", "./", "\0",
    "é", "FAILED ", "{", '{"output":"', ": No such file or directory", "\u00a0", " \u00a0", "-", "=", "-a ", "A.",
]  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_a_megabyte_takes_no_longer_than_a_few_passes(seed):
    """Work is bounded: compared with plain passes over the text, and generously, because machines are busy."""
    text = seed * (MEGABYTE // len(seed))

    def is_cheap(function, *args):
        return costs_at_most(200, lambda: function(*args), lambda: text.count("\n"), slack=0.02)

    assert is_cheap(read_command, text)
    assert is_cheap(VOCABULARY.meaning, "apply_patch", {"input": text})
    assert is_cheap(VOCABULARY.meaning, text, {text: text})
    for kind in ("run", "search", "test"):
        assert is_cheap(looks_failed, Meaning(kind), text, None)
    assert is_cheap(count_hits, Meaning("search"), text, None, False)
    assert is_cheap(first_error_line, text)
