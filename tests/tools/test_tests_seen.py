"""The test result that an output shows, from real outputs of real runners (`outputs/`)."""

import re
from itertools import product
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.tools import tests_seen as reading
from headway.tools.tests_seen import TestsSeen
from tests.cost import costs_at_most

OUTPUTS = Path(__file__).parent / "outputs"

PYTEST = (
    "test_bad.py::TestSum::test_small",
    "test_bad.py::test_words[a b]",
    "test_bad.py::test_words[c - d]",
    "test_bad.py::test_needs",
)
UNITTEST = (
    "test_error (test_bad.Bad.test_error)",
    "test_parts (test_bad.Bad.test_parts) (part=1)",
    "test_parts (test_bad.Bad.test_parts) (part=2)",
    "test_sum (test_bad.Bad.test_sum)",
)
JEST = ("bad.test.js › sum › small numbers", "bad.test.js › sum › large › throws (12 ms)")
VITEST = ("bad.test.js > sum > small numbers", "bad.test.js > sum > large > throws")
MOCHA = ("sum › small numbers", "sum › large › throws")
NODE = ("bad.test.js › small numbers", "bad.test.js › throws")
CARGO = ("sum::large", "sum::small")
GO = ("example.org/parts/bad.TestSum/small_numbers", "example.org/parts/bad.TestPlain")
CTEST = ("small numbers", "slow", "gone")
RSPEC = ("./spec/bad_spec.rb sum small numbers", "./spec/bad_spec.rb sum large throws")
MINITEST = ("Bad#test_throws", "Bad#test_small_numbers")
PHPUNIT = ("BadTest::testThrows", "BadTest::testSmallNumbers", 'BadTest::testWords with data set "two"')
EXUNIT = ("test small numbers (BadTest)", "test throws (BadTest)")
MAVEN = ("BadTest.smallNumbers", "BadTest.throwsError")

