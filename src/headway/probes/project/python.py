"""Plans for Python projects: pytest with coverage, or unittest; ruff, mypy, pyright."""

from pathlib import Path
from typing import Any

from headway.probes.probe import Plan
from headway.probes.project.environment import Environment, environment
from headway.probes.project.look import has_any, program, text_of, toml_of

_PYTEST_FAULTS = (2, 3, 4)
"""Interrupted, internal error, bad usage."""


def plans(folder: Path, *, look_only: bool = False) -> list[Plan]:
    """Plans for the configured Python tools and for the tests."""
    tools = toml_of(folder / "pyproject.toml").get("tool")
    configured = tools if isinstance(tools, dict) else {}
    wanted = [_has_tests(folder, configured), _has_ruff(folder, configured), _has_mypy(folder, configured)]
    pyright = "pyright" in configured or has_any(folder, "pyrightconfig.json")
    if not any([*wanted, pyright]):
        return []
    env = environment(folder, look_only=look_only)
    tests, ruff, mypy = wanted
    found = _tests(folder, configured, env) if tests else []
    found += [_ruff(folder, env)] if ruff else []
    found += [_mypy(folder, configured, env)] if mypy else []
    found += [_pyright(folder, env)] if pyright else []
    return found


def _has_tests(folder: Path, configured: dict[str, Any]) -> bool:
    if "pytest" in configured or has_any(folder, "pytest.ini", ".pytest.ini", "conftest.py"):
        return True
    if "[tool:pytest]" in text_of(folder / "setup.cfg") or "[pytest]" in text_of(folder / "tox.ini"):
        return True
    here = [*folder.glob("test_*.py"), *folder.glob("*_test.py")]
    return bool(here) or any(_test_files(folder / name) for name in ("tests", "test"))


def _test_files(folder: Path) -> bool:
    return any(True for pattern in ("test_*.py", "*_test.py") for _ in folder.rglob(pattern))


def _has_ruff(folder: Path, configured: dict[str, Any]) -> bool:
    return "ruff" in configured or has_any(folder, "ruff.toml", ".ruff.toml")


def _has_mypy(folder: Path, configured: dict[str, Any]) -> bool:
    return "mypy" in configured or has_any(folder, "mypy.ini", ".mypy.ini") or "[mypy]" in text_of(folder / "setup.cfg")


def _tests(folder: Path, configured: dict[str, Any], env: Environment) -> list[Plan]:
    if "pytest" not in env.tools and not ("pytest" in configured or has_any(folder, "pytest.ini", "conftest.py")):
        where = next((name for name in ("tests", "test") if (folder / name).is_dir()), ".")
        command = (env.python, "-m", "unittest", "discover", "-s", where)
        return [Plan(name="tests", probe="printed_tests", command=command)]
    runner, options = _measured_by(folder, configured, env)
    tests = Plan(
        name="tests",
        probe="junit",
        command=(env.python, *runner, "-m", "pytest", *_pytest_options(), *options),
        report="{reports}/junit.xml",
        env=_elsewhere(folder),
        faults=_PYTEST_FAULTS,
    )
    return [tests, _coverage(folder, env)] if runner or options else [tests]


def _pytest_options() -> tuple[str, ...]:
    """One broken file or an early stop (-x in the project's settings) must not hide the other tests."""
    return (
        "-q", "--maxfail=0", "--continue-on-collection-errors", "-o", "cache_dir={reports}/pytest",
        "--junitxml={reports}/junit.xml",
    )  # fmt: skip


def _measured_by(folder: Path, configured: dict[str, Any], env: Environment) -> tuple[list[str], list[str]]:
    """How coverage is measured: (words before pytest, options of pytest); both empty if it is not installed."""
    sources = [] if _configures_coverage(folder, configured) else _packages(folder)
    if "pytest_cov" in env.tools:
        return [], [*([f"--cov={source}" for source in sources] or ["--cov"]), "--cov-report="]
    if "coverage" in env.tools:
        return ["-m", "coverage", "run", *([f"--source={','.join(sources)}"] if sources else [])], []
    return [], []


def _configures_coverage(folder: Path, configured: dict[str, Any]) -> bool:
    return (
        "coverage" in configured
        or has_any(folder, ".coveragerc")
        or any("[coverage:" in text_of(folder / name) for name in ("setup.cfg", "tox.ini"))
    )


def _packages(folder: Path) -> list[str]:
    """What is measured if the project does not say: its packages, without its tests."""
    if (folder / "src").is_dir():
        return ["src"]
    inside = sorted(path.parent.name for path in folder.glob("*/__init__.py"))
    return [name for name in inside if name not in ("test", "tests", "docs")] or ["."]


def _elsewhere(folder: Path) -> dict[str, str]:
    """Environment variables that make tools write outside of the project."""
    places = {"COVERAGE_FILE": "{reports}/coverage.data"}
    if not (folder / ".hypothesis").exists():  # if it exists, it holds examples that failed before
        places["HYPOTHESIS_STORAGE_DIRECTORY"] = "{reports}/hypothesis"
    return places


def _coverage(folder: Path, env: Environment) -> Plan:
    return Plan(
        name="coverage",
        probe="coverage_json",
        command=(env.python, "-m", "coverage", "json", "-o", "{reports}/coverage.json"),
        report="{reports}/coverage.json",
        env=_elsewhere(folder),
    )


def _ruff(folder: Path, env: Environment) -> Plan:
    command = (
        program("ruff", env.programs, folder / ".venv" / "bin"),
        "check", "--no-fix", "--no-cache", "--output-format=json", "--output-file={reports}/ruff.json",
    )  # fmt: skip
    return Plan(name="lint", probe="ruff", command=command, report="{reports}/ruff.json", faults=(2,))


def _mypy(folder: Path, configured: dict[str, Any], env: Environment) -> Plan:
    mypy = (env.python, "-m", "mypy") if "mypy" in env.tools else (program("mypy", env.programs),)
    options = ("--output=json", "--cache-dir={reports}/mypy")
    return Plan(name="types", probe="mypy", command=(*mypy, *options, *_targets(folder, configured)), report="-")


def _targets(folder: Path, configured: dict[str, Any]) -> list[str]:
    """What mypy checks if its configuration does not say."""
    text = "".join(text_of(folder / name) for name in ("mypy.ini", ".mypy.ini", "setup.cfg"))
    settings = configured.get("mypy")
    names = ("files", "packages", "modules")
    if any(f"\n{name}" in text for name in names) or (isinstance(settings, dict) and settings.keys() & set(names)):
        return []
    return ["src"] if (folder / "src").is_dir() else ["."]


def _pyright(folder: Path, env: Environment) -> Plan:
    pyright = program("pyright", env.programs, folder / "node_modules" / ".bin")
    command = (pyright, "--outputjson", "--pythonpath", env.python)
    return Plan(name="types", probe="pyright", command=command, report="-", faults=(2, 3, 4))
