"""Proposes how to measure a project, from the files and tools it has."""

from pathlib import Path
from typing import Final

from headway.probes.probe import Plan
from headway.probes.project import compiled, make, node, python

LOOKED_FOR: Final = {
    "tests": "pytest or unittest tests, an npm test script, go.mod, Cargo.toml, a Makefile with a test target",
    "coverage": "coverage.py or pytest-cov beside pytest, Jest, Vitest with a coverage package",
    "lint": "a ruff or ESLint configuration",
    "types": "a mypy or pyright configuration, tsconfig.json",
    "build": "an npm build script, go.mod, Cargo.toml",
    "codebase": "source files",
}
"""What each kind of plan is made from."""


def propose(folder: Path, *, look_only: bool = False) -> list[Plan]:
    """Plans for the project, in the order in which they run. With `look_only`, nothing is run."""
    plans = [*python.plans(folder, look_only=look_only), *node.plans(folder), *compiled.plans(folder)]
    if not any(plan.name == "tests" for plan in plans):
        plans += make.plans(folder)
    return [*plans, Plan(name="codebase", probe="codebase")]


def tested_by(command: str, plans: list[Plan]) -> list[Plan]:
    """The plans with the user's test command instead of those for tests and coverage. Its output is read."""
    others = [plan for plan in plans if plan.name not in ("tests", "coverage")]
    return [Plan(name="tests", probe="printed_tests", command=command), *others]
