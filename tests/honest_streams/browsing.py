"""Acting on a page, a service or a process, and looking at it after each step: the look may show the same for hours."""

from tests.agent_calls import bash, change, clock, failing, rounds, tool, uuid

PAGES = "home shop cart pay account orders returns help terms press jobs team blog search".split()
FIELDS = "name street city zip country mail phone note coupon gift".split()
KEYS = "ArrowLeft ArrowLeft ArrowUp ArrowRight ArrowDown ArrowDown ArrowLeft ArrowUp".split()


def playwright(name, args, output):
    return tool(f"mcp__playwright__browser_{name}", args, output)


def chrome(name, args, output):
    return tool(f"mcp__claude-in-chrome__{name}", args, output)


def devtools(name, args, output):
    return tool(f"mcp__chrome-devtools__{name}", args, output)


def puppeteer(name, args, output):
    return tool(f"mcp__puppeteer__puppeteer_{name}", args, output)


def page(n):
    """What Playwright shows of the page after an action."""
    return f"- Page URL: https://shop.example/{PAGES[n % 14]}\n- heading '{PAGES[n % 14].title()}' [ref=e{n}]"


def clicked(n):
    return playwright("click", {"element": f"link {n}", "ref": f"e{n}"}, page(n))


def posted(n):
    return tool(
        "fetch", {"url": "https://api.example.com/orders", "method": "POST", "body": {"count": -n}}, {"status": 422}
    )


def requested(method, path, output, body=None):
    sent = {"url": f"http://api.internal{path}", "method": method}
    return tool("http_request", sent if body is None else {**sent, "body": body}, output)


QUIET_CONSOLE = "No console messages found."
NO_ERRORS = "### Result\nno messages"
FAILED_LOOK = '{"pods_ready": "3/3"}'
HEALTHY = '{"status":"ok","orders":0}'

