"""Writing code: red and green, linters, builds, git, packages, notebooks."""

from tests.agent_calls import bash, change, codex, edit, failing, gemini, patch, read, rounds, sh, tool, write

COMMITS = ["8f3c1aa", "e07d9b2", "41c5d0e", "9ab2c3d", "c77e410", "02f9d18"]


def red(test, message, passed, command="pytest -q"):
    """One test fails, exit code unknown."""
    return sh(
        command,
        f"E   {message}\nFAILED tests/test_cart.py::test_{test} - {message}\n1 failed, {passed} passed in 0.4{passed % 10}s",
    )


def green(passed, command="pytest -q"):
    return sh(command, f"{'.' * passed}\n{passed} passed in 0.4{passed % 10}s")


def cargo(n):
    errors = 13 - n
    return codex(
        "cargo build",
        f"error[E0308]: mismatched types\n  --> src/m{n}.rs:{n + 3}:9\nerror: could not compile `shop` due to {errors} errors",
        101,
    )


def cell(n, output, **more):
    """A cell of a notebook, run once more."""
    return tool(
        "mcp__jupyter__execute_cell", {"cell": "c7"}, {"outputs": [{"text": output}], "execution_count": n}, **more
    )


def bisected(n, verdict):
    left = 32 >> n
    return [
        bash("pytest -q tests/test_cart.py::test_total", "1 failed in 0.2s" if verdict == "bad" else "1 passed in 0.2s", int(verdict == "bad")),
        bash(f"git bisect {verdict}", f"Bisecting: {left} revisions left to test after this (roughly {5 - n} steps)\n[{COMMITS[n]}] Change {n}"),
    ]  # fmt: skip


ECHOES = [
    ("echo $PATH", "/usr/local/bin:/usr/bin:/bin"), ("echo $VIRTUAL_ENV", "/repo/.venv"), ("echo $(git rev-parse HEAD)", "8f3c1aa0d2"),
    ("echo 'dist/' >> .gitignore", ""), ("echo '{\"a\": 3}' | jq .a", "3"), ("echo hello | base64", "aGVsbG8K"), (": > app.log", ""),
    ("echo 'DEBUG=1' > .env", ""), ("true && make -s version", "1.4.2"), ("[ -f setup.cfg ] && echo yes || echo no", "no"),
    ("echo src/*.py", "src/a.py src/b.py"), ("echo \"$USER on $(hostname)\"", "dev on build-3"), ("echo ${#FILES[@]}", "0"),
    ("echo \"select 1\" | psql -At", "1"), ("printf '%s\\n' tests/test_*.py | wc -l", "14"), ("echo 'done' && git push -q", "done"),
]  # fmt: skip

