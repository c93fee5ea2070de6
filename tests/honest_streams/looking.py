"""Looking at things: paging, reading again what has changed, searching, browsing, asking a database."""

from tests.agent_calls import bash, codex, edit, gemini, grep, numbered, patch, read, rounds, sh, tool, write

TOPICS = [
    "sqlite wal checkpoint starvation", "wal_autocheckpoint default pages", "SQLITE_BUSY_SNAPSHOT", "long readers block wal",
    "litestream checkpoint", "journal_size_limit wal", "sqlite3_wal_hook example", "PRAGMA wal_checkpoint TRUNCATE",
    "rails sqlite busy timeout", "django sqlite transaction immediate", "wal file grows forever", "shared cache mode wal",
]  # fmt: skip
QUERIES = [
    ("select table_name from information_schema.tables", "orders\ncustomers\nitems\nrefunds\n(4 rows)"),
    ("\\d orders", "id integer\ncustomer_id integer\ncreated_at timestamp\nstatus text"),
    ("\\d customers", "id integer\nemail text\ncountry text"),
    ("select count(*) from orders", " count \n-------\n 48211\n(1 row)"),
    ("select count(*) from customers", " count \n-------\n  9120\n(1 row)"),
    ("select count(*) from refunds", " count \n-------\n   311\n(1 row)"),
    ("select min(created_at), max(created_at) from orders", "2021-01-04 | 2026-11-15"),
    ("select status, count(*) from orders group by 1", "open | 211\npaid | 47020\nvoid | 980"),
    ("select country, count(*) from customers group by 1 order by 2 desc limit 3", "DE | 4100\nFR | 2210\nIT | 1020"),
    ("select count(*) from orders where customer_id is null", " count \n-------\n     0\n(1 row)"),
    ("select count(*) from orders where status is null", " count \n-------\n     0\n(1 row)"),
    ("select count(*) from refunds r left join orders o on o.id = r.order_id where o.id is null", " count \n-------\n     0\n(1 row)"),
    ("select count(*) from customers where email like '% %'", " count \n-------\n     2\n(1 row)"),
    ("select id, email from customers where email like '% %'", "3101 | ann @example.com\n7770 | bob@ example.com"),
]  # fmt: skip

SPEAKS_OF_REFUSALS = [
    read("auth.py", "def check(user):\n    if not user.ok:\n        raise HTTPError(403, 'Permission denied')"),
    grep("Permission denied", "src/auth.py:3:        raise HTTPError(403, 'Permission denied')"),
    sh("pytest -v tests/test_auth.py", "tests/test_auth.py::test_permission_denied PASSED\n1 passed in 0.1s"),
    sh("git log --oneline -2", "8f3c1aa Fix 'Permission denied' on start\ne07d9b2 Answer 401 to strangers"),
    sh("find / -name app.conf", "find: ‘/root’: Permission denied\n/etc/app/app.conf"),
    tool("WebFetch", {"url": "https://docs.example.com/401", "prompt": "Meaning?"}, "401 Unauthorized means that no valid key was sent."),
    sh("grep -c ' 503 ' access.log", "41"),
    sh("grep ' 503 ' access.log | tail -1", '10.0.0.9 - - "GET /buy HTTP/1.1" 503 0'),
    read("docs/errors.md", "## 403 Forbidden\nThe key is valid and lacks the right."),
    sh("tail -2 app.log", "WARN login of ann: permission denied\nINFO login of bob"),
    grep("could not find", "src/find.py:9:    print('could not find it')"),
    sh("curl -s localhost:8000/errors", '[{"code":401,"count":12},{"code":403,"count":2}]'),
    read("deploy.sh", "#!/bin/sh\n# Permission denied? chmod +x this file"),
    sh("journalctl -u web | grep -c 'Read-only file system'", "3"),
]  # fmt: skip


def source(n, count=40):
    """Lines of a Python file."""
    return "\n".join(
        f"    if kind == {n * count + row}: return handlers[{(n * count + row) * 7 % 101}]" for row in range(count)
    )


def whole(n, path="src/prices.py"):
    """A file read whole, in its n-th version."""
    return read(path, numbered(f"RATE = 0.{n + 10}\n\ndef price(net):\n    return net * (1 + RATE)"))


