"""No recognisable secret reaches the disk, whatever event contains it."""

import json

import pytest

from headway.store.faults import note_fault, read_faults
from headway.store.overview import list_sessions
from tests.rolling.test_secrets import SECRETS, TELLING, TOKENS

from .programs import PROGRAMS, Program, ask, run

pytestmark = pytest.mark.slow


def told_in(folder) -> list[str]:
    """Parts of secrets in any file of a folder."""
    kept = b"\n".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert b"SQLite format" in kept
    return [word for word in TELLING if word.encode() in kept]


@pytest.mark.parametrize("text", SECRETS.values(), ids=SECRETS)
def test_no_event_stores_a_secret(state, text):
    """In arguments, errors, searches and file contents, and in messages of the user and the agent."""
    program = Program("claude-code")
    program.prompt(f"please use this:\n{text}\n")
    for _ in range(5):
        program.step(text, f"Error: this was refused: {text}", failed=True)
    for tool, args in {
        "Write": {"file_path": "settings.ini", "content": f"[db]\n{text}\n"},
        "Grep": {"pattern": text, "path": "src"},
        "Edit": {"file_path": "a.py", "old_string": "x", "new_string": text},
        "mcp__shop__run": {"request": {"lines": [text, {"text": text}]}},
    }.items():
        for _ in range(4):
            program.count += 1
            call = program.spelled("after", command="", output=f"nothing found: {text}")
            ask({**call, "tool_name": tool, "tool_input": args}, "claude-code")
    program.end(f"It works with\n{text}\n")

    assert list_sessions()[0].steps > 15
    assert [] == told_in(state)


def test_no_kind_of_token_is_stored(state):
    """All secrets that are recognised by shape: in arguments, errors, paths and messages."""
    program = Program("claude-code")
    for text in TOKENS.values():
        program.prompt(f"please use this:\n{text}\n")
        for tool, args in {
            "mcp__shop__run": {"request": {"lines": [text, {"text": text}]}},
            "Read": {"file_path": f"/tmp/{text}/a.txt"},
        }.items():
            program.count += 1
            call = program.spelled("failed", command="", output=f"Error: this was refused: {text}")
            ask({**call, "tool_name": tool, "tool_input": args}, "claude-code")
        program.end(f"It works with\n{text}\n")

    assert list_sessions()[0].steps == 2 * len(TOKENS)
    assert [] == told_in(state)


def test_no_fault_line_contains_a_secret(state):
    for text in (*SECRETS.values(), *TOKENS.values()):
        note_fault("hook", ValueError(f"this failed: {text}"))
    assert read_faults() and [] == [word for word in TELLING if word in "".join(read_faults())]


@pytest.mark.parametrize("agent", PROGRAMS)
def test_no_programs_events_store_a_secret(state, agent):
    program = Program(agent)
    for text in SECRETS.values():
        program.prompt("please do it")
        program.step(text, f"Error: {text}", failed=True)
    program.end("done")

    assert list_sessions()[0].steps == len(SECRETS)
    assert [] == told_in(state)


@pytest.mark.parametrize(
    "args",
    [
        {"password": "hunter2"},
        {"connection": {"client_secret": "hunter2!", "user": "me"}},
        {"env": {"DB_PASS": "a 'hunter2'"}},
        {"command": ["redis-cli", "-a", "hunter2", "ping"]},
        {"command": ["mysql", "-u", "root", "-phunter2"]},
        {"https://me:hunter2@example.com": "fetch"},
    ],
    ids=["by name", "nested", "environment", "word by word", "word by word, glued", "as a name"],
)
def test_secrets_recognised_by_their_name_are_not_stored(state, args):
    for _ in range(5):
        program = Program("claude-code")
        ask({**program.spelled("before", command=""), "tool_name": "mcp__db__open", "tool_input": args}, "claude-code")
        call = program.spelled("failed", command="", output="Error: refused")
        ask({**call, "tool_name": "mcp__db__open", "tool_input": args}, "claude-code")

    assert [] == told_in(state)


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("Read", {"file_path": "https://hunter2hunter2@example.com/a.py"}),
        ("WebFetch", {"url": "https://me:hunter2@example.com/a", "prompt": "x"}),
        ("Bash", {"command": "curl -o a.py https://me:hunter2@example.com/a.py && cat 'password=hunter2.txt'"}),
        ("Edit", {"file_path": "password=hunter2", "old_string": "a", "new_string": "b"}),
        ("Bash", {"command": "git clone https://hunter2hunter2@github.com/a/b hunter && cd b && pytest -q"}),
    ],
)
def test_no_path_stores_a_secret(state, tool, args):
    for number in range(6):
        program = Program("claude-code")
        program.count = number
        call = program.spelled("after", command="", output="FAILED tests/test_a.py::test_b\n1 failed in 0.1s")
        ask({**call, "tool_name": tool, "tool_input": args}, "claude-code")
    Program("claude-code").prompt("look at https://me:hunter2@example.com/a.py and password=hunter2/b.py")

    assert [] == told_in(state)


def test_the_process_keeps_no_secret(state):
    """The first three that anybody tries, as an agent sends them."""
    texts = [SECRETS[name] for name in ("environment", "address of a token", "aws configure")]
    program = Program("claude-code")
    for moment in ("before", "failed"):
        for text in texts:
            program.count += 1
            sent = json.dumps(program.spelled(moment, command=text, output=f"Error: {text}")).encode()
            assert (0, b"") == (lambda done: (done.returncode, done.stderr))(run(sent, "--agent", "claude-code"))

    assert [] == told_in(state)
