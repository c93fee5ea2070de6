"""The totals of linters, type checkers and compilers, from real outputs of real tools (`outputs/`)."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.tools.problems_seen import ProblemsSeen, problems_seen
from tests.cost import costs_at_most

OUTPUTS = Path(__file__).parent / "outputs"

PROBLEMS = [
    ("ruff/errors", 4, None, "ruff"),
    ("ruff/concise", 4, None, "ruff"),
    ("ruff/fixed", 1, None, "ruff"),
    ("ruff/clean", 0, None, "ruff"),
    ("mypy/errors", 2, None, "mypy"),
    ("mypy/clean", 0, None, "mypy"),
    ("pyright/errors", 2, 0, "pyright"),
    ("pyright/clean", 0, 0, "pyright"),
    ("flake8/errors", 5, None, "flake8"),
    ("flake8/counted", 5, None, "flake8"),
    ("pylint/errors", 1, 5, "pylint"),
    ("eslint/errors", 3, 3, "eslint"),
    ("eslint/warnings", 0, 1, "eslint"),
    ("tsc/errors", 3, None, "tsc"),
    ("tsc/pretty", 3, None, "tsc"),
    ("tsc/pretty_one", 1, None, "tsc"),
    ("gcc/errors", 2, 2, "gcc"),
    ("gcc/warnings", 0, 1, "gcc"),
    ("gcc/cpp", 1, 0, "gcc"),
    ("gcc/make", 2, 3, "gcc"),
    ("clang/errors", 3, 1, "clang"),
    ("clang/warnings", 0, 1, "clang"),
    ("rustc/rustc", 2, None, "rustc"),
    ("rustc/warning", 0, 1, "rustc"),
    ("rustc/cargo_build", 1, None, "rustc"),
    ("rustc/cargo_warning", 0, 1, "rustc"),
    ("cargo/compile_error", 2, None, "rustc"),
    ("gobuild/errors", 2, None, "go"),
    ("gobuild/vet", 1, None, "go"),
    ("javac/errors", 2, None, "javac"),
    ("javac/one", 1, None, "javac"),
    ("maven/compile_error", 1, None, "maven"),
]
"""A file of outputs: errors, warnings, and whose they are."""

COUNTED = ("gcc/", "flake8/", "pylint/", "tsc/errors", "gobuild/")


def output(name: str) -> str:
    return (OUTPUTS / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "errors", "warnings", "tool"), PROBLEMS)
def test_a_real_output_is_read_exactly(name, errors, warnings, tool):
    assert ProblemsSeen(errors, warnings, tool) == problems_seen(output(name))


@pytest.mark.parametrize(("name", "errors", "warnings", "tool"), PROBLEMS)
def test_a_clipped_output_is_right_or_unknown(name, errors, warnings, tool):
    text = output(name)
    seen = problems_seen(text[: len(text) // 4] + "\n… 99 characters left out …\n" + text[len(text) // 2 :])

    assert seen in (None, ProblemsSeen(errors, warnings, tool))


@pytest.mark.parametrize("row", [row for row in PROBLEMS if row[0].startswith(COUNTED)], ids=lambda row: row[0])
def test_lines_are_not_counted_where_some_are_left_out(row):
    assert None is problems_seen("… 99 characters left out …\n\n" + output(row[0]))


def test_of_several_tools_the_last_one_counts():
    assert ProblemsSeen(2, None, "mypy") == problems_seen(output("ruff/errors") + output("mypy/errors"))
    assert ProblemsSeen(0, None, "ruff") == problems_seen(output("mypy/errors") + output("ruff/clean"))


def test_an_output_inside_an_envelope_is_read():
    wrapped = msgspec.json.encode({"output": output("mypy/errors"), "metadata": {"exit_code": 1}}).decode()

    assert ProblemsSeen(2, None, "mypy") == problems_seen(wrapped)
    assert ProblemsSeen(2, None, "mypy") == problems_seen(f"Exit code: 1\nOutput:\n{output('mypy/errors')}")


NOT_FOOLED = [
    "",
    "0 errors",
    "Installed 3 packages in 12ms",
    "handles 3 errors and 2 warnings gracefully",
    "src/a.py:3:    print('Found 3 errors.')",
    "README.md:9:Found 2 errors in 1 file (checked 1 source file)",
    "error: pathspec 'x' did not match any file(s) known to git",
    "Traceback (most recent call last):\nValueError: bad",
    "main.go:3:5: is where it begins",
    "All checks passed by the committee",
    "2 errors",
]


@pytest.mark.parametrize("text", NOT_FOOLED)
def test_words_about_errors_are_not_a_total(text):
    assert None is problems_seen(text)


WORDS = st.sampled_from(
    "Found |3 |errors|.|\n|a.c:1:2: error: |error: |due to | previous errors|(|)| warnings| generated.|# a\n|a.go:1:2: x"
    "|✖ | problems|999999999999|, |All checks passed!|a.py:1:1: E501 x|informations|COMPILATION ERROR|[INFO] ".split(
        "|"
    )
)


@given(st.text() | st.lists(WORDS, max_size=60).map("".join))
def test_any_text_is_read_without_an_error(text):
    seen = problems_seen(text) or ProblemsSeen()

    assert all(number is None or number >= 0 for number in (seen.errors, seen.warnings))


TRAPS = {
    "complaints": "\na.c:1:2: error: x",
    "one line": "a.c:1:2: error ",
    "colons": "\n" + "a:" * 40,
    "parentheses": "\n" + "a(1,2" * 20 + " error TS",
    "due to": "\nerror: could not due to due to previous",
}


@pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS)
def test_ten_times_the_text_takes_no_more_than_some_ten_times_the_time(trap):
    small, large = (trap * (size // len(trap)) + "\nerror: x\n" for size in (7_000, 70_000))

    assert costs_at_most(40, lambda: problems_seen(large), lambda: problems_seen(small), slack=0.002)
