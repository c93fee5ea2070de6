"""What may leave the machine: secrets never, and without content nothing that was said or done."""

import re

import pytest
from click.testing import CliRunner
from rich.console import Console

from headway.cli.app import app
from headway.core.finding import Severity
from headway.reports.json import as_json
from headway.reports.privacy import name_or_digest
from headway.reports.scan_html import scan_page
from headway.reports.scan_markdown import scan_markdown
from headway.reports.summary import Summary
from headway.reports.text import as_text
from headway.rolling.secrets import MASK
from headway.sources import Source
from headway.study.scan import ScanOptions, scan_one
from tests.reports.scans import Recording
from tests.rolling.test_secrets import SECRETS, TELLING

PASSWORD = "hunter2-and-more"
KEY = "sk-proj-" + "a1b2c3d4e5f6a7b8c9d0"
WORDS = (
    "xylophone quokka zeppelin marzipan bramble gazebo wombat kumquat tarantella obelisk pamphlet sassafras"
).split()


def talkative(run="r"):
    """A run that goes in circles, with a word of its own in every place that can hold one."""
    w = iter(WORDS)
    recording = Recording(run).user(f"please find the {next(w)}")
    recording.add("agent_spoke", text=f"I will look at the {next(w)}")
    edit = {"file_path": f"src/{next(w)}.py", "old_string": next(w), "new_string": next(w)}
    for _ in range(6):
        recording.call("Edit", edit, f"Error: {WORDS[5]} not found; password={PASSWORD}", failed=True)
    for _ in range(4):
        recording.bash(f"deploy {WORDS[6]} --token {KEY}", f"FAILED {WORDS[7]}: {KEY}", failed=True)
    for n in range(5):
        recording.call("Grep", {"pattern": f"{WORDS[8]}{n}"}, "")
    recording.call(f"made up tool {WORDS[9]}", {WORDS[10]: WORDS[11]}, "x")
    recording.call(f"made up tool {WORDS[9]}", {WORDS[10]: WORDS[11]}, "x")
    return recording


def every_format(path, **asked):
    """The report in each format, all findings included."""
    file = scan_one(Source(path), ScanOptions(timelines=True, **asked))
    summary = Summary(keep=10, room=10**6)
    summary.add(file)
    reports = [one.report for one in file.runs]
    console = Console(width=200)
    with console.capture() as text:
        for part in as_text(summary, reports, Severity.LOW):
            console.print(part)
    return {
        "text": text.get(),
        "json": "".join(as_json(summary, reports)),
        "markdown": "".join(scan_markdown(summary, reports, Severity.LOW)),
        "html": "".join(scan_page(summary, Severity.LOW)),
    }


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html"])
def test_secrets_are_masked_and_the_rest_is_told(tmp_path, form):
    shown = every_format(talkative().write(tmp_path))[form]
    assert WORDS[2] in shown and WORDS[5] in shown  # the file, the error
    assert "[masked" in shown.replace("\\", "")
    assert PASSWORD not in shown and KEY not in shown


@pytest.fixture(scope="module")
def run_of_secrets(tmp_path_factory):
    """A run that brings every known secret into a request, a call, an error and an argument."""
    recording = Recording("secrets")
    for text in SECRETS.values():
        recording.user(f"use this: {text}")
        for _ in range(3):
            recording.bash(text, f"Error: refused: {text}", failed=True)
        recording.call("Grep", {"pattern": text}, "")
        recording.call("mcp__db__open", {"request": [text]}, f"refused: {text}")
    return recording.write(tmp_path_factory.mktemp("secrets"))


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html"])
def test_no_known_secret_is_reported(run_of_secrets, form):
    shown = every_format(run_of_secrets)[form]
    assert MASK in shown.replace("\\", "")  # Markdown escapes the brackets
    assert [] == [word for word in TELLING if word in shown]


