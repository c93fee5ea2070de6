import pytest

from headway import Severity
from headway.core.limits import Limits
from headway.detectors.run.goal_forcing import GoalForcing
from tests.streams import call, edit, failure, missing, moments, read, search, shell, user, watch

FORCING = Limits(force_action_after_target_read=True)


def reads(count):
    return [read(f"other{n}.py") for n in range(count)]


def test_speaks_at_the_third_exploration_after_the_target():
    found = watch(GoalForcing(), read("src/goal.py"), *reads(2), search(), limits=FORCING, targets=("src/goal.py",))

    assert [4] == moments(found)
    assert {"count": 3} == found[0][1].evidence


def test_stays_quiet_at_the_second():
    assert [] == watch(GoalForcing(), read("src/goal.py"), *reads(2), limits=FORCING, targets=("src/goal.py",))


def test_stays_quiet_while_the_target_is_unread():
    assert [] == watch(GoalForcing(), *reads(20), limits=FORCING, targets=("src/goal.py",))


def test_a_change_ends_it():
    words = [read("src/goal.py"), edit("src/goal.py"), *reads(8)]
    assert [] == watch(GoalForcing(), *words, limits=FORCING, targets=("src/goal.py",))


def test_the_user_names_the_target():
    words = [user("Please fix the rounding in src/goal.py, e.g. in total()."), read("/work/src/goal.py"), *reads(3)]
    assert [5] == moments(watch(GoalForcing(), *words, limits=FORCING))


def test_stays_quiet_for_tasks_that_do_not_ask_for_a_change():
    assert [] == watch(GoalForcing(), read("goal.py"), *reads(9), limits=Limits(), targets=("goal.py",))


def test_is_critical_when_it_goes_on():
    found = watch(GoalForcing(), read("goal.py"), *reads(8), limits=FORCING, targets=("goal.py",))
    assert [(4, Severity.HIGH), (8, Severity.CRITICAL)] == [(place, f.severity) for place, f in found]


def test_is_not_critical_within_what_is_planned_for_the_task_and_half_of_it():
    planned = Limits(force_action_after_target_read=True, max_exploration_iterations=8)
    found = watch(GoalForcing(), read("goal.py"), *reads(13), limits=planned, targets=("goal.py",))
    assert [(4, 0.4), (14, 0.9)] == [(place, finding.confidence) for place, finding in found]
    assert 13 == found[1][1].evidence["count"]


@pytest.mark.parametrize(
    "acted",
    [
        shell("python tools/codemod.py src/goal.py", "rewrote src/goal.py: 3 places"),
        shell("python tools/codemod.py src/goal.py", "rewrote src/goal.py: 3 places\nError: no b.py", failed=True),
        call("Task", {"prompt": "fix src/goal.py"}, "fixed"),
        call("mcp__ide__refactor", {"name": "total"}, "done"),
        missing(edit("src/goal.py")),
        missing(shell("python tools/codemod.py src/goal.py")),
        shell("sed -i s/a/b/ src/goal.py no.py", "sed: can't read no.py: No such file", failed=True, exit_code=2),
        shell("pytest --snapshot-update", "1 snapshot updated. 3 passed in 0.1s"),
    ],
    ids=[
        *("a script", "a script that fails", "a sub-agent", "an unknown tool", "an edit without a result"),
        *("a script without a result", "a command that changed a file and failed at the next", "tests that update"),
    ],
)
def test_stays_quiet_after_what_may_have_changed_the_target(acted):
    words = [user("Please fix src/goal.py."), read("src/goal.py"), acted, *reads(8)]
    assert [] == watch(GoalForcing(), *words, limits=FORCING)


def test_what_changed_before_the_request_does_not_count():
    words = [edit("src/goal.py"), user("Please fix src/goal.py."), read("src/goal.py"), *reads(3)]
    ((place, found),) = watch(GoalForcing(), *words, limits=FORCING)
    assert 6 == place
    assert "The target was read 3 explorations ago, and nothing has been changed yet for this request." == found.message


def test_stays_quiet_while_an_edit_of_the_same_batch_runs():
    asked, came = edit("src/goal.py", batch="b")(3)
    reading = [read(f"other{n}.py", batch="b") for n in range(4)]
    words = [user("Please fix src/goal.py."), read("src/goal.py"), lambda _: [asked], *reading, lambda _: [came]]
    assert [] == watch(GoalForcing(), *words, limits=FORCING)


def test_stays_quiet_after_a_failed_script_that_the_errors_have_forgotten():
    failures = [failure(f"no file {n}", tool="Read") for n in range(50)]
    script = shell("python tools/codemod.py src/goal.py", "Error: no b.py", failed=True)
    words = [user("Please fix src/goal.py."), script, *failures, read("src/goal.py"), *reads(8)]
    assert [] == watch(GoalForcing(), *words, limits=FORCING)


@pytest.mark.parametrize(
    "acted",
    [
        call("Edit", {"file_path": "src/goal.py", "old_string": "x", "new_string": "y"}, "not found", failed=True),
        call("Edit", {"file_path": "src/goal.py"}, "The user said no", failed=True, denied=True),
        shell("git status", "clean"),
    ],
    ids=["an edit that does not fit", "a denied edit", "a look"],
)
def test_speaks_after_what_changed_nothing(acted):
    words = [user("Please fix src/goal.py."), read("src/goal.py"), acted, *reads(3)]
    assert [6] == moments(watch(GoalForcing(), *words, limits=FORCING))
