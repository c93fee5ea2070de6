"""Who is refused: every line of what `docs/how-to/service.md` says about security."""

import socket
import stat
from contextlib import suppress
from http.client import HTTPConnection

import pytest

from headway.serve import guards
from headway.serve.guards import Bucket, Limit
from headway.serve.run import Place, StartError, serve
from headway.serve.token import TokenError, own_token, read_token
from headway.store.faults import read_faults
from tests.serve.running import TOKEN

READING = ["/api/sessions", "/api/sessions/0123456789abcdef", "/api/events", "/metrics"]
WRITING = ["/api/sessions/0123456789abcdef/allow", "/hook/claude-code", "/v1/traces", "/v1/logs"]


@pytest.mark.parametrize(
    "token", [None, "", "Bearer ", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", TOKEN]
)
def test_without_the_token_nothing_is_told_and_nothing_done(client, token):
    answers = [client.get(path, authorization=token) for path in READING]
    answers += [client.post(path, {}, authorization=token) for path in WRITING]

    assert {401} == {answer.status for answer in answers}
    assert {"the token is missing or wrong; `headway serve --open` sends it"} == {
        answer.json()["error"] for answer in answers
    }


def test_a_token_in_the_address_or_in_a_cookie_is_none(client):
    assert 401 == client.get(f"/api/sessions?token={TOKEN}", authorization=None).status
    assert 401 == client.get("/api/sessions", authorization=None, cookie=f"token={TOKEN}").status


@pytest.mark.parametrize("host", ["evil.example", "evil.example:4319", "127.0.0.1", "localhost.evil.example", ""])
def test_a_foreign_name_is_refused_even_with_the_token(client, host):
    """A page's own name may be made to point here (DNS rebinding)."""
    answers = [client.get(path, host=host) for path in ("/", "/page/x.js", "/healthz", *READING)]

    assert {421} == {answer.status for answer in answers}


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "file://"])
def test_a_foreign_origin_is_refused_even_with_the_token(client, origin):
    answers = [client.get(path, origin=origin) for path in READING]
    answers += [client.post(path, {}, origin=origin) for path in WRITING]

    assert {403} == {answer.status for answer in answers}


def test_the_page_itself_may_ask(client):
    assert 200 == client.get("/api/sessions", origin=f"http://{client.host}").status


def test_every_answer_has_a_strict_policy(client):
    answers = [
        client.get("/"),
        client.get("/api/sessions"),
        client.get("/nothing"),
        client.get("/", host="evil.example"),
    ]

    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert ("nosniff", "no-referrer") == (
            answer.headers["x-content-type-options"],
            answer.headers["referrer-policy"],
        )
    assert "access-control-allow-origin" not in {name.lower() for answer in answers for name in answer.headers}


def test_files_of_the_page_are_files_of_the_page_only(client):
    paths = ["/page/../app.py", "/page/%2e%2e/app.py", "/page//etc/passwd", "/page/..%2fapp.py", "/page/"]

    assert {404} == {client.get(path).status for path in paths}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/hook/claude-code", b"no json"), ("/hook/claude-code", b"[1]"), ("/hook/claude-code", b"\xff\xfe"),
        ("/hook/claude-code", b"[" * 100_000), ("/hook/nobody", b"{}"), ("/hook/claude-code?mode=wild", b"{}"),
        ("/api/sessions/x/allow", b"{}"), ("/api/sessions", b"{}"), ("/nothing", b"{}"),
    ],
)  # fmt: skip
def test_bad_input_gets_one_line_and_no_traceback(client, path, body):
    answer = client.ask("POST", path, body)

    assert 400 <= answer.status < 500
    assert 1 == len(answer.json()["error"].splitlines())
    assert "Traceback" not in answer.content.decode()
    assert [] == read_faults()


def test_an_event_that_is_not_understood_is_answered_and_noted(client):
    assert (200, b"") == (client.post("/hook/claude-code", {"hook_event_name": 7}).status, b"")

    assert ["not understood"] == [line.split(" ", 2)[2][:14] for line in read_faults()]


@pytest.mark.parametrize(
    "path", ["/api/sessions/x?after=-1", "/api/sessions/x?after=one", "/api/sessions/x?after=%C2%B2"]
)
def test_a_number_that_is_none(client, path):
    assert 400 == client.get(path).status


@pytest.mark.parametrize("path", ["/api/sessions/x/allow", "/api/sessions", "/", "/page/x"])
def test_a_request_that_is_too_large_is_refused_before_it_is_read(client, path):
    assert 413 == client.ask("POST", path, b"", content_length=str(10**9)).status


def test_a_request_without_a_length_is_counted(client):
    connection = HTTPConnection(client.host, timeout=120)
    headers = {"authorization": f"Bearer {TOKEN}", "transfer-encoding": "chunked"}
    connection.putrequest("POST", "/api/sessions/x/allow")
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    sent = 0
    try:
        while sent < 5_000_000:
            connection.send(b"10000\r\n" + b"x" * 65536 + b"\r\n")
            sent += 65536
        connection.send(b"0\r\n\r\n")
    except (BrokenPipeError, ConnectionResetError):
        pass
    try:
        status = connection.getresponse().status
    except (ConnectionResetError, BrokenPipeError):
        status = 413  # cut off while it was still sending
    connection.close()

    assert status in (404, 413)
    assert 200 == client.get("/api/sessions").status


