"""What the proxy does with each line, without any process."""

import json

import pytest

from headway.hosts.mcp.transit import NEW_TURN_AFTER, Transit
from headway.rolling.dates import seconds_in


class Connection:
    """A client that calls, and a server that answers."""

    def __init__(self, **options):
        self.now = 0.0
        self.transit = Transit(clock=lambda: self.now, **options)
        self.ids = iter(range(1, 1000))

    def ask(self, name="look", arguments=None, id=None):
        """Send a call: what the server gets, what the client gets at once, and the id."""
        id = next(self.ids) if id is None else id
        return *self.transit.from_client(line(request(id, name, arguments))), id

    def call(self, text="nothing new", **asked):
        """Make a call: what the client gets."""
        _, answer, id = self.ask(**asked)
        return json.loads(answer or self.transit.from_server(line(response(id, text))))

    def said(self, **asked):
        return [block["text"] for block in self.call(**asked)["result"]["content"]]


def request(id, name="look", arguments=None):
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments or {}}}


def response(id, text="nothing new"):
    return {"jsonrpc": "2.0", "id": id, "result": {"content": [{"type": "text", "text": text}], "isError": False}}


def line(message):
    return json.dumps(message).encode() + b"\n"


def refused(connection):
    """A connection in which the call `look` is refused."""
    while "isError" not in (got := connection.call()["result"]) or not got["isError"]:
        pass
    return connection


@pytest.mark.parametrize(
    "odd",
    [
        b"\n",
        b"   \r\n",
        b"no JSON\n",
        b"\xff\xfe\n",
        b"[]\n",
        b"[1, null]\n",
        b"[" * 5000 + b"\n",
        b'"text"\n',
        b'{"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1}}\n',
        b'{"jsonrpc":"2.0","id":9,"method":"tools/call"}\r\n',
        b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":[1]}\n',
        b'{"jsonrpc":"2.0","id":[9],"method":"tools/call","params":{"name":"look"}}\n',
        b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"look"}}\n',
        b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"look","arguments":7}}\n',
        b'{"jsonrpc":"2.0","id":10,"method":"sampling/createMessage","params":{"big":12345678901234567890.0}}\n',
        b'{"jsonrpc":"2.0","id":11,"result":{"content":[]}}',
        b'{"jsonrpc":"2.0","id":1e400,"result":{}}\n',
        b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}\n',
    ],
)
def test_every_other_line_is_passed_on_as_it_is(odd):
    transit = Transit()
    for _ in range(12):
        assert (odd, b"") == transit.from_client(odd)
        assert odd == transit.from_server(odd)


def test_honest_calls_and_their_results_keep_every_byte():
    transit = Transit()
    for number in range(30):
        asked = b'{ "id":%d,"method" : "tools/call","params":{"name":"look","arguments":{"at":%d.0}}}\r\n' % (
            number,
            number,
        )
        answer = b'{"result":{"content" :[{"type":"text","text":"\\u00e4 %d"}],"x":1.50},"id":%d}\n' % (number, number)
        assert (asked, b"") == transit.from_client(asked)
        assert answer == transit.from_server(answer)


def test_a_loop_is_told_refused_and_stopped():
    connection = Connection()
    said = [connection.said() for _ in range(7)]
    assert [["nothing new"]] * 2 == said[:2]
    assert "nothing new" == said[2][0] and said[2][1].startswith("[headway] ")
    assert said[3][0].startswith("[headway] This call was not run.")
    assert said[6][0].startswith("Stopped by Headway (exact_cycle)")
    passed, answer, _ = connection.ask(name="other")
    assert b"" == passed and json.loads(answer)["result"]["isError"], "the server does not see it"


def test_a_nudge_changes_nothing_else_in_the_result():
    connection = Connection()
    connection.call()
    connection.call()
    _, _, id = connection.ask()
    raw = (
        b'{"id":%d,"result":{"structuredContent":{"n":1.50},"content":[{"type":"text","text":"nothing new"}],"_meta":{"k":12345678901234567890}}}\r\n'
        % id
    )
    got = connection.transit.from_server(raw)
    assert (
        b'"structuredContent":{"n":1.50},"content":[{"type":"text","text":"nothing new"},{"type":"text","text":"[headway] '
        in got
    )
    assert got.endswith(b'"}],"_meta":{"k":12345678901234567890}}}\r\n')


def test_a_loop_of_errors_is_told_in_the_message_of_the_error():
    connection, told = Connection(), []
    for _ in range(3):
        _, _, id = connection.ask()
        failure = line({"jsonrpc": "2.0", "id": id, "error": {"code": -32602, "message": "unknown tool: look"}})
        told.append(json.loads(connection.transit.from_server(failure))["error"])
    assert all(-32602 == one["code"] and one["message"].startswith("unknown tool: look") for one in told)
    assert "\n\n[headway] " in told[-1]["message"]


def test_a_pause_begins_a_new_turn():
    connection = refused(Connection())
    connection.now += NEW_TURN_AFTER - 1
    assert connection.call()["result"]["isError"]
    connection.now += NEW_TURN_AFTER + 1
    assert ["nothing new"] == connection.said()


def test_the_default_of_the_command_is_the_same_pause():
    assert NEW_TURN_AFTER == seconds_in("5m")


