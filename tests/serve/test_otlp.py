"""OpenTelemetry in: what exporters send becomes sessions with findings."""

import gzip
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.error import URLError

import pytest
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

from headway.cli import run
from headway.serve.upstream import Upstream
from headway.store.faults import read_faults
from tests.hosts.hook.programs import Program
from tests.serve.running import TOKEN

BINARY = "application/x-protobuf"


def attribute(name, value):
    kind = {bool: "boolValue", int: "intValue", float: "doubleValue", str: "stringValue"}[type(value)]
    return {"key": name, "value": {kind: value}}


def span(number, *, trace="a" * 32, failed=False, **attributes):
    given = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "search", "gen_ai.tool.call.id": f"c{number}"}
    given |= {"gen_ai.tool.call.arguments": '{"query": "login"}', "gen_ai.tool.call.result": "nothing found"}
    given |= {name.replace("__", "."): value for name, value in attributes.items()}
    return {
        "traceId": trace, "spanId": f"{number:016x}", "name": "execute_tool search",
        "startTimeUnixNano": str(1_700_000_000_000_000_000 + number * 10**9),
        "endTimeUnixNano": str(1_700_000_000_500_000_000 + number * 10**9),
        "status": {"code": 2} if failed else {}, "attributes": [attribute(*pair) for pair in given.items() if pair[1] != ""],
    }  # fmt: skip


def request(*spans, service="my-agent"):
    resource = {"attributes": [attribute("service.name", service)]}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": list(spans)}]}]}


def logs(*records, service):
    resource = {"attributes": [attribute("service.name", service)]}
    found = [
        {"timeUnixNano": str(1_700_000_000_000_000_000 + number * 10**9), "eventName": name,
         "attributes": [attribute(*pair) for pair in given.items()]}
        for number, (name, given) in enumerate(records)
    ]  # fmt: skip
    return {"resourceLogs": [{"resource": resource, "scopeLogs": [{"logRecords": found}]}]}


def send(client, data, signal="traces"):
    answer = client.post(f"/v1/{signal}", data, content_type="application/json")
    assert (200, {}) == (answer.status, answer.json())


def only(client):
    (one,) = client.get("/api/sessions").json()["sessions"]
    return one, client.get(f"/api/sessions/{one['id']}").json()


def test_a_loop_in_spans_is_found_and_what_would_have_been_done_is_recorded(client):
    for number in range(4):
        send(client, request(span(number)))

    one, detail = only(client)
    assert ("my-agent", 4, "search") == (one["host"], one["steps"], one["last_tool"])
    assert "exact_cycle" in {finding["detector"] for finding in detail["findings"]}
    assert "nudge" == detail["decisions"][-1]["action"] and detail["decisions"][-1]["would"]
    assert [1, 2, 3, 4] == [step["number"] for step in detail["timeline"]]
    assert [] == read_faults()


def test_spans_that_are_sent_again_count_once(client):
    for _ in range(3):
        send(client, request(span(1), span(2, gen_ai__tool__call__result="found")))

    assert 2 == only(client)[0]["steps"]


def test_a_session_goes_on_after_the_service_was_started_again(client, state):
    from tests.serve.running import Running

    send(client, request(span(1), span(2)))
    with Running(state.parent / "second") as second:
        send(second, request(span(2), span(3)))
        assert 3 == only(second)[0]["steps"]
        assert "exact_cycle" in {finding["detector"] for finding in only(second)[1]["findings"]}


def test_a_conversation_may_have_many_traces(client):
    for number in range(6):
        send(client, request(span(number, trace=f"{number:032x}", gen_ai__conversation__id="talk")))

    assert ("talk", 6) == (only(client)[0]["session"], only(client)[0]["steps"])


def test_what_the_user_said_begins_a_turn(client):
    said = json.dumps([{"role": "user", "parts": [{"type": "text", "content": "find the login"}]}])
    model = {"gen_ai__operation__name": "chat", "gen_ai__input__messages": said}
    send(client, request(span(1, **model, gen_ai__tool__name="", gen_ai__tool__call__id=""), span(2), span(3)))

    assert ("find the login", 2) == (only(client)[0]["prompt"], only(client)[0]["steps"])


