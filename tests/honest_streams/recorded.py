"""Honest work of at least 25 calls that follows the course of recorded runs which solved their task, told with other words.

The tools, their order, the kinds of results and what repeats are those of a run; the texts, names and numbers are not.
Each stream says whose course it follows.
"""

from tests.agent_calls import bash, edit, grep, numbered, read, sh, tool, write

LIB, TRY = "/work/shop/store/fields.py", "/work/shop/try_it.py"
NO_OLD = "ERROR:\nParameter `old_str` is required for command: str_replace."
DONE = "The file {} has been edited. Here's the result of running `cat -n` on a snippet of it:\n{}\nReview the changes."


def change(old, new, path=LIB, output=None):
    """OpenHands' editor; without what to replace, the call is malformed."""
    if old is None:
        return tool("str_replace_editor", {"command": "str_replace", "path": path}, NO_OLD, failed=True)
    args = {"command": "str_replace", "path": path, "old_str": old, "new_str": new}
    failed = output is not None
    return tool("str_replace_editor", args, output if failed else DONE.format(path, new), failed=failed)


def missed(old, path=LIB):
    return change(
        old, "", path, f"ERROR:\nNo replacement was performed, old_str `{old}` did not appear verbatim in {path}."
    )


def inserted(line, text, path=TRY):
    args = {"command": "insert", "path": path, "insert_line": line, "new_str": text}
    return tool("str_replace_editor", args, DONE.format(path, text))


def created(path, text):
    args = {"command": "create", "path": path, "file_text": text}
    return tool("str_replace_editor", args, f"File created successfully at: {path}")


def viewed(text, path=LIB):
    return tool("str_replace_editor", {"command": "view", "path": path}, f"Here's the result of running `cat -n` on {path}:\n{text}")  # fmt: skip


def run(command, output="", code=0):
    """OpenHands' shell."""
    return tool(
        "execute_bash", {"command": command}, f"{output}\n[Command finished with exit code {code}]", failed=code != 0
    )


def mini(command, output="", code=0):
    """mini-swe-agent's shell."""
    text = f"<returncode>{code}</returncode>\n<output>\n{output}\n</output>"
    return tool("bash", {"command": command}, text, failed=code != 0)


def error(name, line, text):
    return f'Traceback (most recent call last):\n  File "{name}", line {line}, in <module>\n{text}'


def rovo(command, output="..."):
    return tool("bash", {"command": f"cd /workspace && {command}"}, output)


def replaced(find, put):
    return tool("edit", {"file_path": "src/walk.js", "find": find, "replace": put}, f"Successfully replaced code in src/walk.js:\n-{find}\n+{put}")  # fmt: skip


SKIPPING = [f"{n} {word}" for n, word in enumerate("def report(item, call): | out = yield | rep = out.result | mark = item.kept | if mark and call.when == 'call': | rep.note = mark.why | return rep".split(" | "), 260)]  # fmt: skip
NO_LEN = "TypeError: object of type 'ChainRepr' has no len()"
CHECK = "pytest -rsx -s shows_it.py"


def debugged(n):
    """One line of output more, then the same failing test again (mini-swe-agent)."""
    return [
        mini(f"sed -i '{264 + n}a\\    print(f\"DEBUG {n}: {{mark!r}}\")' src/skipping.py"),
        mini(CHECK, f"shows_it.py F\nDEBUG {n}: Mark(why='slow {n}')\nFAILED shows_it.py::test_a - {NO_LEN}\n1 failed in 0.0{n + 2}s", 1),
    ]  # fmt: skip


UTIL = [f"line {n}: {'calendar.set' if n % 9 == 4 else 'int value'} ({n * 13 % 29});" for n in range(300)]


def lines(first, last):
    return "\n".join(UTIL[first - 1 : last])


def awk(first, last):
    return sh(f"awk 'NR>={first} && NR<={last}' src/main/java/shop/DateUtil.java", lines(first, last))


def sed(first, last):
    return sh(f"sed -n '{first},{last}p' src/main/java/shop/DateUtil.java", lines(first, last))


def found(pattern, *at):
    return sh(f'grep -n "{pattern}" src/main/java/shop/DateUtil.java', "\n".join(f"{n}:{UTIL[n - 1]}" for n in at))