def test_no_known_secret_is_told_step_by_step(run_of_secrets):
    shown = CliRunner().invoke(app, ["show", str(run_of_secrets), "--min-severity", "low"]).output
    assert shown.count(MASK) > len(SECRETS)
    assert [] == [word for word in TELLING if word in shown]


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html"])
def test_without_content_no_word_of_the_transcript_is_left(tmp_path, form):
    shown = every_format(talkative().write(tmp_path), content=False)[form]
    assert [] == [word for word in (*WORDS, PASSWORD, KEY) if word in shown]
    assert "failing" in shown and "example-large" in shown  # ids of detectors and names stay


def test_without_content_counts_and_digests_are_the_same(tmp_path):
    path = talkative().write(tmp_path)
    ((whole,), (bare,)) = (scan_one(Source(path), ScanOptions(content=content)).runs for content in (True, False))
    assert [(f.detector, f.severity, f.first_step, f.occurrences) for f in whole.report.findings] == [
        (f.detector, f.severity, f.first_step, f.occurrences) for f in bare.report.findings
    ]
    assert whole.report.kinds == bare.report.kinds and whole.report.spent == bare.report.spent
    named = [f.identity for f in bare.report.findings if f.identity]
    assert named and all(re.fullmatch(r"#[0-9a-f]{16}", identity) for identity in named)
    again = scan_one(Source(path), ScanOptions(content=False)).runs[0].report
    assert again == bare.report


def test_without_content_tools_and_measurements_keep_their_names(tmp_path):
    """And a tool whose name is a sentence or a secret does not."""
    recording = talkative()
    for name in (f"made up tool {WORDS[9]}", KEY):
        for _ in range(4):
            recording.call(name, {WORDS[10]: WORDS[11]}, f"Error: {WORDS[5]}", failed=True)
    (run,) = scan_one(Source(recording.write(tmp_path)), ScanOptions(content=False)).runs
    named = {one.evidence["tool_name"] for one in run.report.findings if "tool_name" in one.evidence}
    assert {"Edit", "Bash"} < named
    assert 2 == sum(re.fullmatch(r"#[0-9a-f]{16}", name) is not None for name in named - {"Edit", "Bash"})


def test_without_content_a_sentence_in_the_place_of_a_name_is_gone(tmp_path):
    recording = Recording(f"the {WORDS[0]} run", program=f"my {WORDS[1]}", model=f"a {WORDS[2]}").user("go")
    shown = every_format(
        recording.call("Read", {"file_path": "a"}, "x").write(tmp_path).rename(tmp_path / "a.jsonl"), content=False
    )
    assert [] == [word for form in shown.values() for word in WORDS if word in form]


def test_without_content_a_run_is_told_step_by_step_in_names_and_digests(tmp_path):
    path = talkative().write(tmp_path)
    shown = CliRunner().invoke(app, ["show", str(path), "--min-severity", "low", "--no-content"]).output
    assert [] == [word for word in (*WORDS, PASSWORD, KEY) if word in shown]
    calls = re.findall(r"^ +(\d+) .* (Edit #[0-9a-f]{16})$", shown, re.MULTILINE)
    assert ["1", "2", "3", "4", "5", "6"] == [number for number, _ in calls]
    assert 1 == len({call for _, call in calls})  # the same edit is known to be the same
    assert "failing_edit: The same edit, failing again." in shown and "failed\n" in shown


def test_without_content_a_complaint_does_not_quote_the_recording(tmp_path):
    path = tmp_path / "broken.jsonl"
    path.write_text('{"type": "xylophone"')
    shown = CliRunner().invoke(app, ["show", str(path), "--no-content"])
    assert 1 == shown.exit_code and str(path) in shown.output.replace("\n", "")
    assert "xylophone" not in shown.output


@pytest.mark.parametrize(
    ("text", "kept"), [(KEY, False), ("Bash", True), ("mcp__x__y", True), ("cat a | grep b", False), ("x" * 81, False)]
)
def test_a_name_stays_and_a_sentence_becomes_a_digest(text, kept):
    assert kept is (name_or_digest(text) == text)


def test_without_content_the_name_of_a_project_is_a_digest(tmp_path):
    recording = talkative()
    recording.lines[0]["root"] = "/home/me/secret-client"
    assert "run_started" == recording.lines[0]["type"]
    for text in every_format(recording.write(tmp_path), content=False).values():
        assert "secret-client" not in text
