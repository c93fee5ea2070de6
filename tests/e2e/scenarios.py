"""What a scripted model does in each scenario, in words that every agent program can be told in.

A turn is a list of steps: one answer of the model. `translated` turns steps into calls of an agent's own tools. Numbers
are calls of the model, counted from 1.
"""

from dataclasses import dataclass, field

from tests.e2e.models import Say


@dataclass(frozen=True)
class Shell:
    """Run a command."""

    command: str


@dataclass(frozen=True)
class Read:
    """Read a file of the project."""

    path: str


@dataclass(frozen=True)
class Edit:
    """Replace a text in a file of the project."""

    path: str
    old: str
    new: str


@dataclass(frozen=True)
class Todo:
    """Note what is to be done. An agent without such a tool leaves it out."""

    text: str


@dataclass(frozen=True)
class Delegate:
    """Give a task to a sub-agent. The task opens its conversation, so it names its script in `Scenario.others`."""

    task: str


@dataclass(frozen=True)
class Fill:
    """Fill the context, so that the agent compacts it before the next request."""


@dataclass(frozen=True)
class Run:
    """One start of the agent program."""

    turns: tuple
    prompt: str = "please look into it"
    resumed: bool = False
    interrupted: bool = False
    """Ctrl-C while the last call is running."""
    beside: str = ""
    """A prompt of a second session that runs at the same time, in the same folder."""


@dataclass(frozen=True)
class Scenario:
    """A story, and what has to come of it."""

    name: str
    story: str
    runs: tuple
    told: int | None = None
    """After which call the agent is told something; None: nothing is ever said."""
    held: bool = False
    """Whether it goes on all the same, and has to be refused or stopped."""
    others: dict = field(default_factory=dict)
    """Scripts of sub-agents and second sessions, by the text that opens them."""
    about: str | None = None
    """Whose calls are counted: the main agent's, or those of one of the others."""
    also_told: frozenset = frozenset()
    """After which calls the others may be told something: why a sub-agent was ended."""
    needs: tuple = ()
    """What an agent must offer beside a shell: names of its methods."""


FILES = {
    "notes.txt": "there is nothing new here: notes\n",
    "plan.txt": "there is nothing new here: plan\n",
    "calc.py": "def add(a, b):\n    return a - b\n\n\ndef double(a):\n    return a * 3\n",
    "test_calc.py": (
        "import unittest\nfrom calc import add, double\n\n\nclass Calc(unittest.TestCase):\n"
        "    def test_add(self):\n        self.assertEqual(5, add(2, 3))\n\n"
        "    def test_double(self):\n        self.assertEqual(4, double(2))\n"
    ),
    **{f"part{number}.txt": f"part {number}\n" for number in range(1, 7)},
}
"""The project: two bugs, and tests that find them."""

TEST = Shell("python3 -B -m unittest -q test_calc")
LOOK = Shell("cat notes.txt")
CIRCLE = [[Shell(f"cat part{number}.txt")] for number in range(1, 7)]
POLL = Shell("sleep 1; cat job.log")
SUBTASK = "SUBTASK: say what the notes hold"
SECOND = "SESSION TWO: please look into it"


def _said(*turns, last="I see."):
    return (*turns, [Say(last)])


_HONEST = _said(
    [Read("notes.txt"), Read("plan.txt"), Shell("ls")],
    [Todo("mend add and double")],
    [Shell("grep -n def calc.py"), Shell("grep -c assert test_calc.py")],
    [TEST],
    [Read("calc.py")],
    [Edit("calc.py", "a - b", "a + b")],
    [TEST],
    [Delegate(SUBTASK)],
    [Shell("(sleep 4; echo finished > job.log) > /dev/null 2>&1 & echo running > job.log")],
    [POLL],
    [POLL],
    [POLL],
    [Shell("cat part4.txt")],  # some agents end every run with five equal calls in a row by themselves
    [POLL],
    [POLL],
    [Read("calc.py"), Read("test_calc.py")],
    [Edit("calc.py", "a * 3", "a * 2")],
    [TEST],
    *([Shell(f"cat part{number}.txt"), Shell(f"wc -c part{number}.txt")] for number in (1, 2, 3)),
    [Shell("git status 2>&1 | head -1")],
    [TEST],
    [Shell("echo 'all mended' >> notes.txt")],
    [Read("notes.txt")],
    last="Both bugs are mended, and the two tests pass.",
)