def test_a_new_connection_begins_anew():
    connection = refused(Connection())
    connection.transit.from_client(line({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}}))
    assert ["nothing new"] == connection.said()


def test_a_cancelled_call_is_forgotten_and_a_late_answer_is_passed_on():
    connection = Connection()
    for number in range(12):
        _, _, id = connection.ask(id=number)
        cancel = line({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
        assert (cancel, b"") == connection.transit.from_client(cancel)
        assert {} == connection.transit._open
        late = line(response(id))
        assert late == connection.transit.from_server(late)


def test_a_task_or_a_question_is_no_result():
    connection = Connection()
    for _ in range(12):
        _, answer, id = connection.ask()
        assert b"" == answer
        task = line({"jsonrpc": "2.0", "id": id, "result": {"task": {"taskId": "t", "status": "working"}}})
        assert task == connection.transit.from_server(task)


def test_calls_that_overlap_were_asked_for_together():
    connection = Connection()
    ids = [connection.ask()[2] for _ in range(8)]
    answers = [line(response(id)) for id in ids]
    assert answers == [connection.transit.from_server(answer) for answer in answers]


def test_a_call_without_an_answer_does_not_hide_a_loop_for_long():
    connection = Connection()
    connection.ask(name="hangs")
    answers = [connection.call() for _ in range(7)]
    assert [False] * 6 + [True] == [answer["result"]["isError"] for answer in answers]


def test_a_call_without_an_answer_does_not_keep_a_turn_open():
    connection = Connection()
    connection.ask(name="hangs")
    refused(connection)
    connection.now = NEW_TURN_AFTER + 1
    assert ["nothing new"] == connection.said()


def test_ids_of_another_type_are_other_calls():
    connection = Connection()
    connection.ask(id=1)
    connection.ask(id="1")
    assert {1, "1"} == set(connection.transit._open)


def test_a_batch_loses_only_the_refused_calls_and_is_answered_as_a_whole():
    connection = refused(Connection())
    ping = {"jsonrpc": "2.0", "id": "p", "method": "ping"}
    passed, answer = connection.transit.from_client(line([request(901), ping, request(902)]))
    assert [ping] == json.loads(passed) and b"" == answer
    pong = {"jsonrpc": "2.0", "id": "p", "result": {}}
    whole = json.loads(connection.transit.from_server(line([pong])))
    assert pong == whole[0] and [901, 902] == [one["id"] for one in whole[1:]]
    assert all(one["result"]["isError"] for one in whole[1:])
    assert line(pong) == connection.transit.from_server(line(pong)), "they are answered once"


def test_a_batch_that_the_server_answers_one_by_one_is_complete_too():
    connection = refused(Connection())
    connection.transit.from_client(line([request(901), {"jsonrpc": "2.0", "id": "p", "method": "ping"}]))
    pong = {"jsonrpc": "2.0", "id": "p", "result": {}}
    first, second = connection.transit.from_server(line(pong)).splitlines()
    assert [901] == [one["id"] for one in json.loads(first)] and pong == json.loads(second)


def test_a_batch_of_refused_calls_and_notifications_is_answered_at_once():
    connection = refused(Connection())
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    passed, answer = connection.transit.from_client(line([request(901), note]))
    assert [note] == json.loads(passed) and [901] == [one["id"] for one in json.loads(answer)]
    assert (b"", 902) == (connection.transit.from_client(line([request(902)]))[0], 902)


def test_a_batch_is_watched_call_by_call():
    connection = Connection()
    pong = {"jsonrpc": "2.0", "id": "p", "result": {}}
    for number in range(3):
        asked = line([request(number), {"jsonrpc": "2.0", "id": "p", "method": "ping"}])
        assert (asked, b"") == connection.transit.from_client(asked)
        first, second = json.loads(connection.transit.from_server(line([response(number), pong])))
    assert 2 == len(first["result"]["content"]) and pong == second


def test_in_the_mode_nudge_nothing_is_refused_and_in_observe_nothing_is_said():
    nudging, observing = (Connection(settings={"policy": {"mode": mode}}) for mode in ("nudge", "observe"))
    told = [nudging.said() for _ in range(12)]
    assert all("nothing new" == one[0] for one in told) and any(len(one) == 2 for one in told)
    assert [["nothing new"]] * 12 == [observing.said() for _ in range(12)]


def test_equal_pictures_are_seen_as_equal_and_others_are_not():
    def pictures(data):
        connection, blocks = Connection(), 0
        for _ in range(3):
            _, _, id = connection.ask()
            answer = {
                "jsonrpc": "2.0",
                "id": id,
                "result": {"content": [{"type": "image", "data": next(data), "mimeType": "image/png"}]},
            }
            blocks = len(json.loads(connection.transit.from_server(line(answer)))["result"]["content"])
        return blocks

    assert 1 == pictures(iter(["QUJD", "REVG", "R0hJ"]))
    assert 2 == pictures(iter(["QUJD"] * 3))


def test_very_large_lines_are_passed_on():
    connection = Connection()
    text = "x" * 5_000_000
    _, _, id = connection.ask(arguments={"text": text})
    answer = line(response(id, text))
    assert answer == connection.transit.from_server(answer)
