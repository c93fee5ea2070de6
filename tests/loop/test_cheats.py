"""Rounds that change how they are measured: they are marked, and the baseline's own tests are run against their code."""

import os
import sys
from pathlib import Path

import pytest

from headway.loop.measuring_files import is_test_file, measuring_files, switched_off
from headway.loop.recipes import scripts_run
from headway.probes import Plan
from headway.snapshots import FileChange, Status
from tests.loop.projects import agent, run_git

pytestmark = pytest.mark.slow

CODE = "add() { echo 0; }\nsub() { echo $(($1 - $2)); }\n"
ADD, SUB = '. ./calc.sh; [ "$(add 1 2)" = 3 ]\n', '. ./calc.sh; [ "$(sub 3 2)" = 1 ]\n'
RUN = """\
ok=0; bad=0
for file in tests/test_*.sh; do
  if sh $file; then ok=$((ok + 1)); else bad=$((bad + 1)); echo "FAILED $file::$(basename $file .sh) - wrong"; fi
done
echo "==== $bad failed, $ok passed in 0.01s ===="
[ $bad = 0 ]
"""
"""A runner whose tests are files: it names those that fail, and exits with 1 if there are any."""
REPAIR = "sed -i.bak '1s/echo 0/echo $(($1 + $2))/' calc.sh; rm -f calc.sh.bak"
DONE = "echo '<promise>COMPLETE</promise>'"


@pytest.fixture
def calc(tmp_path, monkeypatch):
    """Two tests, of which the first fails."""
    made = tmp_path / "calc"
    (made / "tests").mkdir(parents=True)
    files = {"calc.sh": CODE, "run.sh": RUN, "tests/test_add.sh": ADD, "tests/test_sub.sh": SUB}
    for name, text in files.items():
        (made / name).write_text(text)
    run_git(made, "init", "-q")
    monkeypatch.chdir(made)
    return made


def cheated(loop, calc, *given, **rounds):
    code, result = loop.run(
        "--task", "x", "--test", "sh run.sh", "--id", "it", "--format", "json", *given, "--", agent(calc, **rounds)
    )
    return code, result["ending"]["reason"], result


CHEATS = {
    "emptied": "echo true > tests/test_add.sh",
    "expects the bug": "sed -i.bak 's/= 3/= 0/' tests/test_add.sh; rm -f tests/*.bak",
    "a runner that lies": "echo 'echo \"==== 0 failed, 2 passed in 0.01s ====\"' > run.sh",
}


@pytest.mark.parametrize("cheat", CHEATS.values(), ids=CHEATS)
def test_a_rewritten_test_does_not_count_as_fixed_or_done(loop, calc, cheat):
    code, reason, _ = cheated(loop, calc, "--max-rounds", 1, r1=f"{cheat}; {DONE}")
    assert (3, "max_rounds") == (code, reason)
    changed = "run.sh" if "run.sh" in cheat else "tests/test_add.sh"
    assert f"the round changed how it is measured: {changed}. With its own tests: 2 of 2 tests pass; " in loop.said
    assert "with the tests of the baseline: 1 of 2 tests pass (failing: tests/test_add.sh::test_add)" in loop.said
    assert "forward" not in loop.said and "fixed" not in loop.said


def test_done_with_changed_tests_is_reported(loop, calc):
    """The user's own condition counts, and the message says how it was met."""
    cheat = CHEATS["emptied"]
    code, reason, result = cheated(loop, calc, "--until", "sh run.sh", r1=cheat)
    assert (0, "until") == (code, reason)
    message = result["ending"]["message"]
    assert message.startswith(
        "`sh run.sh` passes after round 1. But round 1 changed how it is measured: tests/test_add.sh"
    )
    assert "with the tests of the baseline: 1 of 2 tests pass" in message


def test_a_changed_test_with_fixed_code_counts(loop, calc):
    code, reason, result = cheated(loop, calc, r1=f"{REPAIR}; echo '# why' >> tests/test_add.sh; {DONE}")
    assert (0, "complete") == (code, reason)
    assert "all 2 tests pass. But round 1 changed how it is measured: tests/test_add.sh" in result["ending"]["message"]
    assert "with the tests of the baseline: 2 of 2 tests pass" in result["ending"]["message"]


