"""`headway scan` as a user runs it: many files, every format, bad input, Ctrl-C in the middle."""

import gzip
import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import zstandard

from headway.cli.scan_output import Spool
from headway.readers import readers, recordings_in
from headway.study.scan import ScanOptions, scan_all
from tests.cli.test_commands import EXAMPLES
from tests.command import RUN, headway
from tests.conftest import LONG
from tests.reports.scans import Recording, a_month_of_runs, honest, stuck
from tests.study.test_pool import in_session


@pytest.fixture(scope="module")
def month(tmp_path_factory):
    return a_month_of_runs(tmp_path_factory.mktemp("scan") / "runs")


@pytest.fixture(scope="module")
def scanned_month(month):
    return headway("scan", month)


def test_the_summary_comes_first_and_runs_only_on_request(month, scanned_month):
    text = scanned_month.stdout.decode()
    totals = json.loads(headway("scan", month, "--format", "json").stdout)["totals"]
    earned = ", ".join(f"{count} {verdict}" for verdict, count in sorted(totals["verdicts"].items()))
    assert text.startswith(f"36 runs, 1,239 steps: {earned}\n2026-09-21 to 2026-10-21")
    flat = " ".join(text.split())
    assert f" {totals['after_stop']['steps']} steps (" in flat
    assert "came after the point where Headway would have stopped" in flat
    cost, saved = (totals[name]["cost_usd"] for name in ("spent", "after_stop"))
    known = f"cost recorded for {totals['runs_with_cost']} of 36 runs"
    assert f" tokens, ${cost:.2f}, " in flat and f" active · {known} " in flat
    assert f" of all tokens), ${saved:.2f} (" in flat and cost > saved > 0
    assert text.index("Most common patterns") < text.index("Worst runs")
    assert "nothing to report" not in text
    listed = headway("scan", month, "--runs").stdout.decode()
    assert listed.startswith(text.rstrip()) and listed.count("nothing to report") >= 20
    assert "nothing to report" not in headway("scan", EXAMPLES, "--no-runs").stdout.decode()


def test_files_in_no_known_format_are_named_on_request(tmp_path):
    honest("a", 3, 1).write(tmp_path)
    (tmp_path / "package.json").write_text('{"name": "x"}')
    quiet, loud = headway("scan", tmp_path), headway("scan", tmp_path, "--verbose")
    assert b"1 of 2 files skipped" in quiet.stderr and b"package.json" not in quiet.stderr
    assert f"skipped: {tmp_path}/package.json: not a recording" in loud.stderr.decode()
    totals = json.loads(headway("scan", tmp_path, "--format", "json").stdout)["totals"]
    assert 1 == len(totals["skipped_files"]) and totals["skipped_files"][0].startswith(f"{tmp_path}/package.json: ")


def test_the_worst_runs_are_told_with_their_recordings(month, tmp_path):
    """Where to look: a name such as a session's id does not say in which folder it lies."""
    text = headway("scan", month, COLUMNS="300").stdout.decode()
    worst = text[text.index("Worst runs") :].splitlines()[1:]
    where = [line.strip() for line in worst if line.endswith(".jsonl")]
    assert 9 == len(where) == len(set(where)) and all(Path(path).is_file() for path in where)
    one = stuck("x", 9, 1).write(tmp_path)
    listed = headway("scan", one, COLUMNS="300").stdout.decode().split("\n\n")[-2]
    assert listed.startswith("stop  x  at step 19: ") and f", {one}\n" in listed


@pytest.mark.parametrize("form", ["text", "markdown"])
@pytest.mark.parametrize("since", [[], ["--since", "2026-11-01"]], ids=["all", "one of them"])
def test_a_run_of_several_in_a_recording_is_told_as_show_wants_it(tmp_path, form, since):
    """Also if the other runs of the recording are too old to be reported."""
    both = tmp_path / "both.jsonl"
    lines = honest("first", 3, 1).lines + stuck("second", 9, 1, at=1_794_312_000).lines
    both.write_text("".join(json.dumps(line) + "\n" for line in lines))
    text = headway("scan", both, "--format", form, *since, COLUMNS="300", text=True).stdout
    assert ("1 run," if since else "2 runs,") in text
    worst = text[text.index("Worst runs") :].replace("\\", "")
    assert f"{both} --run second" in worst
    assert 0 == headway("show", both, "--run", "second").returncode
    one = stuck("alone", 9, 1).write(tmp_path)
    assert "--run" not in headway("scan", one, "--format", form, COLUMNS="300", text=True).stdout


