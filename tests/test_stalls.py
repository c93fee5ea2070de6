"""Work that gets nowhere, as a person watching would say: it is spoken to, at a round that is known."""

import pytest

from headway import Monitor
from tests.test_honest_work import bash, edit, failing, tool

TEST, ERROR = failing("pytest -q"), bash("make", "a.c:12:5: error: expected ';'\nmake: *** [a.o] Error 1", 2)


def change(n, path="cart.py"):
    return edit(path, f"v{n}", f"v{n + 1}")


def first_said(rounds):
    """The round in which something is said first, and by whom."""
    monitor, number = Monitor(), 0
    monitor.user_spoke("please fix the cart")
    for at, steps in enumerate(rounds, 1):
        for name, args, output, more in steps:
            number += 1
            monitor.called(name, args, call=str(number))
            decision = monitor.returned(str(number), output, **more)
            if decision.action != "continue":
                return at, decision.reason
    return None


STALLS = {
    "edits that leave the failure as it is": (13, "stubborn_failure", [[change(n), TEST] for n in range(40)]),
    "edits in four files": (15, "stubborn_failure", [[change(n, f"m{n % 4}.py"), TEST] for n in range(40)]),
    "edits and looks": (
        13, "stubborn_failure", [[tool("Read", {"file_path": "cart.py"}, f"code {n}"), change(n), TEST] for n in range(40)]
    ),
    "edits and tests in one command": (
        13, "stubborn_failure", [[failing(f"sed -i 's/v{n}/v{n + 1}/' cart.py && pytest -q")] for n in range(40)]
    ),
    "one compile error": (13, "stubborn_failure", [[change(n), ERROR] for n in range(40)]),
    "packages that do not help": (
        13, "stubborn_failure", [[bash(f"pip install x=={n}", f"Successfully installed x-{n}"), ERROR] for n in range(40)]
    ),
    "two failures in turn": (
        14, "stubborn_failure", [[change(n), failing("pytest -q", test="ab"[n % 2])] for n in range(40)]
    ),
    "edited, taken back by git": (
        13, "stubborn_failure", [[change(0), TEST, bash("git checkout cart.py", "Updated 1 path")] for n in range(40)]
    ),
    "edited and taken back": (4, "edit_oscillation", [[edit("cart.py", "ab"[n % 2], "ba"[n % 2]), TEST] for n in range(40)]),
    "a file touched": (4, "doom_loop", [[bash("touch x"), TEST]] * 40),
    "a folder made that is there": (4, "doom_loop", [[bash("mkdir -p build"), TEST]] * 40),
    "permissions set again": (4, "doom_loop", [[bash("chmod +x run.sh"), TEST]] * 40),
    "the same text written again": (
        5, "test_rerun", [[tool("Write", {"file_path": "a.py", "content": "x"}, "written"), bash(f"git log -{n}", f"{n}"), TEST] for n in range(40)]
    ),
    "stashed and popped": (13, "stubborn_failure", [[bash("git stash; git stash pop", f"Dropped {n}"), TEST] for n in range(40)]),
}  # fmt: skip


@pytest.mark.parametrize("name", STALLS)
def test_it_is_said(name):
    at, by, rounds = STALLS[name]
    assert (at, by) == first_said(rounds)
