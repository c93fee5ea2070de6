"""The recognisers of all test runners, each with a few words; every summary contains at least one of them.

A module of its own, because most outputs show no tests and then none of the recognisers need be loaded.
"""

from headway.tools.tests_seen import Recogniser, compiled, javascript, plain, python, scripts, tap
from headway.tools.tests_seen.go import go

RUNNERS: tuple[tuple[Recogniser, tuple[str, ...]], ...] = (
    (python.pytest, (" in ", "short test summary")),
    (python.unittest, ("\nRan ", "\nFAILED (")),
    (javascript.jest, ("\nTests:  ",)),
    (javascript.vitest, (" Tests  ",)),
    (javascript.mocha, (" passing",)),
    (javascript.node, (" cancelled ",)),
    (go, ("\nok ", "\nFAIL", "--- FAIL: ", "--- PASS: ", '"Action":"')),
    (compiled.cargo, ("\ntest result: ",)),
    (compiled.maven, ("Tests run: ",)),
    (compiled.gradle, (" completed, ",)),
    (compiled.ctest, ("% tests passed",)),
    (compiled.dotnet, ("!  - Failed: ",)),
    (scripts.rspec, (" failure",)),
    (scripts.exunit, (" failure",)),
    (scripts.minitest, (" assertions, ",)),
    (scripts.phpunit, ("ssertion",)),
    (tap.tap, ("\n1..",)),
    (tap.prove, ("\nFiles=",)),
)
"""Each runner with words, one of which is in each of its summaries: searching for words is faster than for patterns."""

OTHERS: tuple[tuple[Recogniser, tuple[str, ...]], ...] = (
    (plain.nothing_to_run, ("\nNo test",)),
    (plain.plain, ("passed", "assed: ", " pass")),
)
"""Tried only if no runner was recognised."""
