"""Long honest work of many trades, at least 25 calls each: much of it alike, and every call worth making."""

from tests.agent_calls import bash, clock, edit, numbered, read, rounds, sh, tool, uuid, write

WORDS = "amber birch cedar delta ember fjord grove heron inlet jetty knoll larch maple north ocean pearl quill ridge slate thorn umber vale wharf xenon yarrow zephyr".split()
"""Names of things, one for each letter."""

PDB = ["for item in items:", "net = item.price * item.count", "total += net"]
"""The lines of a loop that is stepped through: they come again and again."""


def in_debugger(n):
    """Three steps of a loop, then the value that they made."""
    return [
        tool("debugger", {"command": "next"}, f"> /repo/cart.py({12 + k})total()\n-> {PDB[k]}") for k in range(3)
    ] + [tool("debugger", {"command": "print total"}, f"{19.9 * (n + 1):.2f}")]


def shots(size=6):
    """Battleship: nearly every shot is a miss."""
    return [
        tool("fire", {"cell": f"{'ABCDEF'[n % size]}{n // size + 1}"}, "hit" if n in (8, 14, 20) else "miss")
        for n in range(size * size)
    ]


def bisected(count=14):
    """One round of a long bisection: the same test fails, or passes."""
    return rounds(
        count,
        lambda n: bash("make -s && ./check", "FAIL render: 3 pixels differ" if n % 3 else "ok render", int(bool(n % 3))),
        lambda n: bash(f"git bisect {'bad' if n % 3 else 'good'}", f"Bisecting: {2 ** (count - n) - 1} revisions left to test after this (roughly {count - n} steps)\n[{n * 7919 + 0xA1B2C3:07x}] Change {n}"),
    )  # fmt: skip


