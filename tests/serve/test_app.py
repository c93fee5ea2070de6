"""What the service shows and takes in over HTTP."""

import json
import time
from http.client import HTTPConnection

import pytest

from headway.hosts.hook.call import respond
from tests.hosts.hook.programs import Program, refusal_in
from tests.serve.running import TOKEN
from tests.serve.test_spending import recorded


class OverHttp(Program):
    """An agent whose hooks are HTTP requests."""

    def __init__(self, client, agent="claude-code", session="s1"):
        super().__init__(agent, session)
        self.client = client

    def _ask(self, data):
        answer = self.client.post(f"/hook/{self.agent}?mode=enforce", data)
        assert answer.status == 200
        return answer.json() if answer.content else {}


def sessions(client):
    return client.get("/api/sessions").json()["sessions"]


def shown(client, wanted, seconds=5.0):
    """Ask until the dashboard shows what is wanted."""
    end = time.monotonic() + seconds
    while not wanted(found := sessions(client)) and time.monotonic() < end:
        time.sleep(0.02)
    return found


def test_an_agent_is_told_and_refused_over_http_as_through_a_process(client):
    program, beside = OverHttp(client, session="session-1"), Program("claude-code", "session-2")
    for _ in range(6):
        assert beside.step("cat x", "No such file") == program.step("cat x", "No such file")

    assert refusal_in(program.step("cat x", "No such file")[0])


def test_sessions_of_the_service_and_of_hook_processes_are_shown(client):
    OverHttp(client).step("ls", "a.py")
    Program("codex", "s2").step("ls", "a.py")

    found = shown(client, lambda all: [1, 1] == [one["steps"] for one in all])

    assert {("claude-code", "s1"), ("codex", "s2")} == {(one["host"], one["session"]) for one in found}
    assert {"working"} == {one["state"] for one in found}
    assert ["ls"] == [cell["title"] for cell in found[0]["cells"]]


def test_one_session_has_its_steps_findings_and_what_the_agent_was_told(client):
    program = OverHttp(client)
    for _ in range(3):
        told = program.step("cat x", "No such file")[1]
    id = shown(client, lambda all: all and all[0]["steps"] == 3)[0]["id"]

    detail = client.get(f"/api/sessions/{id}").json()

    assert [1, 2, 3] == [step["number"] for step in detail["timeline"]]
    assert [3] == [step["number"] for step in client.get(f"/api/sessions/{id}?after=2").json()["timeline"]]
    assert "exact_cycle" in {finding["detector"] for finding in detail["findings"]}
    assert detail["decisions"][0]["message"] in told["hookSpecificOutput"]["additionalContext"]


def test_a_stream_begins_with_all_sessions_and_goes_on_with_changes(client):
    connection = HTTPConnection(client.host, timeout=120)
    connection.request("GET", "/api/events", headers={"authorization": f"Bearer {TOKEN}"})
    stream = connection.getresponse()
    first = [stream.readline(), stream.readline(), stream.readline()]
    Program("claude-code").step("ls", "a.py")
    second = [stream.readline(), stream.readline(), stream.readline()]
    connection.close()

    assert [b"event: sessions\n", b"\n"] == [first[0], first[2]]
    assert [] == json.loads(first[1].removeprefix(b"data: "))["sessions"]
    assert [b"event: change\n", b"\n"] == [second[0], second[2]]
    assert ["s1"] == [one["session"] for one in json.loads(second[1].removeprefix(b"data: "))["changed"]]


def test_allow_lets_the_next_call_through(client):
    program = OverHttp(client)
    for _ in range(8):
        refused = refusal_in(program.step("cat x", "No such file")[0])
    id = shown(client, lambda all: all[0]["verdict"] in ("block", "stop"))[0]["id"]

    answer = client.post(f"/api/sessions/{id}/allow")

    assert refused
    assert answer.json()["done"].startswith("Refused calls may run again")
    assert "" == refusal_in(program.step("cat x", "No such file")[0])


def test_the_service_goes_on_where_a_hook_process_left_and_the_other_way_round(client):
    data = [Program("claude-code")._batch(f"make {n}", "built") for n in range(20)]
    for number, one in enumerate(data):
        one["tool_calls"][0]["tool_use_id"] = f"call-{number}"
        if number % 3:
            client.post("/hook/claude-code", one)
        else:
            respond(json.dumps(one).encode(), ["--agent", "claude-code"])

    assert 20 == shown(client, lambda all: all[0]["steps"] == 20)[0]["steps"]


def test_a_database_that_is_damaged_while_the_service_has_it_open_is_moved_aside(client, state):
    OverHttp(client).step("ls", "a.py")
    (state / "sessions.db").write_bytes(b"no database" * 1000)

    OverHttp(client, session="s2").step("ls", "a.py")

    assert (state / "sessions.db.damaged").exists()
    assert ["s2"] == [one["session"] for one in shown(client, lambda all: all and all[0]["session"] == "s2")]


