"""Qwen Code (Apache-2.0): packages/core/src/services/loopDetectionService.test.ts, what it adds to Gemini CLI's."""

from functools import partial

from tests.agent_calls import rounds, says, tool
from tests.rival_cases import after, again, each, honest, loop

SUITE = "qwen-code"
a_loop, is_honest = partial(loop, SUITE), partial(honest, SUITE)
SAME = tool("fetch_rates", {"zone": "north", "kind": "net"}, "rates: 7, 19")
OTHER = tool("fetch_rates", {"kind": "net", "zone": "north"}, "rates: 7, 19")
GIT = {
    "git status --short": "", "git status --short && git diff --stat": "", "git diff --name-only HEAD": "", "git status --porcelain=v1": "", "git diff --stat HEAD": "",
    "git -C . status --short": "", "git --no-pager diff --stat": "", "git ls-files --modified": "",
}  # fmt: skip
LINES = [
    "git diff --stat\ngit status --short", "git diff --name-only HEAD\ngit ls-files --modified", "git --no-pager diff --stat\ngit status --porcelain=v1", "git diff --stat HEAD\ngit ls-files --others",
    "git diff --name-only\ngit status --short", "git diff --stat\ngit -C . status --short", "git --no-pager diff --stat\ngit ls-files --modified", "git diff --name-only HEAD\ngit status --short",
]  # fmt: skip
CHANTS = ("ABCDE", "01234", "SELEC")
VARIANTS = [{"a": 1, "b": {"x": 10, "y": 20}}, {"b": {"y": 20, "x": 10}, "a": 1}, {"b": {"x": 10, "y": 20}, "a": 1}]


def shell(command, output=""):
    return tool("run_shell_command", {"command": command, "description": "Look at the repository"}, output)


def look(name):
    return tool("read_file", {"path": f"{name}.txt"}, f"This is {name}.")


def written(name="out"):
    return tool("write_file", {"path": f"{name}.txt", "content": "x"}, "written")


def git(n, commands=tuple(GIT)):
    return shell(commands[n % len(commands)])


def diffs(separator):
    return [shell("git status --short", " M src/a.ts"), shell("git diff --stat", " 6 files changed"), *(shell(f"git diff {separator}src/{name}.ts", f"-let {name}\n+const {name}") for name in "abcdef")]  # fmt: skip


def stuck(args, n):
    """The same call between others of the same tool."""
    return tool("any_tool", args if n % 2 == 0 else {"filler": n}, "stuck" if n % 2 == 0 else f"filler {n}")