RESULTS = [
    ("pytest/pass", 2, 0, 1, ()),
    ("pytest/pass_quiet", 2, 0, 1, ()),
    ("pytest/mixed", 2, 4, 2, PYTEST),
    ("pytest/mixed_quiet", 2, 4, 2, PYTEST),
    ("pytest/mixed_quieter", None, 4, None, PYTEST),
    ("pytest/mixed_verbose", 2, 4, 2, PYTEST),
    ("pytest/mixed_verbose_no_summary", 2, 4, 2, PYTEST),
    ("pytest/mixed_no_summary", 2, 4, 2, ("test_needs",)),
    ("pytest/mixed_all_reasons", 2, 4, 2, (PYTEST[3], *PYTEST[:3])),
    ("pytest/mixed_colour", 2, 4, 2, PYTEST),
    ("pytest/warnings", 3, 0, 1, ()),
    ("pytest/warnings_quiet", 1, 4, 1, PYTEST),
    ("pytest/stop_at_first", 0, 1, 0, PYTEST[:1]),
    ("pytest/none_ran", 0, 0, 0, ()),
    ("pytest/no_such_test", 0, 0, 0, ()),
    ("pytest/collection_error", None, 1, 0, ("test_gone.py",)),
    ("pytest/collection_error_quiet", 2, 5, 2, (*PYTEST[:3], "test_gone.py", PYTEST[3])),
    ("unittest/pass", 1, 0, 1, ()),
    ("unittest/mixed", 1, 4, 2, UNITTEST),
    ("unittest/mixed_verbose", 1, 4, 2, UNITTEST),
    ("unittest/import_error", 0, 1, 0, ("test_missing (unittest.loader._FailedTest.test_missing)",)),
    ("unittest/none", 0, 0, 0, ()),
    ("django/mixed", 1, 1, 0, ("test_sum (shop.tests.ShopTests.test_sum)",)),
    ("jest/pass", 1, 0, 2, ()),
    ("jest/pass_verbose", 1, 0, 2, ()),
    ("jest/mixed", 2, 2, 2, JEST),
    ("jest/mixed_verbose", 2, 2, 2, JEST),
    ("jest/suite_fails", 2, 2, 2, (*JEST, "broken.test.js")),
    ("jest/only_suite_fails", 0, 1, 0, ("broken.test.js",)),
    ("jest/none", 0, 0, 0, ()),
    ("vitest/pass", 1, 0, 1, ()),
    ("vitest/mixed", 2, 2, 1, VITEST),
    ("vitest/mixed_verbose", 2, 2, 1, VITEST),
    ("vitest/suite_fails", 0, 1, 0, ("broken.test.js",)),
    ("vitest/none", 0, 0, 0, ()),
    ("mocha/pass", 1, 0, 1, ()),
    ("mocha/mixed", 3, 2, 1, MOCHA),
    ("mocha/mixed_dot", 3, 2, 1, MOCHA),
    ("node/pass", 1, 0, 1, ()),
    ("node/mixed_spec", 2, 2, 2, NODE),
    ("node/mixed_tap", 2, 2, 2, ("small numbers", "throws")),
    ("node/file_fails", 0, 1, 0, ("broken.test.js › /project/broken.test.js",)),
    ("cargo/pass", 3, 0, 1, ()),
    ("cargo/pass_quiet", 3, 0, 1, ()),
    ("cargo/mixed", 2, 2, 1, CARGO),
    ("cargo/mixed_quiet", 2, 2, 1, CARGO),
    ("cargo/mixed_no_fail_fast", 3, 2, 1, CARGO),
    ("go/pass", None, 0, None, ()),
    ("go/pass_all", None, 0, None, ()),
    ("go/pass_verbose", 1, 0, 1, ()),
    ("go/mixed", None, 2, None, GO),
    ("go/mixed_verbose", 3, 2, 1, GO),
    ("go/mixed_json", 3, 2, 1, GO),
    ("go/build_fails", None, 1, None, ("example.org/parts/broken [build failed]",)),
    ("go/panic", None, 1, None, ("example.org/parts/bad.TestPanics",)),
    ("ctest/pass", 1, 0, 0, ()),
    ("ctest/mixed", 1, 3, 1, CTEST),
    ("ctest/mixed_shown", 1, 3, 1, CTEST),
    ("ctest/none", 0, 0, 0, ()),
    ("tap/pass", 1, 0, 2, ()),
    ("tap/mixed", 1, 2, 0, ("small numbers", "3")),
    ("tap/prove_pass", 3, 0, None, ()),
    ("tap/prove_mixed", 4, 2, None, ("t/bad.t",)),
    ("tap/prove_verbose", 4, 2, None, ("t/bad.t",)),
    ("tap/prove_broken", 4, 3, None, ("t/bad.t", "t/broken.t")),
    ("rspec/pass", 1, 0, 1, ()),
    ("rspec/mixed", 2, 2, 1, RSPEC),
    ("rspec/mixed_documented", 2, 2, 1, RSPEC),
    ("rspec/load_error", 0, 1, 0, ("./spec/broken_spec.rb",)),
    ("minitest/pass", 1, 0, 1, ()),
    ("minitest/mixed", 1, 2, 0, MINITEST),
    ("phpunit/pass", 1, 0, 0, ()),
    ("phpunit/mixed", 1, 3, 1, PHPUNIT),
    ("phpunit/mixed_documented", 1, 3, 1, ()),
    ("phpunit/skipped", 1, 0, 1, ()),
    ("exunit/pass", 1, 0, 0, ()),
    ("maven/pass", 1, 0, 1, ()),
    ("maven/mixed", 2, 2, 1, MAVEN),
]
"""A file of outputs (its folder is the runner): passed, failed, skipped, and which fail."""

OTHER_RUNNERS = [
    ("django/mixed", "unittest"),
    ("mocha/mixed_tap", "tap"),
    ("by_hand/gradle_mixed", "gradle"),
    ("by_hand/dotnet_mixed", "dotnet"),
    ("by_hand/surefire3_modules", "maven"),
]

RUN_TWICE = [
    ("pytest/mixed", "pytest/mixed_again"),
    ("pytest/mixed", "pytest/mixed_xdist"),
    ("pytest/mixed", "pytest/mixed_xdist_verbose"),
    ("unittest/mixed", "unittest/mixed_again"),
    ("jest/mixed", "jest/mixed_again"),
    ("vitest/mixed", "vitest/mixed_again"),
    ("mocha/mixed", "mocha/mixed_again"),
    ("node/mixed_spec", "node/mixed_spec_again"),
    ("cargo/mixed", "cargo/mixed_again"),
    ("go/mixed", "go/mixed_again"),
    ("ctest/mixed", "ctest/mixed_again"),
    ("tap/prove_mixed", "tap/prove_mixed_again"),
    ("rspec/mixed", "rspec/mixed_again"),
    ("minitest/mixed", "minitest/mixed_again"),
    ("phpunit/mixed", "phpunit/mixed_again"),
    ("exunit/mixed", "exunit/mixed_again"),
    ("maven/mixed", "maven/mixed_again"),
]

