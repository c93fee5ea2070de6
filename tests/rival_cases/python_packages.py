"""Packages of the index: agent-loop-guard 0.1.1 (MIT), agentguard-predict 0.4.1, LoopBrake 0.6.0, deepeval 4.3.1 (Apache-2.0).

Where a suite tests a measure and no verdict (LoopBrake's signals, deepeval's score, a buffer of agent-loop-guard), what the
measure says of the case stands for what is expected.
"""

from functools import partial

from tests.agent_calls import says, tool
from tests.rival_cases import after, again, each, honest, loop

FOUND = "1. https://docs.example.org/async\n2. https://blog.example.net/await"
FAILED = "FAILED: test_login (AssertionError)"
STAYS = "another wording, the same results"
LAPS = "laps of the same calls with the same results"


def search(query, result=FOUND):
    return tool("web_search", {"query": query}, result)


def look(path, text=None):
    return tool("read_file", {"path": path}, text or f"# {path}")


def changed(path, content):
    return tool("edit_file", {"path": path, "content": content}, f"edited {path}: {len(content)} letters")


def ran_tests(output=FAILED):
    return tool("run_tests", {}, output)


WORDINGS = "python async best practices{}".format
ENDS = ["", " 2026", " tutorial", " guide", " examples", " complete guide", " advanced"]
FIXES = [
    "how to fix error in python",
    "how to fix error in python code",
    "how to fix the error in python",
    "fix error in python programming",
    "how to fix python error",
]
BODIES = ["pass", "return True", "return None", "return False", "return 0"]
guard_loop, guard_honest = partial(loop, "agent-loop-guard"), partial(honest, "agent-loop-guard")
AGENT_LOOP_GUARD = [
    guard_loop("the same search six times", 6, again(search("python tutorial")), "equal calls, equal results"),
    guard_loop("five wordings of one search", 5, each(lambda n: search(FIXES[n % 5] + " " * (n // 5))), STAYS),
    guard_loop("seven wordings of one search (CrewAI)", 7, each(lambda n: search(WORDINGS(ENDS[n % 7] + str(n // 7 or "")))), STAYS),
    guard_honest("read, edit, test, three times with other edits", [step for n in range(3) for step in (look("main.py", f"fix{n}"), changed("main.py", f"fix{n + 1}"), ran_tests(f"{3 - n} failed"))], "three tries, each with another result", expected="loop"),
    guard_loop("the tests four times, nothing done in between", 4, again(ran_tests()), "the same failure, and nothing changed"),
    guard_loop("five guesses for one failing test (Aider)", 5, each(lambda n: changed("main.py", f"def fix(): {BODIES[n % 5]}  # {n}"), lambda n: ran_tests("FAIL: test_main")), "guesses; the same test fails after each"),
    guard_loop("a package that does not exist, five times", 5, again(tool("bash", {"command": "pip install no-such-thing"}, "ERROR: No matching distribution found for no-such-thing")), "it will not appear"),
    guard_honest("searches, reads, edits and tests of two files", [search("asyncio tutorial"), look("server.py"), changed("server.py", "async def handle(): ..."), ran_tests("3 passed"), search("middleware", "1. https://docs.example.org/mw"), look("middleware.py"), changed("middleware.py", "class Auth: ..."), ran_tests("4 passed")], "ordinary work"),
    guard_honest("twenty modules read, five searches", [*(look(f"module_{n}.py") for n in range(20)), *(search(f"refactor pattern {n}", f"{n}. https://docs.example.org/{n}") for n in range(5))], "all different"),
    guard_honest("a refactoring of fifteen modules", [*(look(f"src/module_{n}.py") for n in range(15)), *(tool("search", {"query": "deprecated", "path": f"src/module_{n}.py"}, f"{n + 3}: deprecated()") for n in range(15)), *(changed(f"src/module_{n}.py", f"# {n}") for n in range(15))], "three passes over fifteen files"),
    guard_honest("twenty files processed", [tool("process_file", {"input": f"data_{n}.csv", "output": f"result_{n}.json"}, "done") for n in range(20)], "twenty different files"),
    guard_loop("a search ten times after a good start", 10, after([look("a.py"), changed("a.py", "x = 1")], again(search("fix error"))), "equal calls, equal results"),
    guard_loop("plan, search, read, edit, test, then one search ten times", 10, after([tool("plan", {"task": "refactor"}, "planned"), search("auth patterns", "1. https://docs.example.org/auth"), look("auth.py"), changed("auth.py", "new"), ran_tests("5 passed")], again(search("auth error fix"))), "equal calls, equal results"),
    guard_loop("one search four times", 4, again(search("test")), "equal calls, equal results"),
    guard_honest("two different searches", [search("python tutorial"), search("memory safety in rust", "1. https://rust.example.org")], "different questions"),
    guard_honest("two folders listed", [tool("bash", {"command": f"ls -la /home/user/{name}"}, name) for name in ("documents", "downloads")], "two different folders; the suite sees the letters only", expected="loop"),
    guard_honest("a status asked twice", [tool("status", {}, "ready")] * 2, "twice is no loop", expected="loop"),
    guard_honest("search, read, search, read", [tool(name, {}, name) for name in ("search", "read") * 2], "twice is no loop", expected="loop"),
    guard_loop("plan, search, read, write, three laps", 3, again(*(tool(name, {}, f"{name}: done") for name in ("plan", "search", "read", "write"))), LAPS),
    guard_loop("ten tools in turn", 10, again(*(tool(f"tool_{n}", {}, f"answer {n}") for n in range(10))), "ten laps of the same ten calls", expected="honest"),
    guard_honest("a test, a search, the test again", [ran_tests("FAIL"), search("why"), ran_tests("FAIL")], "twice is no loop", expected="loop"),
]  # fmt: skip

predict_loop, predict_honest = partial(loop, "agentguard-predict"), partial(honest, "agentguard-predict")
ASK, SUM = tool("search", {"q": "topic"}, FOUND), tool("summarize", {"text": "results"}, "It is about waiting.")
PARTS = ["the sales", "the returns", "the stock", "the staff", "the rents", "the taxes"]
PLANS = ("Plan A: ask the database for it.", "No, it is better to read it from the web site.")


def healthy(count):
    """A question, its answer, and a word about what comes next."""
    return [step for part in PARTS[:count] for step in (tool("search", {"q": f"What of {part}?"}, f"{part}: {len(part)} files"), says(f"I have {part} now and go on."))]  # fmt: skip


AGENTGUARD = [
    predict_honest("six questions, a word after each", healthy(6), "each question is another one"),
    predict_loop("one search five times", 5, again(ASK), "equal calls, equal results"),
    predict_loop("search and summary, four laps", 4, again(ASK, SUM), LAPS),
    predict_honest("five pages of one search", [tool("search", {"q": f"the same, page {n}"}, f"{n}1. https://docs.example.org/{n}") for n in range(5)], "each page shows other results", expected="loop"),
    predict_loop("one message five times", 5, again(says("I have to look for more.")), "five equal messages and nothing done"),
    predict_honest("one call that fails, all the others go on", [*healthy(2), tool("search", {"q": "What of the rents?"}, "timeout", failed=True), *healthy(1)], "once is an accident"),
    predict_loop("one address that refuses, four times", 4, after(healthy(2), again(tool("fetch", {"url": "http://rates.internal/all"}, "connection refused", failed=True))), "the same refusal each time"),
    predict_honest("four messages that report progress", [says(text) for text in ("First I gather the figures of the third quarter.", "There are 4,000 rows; I take out the empty ones.", "It is clean. The growth by month comes next.", "It grew by 12 %. I write the report.")], "each one says what is new"),
    predict_loop("one message that asks for more, five times", 5, again(says("I still need to know more about how it fails. Let me search.")), "five equal messages and nothing done"),
    predict_loop("two plans in turn", 3, again(*map(says, PLANS)), "two plans that take turns, nothing done"),
    predict_loop("one search ten times", 10, again(ASK), "equal calls, equal results", expected="honest"),
    predict_loop("one search twelve times", 12, again(ASK), "equal calls, equal results"),
    predict_loop("search and summary, twelve laps", 12, again(ASK, SUM), LAPS),
    predict_loop("twenty messages that only count", 20, each(lambda n: says(f"step {n}")), "twenty messages in a row, and nothing is done", expected="honest"),
]  # fmt: skip

brake_loop, brake_honest = partial(loop, "LoopBrake"), partial(honest, "LoopBrake")


def tried(number):
    return tool(
        "bash",
        {"command": "python reproduce.py"},
        f"Traceback (most recent call last):\nValueError: bad {number}",
        failed=True,
    )


def lines(first, text):
    return tool("bash", {"command": f"sed -n {first},{first + 100}p f.py"}, text)


LOOPBRAKE = [
    brake_loop("search and read, over and over", 15, again(tool("search", {"q": "flights to Goa"}, "1. 6E-203"), tool("read", {"url": "result-1"}, "6E-203, 8:40")), LAPS),
    brake_honest("thirty pages of results", [tool("search", {"q": f"flights to Goa, page {n}"}, f"{n}. 6E-{200 + n}") for n in range(1, 31)], "something new on each page; a limit is a person's to set", expected="loop"),
    brake_honest("search, read, book", [tool("search", {"q": "flights to Goa"}, "1. 6E-203"), tool("read", {"url": "result-1"}, "6E-203, 8:40"), tool("book", {"flight": "6E-203"}, "booked")], "three calls"),
    brake_honest("one command twice", [tool("bash", {"command": "ls"}, "x")] * 2, "twice is no loop"),
    brake_honest("two pages of a file", [lines(100, "line a\nline b"), lines(200, "line c")], "two pages"),
    brake_honest("a script that fails, looks in between", [tried(12), lines(100, "line a\nline b"), tried(13), lines(200, "line c"), tried(14), says("Done.")], "three runs with a look before each; at this length nobody would speak"),
    brake_loop("a script that fails, five times", 5, again(tool("bash", {"command": "python run.py"}, "boom")), "equal calls, equal results"),
    brake_honest("a run measured twice", [tool("bash", {"command": "./a"}, f"took {n} ms") for n in (12, 13)], "twice, with two figures", expected="loop"),
    brake_honest("one command at the start and at the end of others", [tool("bash", {"command": name}, name) for name in ("alpha", *(f"w{n}" for n in range(10)), "alpha")], "twice, far apart"),
    brake_loop("one list, from the second time on it is said to fail", 3, each(lambda n: tool("bash", {"command": "ls"}, "x", **({"failed": True} if n else {}))), "equal calls, equal results"),
]  # fmt: skip

GOING = "Next I call the tool for hotels with the data that I have."
DEEPEVAL = [
    honest("deepeval", "a trip planned with two tools", [tool("itinerary", {"to": "Paris", "days": 2}, "Eiffel Tower, Louvre"), tool("restaurants", {"city": "Paris"}, "Septime")], "two different calls"),
    loop("deepeval", "one call three times", 3, again(tool("restaurants", {"city": "Paris"}, "Septime")), "equal calls, equal results"),
    loop("deepeval", "one call six times", 6, again(tool("restaurants", {"city": "Paris"}, "Septime")), "equal calls, equal results"),
    loop("deepeval", "the same intention in the same words", 3, again(says(GOING)), "three equal messages and nothing done"),
]  # fmt: skip

CASES = [*AGENT_LOOP_GUARD, *AGENTGUARD, *LOOPBRAKE, *DEEPEVAL]