def test_results_that_were_not_recorded_are_equal_to_nothing(client):
    for number in range(6):
        send(client, request(span(number, gen_ai__tool__call__result="")))

    assert [] == only(client)[1]["findings"]


def test_tokens_and_cost_are_added_up(client):
    model = {"gen_ai__operation__name": "chat", "gen_ai__usage__input_tokens": 100, "gen_ai__usage__output_tokens": 7}
    send(client, request(span(1), span(2, **model, gen_ai__usage__cost=0.25), span(3, **model)))

    one = only(client)[0]
    assert (214, 0.25, 1) == (one["tokens"], one["cost_usd"], one["steps"])
    assert 'headway_tokens{agent="my-agent"} 214' in client.get("/metrics").content.decode()
    assert 'headway_cost_usd{agent="my-agent"} 0.250000' in client.get("/metrics").content.decode()


@pytest.mark.parametrize("packing", [Compression.NoCompression, Compression.Gzip], ids=["plain", "gzip"])
def test_the_exporter_of_the_python_sdk(client, packing):
    """The real one, over http/protobuf."""
    headers = {"authorization": f"Bearer {TOKEN}"}
    exporter = OTLPSpanExporter(f"http://{client.host}/v1/traces", headers=headers, compression=packing)
    provider = TracerProvider(resource=Resource.create({}))
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("test")
    with tracer.start_as_current_span("run"):
        for _ in range(3):
            with tracer.start_as_current_span("execute_tool grep") as one:
                one.set_attributes({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "grep",
                                    "gen_ai.tool.call.arguments": '{"pattern": "x"}',
                                    "gen_ai.tool.call.result": ""})  # fmt: skip
    provider.shutdown()

    one, detail = only(client)
    assert ("opentelemetry", 3, "continue") == (one["host"], one["steps"], one["verdict"])
    assert detail["findings"]


def test_claude_codes_own_telemetry(client):
    tool = {"session.id": "s1", "tool_name": "Bash", "tool_parameters": '{"command": "cat x"}', "success": "false",
            "error": "No such file"}  # fmt: skip
    used = {"session.id": "s1", "input_tokens": 10, "output_tokens": 5, "cost_usd": 0.5}
    send(client, logs(("user_prompt", {"session.id": "s1", "prompt": "please"}), ("tool_result", tool), ("api_request", used),
                      ("tool_result", tool), ("tool_result", tool), service="claude-code"), "logs")  # fmt: skip

    one, detail = only(client)
    assert ("claude-code telemetry", "please", 3, 15, 0.5) == (
        one["host"],
        one["prompt"],
        one["steps"],
        one["tokens"],
        one["cost_usd"],
    )
    assert detail["findings"]


def test_telemetry_of_a_session_that_a_hook_reports_adds_only_what_was_used(client):
    program = Program("claude-code")
    program.step("ls", "a.py")
    tool = {"session.id": "s1", "tool_name": "Bash", "tool_parameters": '{"command": "ls"}', "success": "true"}
    used = {"session.id": "s1", "input_tokens": 10, "output_tokens": 5, "cost_usd": 0.5}
    send(client, logs(("tool_result", tool), ("api_request", used), service="claude-code"), "logs")
    program.step("ls -l", "a.py")

    one = only(client)[0]
    assert (2, 15, 0.5) == (one["steps"], one["tokens"], one["cost_usd"])


@pytest.mark.parametrize("is_first", [True, False], ids=["telemetry first", "transcript first"])
def test_a_response_in_telemetry_and_in_the_transcript_is_counted_once(client, tmp_path, is_first):
    (tmp_path / "headway.toml").write_text("[global]\nmax_cost_usd = 5\n")
    transcript, program = tmp_path / "s1.jsonl", Program("claude-code", mode="nudge")
    spelled, known = program.spelled, {"cwd": str(tmp_path), "transcript_path": str(transcript)}
    program.spelled = lambda *given, **said: spelled(*given, **said) | known
    usage = {"input_tokens": 10, "output_tokens": 5}
    reported = {"session.id": "s1", "cost_usd": 0.5, **usage}
    message = {"id": "m1", "model": "claude-sonnet-4-5", "usage": usage}
    program.prompt("please do it")
    if is_first:
        send(client, logs(("api_request", reported), service="claude-code"), "logs")
    transcript.write_text(json.dumps({"type": "assistant", "requestId": "r1", "message": message}) + "\n")
    program.step("ls", "a.py")
    if not is_first:
        send(client, logs(("api_request", reported), service="claude-code"), "logs")
    program.step("ls -l", "a.py")

    one = only(client)[0]
    assert 15 == one["tokens"] and one["cost_usd"] == pytest.approx(0.5 if is_first else 0.000105)


