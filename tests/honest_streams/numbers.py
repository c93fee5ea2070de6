"""The same call again and again, and each time another number: every one of them is an answer."""

from tests.agent_calls import bash, clock, codex, gemini, read, rounds, sh, tool, uuid

DICE = [4, 1, 6, 6, 2, 3, 5, 1, 1, 4, 2, 6, 3, 5, 5, 2, 4, 6, 1, 3, 2, 5, 4, 1, 6, 3]
WAY = [(1, 3), (2, 3), (2, 4), (2, 5), (3, 5), (4, 5), (4, 4), (4, 3), (5, 3), (6, 3), (6, 4), (6, 5), (6, 6), (7, 6)]
WALK = [
    "right",
    "down",
    "down",
    "right",
    "right",
    "up",
    "up",
    "right",
    "right",
    "down",
    "down",
    "down",
    "right",
    "right",
]
ADDRESSES = [f"10.42.{n % 4}.{17 + n * 3}" for n in range(16)]
LOSSES = [2.31, 1.98, 1.74, 1.55, 1.41, 1.30, 1.22, 1.16, 1.11, 1.07, 1.04, 1.02, 1.01, 0.99, 0.98, 0.97, 0.96, 0.95]


def json_rpc(text, **more):
    """An MCP tool's answer: blocks of text."""
    return {"content": [{"type": "text", "text": text}], **more}