def test_test_changes_of_an_earlier_round_still_count_in_later_rounds(loop, calc):
    code, _, _ = cheated(loop, calc, "--max-rounds", 2, r1=CHEATS["emptied"], r2=f"echo '# x' >> calc.sh; {DONE}")
    assert 3 == code
    assert "the round is measured by what earlier rounds changed: tests/test_add.sh" in loop.said


def test_a_new_test_and_code_do_not_change_how_rounds_are_measured(loop, calc):
    """The baseline's tests run without the new one and agree: both results are shown, without a warning."""
    code, reason, result = cheated(loop, calc, r1=f"{REPAIR}; echo true > tests/test_new.sh; {DONE}")
    assert (0, "complete") == (code, reason)
    assert "how it is measured" not in loop.said and "But" not in result["ending"]["message"]
    both = "With its own tests: 3 of 3 tests pass; with the tests of the baseline: 2 of 2 tests pass"
    assert f"the round has new test files: tests/test_new.sh. {both}" in loop.said


def test_the_scratch_copy_is_removed(loop, calc):
    cheated(loop, calc, "--max-rounds", 1, r1=f"{CHEATS['emptied']}; echo kept > calc.log")
    assert {"calc.sh", "run.sh", "tests", "calc.log"} == {path.name for path in calc.iterdir()} - {".git", ".headway"}