def test_the_id_of_a_run_is_quoted_for_a_shell(tmp_path):
    both = tmp_path / "both.jsonl"
    lines = honest("first", 3, 1).lines + stuck("$(touch x); y", 9, 1).lines
    both.write_text("".join(json.dumps(line) + "\n" for line in lines))
    text = headway("scan", both, COLUMNS="300", text=True).stdout
    assert f"{both} --run '$(touch x); y'\n" in text


CIRCLE = "The last 18 calls were the same 3 calls, repeated 6 times with the same results, apart from details such as times and ids."
"""What is said of an example in which the tests take longer in each of the first rounds."""


def test_a_narrow_terminal_breaks_lines_between_words():
    lines = headway("scan", EXAMPLES, COLUMNS="40").stdout.decode().splitlines()
    assert max(map(len, lines)) <= 40
    text = " ".join(" ".join(lines).split())
    assert f"doom_loop {CIRCLE}" in text
    assert "in 2 runs, 2 findings" in text and "round-and-round at step 15: doom_loop" in text


def test_a_file_or_a_pipe_has_no_edge_to_break_lines_at(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    arguments = [*RUN, "scan", str(EXAMPLES)]
    piped = subprocess.run(arguments, capture_output=True, env=environment, check=False).stdout.decode()
    assert f"  doom_loop      {CIRCLE}\n" in piped
    assert [] == [line for line in piped.splitlines() if line != line.rstrip()]
    subprocess.run([*arguments, "-o", str(tmp_path / "report")], env=environment, check=False)
    assert piped == (tmp_path / "report").read_text()


def test_any_number_of_jobs_says_the_same(month, tmp_path):
    """With enough bytes for several processes to be used."""
    for n in range(30):
        recording = stuck(f"more-{n}", 5, n)
        for part in range(4):
            recording.call("Read", {"file_path": f"{part}.log"}, f"line of log {n} {part}\n" * 4_000)
        recording.write(tmp_path)
    one, two = (headway("scan", month, tmp_path, "--format", "json", "--jobs", jobs).stdout for jobs in (1, 2))
    assert one == two and 66 == len(json.loads(one)["runs"])


@pytest.mark.parametrize(
    ("form", "begins", "option"),
    [("json", '{"version": 1,', "-o"), ("markdown", "# Headway scan", "--output"), ("html", "<!doctype", "--out")],
)
def test_every_format_goes_to_standard_output_or_to_a_file(tmp_path, form, begins, option):
    out = tmp_path / "report"
    shown = headway("scan", EXAMPLES, "--format", form).stdout.decode()
    done = headway("scan", EXAMPLES, "--format", form, option, out)
    assert shown.startswith(begins) and shown == out.read_text()
    assert (1, b"") == (done.returncode, done.stdout)
    assert [out] == list(tmp_path.iterdir())


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_full_disk_is_named(form):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*RUN, "scan", EXAMPLES, "--format", form], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert 2 == done.returncode
    assert b"Error: standard output: cannot be written: No space left on device" == done.stderr.strip()


@pytest.mark.parametrize("command", ["scan", "show"])
def test_a_reader_that_has_seen_enough_is_no_fault(command, tmp_path):
    path = stuck("x", 400, 1).write(tmp_path)
    arguments = [*RUN, command, str(path), *(["--format", "json"] if command == "scan" else [])]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert b"" == process.stderr.read()
        assert 0 == process.wait(120)


def test_a_file_that_cannot_be_written_is_named(month, tmp_path):
    done = headway("scan", EXAMPLES, "-o", tmp_path / "no" / "such" / "folder.txt")
    assert 2 == done.returncode
    assert "folder.txt: cannot be written" in done.stderr.decode()


