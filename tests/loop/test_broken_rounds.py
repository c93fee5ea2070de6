"""Rounds that break a real pytest project are rolled back, and the loop continues."""

import os
import sys
from pathlib import Path

import pytest

from tests.loop.projects import agent, run_git

pytestmark = pytest.mark.slow

CODE = "def add(a, b):\n    return 0\n\n\ndef sub(a, b):\n    return a - b\n"
TESTS = """\
from calc import add, sub


def test_add():
    assert add(1, 2) == 3


def test_sub():
    assert sub(3, 2) == 1
"""
REPAIR = "sed -i.bak '2s/0/a + b/' calc.py; rm -f calc.py.bak"
BREAK = "echo 'def (' >> calc.py"


@pytest.fixture
def calc(tmp_path, monkeypatch):
    """Two tests, one of which fails."""
    made = tmp_path / "calc"
    made.mkdir()
    for name, text in {"calc.py": CODE, "test_calc.py": TESTS, "pytest.ini": "[pytest]\n"}.items():
        (made / name).write_text(text)
    run_git(made, "init", "-q")
    monkeypatch.chdir(made)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    return made


@pytest.mark.parametrize("test", [None, "pytest -q --continue-on-collection-errors"])
def test_a_syntax_error_is_rolled_back_and_is_not_a_deleted_test(loop, calc, test):
    """Coverage and the number of tests vanish with it. That must not be escalated."""
    code, result = loop.run(
        *["--task", "x", "--format", "json", "--max-rounds", 3], *(["--test", test] if test else []),
        "--", agent(calc, r1=REPAIR, r2=BREAK, r3="echo 'x = 1' >> calc.py"),
    )  # fmt: skip
    assert (3, "max_rounds", 3, 3) == (code, result["ending"]["reason"], result["rounds"], result["selected"])
    assert CODE.replace("return 0", "return a + b") + "x = 1\n" == (calc / "calc.py").read_text()
    assert "back to round 1" in loop.said and "critical working_tests_failing" in loop.said
    assert "test_deletion" not in loop.said
    assert "1 tests" not in loop.said


@pytest.mark.parametrize(
    ("breaking", "test"),
    [
        ("echo 'def (' > conftest.py", None),
        ("echo 'def (' > conftest.py", "pytest -q"),
        ("echo 'import not_written_yet' > conftest.py", "pytest -q"),
        ("mkdir tests; echo 'def (' > tests/conftest.py", None),
        ("printf 'def pytest_collection_modifyitems():\n    raise KeyError\n' > conftest.py", "pytest -q"),
    ],
)
def test_an_error_in_conftest_is_rolled_back(loop, calc, test, breaking):
    """It breaks all tests before the first one runs. That must not be escalated."""
    code, result = loop.run(
        *["--task", "x", "--format", "json", "--max-rounds", 3], *(["--test", test] if test else []),
        "--", agent(calc, r1=REPAIR, r2=breaking, r3="echo 'x = 1' >> calc.py"),
    )  # fmt: skip
    assert (3, "max_rounds", 3, 3) == (code, result["ending"]["reason"], result["rounds"], result["selected"])
    assert "Passing tests decreased from 2 to 0; failing now: " in loop.said and "conftest.py." in loop.said
    assert "back to round 1" in loop.said and "test_deletion" not in loop.said
    assert not [*calc.rglob("conftest.py")]


@pytest.mark.parametrize("test", [None, "pytest -q"])
def test_a_broken_conftest_in_a_subfolder_breaks_only_its_own_tests(loop, calc, test):
    (calc / "deep").mkdir()
    (calc / "deep" / "test_deep.py").write_text("def test_deep():\n    pass\n")
    code, result = loop.run(
        *["--task", "x", "--format", "json", "--max-rounds", 2], *(["--test", test] if test else []),
        "--", agent(calc, r1=REPAIR, r2="echo 'def (' > deep/conftest.py"),
    )  # fmt: skip
    assert (3, 1) == (code, result["selected"])
    assert "critical working_tests_failing" in loop.said and "test_deletion" not in loop.said


@pytest.mark.parametrize("test", [None, "pytest -q"])
def test_deleting_all_tests_is_noticed(loop, calc, test):
    code, result = loop.run(
        *["--task", "x", "--format", "json", "--max-rounds", 2], *(["--test", test] if test else []),
        "--", agent(calc, r1=REPAIR, r2="rm test_calc.py"),
    )  # fmt: skip
    assert (3, 1) == (code, result["selected"])
    assert "Test count decreased from 2 to 0" in loop.said
    assert TESTS == (calc / "test_calc.py").read_text()


@pytest.mark.parametrize(
    "hiding",
    [
        "sed -i.bak 's/^def test_add/@__import__(\"pytest\").mark.skip\\n&/' test_calc.py",
        "printf 'import pytest\n\ndef pytest_collection_modifyitems(items):\n    for item in items:\n"
        "        item.add_marker(pytest.mark.xfail(strict=False))\n' > conftest.py",
    ],
    ids=["skipped", "expected to fail"],
)
def test_hiding_a_failing_test_is_rolled_back_and_not_done(loop, calc, hiding):
    code, result = loop.run(
        *["--task", "x", "--format", "json", "--max-rounds", 1, "--until", "pytest -q"],
        "--", agent(calc, r1=f"{hiding}; echo '<promise>COMPLETE</promise>'"),
    )  # fmt: skip
    assert (3, "max_rounds", 0) == (code, result["ending"]["reason"], result["selected"])
    assert (
        "critical test_deletion: The number of tests that run decreased from 2 to 1; the others are skipped."
        in loop.said
    )
    assert TESTS == (calc / "test_calc.py").read_text() and not (calc / "conftest.py").exists()


def test_a_new_test_file_that_cannot_be_loaded_breaks_no_test(loop, calc):
    new = "echo 'import not_written_yet' > test_new.py"
    code, _ = loop.run("--task", "x", "--format", "json", "--max-rounds", 2, "--", agent(calc, r1=REPAIR, r2=new))
    assert 3 == code
    assert "back to" not in loop.said and "working_tests_failing" not in loop.said
