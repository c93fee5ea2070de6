"""Two agents with a detector of their own: silica (its loop_detection) and one for bun (createLoopDetector)."""

from functools import partial

from tests.agent_calls import tool
from tests.rival_cases import again, each, honest, loop

CHECK = "cd /work/compiler && bash run_tests.sh 2>&1 | grep -E '(FAIL|Results)'"
RESULTS = (
    "\n".join(f"FAIL ({'run' if n % 2 else 'compile'}): {n * 37:05}" for n in range(1, 11))
    + "\nResults: 139 passed, 10 failed"
)


def shell(command, output="output"):
    return tool("shell_execute", {"command": command}, output)


def fetch(query, result):
    return tool("search", {"query": query}, result)


s_loop, s_honest = partial(loop, "silica"), partial(honest, "silica")
SILICA = [
    s_honest("three different looks", [shell("ls", "a.py\nb.py"), shell("cat a.py", "x = 1"), tool("read_file", {"path": "a.py"}, "x = 1")], "three different calls"),
    s_honest("one command twice", [shell("make check")] * 2, "twice is no loop"),
    s_loop("failing tests three times", 3, again(shell("run_tests.sh", "FAIL: 10 tests")), "equal calls, equal results"),
    s_loop("one command five times", 5, again(shell("make check")), "equal calls, equal results"),
    s_honest("one command twice, then another", [shell("make check"), shell("make check"), shell("make other")], "twice is no loop"),
    s_honest("one command three times, the last with another result", [shell("make check", "1 left"), shell("make check", "1 left"), shell("make check", "none left")], "the third one is news"),
    s_honest("one command twice, then another tool", [shell("make check"), shell("make check"), tool("read_file", {"path": "check.log"}, "output")], "twice is no loop"),
    s_loop("a call with nested values three times", 3, again(tool("shell_execute", {"command": "check", "options": {"verbose": True, "timeout": 30}, "env": {"PATH": "/usr/bin"}}, "output")), "equal calls, equal results"),
    s_loop("a call three times, its fields in another order", 3, each(lambda n: tool("convert", {"a": 1, "b": 2} if n % 2 else {"b": 2, "a": 1}, "output")), "the order of fields does not make a call another one"),
    s_honest("fifteen different calls", [tool("convert", {"n": n}, f"output {n}") for n in range(15)], "fifteen different calls"),
    s_loop("the tests of a compiler three times (a session of theirs)", 3, again(tool("shell_execute", {"command": CHECK, "timeout": 120}, RESULTS)), "equal calls, equal results, nothing changed"),
]  # fmt: skip

b_loop, b_honest = partial(loop, "bun detector"), partial(honest, "bun detector")
BUN = [
    b_loop("one call four times", 4, again(tool("convert", {"arg": "value"}, "result")), "equal calls, equal results"),
    b_honest("one call three times, another result each time", [fetch("test", f"result {n}") for n in "abc"], "each result is news; the suite sees the calls only", expected="loop"),
    b_honest("one call four times, another result each time", [fetch("test", f"result {n}") for n in "abcd"], "each result is news; the suite sees the calls only", expected="loop"),
    b_honest("three searches with three results", [fetch(f"test {n}", f"result {n}") for n in "abc"], "three different calls"),
    b_honest("three tools with the same value", [tool(f"tool_{n}", {"arg": "value"}, f"result {n}") for n in "abc"], "three different tools"),
    b_loop("a call with nested values three times", 3, again(tool("complex", {"nested": {"deep": {"value": 123}}, "array": [1, 2, 3], "bool": True}, "result")), "equal calls, equal results"),
    b_honest("two calls with the same result", [tool("convert", {name: 1}, "all is well") for name in "ab"], "two different calls may have the same answer", expected="loop"),
    b_honest("three calls with the same result", [tool("convert", {name: 1}, "all is well") for name in "abc"], "three different calls may have the same answer", expected="loop"),
    b_honest("two long results that begin alike", [tool("convert", {name: 1}, "a" * 500 + f" end {name}") for name in "ab"], "they end differently", expected="loop"),
    b_honest("two calls with two results", [tool("tool", {"x": n}, f"result {n}") for n in "ab"], "two different calls"),
    b_honest("ten different calls", [tool("tool", {"n": n}, f"result {n}") for n in range(10)], "a limit is a person's to set; nothing repeats", expected="loop"),
    b_honest("six different tools", [tool(f"tool_{n}", {"unique": n}, f"result {n}") for n in range(6)], "nothing repeats", expected="loop"),
    b_loop("a call without values three times", 3, again(tool("tool", {}, "result")), "equal calls, equal results"),
    b_honest("two calls that answer nothing", [tool("convert", {name: 1}, "") for name in "ab"], "many good calls answer nothing", expected="loop"),
    b_loop("a call with a list three times", 3, again(tool("tool", {"items": [1, 2, 3]}, "result")), "equal calls, equal results"),
    b_honest("a search, a file, a better search", [fetch("error message", "about errors"), tool("file_read", {"path": "logs.txt"}, "log"), fetch("error message specific", "more about it")], "ordinary work"),
    b_loop("one search three times", 3, again(fetch("same query", "same results")), "equal calls, equal results"),
    b_honest("two files that are not there", [tool("file_read", {"path": f"{name}.txt"}, "Error: file not found") for name in "ab"], "two different files", expected="loop"),
]  # fmt: skip

CASES = [*SILICA, *BUN]