def after(make, count=6):
    """A file that is read again each time after something may have changed it, and has changed."""
    return rounds(count, make, whole)


def a_page(n, title):
    return tool("mcp__browser__navigate", {"url": f"https://docs.example.com/guide/{n}"},
                f"Page: {title}\nChapter {n} of 24\n" + "\n".join(f"{title} {n}.{part}: see section {part + n}" for part in range(6)))  # fmt: skip


STREAMS = {
    "a big file paged through": [read("src/big.py", numbered(source(n), 40 * n + 1), 40 * n, 40) for n in range(20)],
    "a big file paged through with sed": [bash(f"sed -n '{40 * n + 1},{40 * n + 40}p' src/big.py", source(n)) for n in range(20)],
    "a big file paged through by Codex": [codex(f"sed -n '{40 * n + 1},{40 * n + 40}p' src/big.py", source(n)) for n in range(20)],
    "a big file paged through by Gemini": [
        tool("read_file", {"absolute_path": "/repo/src/big.py", "offset": 40 * n, "limit": 40}, source(n)) for n in range(20)
    ],
    "read whole, cut off, then paged": [
        read("src/big.py", numbered("\n".join(source(n) for n in range(8))) + "\n\n[File truncated: 320 of 1400 lines shown]"),
        *(read("src/big.py", numbered(source(n), 40 * n + 1), 40 * n, 40) for n in range(6, 35)),
    ],
    "pages that overlap a little": [
        read("src/big.py", numbered("\n".join(source(0, 2000).splitlines()[45 * n : 45 * n + 50]), 45 * n + 1), 45 * n, 50) for n in range(20)
    ],
    "read again after a script rewrote it": after(lambda n: bash(f"python update_prices.py --step {n}", "ok")),
    "read again after the same script rewrote it": after(lambda n: sh("python update_str_printer.py")),
    "read again after a formatter": after(lambda n: bash("black src", "reformatted src/prices.py\n1 file reformatted.")),
    "read again after a generator": after(lambda n: gemini("make generate", "protoc --python_out=src prices.proto")),
    "read again after a build": after(lambda n: codex("npm run build", "vite v5.4.2 building for production...")),
    "read again after a checkout": after(lambda n: bash(f"git checkout -q step-{n}")),
    "read again after a pull": after(lambda n: sh("git pull -q --rebase")),
    "read again after a sub-agent worked on it": after(
        lambda n: tool("Task", {"description": "Raise the rate", "prompt": "Raise RATE by one point."}, "Done: I raised RATE.")
    ),
    "read again after a tool nobody knows": after(lambda n: tool("mcp__codemod__apply", {"rule": "raise-rate"}, "applied")),
    "read again with cat, somebody else writes it": [bash("cat notes.md", "\n".join(f"- item {k}" for k in range(n))) for n in range(3, 18)],
    "read again after each edit of one's own": rounds(
        12, lambda n: edit("src/prices.py", f"RATE = 0.{n + 9}", f"RATE = 0.{n + 10}"), whole
    ),
    "read again after each patch": rounds(12, lambda n: patch("src/prices.py", f"RATE = 0.{n + 9}", f"RATE = 0.{n + 10}"), whole),
    "looked at, searched, read: a code base that is new": rounds(
        10,
        lambda n: tool("Glob", {"pattern": f"src/mod{n}/*.py"}, f"src/mod{n}/api.py\nsrc/mod{n}/store.py"),
        lambda n: grep(f"class .*{n}", f"src/mod{n}/api.py:{n + 8}:class Api{n}:"),
        lambda n: read(f"src/mod{n}/api.py", numbered(f"class Api{n}:\n    limit = {n * 100}\n    name = 'api{n}'")),
    ),
    "line numbers in grep after edits above": rounds(
        12,
        lambda n: edit("cart.py", f"import a{n}", f"import a{n}\nimport b{n}"),
        lambda n: bash("grep -n 'def total' cart.py", f"{40 + n}:def total(items):"),
    ),
    "places of a name, one after the other renamed": rounds(
        12,
        lambda n: bash("grep -rn old_name src | head -3", "\n".join(f"src/m{k}.py:{k * 3 + 4}: old_name()" for k in range(n, n + 3))),
        lambda n: edit(f"src/m{n}.py", "old_name", "new_name"),
    ),
    "how many are left of a name": rounds(
        12, lambda n: sh(f"sed -i 's/old_name/new_name/' src/m{n}.py"), lambda n: sh("grep -rc old_name src | paste -sd+ | bc", f"{36 - 3 * n}")
    ),
    "many searches of the web, other results": [
        tool("WebSearch", {"query": topic}, "\n".join(f"{k}. {topic.title()}, part {k} https://example.org/{n}/{k}" for k in range(1, 6)))
        for n, topic in enumerate(TOPICS)
    ],
    "pages of results, only the rank and the number differ": [
        tool("web_search", {"query": "sqlite wal", "page": n}, "\n".join(f"{10 * n + k}. https://forum.example.org/t/{n * 131 + k}" for k in range(1, 6)))
        for n in range(16)
    ],
    "chapters of a guide": [a_page(n, "SQLite in production") for n in range(1, 25)],
    "search, open, search, open": rounds(
        10,
        lambda n: tool("WebSearch", {"query": TOPICS[n]}, f"1. https://example.org/{n}\n2. https://example.net/{n}"),
        lambda n: tool("WebFetch", {"url": f"https://example.org/{n}", "prompt": "What is said of checkpoints?"}, f"Section {n}: a checkpoint runs at {n * 250} pages."),
    ),
    "a page scrolled down": [
        tool("mcp__playwright__browser_scroll", {"direction": "down"}, f"Scrolled to y={600 * n} of 14000") for n in range(1, 20)
    ],
    "a page scrolled down, pictures": rounds(
        10,
        lambda n: tool("computer", {"action": "scroll", "coordinate": [640, 400], "scroll_direction": "down"}, "Scrolled"),
        lambda n: tool("computer", {"action": "screenshot"}, "<image>"),
    ),
    "a shop clicked through": rounds(
        10,
        lambda n: tool("browser_click", {"element": "Next page", "ref": "e41"}, f"Clicked. Page URL: https://shop.example/list?page={n + 2}"),
        lambda n: tool("browser_snapshot", {}, "\n".join(f"- link 'Article {n * 12 + k}' [ref=e{k}]: {9 + k}.99 €" for k in range(5))),
    ),
    "fields of a form filled in": [
        tool("browser_type", {"element": name, "ref": f"e{n}", "text": f"value {n}"}, "Typed.")
        for n, name in enumerate("first last street number city zip country phone mail vat iban bic note agree".split())
    ],
    "a database explored": [tool("mcp__postgres__query", {"sql": sql}, answer) for sql, answer in QUERIES],
    "a database explored with psql": [bash(f'psql shop -c "{sql}"', answer) for sql, answer in QUERIES],
    "counts of many tables, some of them equal": [
        tool("execute_sql", {"query": f"select count(*) from t{n}"}, f'[{{"count":{(n * 7 % 5) * 100}}}]') for n in range(24)
    ],
    "rows of a table by offset": [
        tool("execute_sql", {"query": f"select id from users order by id limit 3 offset {3 * n}"}, [{"id": 3 * n + k} for k in range(3)])
        for n in range(20)
    ],
    "texts that speak of refusals": SPEAKS_OF_REFUSALS,
    "files read in parallel": [
        read(f"src/m{n}.py", f"VALUE = {n}\n", batch=f"batch {n // 6}") for n in range(30)
    ],
    "an equal call in one parallel batch": [
        tool("spawn_worker", {"task": "shard"}, "started", batch="all at once") for _ in range(12)
    ],
    "manuals of many commands": [bash(f"{name} --help", f"usage: {name} [-{name[0]}] [--{name}-mode MODE] FILE") for name in
        "ruff mypy pytest uv pip tox nox black isort flake8 pylint coverage twine hatch".split()],
    "a file written in parts, each checked": rounds(
        8, lambda n: write("out.csv", "\n".join(f"{k},{k * k}" for k in range(n + 1))), lambda n: bash("wc -l out.csv", f"{n + 1} out.csv")
    ),
    "pages of a scan that hold no text": [bash(f"pdftotext -f {n} -l {n} deed.pdf -") for n in range(1, 31)],
    "settings that a file leaves open": [bash(f"jq .limits.k{n} settings.json", "null") for n in range(30)],
}  # fmt: skip