def test_a_place_that_cannot_be_written_to_is_told_before_anything_is_read(tmp_path):
    """Recordings come from a pipe that nobody has written to yet: whoever reads first would wait for ever."""
    arguments = [*RUN, "scan", "-", "-o", str(tmp_path / "no" / "such" / "folder.txt")]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            assert 2 == process.wait(120)
            assert b"folder.txt: cannot be written" in process.stderr.read()
        finally:
            process.kill()


def test_a_report_goes_where_a_link_leads_and_stays_private(tmp_path):
    report, link = tmp_path / "report", tmp_path / "link"
    report.write_text("old")
    report.chmod(0o600)
    link.symlink_to(report)
    assert 1 == headway("scan", EXAMPLES, "-o", link).returncode
    assert link.is_symlink() and report.read_text().startswith("5 runs")
    assert 0o600 == report.stat().st_mode & 0o777


def test_no_room_for_reports_is_told_and_only_those_that_are_shown_need_some(tmp_path):
    recording = stuck("x", 9, 1).write(tmp_path)
    program = (
        "import sys, headway.cli.scan_output as output; output.MAX_BYTES_IN_MEMORY = 1_000\n"
        "import tempfile; tempfile.tempdir = sys.argv.pop(1)\n"
        "from headway.cli import main; main()"
    )
    for form, code in (("json", 2), ("text", 1), ("html", 1)):
        arguments = [sys.executable, "-c", program, str(tmp_path / "gone"), "scan", str(recording), "--format", form]
        arguments += ["--no-runs"] if form == "text" else []
        done = subprocess.run(arguments, capture_output=True, check=False)
        assert code == done.returncode, done.stderr
        assert (b"cannot write temporary files: No such file or directory" in done.stderr) is (code == 2)
        assert b"Traceback" not in done.stderr


def test_a_spool_gives_back_what_was_put_in_also_from_disk(month, monkeypatch):
    monkeypatch.setattr("headway.cli.scan_output.MAX_BYTES_IN_MEMORY", 1_000)
    reports = [one.report for file in scan_all(list(recordings_in(month)), ScanOptions(), 1) for one in file.runs]
    spool = Spool()
    spool.extend(reports)
    assert len(reports) == len(spool)
    assert [report.run for report in reports] == [report.run for report in spool]
    assert [report.spent for report in reports] == [report.spent for report in spool]
    spool.close()


@pytest.mark.parametrize(("agent", "runs"), [("codex", 1), ("c*", 3), ("none-such", 0)])
def test_agents_are_chosen(tmp_path, agent, runs):
    for number, program in enumerate(("codex", "claude-code", "claude-code", "gemini-cli")):
        honest(f"run-{number}", 3, number, program=program).write(tmp_path)
    done = headway("scan", tmp_path, "--agent", agent, "--format", "json")
    assert runs == len(json.loads(done.stdout)["runs"])
    assert (b"No runs match --agent." in done.stderr) is (runs == 0)


def test_since_takes_ages_and_dates(tmp_path):
    honest("old", 3, 1, at=time.time() - 20 * 86_400).write(tmp_path)
    honest("new", 3, 1, at=time.time() - 3_600).write(tmp_path)
    for since, runs in (("7d", 1), ("5m", 0), ("2020-01-01", 2)):
        done = headway("scan", tmp_path, "--since", since, "--format", "json")
        assert runs == json.loads(done.stdout)["totals"]["runs"], since
    done = headway("scan", tmp_path, "--since", "yesterday")
    assert 2 == done.returncode and b"neither an age such as 7d" in done.stderr


def test_what_cannot_be_read_in_a_folder_is_named_and_the_rest_reported(tmp_path):
    honest("fine", 3, 1).write(tmp_path)
    locked = honest("locked", 3, 1).write(tmp_path)
    locked.unlink()
    locked.symlink_to("/proc/self/mem")  # can be seen, and cannot be read
    done = headway("scan", tmp_path)
    assert 2 == done.returncode
    assert f"Error: {locked}:" in done.stderr.decode() and "1 run, " in done.stdout.decode()
    for form in ("text", "markdown", "html"):
        assert "1 file could not be read" in headway("scan", tmp_path, "--format", form).stdout.decode()