NO_RESULT = [
    "pytest/collect_only",
    "mocha/load_error",
    "node/mixed_dot",
    "cargo/compile_error",
    "maven/compile_error",
    "gcc/make",
    "mypy/errors",
    "pyright/clean",
    "eslint/errors",
    "gobuild/errors",
    "rustc/cargo_build",
    "javac/errors",
]


def output(name: str) -> str:
    return (OUTPUTS / f"{name}.txt").read_text(encoding="utf-8")


def seen_in(text: str) -> TestsSeen:
    seen = reading.tests_seen(text)
    assert seen is not None
    return seen


@pytest.mark.parametrize(("name", "passed", "failed", "skipped", "failing"), RESULTS)
def test_a_real_output_is_read_exactly(name, passed, failed, skipped, failing):
    seen = seen_in(output(name))

    assert (passed, failed, skipped, failing) == (seen.passed, seen.failed, seen.skipped, seen.failing)


@pytest.mark.parametrize("name", [name for name, *_ in RESULTS if not name.startswith("django")])
def test_the_runner_is_named(name):
    assert name.split("/")[0] == seen_in(output(name)).runner


@pytest.mark.parametrize(("name", "runner"), OTHER_RUNNERS)
def test_a_runner_is_named_by_how_it_prints(name, runner):
    assert runner == seen_in(output(name)).runner


@pytest.mark.parametrize("name", NO_RESULT)
def test_an_output_without_a_result_shows_none(name):
    assert None is reading.tests_seen(output(name))


@pytest.mark.parametrize(("first", "second"), RUN_TWICE)
def test_the_same_tests_fail_under_the_same_ids_in_another_run(first, second):
    """Times, order, seeds and workers differ between the two files; the ids do not."""
    one, other = seen_in(output(first)), seen_in(output(second))

    assert output(first) != output(second)
    assert sorted(one.failing) == sorted(other.failing) != []
    assert (one.passed, one.failed, one.skipped) == (other.passed, other.failed, other.skipped)


def test_outputs_written_by_hand_are_read_too():
    """Gradle, dotnet and a newer Surefire could not be run here."""
    gradle, dotnet, modules = (seen_in(output(f"by_hand/{name}")) for name in _BY_HAND)

    assert (9, 2, 1) == (gradle.passed, gradle.failed, gradle.skipped)
    assert ("BadTest > smallNumbers", "BadTest > words(String) > [2] b") == gradle.failing
    assert (6, 1, 1) == (dotnet.passed, dotnet.failed, dotnet.skipped)
    assert ("Parts.Tests.BadTest.SmallNumbers",) == dotnet.failing
    assert (3, 2, 1) == (modules.passed, modules.failed, modules.skipped)
    assert ("org.example.BadTest.smallNumbers", "org.example.BadTest.throwsError") == modules.failing


_BY_HAND = ("gradle_mixed", "dotnet_mixed", "surefire3_modules")
_SUMMED = ("cargo/", "go/", "tap/mixed", "tap/pass", "pytest/mixed_quieter")
_ONLY_VERBOSE = "pytest/mixed_verbose_no_summary"  # its ids are in the lines that go missing
STATING_TOTALS = [row for row in RESULTS if not row[0].startswith(_SUMMED) and len(output(row[0])) > 600]
MARKS = ["\n… 1234 characters left out …\n", "\n<response clipped>\n", "…[truncated 90 characters]…"]
PLACES = [(0.1, 0.4), (0.2, 0.6), (0.3, 0.5), (0.4, 0.7), (0.0, 0.3)]


@pytest.mark.parametrize("row", RESULTS, ids=lambda row: row[0])
def test_nothing_is_wrong_when_the_middle_is_left_out(row):
    """A clipped output, cut in the middle of lines, may say less, but nothing else."""
    name, passed, failed, skipped, failing = row
    text = output(name)
    for mark, (start, end) in product(MARKS, PLACES):
        clipped = text[: int(len(text) * start)] + mark + text[int(len(text) * end) :]
        seen = reading.tests_seen(clipped) or TestsSeen()

        assert seen.passed in (passed, None), (mark, start, end)
        assert seen.failed in (failed, None), (mark, start, end)
        assert seen.skipped in (skipped, None), (mark, start, end)
        assert set(seen.failing) <= set(failing), (mark, start, end)


