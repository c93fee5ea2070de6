"""Plans for JavaScript and TypeScript: the scripts of package.json, with reports if the runner can write one."""

import re
from pathlib import Path

import msgspec

from headway.probes.probe import Plan
from headway.probes.project.look import has_any, program, text_of

_ESLINT_CONFIGS = (
    *(f"eslint.config.{kind}" for kind in ("js", "mjs", "cjs", "ts", "mts", "cts")),
    *(f".eslintrc{kind}" for kind in ("", ".js", ".cjs", ".json", ".yml", ".yaml")),
)
_NO_TESTS = "no test specified"
"""The test script that `npm init` writes."""
_JEST = (
    "--ci", "--bail=0", "--json", "--outputFile={reports}/jest.json",
    "--coverage", "--coverageReporters=lcovonly", "--coverageDirectory={reports}/coverage",
)  # fmt: skip
_VITEST = ("--run", "--bail=0", "--reporter=default", "--reporter=json", "--outputFile.json={reports}/vitest.json")
_VITEST_COVERAGE = (
    "--coverage.enabled", "--coverage.reporter=lcovonly", "--coverage.reportsDirectory={reports}/coverage",
)  # fmt: skip
_MOCHA = ("--no-bail", "--reporter=xunit", "--reporter-option=output={reports}/mocha.xml")


class _Package(msgspec.Struct):
    scripts: dict[str, str] = {}


def plans(folder: Path) -> list[Plan]:
    """Plans for the project's scripts, ESLint and the TypeScript compiler."""
    if not has_any(folder, "package.json"):
        return []
    scripts = _scripts(folder)
    found = _tests(folder, scripts.get("test", _NO_TESTS))
    if "eslint" in scripts.get("lint", "") or has_any(folder, *_ESLINT_CONFIGS):
        found.append(_eslint(folder, scripts.get("lint", "")))
    if has_any(folder, "tsconfig.json"):
        tsc = program("tsc", folder / "node_modules" / ".bin")
        found.append(Plan(name="types", probe="tsc", command=(tsc, "--noEmit", "--pretty", "false")))
    if "build" in scripts:
        found.append(Plan(name="build", probe="build", command=("npm", "run", "build")))
    return found


def _scripts(folder: Path) -> dict[str, str]:
    try:
        return msgspec.json.decode(text_of(folder / "package.json"), type=_Package).scripts
    except (msgspec.MsgspecError, RecursionError):
        return {}


def _tests(folder: Path, script: str) -> list[Plan]:
    if _NO_TESTS in script:
        return []
    runner = ends_with(script)
    if runner == "jest":
        return [_reported("jest_json", "{reports}/jest.json", _JEST), _lcov()]
    if runner == "vitest":
        covered = any((folder / "node_modules" / "@vitest").glob("coverage-*"))
        tests = _reported("jest_json", "{reports}/vitest.json", _VITEST + (_VITEST_COVERAGE if covered else ()))
        return [tests, _lcov()] if covered else [tests]
    if runner == "mocha":
        return [_reported("junit", "{reports}/mocha.xml", _MOCHA)]
    return [Plan(name="tests", probe="printed_tests", command=("npm", "test"))]


def ends_with(script: str) -> str | None:
    """The program that gets the options after `npm test --`: that of the last command, if it is a plain one."""
    last = re.split(r"&&|;|\|\|", script)[-1]
    if re.search(r"[|>&]", last):
        return None
    words = [word.rpartition("/")[2] for word in last.split()]
    return next((word for word in words if word in ("jest", "vitest", "mocha", "eslint")), None)


def _reported(probe: str, report: str, options: tuple[str, ...]) -> Plan:
    return Plan(name="tests", probe=probe, command=("npm", "test", "--", *options), report=report)


def _lcov() -> Plan:
    return Plan(name="coverage", probe="lcov", report="{reports}/coverage/lcov.info")


def _eslint(folder: Path, script: str) -> Plan:
    """Prefer the project's own lint script, which names the files to lint. A script that fixes files is not run."""
    options = ("--format=json", "--output-file={reports}/eslint.json")
    if ends_with(script) == "eslint" and "--fix" not in script:
        command: tuple[str, ...] = ("npm", "run", "lint", "--", *options)
    else:
        command = (program("eslint", folder / "node_modules" / ".bin"), *options, ".")
    return Plan(name="lint", probe="eslint", command=command, report="{reports}/eslint.json", faults=(2,))