def test_a_hook_that_begins_later_than_telemetry_is_listened_to(client):
    used = {"session.id": "s1", "input_tokens": 10, "output_tokens": 5, "cost_usd": 0.5}
    send(client, logs(("user_prompt", {"session.id": "s1", "prompt": "please"}), service="claude-code"), "logs")
    program = Program("claude-code")
    told = [program.step("cat x", "No such file")[1] for _ in range(3)]
    send(client, logs(("api_request", used), service="claude-code"), "logs")

    found = {one["host"]: (one["steps"], one["tokens"]) for one in client.get("/api/sessions").json()["sessions"]}
    assert told[-1]
    assert {"claude-code": (3, 15), "claude-code telemetry": (0, 0)} == found


def test_codexs_own_telemetry(client):
    tool = {"conversation.id": "t1", "tool_name": "shell", "arguments": '{"command": "cat x"}', "output": "No such file",
            "success": "false"}  # fmt: skip
    calls = [("codex.tool_result", tool | {"call_id": f"c{number}"}) for number in range(3)]
    used = {"conversation.id": "t1", "input_token_count": "20", "output_token_count": "4"}
    send(client, logs(("codex.user_prompt", {"conversation.id": "t1", "prompt": "do it"}), *calls,
                      ("codex.sse_event", used), service="codex_cli_rs"), "logs")  # fmt: skip

    one, detail = only(client)
    assert ("codex telemetry", "t1", "do it", 3, 24) == (
        one["host"],
        one["session"],
        one["prompt"],
        one["steps"],
        one["tokens"],
    )
    assert detail["findings"]


def test_spans_that_are_not_about_agents_are_no_sessions(client):
    plain = span(1) | {"attributes": [attribute("http.route", "/")]}
    send(client, request(plain))

    assert [] == client.get("/api/sessions").json()["sessions"]


def test_a_session_of_telemetry_cannot_be_told_anything(client):
    send(client, request(span(1)))
    one = only(client)[0]

    for order in ("allow", "stop"):
        answer = client.post(f"/api/sessions/{one['id']}/{order}")
        assert (409, "this session is known from telemetry only, so nothing can be sent to it") == (
            answer.status,
            answer.json()["error"],
        )


@pytest.mark.parametrize(("body", "headers", "status"), [
    (b"no json", {"content_type": "application/json"}, 400), (b"[1]", {"content_type": "application/json"}, 400),
    (b"\x00\xff\x01", {"content_type": BINARY}, 400), (b"{}", {"content_type": "text/plain"}, 415), (b"{}", {}, 415),
    (b"{}", {"content_type": BINARY, "content_encoding": "br"}, 415),
    (b"no gzip", {"content_type": BINARY, "content_encoding": "gzip"}, 400),
    (gzip.compress(b"x" * 20_000_000, mtime=0), {"content_type": BINARY, "content_encoding": "gzip"}, 413),
    (gzip.compress(b"{}", mtime=0)[:-3], {"content_type": "application/json", "content_encoding": "gzip"}, 413),
])  # fmt: skip
def test_a_bad_request_gets_one_line(client, body, headers, status):
    for signal in ("traces", "logs"):
        answer = client.ask("POST", f"/v1/{signal}", body, **headers)
        assert status == answer.status
        assert 1 == len(answer.json()["error"].splitlines())
    assert [] == read_faults()
    assert 404 == client.post("/v1/metrics", {}).status


@pytest.mark.parametrize("odd", [{"resourceSpans": 7}, {"resourceSpans": [7, {"scopeSpans": [{"spans": [{}, 7]}]}]},
                                 {"resourceLogs": [{"scopeLogs": [{"logRecords": [{"attributes": 7}]}]}]}, {}])  # fmt: skip
