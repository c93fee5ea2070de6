from headway import Severity
from headway.core.limits import Limits
from headway.detectors.run.tool_budget_exceeded import ToolBudgetExceeded
from tests.streams import moments, read, shell, suite, user, watch

BUDGET = Limits(tool_budget=5)


def reads(count):
    return [read(f"{n}.py") for n in range(count)]


def test_speaks_when_the_last_planned_call_is_made():
    found = watch(ToolBudgetExceeded(), *reads(6), limits=BUDGET)

    assert [5] == moments(found)
    assert "The tool budget is used up: 5 of 5 calls made." == found[0][1].message
    assert (Severity.CRITICAL, 1.0) == (found[0][1].severity, found[0][1].confidence)


def test_stays_quiet_before():
    assert [] == watch(ToolBudgetExceeded(), *reads(4), limits=BUDGET)


def test_stays_quiet_without_a_budget():
    assert [] == watch(ToolBudgetExceeded(), *reads(200))


def test_counts_the_whole_run():
    assert [6] == moments(watch(ToolBudgetExceeded(), *reads(3), user(), *reads(3), limits=BUDGET))


def test_an_advisory_budget_is_only_said():
    found = watch(ToolBudgetExceeded(), *reads(5), limits=Limits(tool_budget=5, advice=frozenset({"tool_budget"})))
    assert found[0][1].confidence < 0.5


def test_a_soft_budget_extends_itself_while_something_is_gained():
    """By half, and to twice its size at most."""
    soft = Limits(tool_budget=8, soft_budget=True)
    stale = [shell("ls", "a.py")] * 40
    gaining = [suite(failed=30 - n, passed=n, command="pytest") for n in range(30)]
    assert [8] == moments(watch(ToolBudgetExceeded(), *stale, limits=soft))
    assert [16] == moments(watch(ToolBudgetExceeded(), *gaining, limits=soft))
    assert [16] == moments(watch(ToolBudgetExceeded(), *reads(20), limits=soft))
    assert [11] == moments(watch(ToolBudgetExceeded(), *reads(10), read("0.py"), limits=soft))