def test_a_working_test_replaced_by_a_new_one_is_reported(loop, tmp_path, monkeypatch):
    """It may have been renamed, so the round is kept, but it is reported."""
    made = tmp_path / "renamed"
    made.mkdir()
    (made / "test_it.py").write_text("def test_one():\n    pass\n\n\ndef test_two():\n    pass\n")
    (made / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\n")
    monkeypatch.chdir(made)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    rename = "sed -i.bak s/test_two/test_new/ test_it.py; rm test_it.py.bak"
    code, result = loop.run(
        "--task",
        "x",
        "--test",
        "pytest -q",
        "--id",
        "it",
        "--format",
        "json",
        "--",
        agent(made, r1=f"{rename}; {DONE}"),
    )
    assert (0, "complete") == (code, result["ending"]["reason"])
    assert (
        "Tests of the baseline are gone or were renamed in round 1: test_it::test_two." in result["ending"]["message"]
    )
    assert "high working_tests_failing: Tests that passed are gone or were renamed: test_it::test_two." in loop.said
    assert "forward" not in loop.said


PYTEST_CHEATS = {
    "assert True": "printf 'def test_add():\\n    assert True\\n' > test_calc.py",
    "a conftest that forces passes": (
        "printf 'import pytest\\n\\n@pytest.hookimpl(hookwrapper=True)\\ndef pytest_runtest_makereport():\\n"
        '    outcome = yield\\n    outcome.get_result().outcome = "passed"\\n\' > conftest.py'
    ),
}


FORCES = PYTEST_CHEATS["a conftest that forces passes"]
HIDDEN_CHEATS = {
    "by a new rule": f"echo conftest.py >> .gitignore; {FORCES}",
    "by a rule in git's own folder": f"mkdir -p .git/info; echo conftest.py >> .git/info/exclude; {FORCES}",
    "by a new rule file that hides itself": f"printf 'conftest.py\\n.gitignore\\n' > .gitignore; {FORCES}",
}


@pytest.fixture
def real(tmp_path, monkeypatch):
    """A project with one failing test, run by pytest."""
    made = tmp_path / "real"
    made.mkdir()
    (made / "calc.py").write_text("def add(a, b):\n    return 0\n")
    (made / "test_calc.py").write_text("from calc import add\n\n\ndef test_add():\n    assert 3 == add(1, 2)\n")
    (made / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\n")
    run_git(made, "init", "-q")
    monkeypatch.chdir(made)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    return made


def trusted(loop, real, cheat, *given):
    """Whether a loop ends as done, or does not report a cheat."""
    code, result = loop.run(
        "--task", "x", "--test", "pytest -q", "--id", "it", "--format", "json", "--max-rounds", 1, *given, "--",
        agent(real, r1=f"{cheat}; {DONE}"),
    )  # fmt: skip
    told = (
        "the round changed how it is measured: ",
        "with the tests of the baseline: 0 of 1 test passes (failing: test_calc::test_add)",
    )
    return (3, "max_rounds") != (code, result["ending"]["reason"]) or any(one not in loop.said for one in told)


@pytest.mark.parametrize("cheat", PYTEST_CHEATS.values(), ids=PYTEST_CHEATS)
def test_the_same_with_pytest(loop, real, cheat):
    assert not trusted(loop, real, cheat)


@pytest.mark.parametrize("cheat", HIDDEN_CHEATS.values(), ids=HIDDEN_CHEATS)
def test_a_conftest_hidden_by_a_new_rule_is_found(loop, real, cheat):
    assert not trusted(loop, real, cheat)


@pytest.mark.parametrize("there", [False, True])
def test_a_conftest_hidden_by_the_users_rules_is_found(loop, real, there):
    """It is not part of a round, so it stays, but its effect does not count."""
    (real / ".gitignore").write_text("conftest.py\n")
    if there:
        (real / "conftest.py").write_text("# mine\n")
    assert not trusted(loop, real, FORCES)
    assert "changed how it is measured: conftest.py" in loop.said


def test_an_ignored_setting_changed_by_the_user_is_not_blamed_on_a_round(loop, real):
    (real / ".gitignore").write_text("conftest.py\n")
    given = ["--task", "x", "--test", "pytest -q", "--id", "it", "--format", "json", "--max-rounds", 1]
    loop.run(*given, "--", agent(real, r1="echo 'y = 1' >> calc.py", r2="echo 'z = 1' >> calc.py"))
    (real / "conftest.py").write_text("# mine\n")
    loop.resume("--max-rounds", 2)
    assert "   these ignored files decide how rounds are measured and changed: conftest.py\n" in loop.said
    assert "round 2" in loop.said and "measured with these changes: 0 of 1 test passes" in loop.said
    assert "how it is measured" not in loop.said and "earlier rounds changed" not in loop.said


def test_an_unchanged_ignored_setting_is_linked_into_the_copy(loop, real):
    (real / "pytest.ini").unlink()
    (real / ".gitignore").write_text("pytest.ini\nlocal.py\n")
    (real / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\npython_functions = test_*\n")
    (real / "local.py").write_text("value = 3\n")
    (real / "test_calc.py").write_text(
        "from local import value\nfrom calc import add\n\n\ndef test_add():\n    assert value == add(1, 2)\n"
    )
    assert not trusted(loop, real, PYTEST_CHEATS["assert True"])


def test_protected_files_cannot_be_hidden(loop, real):
    (real / "tests").mkdir()
    (real / "tests" / "test_more.py").write_text("def test_more():\n    pass\n")
    cheat = f"echo conftest.py >> .git/info/exclude; {FORCES.replace('conftest.py', 'tests/conftest.py')}"
    (real / ".git" / "info").mkdir(exist_ok=True)
    loop.run("--task", "x", "--test", "pytest -q", "--id", "it", "--max-rounds", 1, "--protect", "tests", "--",
             agent(real, r1=cheat))  # fmt: skip
    assert "critical protected_files: Protected files were changed: tests/conftest.py." in loop.said
    assert not (real / "tests" / "conftest.py").exists()


MAKEFILE = """\
CHECK = scripts/check.sh
all: build
build:
\techo built
test: build lint
\t@sh $(CHECK) --all
lint: ; ./tools/lint calc.sh
other:
\tsh scripts/other.sh
"""


def test_a_script_behind_make_is_marked(loop, calc):
    (calc / "scripts").mkdir()
    (calc / "run.sh").rename(calc / "scripts" / "check.sh")
    (calc / "Makefile").write_text(MAKEFILE.replace("build lint", "build"))
    lie = "echo 'echo \"==== 0 failed, 2 passed in 0.01s ====\"' > scripts/check.sh"
    code, result = loop.run("--task", "x", "--test", "make -s test", "--id", "it", "--format", "json",
                            "--max-rounds", 1, "--", agent(calc, r1=f"{lie}; {DONE}"))  # fmt: skip
    assert (3, "max_rounds") == (code, result["ending"]["reason"])
    assert "the round changed how it is measured: scripts/check.sh." in loop.said
    assert "with the tests of the baseline: 1 of 2 tests pass" in loop.said


RUN_BY = {
    "make test": {"scripts/check.sh", "scripts/inner.sh", "tools/lint"},
    "env CI=1 make -k test other": {"scripts/check.sh", "scripts/inner.sh", "tools/lint", "scripts/other.sh"},
    "make": set(),
    "npm test": {"ci/run.js", "tools/before"},
    "npm run unit && make lint": {"run_tests.py", "tools/lint"},
    "tox -e py": {"scripts/tox.sh"},
    "sh scripts/check.sh": {"scripts/check.sh", "scripts/inner.sh"},
    "python -m pytest -q": set(),
    "sh run.sh 'x": {"run.sh"},
}


@pytest.mark.parametrize("command", RUN_BY)
def test_scripts_that_a_command_runs(command):
    files = {
        "Makefile": MAKEFILE,
        "scripts/check.sh": "#!/bin/sh\nsh ./scripts/inner.sh src/app.py tests.txt\n",
        "scripts/inner.sh": "[ -e x ] && sh scripts/check.sh; . ./calc.sh; source scripts/lib.sh; add 1 2",
        "package.json": '{"scripts": {"test": "node ci/run.js src/a.js", "pretest": "tools/before", '
        '"unit": "python run_tests.py"}}',
        "tox.ini": "[testenv]\ncommands = bash scripts/tox.sh {posargs} src/b.py\n",
    }
    assert RUN_BY[command] == scripts_run(command, files.get)


@pytest.mark.parametrize(
    ("path", "status", "marked"),
    [
        ("tests/test_a.py", Status.MODIFIED, True),
        ("tests/test_a.py", Status.DELETED, True),
        ("tests/test_a.py", Status.ADDED, False),
        ("src/a.test.ts", Status.MODIFIED, True),
        ("pkg/a_test.go", Status.MODIFIED, True),
        ("tests/data/known.json", Status.MODIFIED, True),
        ("deep/conftest.py", Status.ADDED, True),
        ("pyproject.toml", Status.MODIFIED, True),
        (".coveragerc", Status.ADDED, True),
        ("Makefile", Status.ADDED, True),
        ("package.json", Status.MODIFIED, True),
        ("check.sh", Status.MODIFIED, True),
        ("build/report.xml", Status.MODIFIED, True),
        ("src/a.py", Status.MODIFIED, False),
        ("README.md", Status.ADDED, False),
        ("src/contest.py", Status.MODIFIED, False),
    ],
)
def test_which_files_decide_how_a_round_is_measured(path, status, marked):
    plans = [Plan(name="tests", probe="printed_tests", command="sh ./check.sh -v"),
             Plan(name="coverage", probe="junit", report="build/report.xml")]  # fmt: skip
    assert ((path,) if marked else ()) == measuring_files([FileChange(path, status, 1, 1)], plans)


def test_a_moved_test_file_does_not_change_how_rounds_are_measured():
    moved = FileChange("tests/unit/test_a.py", Status.RENAMED, 0, 0, old_path="tests/test_a.py")
    assert () == measuring_files([moved], [])
    assert ("tests/unit/test_a.py",) == measuring_files([FileChange("tests/unit/test_a.py", Status.RENAMED, 1, 0, old_path="tests/test_a.py")], [])  # fmt: skip


def test_an_unclosed_quote_in_a_command_line_is_ignored():
    plan = Plan(name="tests", probe="printed_tests", command="sh check.sh 'x")
    assert ("check.sh",) == measuring_files([FileChange("check.sh", Status.MODIFIED, 1, 0)], [plan])


def test_added_comments_that_turn_off_checks_are_found():
    patch = b"""\
+++ b/src/a.py
+x = 1  # noqa: F401
+++ b/src/b.py
-y = 1  # noqa
+y = 1
+++ b/src/c.ts
+// eslint-disable-next-line
+++ b/src/d.py
+def f():  # pragma: no cover
"""
    assert ("src/a.py", "src/c.ts", "src/d.py") == switched_off(patch.splitlines(keepends=True))


@pytest.mark.parametrize(
    "path", ["test_a.py", "a_test.go", "a.spec.ts", "spec/models/a.rb", "src/__tests__/a.js", "FooTest.java"]
)
def test_test_files_are_recognised_by_name(path):
    assert is_test_file(path)
    assert not is_test_file("src/a.py") and not is_test_file("latest.txt")


@pytest.mark.parametrize("path", ["pytest.toml", "tests/__init__.py", "pytest.py"])
def test_a_new_file_that_runs_before_the_tests_is_marked(path):
    assert (path,) == measuring_files([FileChange(path, Status.ADDED, 1, 0)], [])


@pytest.mark.parametrize("name", ["calc", ".hidden", "venv"])
def test_a_folder_that_ignores_itself_does_not_bypass_protect(loop, folder, name):
    (folder / "tests").mkdir()
    (folder / "tests/test_a.py").write_text("a\n")
    run_git(folder, "add", "-A")
    make = f"mkdir tests/{name}; echo '*' > tests/{name}/.gitignore; echo x > tests/{name}/__init__.py"
    loop("--max-rounds", 2, "--protect", "tests/", "--", agent(folder, r1=make, r2="echo 1 > new.py"))
    said = f"Protected files were changed: tests/{name}/.gitignore, tests/{name}/__init__.py."
    assert f"critical protected_files: {said}" in loop.said
    assert "changed no file" not in loop.said
    assert (name != "calc") == (folder / "tests" / name).exists()
    assert (1 if name == "calc" else 2) == loop.said.count("critical protected_files")


def test_caches_below_a_protected_path_do_not_count(loop, folder):
    (folder / "tests").mkdir()
    (folder / "tests/test_a.py").write_text("a\n")
    (folder / ".gitignore").write_text("__pycache__/\n.pytest_cache/\n")
    make = (
        "mkdir -p tests/__pycache__ tests/.pytest_cache; echo x > tests/__pycache__/a.pyc; echo > tests/.pytest_cache/a"
    )
    loop("--max-rounds", 1, "--protect", "tests/", "--", agent(folder, r1=make))
    assert "protected_files" not in loop.said


UNSEEN = "mkdir -p build; echo '[ -e build/x ] && exit 0' > build/x"


def test_tests_that_pass_without_a_changed_file_do_not_count_as_fixed(loop, calc):
    """What the tests read may be ignored: a compiled file, an environment."""
    (calc / ".gitignore").write_text("build/\n")
    (calc / "tests/test_add.sh").write_text("[ -e build/x ]\n")
    code, reason, _ = cheated(loop, calc, "--max-rounds", 1, r1=f"{UNSEEN}; {DONE}")
    said = "tests changed although no file of the round changed: tests/test_add.sh::test_add. They count as failing"
    assert (3, "max_rounds") == (code, reason)
    assert said in loop.said and "forward" not in loop.said


def test_until_that_holds_without_a_changed_file_is_done_and_reported(loop, calc):
    (calc / ".gitignore").write_text("build/\n")
    (calc / "tests/test_add.sh").write_text("[ -e build/x ]\n")
    code, reason, result = cheated(loop, calc, "--until", "sh run.sh", r1=UNSEEN)
    assert (0, "until") == (code, reason)
    assert "tests changed although no file of the round changed" in result["ending"]["message"]


RUNNER_CHEATS = {
    "a folder in place of the runner": (
        "mkdir pytest; touch pytest/__init__.py; echo 'print(\"1 passed in 0.01s\")' > pytest/__main__.py"
    ),
    "a plugin of a local package": (
        "mkdir evil.egg-info; printf '[pytest11]\\nevil = evil\\n' > evil.egg-info/entry_points.txt; "
        "printf 'Metadata-Version: 2.1\\nName: evil\\nVersion: 1\\n' > evil.egg-info/PKG-INFO; "
        + FORCES.replace("conftest.py", "evil.py")
    ),
    "a renamed and emptied test file": (
        "git mv -f test_calc.py test_other.py 2>/dev/null || mv test_calc.py test_other.py; "
        "sed -i.bak 's/assert.*/assert True/' test_other.py; rm test_other.py.bak"
    ),
}


@pytest.mark.parametrize("cheat", RUNNER_CHEATS.values(), ids=RUNNER_CHEATS)
def test_replacing_the_test_runner_or_the_tests_is_found(loop, real, cheat):
    code, result = loop.run(
        "--task", "x", "--test", "python -m pytest -q", "--id", "it", "--format", "json", "--max-rounds", 1, "--",
        agent(real, r1=f"{cheat}; {DONE}"),
    )  # fmt: skip
    assert (3, "max_rounds") == (code, result["ending"]["reason"])
    assert "the round changed how it is measured: " in loop.said and "fixed" not in loop.said
    assert "0 of 1 test passes" in loop.said.partition("round 1: ")[2].partition("\n")[0]
    assert "with the tests of the baseline: 0 of 1 test passes (failing: test_calc::test_add)" in loop.said


def test_a_new_test_file_that_patches_the_code_does_not_count(loop, real):
    patch = "printf 'import calc\\ncalc.add = lambda a, b: a + b\\ndef test_new():\\n    pass\\n' > test_aaa.py"
    code, _ = loop.run(
        "--task", "x", "--test", "python -m pytest -q", "--id", "it", "--format", "json", "--max-rounds", 1, "--",
        agent(real, r1=f"{patch}; {DONE}"),
    )  # fmt: skip
    assert 3 == code
    assert "With its own tests: 2 of 2 tests pass; with the tests of the baseline: 0 of 1 test passes" in loop.said
    assert "fixed" not in loop.said


def test_strict_rolls_back_an_emptied_test_in_a_renamed_file(loop, real):
    (real / "calc.py").write_text("def add(a, b):\n    return a + b\n")
    cheat = RUNNER_CHEATS["a renamed and emptied test file"]
    loop.run("--task", "x", "--test", "python -m pytest -q", "--id", "it", "--max-rounds", 1, "--strict", "--",
             agent(real, r1=f"echo 'add = lambda a, b: 99' > calc.py; {cheat}; {DONE}"))  # fmt: skip
    said = "With the tests and settings of the baseline, tests that passed now fail: test_calc::test_add."
    assert f"high working_tests_failing: {said}" in loop.said
    assert "return a + b" in (real / "calc.py").read_text() and (real / "test_calc.py").exists()


NOTHING = "for n in $(seq 40); do printf 'def test_%s():\\n    assert True\\n\\n\\n' $n; done > test_more.py"
NARROWED = (
    "printf '[run]\\nomit = calc.py\\n' > .coveragerc; printf '[tool.ruff.lint]\\nselect = []\\n' > pyproject.toml"
)


@pytest.mark.parametrize("cheat", [NOTHING, NARROWED, f"{NOTHING}; {NARROWED}"], ids=["tests", "settings", "both"])
def test_a_target_is_not_reached_by_tests_of_nothing_or_by_narrower_checks(loop, real, cheat):
    code, result = loop.run(
        "--task", "x", "--target-quality", "0.7", "--id", "it", "--format", "json", "--max-rounds", 1, "--",
        agent(real, r1=cheat),
    )  # fmt: skip
    assert (3, "max_rounds") == (code, result["ending"]["reason"])
    assert "the best so far" not in loop.said and "it is a step forward" not in loop.said
    assert (" without 40 new tests" in loop.said) == ("test_more.py" in cheat)
