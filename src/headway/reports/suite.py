"""How the tests of a round changed, by name."""

from collections.abc import Sequence

from headway.core.iteration import SuiteChanges
from headway.reports.text import plain
from headway.rolling.text import listed


def suite_lists(suite: SuiteChanges | None, flaky: Sequence[str] = ()) -> dict[str, tuple[str, ...]]:
    """The tests whose result changed, by kind of change; empty if their names are unknown."""
    if suite is None:
        return {}
    lists = {
        "fixed": suite.fixed,
        "broke": suite.broken,
        "gone": suite.gone,
        "skipped now": suite.silenced,
        "new": suite.new,
        "new and failing": suite.new_failing,
        "new or broken": () if suite.gone else suite.unsure,
        "rewritten": suite.rewritten,
        "flaky": tuple(flaky),
    }
    return {what: tests for what, tests in lists.items() if tests}


def suite_line(suite: SuiteChanges | None, flaky: Sequence[str] = ()) -> str:
    """The same in one line; empty if nothing changed."""
    return "; ".join(f"{what} {names_of(tests)}" for what, tests in suite_lists(suite, flaky).items())


def names_of(tests: Sequence[str], most: int = 3) -> str:
    """A few names, and how many more there are."""
    return listed([plain(test)[:200] for test in tests], most)
