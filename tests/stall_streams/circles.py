"""Going in circles: the same calls with the same results, whatever differs by accident."""

from tests.agent_calls import (
    bash,
    change,
    clock,
    codex,
    edit,
    failing,
    gemini,
    grep,
    patch,
    read,
    rounds,
    sh,
    tool,
    uuid,
    write,
)

CODE = "\n".join(f"{n}: total += price[{n}] * count[{n}]" for n in range(40))
NOT_FOUND = "String to replace not found in file."
SNAPSHOT = "- heading 'Your cart'\n- text: 2 articles\n- link 'Go on' [ref=e9]"
NO_ELEMENT = "Error: ref e41 not found in the current page snapshot"
WAYS_TO_ASK = [
    "Find the function that computes the tax.", "Please locate where tax is computed.", "Look for the code of the tax.",
    "Search the whole repository for tax code.", "Where is the tax worked out? Find it.", "Find tax.py or the like.",
    "Look again, more thoroughly, for the tax function.", "Find any function with tax in its name.",
    "Check all folders for the computation of tax.", "Find the module that handles taxes.",
]  # fmt: skip
THOUGHTS = [
    "Thinking about the cart…", "The total may be wrong because of the tax", "Let me consider the options", "Plan: look at tax first",
    "Maybe the rounding is the reason", "I should check the rates", "On to the next idea", "Hmm, what about discounts",
    "The order of rounding matters", "Summing up what I know", "So the fault is either in tax or in total", "Next: decide",
]  # fmt: skip


def status(n):
    """Three looks at a service; each holds a pid of its own and says how long ago."""
    return [
        sh("ps aux | grep worker", f"dev   811  0.3  1.2 python worker.py\ndev  {5120 + 31 * n}  0.0  0.0 grep worker"),
        sh(
            "systemctl status worker",
            f"● worker.service\n   Active: active (running) since 09:00; {n + 3} min ago\n Main PID: 811",
        ),
        sh("git log -1 --format='%h %cr'", f"8f3c1aa {n + 40} minutes ago"),
    ]


def accident(command, make, tool_word=sh):
    """The same call ten times, with a result that differs by an accident of the run."""
    return [tool_word(command, make(n)) for n in range(10)]


