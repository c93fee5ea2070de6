"""Repeats that the user asked for, by what was asked."""

from tests.agent_calls import bash, failing, sh, tool

STREAMS = {
    "Please run this test ten times and tell me how often it fails": [failing("pytest -q")] * 10,
    "run t.py 10x": [bash("pytest -q t.py", "5 passed in 0.31s")] * 10,
    "run the simulation 20 times": [bash("python sim.py", "ok")] * 20,
    "test_a is flaky, find out why": [failing("pytest -q -k test_a")] * 8,
    "click the button five times": [tool("mcp__browser__click", {"ref": "e7"}, "clicked")] * 5,
    "Call the endpoint 20 times and count the 503s, please": [
        sh("curl -s -o /dev/null -w '%{http_code}' localhost:8000/buy", "503" if n % 3 else "200") for n in range(20)
    ],
    "Run the benchmark 12 times and take the median": [bash("./bench", "score 1180")] * 12,
    "press Tab fifteen times, then Enter": [tool("browser_press_key", {"key": "Tab"}, "Pressed Tab")] * 15,
    "The login test is intermittent. Rerun it a few times and look for a pattern": [
        sh("npx jest login", "Tests: 1 failed, 1 total" if n % 4 == 0 else "Tests: 1 passed, 1 total") for n in range(10)
    ],
    "repeat the request thirty times": [tool("http_request", {"url": "http://localhost/a"}, {"status": 200, "body": "ok"})] * 30,
    "Start five workers": [tool("start_worker", {}, "started")] * 5,
    "Please make it louder, eight steps": [tool("volume_up", {}, "ok")] * 8,
    "Make the picture eight steps brighter": [tool("brighter", {}, "ok")] * 8,
    "Press the Tab key 12 times and tell me where the focus is": [tool("press", {"keys": "Tab"}, "ok")] * 12,
    "Chaos test: scale the shop up and down 6 times": [
        step for _ in range(6) for step in (tool("scale_up", {"name": "shop"}, "scaled"), tool("scale_down", {"name": "shop"}, "scaled"))
    ],
    "Move the robot 7 squares to the left": [tool("robot", {"go": "left"}, "ok")] * 7,
    "Add three more seats to the table": [tool("add_seat", {"table": 4}, "added")] * 3,
    "Send a ping ten times, one after the other": [tool("ping", {"host": "db"}, "pong")] * 10,
}  # fmt: skip