CASES = [
    a_loop("four equal calls, the fields in other orders", 2, again(SAME, OTHER), "the order of fields does not make a call another one", expected="honest"),
    a_loop("six equal calls, the fields in other orders", 3, again(SAME, OTHER), "the order of fields does not make a call another one"),
    a_loop("eight looks at a repository that has not changed", 8, each(git), "nothing has changed and each look says so"),
    a_loop("eight looks at a repository, two in each command", 8, each(partial(git, commands=tuple(LINES))), "nothing has changed and each look says so"),
    a_loop("seven looks at a repository, a file read, seven looks", 7, after([*rounds(7, git), look("README")], each(git)), "reading a file changes nothing in the repository; the same looks come again", expected="honest"),
    is_honest("staged, looked at and committed, file after file", [shell(f"git add f{n}.txt && git status --short && git commit -m step-{n}", f"A  f{n}.txt\n[main {n * 7919 + 0xA1B2C3:07x}] step-{n}") for n in range(8)], "each one commits something"),
    is_honest("a look at the repository and the tests, in one command", [shell(f"git status --short && npm test -- --runInBand={n}", f" M cart.ts\n{n + 20} passed") for n in range(8)], "the tests are run with another setting each time"),
    is_honest("tests that get better with another setting", [shell(f"npm test -- --runInBand={n}", f"{n + 20} passed, {200 - n} failed") for n in range(10)], "each run has another result, a better one"),
    is_honest("the changes of one file after the other", diffs("-- "), "a review goes file by file"),
    is_honest("the changes of one file after the other, written shorter", diffs(""), "a review goes file by file"),
    a_loop("a sentence on a line of its own over and over", 10, lambda count: [says("It has to be here somewhere, says the plan I made.\n" * count)], "ten times the same line"),
    *(a_loop(f"{chant} chanted", 10, lambda count, chant=chant: [says(chant * 10 * count)], "no words, only the same letters") for chant in CHANTS),
    is_honest("rules of many characters", [says("\n".join(mark * 50 for mark in "-=*_+─━"))], "rules across the page"),
    is_honest("a list with a bullet for each article", [says("".join(f"- article {n}: {n * 7 % 90} pieces on shelf {n * 3 % 17}\n" for n in range(20)))], "every item is another article"),
    a_loop("the same thought three times in a row", 3, again(says("Plan: look at the script of the migration.")), "three equal messages and nothing done"),
    is_honest("thoughts that lead on", [says("Plan: look at the tables."), says("Analysis: what can go wrong in the migration?"), says("Plan: weigh the ways to roll it out."), says("Next: write the change.")], "each one says something else"),
    is_honest("a thought that comes back after others", [says(text) for text in ("Plan: look at the tables.", "What of the migration?", "Now the indexes.", "Plan: look at the tables.", "What can go wrong in a roll-out?", "Plan: look at the tables.")], "it comes back after other thoughts; at this length nobody would speak"),
    is_honest("the same thought between different reads", [step for name in "abc" for step in (says("Plan: look at the tables."), look(name))], "each read is another one"),
    a_loop("a doubt that is said five times", 5, again(says("Perhaps the settings are wrong, I should look at them.")), "five equal messages and nothing done", expected="honest"),
    is_honest("eight different files read after a change", [written(), *(look(f"file{n}") for n in range(8))], "eight files that were not known; the suite counts reads only", expected="loop"),
    is_honest("twenty files and folders read to begin with", [tool("list_directory" if n % 2 else "read_file", {"path": f"f{n}"}, f"content {n}") for n in range(20)], "getting to know a project"),
    is_honest("seven reads, a change, twelve reads", [*(look(f"pre{n}") for n in range(7)), written(), *(look(f"post{n}") for n in range(12))], "nineteen different files", expected="loop"),
    is_honest("reads and lists of many kinds after a change", [written(), tool("read_many_files", {"paths": ["a"]}, "a"), tool("list_directory", {"path": "."}, "a b"), tool("read_resource", {"uri": "a"}, "res a"), tool("zoom_image", {"file": "c.png", "x": 0}, "<image>"),
        tool("list_projects", {}, "shop"), look("file5"), tool("read_many_files", {"paths": ["b"]}, "b"), tool("list_directory", {"path": "nested"}, "c")], "each one shows something else", expected="loop"),
    is_honest("tools whose names only sound like reading", [written(), *(tool(("review", "concat_chunks", "viewport_set", "listener_bind")[n % 4], {"n": n}, f"ok {n}") for n in range(6))], "different calls of different tools"),
    is_honest("reads and changes mixed", [look("file1"), written("file2"), look("file3"), tool("execute", {"command": "ls"}, "a b"), look("file4"), look("file5")], "ordinary work"),
    is_honest("eight searches for different terms", [tool("search_code", {"query": f"term{n}"}, f"src/m{n}.py:{n}") for n in range(8)], "each one finds something else; the suite counts the tool's name only", expected="loop"),
    is_honest("five searches, a change, five searches", [*(tool("search_code", {"query": f"a{n}"}, f"src/a{n}.py") for n in range(5)), written(), *(tool("search_code", {"query": f"b{n}"}, f"src/b{n}.py") for n in range(5))], "ten different searches"),
    is_honest("ninety-nine different calls in one turn", [tool("any_tool", {"n": n}, f"answer {n}") for n in range(99)], "long, and every call another one"),
    is_honest("a hundred and one different calls in one turn", [tool("any_tool", {"n": n}, f"answer {n}") for n in range(101)], "a limit is a person's to set; nothing repeats", expected="loop"),
    a_loop("one call again and again, others of the same tool in between", 12, each(partial(stuck, {"stuck": True})), "the same answer six times, whatever stands in between"),
    a_loop("one call again and again after ten others", 12, after([tool("any_tool", {"start": n}, f"start {n}") for n in range(10)], each(partial(stuck, {"stuck": True}))), "the same answer six times, whatever stands in between"),
    a_loop("one call again and again, its fields in other orders, others in between", 12, each(lambda n: stuck(VARIANTS[n // 2 % 3], n)), "the same answer six times, whatever the order of fields"),
    a_loop("one call again and again, three others in turn in between", 6, each(lambda n: SAME, lambda n: tool(f"other_{'abc'[n % 3]}", {"n": n % 3}, f"other {n % 3}")), "the same four answers over and over"),
    is_honest("six different calls of one tool", [tool("stuck_tool", {"n": n}, f"answer {n}") for n in range(6)], "six different calls"),
    a_loop("two tools in turn, three laps", 3, again(tool("tool_a", {"p": "a"}, "a"), tool("tool_b", {"p": "b"}, "b")), "three laps of the same two calls"),
    is_honest("two tools in turn with other values", [tool(f"tool_{name}", {"p": n}, f"{name}{n}") for n in range(5) for name in "ab"], "every call another one"),
    a_loop("two tools in turn, a third one in the middle", 1, lambda count: ([tool("tool_a", {"p": "a"}, "a"), tool("tool_b", {"p": "b"}, "b")] * 2 + [tool("tool_c", {"p": "c"}, "c")] + [tool("tool_a", {"p": "a"}, "a"), tool("tool_b", {"p": "b"}, "b")] * 3) * count, "five laps of the same two calls"),
]  # fmt: skip
