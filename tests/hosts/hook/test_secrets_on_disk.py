"""No secret that can be recognised reaches the disk, whatever event brings it to the hook."""

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
def test_no_secret_is_kept_of_any_event(state, text):
    """Asked for, failed with, searched for, written into a file, said by the user and by the agent."""
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


def test_no_token_is_kept_of_any_kind(state):
    """All that are known by their shape: in arguments, in what failed, in a path and in what was said."""
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


def test_no_secret_is_noted_with_a_fault(state):
    for text in (*SECRETS.values(), *TOKENS.values()):
        note_fault("hook", ValueError(f"this failed: {text}"))
    assert read_faults() and [] == [word for word in TELLING if word in "".join(read_faults())]


@pytest.mark.parametrize("agent", PROGRAMS)
def test_no_program_leads_a_secret_to_the_disk(state, agent):
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
def test_what_only_the_name_beside_it_tells_is_not_kept_either(state, args):
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
def test_no_secret_is_kept_as_a_path(state, tool, args):
    for number in range(6):
        program = Program("claude-code")
        program.count = number
        call = program.spelled("after", command="", output="FAILED tests/test_a.py::test_b\n1 failed in 0.1s")
        ask({**call, "tool_name": tool, "tool_input": args}, "claude-code")
    Program("claude-code").prompt("look at https://me:hunter2@example.com/a.py and password=hunter2/b.py")

    assert [] == told_in(state)


def test_no_secret_is_kept_by_the_process_itself(state):
    """The first three that anybody tries, as an agent sends them."""
    texts = [SECRETS[name] for name in ("environment", "address of a token", "aws configure")]
    program = Program("claude-code")
    for moment in ("before", "failed"):
        for text in texts:
            program.count += 1
            sent = json.dumps(program.spelled(moment, command=text, output=f"Error: {text}")).encode()
            assert (0, b"") == (lambda done: (done.returncode, done.stderr))(run(sent, "--agent", "claude-code"))

    assert [] == told_in(state)
