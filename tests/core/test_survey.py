"""What a survey is: one form of a call, another item each time."""

import pytest

from headway import Monitor
from headway.core.survey import is_survey
from tests.agent_calls import bash, edit, tool


def steps_of(words):
    monitor = Monitor()
    for number, (name, args, output, more) in enumerate(words):
        monitor.called(name, args, call=str(number))
        monitor.returned(str(number), output, **more)
    return monitor.session.steps


@pytest.mark.parametrize(
    "words",
    [
        [bash(f"make BOARD={name} firmware", "error", 2) for name in "abc"],
        [bash(f"openssl s_client -connect {name}:443 -servername {name}", "error", 1) for name in ("a.org", "b.org")],
        [tool("get_customer", {"id": n, "full": True}, "Error: not allowed") for n in range(3)],
        [tool("update_check", {"id": n}, "Error: not allowed") for n in range(3)],
        [bash(f"unzip -P {word} a.zip", "incorrect password", 82) for word in "abc"],
        [bash(f"mv {word}.jpeg {word}.jpg", "mv: cannot stat", 1) for word in ("one", "two", "three")],
        [tool("book", {"room": f"R{n}", "day": n}, "Error: taken", failed=True) for n in range(3)],
    ],
)
def test_it_fills_in_one_form(words):
    assert is_survey(steps_of(words))


@pytest.mark.parametrize(
    "words",
    [
        [bash("make", "error", 2), bash("make", "error", 2)],
        [bash("make a", "error", 2), bash("make b", "error", 2), bash("make a", "error", 2)],
        [bash("make a", "error", 2), bash("make --trace a", "error", 2)],
        [bash("cc -o a a.c", "error", 2), bash("gcc -O2 x y.c", "error", 2)],
        [tool("ask", {"q": "x" * 300 + str(n)}, "error", failed=True) for n in range(3)],
        [tool("get", {"id": 1}, "error", failed=True), tool("fetch_it", {"id": 2}, "error", failed=True)],
        [edit("a.py", f"x{n}", "y", "String to replace not found", failed=True) for n in range(3)],
    ],
)
def test_it_is_nothing_else(words):
    assert not is_survey(steps_of(words))