def test_odd_values_are_skipped(client, odd):
    send(client, odd)

    assert [] == read_faults()


def test_findings_go_to_another_endpoint(state):
    got = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self):
            got.append((self.path, json.loads(self.rfile.read(int(self.headers["content-length"])))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    Program("claude-code", "old").step("ls", "a.py")
    collector = HTTPServer(("127.0.0.1", 0), Collector)
    thread = threading.Thread(target=collector.serve_forever)
    thread.start()
    upstream = Upstream(f"http://127.0.0.1:{collector.server_port}")
    program = Program("claude-code")
    for _ in range(3):
        program.step("cat x", "No such file")
    sent = [upstream.send(), upstream.send()]
    collector.shutdown()
    thread.join()
    collector.server_close()

    assert [1, 0] == sent
    ((path, data),) = got
    (record,) = data["resourceLogs"][0]["scopeLogs"][0]["logRecords"]
    told = {pair["key"]: pair["value"] for pair in record["attributes"]}
    assert "/v1/logs" == path
    assert {"stringValue": "exact_cycle"} == told["headway.detector"]
    assert {"stringValue": "s1"} == told["gen_ai.conversation.id"]
    assert "3 times in a row" in record["body"]["stringValue"]


def test_the_token_is_needed(client):
    assert 401 == client.post("/v1/traces", request(span(1)), authorization=f"Bearer {TOKEN}!").status


def test_no_secret_in_a_span_reaches_the_disk(client, state):
    secret = "ghp_" + "a1B2" * 9
    said = json.dumps([{"role": "user", "parts": [{"type": "text", "content": f"use {secret}"}]}])
    model = {"gen_ai__operation__name": "chat", "gen_ai__input__messages": said, "gen_ai__tool__name": ""}
    spans = [span(0, **model, gen_ai__tool__call__id="")]
    spans += [
        span(number, gen_ai__tool__name="Bash", gen_ai__tool__call__result=f"denied: {secret}", failed=True,
             gen_ai__tool__call__arguments=json.dumps({"command": f"curl -H 'Authorization: token {secret}' x"}))
        for number in range(1, 5)
    ]  # fmt: skip
    send(client, request(*spans))

    one, detail = only(client)
    assert 4 == one["steps"] and "[masked]" in one["prompt"] and detail["findings"]
    assert secret.encode() not in (state / "sessions.db").read_bytes()
    assert secret not in json.dumps(detail)


@pytest.mark.parametrize("at_once", [True, False])
def test_one_stop_in_a_turn_is_recorded_with_the_step_at_which_it_would_have_come(client, at_once):
    spans = [span(number) for number in range(1, 13)]
    for sent in [spans] if at_once else [[one] for one in spans]:
        send(client, request(*sent))

    decisions = only(client)[1]["decisions"]
    assert [3, 5] == [decisions[-1]["step"], decisions[0]["step"]]
    assert ["stop"] == [one["action"] for one in decisions if one["action"] in ("stop", "escalate")]
    assert ("stop", True, 12) == (decisions[0]["action"], decisions[0]["would"], decisions[0]["until_step"])
    first = {one["detector"]: one["first_step"] for one in only(client)[1]["findings"]}
    assert 3 == first["exact_cycle"]


@pytest.mark.parametrize("order", ["allow", "stop", "mute", "off"])
def test_a_command_does_not_claim_to_have_told_a_session_of_telemetry_something(client, order, capsys):
    send(client, request(*(span(number, gen_ai__conversation__id="talk") for number in range(6))))

    assert 2 == run([order, "talk"])

    assert "is known from telemetry only, so nothing can be sent to it" in capsys.readouterr().err
    assert (False, "continue") == (only(client)[0]["off"], only(client)[0]["verdict"])


def test_decisions_in_a_new_database_are_sent_too(state, monkeypatch):
    for session in ("s1", "s2"):
        program = Program("claude-code", session)
        for _ in range(3):
            program.step("cat x", "No such file")
    upstream = Upstream("http://127.0.0.1:1")
    (state / "sessions.db").rename(state / "sessions.db.damaged")
    program = Program("claude-code")
    for _ in range(3):
        program.step("cat x", "No such file")

    with pytest.raises(URLError):  # nobody listens there; it tries to send something
        upstream.send()
