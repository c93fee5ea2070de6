"""Waiting for something that takes its time, with or without a clock."""

from tests.agent_calls import bash, clock, codex, gemini, read, rounds, sh, tool

PODS = ["Pending", "Pending", "ContainerCreating", "ContainerCreating", "ContainerCreating", "Running"]


def growing(n):
    """A log so far."""
    return "\n".join(f"{clock(k, 20)} INFO step {k} of 60 done" for k in range(max(0, 3 * n - 5), 3 * n + 1))


STREAMS = {
    "a job that gets on by a few per cent": [tool("get_job_status", {"job": "j-7"}, {"state": "RUNNING", "percent": 4 * n}) for n in range(1, 25)],
    "a job that gets on, no other word than the number": [tool("job_progress", {"id": 7}, f"{4 * n}") for n in range(1, 25)],
    "a growing log watched": [bash("tail -n 6 build.log", growing(n)) for n in range(20)],
    "a growing log watched by Codex": [codex("tail -n 6 build.log", growing(n), wall=f"0.0{n + 10}") for n in range(20)],
    "a growing log of which the size is asked": [sh("wc -c < build.log", f"{5120 + 731 * n}") for n in range(20)],
    "the output of a background shell": [
        tool("BashOutput", {"bash_id": "b1"}, f"<status>running</status>\n<stdout>\n[{n}/24] Compiling unit{n}.c\n</stdout>") for n in range(1, 25)
    ],
    "a background session without news, waited for": [
        tool("write_stdin", {"session_id": 4, "chars": "", "yield_time_ms": 30000}, "Chunk ID: 1\nWall time: 30.0 seconds\nOutput:\n") for _ in range(12)
    ],
    "a pipeline asked each minute": [
        bash("gh run view 812 --json status", '{"status":"in_progress"}', at=5000.0 + 60 * n) for n in range(20)
    ],
    "a pipeline asked after a pause of its own": rounds(
        12, lambda n: sh("sleep 45"), lambda n: sh("gh run view 812 --json status -q .status", "in_progress")
    ),
    "a pipeline waited for in the command": [gemini("sleep 30; gh pr checks 41", "build\tpending\t0\thttps://ci.example/812") for _ in range(12)],
    "pods that come up": [
        bash("kubectl get pod web-1", f"NAME    READY   STATUS    RESTARTS   AGE\nweb-1   0/1     {state}   0          {10 * n + 4}s", at=100.0 + 10 * n)
        for n, state in enumerate(PODS)
    ] + [bash("kubectl get pod web-1", f"NAME    READY   STATUS    RESTARTS   AGE\nweb-1   1/1     Running   0          {n + 1}m", at=200.0 + 60 * n) for n in range(10)],
    "replicas that come up": [sh("kubectl get deploy web", f"NAME  READY   UP-TO-DATE\nweb   {n}/24    24") for n in range(25)],
    "a download that gets on": [sh("ls -lh model.bin.part", f"-rw-r--r-- 1 dev dev {40 * n + 12}M Nov 16 09:{n:02} model.bin.part") for n in range(20)],
    "a database that catches up": [
        tool("mcp__postgres__query", {"sql": "select pg_wal_lsn_diff(a, b) as lag"}, f'[{{"lag":{81920 - 4096 * n}}}]') for n in range(20)
    ],
    "a training run looked at every ten minutes": [
        bash("tail -n 1 train.log", f"step:{1200 * n}/30000", at=1000.0 + 600 * n) for n in range(1, 25)
    ],
    "a training run that has not moved between two looks": [
        bash("tail -n 1 train.log", f"step:{1200 * (n // 2)}/30000", at=1000.0 + 600 * n) for n in range(24)
    ],
    "a status page read every five minutes": [
        tool("WebFetch", {"url": "https://status.example.com", "prompt": "Is it up?"}, "Partial outage", at=300.0 * n) for n in range(12)
    ],
    "an agent waited for": [tool("wait_agent", {"id": "a1", "timeout_ms": 60000}, {"status": "running", "timed_out": True}) for _ in range(12)],
    "a clock": [bash("date", f"Mon Nov 16 {clock(n, 61)} UTC 2026", at=1000.0 + 61 * n) for n in range(12)],
    "a lock that somebody holds, with pauses": rounds(
        8, lambda n: bash("sleep 20"), lambda n: bash("apt-get install -y jq", "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 811", 100)
    ),
    "a marker file read after each pause": rounds(12, lambda n: tool("sleep", {"seconds": 30}, "slept"), lambda n: read("done.txt", "not yet")),
}  # fmt: skip