@pytest.mark.parametrize("row", [row for row in STATING_TOTALS if row[0] != _ONLY_VERBOSE], ids=lambda row: row[0])
@pytest.mark.parametrize(("start", "end"), PLACES)
def test_counts_are_right_when_lines_are_silently_missing(row, start, end):
    """Nobody says that lines are missing; a runner that states totals is read right all the same."""
    name, passed, failed, skipped, failing = row
    lines = output(name).split("\n")
    seen = (
        reading.tests_seen("\n".join(lines[: int(len(lines) * start)] + lines[int(len(lines) * end) :])) or TestsSeen()
    )

    assert seen.passed in (passed, None)
    assert seen.failed in (failed, None)
    assert seen.skipped in (skipped, None)
    assert set(seen.failing) <= set(failing)


@pytest.mark.parametrize("row", [row for row in STATING_TOTALS if row[0] != "node/mixed_spec"], ids=lambda row: row[0])
def test_a_stated_total_survives_clipping(row):
    """The last tenth of an output and a bit of its beginning are enough for a runner that states totals."""
    name, passed, failed, _, _ = row
    text = output(name)
    tail = text[text.rindex("\n", 0, int(len(text) * 0.55)) :]
    seen = seen_in(text[:100] + MARKS[0] + tail)

    assert seen.failed == failed
    assert seen.passed in (passed, None)


def test_colours_change_nothing():
    plain = output("pytest/mixed")
    coloured = re.sub(r"(?m)^(=+|FAILED|ERROR)", "\x1b[1m\x1b[31m\\1\x1b[0m", plain)

    assert coloured.count("\x1b") > 20
    assert seen_in(plain) == seen_in(coloured)


ENVELOPES = [
    "Exit code: 1\nWall time: 0.5 seconds\nOutput:\n{}",
    "<output>\n{}\n</output>\n<system-reminder>\nSome tests failed.\n</system-reminder>",
    "{}\n[The command completed with exit code 1.]\n[Current working directory: /w]\n[Python interpreter: /x]",
    "$ cd /project && make test\n{}\nmake: *** [Makefile:3: test] Error 1",
]


@pytest.mark.parametrize("envelope", ENVELOPES)
@pytest.mark.parametrize(
    "name", ["pytest/mixed", "jest/mixed", "cargo/mixed", "go/mixed", "ctest/mixed", "unittest/mixed"]
)
def test_what_a_host_writes_around_changes_nothing(envelope, name):
    assert seen_in(output(name)) == seen_in(envelope.format(output(name)))


def test_an_output_inside_json_is_read():
    wrapped = msgspec.json.encode({"output": output("pytest/mixed"), "metadata": {"exit_code": 1}}).decode()

    assert seen_in(output("pytest/mixed")) == seen_in(wrapped)


def test_an_output_inside_clipped_json_is_read():
    """Such as a recording holds it: the end of the JSON is there, but it can be decoded no more."""
    wrapped = msgspec.json.encode({"output": output("vitest/mixed"), "metadata": {"exit_code": 1}}).decode()

    assert (2, 2, 1) == _numbers(seen_in(wrapped[:300] + "\\n…[900 chars clipped]…\\n" + wrapped[-300:]))


def test_a_cut_inside_the_bar_leaves_the_summary():
    """Where a cut falls into the middle of a line, the rest of it is not trusted; half a bar is harmless."""
    assert (1, 2, 0) == _numbers(seen_in("test session\n…[96 chars clipped]…\n=== 2 failed, 1 passed in 0.02s ===\n"))
    assert None is reading.tests_seen("test session\n…[96 chars clipped]…\n2 failed, 1 passed in 0.02s\n")


def test_a_projects_badge_in_vitest_is_part_of_the_id():
    badge = " FAIL   client  src/a.test.ts > sum\n\n Test Files  1 failed (1)\n      Tests  1 failed (1)\n"

    assert ("client src/a.test.ts > sum",) == seen_in(badge).failing