STREAMS = {
    "three looks at a service, over and over": (12, [step for n in range(12) for step in status(n)]),
    "the same failing call": (4, [sh("make all", "make: *** No rule to make target 'all'.  Stop.") for _ in range(8)]),
    "the same failing call, exit code known": (4, [bash("make all", "error: boom", 2)] * 8),
    "the same result but for the time of day": (5, accident("./check.sh", lambda n: f"{clock(n, 7)} nothing to do, 40 files are up to date")),
    "the same result but for the date": (5, accident("make check", lambda n: f"Mon Nov 16 {clock(n, 7)} UTC 2026\nnothing to be done for 'check'")),
    "the same result but for how long it took": (6, accident("npm run lint", lambda n: f"checked 40 files, no problems\nDone in 1.{n}3s.")),
    "the same result but for a process id": (6, accident("./start.sh", lambda n: f"worker is running already (pid {4100 + 37 * n})\nnothing started")),
    "the same result but for an id": (6, accident("./deploy --dry-run", lambda n: f"plan {uuid(n)}\nno changes\nnothing to deploy")),
    "the same result but for a temporary name": (6, accident("./render.sh", lambda n: f"wrote /tmp/render-{n * 7919:x}/out.html\ntemplate is empty")),
    "the same result but for an address in memory": (6, accident("python show.py", lambda n: f"<Cart object at 0x7f3c{n * 65521:08x}>\nno items", gemini)),
    "the same result but for Codex's own lines": (5, [codex("ls build", "a.o\nb.o\n", chunk=f"{n * 7919 + 10**5:06x}", wall=f"0.0{n + 12}") for n in range(10)]),
    "the same JSON, the keys in another order": (
        5, [tool("get_config", {"name": "web"}, ('{"host":"db","port":5432,"tls":true}', '{"tls":true,"host":"db","port":5432}')[n % 2]) for n in range(10)]
    ),
    "the same JSON, spaced differently": (
        5, [tool("get_config", {"name": "web"}, ('{"host": "db", "port": 5432}', '{\n  "host": "db",\n  "port": 5432\n}')[n % 2]) for n in range(10)]
    ),
    "two calls in turn": (8, rounds(8, lambda n: sh("pwd", "/repo"), lambda n: sh("ls", "cart.py\ntests"))),
    "three calls in turn": (
        12, rounds(8, lambda n: read("cart.py", CODE), lambda n: grep("tax", "src/tax.py:4:def tax"), lambda n: bash("git status", "nothing to commit, working tree clean"))
    ),
    "six calls in turn": (
        24,
        rounds(8, lambda n: read("cart.py", CODE), lambda n: grep("tax", "src/tax.py:4:def tax"), lambda n: bash("git status --short"),
               lambda n: bash("ls", "cart.py\ntests"), lambda n: bash("git log -1 --oneline", "8f3c1aa Begin"), lambda n: read("tests/test_cart.py", "def test_a(): ...")),
    ),
    "a failing edit and a look, in turn": (8, rounds(8, lambda n: edit("cart.py", "totl", "total", NOT_FOUND, failed=True), lambda n: read("cart.py", CODE))),
    "a failing edit with other looks in between": (
        14, rounds(8, lambda n: edit("cart.py", "totl", "total", NOT_FOUND), lambda n: bash(f"git log -{n % 2 + 1} --oneline", "8f3c1aa Begin"))
    ),
    "a failing patch": (8, rounds(8, lambda n: tool("apply_patch", patch("cart.py", "totl", "total")[1], "apply_patch verification failed: Failed to find expected lines in cart.py"), lambda n: codex("sed -n 1,40p cart.py", CODE))),
    "the same lines read again": (6, [read("cart.py", CODE) for _ in range(10)]),
    "the same lines read again among others": (16, rounds(10, lambda n: read("cart.py", CODE, 1, 40), lambda n: read(f"src/m{n % 3}.py", f"VALUE = {n % 3}"))),
    "the same lines read with another program each time": (
        10, [sh(command, CODE) for command in ("cat cart.py", "head -40 cart.py", "sed -n 1,40p cart.py", "tail -40 cart.py", "cat cart.py | head -50", "less cart.py") * 2]
    ),
    "the same search of the web": (5, [tool("WebSearch", {"query": "sqlite wal"}, f"About 1,200 results (0.{n}1 seconds)\n1. https://sqlite.org/wal.html") for n in range(8)]),
    "failing tests, another tail each time": (5, [failing(f"pytest -q 2>&1 | tail -{10 * n + 10}") for n in range(8)]),
    "failing tests with another flag that only shows more": (6, [failing(command) for command in ("pytest", "pytest -q", "pytest -v", "pytest -x", "pytest --tb=short", "pytest -rA", "pytest -q --tb=long", "pytest -vv")]),
    "fourteen edits with one failure, with Codex": (
        26, rounds(20, lambda n: patch("cart.rs", f"v{n}", f"v{n + 1}"), lambda n: codex("cargo test", "test cart::total ... FAILED\npanicked at cart.rs: 3 != 4\ntest result: FAILED. 0 passed; 1 failed", 101))
    ),
    "fourteen edits with one failure, exit code unknown": (
        26, rounds(20, change, lambda n: sh("python cart.py", "Traceback (most recent call last):\nTypeError: unsupported operand type(s) for +: 'int' and 'str'"))
    ),
    "a sub-agent asked the same in other words": (
        8, [tool("Task", {"description": "Find tax", "prompt": words}, "I could not find it in this repository.") for words in WAYS_TO_ASK * 2]
    ),
    "a sub-agent asked the very same": (4, [tool("Task", {"description": "Find tax", "prompt": WAYS_TO_ASK[0]}, "I could not find it.") for _ in range(8)]),
    "a sub-agent of Codex asked in other words": (8, [tool("spawn_agent", {"message": words}, {"agent_id": uuid(n), "result": "could not find it"}) for n, words in enumerate(WAYS_TO_ASK * 2)]),
    "the same file written again": (6, [write("notes.md", "# Plan\n1. Look\n2. Fix\n") for _ in range(12)]),
    "the same plan written again": (8, [tool("TodoWrite", {"todos": [{"content": "Fix", "status": "pending"}]}, "Todos have been modified successfully.") for _ in range(14)]),
    "an edit made and taken back": (8, rounds(10, lambda n: edit("cart.py", "a", "b"), lambda n: edit("cart.py", "b", "a"))),
    "a click on what is not there": (4, [tool("browser_click", {"element": "Pay", "ref": "e41"}, NO_ELEMENT) for _ in range(8)]),
    "a click on what is not there, and a look": (10, rounds(8, lambda n: tool("browser_click", {"element": "Pay", "ref": "e41"}, NO_ELEMENT), lambda n: tool("browser_snapshot", {}, SNAPSHOT))),
    "a page loaded again": (6, [tool("browser_navigate", {"url": "https://shop.example/cart"}, f"Page loaded at {clock(n, 9)}\n{SNAPSHOT}") for n in range(10)]),
    "nothing to commit": (5, [sh("git commit -am 'Fix'", "On branch main\nnothing to commit, working tree clean") for _ in range(8)]),
    "the first page fetched again": (6, [tool("list_orders", {"cursor": "c1"}, {"orders": [{"id": 1}, {"id": 2}], "cursor": "c2"}) for _ in range(12)]),
    "a row that stays the same": (6, [tool("execute_sql", {"query": "select status from jobs where id = 7"}, '[{"status":"failed"}]') for _ in range(10)]),
}  # fmt: skip

