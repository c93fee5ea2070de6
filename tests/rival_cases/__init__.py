"""The cases of other watchers' own test suites, told anew, each judged by us: is it a loop, or honest work?

A suite's expectation may be wrong: it tests one rule, and a rule may count too soon, too late or the wrong thing. So each
case has both, what its suite expects and our judgement with its reason. A loop has a length in its suite and can be
continued: what is told late is told in the end. Where a suite gives calls no results, equal calls have equal results here.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.agent_calls import rounds

Steps = list[Any]


class Case(NamedTuple):
    """One case; `make` gives so many rounds of it, `length` is how many its suite plays."""

    suite: str
    what: str
    expected: str
    judged: str
    why: str
    length: int
    make: Callable[[int], Steps]
    comes_later: bool = False
    """Whether it is about compactions or a prompt that is repeated: counted apart."""

    def as_in_suite(self) -> Steps:
        return self.make(self.length)

    def continued(self) -> Steps:
        """Three times as long, and at least thirty rounds."""
        return self.make(max(3 * self.length, 30))


def again(*steps: Any) -> Callable[[int], Steps]:
    """The same steps in each round."""
    return lambda count: list(steps) * count


def each(*makers: Callable[[int], Any]) -> Callable[[int], Steps]:
    """Each round made from its number."""
    return lambda count: rounds(count, *makers)


def after(first: Steps, make: Callable[[int], Steps]) -> Callable[[int], Steps]:
    """Something else first."""
    return lambda count: [*first, *make(count)]


def loop(
    suite: str, what: str, length: int, make: Callable[[int], Steps], why: str, expected: str = "loop", **more: bool
) -> Case:
    return Case(suite, what, expected, "loop", why, length, make, **more)


def honest(suite: str, what: str, steps: Steps, why: str, expected: str = "honest") -> Case:
    return Case(suite, what, expected, "honest", why, 1, lambda count: steps)
