"""`headway scan` without a path: it says what it found on this machine and how far back it looks."""

import json
import os
import shutil
import time

from tests.command import ROOT, headway
from tests.readers.samples_read import database_of
from tests.reports.scans import honest, stuck

SAMPLES = ROOT / "tests" / "readers" / "samples"


def home_with_runs(home):
    for folder, recording in {
        ".claude/projects/-work-shop": stuck("in-claude", 9, 1, at=time.time() - 3_600),
        ".codex/sessions/2026": honest("in-codex", 4, 2, at=time.time() - 7_200),
        ".gemini/tmp/x/chats": honest("long-ago", 4, 3, at=time.time() - 30 * 86_400),
    }.items():
        (home / folder).mkdir(parents=True)
        recording.write(home / folder)
    return home


def test_it_tells_what_it_found_and_reads_the_last_week(tmp_path):
    home = home_with_runs(tmp_path)
    done = headway("scan", HOME=str(home), XDG_CONFIG_HOME="", XDG_DATA_HOME="", folder=tmp_path)
    told = done.stderr.decode()
    assert "Found on this machine:\n  claude-code  ~/.claude/projects\n  codex        ~/.codex/sessions\n" in told
    assert "Runs of the last 7 days (--since changes that)" in told
    text = done.stdout.decode()
    assert text.startswith("2 runs, ") and "in-claude" in text and "long-ago" not in text
    assert 1 == done.returncode
    older = headway("scan", "--since", "60d", HOME=str(home), XDG_CONFIG_HOME="", XDG_DATA_HOME="", folder=tmp_path)
    assert older.stdout.startswith(b"3 runs, ") and b"last 7 days" not in older.stderr


def test_recordings_of_five_programs_are_read_where_these_keep_them(tmp_path):
    places = {
        "claude-code": ".claude/projects/x",
        "codex": ".codex/sessions/x",
        "gemini-cli": ".gemini/tmp/x",
        "copilot-cli": ".copilot/session-state/x",
        "qwen-code": ".qwen/projects/x",
    }
    for sample, place in places.items():
        shutil.copytree(SAMPLES / sample, tmp_path / place)
    variables = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "COLUMNS": "200"}
    done = headway("scan", "--since", "2020-01-01", "--no-runs", folder=tmp_path, **variables)
    line = done.stdout.decode().splitlines()[1]
    assert all(f"{program} " in line for program in places), line


def test_databases_of_zed_and_warp_are_found_where_these_keep_them(tmp_path):
    places = {
        "zed/threads.sql": ".local/share/zed/threads/threads.db",
        "warp/warp.sql": ".local/state/warp-terminal/warp.sqlite",
    }
    for sample, place in places.items():
        (tmp_path / place).parent.mkdir(parents=True)
        (tmp_path / place).write_bytes(database_of(SAMPLES / sample))
    variables = {
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": "",
        "XDG_DATA_HOME": "",
        "XDG_STATE_HOME": "",
        "COLUMNS": "200",
    }
    done = headway("scan", "--since", "2020-01-01", "--format", "json", folder=tmp_path, **variables)
    found = {(run["reader"], run["run"]) for run in json.loads(done.stdout)["runs"]}
    sub_agents = {("zed", "t-main/t-sub"), ("warp", "conv-1/task-2")}
    assert {("zed", "t-main"), ("zed", "t-old"), ("warp", "conv-1")} | sub_agents == found
    assert (
        b"  zed   ~/.local/share/zed/threads/threads.db\n  warp  ~/.local/state/warp-terminal/warp.sqlite\n"
        in done.stderr
    )


def test_windsurfs_encrypted_conversations_are_told_until_it_writes_transcripts(tmp_path):
    variables = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": ""}
    encrypted = tmp_path / ".codeium/windsurf/cascade"
    encrypted.mkdir(parents=True)
    (encrypted / "0e8f7c1a-1111-4222-8333-444455556666.pb").write_bytes(b"\xff\x00")
    done = headway("scan", folder=tmp_path, **variables)
    assert b"~/.codeium/windsurf/cascade: Windsurf encrypts the conversations it keeps here. Set a hook" in done.stderr
    shutil.copytree(SAMPLES / "windsurf", tmp_path / ".windsurf/transcripts")
    done = headway("scan", "--since", "2020-01-01", folder=tmp_path, **variables)
    assert b"encrypts" not in done.stderr and done.stdout.startswith(b"1 run, 9 steps")


