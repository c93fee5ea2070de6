"""Loops planted into healthy runs, and look-alikes that are none: how soon is each seen, and is anything stopped?

A plant is made from calls of its own, so that what the run does before and after stays what it was. Everything is
drawn from one seeded source: the same seed plants the same.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random

import msgspec

from headway.core.events import Event, ToolCalled, ToolReturned

Call = tuple[str, dict[str, object], str, bool]
"""Tool, arguments, output, failed."""

QUESTIONS: tuple[Call, ...] = (
    ("Bash", {"command": "git status --short"}, " M src/app.py", False),
    ("Grep", {"pattern": "def handler"}, "src/app.py:14:def handler(request):", False),
    ("Read", {"file_path": "src/planted.py"}, "     1\timport os\n     2\tprint(os.name)", False),
    ("Glob", {"pattern": "**/*.cfg"}, "setup.cfg\ntox.cfg", False),
    ("Edit", {"file_path": "src/planted.py", "old_string": "os.nam", "new_string": "os.name"},
     "Error: String to replace not found in file.", True),
    ("Bash", {"command": "python -m pytest -q tests/test_planted.py"}, "FAILED tests/test_planted.py::test_it\n1 failed", True),
    ("Bash", {"command": "ls -la build"}, "ls: cannot access 'build': No such file or directory", True),
)  # fmt: skip
"""Calls whose answer stays the same as long as nothing changes."""
WORDINGS = (
    "where is the {} of the cart", "where is the {} of the cart computed", "where the {} of the cart is computed",
    "where is the {} of a cart computed", "where is the {} of the cart is computed", "where is {} of the cart computed",
)  # fmt: skip


class Plant(msgspec.Struct, frozen=True):
    """What is planted: calls lap by lap, and what is expected of the watcher."""

    name: str
    laps: tuple[tuple[Call, ...], ...]
    is_loop: bool
    by_lap: int = 3
    """For a loop: the lap by whose end it should have been seen."""


def exact(period: int, laps: int, draw: Random) -> Plant:
    """The same calls with the same results."""
    calls = tuple(draw.sample(QUESTIONS, period))
    return Plant(f"exact, period {period}", (calls,) * laps, True)


def with_ids(period: int, laps: int, draw: Random) -> Plant:
    """The same, with a clock, an id and a duration in each output."""
    calls = draw.sample(QUESTIONS, period)

    def stamped(call: Call, lap: int) -> Call:
        tool, args, output, failed = call
        took, id = draw.randrange(10, 99), draw.getrandbits(48)
        return tool, args, f"{output}\n[2026-05-0{lap + 1}T10:0{lap}:{took}] request {id:012x} took 0.{took}s", failed

    return Plant(
        f"ids vary, period {period}", tuple(tuple(stamped(c, lap) for c in calls) for lap in range(laps)), True
    )


def paraphrased(laps: int, draw: Random) -> Plant:
    """The same question in other words, with the same answer or the same failure."""
    what = draw.choice(("total", "discount", "tax", "price"))
    wordings = [wording.format(what) for wording in draw.sample(WORDINGS, len(WORDINGS))]
    output, failed = draw.choice((("src/cart.py:40", False), ("Error: the index is not built", True)))
    calls = [("search_docs", {"query": wordings[lap % len(wordings)]}, output, failed) for lap in range(laps)]
    return Plant("paraphrased", tuple((call,) for call in calls), True, by_lap=4)


def long_period(laps: int, draw: Random) -> Plant:
    """A round of six to seven calls."""
    plant = exact(draw.choice((6, 7)), laps, draw)
    return Plant("longer period", plant.laps, True)


def polling(laps: int, draw: Random) -> Plant:
    """Waiting for something that takes its time."""
    call: Call = ("Bash", {"command": f"sleep {draw.randrange(5, 60)}; tail -3 build.log"}, "still building", False)
    return Plant("polling", ((call,),) * laps, False)


def paging(laps: int, draw: Random) -> Plant:
    """One long file, page after page."""
    size = draw.choice((50, 100, 200))

    def page(number: int) -> Call:
        args: dict[str, object] = {"file_path": "data/long.log", "offset": number * size + 1, "limit": size}
        return "Read", args, f"line {number * size}: {draw.random()}", False

    return Plant("paging", tuple((page(n),) for n in range(laps)), False)


def batch_edits(laps: int, draw: Random) -> Plant:
    """The same small change in many files."""

    def change(number: int) -> Call:
        args: dict[str, object] = {"file_path": f"src/m{number}.py", "old_string": "import six", "new_string": ""}
        return "Edit", args, "The file was updated.", False

    return Plant("batch edits", tuple((change(n),) for n in range(laps)), False)


def edit_then_test(laps: int, draw: Random) -> Plant:
    """Edit and test, in turn, with the same failing test for a while."""

    def attempt(number: int) -> tuple[Call, Call]:
        args: dict[str, object] = {
            "file_path": "src/planted.py",
            "old_string": f"v{number}",
            "new_string": f"v{number + 1}",
        }
        tested: Call = (
            "Bash", {"command": "python -m pytest -q"}, "FAILED tests/test_planted.py::test_it\n1 failed, 5 passed", True,
        )  # fmt: skip
        return ("Edit", args, "The file was updated.", False), tested

    return Plant("test after edit", tuple(attempt(n) for n in range(laps)), False)


LOOPS: tuple[Callable[[int, Random], Plant], ...] = (
    *(lambda laps, draw, p=period: exact(p, laps, draw) for period in range(1, 6)),  # type: ignore[misc]
    *(lambda laps, draw, p=period: with_ids(p, laps, draw) for period in (1, 2)),  # type: ignore[misc]
    paraphrased,
    long_period,
)
LOOK_ALIKES: tuple[Callable[[int, Random], Plant], ...] = (polling, paging, batch_edits, edit_then_test)


def planted(healthy: Sequence[Event], plant: Plant, place: int) -> Iterator[tuple[int, Event]]:
    """A run with a plant in it; each event with its lap, 0 for what was there before."""
    run, agent = (healthy[0].run, healthy[0].agent) if healthy else ("", "")
    for event in healthy[:place]:
        yield 0, _unnumbered(event)
    for lap, calls in enumerate(plant.laps, 1):
        for number, (tool, args, output, failed) in enumerate(calls):
            id = f"planted-{lap}-{number}"
            yield lap, ToolCalled(run=run, agent=agent, call=id, tool=tool, args=args)
            yield lap, ToolReturned(run=run, agent=agent, call=id, output=output, failed=failed)
    for event in healthy[place:]:
        yield 0, _unnumbered(event)


def places(healthy: Sequence[Event]) -> list[int]:
    """Where something can be planted: between two steps, with no call open."""
    found, open_calls = [0], 0
    for number, event in enumerate(healthy, 1):
        open_calls += isinstance(event, ToolCalled) - isinstance(event, ToolReturned)
        if isinstance(event, ToolReturned) and open_calls <= 0:
            found.append(number)
    return found


def _unnumbered(event: Event) -> Event:
    return msgspec.structs.replace(event, seq=None)