STREAMS = {
    "red, green, one test after the other": rounds(
        12,
        lambda n: write(f"tests/test_{n}.py", f"def test_{n}(): assert f({n}) == {n}"),
        lambda n: red(n, f"NameError: name 'f{n}' is not defined", n),
        lambda n: edit("cart.py", f"# {n}", f"def f{n}(): ..."),
        lambda n: green(n + 1),
    ),
    "red, green, exit codes known": rounds(
        10, lambda n: failing("pytest -q", test=f"t{n}", message=f"assert {n} == {n + 1}", passed=n), change,
        lambda n: bash("pytest -q", f"{n + 1} passed in 0.03s"),
    ),
    "red, green with Codex": rounds(
        10,
        lambda n: codex("cargo test", f"test cart::t{n} ... FAILED\ntest result: FAILED. {n} passed; 1 failed; 0 ignored", 101),
        lambda n: patch("src/cart.rs", f"todo!() // {n}", f"total({n})"),
        lambda n: codex("cargo test", f"test result: ok. {n + 1} passed; 0 failed; 0 ignored; finished in 0.{n}1s"),
    ),
    "one failure fewer each time": rounds(
        12, change, lambda n: sh("npx jest", f"Tests:       {14 - n} failed, {30 + n} passed, 44 total\nTime:        3.1{n % 10} s")
    ),
    "one error fewer each time": rounds(13, lambda n: edit(f"src/m{n}.rs", "i32", "i64"), cargo),
    "a linter whose count falls": rounds(
        15, lambda n: edit(f"src/m{n}.py", "import os\n", ""), lambda n: bash("ruff check src", f"src/m{n + 1}.py:1:8: F401 `os` imported but unused\nFound {15 - n} errors.", 1)
    ),
    "a linter whose count falls, exit code unknown": rounds(
        15, lambda n: patch(f"src/m{n}.ts", "any", "string"), lambda n: sh("npx eslint src", f"✖ {15 - n} problems ({15 - n} errors, 0 warnings)")
    ),
    "a type checker that names the next file": rounds(
        12, lambda n: edit("src/types.py", f"x{n}", f"x{n}: int"), lambda n: gemini("mypy src", f"src/types.py:{n + 9}: error: Missing type annotation\nFound {12 - n} errors in 1 file")
    ),
    "warnings fixed by a tool that says little": [
        bash(f"ruff check --fix src/pkg{n}", f"Found {n % 4 + 2} errors ({n % 4 + 2} fixed, 0 remaining).") for n in range(14)
    ],
    "git status after each edit": rounds(
        10, lambda n: edit(f"src/m{n}.py", "a", "b"), lambda n: bash("git status --short", "\n".join(f" M src/m{k}.py" for k in range(n + 1)))
    ),
    "git status after edits of one file": rounds(12, change, lambda n: bash("git status --short", " M cart.py")),
    "git diff after edits": rounds(12, change, lambda n: bash("git diff --stat", f" cart.py | {n + 1} +\n 1 file changed, {n + 1} insertions(+)")),
    "many small commits": rounds(
        12, lambda n: edit(f"src/m{n}.py", "a", "b"), lambda n: bash(f"git commit -qam 'Rename in m{n}'"),
        lambda n: bash("git log --oneline -1", f"{n * 7919 + 0xA1B2C3:07x} Rename in m{n}"),
    ),
    "git bisect": [step for n, verdict in enumerate(["bad", "good", "bad", "bad", "good", "bad"]) for step in bisected(n, verdict)],
    "a package missing, installed, tried again": rounds(
        8,
        lambda n: bash("python app.py", f"Traceback (most recent call last):\nModuleNotFoundError: No module named 'dep{n}'", 1),
        lambda n: bash(f"pip install dep{n}", f"Successfully installed dep{n}-1.{n}"),
    ),
    "a package missing, installed, exit codes unknown": rounds(
        8,
        lambda n: gemini("node app.js", f"Error: Cannot find module 'dep-{n}'\nRequire stack:\n- /repo/app.js"),
        lambda n: gemini(f"npm install dep-{n}", f"added {n + 1} packages in {n + 1}s"),
    ),
    "a test rerun twice, then something is done": rounds(
        10, lambda n: failing("pytest -q -x", test=f"t{n}"), lambda n: failing("pytest -q -x", test=f"t{n}"), change
    ),
    "a test narrowed down": [
        red("total", "assert 3 == 4", 40), red("total", "assert 3 == 4", 0, "pytest -q tests/test_cart.py::test_total"),
        sh("pytest -q tests/test_cart.py::test_total -vv", "items = [1, 2]\nE  assert 3 == 4\n1 failed in 0.1s"),
        read("cart.py", "def total(items): return sum(items)"), sh("git log -3 --oneline cart.py", "8f3c1aa a\ne07d9b2 b"),
        sh("git show 8f3c1aa", "-    return sum(items) + 1\n+    return sum(items)"), edit("cart.py", "sum(items)", "sum(items) + 1"),
        green(1, "pytest -q tests/test_cart.py::test_total"), green(41), sh("git diff", "+ 1"), sh("ruff check", "All checks passed!"),
        sh("git commit -qam 'Fix the total'"), sh("git status --short"),
    ],
    "prints added until the fault shows": rounds(
        9, lambda n: edit("cart.py", f"# {n}", f"print({n}, state)"), lambda n: bash("python cart.py", f"{n} {{'sum': {n * 4}}}\nTypeError: bad operand", 1)
    ),
    "a build that gets further each time": rounds(
        12, lambda n: edit(f"src/u{n}.c", "foo", "bar"), lambda n: codex("make", f"  CC u{n}.o\nu{n + 1}.c:9:3: error: unknown type name 'foo'\nmake: *** [u{n + 1}.o] Error 1", 2)
    ),
    "an error at another line of one file": rounds(
        10, lambda n: sh(f"sed -i '{4 * n + 2}s/foo/bar/' gen.c"), lambda n: sh("gcc -c gen.c", f"gen.c:{4 * n + 6}:3: error: unknown type name 'foo'")
    ),
    "a migration taken step by step": rounds(
        12, lambda n: bash("alembic upgrade +1", f"INFO  Running upgrade {n:04} -> {n + 1:04}"), lambda n: bash("alembic current", f"{n + 1:04}")
    ),
    "a cell run again after it was changed": rounds(
        10, lambda n: tool("NotebookEdit", {"notebook_path": "a.ipynb", "cell_id": "c7", "new_source": f"model.fit(lr={n})"}, "Updated cell c7"),
        lambda n: cell(n, f"loss 0.{41 - n} acc {60 + n}%"),
    ),
    "a cell that trains on": [cell(n, f"loss: {1.9 - n * 0.06:.2f}") for n in range(18)],
    "a cell that prints the accuracy": [cell(n, f"acc {70 + n * 11 % 17}%", failed=False) for n in range(18)],
    "parameters tried one after the other": [
        bash(f"python train.py --lr 1e-{n // 3 + 1} --depth {n % 3 + 2}", f"val_loss={0.9 - n * 17 % 13 / 100:.2f}") for n in range(15)
    ],
    "one parameter in a file changed": rounds(
        12, lambda n: sh(f"sed -i 's/^lr:.*/lr: 0.0{n}/' conf.yaml"), lambda n: sh("python train.py conf.yaml", f"epoch 1:{40 + n * 7 % 9} 2:{33 + n * 5 % 9}")
    ),
    "coverage raised": rounds(
        12, lambda n: write(f"tests/test_m{n}.py", f"import m{n}"), lambda n: bash("pytest -q --cov", f"TOTAL   900   {400 - 30 * n}   {55 + 3 * n}%\n{n + 9} passed")
    ),
    "snapshots updated": rounds(
        8, lambda n: edit(f"ui/b{n}.tsx", "red", "blue"), lambda n: bash(f"npx jest b{n} -u", " › 1 snapshot updated.\nTests: 1 passed, 1 total")
    ),
    "a server restarted after each edit": rounds(
        10, change, lambda n: bash("docker compose restart web", " Container web-1  Started"), lambda n: bash("curl -s localhost:8000/version", f'{{"version":"0.{n}"}}')
    ),
    "a plan kept up to date": rounds(
        9, lambda n: tool("TodoWrite", {"todos": [{"content": f"m{k}", "status": "completed" if k < n else "pending"} for k in range(9)]}, "Todos have been modified successfully."),
        lambda n: edit(f"src/m{n}.py", "a", "b"),
    ),
    "echo, used for what it is good for": [sh(command, answer) for command, answer in ECHOES],
    "commands with a comment above": [
        sh(f"# Does part {n} still work?\npytest -q tests/part{n}", f"{n + 3} passed in 0.2s") for n in range(14)
    ],
    "tests narrowed down by name": [
        sh(f"pytest -q -k '{' and '.join('abcdefg'[: n + 1])}'", f"{14 - 2 * n} passed, {2 * n} deselected in 0.3s") for n in range(7)
    ] + [green(14), green(14, "pytest -q -p no:randomly")],
    "a failing test taken out for a better one": rounds(
        6, lambda n: red(f"old{n}", f"assert {n} == 0", 10 + n), lambda n: edit("tests/test_cart.py", f"def test_old{n}(", f"def test_new{n}("), lambda n: green(11 + n)
    ),
    "sub-agents for one part each": [
        tool("Task", {"description": f"Review mod{n}", "prompt": f"Review src/mod{n} for races."}, f"mod{n}: {n % 3} races found, see line {n * 13 + 4}.") for n in range(14)
    ],
}  # fmt: skip