def test_too_many_requests_are_refused_until_time_has_passed(client, monkeypatch):
    monkeypatch.setitem(guards.LIMITS, "/api/", Limit(64_000, 0.001, 3))
    statuses = []
    guard = guards.Guard(None, TOKEN, {"h"})
    scope = {
        "type": "http",
        "path": "/api/sessions",
        "headers": [(b"host", b"h"), (b"authorization", f"Bearer {TOKEN}".encode())],
    }
    for _ in range(5):
        try:
            guard._check(scope)
            statuses.append(200)
        except guards.RefusedError as refused:
            statuses.append(int(refused.status))

    assert [200, 200, 200, 429, 429] == statuses


def test_requests_without_the_token_use_up_nothing_of_others(client):
    statuses = {client.get("/api/sessions", authorization=None).status for _ in range(150)}

    assert {401, 429} == statuses
    assert 200 == client.get("/api/sessions").status
    assert 200 == client.post("/hook/claude-code", {"hook_event_name": "Notification", "session_id": "s1"}).status


def test_a_bucket_fills_again():
    bucket = Bucket(Limit(0, 10, 2))
    assert [True, True, False] == [bucket.take() for _ in range(3)]
    bucket.at -= 0.25

    assert [True, True, False] == [bucket.take() for _ in range(3)]


def test_every_address_has_limits():
    assert all(limit.per_second > 0 and limit.burst > 0 for limit in guards.LIMITS.values())
    assert "/" == list(guards.LIMITS)[-1]


def test_a_client_of_the_socket_that_talks_nonsense_is_cut_off(client, state):
    for sent in (b"GET / HTTP/1.1\r\n\r\n", b"headway 1 id many --agent\n", b"headway 1 id 99999999999\n", b"x" * 5000):
        with socket.socket(socket.AF_UNIX) as one:
            one.settimeout(10)
            one.connect(str(state / "serve.sock"))
            one.sendall(sent)
            with suppress(ConnectionResetError):
                assert b"" == one.recv(100)

    assert [] == read_faults()


def test_a_client_that_goes_before_its_request_is_complete_is_no_fault(client):
    head = f"POST /hook/framework HTTP/1.1\r\nhost: {client.host}\r\nauthorization: Bearer {TOKEN}\r\n"
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", int(client.host.rpartition(":")[2]))) as one:
            one.sendall(f"{head}content-length: 1000\r\n\r\n{{".encode())
    client.__exit__()  # it has seen then that they are gone
    assert [] == read_faults()


def test_only_the_owner_can_use_the_socket_and_read_the_token(client, state):
    own_token()
    for name in ("serve.sock", "serve.token"):
        assert 0o600 == stat.S_IMODE((state / name).stat().st_mode)
    assert 0o700 == stat.S_IMODE(state.stat().st_mode)


def test_a_token_is_made_once_and_is_long(state):
    first = own_token()

    assert first == own_token()
    assert len(first) >= 40


@pytest.mark.parametrize(("text", "mode", "said"), [
    ("x" * 40, 0o644, "others can read"), ("short", 0o600, "at least 32"), ("x" * 20 + " " + "x" * 20, 0o600, "spaces"),
    ("ü" * 40, 0o600, "not a token"), (None, 0, "No such file"),
])  # fmt: skip
def test_a_token_file_that_is_not_safe_is_refused(state, text, mode, said):
    path = state.parent / "token"
    if text is not None:
        path.write_text(text)
        path.chmod(mode)

    with pytest.raises(TokenError, match=said):
        read_token(path)


@pytest.mark.parametrize("place", [
    Place("0.0.0.0", 0), Place("192.0.2.1", 0), Place("::", 0), Place("example.org", 0),
])  # fmt: skip
def test_another_address_needs_a_token_file_and_tls(state, place):
    with pytest.raises(StartError, match=r"needs --token-file, --tls-cert and --tls-key"):
        serve(place, lambda *_: pytest.fail("it started"))

    assert not (state / "serve.sock").exists()


def test_tls_files_must_be_there(state):
    with pytest.raises(StartError, match="no such file"):
        Place("0.0.0.0", 0, state / "t", state / "missing.pem", state / "missing.key").check()
    with pytest.raises(StartError, match="belong together"):
        Place("127.0.0.1", 0, None, state / "missing.pem").check()


def test_an_answer_about_a_hostile_session_is_data_and_never_a_page(client):
    hostile = '<script>alert(1)</script>"\n\\'
    client.post("/hook/claude-code", {"hook_event_name": "UserPromptSubmit", "session_id": hostile, "prompt": hostile,
                                      "cwd": f"/home/{hostile}"})  # fmt: skip
    answer, figures = client.get("/api/sessions"), client.get("/metrics")

    assert answer.headers["content-type"] == "application/json"
    assert hostile == answer.json()["sessions"][0]["session"]
    assert figures.headers["content-type"].startswith("text/plain")
