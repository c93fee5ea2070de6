"""Honest work of at least 25 calls that is easily mistaken for a circle: failing is wanted, or what changes is not shown."""

from tests.agent_calls import bash, edit, read, rounds, sh, tool, write
from tests.honest_streams.trades import WORDS

UP = ("curl -s -o /dev/null -w '%{http_code}' https://shop.example/", "200")
DUMPED = "UI hierchary dumped to: /sdcard/window_dump.xml"
CONFLICT = "CONFLICT (content): Merge conflict in CHANGELOG.md\nerror: could not apply {:07x}... {}\nhint: Resolve all conflicts manually"
USAGE = "usage: shop [-h] [--from DATE] [--to DATE] FILE\nshop: error: unrecognized arguments: {}"
CRASH = "Segmentation fault (core dumped)"


def after_each(fault, *look):
    """A fault is injected, then the same look shows that all is still well."""
    return rounds(13, lambda n: bash(fault(n)), lambda n: bash(*(look or UP)))


def limited(n):
    """A service that lets one through every ten seconds."""
    call = {"id": 700 + n}
    return [
        tool("update_article", call, "429 Too Many Requests, retry after 10 s", failed=True),
        tool("sleep", {"seconds": 10}, "slept"),
        tool("update_article", call, {"ok": True}),
    ]


def resolved(n):
    """One commit of a long rebase, in which the same lines conflict each time."""
    return [
        edit("CHANGELOG.md", "<<<<<<< HEAD\n", ""),
        bash("git add CHANGELOG.md"),
        bash("GIT_EDITOR=true git rebase --continue", CONFLICT.format(n * 7919 + 0xA1B2C3, f"Add {WORDS[n]}"), 1),
    ]


STREAMS = {
    "services killed one after the other, the shop stays up": after_each(lambda n: f"kill -9 $(pidof {WORDS[n]})"),
    "containers restarted, the shop stays up": after_each(lambda n: f"docker restart shop-{n % 4}"),
    "units stopped with systemctl, the shop stays up": after_each(lambda n: f"sudo systemctl stop shop@{n}"),
    "replicas scaled, the shop stays up": after_each(lambda n: f"kubectl scale deploy/web --replicas={n % 5 + 1}"),
    "ports closed by the firewall, the shop stays up": after_each(lambda n: f"sudo iptables -A INPUT -p tcp --dport {9000 + n} -j DROP"),
    "caches emptied, the shop stays up": after_each(lambda n: f"redis-cli -n {n} flushdb"),
    "flags switched, the page stays the same": after_each(lambda n: f"flagctl set {WORDS[n]} on", "curl -s https://shop.example/api/home", '{"title":"Shop","articles":12}'),
    "rows changed in the database, a sum stays the same": after_each(
        lambda n: f"psql shop -c \"update orders set note = '{WORDS[n]}' where id = {n}\"", 'psql shop -Atc "select sum(total) from orders"', "104219.50"
    ),
    "a phone tapped through with adb": rounds(
        10, lambda n: bash(f"adb shell input tap {100 + 37 * n} {900 - 41 * n}"), lambda n: bash("adb shell uiautomator dump", DUMPED),
        lambda n: bash("adb shell cat /sdcard/window_dump.xml", f"<node text='{WORDS[n]}' bounds='[0,{n * 40}][1080,{n * 40 + 96}]'/>"),
    ),
    "boards flashed, each one starts": rounds(
        9, lambda n: tool("wait_for_person", {"text": "Please plug in the next board."}, "done"), lambda n: bash("esptool.py --port /dev/ttyUSB0 write_flash 0x0 shop.bin", "Hash of data verified."),
        lambda n: bash("timeout 3 cat /dev/ttyUSB0", "boot ok, version 41", 124),
    ),
    "a rebase with the same conflict in each commit": [step for n in range(10) for step in resolved(n)],
    "hosts of a rack that must be off": [bash(f"ssh rack7-{n:02} systemctl is-active shop", "inactive", 3) for n in range(26)],
    "doors of a test that must not open": rounds(
        13, lambda n: tool("reset_password", {"user": WORDS[n]}, "reset"), lambda n: tool("login", {"user": WORDS[n], "password": "old"}, "error: wrong user name or password", failed=True)
    ),
    "a service that limits how fast": [step for n in range(9) for step in limited(n)],
    "a container that starts slowly, asked with pauses": [sh("sleep 20; docker logs --tail 1 shop-db", "waiting for recovery to finish")] * 26,
    "migrations taken up, down and up again": rounds(
        9, lambda n: bash("alembic upgrade +1", f"Running upgrade {n:04x} -> {n + 1:04x}, add {WORDS[n]}"), lambda n: bash("alembic downgrade -1", f"Running downgrade {n + 1:04x} -> {n:04x}, add {WORDS[n]}"),
        lambda n: bash("alembic upgrade +1", f"Running upgrade {n:04x} -> {n + 1:04x}, add {WORDS[n]}"),
    ),
    "a playbook run twice on each host, the second time nothing changes": rounds(
        13, lambda n: bash(f"ansible-playbook site.yml -l {WORDS[n]}", f"{WORDS[n]} : ok=14 changed=3 failed=0"), lambda n: bash(f"ansible-playbook site.yml -l {WORDS[n]}", f"{WORDS[n]} : ok=14 changed=0 failed=0")
    ),
    "a proof whose goals move": rounds(
        14, lambda n: edit("Cart.lean", f"sorry -- {n}", f"simp [{WORDS[n]}]"), lambda n: bash("lake build", f"error: Cart.lean:{20 + n}:4: unsolved goals\n⊢ {WORDS[n]} + 0 = {WORDS[n]}", 1)
    ),
    "diagnostics asked after each edit, there are none": rounds(13, lambda n: edit(f"src/{WORDS[n]}.ts", "let ", "const "), lambda n: tool("mcp__ide__getDiagnostics", {}, "[]")),
    "a style changed and looked at": rounds(13, lambda n: edit("shop.css", f"gap: {n}px", f"gap: {n + 1}px"), lambda n: tool("screenshot", {"url": "http://localhost:3000"}, "<image>")),
    "a plan ticked off after each part": rounds(
        13, lambda n: write(f"src/{WORDS[n]}.py", f"def {WORDS[n]}(): ..."), lambda n: tool("TodoWrite", {"todos": [{"content": word, "status": "completed" if k <= n else "pending"} for k, word in enumerate(WORDS[:13])]}, "Todos have been modified successfully.")
    ),
    "changes taken over from another branch, all tests after each": rounds(
        13, lambda n: bash(f"git cherry-pick {n * 7919 + 0xA1B2C3:07x}", f"[main {n * 104729 + 0xC3D4E5:07x}] Add {WORDS[n]}"), lambda n: bash("make test", "212 passed")
    ),
    "a document set twice after each change, so that its references are right": rounds(
        9, lambda n: edit("thesis.tex", f"\\label{{{WORDS[n]}}}", f"\\label{{sec:{WORDS[n]}}}"), lambda n: bash("pdflatex thesis", f"LaTeX Warning: Label(s) may have changed. Rerun to get cross-references right.\nOutput written on thesis.pdf ({90 + n} pages)."),
        lambda n: bash("pdflatex thesis", f"Output written on thesis.pdf ({90 + n} pages)."),
    ),
    "an old and a new version measured in turn": rounds(
        7, lambda n: bash("git checkout -q main"), lambda n: bash("./bench", f"{412 + n * 7 % 11} ms"), lambda n: bash("git checkout -q faster"), lambda n: bash("./bench", f"{371 + n * 5 % 9} ms")
    ),
    "a person asked about each article": rounds(
        13, lambda n: tool("get_article", {"id": 30 + n}, {"name": WORDS[n], "price": 4 + n}), lambda n: tool("ask_person", {"question": f"Keep the {WORDS[n]} in the list?"}, "yes")
    ),
    "notes of meetings read, none of them with a date": [read(f"notes/{word}.md", f"# {word}\nWe spoke of the {word}.\nNo date was agreed.") for word in WORDS],
}  # fmt: skip

