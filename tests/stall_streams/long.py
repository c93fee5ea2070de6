"""Stalls that no single call shows: each step looks like work, and only their length says that it leads nowhere."""

from tests.agent_calls import bash, change, codex, edit, failing, grep, read, rounds, sh, tool, write

LINKS = "\n".join(f"{n}. https://docs.example/{page}" for n, page in enumerate(("wal", "pragma", "locking", "faq"), 1))
SUBJECTS = ["lock", "locking", "database is locked", "busy timeout", "write lock", "SQLITE_BUSY", "concurrent writer"]
ASKS = ["how to avoid {}", "{} explained", "fix {} in sqlite", "sqlite {} best practice", "why {}", "{} wal mode"]
QUERIES = [ask.format(subject) for subject in SUBJECTS for ask in ASKS]
NAMES = [f"{verb}{noun}" for verb in ("get", "load", "read", "find", "make", "parse", "open", "fetch") for noun in
         ("Config", "Rates", "Basket", "Session", "Invoice", "Ledger", "Voucher", "Customer")]  # fmt: skip
STEPS = ["Look at the importer", "Find the slow query", "Measure the import", "Write the fix", "Run the tests"]
THOUGHTS = [
    "Clause 7 has to agree with clause 3 before I can finish.",
    "Before I finish, clause 3 and clause 7 have to agree.",
    "I still have to check that clauses 3 and 7 agree.",
]
URL = "http://localhost:8080/health"
NO_ANSWER = "curl: (7) Failed to connect to localhost port 8080 after 0 ms: Connection refused"
REFUSED_WAYS = [
    (f"curl -s {URL}", NO_ANSWER),
    (f"curl -v {URL}", NO_ANSWER),
    ("curl -sS http://localhost:8080/", NO_ANSWER),
    (f"wget -qO- {URL}", "Connecting to localhost:8080... failed: Connection refused."),
    (f'python -c "import requests; requests.get(\'{URL}\')"', "requests.exceptions.ConnectionError: HTTPConnectionPool(host='localhost', port=8080): Max retries exceeded (Caused by NewConnectionError: [Errno 111] Connection refused)"),
    ("nc -z localhost 8080", "localhost [127.0.0.1] 8080: Connection refused"),
    (f"curl --retry 1 {URL}", NO_ANSWER),
    (f"curl -4 {URL}", NO_ANSWER),
    (f"curl -k {URL}", NO_ANSWER),
    (f"http GET {URL}", "http: error: ConnectionError: [Errno 111] Connection refused while doing a GET request to URL: http://localhost:8080/health"),
]  # fmt: skip
NO_SPACE = [
    ("npm ci", "npm ERR! code ENOSPC\nnpm ERR! syscall write\nnpm ERR! nospc ENOSPC: no space left on device, write"),
    ("pip install pandas", "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"),
    ("git clone https://git.example/shop.git", "fatal: write error: No space left on device"),
    ("tar xf data.tar", "tar: data.csv: Cannot write: No space left on device"),
    ("cp big.bin /work", "cp: error writing '/work/big.bin': No space left on device"),
    ("make", "/tmp/ccQ.s: fatal error: No space left on device\nmake: *** [a.o] Error 1"),
]
NOT_ALLOWED = [
    ("mkdir /srv/app", "mkdir: cannot create directory ‘/srv/app’: Permission denied"),
    ("cp -r dist /srv/app", "cp: cannot create directory '/srv/app': Permission denied"),
    ("touch /srv/app/x", "touch: cannot touch '/srv/app/x': Permission denied"),
    ("install -d /srv/app", "install: cannot create directory '/srv/app': Permission denied"),
    ("rsync -a dist/ /srv/app/", 'rsync: [Receiver] mkdir "/srv/app" failed: Permission denied (13)'),
    ("ln -s dist /srv/app", "ln: failed to create symbolic link '/srv/app': Permission denied"),
]


def thinking(n):
    return tool(
        "mcp__sequential-thinking__sequentialthinking",
        {"thought": THOUGHTS[n % 3], "thoughtNumber": 4 + n, "totalThoughts": 5 + n, "nextThoughtNeeded": True},
        {"thoughtNumber": 4 + n, "totalThoughts": 5 + n, "nextThoughtNeeded": True, "branches": [], "thoughtHistoryLength": 4 + n},
    )  # fmt: skip


def cargo(left):
    output = (
        f"test cart::total ... FAILED\n\nthread 'cart::total' panicked at src/cart.rs:40:\n  left: {left}\n right: 97\n"
    )
    return f"running 1 test\n{output}test result: FAILED. 0 passed; 1 failed; 0 ignored"


def line_moves(n):
    at = 10 + 3 * n
    return bash(
        "pytest -q",
        f"tests/test_cart.py:{at}: in test_total\n    assert total(cart) == 97\nE   assert 94 == 97\n"
        f"FAILED tests/test_cart.py::test_total - assert 94 == 97\n1 failed, 5 passed in 0.3{n % 10}s",
        1,
    )