def explored(n, maze, text=""):
    """A program that explores a maze is written anew, run, and its map is looked at (mini-swe-agent, Terminal-Bench)."""
    return [
        mini(f"cat <<'EOF' > walk_{n}.py\nimport subprocess\n# {n} ways at once\nEOF"),
        mini(f"python3 walk_{n}.py", f"Exploring {n * 40} ways\n{text or 'No way out was found.'}"),
        mini("cat /app/map.txt", maze),
    ]


def polled(session, output="(no new output)\n\nProcess still running."):
    return tool("process", {"action": "poll", "sessionId": session, "timeout": 300000}, output)


def started(command, session):
    return tool("exec", {"command": f"cd /app/chain && {command}"}, f"Command still running (session {session}, pid {len(session) * 97}). Use process (list/poll/log) for follow-up.")  # fmt: skip


def tried(n, text):
    """A small experiment with a library, in a line of its own (Rovo)."""
    return rovo(
        f"node -e \"const Cutter = require('cutter'); /* {n} */ console.log(new Cutter('let a = {n}').cut(0, {n + 3}))\"",
        text,
    )


NODE_ERROR = "/workspace/src/walk.js:{}\n\nSyntaxError: missing ) after argument list\n    at wrapSafe (node:internal:122:18)\n\nNode.js v22.18.0"
PARSES = rovo("node -c src/walk.js", "")
BACK = rovo("git checkout src/walk.js", "Updated 1 path from the index")
FORMATS = [rovo(f"./bin/format.js {folder} 2>&1", "const x = 1;") for folder in ("sample/", "sample", "sample//")]


def suite(name, seconds):
    return rovo(
        f"yarn test tests/{name}.js 2>&1 | tail -3", f"Tests:       14 passed, 14 total\nTime:        {seconds} s"
    )


def background(n):
    """A shell in the background that has nothing new to say (Claude Code)."""
    return tool("BashOutput", {"bash_id": "ea920e"}, f"<status>running</status>\n\n<stdout>\nCollecting lab\n  Downloading lab-4.2.whl\n</stdout>\n\n<timestamp>2026-11-09T07:1{n // 15}:{n % 15 * 4:02}.847Z</timestamp>")  # fmt: skip


def todo(done):
    names = ["Install the server", "Make a certificate", "Set the password", "Write a notebook", "Start the server"]
    todos = [{"content": name, "status": "completed" if n < done else "pending"} for n, name in enumerate(names)]
    return tool("TodoWrite", {"todos": todos}, "Todos have been modified successfully.")


PY = "/app/fs/dirs.py"
INSTALLED = bash("pip install -e .", "Obtaining file:///app/fs\nSuccessfully installed fs-2026.11")


def try_out(line, text):
    return bash("python try_open.py", error("/app/fs/try_open.py", line, text), 1)


GRAPH = '{{"success": true, "data": {{"nodes": {}, "limit": 20}}}}'
NO_REPO = "ls: cannot access '/mnt/work/series/worker-1/repos/{}': No such file or directory"

