"""Trying again what cannot work, dressed a little differently each time; and undoing what was done, over and over."""

from itertools import permutations

from tests.agent_calls import bash, clock, edit, read, rounds, sh, tool, uuid

FILES = {
    name: [f"{name}_{n} = load({n * 7919 % 1000}, {word!r})" for n in range(140)]
    for name, word in (("orders", "o"), ("stock", "s"), ("rates", "r"))
}
STARTS = (0, 20, 40, 60, 10, 30, 50)
"""Where a page of 80 lines begins; after the first four, all 140 lines have been shown."""


def page(name, start):
    return read(f"src/{name}.py", "\n".join(f"{start + n + 1:6}\t{line}" for n, line in enumerate(FILES[name][start : start + 80])), start, 80)  # fmt: skip


ROWS = '[{"id":4,"total":"19.90"},{"id":9,"total":"7.00"},{"id":12,"total":"103.25"}]'
QUERIES = [
    f"select {columns} from orders {alias} where {condition} {order}"
    for columns in ("id, total", "o.id, o.total", "id as id, total as total")
    for alias in ("o", "as o")
    for condition in ("o.state = 'open'", "state in ('open')", "o.state = 'open' and 1 = 1", "not (o.state <> 'open')")
    for order in ("order by id", "order by o.id asc")
]
BODIES = [
    "{" + ", ".join(f'"{key}": {value}' for key, value in pairs) + "}"
    for pairs in permutations([("amount", 1990), ("currency", '"EUR"'), ("customer", '"c-7"'), ("memo", '"May"')])
]
REFUSED = '{"type":"validation_error","detail":"amount: expected a string such as \\"19.90\\""}'
GIT = [
    ("git status", "On branch main\nnothing to commit, working tree clean"),
    ("git diff", ""),
    ("git status --short", ""),
    ("git diff --stat HEAD", ""),
    ("git --no-pager diff", ""),
    ("git status --porcelain", ""),
    ("git diff --name-only", ""),
    ("git log -1 --oneline", "8f3c1aa Begin"),
]
NOT_ON_PAGE = [
    "text=Pay now", "button:has-text('Pay now')", "#pay", "#pay-now", ".btn-pay", "[data-testid=pay]", "//button[.='Pay now']",
    "role=button[name='Pay now']", "css=button.pay", "form button[type=submit]", "text=/pay/i", "button >> nth=0", "[aria-label='Pay now']",
]  # fmt: skip
MIRRORS = [
    "pypi.org",
    "mirror.example.net",
    "pypi.example.edu",
    "pkgs.example.com",
    "mirrors.example.cn",
    "pypi.python.example",
]
CONFLICT = (
    "ERROR: Cannot install shop and tables because these package versions have conflicting dependencies.\n"
    "The conflict is caused by:\n    shop 2.1 depends on frames<2\n    tables 5.0 depends on frames>=2\nERROR: ResolutionImpossible"
)
UNMET = (
    "The following packages have unmet dependencies:\n libgeo-dev : Depends: libgeo4 (= 4.1-2) but 4.3-1 is to be installed\n"
    "E: Unable to correct problems, you have held broken packages."
)
SYNTAX = '  Cell In[1], line 3\n    to_replace="""def total(basket):\n               ^\nSyntaxError: incomplete input'
HOOK = "check-licence............Failed\n- hook id: check-licence\n- exit code: 1\n\nsrc/cart.py: no licence header"
REJECTED = " ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'git.example:shop.git'"
TAKEN = "Error: listen EADDRINUSE: address already in use :::3000\n    at Server.setupListenHandle (node:net:1817:16)"
DENIED = "Error: creating S3 Bucket (shop-logs): AccessDenied: not authorized to perform: s3:CreateBucket"
DUPLICATE = (
    'sqlalchemy.exc.ProgrammingError: (psycopg.errors.DuplicateColumn) column "tax" of relation "orders" already exists'
)
AGENTS = ["researcher", "planner", "reviewer", "fixer"]

