"""Long honest work that has the shape of a stall, but for one thing in it: what it finds, changes or asks is new."""

from tests.agent_calls import bash, change, codex, edit, failing, grep, read, rounds, sh, tool, write

TOPICS = [f"{what} {of}" for what in ("price of", "height of", "founder of", "anthem of") for of in
          ("Norway", "Peru", "Kenya", "Laos", "Malta", "Nepal", "Qatar", "Samoa", "Tonga", "Yemen")]  # fmt: skip
HOSTS = [f"{name}-{n}" for name in ("web", "mail", "db", "cache") for n in range(8)]
PROGRAMS = ("terraform kubectl helm packer vault consul nomad aws gcloud az doctl flyctl heroku vercel netlify wrangler "
            "pulumi ansible salt chef puppet vagrant podman buildah skopeo crane").split()  # fmt: skip
WORDS = ("orders", "refunds", "stock", "prices", "mails", "users", "rates", "taxes", "slots", "notes")


def links(n):
    return "\n".join(f"{at}. https://site{(n * 7 + at) % 97}.example/{WORDS[(n + at) % 10]}/{n}" for at in range(4))


def plan(n):
    items = [
        {"content": f"Move {word}", "status": "completed" if at < n % 11 else "pending"}
        for at, word in enumerate(WORDS)
    ]
    return tool("TodoWrite", {"todos": items}, "Todos have been modified successfully.")


def thought(n):
    return tool(
        "mcp__sequential-thinking__sequentialthinking",
        {"thought": f"The {WORDS[n % 10]} may be read before they are written", "thoughtNumber": n + 1, "totalThoughts": 12},
        {"thoughtNumber": n + 1, "totalThoughts": 12, "nextThoughtNeeded": n < 11, "thoughtHistoryLength": n + 1},
    )  # fmt: skip


def experiment(n):
    """A script of its own for each question, and another answer."""
    errors = (
        f"KeyError: '{WORDS[n % 10]}'",
        f"ValueError: {n} rows, but {n * 3} keys",
        f"TypeError: {WORDS[n // 3 % 10]} is no table",
    )
    said = f'Traceback (most recent call last):\n  File "/tmp/ask{n}.py", line 3, in <module>\n{errors[n % 3]}'
    return [write(f"/tmp/ask{n}.py", f"import shop\nshop.ask({n})\n"), bash(f"python /tmp/ask{n}.py", said, 1)]


def dead_function(n):
    """A function without callers is looked for, and taken out."""
    return [
        grep(f"compute_{WORDS[n % 10]}_{n}\\(", f"src/tools.py:{400 - 9 * n}:def compute_{WORDS[n % 10]}_{n}():" if n % 3 == 0 else "No matches found"),
        edit("src/tools.py", f"def compute_{WORDS[n % 10]}_{n}():\n    return {n}\n", ""),
    ]  # fmt: skip


def epoch(n):
    return bash(
        "sleep 60; tail -2 train.log", f"epoch {n} loss {2.0 - n / 50:.3f}\nsaved model-{n}.pt", at=1000.0 + 61 * n
    )


def regenerated(n):
    """Generated code needs the same small correction after each run of the generator."""
    return [
        edit("schema.proto", f"// {n}", f"// {n + 1}\n  string {WORDS[n]} = {n};"),
        bash("make proto", f"protoc schema.proto\nwrote gen/schema_pb2.py ({900 + 31 * n} lines)"),
        edit("gen/schema_pb2.py", "import schema_pb2", "from . import schema_pb2"),
    ]  # fmt: skip


def server(n):
    """A server that does not start yet: each time something is changed and it is started again."""
    asked = (
        f"curl -s localhost:8080/{WORDS[n]}",
        "curl: (7) Failed to connect to localhost port 8080: Connection refused",
    )
    return [
        change(n, "server.py"),
        bash("python server.py &", f"[1] {4100 + n}\nerror in line {40 + n}: {WORDS[n]}"),
        bash(*asked, 7),
    ]


STREAMS = {
    "forty things looked up in the web": [tool("WebSearch", {"query": topic}, links(n)) for n, topic in enumerate(TOPICS)],
    "forty cities asked, the answer is yes each time": [
        tool("mcp__atlas__search_city", {"text": f"Is there a harbour in {topic.split()[-1]}{n}?"}, "yes") for n, topic in enumerate(TOPICS)
    ],
    "a plan that is kept up to date": rounds(20, plan, lambda n: change(n, f"src/{WORDS[n % 10]}.py"), lambda n: bash(f"pytest -q tests/test_{WORDS[n % 10]}.py", f"{n + 3} passed in 0.2s")),
    "twelve thoughts before each change": [
        step for lap in range(4) for step in (*map(thought, range(12)), change(lap, "src/queue.py"), bash("pytest -q", f"{30 + lap} passed in 2.1s"))
    ],
    "thirty questions to a library, each with a script": [step for n in range(30) for step in experiment(n)],
    "a suite whose only failure changes its place and its reason": rounds(
        24, lambda n: change(n, f"src/{WORDS[n % 10]}.py"), lambda n: failing("pytest -q", test=f"{WORDS[n // 2 % 10]}", message=f"assert {n} == {n + 2}")
    ),
    "functions without callers removed from one file": [step for n in range(26) for step in dead_function(n)],
    "a training watched every minute": [epoch(n) for n in range(60)],
    "a long job waited for, twenty times without news": [
        *(bash("sleep 600", at=1000.0 + 601 * n) for n in range(20)), bash("tail -1 out.log", "finished: 812 rows"), *(read(f"out/{word}.csv", f"{word},1") for word in WORDS)
    ],
    "the same line put into thirty files": [edit(f"src/{word}_{n}.py", "import os\n", "from __future__ import annotations\nimport os\n") for n in range(3) for word in WORDS],
    "generated code corrected after each run": [step for n in range(10) for step in regenerated(n)],
    "a server that does not start yet": [step for n in range(10) for step in server(n)],
    "which hosts answer": [sh(f"nc -zv {host} 22", f"nc: connect to {host} port 22 (tcp) failed: Connection refused" if n % 4 else f"Connection to {host} 22 port [tcp/ssh] succeeded!") for n, host in enumerate(HOSTS)],
    "which files the service may read": [sh(f"cat /etc/app/{word}_{n}.conf", f"cat: /etc/app/{word}_{n}.conf: Permission denied" if n != 1 else f"{word} = 1") for word in WORDS for n in range(3)],
    "a header put into forty packages": [
        step for n in range(40) for step in (read(f"{WORDS[n % 10]}{n}/main.go", f"package {WORDS[n % 10]}{n}\nfunc main() {{ run({n}) }}"), edit(f"{WORDS[n % 10]}{n}/main.go", f"package {WORDS[n % 10]}{n}", f"// Copyright\npackage {WORDS[n % 10]}{n}"))
    ],
    "forty tasks noted before the work": [tool("TaskCreate", {"subject": f"Check {topic}"}, f"Task #{n + 1} created successfully: Check {topic}") for n, topic in enumerate(TOPICS)],
    "where forty names are used": [grep(f"{topic.replace(' ', '_')}_{n}", "src/rates.py\nsrc/tax.py") for n, topic in enumerate(TOPICS)],
    "thirty tasks ticked off": [tool("TaskUpdate", {"taskId": str(n), "status": "completed"}, f"Updated task #{n} status") for n in range(30)],
    "which programs are installed": [codex(f"{name} --version", f"bash: {name}: command not found" if n % 5 else f"{name} {n}.2.1", 127 if n % 5 else 0) for n, name in enumerate(PROGRAMS)],
}  # fmt: skip
