"""OpenHands (MIT): tests/unit/test_is_stuck.py. A prompt that is repeated and compactions come later."""

from functools import partial

from tests.agent_calls import asks, compacts, says, tool
from tests.rival_cases import after, again, each, honest, loop

SUITE = "OpenHands"
a_loop, is_honest = partial(loop, SUITE), partial(honest, SUITE)
LATER = {"comes_later": True}


def run(command, output="", **more):
    return tool("execute_bash", {"command": command}, output, **more)


def look(name, text="What it says"):
    return tool("read", {"path": f"{name}.txt"}, f"{text}: {name}")


CODE = 'edit_file_by_replace(\n    \'shelf.py\',\n    to_replace="""def largest(low, high):\n'
WHERE = "\n[Jupyter current working directory: /work]\n[Jupyter Python interpreter: /usr/bin/python]"


def cell(error, line="42", more=""):
    return tool("execute_ipython_cell", {"code": CODE}, f'  Cell In[1], line {line}\nto_replace="""def largest(low, high):\n            ^\n{error}{more}{WHERE}')  # fmt: skip


def quote(line="1", more=""):
    return tool("execute_ipython_cell", {"code": 'print("hello'}, f'print("hello\n       ^\nSyntaxError: unterminated string literal (detected at line {line}){more}{WHERE}')  # fmt: skip


COMMA, INPUT = "SyntaxError: invalid syntax. Perhaps you forgot a comma?", "SyntaxError: incomplete input"
CELL = "the same code cannot become right by running it again; where the error is said to be does not matter"
SAME = [run("ls"), run("ls")]
CASES = [
    is_honest("one command to begin with", [asks("Hello"), run("ls", "a.txt\nb.txt")], "one call"),
    a_loop("the same command four times", 4, again(run("ls")), "the same empty answer four times"),
    is_honest("the same command twice after a message of the user", [asks("Hello"), *SAME], "twice is no loop"),
    a_loop("the same command four times after a message of the user", 4, after([*SAME, asks("Hello")], again(run("ls"))), "the same empty answer four times"),
    is_honest("the same command twice, a message of the user, and twice", [*SAME, asks("Done"), *SAME], "a person has spoken in between, and may want to see it again", expected="loop"),
    a_loop("a command that does not exist, with other words each time", 4, each(lambda n: run("frobnicate", ("Command not found", "Command still not found, or another error", "Another error")[n % 3], failed=True)), "the same command fails each time, whatever the words"),
    a_loop("a cell with invalid syntax", 4, again(cell(COMMA)), CELL),
    a_loop("a cell with invalid syntax, said to be on another line", 4, each(lambda n: cell(COMMA, str((n + 1) * 10), "\n" * (n + 1))), CELL, expected="honest"),
    a_loop("a cell with invalid syntax, three times", 3, each(lambda n: cell(COMMA, str((n + 1) * 10), "\n" * (n + 1))), CELL, expected="honest"),
    a_loop("a cell that is not complete", 4, again(cell(INPUT)), CELL),
    a_loop("a cell that is not complete, said to be on another line", 4, each(lambda n: cell(INPUT, str((n + 1) * 10), "\n" * (n + 1))), CELL, expected="honest"),
    a_loop("a string that does not end", 4, again(quote()), CELL),
    a_loop("a string that does not end, said to be on another line", 4, each(lambda n: quote(str((n + 1) * 10))), CELL, expected="honest"),
    a_loop("a string that does not end, three times", 3, again(quote()), CELL, expected="honest"),
    a_loop("a string that does not end, with other words after it", 4, each(lambda n: quote(str((1, 1, 3, 2)[n % 4]), f"\n{('More of it', 'Much more', 'Enough', 'The last of it')[n % 4]}")), CELL, expected="honest"),
    a_loop("a list and a file, over and over, the user says the same each time", 3, again(asks("Come on"), run("ls", "a.txt\nb.txt"), look("a")), "a prompt that is repeated by a machine is not a person", **LATER),
    is_honest("lists and files, some of them twice", [run("ls", "a.txt\nb.txt"), look("a"), run("pwd", "/home/user"), look("b", "Other text"), asks("Done"), run("pwd", "/home/user"), look("b", "Other text")], "each one at most twice"),
    a_loop("the same answer three times", 3, after([asks("Hi there!"), says("Hi there!"), asks("How are you?"), run("echo 42", "42")], again(says("I'm fine, thanks for asking."))), "three equal messages and nothing done"),
    is_honest("the same answer twice after a command", [run("storybook", "OK, it goes on."), says("I'm fine, thanks for asking."), says("I'm fine, thanks for asking.")], "twice, and something happened before"),
    a_loop("ten compactions in a row", 10, after([asks("Hello")], again(compacts())), "nothing can be done between two compactions", **LATER),
    a_loop("nine compactions in a row", 9, after([asks("Hello")], again(compacts())), "nothing can be done between two compactions; the suite waits for a tenth", expected="honest", **LATER),
    a_loop("ten compactions, a look or two in between", 10, each(lambda n: compacts(), lambda n: run(f"ls {n}", "a.txt\nb.txt")), "every second event is a compaction", expected="honest", **LATER),
    a_loop("ten compactions, “please continue” in between", 10, after([asks("Hello")], each(lambda n: compacts(), lambda n: asks(f"Please continue {n}"))), "nothing can be done between two compactions", **LATER),
    a_loop("ten compactions, then “please continue”", 10, lambda count: [*[compacts()] * count, asks("Please continue")], "nothing can be done between two compactions", **LATER),
]  # fmt: skip
