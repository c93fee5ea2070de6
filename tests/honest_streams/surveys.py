"""Surveys: one call for each item of a list, where a failure is the answer.

Nothing is said about a look-up that finds nothing, whatever the tool is called. Where every item fails with the same
words for another reason, this may be told once: it may as well be one cause. It is never refused.
"""

from tests.agent_calls import bash, rounds, sh, tool

NAMES = (
    "shop blog api cdn mail docs img auth pay forum wiki status beta admin jobs press labs maps news feed chat help "
    "beta2 old legacy stage demo test sandbox partners invest"
).split()
PACKAGES = [f"lib{name}-dev" for name in NAMES]
BOARDS = [f"{maker}{n}" for maker in ("nrf", "stm", "esp") for n in (32, 51, 52, 70, 81, 90, 91, 92, 95)]


def looked_up(name, argument, numbers, found, none, some, **more):
    """One look-up for each number, of which every so many-th finds something."""
    return [tool(name, {argument: n}, some(n) if found and n % found == 0 else none(n), **more) for n in numbers]


def customer(n):
    return {"id": n, "name": f"Customer {n}", "since": 2001 + n % 20}


STREAMS = {
    "customers, a quarter of whom exist": looked_up(
        "get_customer", "id", range(4101, 4141), 4, lambda n: {"error": "not found"}, customer
    ),
    "customers of whom none exists": looked_up(
        "get_customer", "customer_id", range(9001, 9041), 0, lambda n: "Error: not found", customer
    ),
    "orders of which none exists, with the number in the answer": looked_up(
        "get_order", "order_id", range(70200, 70240), 0, lambda n: f"Error: order {n} not found", customer
    ),
    "stock of parts, as a server answers": looked_up(
        "check_stock", "sku", range(510, 545), 5, lambda n: {"status": 404, "message": "Not Found"},
        lambda n: {"sku": n, "stock": n % 7},
    ),
    "mail addresses that nobody has": [
        tool("verify_email", {"address": f"{name}@example.org"}, f"Error: the mailbox {name} does not exist") for name in NAMES
    ],
    "users found by name, most of them unknown": [
        tool("find_user", {"login": name}, "Error: not found" if n % 6 else {"login": name, "id": n}) for n, name in enumerate(NAMES)
    ],
    "invoices that were never written": looked_up(
        "fetch_invoice", "number", range(2026_0101, 2026_0141), 0, lambda n: {"error": "not found"}, customer
    ),
    "states of shipments, half of them of another carrier": looked_up(
        "shipment_status", "tracking", range(880_100, 880_140), 2, lambda n: {"error": {"code": "NotFound", "message": "no such shipment"}},
        lambda n: {"tracking": n, "state": "delivered", "day": n % 28 + 1},
    ),
    "experts asked about many names, few of whom know": [
        tool("ask_directory", {"question": f"Who owns the service {name}?"}, "No entry found" if n % 5 else f"Team {n}") for n, name in enumerate(NAMES)
    ],
    "folders looked through for one record": [
        tool("get_record", {"folder": f"archive/{name}", "name": "ledger-2019"}, "Error: not found") for name in NAMES
    ] + [tool("get_record", {"folder": "archive/attic", "name": "ledger-2019"}, "ledger 2019: 812 rows")],
    "rooms asked for on many days, none free": [
        tool("check_room", {"day": f"2026-12-{day:02}", "seats": 12}, {"error": "no rooms available"}) for day in range(1, 31)
    ],
    "keys of a cache, most of them gone": looked_up(
        "cache_get", "key", range(300, 340), 9, lambda n: "null", lambda n: f"value {n * 31}"
    ),
    "a test command for each part, with more passing each time": [
        bash(f"npm test -- --shard={n}/30", f"Tests:       {30 - n} failed, {170 + n} passed, 200 total", 1) for n in range(1, 30)
    ],
}  # fmt: skip

DOUBTFUL = {
    "pictures renamed of which none is there": [
        bash(f"mv {name}.jpeg {name}.jpg", "mv: cannot stat: No such file or directory", 1) for name in NAMES
    ],
    "a room asked for on other days, all of them taken": [
        tool("book_room", {"room": f"R{n % 5}", "day": n}, "Error: that room is taken", failed=True) for n in range(26)
    ],
    "passwords tried at an archive of one's own": [
        bash(f"unzip -P {name} old.zip", "   skipping: letters.txt  incorrect password", 82) for name in NAMES
    ],
    "certificates of many domains, all expired": [
        bash(f"curl -sSI https://{name}.example.com", "curl: (60) SSL certificate problem: certificate has expired", 60) for name in NAMES
    ],
    "certificates asked from a tool": [
        tool("check_certificate", {"domain": f"{name}.example.com"}, "Error: certificate has expired") for name in NAMES
    ],
    "inputs that must be rejected": [
        bash(f"python validate.py fixtures/bad{n}.json", "error: the document does not follow the schema", 1) for n in range(1, 31)
    ],
    "boards that may build": [
        bash(f"make BOARD={board} firmware", f"make: *** No rule to make target 'boards/{board}.mk'.  Stop.", 2) for board in BOARDS
    ],
    "packages that may be installed": [
        bash(f"dpkg -s {name}", f"dpkg-query: package '{name}' is not installed and no information is available", 1) for name in PACKAGES
    ],
    "numbers of accounts that must be refused": looked_up(
        "validate_iban", "iban", range(100_000, 100_030), 0, lambda n: {"error": "the check digits are wrong"}, customer
    ),
    "tags that may have been set": [
        bash(f"git rev-parse --verify v1.{n}", "fatal: Needed a single revision", 128) for n in range(28)
    ],
    "examples of a page that must not compile": [
        bash(f"rustc --edition 2021 examples/fail_{name}.rs", "error[E0382]: borrow of moved value: `cart`", 1) for name in NAMES
    ],
    "queries that must fail for a guest": [
        sh(f"psql -U guest -c 'select * from {name}'", f"ERROR:  relation \"{name}\" must not be read by guests") for name in NAMES
    ],
    "steps of a debugger in a recursion": rounds(
        26, lambda n: tool("pdb", {"command": "step"}, "> tree.py(14)walk()\n-> return walk(node.left)")
    ),
    "a debugger that goes on to the next breakpoint": rounds(
        26, lambda n: tool("debugger", {"action": "continue"}, "Breakpoint 1, walk () at tree.c:14")
    ),
}  # fmt: skip
