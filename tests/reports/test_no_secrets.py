"""No secret that can be recognised is in any report, whether it stands in a command, a path, an error or a message."""

import pytest

from headway import encode_event
from headway.cli import run
from headway.core import events
from tests.rolling.test_secrets import SECRETS, TELLING, TOKENS

REPORTS = {
    "text": ["scan", "--runs", "--min-severity", "low"],
    "json": ["scan", "--format", "json"],
    "markdown": ["scan", "--runs", "--format", "markdown", "--min-severity", "low"],
    "html": ["scan", "--format", "html", "--min-severity", "low"],
    "show": ["show"],
}


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """One run for each secret, in which everything goes round in circles with it."""
    folder = tmp_path_factory.mktemp("recording")
    for number, text in enumerate((*SECRETS.values(), *TOKENS.values())):
        lines = [events.RunStarted(run=f"r{number}"), events.UserSpoke(run=f"r{number}", text=f"use\n{text}\n")]
        for step in range(8):
            args = {"file_path": f"/tmp/{text}/a.txt", "note": {"lines": [text]}}
            id = f"c{step}"
            lines.append(
                events.ToolCalled(run=f"r{number}", call=id, tool="Read" if step % 2 else "mcp__run", args=args)
            )
            lines.append(events.ToolReturned(run=f"r{number}", call=id, output=f"Error: refused: {text}", failed=True))
        lines.append(events.AgentSpoke(run=f"r{number}", text=f"It fails with {text}"))
        (folder / f"{number:03}.jsonl").write_bytes(b"\n".join(map(encode_event, lines)))
    return folder


@pytest.mark.parametrize("name", REPORTS)
def test_no_report_shows_one(name, recording, capsys):
    command, *options = REPORTS[name]
    paths = [str(recording)] if command == "scan" else [str(path) for path in sorted(recording.iterdir())]
    shown = ""
    for path in paths:
        run([command, path, *options, *(["--jobs", "1"] if command == "scan" else [])])
        shown += capsys.readouterr().out
    assert "masked" in shown
    assert [] == [word for word in TELLING if word in shown]
