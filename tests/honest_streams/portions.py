"""Waiting as the tools of many agents do it, and work done in equal portions: at least 25 calls, most of them equal."""

from tests.agent_calls import bash, edit, read, rounds, sh, tool
from tests.honest_streams.trades import WORDS


def waited(step, *last):
    """A wait that is asked for again as long as nothing has come, and what came in the end."""
    return [step] * 25 + list(last)


def portions(step, last):
    """The same portion taken again as long as there is more."""
    return [step] * 25 + [last]


SCREEN = "$ make -j2\ncc -O2 -c huge.c"
NOTHING_NEW = "[The command has no new output after 30 seconds. Send an empty command to wait on.]"
REFRESHING = "Command timed out after 2m 0.0s\nRefreshing run status every 3 seconds. Press Ctrl+C to quit."

STREAMS = {
    # each as its agent or host spells it; where a time is asked for, it passes
    "OpenClaw polls a session for two minutes at a time": waited(
        tool("process", {"action": "poll", "sessionId": "keen-owl", "timeout": 120000}, "(no new output)\n\nProcess still running."),
        tool("process", {"action": "poll", "sessionId": "keen-owl", "timeout": 120000}, "Finished.\n\nProcess exited with code 0."),
    ),
    "OpenHands sends an empty command to wait on": waited(tool("execute_bash", {"command": ""}, NOTHING_NEW), tool("execute_bash", {"command": ""}, "212 passed\n[Command finished with exit code 0]")),
    "Terminus sends no keys for half a minute": waited(tool("send_keystrokes", {"keystrokes": "", "duration": 30.0}, SCREEN), tool("send_keystrokes", {"keystrokes": "", "duration": 30.0}, f"{SCREEN}\n$")),
    "an older Terminus waits for a minute": waited(tool("execute", {"keystrokes": "", "is_blocking": False, "timeout_sec": 60}, SCREEN)),
    "Manus waits for a shell": waited(tool("shell_wait", {"id": "main", "seconds": 30}, "still running")),
    "a process checked, twenty seconds each": waited(tool("check_process", {"pid": 811, "wait_ms": 20000}, "running")),
    "Windsurf asks for a command, a minute each": waited(tool("command_status", {"CommandId": "12", "WaitDurationSeconds": 60}, "Status: RUNNING")),
    "Claude Code waits for a task": waited(tool("TaskOutput", {"task_id": "b1", "block": True, "timeout": 60000}, "<retrieval_status>timeout</retrieval_status>\n<status>running</status>")),
    "Codex waits for sub-agents": waited(tool("wait", {"ids": ["a1", "a2"], "timeout_ms": 300000}, '{"status": {}, "timed_out": true}')),
    "a pause until somebody may have pressed a key": waited(bash("read -t 30; tail -n 1 build.log", "linking")),
    "a pause in the words of Windows": waited(bash("timeout /t 30 /nobreak & type state.txt", "building")),
    "a watcher of a pipeline that is cut off after two minutes": waited(bash("gh run watch 812", REFRESHING, 143), bash("gh run watch 812", "✓ main build · 812")),
    "a cloud that is waited for, and asked in between": rounds(
        13, lambda n: bash("aws ec2 wait instance-status-ok --instance-ids i-0ab1", "Waiter InstanceStatusOk failed: Max attempts exceeded", 255), lambda n: bash("aws ec2 describe-instance-status --instance-ids i-0ab1 --query '*[0].InstanceStatus.Status'", '"initializing"')
    ),
    "snapshots renewed file by file, all staged after each": rounds(13, lambda n: bash(f"npx jest -u src/{WORDS[n]}.test.js", "1 snapshot updated."), lambda n: bash("git add -A")),
}  # fmt: skip

DOUBTFUL = {
    "rows deleted a thousand at a time": portions(
        tool("execute_sql", {"query": "delete from events where id in (select id from events where day < '2026-01-01' limit 1000)"}, "DELETE 1000"),
        tool("execute_sql", {"query": "delete from events where id in (select id from events where day < '2026-01-01' limit 1000)"}, "DELETE 214"),
    ),
    "rows deleted a thousand at a time with psql": portions(
        bash("psql shop -c \"delete from events where id in (select id from events where day < '2026-01-01' limit 1000)\"", "DELETE 1000"),
        bash("psql shop -c \"delete from events where id in (select id from events where day < '2026-01-01' limit 1000)\"", "DELETE 214"),
    ),
    "rows moved by an address that says whether there is more": portions(
        sh("curl -s -X POST 'localhost:8000/admin/backfill?size=500'", '{"migrated":500,"more":true}'), sh("curl -s -X POST 'localhost:8000/admin/backfill?size=500'", '{"migrated":31,"more":false}')
    ),
    "rows moved by a tool that says whether there is more": portions(tool("run_backfill", {"size": 500}, {"migrated": 500, "more": True}), tool("run_backfill", {"size": 500}, {"migrated": 31, "more": False})),
    "rows moved by a script that says whether there is more": portions(bash("python manage.py move_batch --size 500", "moved 500 rows, more to do"), bash("python manage.py move_batch --size 500", "moved 31 rows, done")),
    "pictures made from one description": [tool("generate_image", {"prompt": "a red bicycle"}, f"Image saved to /tmp/gen-{n * 0x9E3779B9 % 2**32:08x}.png") for n in range(1, 27)],
    "pictures taken by a camera": [tool("capture_frame", {"camera": 1}, f"/tmp/frame-{n * 0x9E3779B9 % 2**32:08x}.png") for n in range(1, 27)],
    "changes of a drawing taken back, one after the other": [tool("undo", {}, "Undone")] * 26,
    "which version of a runtime an old project wants": [bash(f"nvm use {n} && npm ci", f"Now using node v{n}.0.0\nnpm ERR! code EBADENGINE\nnpm ERR! Unsupported engine", 1) for n in range(26, 0, -1)],
    "keys sent to a terminal, from a folder": [bash("cd /work/shop && tmux send-keys -t editor:0 'j'")] * 26,
    "a status file read every five seconds": [read("status.txt", "running", at=1000.0 + 5 * n) for n in range(26)],
    "an image of a container built after each edit, a step of it fails": rounds(
        13, lambda n: edit("Dockerfile", f"RUN step {n}", f"RUN step {n + 1}"), lambda n: bash("docker build -t shop .", 'ERROR: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1', 1)
    ),
}  # fmt: skip
"""One word about it would be fair, a refusal never."""