STREAMS = {
    "a loop stepped through in a debugger": [step for n in range(10) for step in in_debugger(n)],
    "a recursion stepped into in gdb": rounds(
        14, lambda n: bash("tmux send-keys -t gdb step Enter"), lambda n: bash("tmux capture-pane -p -t gdb | tail -2", f"walk (node=0x5555{n * 48:08x}, depth={n}) at tree.c:41\n41\t  if (!node) return depth;")
    ),
    "breakpoints set and hit": rounds(
        9, lambda n: tool("dap_set_breakpoint", {"file": f"src/{WORDS[n]}.py", "line": 10 + n}, "verified"), lambda n: tool("dap_continue", {}, f"stopped at src/{WORDS[n]}.py:{10 + n}, reason: breakpoint"),
        lambda n: tool("dap_variables", {"frame": 0}, {"n": n, "name": WORDS[n]}),
    ),
    "records labelled, most of them the same": rounds(
        20, lambda n: tool("next_record", {}, {"id": 500 + n, "text": f"The {WORDS[n]} arrived late."}), lambda n: tool("set_label", {"id": 500 + n, "label": "complaint"}, "saved")
    ),
    "records labelled by one tool that hands out the next": [
        tool("label_and_next", {"label": "complaint" if n % 5 else "praise"}, {"saved": True, "next": {"id": 500 + n, "text": f"About the {WORDS[n % 26]}"}}) for n in range(30)
    ],
    "cells of a notebook run one after the other": [
        tool("run_cell", {"index": n}, {"outputs": [] if n % 3 else [{"text": f"({1000 - n * 3}, 14)"}], "execution_count": n + 1}) for n in range(30)
    ],
    "one cell of a notebook changed and run": rounds(
        14, lambda n: tool("edit_cell", {"index": 4, "source": f"model.fit(x, y, alpha={n / 10})"}, "ok"), lambda n: tool("run_cell", {"index": 4}, {"outputs": [{"text": f"r2 = 0.{70 + n * 13 % 20}"}]})
    ),
    "battleship": shots(),
    "2048, moves in turn": [
        tool("move", {"direction": ("left", "down", "right", "down")[n % 4]}, "\n".join(" ".join(str(2 ** ((n * k + row) % 6)) for k in range(1, 5)) for row in range(4))) for n in range(40)
    ],
    "minesweeper, cells that are free": [tool("reveal", {"row": n // 6, "column": n % 6}, f"{(n * 5 % 7) % 4} mines beside it") for n in range(30)],
    "sub-agents started, then each one waited for": [
        *(tool("spawn_agent", {"name": word, "message": f"Translate docs/{word}.md to Polish."}, {"agent_id": uuid(n)}) for n, word in enumerate(WORDS[:14])),
        *(tool("wait_agent", {"id": uuid(n)}, {"status": "completed", "result": "done"}) for n in range(14)),
    ],
    "a sub-agent for each folder, all with the same report": [
        tool("Task", {"description": f"Check {word}", "prompt": f"Run the tests in packages/{word} and report."}, "All tests pass.") for word in WORDS
    ],
    "a long bisection": bisected(),
    "pods killed, the shop stays up": rounds(
        14, lambda n: bash(f"kubectl delete pod web-{n % 5}", f'pod "web-{n % 5}" deleted'), lambda n: bash("curl -s -o /dev/null -w '%{http_code}' https://shop.example/", "200")
    ),
    "networks cut and mended, orders go on": rounds(
        9, lambda n: tool("chaos_inject", {"fault": "partition", "between": ["db", f"web-{n}"]}, "injected"), lambda n: tool("probe_orders", {}, {"accepted": 40, "failed": 0}),
        lambda n: tool("chaos_heal", {}, "healed"),
    ),
    "a form typed in with the mouse and the keyboard": [
        step for n in range(14) for step in (tool("computer", {"action": "left_click", "coordinate": [300, 180 + 40 * n]}, "clicked"), tool("computer", {"action": "type", "text": f"{WORDS[n]} {n}"}, "typed"))
    ],
    "rows typed into a program of the office": rounds(
        9, lambda n: tool("ui_type", {"field": "Article", "text": WORDS[n]}, "ok"), lambda n: tool("ui_type", {"field": "Count", "text": str(n + 3)}, "ok"), lambda n: tool("ui_click", {"button": "Save and new"}, "ok")
    ),
    "cells of a spreadsheet": [tool("sheet_set", {"cell": f"C{n + 2}", "value": f"=A{n + 2}*B{n + 2}"}, "1 cell updated") for n in range(30)],
    "a formula written and its value read": rounds(
        13, lambda n: tool("sheet_set", {"cell": "F1", "value": f"=SUMIF(B:B,\"{WORDS[n]}\",C:C)"}, "1 cell updated"), lambda n: tool("sheet_get", {"cell": "F1"}, f"{n * 37 % 11 * 100}.00")
    ),
    "files moved to a new interface, a test for each": rounds(
        13, lambda n: bash(f"sed -i 's/old_call(/new_call(/' src/{WORDS[n]}.py"), lambda n: bash(f"pytest -q tests/test_{WORDS[n]}.py", "4 passed in 0.11s")
    ),
    "files moved to a new interface, all tests after each": rounds(
        13, lambda n: edit(f"src/{WORDS[n]}.py", "old_call(", "new_call("), lambda n: bash("pytest -q", "212 passed in 8.41s")
    ),
    "a pipeline waited for, several stages": [
        sh("sleep 60; gh run view 9120 --json jobs -q '.jobs[].status'", "\n".join(["completed"] * (n // 6) + ["in_progress"] + ["queued"] * (5 - n // 6))) for n in range(30)
    ],
    "a queue of jobs that is worked off": [tool("list_jobs", {"state": "queued"}, {"count": 61 - 2 * n}, at=100.0 + 20 * n) for n in range(30)],
    "tables described, many of them empty": rounds(
        14, lambda n: tool("describe_table", {"table": WORDS[n]}, f"id bigint, name text, {WORDS[n + 3]} numeric"), lambda n: tool("execute_sql", {"query": f"select count(*) from {WORDS[n]}"}, '[{"count":0}]' if n % 3 else f'[{{"count":{n * 40}}}]')
    ),
    "plans of many workspaces, nothing to do in most": rounds(
        13, lambda n: bash(f"terraform workspace select {WORDS[n]}", f'Switched to workspace "{WORDS[n]}".'), lambda n: bash("terraform plan", "No changes. Your infrastructure matches the configuration.")
    ),
    "services restarted one after the other": rounds(
        13, lambda n: bash(f"kubectl rollout restart deploy/{WORDS[n]}", f"deployment.apps/{WORDS[n]} restarted"), lambda n: bash(f"kubectl rollout status deploy/{WORDS[n]}", f'deployment "{WORDS[n]}" successfully rolled out')
    ),
    "sizes of a batch measured, the big ones fail": [
        bash(f"python bench.py --batch {2 ** (n % 9)} --workers {n // 9 + 1}", "CUDA out of memory. Tried to allocate 2.00 GiB" if n % 9 > 6 else f"{900 + n * 37 % 200} items/s", int(n % 9 > 6)) for n in range(27)
    ],
    "a model trained with other settings, the scores are close": [
        bash(f"python train.py --lr {10 ** -(n % 5 + 1):.5f} --depth {n // 5 + 2}", f"best epoch 9: accuracy 0.9{n % 3 + 1}") for n in range(30)
    ],
    "a journal read hour by hour, quiet hours": [
        bash(f"journalctl -u shop --since '2026-11-15 {n:02}:00' --until '2026-11-15 {n + 1:02}:00' -p err", "-- No entries --" if n != 17 else f"Nov 15 17:20:09 shop[811]: timeout at {clock(n)}") for n in range(26)
    ],
    "texts translated": rounds(
        13, lambda n: read(f"locales/en/{WORDS[n]}.json", f'{{"title": "The {WORDS[n]}", "save": "Save"}}'), lambda n: write(f"locales/pl/{WORDS[n]}.json", f'{{"title": "({WORDS[n]})", "save": "Zapisz"}}')
    ),
    "pull requests reviewed": rounds(
        10, lambda n: tool("mcp__github__get_pull_request", {"number": 40 + n}, {"title": f"Rename {WORDS[n]}", "state": "open"}), lambda n: tool("mcp__github__get_pull_request_diff", {"number": 40 + n}, f"-{WORDS[n]}\n+{WORDS[n + 1]}"),
        lambda n: tool("mcp__github__create_review", {"number": 40 + n, "event": "APPROVE", "body": "Reads well."}, {"state": "APPROVED"}),
    ),
    "mails sorted": rounds(
        15, lambda n: tool("read_mail", {"id": 800 + n}, f"From: {WORDS[n]}@example.com\nSubject: Invoice {n}"), lambda n: tool("move_mail", {"id": 800 + n, "folder": "Invoices"}, "moved")
    ),
    "ports of one's own hosts": [bash(f"nc -zv -w1 10.0.4.{n // 9 + 1} {port}", f"nc: connect to 10.0.4.{n // 9 + 1} port {port} (tcp) failed: Connection refused", 1) if port not in (22, 443)
        else bash(f"nc -zv -w1 10.0.4.{n // 9 + 1} {port}", f"Connection to 10.0.4.{n // 9 + 1} {port} port [tcp] succeeded!") for n, port in enumerate([22, 25, 80, 110, 443, 3306, 5432, 6379, 8080] * 3)],
    "copies of backups verified": [bash(f"sha256sum -c backup/{word}.sha256", f"backup/{word}.tar.zst: OK") for word in WORDS],
    "a parser fed with seeds that find nothing": [bash(f"./fuzz -seed={n * 7919} -runs=100000", "Done 100000 runs, no crash") for n in range(28)],
    "pages checked for accessibility": [tool("axe_check", {"url": f"https://shop.example/{word}"}, {"violations": []}) for word in WORDS],
    "names changed by a tool": [tool("rename_symbol", {"file": f"src/{word}.ts", "from": "getData", "to": f"get{word.title()}"}, "1 file changed") for word in WORDS],
    "a test written for each function, and run": rounds(
        13, lambda n: write(f"tests/test_{WORDS[n]}.py", f"def test_{WORDS[n]}():\n    assert {WORDS[n]}(2) == {n}"), lambda n: bash(f"pytest -q tests/test_{WORDS[n]}.py", "1 passed in 0.02s")
    ),
    "the next file with the same compile error": rounds(
        14, lambda n: edit(f"src/{WORDS[n]}.c", "strlcpy(", "copy_string("), lambda n: bash("make", f"src/{WORDS[n + 1]}.c:12:3: error: implicit declaration of function 'strlcpy'\nmake: *** [{WORDS[n + 1]}.o] Error 1", 2)
    ),
    "a name server asked from many places while a change spreads": rounds(
        9, lambda n: bash("sleep 120"), lambda n: bash("dig +short @1.1.1.1 shop.example", "192.0.2.7" if n < 6 else "192.0.2.8"), lambda n: bash("dig +short @9.9.9.9 shop.example", "192.0.2.7" if n < 8 else "192.0.2.8")
    ),
    "a terminal program driven with keys": rounds(
        14, lambda n: tool("send_keys", {"keys": "j"}, ""), lambda n: tool("capture_screen", {}, "\n".join(f"{'>' if k == n + 1 else ' '} {word}" for k, word in enumerate(WORDS)))
    ),
    "a crossword filled in": [tool("enter_word", {"place": f"{n + 1} {'across' if n % 2 else 'down'}", "word": word}, "fits") for n, word in enumerate(WORDS)],
    "lamps and blinds set": [tool("set_device", {"device": word, "level": n * 10 % 100}, {"ok": True}) for n, word in enumerate(WORDS)],
    "a document read by sections, with a table of contents that repeats": [
        tool("get_section", {"number": n}, numbered(f"Handbook of the shop\nContents: 1 Orders 2 Stock 3 Staff\nSection {n}: {WORDS[n]}\nThe {WORDS[n]} is kept for {n + 2} years.")) for n in range(26)
    ],
    "pictures described": [tool("look_at_image", {"path": f"scan/{n:03}.png"}, "A page with a table." if n % 2 else f"A page with {n % 3} signatures and a stamp.") for n in range(26)],
}  # fmt: skip