STREAMS = {
    "three files read in circles, in pages that overlap": (
        30, [page(name, STARTS[n % 7]) for n in range(14) for name in FILES]
    ),
    "a query written in other words, the same rows": (24, [tool("execute_sql", {"query": words}, ROWS) for words in QUERIES[:36]]),
    "the same query through psql, spaced and named differently": (
        24, [bash(f'psql shop -c "{words}"', " id | total\n----+--------\n  4 |  19.90\n  9 |   7.00\n 12 | 103.25\n(3 rows)") for words in QUERIES[:30]]
    ),
    "a request that is refused, its body in another order": (
        8, [tool("http_request", {"method": "POST", "url": "https://pay.example/charges", "body": body}, f"422 {REFUSED}") for body in BODIES + BODIES[:6]]
    ),
    "a request that is refused, its body in another order, with curl": (
        12, [sh(f"curl -s -X POST https://pay.example/charges -H 'Content-Type: application/json' -d '{body}'", REFUSED) for body in BODIES + BODIES[:6]]
    ),
    "four sub-agents asked in turn, each says that a key is missing": (
        16, [tool("Task", {"subagent_type": AGENTS[n % 4], "description": f"Upload, try {n // 4 + 1}", "prompt": f"Upload the report. Try {n // 4 + 1}."},
                  "I could not upload the report: UPLOAD_KEY is not set.") for n in range(32)]
    ),
    "git status and git diff in circles, nothing has changed": (16, [bash(*GIT[(n * 3) % 8]) for n in range(32)]),
    "a migration that fails the same way, with looks in between": (
        18, rounds(12, lambda n: bash("alembic upgrade head", DUPLICATE, 1), lambda n: bash("alembic current", "4b1c (head is 9d20)"),
                   lambda n: bash(f"alembic history | head -{n + 3}", "4b1c -> 9d20 (head), add tax"))
    ),
    "deployed, unhealthy, rolled back, deployed": (
        28, rounds(9, lambda n: bash("./deploy.sh v41", f"deployment {uuid(n)[:8]} of v41 finished"),
                   lambda n: bash("curl -s -o /dev/null -w '%{http_code}' https://shop.example/health", "503"),
                   lambda n: bash("./rollback.sh v40", f"rolled back to v40 at {clock(n, 90)}"),
                   lambda n: bash("curl -s -o /dev/null -w '%{http_code}' https://shop.example/health", "200"))
    ),
    "a lint error repaired so that another comes, and back": (
        20, rounds(9, lambda n: edit("cart.py", "total: int", "total: float"), lambda n: bash("mypy cart.py", 'cart.py:9: error: Incompatible return value type (got "float", expected "int")\nFound 1 error', 1),
                   lambda n: edit("cart.py", "total: float", "total: int"), lambda n: bash("mypy cart.py", 'cart.py:7: error: Incompatible types in assignment (expression has type "float")\nFound 1 error', 1))
    ),
    "the same two lint errors in turn, other edits each time": (
        36, rounds(12, lambda n: edit("cart.py", f"x{n} = net", f"x{n}: float = net"), lambda n: bash("mypy cart.py", 'cart.py:9: error: Incompatible return value type (got "float", expected "int")\nFound 1 error', 1),
                   lambda n: edit("cart.py", f"return y{n}", f"return int(y{n})"), lambda n: bash("mypy cart.py", 'cart.py:7: error: Incompatible types in assignment (expression has type "float")\nFound 1 error', 1))
    ),
    "an edit that the formatter takes back": (
        18, rounds(12, lambda n: edit("src/names.ts", 'name = "cart"', "name = 'cart'"), lambda n: bash("npm run format", "src/names.ts 41ms"),
                   lambda n: bash("npx eslint src", "src/names.ts\n  3:8  error  Strings must use singlequote  quotes\n\n1 problem", 1))
    ),
    "a cell with the same syntax error, no flag": (
        6, [tool("execute_ipython_cell", {"code": "edit_file_by_replace(\n    'cart.py',\n    to_replace=\"\"\"def total(basket):\n"}, SYNTAX) for _ in range(28)]
    ),
    "a cell with the same syntax error, its number counts up": (
        6, [tool("run_cell", {"code": "print('total"}, f"  Cell In[{n}], line 1\n    print('total\n          ^\nSyntaxError: unterminated string literal (detected at line 1)") for n in range(1, 29)]
    ),
    "pip with another mirror each time, the same conflict": (
        8, [bash(f"pip install -i https://{MIRRORS[n % 6]}/simple{'/' * (n // 6 % 2)} {'--no-cache-dir ' * (n // 12)}shop tables", CONFLICT, 1) for n in range(28)]
    ),
    "apt with another mirror each time, the same conflict": (
        30, rounds(12, lambda n: bash(f"sed -i 's#//[^/]*/#//{MIRRORS[n % 6]}/#' /etc/apt/sources.list"), lambda n: bash("apt-get update", f"Fetched {20 + n} MB in {n % 3 + 2}s"),
                   lambda n: bash("apt-get install -y libgeo-dev", UNMET, 100))
    ),
    "a button that is not there, looked for in every way": (
        12, [tool("browser_click", {"selector": NOT_ON_PAGE[n % 13]}, f"Error: no element matches {NOT_ON_PAGE[n % 13]}") for n in range(26)]
    ),
    "a hook that refuses the commit, the message in other words": (
        10, [sh(f"git commit -am '{words} ({n})'", HOOK) for n in range(9) for words in ("Add tax", "Add the tax", "Tax: add it")]
    ),
    "a push that is refused, with other flags": (
        12, rounds(13, lambda n: sh(("git push", "git push origin main", "git push -u origin main", "git push origin HEAD")[n % 4], REJECTED), lambda n: sh("git status -sb", "## main...origin/main [ahead 1]"))
    ),
    "a port that stays taken": (
        14, rounds(13, lambda n: bash(("npm start", "npm run start", "node server.js", "PORT=3000 npm start")[n % 4], TAKEN, 1), lambda n: bash("lsof -ti :3000", "811"))
    ),
    "a plan applied again without the right to": (
        14, rounds(13, lambda n: bash("terraform plan", "Plan: 1 to add, 0 to change, 0 to destroy."), lambda n: bash(f"terraform apply -auto-approve{' -refresh=false' * (n % 2)}", DENIED, 1))
    ),
    "an environment made anew, the same package is missing": (
        24, rounds(9, lambda n: bash("rm -rf .venv && python -m venv .venv"), lambda n: bash(".venv/bin/pip install -r wanted.txt", "ERROR: No matching distribution found for tables==9", 1), lambda n: bash("cat wanted.txt", "tables==9"))
    ),
    "a patch that does not apply, the tree put back each time": (
        24, rounds(9, lambda n: bash("git reset -q --hard"), lambda n: bash("git apply fix.patch", "error: patch failed: cart.py:12\nerror: cart.py: patch does not apply", 1), lambda n: bash(f"sed -n '{n + 1},{n + 9}p' fix.patch", f"@@ -{n},9 +{n},9 @@"))
    ),
    "an image built again after touching a file": (
        26, rounds(14, lambda n: bash(f"touch context/{n}"), lambda n: bash("docker build -t shop .", 'ERROR: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1', 1))
    ),
    "a login that is refused, then a token, in turn": (
        14, rounds(13, lambda n: tool("auth_login", {"user": "svc"}, {"error": "invalid_grant", "trace": uuid(n)}), lambda n: tool("auth_refresh", {"user": "svc"}, {"error": "invalid_grant", "trace": uuid(n + 50)}))
    ),
}  # fmt: skip