SCENARIOS = (
    Scenario(
        "honest session",
        "about 30 calls: parallel ones, a background job that is polled, todos, a sub-agent, tests between edits",
        (Run(_HONEST),),
        others={SUBTASK: [[Read("notes.txt")], [Say("Nothing new.")]]},
    ),
    Scenario("failing test", "the same failing test, 8 times", (Run(_said(*[[TEST]] * 8)),), told=3, held=True),
    Scenario(
        "failing edit",
        "one read, then an edit whose text is not in the file, 9 times",
        (Run(_said([Read("calc.py")], *[[Edit("calc.py", "not there", "x")]] * 9)),),
        told=4,
        held=True,
        needs=("edit",),
    ),
    Scenario("six-call circle", "six files in turn, 6 times", (Run(_said(*CIRCLE * 6)),), told=18, held=True),
    Scenario(
        "A-B-A-B",
        "two files in turn, 7 times",
        (Run(_said(*[[LOOK], [Shell("cat plan.txt")]] * 7)),),
        told=6,
        held=True,
    ),
    Scenario(
        "loop in a sub-agent",
        "a sub-agent reads one file 9 times; the main agent then works on",
        (Run(_said([Delegate(SUBTASK)], [LOOK], [Shell("cat plan.txt")])),),
        told=3,
        held=True,
        others={SUBTASK: [*[[LOOK]] * 9, [Say("Nothing new.")]]},
        about=SUBTASK,
        also_told=frozenset({1}),
        needs=("delegate",),
    ),
    Scenario(
        "resume",
        "two equal calls, the end; resumed with a new prompt: a loop of 8",
        (Run(_said([LOOK], [LOOK])), Run(_said(*[[LOOK]] * 8), prompt="go on", resumed=True)),
        told=5,
        held=True,
        needs=("resumed",),
    ),
    Scenario(
        "compaction",
        "a loop of 3, whose nudge has to outlive the compaction that follows, then other work",
        (Run(_said([LOOK], [LOOK], [LOOK, Fill()], [Shell("cat plan.txt")], [Shell("cat part1.txt")])),),
        told=3,
        needs=("full",),
    ),
    Scenario(
        "denied calls",
        "a change that is not allowed and the same failing test, 7 times",
        (Run(_said(*[[Shell("sed -i s/-/+/ calc.py")], [TEST]] * 7)),),
        told=6,
        held=True,
        needs=("deny_sed",),
    ),
    Scenario(
        "followed nudge",
        "a loop of 3, then honest work, with the same call after a change",
        (
            Run(
                _said(
                    *[[LOOK]] * 3,
                    [Shell("cat plan.txt")],
                    [Shell("echo more >> notes.txt")],
                    [LOOK],
                    *CIRCLE,
                    [Shell("echo more >> plan.txt")],
                    [Shell("cat plan.txt")],
                )
            ),
        ),
        told=3,
    ),
    Scenario(
        "two sessions in one folder",
        "two sessions at once, each with the same two calls twice",
        (Run(_said(*[[LOOK], [Shell("cat plan.txt")]] * 2), beside=SECOND),),
        others={SECOND: [*[[LOOK], [Shell("cat plan.txt")]] * 2, [Say("I see.")]]},
    ),
    Scenario(
        "interrupt",
        "Ctrl-C during a long call; resumed with honest work",
        (
            Run(([LOOK], [Shell("cat plan.txt; sleep 60")]), interrupted=True),
            Run(_said([LOOK], [Shell("cat plan.txt")], [TEST]), prompt="go on", resumed=True),
        ),
        needs=("resumed",),
    ),
)


def translated(turns, agent, place):
    """The turns in an agent's own calls. A step for which it has no tool is left out if it may be."""
    spoken = ([_call(step, agent, place) for step in turn] for turn in turns)
    return [turn for turn in ([item for item in items if item is not None] for items in spoken) if turn]


def _call(step, agent, place):
    match step:
        case Shell(command):
            return agent.shell(command)
        case Read(path):
            return agent.read(place.project / path)
        case Edit(path, old, new):
            return agent.edit(place.project / path, old, new)
        case Todo(text):
            return agent.todo(text)
        case Delegate(task):
            return agent.delegate(task)
        case Fill():
            return agent.full()
    return step
