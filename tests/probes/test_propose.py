"""What is proposed for which project."""

import os
import sys

import pytest

from headway.probes import propose
from headway.probes.project.look import text_of
from headway.probes.project.node import ends_with
from tests.command import headway
from tests.probes.projects import project


def proposed(folder, files):
    """The plans as pairs of name and probe, without that for the codebase, which all projects have."""
    *plans, last = propose(project(folder, files))
    assert ("codebase", "codebase") == (last.name, last.probe)
    return [(plan.name, plan.probe) for plan in plans]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, []),
        ({"readme.md": "pytest ruff mypy"}, []),
        ({"test_a.py": ""}, [("tests", "junit"), ("coverage", "coverage_json")]),
        ({"tests/deep/test_a.py": ""}, [("tests", "junit"), ("coverage", "coverage_json")]),
        ({"setup.cfg": "[tool:pytest]\n[mypy]\n"}, [("tests", "junit"), ("coverage", "coverage_json"), ("types", "mypy")]),
        ({"pyproject.toml": "[tool.ruff]\n[tool.pyright]\n"}, [("lint", "ruff"), ("types", "pyright")]),
        ({"pyproject.toml": "tool = 3\n"}, []),
        ({"pyproject.toml": "[tool.ruff\n"}, []),
        ({"package.json": '{"scripts": {"test": "jest"}}'}, [("tests", "jest_json"), ("coverage", "lcov")]),
        ({"package.json": '{"scripts": {"test": "tsc && vitest"}}'}, [("tests", "jest_json")]),
        ({"package.json": '{"scripts": {"test": "mocha"}}'}, [("tests", "junit")]),
        ({"package.json": '{"scripts": {"test": "node --test"}}'}, [("tests", "printed_tests")]),
        ({"package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'}, []),
        ({"package.json": '{"scripts": {"lint": "eslint .", "build": "x"}}'}, [("lint", "eslint"), ("build", "build")]),
        ({"package.json": "{}", "eslint.config.mjs": "", "tsconfig.json": "{}"}, [("lint", "eslint"), ("types", "tsc")]),
        ({"package.json": "{broken"}, []),
        ({"go.mod": ""}, [("tests", "go_json"), ("build", "build")]),
        ({"Cargo.toml": ""}, [("tests", "printed_tests"), ("build", "build")]),
        ({"Makefile": "test: all\n\techo\n"}, [("tests", "printed_tests")]),
        ({"Makefile": "test := x\ntesting:\n"}, []),
        ({"Makefile": "test:\n", "go.mod": ""}, [("tests", "go_json"), ("build", "build")]),
    ],
)  # fmt: skip
def test_what_is_proposed(tmp_path, files, expected):
    assert expected == proposed(tmp_path, files)


def own_environment(folder, tools):
    """An environment in the project that has these tools, as far as one can see from outside."""
    site = folder / "site"
    for tool in tools:
        (site / tool).mkdir(parents=True)
        (site / tool / "__init__.py").write_text("")
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    look = f"import sys; sys.path = {[str(site)]!r} + [p for p in sys.path if 'site-packages' not in p]; "
    python.write_text(f'#!/bin/sh\nshift 2; code="$1"; shift\nexec {sys.executable} -c "{look} $code" "$@"\n')
    python.chmod(0o755)
    return str(python)


def test_the_projects_own_environment_goes_first(tmp_path):
    python = own_environment(tmp_path, ["pytest"])

    tests = propose(project(tmp_path, {"tests/test_a.py": ""}))[0]

    assert (python, "-m", "pytest") == tests.command[:3]
    assert not any("cov" in word for word in tests.command)


def test_coverage_without_its_plugin(tmp_path):
    own_environment(tmp_path, ["pytest", "coverage"])

    tests, coverage, _ = propose(project(tmp_path, {"tests/test_a.py": "", "shop/__init__.py": ""}))

    assert ("-m", "coverage", "run", "--source=shop", "-m", "pytest") == tests.command[1:7]
    assert tests.env["COVERAGE_FILE"] == coverage.env["COVERAGE_FILE"] == "{reports}/coverage.data"


def test_configured_coverage_is_left_alone(tmp_path):
    tests = propose(project(tmp_path, {"tests/test_a.py": "", "src/a.py": "", ".coveragerc": "[run]\nsource=src\n"}))[0]

    assert "--cov" in tests.command


def test_without_pytest_unittest_runs_the_tests(tmp_path):
    python = own_environment(tmp_path, [])

    tests = propose(project(tmp_path, {"tests/test_a.py": ""}))[0]

    assert ((python, "-m", "unittest", "discover", "-s", "tests"), "printed_tests") == (tests.command, tests.probe)


def test_a_lint_script_that_fixes_files_is_not_run(tmp_path):
    scripts = {"package.json": '{"scripts": {"lint": "eslint --fix src"}}', "node_modules/.bin/eslint": ""}

    (lint, _) = propose(project(tmp_path, scripts))

    assert lint.command[0].endswith("node_modules/.bin/eslint")


@pytest.mark.parametrize(
    ("script", "program"),
    [
        ("jest", "jest"),
        ("cross-env A=1 node_modules/.bin/jest --silent", "jest"),
        ("tsc -p . && mocha", "mocha"),
        ("jest && echo done", None),
        ("jest | tee log", None),
        ("jest-runner", None),
        ("", None),
    ],
)
def test_options_reach_only_the_last_command(script, program):
    assert program == ends_with(script)


def test_the_targets_of_mypy(tmp_path):
    def targets(name, files):
        plan = propose(project(tmp_path / name, files))[0]
        return list(plan.command[plan.command.index("--cache-dir={reports}/mypy") + 1 :])

    assert ["."] == targets("a", {"mypy.ini": "[mypy]\n"})
    assert ["src"] == targets("b", {"mypy.ini": "[mypy]\n", "src/a.py": ""})
    assert [] == targets("c", {"mypy.ini": "[mypy]\nfiles = a.py\n"})
    assert [] == targets("d", {"pyproject.toml": "[tool.mypy]\npackages = ['a']\n"})


@pytest.mark.parametrize("name", ["Makefile", "pyproject.toml", "tox.ini", "setup.cfg", "package.json", "Cargo.toml"])
def test_a_pipe_does_not_block(name, tmp_path):
    """In a process of its own, which can be ended if it does wait."""
    os.mkfifo(tmp_path / name)
    assert 0 == headway("probe", "--dry", folder=tmp_path).returncode


@pytest.mark.parametrize("name", ["Makefile", "pyproject.toml", "tox.ini"])
def test_a_link_to_a_device_or_a_huge_file_is_read_by_its_beginning_at_most(name, tmp_path):
    (tmp_path / name).symlink_to("/dev/zero")
    assert "" == text_of(tmp_path / name)
    (tmp_path / name).unlink()
    (tmp_path / name).touch()
    os.truncate(tmp_path / name, 10**9)
    assert 1_000_000 == len(text_of(tmp_path / name))
