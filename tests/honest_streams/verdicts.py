"""A check asked of one thing after the other, and most say no: the failure is the answer. At least 25 calls each."""

from tests.agent_calls import bash, read, rounds, tool
from tests.honest_streams.trades import WORDS


def checked(command, output="", code=1):
    """The same check of 26 things; in the command and in the output, {} is the thing."""
    return [bash(command.replace("{}", word), output.replace("{}", word), code) for word in WORDS]


FAILED = "FAILED tests/test_cart.py::test_total - assert 3 == 4\n1 failed in 0.2s"


def bisected(n, failed=FAILED):
    """One round of a bisection with pytest: the same test fails, or passes, at another commit."""
    bad = n % 3 != 1
    return [
        bash("pytest -q tests/test_cart.py::test_total", failed if bad else "1 passed in 0.2s", int(bad)),
        bash(f"git bisect {'bad' if bad else 'good'}", f"Bisecting: {2 ** (11 - n) - 1} revisions left to test after this (roughly {11 - n} steps)\n[{n * 7919 + 0xA1B2C3:07x}] Change {n}"),
    ]  # fmt: skip


STREAMS = {
    "a bisection with pytest, after a few looks": [
        *(read(f"src/{word}.py", f"def {word}(): ...") for word in WORDS[:20]), bash("git bisect start main v1.0", "Bisecting: 2047 revisions left to test after this (roughly 11 steps)"), *(step for n in range(11) for step in bisected(n)),
    ],
    "a bisection by hand, version after version": [
        *(read(f"src/{word}.py", f"def {word}(): ...") for word in WORDS[:20]), *(step for n in range(11) for step in (bash(f"git checkout -q v1.{n * 7 % 23}"), bisected(n)[0])),
    ],
    "a bisection that somebody else has begun, after tickets were closed": [
        *(tool("mcp__jira__transition", {"issue": f"SHOP-{n}", "to": "Done"}, {"ok": True}) for n in range(20)), *(step for n in range(11) for step in bisected(n, "1 failed in 0.2s")),
    ],
    "pictures converted, after a wait for them": [
        *rounds(12, lambda n: tool("sleep", {"seconds": 30}, "slept"), lambda n: read("done.txt", "not yet")), *(bash(f"convert in/{word}.png -quality 80 out/{word}.jpg") for word in WORDS),
    ],
    "files checked, then files that need not exist": [
        *(bash(f"ruff check src/{word}.py", "All checks passed!") for word in WORDS), *(bash(f"ls /etc/app/{word}.conf", f"ls: cannot access '/etc/app/{word}.conf': No such file or directory", 2) for word in WORDS),
    ],
}  # fmt: skip

DOUBTFUL = {
    "scripts linted one by one, each has something": checked("shellcheck {}.sh", "In {}.sh line 3:\nSC2086: Double quote to prevent globbing and word splitting."),
    "test files run one by one, one failure in each": checked("pytest -q tests/test_{}.py", "FAILED tests/test_{}.py::test_a - KeyError: '{}'\n1 failed in 0.1s"),
    "documents validated one by one, most are not valid": checked("xmllint --noout {}.xml", "{}.xml:3: parser error : Opening and ending tag mismatch: {}"),
    "records validated by a tool, most are not valid": [tool("validate", {"file": f"{word}.json"}, f'{word}.json: invalid: "{word}" is a required property', failed=True) for word in WORDS],
    "hosts pinged, most are off": checked("ping -c1 -W1 {}.lab", "--- {}.lab ping statistics ---\n1 packets transmitted, 0 received, 100% packet loss"),
    "locks looked for with test": checked("test -f /run/{}.lock"),
    "processes looked for by number": [bash(f"kill -0 {4000 + n}", f"bash: kill: ({4000 + n}) - No such process", 1) for n in range(26)],
    "branches asked whether they are merged": checked("git merge-base --is-ancestor {} main"),
    "modules imported to see which are there": checked("python -c 'import {}'", "Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\nModuleNotFoundError: No module named '{}'"),
    "packages asked for, most are not installed": checked("dpkg -s lib{}", "dpkg-query: package 'lib{}' is not installed and no information is available"),
    "certificates asked whether they last a month": checked("openssl x509 -noout -checkend 2592000 -in {}.pem", "Certificate will expire"),
    "variables asked for, most are not set": checked("printenv {}_URL"),
    "targets of a compiler, most are not supported": checked("rustup target add {}-unknown-none", "error: toolchain 'stable' does not support target '{}-unknown-none'"),
    "customers looked up by mail, most are unknown": [tool("find_customer", {"email": f"{word}@example.com"}, f"no customer with {word}@example.com", failed=True) for word in WORDS],
    "a server that is asked under other addresses until one is right": [
        *(bash(f"curl -s http://localhost:{port}/{path}/Patient?family=Golden", "", 7) for port in (8080, 8081, 8090) for path in ("fhir", "r4")), bash("grep -rn localhost /app/README.md", "/app/README.md:3:the server listens on fhir-server:8090"),
        *(bash(f"curl -s http://fhir-server:8090/fhir/Patient?family={name}", f'{{"resourceType": "Bundle", "total": {n % 2}}}') for n, name in enumerate(WORDS[:12])), *(bash(f"curl -s http://fhir-server:8090/fhir/Observation?patient=S{60 + n}", '{"resourceType": "Bundle", "total": 0}') for n in range(8)),
    ],
}  # fmt: skip
"""One word about it would be fair, a refusal never."""