def test_windows_line_ends_change_nothing():
    assert seen_in(output("unittest/mixed")) == seen_in(output("unittest/mixed").replace("\n", "\r\n"))


CHAINS = [
    ("pytest/mixed", "pytest/pass", "pytest"),
    ("pytest/pass", "pytest/mixed", "pytest"),
    ("pytest/mixed", "jest/pass", "jest"),
    ("jest/mixed", "vitest/mixed", "vitest"),
    ("mocha/mixed", "mocha/pass", "mocha"),
    ("cargo/mixed", "cargo/pass", "cargo"),
    ("go/mixed_verbose", "go/pass_verbose", "go"),
    ("maven/mixed", "maven/pass", "maven"),
    ("unittest/mixed", "unittest/pass", "unittest"),
]


@pytest.mark.parametrize(("first", "second", "runner"), [row for row in CHAINS if row[2] != "go"])
def test_of_several_runs_the_last_one_counts(first, second, runner):
    """Its counts and its failing tests, with nothing of the run before."""
    assert seen_in(output(second)) == seen_in(output(first) + output(second))
    assert runner == seen_in(output(first) + output(second)).runner


def test_packages_of_go_are_summed_and_the_last_run_of_each_counts():
    """Go prints no total, so `go test ./a; go test ./b` cannot be told from `go test ./a ./b`."""
    good, both = output("go/pass_verbose"), output("go/mixed_verbose")

    assert (3, 2, 1) == _numbers(seen_in(good + both))
    assert (3, 2, 1) == _numbers(seen_in(both + good))


def _numbers(seen):
    return seen.passed, seen.failed, seen.skipped


NOT_FOOLED = [
    "",
    "def test_passed():\n    assert failed == 0  # 3 passed, 1 failed\n",
    "3 tests passed the review, and 2 failed to convince anybody.",
    "We ran 12 tests in 3 days. OK was the answer.",
    "Installed 3 packages in 12ms",
    "0 errors, 0 warnings",
    "tests/a.py:3:FAILED tests/b.py::test_x - boom\ntests/a.py:9:ERROR tests/b.py",
    "README.md:12:===== 3 failed, 2 passed in 0.10s =====",
    "    12\t=== 1 failed in 0.02s ===",
    "FAILED tests/b.py::test_x - boom",
    "ok",
    "ok, done",
    "FAIL",
    "# pass the salt\n# tests are good",
    "1..10 are the numbers\nok then",
    "8 tests collected in 0.01s",
    "2 errors in 1.2s",
    "compiled with 1 error in 523 ms",
    "Tests: see the docs\nTests run: daily",
    "| passed | failed |\n|---|---|\n| 3 | 1 |",
    "const OK = (tests) => tests.every(passed)",
    "print('5 examples, 1 failure')",
    "All tests passed the first review",
    "7/5 tests passed",
    "expected 3 passed, got 2 failed attempts at parsing",
    "git log\n  fix: 3 failed tests\n  add: 12 tests completed",
]


@pytest.mark.parametrize("text", NOT_FOOLED)
def test_words_about_tests_are_not_a_result(text):
    assert None is reading.tests_seen(text)


def test_sources_of_these_recognisers_show_no_result():
    """They are full of what runners print, and none of it is a result."""
    sources = list(Path(reading.__file__).parent.glob("*.py"))
    assert len(sources) > 5
    assert [] == [path.name for path in sources if reading.tests_seen(path.read_text(encoding="utf-8"))]


PLAIN = [
    ("3 passed, 1 failed", 3, 1, None),
    ("Results: 1 failed, 3 passed, 2 skipped", 3, 1, 2),
    ("=== Passed: 5, Failed: 0 ===", 5, 0, None),
    ("building\nAll 12 tests passed!\n", 12, 0, None),
    ("ok | 3 passed | 1 failed (12ms)", 3, 1, None),
    (" 3 pass\n 1 fail\n", None, None, None),
    ("4/6 tests passed", 4, 2, None),
]


@pytest.mark.parametrize(("text", "passed", "failed", "skipped"), PLAIN)
def test_plain_lines_of_counts(text, passed, failed, skipped):
    assert (passed, failed, skipped) == _numbers(reading.tests_seen(text) or TestsSeen())