IDLE = {
    "thoughts told to the shell": [sh(f"echo '{THOUGHTS[n % 12]} ({n})'", f"{THOUGHTS[n % 12]} ({n})") for n in range(30)],
    "thoughts told to the shell, exit codes known": [bash(f'echo "{THOUGHTS[n % 12]}, {n}"', f"{THOUGHTS[n % 12]}, {n}\n") for n in range(30)],
    "thoughts printed": [codex(f"printf '%s\\n' 'step {n}: {THOUGHTS[n % 12]}'", f"step {n}: {THOUGHTS[n % 12]}\n") for n in range(30)],
    "comments alone": [sh(f"# {THOUGHTS[n % 12]} ({n})") for n in range(30)],
    "commands that do nothing": [sh((":", "true", "true # go on", ": wait")[n % 4]) for n in range(30)],
    "commands that do nothing, with words": [bash(f": '{THOUGHTS[n % 12]} {n}'") for n in range(30)],
}  # fmt: skip
"""Calls that can have no effect and no result; to be told by the twelfth."""


def suite(failed, passed, skipped=0, command="pytest -q"):
    names = "\n".join(f"FAILED tests/test_cart.py::test_{n} - assert {n} == 0" for n in range(failed))
    counts = [
        f"{count} {word}" for count, word in ((failed, "failed"), (passed, "passed"), (skipped, "skipped")) if count
    ]
    return sh(command, f"{names}\n{', '.join(counts)} in 0.31s")


def skip(n):
    return edit("tests/test_cart.py", f"def test_{n}():", f"@pytest.mark.skip\ndef test_{n}():")


DELETED = {
    "failing tests deleted one after the other": [
        suite(5, 5), *(step for n in range(4, -1, -1) for step in (edit("tests/test_cart.py", f"def test_{n}(): assert {n} == 0\n", ""), suite(n, 5)))
    ],
    "failing tests skipped one after the other": [suite(5, 5), *(step for n in range(4, -1, -1) for step in (skip(n), suite(n, 5, 5 - n)))],
    "files with failing tests removed": [
        suite(5, 5), *(step for n in range(4, -1, -1) for step in (bash(f"git rm -q tests/test_part{n}.py"), suite(n, 5)))
    ],
    "failing tests skipped in JavaScript": [
        step for n in range(6) for step in (
            sh("npx jest", f"Tests:       {5 - n} failed, {f'{n} skipped, ' if n else ''}5 passed, 10 total\nTime:        1.2 s"),
            edit("cart.test.js", f"test('t{n}'", f"test.skip('t{n}'"),
        )
    ],
    "failing tests deleted, with Codex": [
        step for n in range(6) for step in (
            codex("cargo test", f"running {10 - n} tests\n\ntest result: {'FAILED' if n < 5 else 'ok'}. 5 passed; {5 - n} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s", 101 if n < 5 else 0),
            patch("tests/cart.rs", f"fn t{n}() {{ assert!(false) }}", ""),
        )
    ],
}  # fmt: skip
"""Ten tests become five, one after the other; to be told, as a high finding, when the third one is gone."""