STREAMS = {
    # mini-swe-agent with Gemini 3 Pro on SWE-bench Verified (second): one failing test, made to print more and more
    "a test that fails while more and more is printed": [
        mini("ls -F", "src/\ntesting/\ntox.ini"), mini("cat <<'EOF' > shows_it.py\nimport pytest\nEOF"), mini("pytest -rsx shows_it.py", "shows_it.py F\n1 failed in 0.02s", 1),
        mini("cat src/skipping.py", "\n".join(SKIPPING)), mini("sed -n '261,266p' src/skipping.py", "\n".join(SKIPPING[1:7])),
        mini("sed -i '264a\\    rep.kept = mark' src/skipping.py"), mini("sed -n '261,266p' src/skipping.py", "\n".join([*SKIPPING[1:4], "    rep.kept = mark", *SKIPPING[4:6]])),
        mini("pytest -rsx shows_it.py", f"FAILED shows_it.py::test_a - {NO_LEN}\n1 failed in 0.03s", 1),
        *(step for n in range(9) for step in debugged(n)),
        mini("grep -n 'def report' src/terminal.py", "524:def report(self, one):"), mini("grep -n 'def status' src/skipping.py", "", 1), mini("tail -n 4 src/skipping.py", "    return rep\n    print(f'DEBUG 8')"),
        mini("git checkout src/skipping.py", "Updated 1 path from the index"), mini("tail -n 4 src/skipping.py", "def status(report):\n    return None"),
        mini("sed -i '264a\\    rep.kept = str(mark)' src/skipping.py"), mini("pytest -rsx shows_it.py", "shows_it.py x\n1 xfailed in 0.03s"), mini("pytest testing/test_skipping.py", "84 passed in 2.11s"),
        mini("rm shows_it.py"), mini("git diff src/skipping.py", "+    rep.kept = str(mark)"),
    ],
    # mini-swe-agent with Gemini 3 Pro on SWE-bench Verified (strong): an old code base is first made to run at all, and put back
    "old code made to run, bit by bit, and put back": [
        *(step for n, (name, text) in enumerate([
            ("_collections", "ImportError: cannot import name 'MutableMapping' from 'collections'"), ("cookies", "AttributeError: module 'collections' has no attribute 'MutableMapping'"),
            ("models", "AttributeError: module 'collections' has no attribute 'Callable'"), ("hooks", "AttributeError: module 'collections' has no attribute 'Callable'"),
            ("pool", "TypeError: __init__() got an unexpected keyword argument 'strict'"), ("pool", "SyntaxError: '(' was never closed"), ("pool", "SyntaxError: invalid syntax"),
        ]) for step in (
            mini("/usr/bin/python3 test_web.py", error(f"/app/web/{name}.py", 9 + n, text), 1), mini(f"grep -n 'collections\\|strict' web/{name}.py", f"{9 + n}: {text.split()[-1]}"),
            mini(f"sed -i '{9 + n}s/collections/collections.abc/' web/{name}.py"), mini(f"nl -ba web/{name}.py | sed -n '{5 + n},{14 + n}p'", numbered(f"import os\nimport collections.abc  # {n}", 5 + n)),
        )),
        mini("/usr/bin/python3 test_web.py", "Ran 96 tests in 14.206s\n\nFAILED (errors=2)", 1), mini("sed -i '40s/^/        self.host = name\\n/' web/cookies.py"), mini("/usr/bin/python3 test_web.py", "Ran 96 tests in 14.118s\n\nOK"),
        mini("git checkout web/pool.py", "Updated 1 path from the index"), mini("git checkout web/_collections.py", "Updated 1 path from the index"), mini("git checkout web/cookies.py", "Updated 1 path from the index"),
        mini("nl -ba web/models.py | sed -n '388,400p'", numbered("def length(self, body):\n    pass", 388)), mini("python3 apply.py"), mini("nl -ba web/models.py | sed -n '388,400p'", numbered("def length(self, body):\n    if body:\n        pass", 388)),
    ],
    # mini-swe-agent with Sonnet 4 on Terminal-Bench (strong): explorers of a maze, one better than the other, and the same map
    "programs for a maze, the map stays wrong for long": [
        mini("ls -la", "maze.sh\ntests"), mini("cat maze.sh", "python3 /protected/maze.py"), mini("./maze.sh", "The last command timed out.", 124),
        *explored(1, "#####\n##S##\n#####"), *explored(2, "#####\n# S #\n## ##"), *explored(3, "#####\n# S #\n## ##"), *explored(4, "#######\n#  S  #\n#  ####"),
        *explored(5, "#####\n##S##\n#####"), *explored(6, "#######\n#  S  #\n#  ####"), *explored(7, "#####\n# #S#\n#E# #", "The way out: 3 west, 1 south."),
        mini("cd tests && python3 -m pytest test_map.py -v", "E   AssertionError: row 3\n1 failed in 0.05s", 1), mini("cat <<'EOF' > /app/map.txt\n#####\n# #S#\n#E# #\n#   #\n#####\nEOF"),
        mini("cat /app/map.txt", "#####\n# #S#\n#E# #\n#   #\n#####"), mini("cd tests && python3 -m pytest test_map.py -v", "1 passed in 0.03s"),
    ],
    # mini-swe-agent with Sonnet 4 on Terminal-Bench (second): a game probed by hand, then solved ten times
    "a game probed by hand, then solved ten times": [
        *(mini(f'printf "{moves}\\nexit\\n" | ./game.sh 1', f"Welcome.\n> {answer}\n> Goodbye!") for moves, answer in (
            ("move N", "hit wall"), ("move S", "reached exit"), ("move E", "moved"), ("move W", "hit wall"), ("move E\\nmove N", "moved\n> hit wall"), ("move E\\nmove S", "moved\n> hit wall"), ("move E\\nmove E", "moved\n> hit wall"),
        )),
        *(step for n in range(5) for step in (mini(f"cat <<'EOF' > solve_v{n}.py\n# try {n}\nEOF"), mini(f"python3 solve_v{n}.py 1", "Maze 1 saved to /app/output/1.txt\nS" if n < 4 else "Maze 1 saved to /app/output/1.txt\n####\n#S #\n#E##"))),
        *(mini(f"python3 solve_v4.py {n}", f"Maze {n} saved to /app/output/{n}.txt\n{'#' * n}\n#S{' ' * n}E#") for n in range(2, 11)), mini("python3 -m pytest tests -v", "10 passed in 0.08s"),
    ],
    # Rovo Dev on SWE-PolyBench (strong3): dozens of experiments with one library, test counts before and after
    "a library tried out in one line of code after the other": [
        grep("export let", "No matches found for pattern 'export let'...."), grep("\\$props", "No matches found for pattern '$props'...."), rovo("npm run build 2>&1 | tail -2", "created easing.js in 4ms\ncreated transition.js in 3ms"),
        *(tried(n, f"Full code: let {{ a = {n} }}\nCut 0-{n + 3}: let {{ a") for n in range(14)), replaced("cut(a, b)", "cut(a, end)"), rovo("npm run build 2>&1 | tail -2", "created easing.js in 6ms\ncreated transition.js in 4ms"),
        rovo("npm test 2>&1 | grep -E '(passing|failing)'", "1613 passing (2m)\n27 failing"), rovo("git stash && npm run build 2>&1 | tail -1", "created transition.js in 8ms"), rovo("npm test 2>&1 | grep -E '(passing|failing)'", "1629 passing (2m)\n11 failing"),
        rovo("git stash pop && npm run build 2>&1 | tail -1", "Changes not staged for commit"), *(tried(n, f"Full code: let {{ a = {n} }} = props\nCut 0-{n + 3}: let {{ a") for n in range(14, 24)),
        replaced("cut(a, end)", "cut(a, last.end)"), rovo("npm run build 2>&1 | tail -2", "created easing.js in 4ms\ncreated transition.js in 4ms"), rovo("npm test 2>&1 | grep -E '(passing|failing)'", "1629 passing (2m)\n11 failing"),
    ],
    # Rovo Dev on SWE-PolyBench (strong3): edits that break the file, taken back, made anew; the same outputs are the aim
    "edits that break the syntax, taken back with git, made anew": [
        rovo("mkdir -p sample && echo 'const x=1' > sample/a.js && ./bin/format.js sample", "const x = 1;"), rovo("./bin/format.js sample/ 2>&1", "[error] No files were found in the directory: 'sample/'."),
        replaced("join(folder)", "join(folder.trim(")  , rovo("./bin/format.js sample/ 2>&1", NODE_ERROR.format(212)), rovo("node -c src/walk.js", NODE_ERROR.format(212)), BACK, PARSES,
        replaced("join(folder)", "join(folder.trim())"), PARSES, FORMATS[0], FORMATS[1], rovo("./bin/format.js sample// 2>&1", "[error] No files were found in the directory: 'sample//'."),
        replaced("join(folder.trim())", "join(folder.replace(ends, ''))"), FORMATS[2], suite("dirs", 8.7), suite("globs", 9.1), suite("cli", 4.2),
        replaced("ends = /x/", "ends = /["), rovo("node -c src/walk.js", NODE_ERROR.format(214)), BACK, rovo("sed -i '78,87c\\  join(' src/walk.js"), rovo("node -c src/walk.js", NODE_ERROR.format(220)), BACK,
        rovo("python3 - <<'EOF'\nprint('Replacement successful')\nEOF", "Replacement successful"), PARSES, *FORMATS, rovo("yarn test tests/dirs.js 2>&1 | tail -2", "Expected: ''\nTests: 1 failed, 13 passed, 14 total"), BACK,
        rovo("python3 - <<'EOF'\nprint('Replacement successful')  # with both kinds of slashes\nEOF", "Replacement successful"), PARSES, *FORMATS, suite("dirs", 8.9), suite("globs", 9.0), suite("errors", 3.8), suite("infer", 2.2), rovo("rm -rf sample", ""),
    ],
    # OpenClaw with GLM-5 on monthly SWE tasks (strong3): builds in sessions that are polled, one of them once more than in the run
    "builds in sessions that are polled": [
        tool("update_plan", {"plan": [{"step": "Explore", "status": "completed"}]}, "Plan updated."), started("forge build --skip test 2>&1", "sharp-ember"), polled("sharp-ember", "Receiving objects: 6%\n\nProcess exited with code 0."),
        tool("exec", {"command": "cd /app/chain && forge build 2>&1 | tail -50"}, "ERROR file src/json.sol"), tool("exec", {"command": "cd /app/chain && forge build --paths src/a.sol"}, "error: unexpected argument '--paths' found\n\n(Command exited with code 2)", failed=True),
        tool("exec", {"command": "cd /app/chain && forge build ./src/a.sol"}, "ERROR file src/json.sol\n\n(Command exited with code 1)", failed=True), tool("exec", {"command": "cd /app/chain && sed -i 's|json.sol|JSON.sol|' src/a.sol && head -3 src/a.sol"}, "pragma solidity 0.8.15;"),
        started("forge build 2>&1 | tail -50", "salty-shore"), *(polled("salty-shore") for _ in range(2)), polled("salty-shore", "(no new output)\n\nProcess exited with signal SIGTERM."),
        *(step for n, name in enumerate(("Genesis", "Factory", "Manager", "Setup")) for step in (
            read(f"/app/chain/test/{name}.t.sol", f"contract {name}Test {{}}"), tool("edit", {"path": f"/app/chain/test/{name}.t.sol", "edits": [{"oldText": f"{name}Test", "newText": f"{name}_Test"}]}, "Successfully replaced 1 block(s)."),
            started(f"forge test --match-contract {name}_Test", f"mild-ocean-{n}"), *(polled(f"mild-ocean-{n}") for _ in range(n)), polled(f"mild-ocean-{n}", f"Ran {n + 5} tests: {n + 5} passed\n\nProcess exited with code 0."),
        )),
    ],
    # Codex with a server of code search on SWE-PolyBench (strong3): the server knows another folder than the shell
    "a search of code that knows another folder than the shell": [
        tool("workspace-overview", {}, GRAPH.format(0)), tool("find-nodes", {"scopeNode": "packages/ui/src/Sheet/", "limit": 20}, GRAPH.format(4)), tool("bash", {"command": "ls /mnt/work/series/worker-1/repos/ui/src/Sheet"}, NO_REPO.format("ui/src/Sheet"), failed=True),
        tool("bash", {"command": "pwd"}, "/testbed"), tool("bash", {"command": "ls /testbed/packages/ui/src/Sheet"}, "Sheet.d.ts\nSheet.js\nindex.js"), tool("bash", {"command": "sleep 5"}, ""), tool("find-nodes", {"scopeNode": "packages/ui/src/Sheet/Sheet.js", "limit": 20}, GRAPH.format(1)),
        tool("set-project-root", {"root": "/testbed"}, "Unable to add project root: /testbed"), tool("bash", {"command": "realpath /testbed"}, "/testbed"), tool("get-project-root", {}, "/mnt/work/series/worker-1/repos"),
        tool("bash", {"command": "ls /mnt/work/series/worker-1/repos/ui/src/Sheet"}, NO_REPO.format("ui/src/Sheet"), failed=True), tool("bash", {"command": "ls /mnt/work/series/worker-1/repos"}, NO_REPO.format(""), failed=True),
        *(tool("get-content", {"target": f"packages/ui/src/Sheet/{name}"}, f"export default {name!r}") for name in ("Sheet.js", "Sheet.d.ts", "index.d.ts")), tool("find-nodes", {"name": "styles", "scopeNode": "packages/ui/src/Sheet/Sheet.js"}, GRAPH.format(0)),
        tool("workspace-overview", {}, GRAPH.format(6085)), tool("find-nodes", {"name": "styles", "scopeNode": "packages/ui/src/Sheet/Sheet.js"}, GRAPH.format(1)), tool("find-nodes", {"name": "Sheet", "scopeNode": "packages/ui/src/Sheet/"}, GRAPH.format(2)),
        tool("edit", {"file_path": "/testbed/packages/ui/src/Sheet/Sheet.js", "kind": "update"}, "completed"), tool("edit", {"file_path": "/testbed/packages/ui/src/Sheet/Sheet.d.ts", "kind": "update"}, "completed"),
        tool("bash", {"command": "yarn test Sheet"}, "1 failing\n  expected 'outlined' to be 'flat'", failed=True), tool("edit", {"file_path": "/testbed/packages/ui/src/Sheet/Sheet.js", "kind": "update"}, "completed"), tool("bash", {"command": "yarn test Sheet"}, "14 passing"),
        *(tool("get-content", {"target": f"packages/ui/src/Card/{name}"}, f"export default {name!r}") for name in ("Card.js", "Card.d.ts")),
    ],
    # Claude Code with qwen3-coder on Terminal-Bench (strong): the same NotImplementedError while its cause is narrowed down
    "one error until the right class is found": [
        tool("Task", {"description": "Find the class", "prompt": "Where is the class of folders?"}, "It is in fs/dirs.py."), *(step for n in range(4) for step in (grep(f"def open{'_async' * n}", "No matches found" if n % 2 else f"{PY}:37{n}: def open", PY), read(PY, numbered(f"def open_{n}(): ...", 360 + n), 360 + n, 10))),
        edit(PY, "def open(self)", "async def open(self)"), write("/app/fs/try_open.py", "import asyncio"), try_out(2, "ModuleNotFoundError: No module named 'fs._version'"), bash("python -m try_open", error("try_open", 2, "ModuleNotFoundError: No module named 'fs._version'"), 1), INSTALLED,
        try_out(9, "RuntimeError: can't use this with a file system that waits"), write("/app/fs/try_open.py", "import asyncio  # with memory"), try_out(11, "NotImplementedError"), read("/app/fs/base.py", numbered("async def open(self):\n    raise NotImplementedError", 274), 274, 30),
        edit("/app/fs/base.py", "raise NotImplementedError", "return self.make()"), INSTALLED, try_out(11, "NotImplementedError"), edit(PY, "async def open(self)", "async def open(self, mode)"), INSTALLED, try_out(11, "NotImplementedError"), grep("def open_async", "No matches found", "/app/fs/base.py"),
        grep("open_async", f"{PY}:370: open_async", "/app/fs"), read("/app/fs/http.py", numbered("async def open_async(self): ...", 387), 387, 30), edit(PY, "async def open(self, mode)", "async def open_async(self, mode)"), edit("/app/fs/base.py", "return self.make()", "raise NotImplementedError"), INSTALLED,
        try_out(11, "NotImplementedError: this file system does not support open_async"), grep("open_async", "No matches found", "/app/fs/local.py"), write("/app/fs/try_open.py", "print('ok')"), bash("python try_open.py", "ok"),
        bash("python -m pytest tests/test_dirs.py", "/usr/bin/python: No module named pytest", 1), bash("pip install pytest", "Successfully installed pytest-8.4.2"), bash("python -m pytest tests/test_dirs.py", "1 failed, 66 passed in 0.35s", 1), edit("/app/fs/tests/test_dirs.py", "open(", "open_async("), bash("python -m pytest tests/test_dirs.py", "67 passed in 0.34s"),
    ],
}  # fmt: skip