def test_no_content_keeps_complaints_short_too(tmp_path):
    path = tmp_path / "notes.jsonl"
    path.write_text("my secret diary\n")
    whole, bare = (headway("scan", path, *flag).stderr.decode() for flag in ((), ("--no-content",)))
    assert "secret diary" in whole and "diary" not in bare
    assert "notes.jsonl: not a recording that Headway knows" in bare
    path.rename(tmp_path / "notes.jsonl.gz")
    done = headway("scan", tmp_path, "--no-content", "--format", "json")
    (trouble,) = json.loads(done.stdout)["totals"]["troubles"]
    assert f"{tmp_path}/notes.jsonl.gz: the compressed file is damaged" == trouble


def test_a_file_that_is_named_in_any_spelling_has_to_be_a_recording():
    for spelling in ("pyproject.toml", "./pyproject.toml", "src/../pyproject.toml"):
        done = headway("scan", spelling)
        assert 2 == done.returncode
        assert "not a recording that Headway knows" in done.stderr.decode()


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_weaker_findings_are_shown_on_request_and_weak_ones_left_out(form):
    """In the summary and with each run; JSON has them all."""
    shown = [
        headway("scan", EXAMPLES, "--format", form, "--min-severity", least).stdout.decode()
        for least in ("low", "medium", "high")
    ]
    assert [3, 3, 0] == [text.count("progress_stall") for text in shown]
    assert [True, False, False] == ["file_churn" in text for text in shown]
    assert "file_churn" in headway("scan", EXAMPLES, "--format", "json", "--min-severity", "high").stdout.decode()


@pytest.mark.parametrize("command", [["scan"], ["show"], ["convert", "--to", "events"]], ids=lambda it: it[0])
def test_the_format_can_be_told_and_has_to_be_one(command):
    recording = EXAMPLES / "round-and-round.jsonl"
    assert headway(*command, recording).stdout == headway(*command, recording, "--reader", "headway").stdout
    done = headway(*command, recording, "--reader", "codex")
    assert 2 == done.returncode and "unknown item 'run_started'" in done.stderr.decode()
    done = headway(*command, recording, "--reader", "codecs")
    assert 2 == done.returncode and "no reader 'codecs'" in done.stderr.decode()
    assert "codex" in done.stderr.decode()


def test_no_progress_bar_where_nobody_watches(scanned_month):
    assert b"" == scanned_month.stderr