def test_no_tests_are_zero_tests():
    """Quietly or not, pytest says the same about a project without tests."""
    bar = "=" * 20
    for text in ("\nno tests ran in 0.96s\n", f"collected 0 items\n\n{bar} no tests ran in 0.01s {bar}\n"):
        assert TestsSeen(0, 0, 0, (), "pytest") == reading.tests_seen(text)


def test_green_and_total():
    assert TestsSeen(2, 0, 1).green and 3 == TestsSeen(2, 0, 1).total
    assert TestsSeen(None, 0, runner="go").green
    assert not TestsSeen(0, 0, 0).green
    assert not TestsSeen(2, 1, 0).green
    assert not TestsSeen(2, None).green
    assert None is TestsSeen(None, 1).total


def test_a_result_survives_saving():
    seen = seen_in(output("pytest/mixed"))

    assert seen == msgspec.json.decode(msgspec.json.encode(seen), type=TestsSeen)
    assert b"{}" == msgspec.json.encode(TestsSeen())


def test_at_most_fifty_ids_are_kept():
    lines = "".join(f"FAILED test_a.py::test_{number}\n" for number in range(80))
    seen = seen_in(f"=== short test summary info ===\n{lines}=== 80 failed in 1.00s ===\n")

    assert 80 == seen.failed
    assert [f"test_a.py::test_{number}" for number in range(50)] == list(seen.failing)


def test_a_long_output_is_read_at_its_ends():
    """The summary stands at the end; what lies in between is not looked at."""
    noise = "log line of some server\n" * 50_000
    seen = seen_in(noise + output("pytest/mixed"))

    assert (2, 4, 2) == _numbers(seen) and PYTEST == seen.failing
    assert (None, None, None) == _numbers(seen_in(output("go/mixed_verbose") + noise + output("go/mixed")))


WORDS = st.sampled_from(
    "passed|failed|in 0.1s|=====|Ran |tests|OK|FAILED (failures=|Tests:  | total|ok |not ok |1..|\n|--- FAIL: |FAIL\t"
    '|test result: ok. |running |✖ |ℹ pass |  ● |_____|[|]|::| - |999999999999|3 |{|"Action":"fail"|}|✂|\x1b[1m'
    "|… 3 characters left out …|Tests run: |short test summary info|0| passing\n".split("|")
)


@given(st.text() | st.lists(WORDS, max_size=60).map("".join))
def test_any_text_is_read_without_an_error(text):
    seen = reading.tests_seen(text) or TestsSeen()

    assert len(seen.failing) <= 50
    assert all(number is None or number >= 0 for number in (seen.passed, seen.failed, seen.skipped))


TRAPS = {
    "bars": "=" * 79 + "\n",
    "one line": "1 passed, ",
    "brackets": "\nFAILED a[b] a[b] a[b]",
    "spaces": "\n" + " " * 79,
    "mocha": "\n  1) a\n       b",
    "tap": "\nnot ok 1 - a\n  ---\n  b: c",
    "counts": "\n1 test, 2 tests, 3 failures, 4 passed, ",
    "go": "\n--- FAIL: TestX (0.00s)",
    "marks": "\n[3 lines truncated]",
}


@pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS)
def test_ten_times_the_text_takes_no_more_than_some_ten_times_the_time(trap):
    """The texts end like a result, so that they are really looked at; 80 KB is all that is ever read."""
    small, large = (trap * (size // len(trap)) + "\n3 passed, 1 failed in 0.1s\n" for size in (7_000, 70_000))

    assert costs_at_most(40, lambda: reading.tests_seen(large), lambda: reading.tests_seen(small), slack=0.002)


def test_a_megabyte_costs_no_more_than_its_ends():
    line = "tests/test_a.py::test_one PASSED and some text that is there in 3 lines\n"
    short, long = (line * (size // len(line)) + "== 3 passed in 0.1s ==\n" for size in (79_000, 1_000_000))

    assert costs_at_most(3, lambda: reading.tests_seen(long), lambda: reading.tests_seen(short), slack=0.002)


def test_an_unrelated_output_is_let_go_at_once():
    """Against what reading a real output of that size costs."""
    unrelated = "-rw-r--r-- 1 root root 1024 Jan  1 12:00 some_module_name.py\n" * 65
    related = (output("pytest/mixed") + output("pytest/pass"))[-4_000:]

    assert None is reading.tests_seen(unrelated)
    assert costs_at_most(0.5, lambda: reading.tests_seen(unrelated), lambda: reading.tests_seen(related))
