"""Asking again and again without letting time pass: to be told, with the advice to wait, and never refused."""

from tests.agent_calls import bash, clock, codex, gemini, sh, tool, uuid

PODS = "NAME    READY   STATUS              RESTARTS   AGE\nweb-1   0/1     ContainerCreating   0          {}s"

STREAMS = {
    "a job asked 60 times in a row": (30, [tool("get_job_status", {"job": "j-7"}, {"state": "RUNNING"}) for _ in range(60)]),
    "a pipeline asked 300 times in a row": (30, [bash("gh run view 812 --json status", '{"status":"in_progress"}') for _ in range(300)]),
    "a pipeline asked 60 times by Codex": (30, [codex("gh run view 812 --json status -q .status", "in_progress", wall=f"0.3{n % 10}") for n in range(60)]),
    "a job asked ten times a second": (30, [tool("job_status", {"id": 7}, "PENDING", at=500 + n * 0.1) for n in range(100)]),
    "a stack asked ten times a second": (
        30, [bash("aws cloudformation describe-stacks --stack-name web", '"StackStatus": "CREATE_IN_PROGRESS"', at=500 + n * 0.1) for n in range(60)]
    ),
    "a health check asked 60 times, exit code unknown": (30, [sh("curl -s localhost:8080/health", '{"status":"starting"}') for _ in range(60)]),
    "a pod that is being created": (30, [bash("kubectl get pod web-1", PODS.format(n // 5), at=500 + n * 0.2) for n in range(60)]),
    "a pipeline whose answer holds the time": (
        30, [tool("mcp__ci__get_pipeline_status", {"id": 41}, {"status": "queued", "checked_at": f"2026-11-16T{clock(n)}Z"}) for n in range(60)]
    ),
    "a deployment whose answer holds a request id": (
        30, [tool("get_deployment_status", {"id": "d1"}, {"status": "building", "request_id": uuid(n)}) for n in range(60)]
    ),
    "a background shell without news": (30, [tool("BashOutput", {"bash_id": "b1"}, "<status>running</status>\n<stdout></stdout>") for _ in range(80)]),
    "a pull request whose checks are pending": (30, [gemini("gh pr checks 41", "build\tpending\t0\thttps://ci.example/812") for _ in range(60)]),
    "two jobs asked in turn": (40, [tool("get_job_status", {"job": f"j-{n % 2}"}, {"state": "RUNNING"}) for n in range(120)]),
}  # fmt: skip