STREAMS = {
    "records fetched one after the other": [
        tool("fetch_next_record", {}, f'{{"id":{n},"balance":{34 + n * 17 % 91}}}') for n in range(1, 31)
    ],
    "records fetched, known to succeed": [
        tool("fetch_next_record", {}, f'{{"id":{n},"balance":{34 + n * 17 % 91}}}', failed=False) for n in range(1, 31)
    ],
    "records fetched as plain data": [tool("fetch_next_record", {}, {"id": n, "balance": 34 + n * 17}) for n in range(1, 31)],
    "a progress file in steps of seven per cent": [bash("cat progress.txt", f"{7 * n} %\n") for n in range(1, 15)],
    "a progress file, exit code unknown": [sh("cat progress.txt", f"{7 * n}%") for n in range(1, 15)],
    "a progress file read by Codex": [codex("cat progress.txt", f"{3 * n} %\n", wall=f"0.05{n:02}") for n in range(1, 33)],
    "a sensor": [tool("read_sensor", {"sensor": "boiler"}, f"temperature: {61 + n * 7 % 9}") for n in range(24)],
    "a sensor in tenths of a degree": [
        tool("read_sensor", {"channel": 3}, {"value": round(20 + (n * 37 % 50) / 10, 1), "unit": "C"}) for n in range(24)
    ],
    "a sensor with the time of each reading": [
        tool("mcp__home__get_state", {"entity": "sensor.power"}, json_rpc(f"{clock(n, 30)} state={412 + n * 31 % 60}W"))
        for n in range(20)
    ],
    "the last line of a training log": [bash("tail -n 1 train.log", f"iter:{50 * n}/1000") for n in range(1, 21)],
    "the last line of a training log, exit code unknown": [
        gemini("tail -n 1 train.log", f"iter:{50 * n}/1000") for n in range(1, 21)
    ],
    "the epoch and the loss": [
        sh("tail -1 logs/train.log", f"[{clock(n, 240)}] epoch {n + 1}/18 loss {loss:.2f}") for n, loss in enumerate(LOSSES)
    ],
    "a name server that answers with another address": [
        bash("dig +short api.example.com", f"{address}\n") for address in ADDRESSES
    ],
    "a name server, the whole answer": [
        sh("dig api.example.com A", f";; ANSWER SECTION:\napi.example.com. 60 IN A {address}\n;; Query time: 11 msec")
        for address in ADDRESSES
    ],
    "statistics of a server": [
        bash("curl -s localhost:9100/stats", f'{{"requests":{1180 + 53 * n},"errors":{n // 4}}}') for n in range(24)
    ],
    "a metric of Prometheus": [
        sh("curl -s localhost:9090/metrics | grep queue_depth", f"queue_depth {480 - 19 * n}") for n in range(24)
    ],
    "rows left to migrate": [
        tool("execute_sql", {"query": "select count(*) from jobs where done = 0"}, f'[{{"count":{500 - 20 * n}}}]')
        for n in range(25)
    ],
    "rows left to migrate, as data": [
        tool("mcp__postgres__query", {"sql": "select count(*) from jobs"}, [{"count": 500 - 20 * n}]) for n in range(25)
    ],
    "rows left, as psql prints them": [
        bash("psql -c 'select count(*) from outbox'", f" count \n-------\n {900 - 41 * n:5}\n(1 row)\n") for n in range(20)
    ],
    "accuracies in per cent": [bash("python evaluate.py", f"accuracy: {62 + n * 13 % 29}%") for n in range(20)],
    "accuracies with decimals": [
        codex("python evaluate.py --seed random", f"accuracy {71.3 + (n * 7 % 40) / 10:.1f}%", wall=f"{4 + n % 3}.1") for n in range(20)
    ],
    "rows got one by one": [tool("get_row", {"table": "users"}, f"row {n}: active") for n in range(1, 25)],
    "rows got with a cursor inside the tool": [
        tool("get_row", {"cursor": "c1"}, f'{{"row":{n},"name":"Ann","age":{20 + n * 3 % 40}}}') for n in range(1, 25)
    ],
    "tasks taken from a list": [tool("get_next_task", {}, f"Task {n}: label image {1000 + n}.png") for n in range(1, 25)],
    "tasks taken from a list, by number alone": [tool("get_next_task", {}, f'{{"task":{n}}}') for n in range(1, 25)],
    "an environment stepped through": [
        tool("env_step", {"action": 1}, f"obs=({n}, {n * 3 % 7}) reward=0.{n % 4} done=False") for n in range(24)
    ],
    "an environment whose observation is a vector": [
        tool("env_step", {"action": 0}, {"obs": [n * 11 % 17, n % 5], "reward": 0, "done": False}) for n in range(24)
    ],
    "dice": [tool("roll_dice", {"sides": 6}, f"You rolled a {eyes}") for eyes in DICE],
    "dice as data": [tool("roll_dice", {"sides": 20}, {"result": eyes * 3 - n % 3}) for n, eyes in enumerate(DICE)],
    "numbers of a lottery": [sh("python draw.py", f"drawn: {n * 29 % 49 + 1}") for n in range(20)],
    "jobs popped from a queue": [tool("queue_pop", {"queue": "mail"}, f'{{"job":{300 + n},"left":{29 - n}}}') for n in range(29)],
    "jobs popped from Redis": [bash("redis-cli LPOP jobs", f"job:{7000 + n}\n") for n in range(24)],
    "messages received from a queue": [
        tool("sqs_receive", {"queue": "orders"}, {"MessageId": uuid(n), "Body": {"order": 5500 + n}}) for n in range(20)
    ],
    "a player who walks": [
        tool("move", {"direction": way}, f"player at ({x},{y})") for way, (x, y) in zip(WALK, WAY, strict=True)
    ],
    "a player who looks where he is": [tool("get_position", {}, f"player at ({x},{y})") for x, y in WAY],
    "a robot's position": [tool("get_pose", {}, {"x": n * 0.25, "y": round(n * 0.1, 1), "heading": n * 15}) for n in range(24)],
    "the mouse's position": [tool("computer", {"action": "cursor_position"}, f"X={40 + 13 * n},Y={500 - 7 * n}") for n in range(16)],
    "a port that is free": [bash("./free-port.sh", f"127.0.0.1:{49152 + 37 * n}\n") for n in range(16)],
    "connections listed": [
        sh("ss -tn state established | tail -1", f"0 0 10.0.0.5:443 10.0.{n % 3}.{20 + n}:{51000 + 113 * n}") for n in range(16)
    ],
    "a number drawn from a service": [tool("next_invoice_number", {}, f"INV-{2300 + n}") for n in range(18)],
    "pages by a token the tool keeps": [
        tool("next_page", {"list": "issues"}, {"items": [f"#{n * 3 + k}" for k in range(3)], "next": f"tok{n + 1}"}) for n in range(20)
    ],
    "pages by a cursor in JSON": [
        tool("list_orders", {"cursor": f"c{n}"}, {"orders": [{"id": 40 * n + k} for k in range(3)], "cursor": f"c{n + 1}"})
        for n in range(20)
    ],
    "a disk that fills": [
        bash("df -h /data | tail -1", f"/dev/sdb1       200G  {20 + 4 * n}G  {180 - 4 * n}G  {10 + 2 * n}% /data\n") for n in range(20)
    ],
    "an archive that grows": [
        bash("ls -l backup.tar", f"-rw-r--r-- 1 dev dev {1048576 * (n + 1)} Nov 16 09:{n:02} backup.tar\n") for n in range(20)
    ],
    "an archive that grows, its size alone": [sh("du -sh out/", f"{12 + 7 * n}M\tout/") for n in range(20)],
    "memory of a process": [sh("ps -o rss= -p 4121", f"{20480 + 412 * n}") for n in range(20)],
    "files in a folder that fills": [bash("ls out | wc -l", f"{24 * n}\n") for n in range(1, 21)],
    "a benchmark with other numbers each time": [
        bash("python bench.py", f"{1180 + n * 37 % 90} requests per second") for n in range(14)
    ],
    "a benchmark of which only the duration counts": [
        sh("hyperfine --runs 1 ./a.out | grep Time", f"  Time (abs ≡):        {312 + n * 29 % 70}.4 ms") for n in range(5)
    ],
    "a simulation with a score": [tool("run_simulation", {"policy": "greedy"}, {"score": 140 + n * 23 % 60}) for n in range(16)],
    "a share price": [tool("get_quote", {"symbol": "ACME"}, f"ACME 41.{n * 17 % 90 + 10}") for n in range(16)],
    "a version that counts up": [gemini("cat VERSION && ./bump.sh", f"1.4.{n}") for n in range(16)],
    "two sensors in turn": rounds(
        12, lambda n: tool("read_sensor", {"id": "in"}, f"level:{40 + n * 7 % 23}"), lambda n: tool("read_sensor", {"id": "out"}, f"level:{12 + n * 5 % 17}")
    ),
    "a progress file and a disk in turn": rounds(
        14, lambda n: bash("cat progress.txt", f"{7 * n} %"), lambda n: bash("df --output=pcent /data | tail -1", f" {30 + 2 * n}%")
    ),
    "a progress file between other looks": rounds(
        10, lambda n: sh("cat progress.txt", f"row {500 * n}"), lambda n: read(f"src/m{n}.py", f"LIMIT = {n * 8}"), lambda n: read(f"tests/test_m{n}.py", f"def test_{n}(): ...")
    ),
    "three numbers of a database in turn": rounds(
        10,
        lambda n: tool("execute_sql", {"query": "select count(*) from inbox"}, f'[{{"count":{900 - 80 * n}}}]'),
        lambda n: tool("execute_sql", {"query": "select count(*) from outbox"}, f'[{{"count":{80 * n}}}]'),
        lambda n: tool("execute_sql", {"query": "select max(id) from log"}, f'[{{"max":{7000 + 81 * n}}}]'),
    ),
    "line numbers that move": [
        bash("grep -n 'def total' cart.py", f"{40 + 3 * n}:def total(items):\n") for n in range(6)
    ],
}  # fmt: skip
