"""Going in circles on a page, in a service, beside notes: what is done there changes nothing."""

from tests.agent_calls import bash, change, clock, failing, rounds, tool, uuid

SHOP = "- Page URL: https://shop.example/cart\n- heading 'Your cart' [ref=e4]\n- button 'Pay' [ref=e9]"
TABS = ["- tab 'Cart' [selected]\n- tab 'Saved'", "- tab 'Cart'\n- tab 'Saved' [selected]"]
WORDS = [
    "Still nothing about the refund.",
    "No hits.",
    "Nothing found so far.",
    "The search has no answer.",
    "Empty again.",
]


def playwright(name, args, output):
    return tool(f"mcp__playwright__browser_{name}", args, output)


def searched():
    return tool("search", {"query": "refund policy 2026"}, "0 hits")


def noted(name, text, output="saved"):
    return rounds(60, lambda n: searched(), lambda n: tool(name, {"text": text(n)}, output))


STREAMS = {
    "one button clicked, the same page each time": (12, [playwright("click", {"element": "Pay", "ref": "e9"}, SHOP) for _ in range(30)]),
    "one button clicked and the page looked at": (
        24, rounds(20, lambda n: playwright("click", {"element": "Pay", "ref": "e9"}, SHOP), lambda n: playwright("snapshot", {}, SHOP))
    ),
    "two tabs clicked in turn": (
        24, rounds(30, lambda n: playwright("click", {"element": f"tab {n % 2}", "ref": f"e{n % 2}"}, TABS[n % 2]))
    ),
    "two pages opened in turn": (
        9, rounds(30, lambda n: playwright("navigate", {"url": f"https://shop.example/{'ab'[n % 2]}"}, TABS[n % 2]))
    ),
    "the console looked at and nothing done": (6, [playwright("console_messages", {}, "") for _ in range(20)]),
    "console and requests looked at in turn": (
        8, rounds(10, lambda n: playwright("console_messages", {}, ""), lambda n: playwright("network_requests", {}, "[GET] /app.js => [200]"))
    ),
    "the console in Chrome looked at and nothing done": (
        6, [tool("mcp__claude-in-chrome__read_console_messages", {"tabId": 7}, "No console messages found.") for _ in range(20)]
    ),
    "the same order posted, the same list asked": (
        8, rounds(20, lambda n: bash("curl -s -X POST https://api.example.com/orders -d count=1", '{"error":"sold out"}'), lambda n: bash("curl -s https://api.example.com/orders", "[]"))
    ),
    "the same variable set before the same tests": (8, rounds(20, lambda n: bash("export MODE=fast"), lambda n: failing("pytest -q"))),
    "the same page fetched, an id of the request in it": (
        6, [tool("fetch", {"url": "https://api.example.com/jobs/7"}, {"state": "failed", "request_id": uuid(n)}) for n in range(20)]
    ),
    "the same plan asked, an id of the trace in it": (6, [bash("./deploy plan", f"trace {uuid(n)}\nnothing to deploy\nno changes") for n in range(20)]),
    "the same denial with the time in fractions": (
        5, [tool("grant", {"role": "admin"}, {"error": "permission denied", "at": 1763545512.125 + n * 3.0617}) for n in range(7)]
    ),
    "the same denial with the time in a text": (
        5, [tool("grant", {"role": "admin"}, f"error: permission denied (at {1763545512.125 + n * 3.0617})") for n in range(7)]
    ),
    "the same denial with the time in a printed dict": (
        5, [tool("grant", {"role": "admin"}, str({"error": "permission denied", "when": 1763545512.125 + n * 3.0617})) for n in range(7)]
    ),
    "the same answer with the time in fractions": (
        6, [tool("get_quota", {"team": "web"}, {"left": 0, "now": 1763545512.125 + n * 3.0617}) for n in range(20)]
    ),
    "the same timeout with its length": (6, [tool("lookup_rate", {"pair": "EURUSD"}, {"ok": False, "why": f"timeout after 30.0{n + 10}s"}) for n in range(20)]),
    "a rate limit of a model, behind a tool": (
        20, [tool("summarise", {"id": 7}, f"Error code: 429 - Rate limit reached, used 29{n + 100}. Please try again in {n / 7 + 1:.3f}s.") for n in range(30)]
    ),
    "the same empty answer of a query with how long it took": (6, [tool("run_query", {"q": "refund"}, f"no rows, took 0.{n + 31} s") for n in range(20)]),
    "the same empty answer with how long it took": (6, [tool("index_rows", {"q": "refund"}, f"no rows, took 0.{n + 31} s") for n in range(20)]),
    "one error of the journal over midnight": (
        27,
        rounds(
            30,
            change,
            lambda n: bash("systemctl start web", f"Jan {2 + n // 9:02} {clock(n * 997 % 50_000)} web[{811 + n}]: error: no such device\nFailed to start web.", 1),
        ),
    ),
    **{f"equal searches and an equal {name}": (12, noted(name, lambda n: WORDS[0])) for name in ("save", "note", "write_note", "append_file", "send_message", "log_progress")},
    **{f"equal searches and a new {name}": (40, noted(name, lambda n: f"{WORDS[n % 5]} ({n})")) for name in ("save", "note", "write_note", "append_file", "send_message", "log_progress")},
}  # fmt: skip
