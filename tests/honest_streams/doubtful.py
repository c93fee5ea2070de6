"""Work that a careful engineer might speak to, and would never refuse or stop."""

from tests.agent_calls import bash, edit, failing, grep, read, rounds, sh, tool

SEARCHES = [
    "retry budget",
    "retry budgets in gRPC",
    "gRPC retry budget",
    "service mesh retry budget",
    "retry budget definition",
    "what is a retry budget",
]

STREAMS = {
    "a status asked ten times without a pause": [tool("get_job_status", {"job": "j-7"}, {"state": "RUNNING"}) for _ in range(10)],
    "a pipeline asked without a pause": [sh("gh run view 812 --json status", '{"status":"in_progress"}') for _ in range(25)],
    "a health check asked without a pause": [sh("curl -s localhost:8080/health", '{"status":"starting"}') for _ in range(25)],
    "a queue that is empty for now": [tool("queue_pop", {"queue": "mail"}, "null") for _ in range(20)],
    "searches for what should be gone, and is": [
        grep(name, "No matches found") for name in ("old_api", "LegacyCart", "compat_v1", "shim_total")
    ] + rounds(6, lambda n: edit(f"src/m{n}.py", "a", "b"), lambda n: bash("grep -rn old_api src", "", 1)),
    "a button clicked that says nothing but that": [tool("mcp__browser__click", {"ref": "e41"}, "Clicked") for _ in range(12)],
    "pictures of a screen on which something moves": [tool("computer", {"action": "screenshot"}, "<image>") for _ in range(12)],
    "a test that passes now and then": rounds(
        8, lambda n: failing("pytest -q -k test_a"), lambda n: bash("pytest -q -k test_a", "1 passed in 0.1s")
    ),
    "links of a list, many of them dead": [
        tool("WebFetch", {"url": f"https://old.example.org/p/{n * 37}", "prompt": "Title?"}, "Request failed with status code 404") for n in range(20)
    ],
    "a specification read again before each edit": rounds(
        10, lambda n: read("SPEC.md", "1. The total is rounded.\n2. The tax is added."), lambda n: edit(f"src/m{n}.py", "a", "b"),
        lambda n: bash(f"pytest -q tests/test_m{n}.py", f"{n + 1} passed in 0.1s"),
    ),
    "one question in other words to a search engine": [
        tool("WebSearch", {"query": words}, "1. https://example.org/retry-budget\n2. https://example.net/sre") for words in SEARCHES * 2
    ],
    "twenty edits beside one stubborn failure, others pass": rounds(
        20, lambda n: edit("cart.py", f"v{n}", f"v{n + 1}"), lambda n: failing("pytest -q")
    ),
    "features removed together with their tests, all the others pass": rounds(
        6, lambda n: bash(f"git rm -q src/old{n}.py tests/test_old{n}.py"), lambda n: bash("pytest -q", f"{40 - 3 * n} passed in 0.3s")
    ),
    "addresses checked that must refuse a stranger": [
        sh(f"curl -s -o /dev/null -w '%{{http_code}}' localhost:8000/{path}", "401") for path in "users orders items me carts prices tax stock refunds mails jobs keys".split()
    ],
    "reviewers of many parts who all find nothing": [
        tool("Task", {"description": f"Review mod{n}", "prompt": f"Review src/mod{n}.py for races."}, "No issues found.") for n in range(14)
    ],
    "a network that is away": [bash("git push", "fatal: unable to access 'https://git.example/': Could not resolve host: git.example", 128)] * 12,
}  # fmt: skip
