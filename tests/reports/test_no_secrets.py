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


TOKEN = "ghp_" + "Ab3dE6gH9jKlMn0pQrStUvWxYz12345678AB"
FORMS = ("text", "json", "markdown", "html", "junit", "sarif")


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    """Two runs in which every name has a token in it: that of the run, its agent, program, model, folder and tools."""
    folder = tmp_path_factory.mktemp("named")
    for number in (1, 2):
        who = {"run": f"run{number}-{TOKEN}", "agent": f"helper_{TOKEN}" if number == 2 else ""}
        start = events.RunStarted(program=f"p-{TOKEN}", model=f"m-{TOKEN}", root=f"/p/{TOKEN}", **who)
        lines = [start, events.UserSpoke(text="go on", **who)]
        for step in range(6):
            for tool, result in ((f"tool_{TOKEN}", {"failed": True}), (TOKEN, {}), ("Read", {})):
                id = f"{step}-{tool}"
                lines.append(events.ToolCalled(call=id, tool=tool, args={"file_path": f"/p/{TOKEN}.py"}, **who))
                lines.append(events.ToolReturned(call=id, output=f"Error: none: {TOKEN}", **result, **who))
        lines.append(events.Used(tokens_in=5, **who))
        (folder / f"{number}.jsonl").write_bytes(b"\n".join(map(encode_event, lines)))
    return folder


@pytest.mark.parametrize("options", [[], ["--no-content"], ["--by", "model,project,tool"], ["--runs"]], ids=str)
@pytest.mark.parametrize("form", FORMS)
def test_no_name_shows_one(form, options, named, capsys):
    run(["scan", str(named), "--format", form, "--min-severity", "low", *options])
    told = capsys.readouterr()
    assert told.out and TOKEN not in told.out + told.err


def test_no_suggestion_and_no_step_shows_one_in_a_name(named, capsys):
    run(["scan", str(named), "--suggest"])
    run(["show", str(named / "1.jsonl")])
    told = capsys.readouterr()
    assert "tool_ghp_[masked]" in told.out and TOKEN not in told.out + told.err


@pytest.mark.parametrize("options", [["--steps"], ["--steps", "--no-content"]], ids=str)
def test_no_table_holds_one_in_a_name(options, named, tmp_path):
    pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    run(["scan", str(named), "--out", f"{tmp_path}/out/", *options])
    tables = [pq.read_table(path).to_pylist() for path in (tmp_path / "out").rglob("*.parquet")]
    rows = [row for table in tables for row in table]
    assert any("number" in row for row in rows) and TOKEN not in repr(rows)


def test_a_masked_name_chooses_its_run(named, tmp_path, capsys):
    """A report names the run like this, and says that `headway show` takes it."""
    both = tmp_path / "both.jsonl"
    both.write_bytes(b"\n".join(path.read_bytes() for path in sorted(named.iterdir())))
    run(["show", str(both)])
    listed = capsys.readouterr().err
    assert "run1-ghp_[masked]" in listed and "run2-ghp_[masked]/helper_ghp_[masked]" in listed and TOKEN not in listed
    assert 0 == run(["show", str(both), "--run", "run1-ghp_[masked]"])
    assert "the user: go on" in capsys.readouterr().out


def test_counts_of_names_that_differ_only_in_a_secret_are_added(tmp_path):
    from headway.sources import Source
    from headway.study.scan import scan

    lines = [events.RunStarted(run="r")]
    for step, tool in enumerate((f"t-{TOKEN}", f"t-{TOKEN}Z", f"t-{TOKEN}")):
        lines.append(events.ToolCalled(run="r", call=f"{step}", tool=tool))
        lines.append(events.ToolReturned(run="r", call=f"{step}", output="x", failed=step == 1))
    (report,) = scan(Source(content=b"\n".join(map(encode_event, lines)), name="a.jsonl"))
    assert {"t-ghp_[masked]": (3, 1)} == report.tools