def shown_on_a_terminal(*arguments):
    """What a person sees of a command on standard error."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*RUN, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=theirs, env={**os.environ, "TERM": "xterm"}
    )
    os.close(theirs)
    shown = b""
    while chunk := read(ours):
        shown += chunk
    process.wait(120)
    return shown


def test_a_progress_bar_on_a_terminal(month):
    shown = shown_on_a_terminal("scan", month)
    assert b"36 of 36 files" in shown and b"100%" in shown


def test_one_large_file_is_seen_to_be_read_and_a_small_one_needs_no_bar(tmp_path):
    recording = honest("large", 3, 1)
    for n in range(30):
        recording.call("Read", {"file_path": f"{n}.log"}, f"line {n}\n" * 25_000)
    assert b"reading" in shown_on_a_terminal("scan", recording.write(tmp_path))
    assert b"" == shown_on_a_terminal("scan", honest("small", 3, 1).write(tmp_path))


def read(terminal):
    try:
        return os.read(terminal, 65_536)
    except OSError:  # the other side has gone
        return b""


LISTENING = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from headway.cli import main; main()"
)
"""The command, deaf to no signal: what is started in the background inherits that it ignores Ctrl-C."""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc here to look for processes in")
def test_ctrl_c_in_the_middle_ends_everything_with_130(tmp_path):
    text = stuck("x", 400, 1).write(tmp_path).read_text()
    for n in range(150):
        (tmp_path / f"copy-{n}.jsonl").write_text(text)
    process = subprocess.Popen(
        [sys.executable, "-c", LISTENING, "scan", str(tmp_path), "--jobs", "2", "-o", str(tmp_path / "report")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while len(in_session(process.pid)) < 4 and time.monotonic() < deadline:  # the command, two readers, a caretaker
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to all of them
    out, said = process.communicate(timeout=60)
    assert (130, b"", b"interrupted") == (process.returncode, out, said.strip())
    assert not (tmp_path / "report").exists()
    deadline = time.monotonic() + 100
    while in_session(process.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert [] == in_session(process.pid)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc here to look for processes in")
@pytest.mark.parametrize("to_all", [False, True])
@pytest.mark.slow
def test_a_termination_signal_during_a_scan_in_shards_leaves_nothing_behind(tmp_path, to_all):
    text, recordings, temporary = stuck("x", 400, 1).write(tmp_path).read_text(), tmp_path / "runs", tmp_path / "tmp"
    recordings.mkdir()
    temporary.mkdir()
    for n in range(150):
        (recordings / f"copy-{n}.jsonl").write_text(text)
    process = subprocess.Popen(
        [sys.executable, "-c", LISTENING, "scan", str(recordings), "--jobs", "2", "-o", f"{tmp_path / 'tables'}/"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not list(temporary.glob("headway-*/headway-*/*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert list(temporary.glob("headway-*/headway-*/*"))
    os.killpg(process.pid, signal.SIGTERM) if to_all else process.terminate()
    out, said = process.communicate(timeout=60)
    assert (130, b"", b"interrupted") == (process.returncode, out, said.strip())
    assert [] == list(temporary.glob("headway-*"))
    deadline = time.monotonic() + 100
    while in_session(process.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert [] == in_session(process.pid)


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html"])
def test_a_file_with_any_bytes_for_a_name_is_scanned_and_shown(tmp_path, form):
    path = tmp_path / os.fsdecode(b"\xff\xfe.jsonl")
    stuck("s", 20, 1).write(tmp_path).rename(path)
    for where in (tmp_path, path):
        done = headway("scan", where, "--format", form)
        assert (1, b"") == (done.returncode, done.stderr)
    assert form == "text" or "\ufffd\ufffd.jsonl" in done.stdout.decode()
    assert 0 == headway("show", path).returncode
    assert 0 == headway("convert", tmp_path, "--to", "events").returncode


def test_a_folder_that_cannot_be_looked_into_is_named_and_the_scan_fails(too_deep):
    stuck("s", 5, 1).write(too_deep)
    done = headway("scan", too_deep, "--format", "json")
    assert 2 == done.returncode
    assert f"{LONG}: File name too long" in done.stderr.decode()
    totals = json.loads(done.stdout)["totals"]
    assert (1, 1) == (totals["runs"], len(totals["troubles"]))


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_compressed_recordings_come_in_on_standard_input(pack):
    content = pack((EXAMPLES / "round-and-round.jsonl").read_bytes())
    done = headway("scan", "-", "--format", "json", stdin=content)
    assert (1, 18) == (done.returncode, json.loads(done.stdout)["totals"]["steps"])
    assert 0 == headway("show", "-", stdin=content).returncode
    assert 18 == headway("convert", "-", "--to", "events", stdin=content).stdout.count(b"tool_returned")


@pytest.mark.parametrize("content", [b"not packed at all\n", gzip.compress(b"{}" * 500)[:12]], ids=["fake", "cut"])
def test_what_is_wrong_with_a_damaged_file_is_said(tmp_path, content):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(content)
    for where in (path, tmp_path):
        done = headway("scan", where)
        assert 2 == done.returncode
        assert f"Error: {path}: the compressed file is damaged: " in done.stderr.decode()
    assert b"a.jsonl.gz: the compressed file is damaged" in headway("show", path).stderr


def test_a_file_that_is_no_recording_is_answered_briefly_and_help_lists_the_formats(tmp_path):
    (tmp_path / "a.jsonl").write_text("hello")
    for command in (["scan"], ["show"], ["convert", "--to", "events"]):
        said = headway(*command, tmp_path / "a.jsonl").stderr.decode()
        assert "(it begins with 'hello'); `headway scan --help` lists the formats\n" in said
        assert len(said) < 200 + len(str(tmp_path))
    listed = headway("scan", "--help").stdout.decode()
    words = " ".join(listed.split())  # a long title takes two lines
    assert [] == [name for name, reader in readers().items() if f" {name} {reader.title} " not in f"{words} "]


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html"])
def test_what_a_terminal_would_obey_or_hide_is_never_written_as_it_is(tmp_path, form):
    """Control characters of both kinds, marks that turn the direction of writing, characters of no width."""
    spoken = "".join(map(chr, (0x7F, 0x85, 0x9B, 0x200B, 0x202E, 0x2066, 0xFEFF, 0xE0041)))
    recording = Recording(f"run {spoken}", program=f"agent {spoken}", model=f"model {spoken}").user(spoken)
    for _ in range(6):
        recording.call(f"Tool {spoken}", {"path": f"a {spoken}"}, f"Error: {spoken}", failed=True)
    path = recording.write(tmp_path).rename(tmp_path / f"a{spoken}.jsonl")
    done = headway("scan", path, "--format", form, "--runs")
    assert 1 == done.returncode and "agent" in done.stdout.decode()
    assert set() == set(spoken) & set(done.stdout.decode())


def test_json_says_what_was_there(tmp_path):
    path = Recording("run \u202e").user("go").call("Read", {"file_path": "a"}, "x").write(tmp_path)
    shown = headway("scan", path, "--format", "json").stdout
    assert "run \u202e" == json.loads(shown)["runs"][0]["run"] and rb"\u202e" in shown


def test_runs_are_added_up_and_compared(month):
    text = headway("scan", month, "--by", "agent,model", COLUMNS="200").stdout.decode()
    assert "By agent, model\n" in text and "Worst runs" not in text and "claude-code  claude-sonnet-4-5 " in text
    compared = headway("scan", month, "--compare", "claude*", "gpt*", "--format", "json")
    sides = json.loads(compared.stdout)["totals"]["compare"]
    assert (12, 12) == (sides["a"]["runs"], sides["b"]["runs"]) and "would_be_stopped" in sides["shares"]
    markdown = headway("scan", month, "--by", "week", "--format", "markdown").stdout.decode()
    assert "| week | runs | steps | " in markdown and "| 2026-W39 | " in markdown
    assert "Worst runs" not in markdown and "Most common patterns" not in markdown
    unknown = headway("scan", month, "--by", "size")
    assert 2 == unknown.returncode and b"'size' is none of model, project" in unknown.stderr


def test_a_side_of_a_comparison_without_runs_is_told(month):
    told = headway("scan", month, "--compare", "claude*", "no-such-folder", "--no-runs").stderr.decode()
    assert "No run matches no-such-folder: " in told and "No run matches claude*" not in told


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_comparison_without_any_run_names_what_there_is_and_has_no_empty_table(month, form):
    done = headway("scan", month, "--compare", "nobody", "2020-W01", "--no-runs", "--format", form, text=True)
    assert "No run matches nobody or 2020-W01: there are the models " in done.stderr
    assert "claude-sonnet-4-5" in done.stderr and " and the weeks 2026-W" in done.stderr
    assert "No run matches nobody or 2020-W01." in done.stdout and "difference" not in done.stdout


def test_no_wasteful_run_is_told(tmp_path):
    path = Recording("fine").user("go").call("Read", {"file_path": "a"}, "x").write(tmp_path)
    for form in ("text", "markdown"):
        assert b"Worst runs: none, " in headway("scan", path, "--top", "2", "--format", form).stdout
        assert b"Worst runs" not in headway("scan", path, "--format", form).stdout


def test_the_most_wasteful_runs_are_named_by_prompt_and_project(month):
    text = headway("scan", month, "--top", "2", COLUMNS="300").stdout.decode()
    worst = text[text.index("Worst runs") :].splitlines()
    assert 2 == sum(line.startswith("  stop") for line in worst) and "Most common patterns" not in text
    assert worst[1].startswith(
        "  stop  The total of the cart is wrong when a discount applies. Please fix it. (shop)  at step "
    )


def test_a_text_report_in_a_file_without_an_ending_says_how_tables_are_written(tmp_path):
    done = headway("scan", str(EXAMPLES), "-o", "results", "--fail-on", "never", folder=tmp_path)
    assert b"results is a text report. For Parquet tables, name a folder: -o results/\n" == done.stderr
    named = headway("scan", str(EXAMPLES), "-o", "results.txt", "--fail-on", "never", folder=tmp_path)
    assert b"" == named.stderr