STREAMS = {
    "a shop clicked through with Playwright, the console after each click": rounds(
        14, clicked, lambda n: playwright("console_messages", {}, "")
    ),
    "pages opened with Playwright, the requests after each": rounds(
        14,
        lambda n: playwright("navigate", {"url": f"https://shop.example/{PAGES[n]}"}, page(n)),
        lambda n: playwright("network_requests", {}, "[GET] https://shop.example/app.js => [200]"),
    ),
    "a form filled with Playwright, a value and the console after each field": rounds(
        10,
        lambda n: playwright("type", {"element": FIELDS[n], "ref": f"e{n}", "text": "x" * 200}, "Typed"),
        lambda n: playwright("evaluate", {"function": "() => document.querySelectorAll('.error').length"}, "0"),
        lambda n: playwright("console_messages", {"onlyErrors": True}, NO_ERRORS),
    ),
    "widths tried with Playwright, overflow asked after each": rounds(
        14,
        lambda n: playwright("resize", {"width": 320 + 80 * n, "height": 800}, "### Ran\nawait page.setViewportSize()"),
        lambda n: playwright("evaluate", {"function": "() => document.body.scrollWidth > innerWidth"}, "false"),
    ),
    "Tab pressed through a form with Playwright, the console after each": rounds(
        10,
        lambda n: playwright("press_key", {"key": "Tab"}, "Pressed Tab"),
        lambda n: playwright("evaluate", {"function": "() => document.activeElement.name"}, f'"{FIELDS[n]}"'),
        lambda n: playwright("console_messages", {}, ""),
    ),
    "a shop clicked through in Chrome, the console after each click": rounds(
        14,
        lambda n: chrome("computer", {"action": "left_click", "coordinate": [40 + 30 * n, 200], "tabId": 7}, "Clicked"),
        lambda n: chrome("read_console_messages", {"tabId": 7, "onlyErrors": True}, QUIET_CONSOLE),
    ),
    "pages opened in Chrome, requests and console after each": rounds(
        14,
        lambda n: chrome("navigate", {"url": f"https://shop.example/{PAGES[n]}", "tabId": 7}, "Navigated"),
        lambda n: chrome("read_network_requests", {"tabId": 7, "urlPattern": "/api/"}, "No network requests found."),
        lambda n: chrome("read_console_messages", {"tabId": 7}, QUIET_CONSOLE),
    ),
    "fields set in Chrome, the errors on the page after each": rounds(
        14,
        lambda n: chrome("form_input", {"ref": f"ref_{n}", "value": str(n), "tabId": 7}, "Set"),
        lambda n: chrome("find", {"query": "validation error", "tabId": 7}, "No matching elements found."),
    ),
    "a shop clicked through with chrome-devtools, the console after each": rounds(
        14,
        lambda n: devtools("click", {"uid": f"1_{n}"}, "Successfully clicked on the element"),
        lambda n: devtools("list_console_messages", {}, "<no console messages found>"),
    ),
    "pages opened with chrome-devtools, console and requests after each": rounds(
        10,
        lambda n: devtools("navigate_page", {"type": "url", "url": f"https://shop.example/{PAGES[n]}"}, "Navigated"),
        lambda n: devtools("list_network_requests", {"resourceTypes": ["xhr"]}, "No requests found."),
        lambda n: devtools("list_console_messages", {"types": ["error"]}, "<no console messages found>"),
    ),
    "keys pressed with chrome-devtools, the console after each": rounds(
        14,
        lambda n: devtools("press_key", {"key": KEYS[n % 8]}, f"Successfully pressed key: {KEYS[n % 8]}"),
        lambda n: devtools("list_console_messages", {}, "<no console messages found>"),
    ),
    "a form filled with Puppeteer, the errors after each field": rounds(
        14,
        lambda n: puppeteer("fill", {"selector": f"#f{n}", "value": "x"}, "Filled"),
        lambda n: puppeteer("evaluate", {"script": "document.querySelectorAll('.error').length"}, "Execution result:\n0"),
    ),
    "a page of text browsed, a word looked for on each": rounds(
        14,
        lambda n: tool("visit_page", {"url": f"https://docs.example/{PAGES[n]}"}, f"Address: https://docs.example/{PAGES[n]}"),
        lambda n: tool("find_on_page_ctrl_f", {"search_string": "refund"}, "The search string 'refund' was not found on this page."),
    ),
    "a desktop used, a picture after each step": rounds(
        14,
        lambda n: tool("computer", {"action": "left_click", "coordinate": [n * 31 % 900, 410]}, "ok"),
        lambda n: tool("computer", {"action": "screenshot"}, "<image>"),
    ),
    "a desktop used, the clipboard asked after each step": rounds(
        14,
        lambda n: tool("computer", {"action": "key", "text": KEYS[n % 8]}, "ok"),
        lambda n: tool("get_clipboard", {}, {"text": ""}),
    ),
    "a game played with keys, the score after each": rounds(
        14,
        lambda n: tool("press_key", {"key": KEYS[n % 8]}, "ok"),
        lambda n: tool("browser_evaluate", {"script": "score"}, "0"),
    ),
    "bad orders posted, the list asked after each": rounds(
        14, posted, lambda n: tool("fetch", {"url": "https://api.example.com/orders"}, "[]")
    ),
    "bad orders posted with methods, the list asked after each": rounds(
        14,
        lambda n: requested("POST", "/orders", {"error": "count must be positive"}, {"count": -n}),
        lambda n: requested("GET", "/orders", {"orders": []}),
    ),
    "records deleted, the errors asked after each": rounds(
        14,
        lambda n: requested("DELETE", f"/orders/{n}", {"deleted": True}),
        lambda n: requested("GET", "/errors", {"errors": []}),
    ),
    "orders posted by curl, the health asked after each": rounds(
        14,
        lambda n: bash(f"curl -s -X POST https://api.example.com/orders -d count=-{n}", '{"error":"count"}'),
        lambda n: bash("curl -s https://api.example.com/orders?state=open", "[]"),
    ),
    "orders posted as data, the list asked after each": rounds(
        14,
        lambda n: bash(f"curl -s https://api.example.com/orders --json '{{\"count\": -{n}}}'", '{"error":"count"}'),
        lambda n: bash("curl -s https://api.example.com/orders", "[]"),
    ),
    "modes set in a shell that lasts, the same tests after each": rounds(
        9, lambda n: bash(f"export MODE=m{n}"), lambda n: bash("env | grep MODE", f"MODE=m{n}"), lambda n: failing("pytest -q")
    ),
    "variables taken back in a shell that lasts, the same tests after each": rounds(
        9,
        lambda n: bash(f"unset LC_{FIELDS[n].upper()}"),
        lambda n: bash("env | grep -c LC_", f"{9 - n}"),
        lambda n: failing("pytest -q"),
    ),
    "workers killed one by one, the service asked after each": rounds(
        14,
        lambda n: bash(f"kill {4100 + 37 * n}"),
        lambda n: bash("curl -s https://shop.example/state", FAILED_LOOK),
    ),
    "limits tried, the same tests after each": rounds(
        9,
        lambda n: bash(f"ulimit -n {1024 - 32 * n}"),
        lambda n: bash("ulimit -n", f"{1024 - 32 * n}"),
        lambda n: failing("pytest -q"),
    ),
    "worktrees added, the list of branches and the tests after each": rounds(
        9,
        lambda n: bash(f"git worktree add -q ../w{n} rel-{n}"),
        lambda n: bash("git worktree list | wc -l", f"{n + 2}"),
        lambda n: failing("pytest -q ../"),
    ),
    "a service restarted by hand, its log after each": rounds(
        10,
        lambda n: bash(f"kill -HUP {4100 + 37 * n}"),
        lambda n: tool("sleep", {"seconds": 2}, "slept"),
        lambda n: bash("curl -s http://shop.example/health/deep", HEALTHY),
    ),
    "cells of a notebook run, the kernel's errors asked after each": rounds(
        14,
        lambda n: tool("mcp__jupyter__execute_cell", {"cell": n}, f"[{n}] ok"),
        lambda n: tool("mcp__jupyter__read_errors", {}, "[]"),
    ),
    "commits of a service asked as it is rolled out": [
        bash("curl -s https://shop.example/about", f"The latest commit is {(n + 3) * 0x9E3779B97F4A7C15F39CC0605CEDC835 * 0x51ED27 % 16**40:040x}.") for n in range(25)
    ],
    "versions of a service asked as it is rolled out": [
        bash("curl -s https://shop.example/version", f"{uuid(n).replace('-', '')}  up") for n in range(25)
    ],
    "tags of a cached page": [
        tool("fetch", {"url": "https://shop.example/app.js", "method": "HEAD"}, f'HTTP/2 200\netag: W/"{uuid(n).replace("-", "")[:20]}"') for n in range(25)
    ],
    "digests of a file that is built anew": rounds(
        13, change, lambda n: bash("openssl dgst -sha256 app.bin", f"SHA2-256(app.bin)= {uuid(n).replace('-', '')}{uuid(n + 50).replace('-', '')}")
    ),
    "digests of a file that another program writes": [
        bash("openssl dgst -md5 queue.db", f"MD5(queue.db)= {uuid(n).replace('-', '')}") for n in range(25)
    ],
    "fingerprints given by a sub-agent": [
        tool("Task", {"description": "Ask the signer", "prompt": "Which key signs now?"}, f"key fingerprint: {uuid(n).replace('-', '')}") for n in range(25)
    ],
    "a job in the background looked at with Cline": [
        tool("run_commands", {"commands": ["sleep 1; cat job.log"]}, f"{clock(0)} running") for _ in range(25)
    ],
}  # fmt: skip