DOUBTFUL = {
    "the test that fails, at one tag after the other": [
        bash(f"git checkout -q v1.{40 - n} && pytest -q -k total", "FAILED tests/test_cart.py::test_total - assert 3 == 4\n1 failed, 30 deselected in 0.31s", 1) for n in range(26)
    ],
    "rights audited, strangers are turned away": [
        bash(f"sudo -u {WORDS[n % 13]} cat /srv/{('payroll', 'keys')[n // 13]}/index.csv", f"cat: /srv/{('payroll', 'keys')[n // 13]}/index.csv: Permission denied", 1) for n in range(26)
    ],
    "bad input that must be turned away": [
        tool("http_request", {"url": f"https://test.shop.example/order?id={WORDS[n]}'{n}"}, "400 Bad Request: id must be a number", failed=True) for n in range(26)
    ],
    "options that must be turned away": [bash(f"./shop --{word}", USAGE.format(f"--{word}"), 2) for word in WORDS],
    "a loop of one line stepped through": [tool("debugger", {"command": "next"}, "> /repo/cart.py(14)total()\n-> total += net") for _ in range(26)],
    "mutants tried, one test finds them all": rounds(
        9, lambda n: edit("cart.py", f"total += {WORDS[n]}", f"total -= {WORDS[n]}"), lambda n: bash("pytest -q", "FAILED tests/test_cart.py::test_total - assert 3 == 4\n1 failed, 30 passed in 0.31s", 1), lambda n: bash("git checkout -q cart.py")
    ),
    "an input made smaller while it still crashes": rounds(13, lambda n: bash(f"sed -i '{26 - n}d' crash.c"), lambda n: bash("./cc crash.c", CRASH, 139)),
    "a switch set on and off to measure what it costs": rounds(
        7, lambda n: edit("config.py", "CACHE = False", "CACHE = True"), lambda n: bash("./bench", f"{371 + n * 5 % 9} ms"), lambda n: edit("config.py", "CACHE = True", "CACHE = False"), lambda n: bash("./bench", f"{412 + n * 7 % 11} ms")
    ),
    "a race looked for, the test passes every time": [bash("go test -race -count=1 -run TestCart ./...", f"ok  \tshop\t0.{300 + n}s") for n in range(26)],
    "rights audited through a tool, strangers are turned away": [tool("check_access", {"user": word, "path": "/srv/payroll"}, "permission denied", failed=True) for word in WORDS],
    "a compiler that takes long in another window": rounds(13, lambda n: tool("wait", {"seconds": 5}, "ok"), lambda n: tool("capture_screen", {}, "$ make\ncc -O2 -c huge.c")),
}  # fmt: skip
"""One word about it would be fair, a refusal never."""