def scratch(n):
    return [
        write(f"/tmp/try{n}.py", f"import shop\nshop.load(strict={n % 2 == 0}, depth={n})\n"),
        bash(f"python /tmp/try{n}.py", f'Traceback (most recent call last):\n  File "/tmp/try{n}.py", line 2, in <module>\n    shop.load()\nshop.errors.SchemaError: no schema for table "orders"', 1),
    ]  # fmt: skip


def todo(n):
    items = [{"content": f"{STEPS[(n + at) % 5]}{' carefully' * (n % 3)}", "status": "pending"} for at in range(4)]
    return tool("TodoWrite", {"todos": items}, "Todos have been modified successfully.")


def green(n):
    """Checks that have all passed, a little differently each time, and nothing is changed any more."""
    flags = ("-q", "-q --tb=short", "-q -x", "-q -p no:cacheprovider")[n % 4]
    return [
        bash(f"python -m pytest {flags}", f"{'.' * 42} [100%]\n42 passed in 1.{n % 10}3s"),
        bash(f"ruff check {('.', 'src', 'src tests')[n % 3]}", "All checks passed!"),
        bash(f"git status{(' --short', '', ' -s', ' --porcelain')[n % 4]}", "" if n % 4 != 1 else "On branch main\nnothing to commit, working tree clean"),
        bash(("git diff", "git diff --stat", "git diff HEAD")[n % 3]),
    ]  # fmt: skip


STREAMS = {
    "sixty searches of the web with the same links": (21, [tool("WebSearch", {"query": f"{QUERIES[n % 42]}{' 2026' * (n // 42)}"}, LINKS) for n in range(60)]),
    "sixty searches of a knowledge base with the same three hits": (
        21, [tool("mcp__wiki__search_pages", {"text": f"{NAMES[n]} error"}, "1. Import\n2. Customers\n3. Known errors") for n in range(60)]
    ),
    "sixty patterns that find nothing": (30, [grep(name, "No matches found") for name in NAMES[:60]]),
    "sixty commands that find nothing": (30, [bash(f"grep -rn '{name}' src", "", 1) for name in NAMES[:60]]),
    "seven of eight patterns find nothing, eighty times": (
        52, [grep(f"{NAMES[n % 64]}{n}", "No matches found" if n % 8 else f"src/m{n}.py:3: {NAMES[n % 64]}") for n in range(80)]
    ),
    "one failing test whose line moves": (26, rounds(60, change, line_moves)),
    "one failing test whose value moves to and fro": (66, rounds(60, change, lambda n: failing("pytest -q", message=f"assert {n * 7 % 61} == 97", test="total"))),
    "one failing test whose value moves, with cargo": (66, rounds(60, lambda n: change(n, "cart.rs"), lambda n: codex("cargo test", cargo(n * 11 % 67), 101))),
    "one failing test, asked for in other words": (
        70, rounds(60, change, lambda n: failing(f"pytest {('-q', '-x', '-v', '--tb=short')[n % 4]}", message=f"assert {n * 7 % 61} == 97", test="total"))
    ),
    "one exception through sixty new scripts": (66, [step for n in range(60) for step in scratch(n)]),
    "sixty rewrites of a plan": (42, rounds(60, todo)),
    "thoughts that differ in their number": (42, rounds(80, thinking)),
    "a second waited eighty times": (32, [sh("# wait for the sub-agent\nsleep 1")] * 80),
    "a tool that waits, seven hundred times": (32, [tool("wait", {"timeout_ms": 10000}, "Wait timed out.") for _ in range(700)]),
    "the log of a job that was killed": (
        33, [bash("sleep 60; tail -3 train.log", "epoch 3 step 410\nRuntimeError: CUDA out of memory\nKilled", at=1000.0 + 61 * n) for n in range(500)]
    ),
    "a port asked between two pauses": (64, [step for _ in range(60) for step in (bash(f"curl -s {URL}", "", 7), bash("sleep 5"))]),
    "checks of what is green": (60, [step for n in range(30) for step in green(n)]),
    "the same lines added again": (
        30, rounds(30, lambda n: edit("src/cart.py", "def total(self):\n", "def total(self):\n        log.debug('total')\n"), lambda n: read("src/cart.py", f"def total(self):\n{'        log.debug(1)' * n}"))
    ),
    "one address, refused to ever new calls": (5, [sh(*way) for way in REFUSED_WAYS]),
    "one address, refused to ever new calls, exit codes known": (4, [bash(*way, 7) for way in REFUSED_WAYS]),
    "a disk that is full, whatever is tried": (4, [bash(*way, 1) for way in NO_SPACE]),
    "a folder that may not be written, whatever is tried": (4, [sh(*way) for way in NOT_ALLOWED]),
    "a program that is not there, asked otherwise each time": (
        4, [sh(f"terraform {what}", "bash: terraform: command not found") for what in ("init", "plan", "version", "validate", "fmt", "apply")]
    ),
    "reads that show what is known": (
        30, [read(f"src/m{n % 4}.py", "\n".join(f"{row}: code {row} of {n % 4}" for row in range(n // 4 % 10, 60)), n // 4 % 10, 60 - n // 4 % 10) for n in range(120)]
    ),
}  # fmt: skip
"""Each with the step by which it must be told."""

ONLY_TOLD = {name: stall for name, stall in STREAMS.items() if name != "reads that show what is known"}
"""None of these is refused or stopped."""