def test_a_muted_detector_has_no_consequences_in_this_project(client):
    program = OverHttp(client)
    for _ in range(3):
        program.step("cat x", "No such file")
    one = shown(client, lambda all: all and all[0]["finding"])[0]
    detectors = {finding["detector"] for finding in client.get(f"/api/sessions/{one['id']}").json()["findings"]}

    answers = [client.post(f"/api/sessions/{one['id']}/mute", {"detector": id, "for": "day"}) for id in detectors]
    told = [OverHttp(client, session="s2").step("cat x", "No such file") for _ in range(4)]

    assert {200} == {answer.status for answer in answers}
    assert "for a day" in answers[0].json()["done"]
    assert [({}, {})] * 4 == told


def test_stop_ends_a_session_at_its_next_call(client):
    program = OverHttp(client)
    program.step("ls", "a.py")
    id = shown(client, lambda all: all)[0]["id"]

    answer = client.post(f"/api/sessions/{id}/stop")

    assert "stopped at its next call" in answer.json()["done"]
    assert refusal_in(program.step("make", "built")[0]).startswith("Headway stopped this run")


def test_a_person_who_speaks_in_a_stopped_terminal_agent_lets_it_go_on(client):
    program = OverHttp(client)
    program.step("ls", "a.py")
    client.post(f"/api/sessions/{shown(client, lambda all: all)[0]['id']}/stop")
    program.prompt("Go on with the build.")
    assert [{}, {}] == list(program.step("make", "built"))


def test_an_order_that_cannot_be_followed_is_refused(client):
    OverHttp(client).step("ls", "a.py")
    id = shown(client, lambda all: all)[0]["id"]

    asked = [(f"/api/sessions/{id}/mute", {"detector": "exact_cycle", "for": "day"}), (f"/api/sessions/{id}/dance", {}),
             ("/api/sessions/unknown/allow", {}), (f"/api/sessions/{id}/mute", ["a list"])]  # fmt: skip
    answers = [client.post(path, data) for path, data in asked]

    assert [400, 404, 404, 400] == [answer.status for answer in answers]
    assert all(answer.json()["error"].isprintable() for answer in answers)


def test_figures_for_prometheus(client):
    program = OverHttp(client)
    for _ in range(3):
        program.step("cat x", "No such file")

    lines = client.get("/metrics").content.decode().splitlines()

    assert 'headway_steps{agent="claude-code"} 3' in lines
    assert any(line.startswith('headway_decisions{detector="exact_cycle",action="nudge"} 1') for line in lines)
    assert any(line.startswith("headway_sessions{state=") for line in lines)
    assert "headway_hook_seconds_count 6" in lines
    assert 'headway_hook_seconds_bucket{le="+Inf"} 6' in lines


def test_a_sub_agent_is_not_shown_with_what_the_main_agent_has_spent(client, state):
    path = recorded(state.parent / "s1.jsonl", "claude-sonnet-4-5")
    data = Program("claude-code").spelled("before", command="ls") | {"transcript_path": str(path)}
    for agent in ({}, {"agent_id": "a1"}, {"agent_id": "a2"}):
        assert 200 == client.post("/hook/claude-code", data | agent).status

    found = shown(client, lambda all: any(one["tokens"] for one in all), seconds=20.0)

    assert {"": 1_100_000, "a1": 0, "a2": 0} == {one["agent"]: one["tokens"] for one in found}
    assert [None, None] == [one["cost_usd"] for one in found if one["agent"]]
    assert b'headway_tokens{agent="claude-code"} 1100000' in client.get("/metrics").content


@pytest.mark.parametrize(("event", "still"), [("Stop", "idle"), ("SessionEnd", "done")])
def test_allow_does_not_make_an_agent_work_that_has_ended(client, event, still):
    program = OverHttp(client)
    for _ in range(8):
        program.step("cat x", "No such file")
    client.post(
        "/hook/claude-code?mode=enforce", program.spelled("end", again=False, message="") | {"hook_event_name": event}
    )
    id = sessions(client)[0]["id"]

    done = [client.post(f"/api/sessions/{id}/allow").json()["done"] for _ in range(2)]

    assert still == sessions(client)[0]["state"]
    assert "Refused calls may run again. May repeat in this project: Bash cat x." == done[0]
    assert "Counting starts again." == done[1]


def test_a_database_that_cannot_be_read_is_said_to_be(client, state):
    OverHttp(client).step("ls", "a.py")
    id = sessions(client)[0]["id"]
    (state / "sessions.db").write_bytes(b"no database" * 1000)

    answers = [client.get(f"/api/sessions/{id}"), client.post(f"/api/sessions/{id}/stop")]

    assert [503, 503] == [answer.status for answer in answers]
    assert "the database of live sessions cannot be used now: file is not a database" == answers[0].json()["error"]


def test_sessions_of_a_new_database_are_not_taken_for_those_of_the_one_before(client, state):
    OverHttp(client, session="s1").step("ls", "a.py")
    assert ["s1"] == [one["session"] for one in sessions(client)]
    (state / "sessions.db").rename(state / "sessions.db.damaged")
    OverHttp(client, session="s2").step("ls", "a.py")

    assert ["s2"] == [one["session"] for one in sessions(client)]


def test_the_number_of_a_step_has_few_digits(client):
    OverHttp(client).step("ls", "a.py")
    answer = client.get(f"/api/sessions/{sessions(client)[0]['id']}?after={'9' * 5000}")
    assert (400, "`after` must be the number of a step") == (answer.status, answer.json()["error"])
