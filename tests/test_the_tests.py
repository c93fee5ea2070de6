"""A test that cannot fail proves nothing: every one asserts something itself, and no assertion stands behind an `if`."""

import ast
import os
import re
from functools import cache
from pathlib import Path

from hypothesis import HealthCheck, settings

TESTS = Path(__file__).parent
EXPECTING = ("raises", "warns", "fail")
SEEN = ("to_have_", "to_be_", "to_contain_", "not_to_")
"""How Playwright's `expect` spells what must be seen in a page."""


def is_asserting(node):
    if isinstance(node, ast.Attribute):
        return node.attr in EXPECTING or node.attr.startswith(SEEN)
    return isinstance(node, ast.Assert)


def mute_tests(nodes):
    """Lines of tests that assert nothing that one can see in them."""
    functions = (node for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
    tests = (node for node in functions if node.name.startswith("test_"))
    return [test.lineno for test in tests if not any(map(is_asserting, ast.walk(test)))]


def hidden_assertions(nodes):
    """Lines of assertions that are reached only if something else holds."""
    conditions = (node for node in nodes if isinstance(node, ast.If))
    return [inner.lineno for node in conditions for inner in ast.walk(node) if isinstance(inner, ast.Assert)]


def nodes_of(source):
    return list(ast.walk(ast.parse(source)))


@cache
def all_nodes():
    """The code of all tests. Parsed for these tests only: every process that runs tests imports this file."""
    return {path.relative_to(TESTS): nodes_of(path.read_text("utf-8")) for path in sorted(TESTS.rglob("*.py"))}


def places(find):
    return [f"{path}:{line}" for path, nodes in all_nodes().items() for line in find(nodes)]


def test_every_test_asserts_something():
    assert [] == places(mute_tests)


def test_no_assertion_stands_behind_an_if():
    assert [] == places(hidden_assertions)


def clock_bound_examples(nodes):
    """Lines of settings of Hypothesis that let its clock fail a test: each list of their own has to name `too_slow`."""
    lists = (node for node in nodes if isinstance(node, ast.keyword) and node.arg == "suppress_health_check")
    return [
        node.value.lineno for node in lists if not re.search(r"too_slow|list\(HealthCheck\)", ast.unparse(node.value))
    ]


def test_no_clock_decides_about_a_randomised_test():
    assert settings().deadline is None and HealthCheck.too_slow in settings().suppress_health_check
    assert [] == places(clock_bound_examples)


def test_make_test_makes_the_same_examples_every_time_and_make_fuzz_new_ones():
    is_fuzzing = bool(os.environ.get("HEADWAY_FUZZ"))
    assert settings().derandomize is not is_fuzzing
    assert (settings().database is None) is not is_fuzzing


def test_they_would_be_found():
    bound = nodes_of("settings(suppress_health_check=[HealthCheck.filter_too_much])")
    assert [1] == clock_bound_examples(bound)
    bad = nodes_of("def test_a():\n    check()\n\ndef test_b(x):\n    if x:\n        assert x\n")
    assert ([1], [6]) == (mute_tests(bad), hidden_assertions(bad))