DOUBTFUL = {
    # migbot with Opus 4.8 on SWE-PolyBench (strong3): the same lines looked at in pages of ever other bounds
    "the same lines in pages of other bounds": [
        sed(150, 280), sh("cat -n src/main/java/shop/DateUtil.java | head -60", lines(1, 60)), sh("wc -l src/main/java/shop/DateUtil.java", "300 src/main/java/shop/DateUtil.java"), sh("pwd && ls", "/repo\npom.xml\nsrc"), found("calendar", 5, 14, 23, 32, 41), awk(140, 230), awk(100, 140), sed(100, 140),
        awk(110, 139), awk(178, 230), awk(180, 225), awk(180, 224), awk(170, 182), sh("git log --oneline -8", "8f3c1aa Begin"), awk(160, 172), awk(158, 171), awk(155, 170), found("calendar.set", 5, 14, 23, 32, 41, 50), found("set", 5, 14, 23), sed(166, 185),
        edit("src/main/java/shop/DateUtil.java", "calendar.set (1)", "calendar.setLenient(false)"), sh('grep -n "setLenient" src/main/java/shop/DateUtil.java', "176:calendar.setLenient(false);"), sh("sed -n '176,195p' src/main/java/shop/DateUtil.java", f"calendar.setLenient(false);\n{lines(177, 195)}"),
        sh("mvn -q test", "mvn: command not found"), sh("which javac java 2>&1; ls ~/.m2", ""), sh("find / -name mvn -type f 2>/dev/null", "/opt/maven/bin/mvn"), sh("/opt/maven/bin/mvn -q test -Dtest=DateUtilTest", "Tests run: 14, Failures: 0"),
    ],
    # OpenHands with o1 on SWE-bench Verified (second): the editor called without what to replace, again and again, in between real work
    "an editor called without what to replace, two or three times in a row": [
        run("ls -la /work/shop", "store\ntests"), viewed("def total(): ..."), created(TRY, "import store"), change("def total()", "def total(self)"), *[change(None, None)] * 3, change("import os", "import os, sys"),
        run(f"python {TRY}", error(TRY, 3, "ModuleNotFoundError: No module named 'store'"), 1), change(None, None, TRY), inserted(2, "import sys"), run(f"python {TRY}", error(TRY, 9, "RuntimeError: settings are not configured"), 1),
        inserted(16, "settings.configure()"), inserted(10, "'shop',"), run("mkdir -p /work/shop/app && touch /work/shop/app/__init__.py"), run(f"python {TRY}", error(TRY, 17, "LookupError: No installed app with label 'app'"), 1),
        created("/work/shop/app/apps.py", "class App: ..."), *[change(None, None, TRY)] * 2, change("'shop',", "'shop.app',", TRY), *[change(None, None, TRY)] * 2, inserted(20, "Person.label = 'app'"), run(f"python {TRY}", error(TRY, 21, "RuntimeError: Model class doesn't declare an explicit label"), 1),
        created("/work/shop/app/models.py", "class Person: ..."), *[change(None, None, TRY)] * 2, viewed("import sys\nsettings.configure()", TRY), change("Person.label = 'app'", "from app.models import Person", TRY), run(f"python {TRY}", "def create(self, name, age)"),
    ],
    # OpenHands with o1 on SWE-bench Verified (second): the same, with text that is there twice
    "an editor called without what to replace, or with text that is there twice": [
        run("ls -R /work/shop", "store\ntests"), created(TRY, "os.chdir(here)"), run(f"python {TRY}", error(TRY, 9, "FileNotFoundError: [Errno 2] No such file or directory: 'build'"), 1), change(None, None, TRY), change("os.chdir(out)", "os.chdir(tmp)", TRY), change(None, None, TRY),
        change("os.chdir(here)", "", TRY, "ERROR:\nNo replacement was performed. Multiple occurrences of old_str `os.chdir(here)` in lines [9, 52]. Please ensure it is unique."), *[change(None, None, TRY)] * 2, missed("os.chdir(here)\n\n", TRY), change(None, None, TRY), viewed("9 os.chdir(here)\n52 os.chdir(here)", TRY),
        *[change(None, None, TRY)] * 3, missed("os.chdir(here)  # 9", TRY), change(None, None, TRY), change("here = os.getcwd()", "here = '/work'", TRY), run(f"python {TRY}", error(TRY, 30, "subprocess.CalledProcessError: Command 'make' returned non-zero exit status 2"), 1), change("os.chdir(tmp)", "os.makedirs(tmp); os.chdir(tmp)", TRY),
        run(f"python {TRY}", "building [gettext]: 1 source\nlocations: [3, 3, 9]", 1), viewed("295 self.places = []"), change("self.places = []", "self.places = set()"), run(f"python {TRY}", "building [gettext]: 1 source\nlocations: [3, 9]", 1), run("cd /work/shop && python -m pytest -q tests/test_build.py", "31 passed in 4.02s"), run(f"rm {TRY}"),
    ],
    # Claude Code with qwen3-coder on Terminal-Bench (second): an installation in the background, asked twenty times within two minutes
    "an installation in the background, asked twenty times": [
        todo(0), bash("pip --version", "pip 25.2"), bash("pip install lab plots", "Command running in background with ID: ea920e"), todo(0), bash("openssl req -x509 -nodes -newkey rsa:2048 -keyout a.key -out a.crt", "....+....+++++"), *(background(n) for n in range(20)), todo(2),
        bash("lab --generate-config", "Writing default config to: /root/.lab/config.py"), bash("echo \"c.ip = '0.0.0.0'\" >> /root/.lab/config.py"), todo(3), bash("lab password", "EOFError", 1), bash("python3 -c \"from lab import passwd; print(passwd('x'))\"", "argon2:$argon2id$v=19$aBmb"), todo(4), bash("lab --allow-root &", "Command running in background with ID: adc9d7"), todo(5),
    ],
}  # fmt: skip
"""One word about it would be fair, a refusal never."""