def test_an_empty_home_is_told(tmp_path):
    done = headway("scan", HOME=str(tmp_path), XDG_CONFIG_HOME="", XDG_DATA_HOME="", folder=tmp_path)
    assert 2 == done.returncode
    assert b"no recordings of a known agent found in your home; name a file or a folder" in done.stderr


def test_suggestions_are_a_block_to_paste_and_the_runs_behind_it_stand_beside_it(tmp_path):
    recording = honest("r", 3, 1)
    recording.bash("pytest -q", "bash: line 1: pytest: command not found", failed=True)
    path = recording.bash("uv run pytest -q", "3 passed in 0.1s").write(tmp_path)
    done = headway("scan", path, "--suggest", text=True)
    assert (
        "## What fails here\n\n- `pytest` is not installed here; `uv run pytest` works. (1 time in 1 run)\n"
        == done.stdout
    )
    assert (
        f"The runs behind each line:\n  `pytest` is not installed here; `uv run pytest` works.\n      r  {path}"
        in done.stderr
    )
    assert "What to change (--suggest" in headway("scan", path, text=True).stdout
    markdown = headway("scan", path, "--format", "markdown", text=True).stdout
    assert (
        "## What to change\n\n- \\`pytest\\` is not installed here; \\`uv run pytest\\` works. (1 time in 1 run)\n"
        in markdown
    )
    totals = json.loads(headway("scan", path, "--format", "json").stdout)["totals"]
    assert ["uv run pytest" in one["text"] for one in totals["suggestions"]] == [True]
    refused = headway("scan", path, "--suggest", "--no-content", text=True)
    assert 2 == refused.returncode and "--suggest writes Markdown with content" in refused.stderr


def test_a_digest_of_this_machine(tmp_path):
    home = home_with_runs(tmp_path)
    variables = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": "",
        "XDG_DATA_HOME": "",
        "HEADWAY_STATE_DIR": str(tmp_path / "state"),
    }
    text = headway("digest", folder=tmp_path, text=True, **variables)
    assert 0 == text.returncode and text.stdout.startswith("Headway digest, ") and "Worst 1 run\n" in text.stdout
    data = json.loads(headway("digest", "--format", "json", "--days", "20", folder=tmp_path, **variables).stdout)
    assert (2, 1) == (data["this"]["runs"], data["before"]["runs"])
    markdown = headway("digest", "--format", "markdown", "-o", "d.md", folder=tmp_path, **variables)
    assert 0 == markdown.returncode and (tmp_path / "d.md").read_text().startswith("# Headway digest, ")


def test_a_session_in_two_places_is_counted_once_and_a_pipe_is_not_waited_for(tmp_path):
    place, other = tmp_path / ".claude/projects/x", tmp_path / ".config/claude/projects/x"
    place.mkdir(parents=True)
    other.mkdir(parents=True)
    path = honest("twice", 4, 1, at=time.time() - 3_600).write(place)
    (place / "link.jsonl").symlink_to(path)
    shutil.copy(path, other)
    os.mkfifo(tmp_path / ".aider.chat.history.md")
    variables = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": ""}
    done = headway("scan", folder=tmp_path, text=True, **variables)
    assert done.stdout.startswith("1 run, ") and "1 run recorded in two places: counted once" in done.stderr
    digest = headway("digest", "--format", "json", folder=tmp_path, **variables)
    assert 1 == json.loads(digest.stdout)["this"]["runs"]
    named = headway("scan", place, path, folder=tmp_path, text=True)
    assert named.stdout.startswith("1 run, "), "a folder, and a file in it"


def test_what_is_linked_into_both_compared_folders_belongs_to_both(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    path = honest("r", 4, 1).write(tmp_path / "a")
    (tmp_path / "b" / "r.jsonl").symlink_to(path)
    done = headway("scan", "--compare", "a", "b", "--format", "json", folder=tmp_path)
    compared = json.loads(done.stdout)["totals"]["compare"]
    assert (1, 1) == (compared["a"]["runs"], compared["b"]["runs"])


def test_a_digest_without_runs_says_how_to_look_further_back(tmp_path):
    (tmp_path / "empty").mkdir()
    done = headway("digest", "empty", "--days", "3", folder=tmp_path)
    assert (0, b"No runs in the last 6 days were found; --days goes further back\n") == (done.returncode, done.stderr)
