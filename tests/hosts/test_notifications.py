"""Notifications: recorded by the real hook, sent once over real HTTP, and never by the hook itself."""

import json
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from headway.cli import run
from headway.config.find import find_settings
from headway.config.settings import Notify, Settings, SettingsError
from headway.hosts.notifications import is_quiet, send_due, user_notify
from headway.monitor import Monitor
from headway.store.faults import read_faults
from headway.store.sessions import SessionStore
from tests.hosts.hook.programs import Program, ask


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)


class Receiver(HTTPServer):
    """Takes in what is sent to it; `answer` is the status of its answers."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.received, self.answer = [], 200
        self.thread = Thread(target=self.serve_forever, daemon=True)
        self.thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append((self.path, json.loads(body)))
        self.send_response(self.server.answer)
        self.end_headers()

    def log_message(self, *given):
        """Nothing is printed."""


@pytest.fixture
def receiver():
    server = Receiver()
    yield server
    server.shutdown()
    server.thread.join()
    server.server_close()


def looped(mode="enforce", session="3f2a91c0-1", times=8):
    program = Program("claude-code", session, mode)
    program.prompt("fix the <login>")
    for _ in range(times):
        program.step("cat notes.txt", "nothing new")
    return program


def test_a_stop_is_sent_once(receiver):
    looped()
    notify = Notify(webhook=f"{receiver.url}/hook")

    assert [1, 0] == [send_due(notify), send_due(notify)]

    ((path, sent),) = receiver.received
    assert ("/hook", "stop", "claude-code", "3f2a91c0-1") == (path, sent["kind"], sent["agent"], sent["session"])
    assert "gave the same result" in sent["message"] and "No further calls" not in sent["message"]
    assert "claude-code in project stopped" == sent["title"] and "fix the <login>" == sent["prompt"]


def test_slack_and_ntfy_get_their_own_shapes(receiver):
    looped()
    assert 1 == send_due(Notify(slack=f"{receiver.url}/services/T/B/x", ntfy=f"{receiver.url}/my-topic"))
    (slack_path, slack), (ntfy_path, ntfy) = receiver.received
    assert ("/services/T/B/x", "/") == (slack_path, ntfy_path or "/")
    assert slack["text"].startswith("*claude-code in project stopped*\n") and "&lt;login&gt;" in slack["text"]
    assert ("my-topic", 4, "claude-code in project stopped") == (ntfy["topic"], ntfy["priority"], ntfy["title"])


@pytest.mark.parametrize(("mode", "kinds"), [("observe", []), ("nudge", ["would_stop"]), ("enforce", ["stop"])])
def test_what_is_sent_depends_on_what_was_done(receiver, mode, kinds):
    looped(mode, times=10)
    send_due(Notify(webhook=receiver.url))
    assert kinds == [sent["kind"] for _, sent in receiver.received]


def waiting(session="s1", message="Claude needs your permission to use Bash"):
    asked = {"hook_event_name": "Notification", "session_id": session, "notification_type": "permission_prompt"}
    assert {} == ask(asked | {"message": message}, "claude-code")


def test_a_question_is_sent_once_and_the_next_one_too(receiver):
    program = Program("claude-code")
    program.step("make", "built")
    waiting()
    waiting()
    assert 1 == send_due(Notify(webhook=receiver.url))
    program.count += 1
    program._ask(program._batch("make two", "built"))
    waiting()
    assert 1 == send_due(Notify(webhook=receiver.url))
    assert ["needs_you"] * 2 == [sent["kind"] for _, sent in receiver.received]
    assert "Claude needs your permission to use Bash" == receiver.received[0][1]["message"]


def test_limits_are_sent_at_80_and_at_100_percent(receiver, tmp_path):
    (tmp_path / "headway.toml").write_text(
        '[global]\nlimits = "enforce"\ntrust_guessed_task = true\n'
        + "".join(
            f"[task_types.{name}]\ntool_budget = 10\nsoft_budget = false\n" for name in ("edit", "search", "create")
        )
    )
    program = Program("claude-code", mode="nudge")
    spelled = program.spelled
    program.spelled = lambda *given, **said: spelled(*given, **said) | {"cwd": str(tmp_path)}
    program.prompt("Edit src/login.py: rename the function login to sign_in")
    for number in range(12):
        program.step(f"make part-{number}", f"part {number} is built")
    send_due(Notify(webhook=receiver.url))
    kinds = [sent["kind"] for _, sent in receiver.received]
    assert ["budget_80", "budget_100", "stop"] == kinds
    assert "8 of 10 calls made" in receiver.received[0][1]["message"]


def test_time_is_a_limit_too(receiver, tmp_path):
    (tmp_path / "headway.toml").write_text("[global]\nmax_seconds = 0.000001\n")
    program = Program("claude-code", mode="observe")
    spelled = program.spelled
    program.spelled = lambda *given, **said: spelled(*given, **said) | {"cwd": str(tmp_path)}
    program.step("make one", "built")
    program.step("make two", "built")
    send_due(Notify(webhook=receiver.url))
    assert ["budget_100"] == [sent["kind"] for _, sent in receiver.received]


def test_only_what_is_asked_for_is_sent(receiver):
    looped()
    assert 0 == send_due(Notify(webhook=receiver.url, on=("needs_you",)))
    assert 0 == send_due(Notify()), "there is no way to send"
    assert [] == receiver.received


def test_what_is_due_in_quiet_hours_is_sent_afterwards(receiver):
    looped()
    now = time.time()
    at = time.strftime("%H:%M", time.localtime(now))
    until = time.strftime("%H:%M", time.localtime(now + 3_600))
    quiet = Notify(webhook=receiver.url, quiet=f"{at}-{until}")
    assert 0 == send_due(quiet, now)
    assert 1 == send_due(quiet, now + 3_700)


@pytest.mark.parametrize(
    ("hours", "at", "quiet"),
    [("22:00-07:00", "23:30", True), ("22:00-07:00", "06:59", True), ("22:00-07:00", "07:00", False),
     ("12:00-13:00", "12:30", True), ("12:00-13:00", "13:00", False), (None, "12:30", False)],
)  # fmt: skip
def test_quiet_hours(hours, at, quiet):
    moment = time.mktime(time.strptime(f"2026-11-16 {at}", "%Y-%m-%d %H:%M"))
    assert quiet == is_quiet(hours, moment)


def test_what_could_not_be_sent_is_tried_again_and_then_given_up(receiver):
    looped()
    receiver.answer = 500
    notify = Notify(webhook=f"{receiver.url}/secret-path")
    assert [0] * 5 == [send_due(notify) for _ in range(5)]
    assert 3 == len(receiver.received)
    log = "\n".join(read_faults())
    assert "notification over the webhook: OSError: HTTPError 500" in log and "secret-path" not in log


def test_one_way_that_fails_does_not_make_another_send_twice(receiver):
    looped()
    broken = "http://127.0.0.1:9/nobody"
    assert [1, 0] == [send_due(Notify(webhook=receiver.url, slack=broken)) for _ in range(2)]
    assert 1 == len(receiver.received)


def test_old_news_is_not_sent(receiver):
    looped()
    assert 0 == send_due(Notify(webhook=receiver.url), time.time() + 13 * 3_600)


def test_the_desktop_is_given_the_words_as_arguments(tmp_path, monkeypatch):
    program = tmp_path / "bin" / "notify-send"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/shown\n')
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{program.parent}:/bin:/usr/bin")
    monkeypatch.setattr("sys.platform", "linux")
    looped()

    assert 1 == send_due(Notify(desktop=True))

    shown = (tmp_path / "shown").read_text()
    assert "--app-name=Headway\n--\nclaude-code in project stopped\n" in shown and "&lt;login&gt;" in shown


def test_the_hook_itself_sends_nothing(receiver, tmp_path):
    (tmp_path / "config" / "headway").mkdir(parents=True)
    (tmp_path / "config" / "headway" / "config.toml").write_text(f'[notify]\nwebhook = "{receiver.url}"\n')
    looped()
    waiting("3f2a91c0-1")
    assert [] == receiver.received
    assert 2 == send_due(user_notify())


def test_a_project_cannot_make_headway_send_anything(receiver, tmp_path):
    (tmp_path / "headway.toml").write_text(f'[notify]\nwebhook = "{receiver.url}"\n')
    with pytest.raises(SettingsError, match="notify is not allowed in a project's file"):
        find_settings(folder=tmp_path, environment={"XDG_CONFIG_HOME": str(tmp_path / "config")})
    (tmp_path / "sub").mkdir()
    assert not user_notify().is_on


def test_your_own_file_and_the_environment_can(tmp_path):
    (tmp_path / "config" / "headway").mkdir(parents=True)
    (tmp_path / "config" / "headway" / "config.toml").write_text('[notify]\nntfy = "https://ntfy.sh/t"\n')
    given = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "HEADWAY_NOTIFY__DESKTOP": "true"}
    found = find_settings(folder=tmp_path, environment=given).settings.notify
    assert (True, "https://ntfy.sh/t") == (found.desktop, found.ntfy)


@pytest.mark.parametrize(
    "wrong", [{"webhook": "file:///etc/passwd"}, {"slack": "ftp://x"}, {"quiet": "late"}, {"on": ["birthday"]}]
)
def test_mistakes_are_found_when_settings_are_read(wrong):
    with pytest.raises(SettingsError, match="notify"):
        Settings.of({"notify": wrong})


def test_an_address_is_not_kept_with_a_session():
    monitor = Monitor(settings={"notify": {"slack": "https://hooks.slack.com/services/secret"}})
    assert b"secret" not in monitor.save()


def test_a_session_that_is_forgotten_takes_its_notices_with_it():
    looped()
    store = SessionStore()
    store.connection.execute("UPDATE sessions SET seen_at = 1")
    store.close()
    looped(session="another", times=1)
    store = SessionStore()
    assert 0 == store.connection.execute("SELECT count(*) FROM notices").fetchone()[0]
    store.close()


@pytest.mark.parametrize("form", ["text", "json"])
def test_config_shows_the_server_of_an_address_and_no_more(monkeypatch, capsys, form):
    monkeypatch.setenv("HEADWAY_NOTIFY__WEBHOOK", "https://me:word@example.com/private/path")
    assert 0 == run(["config", "--changed", "--format", form])
    said = capsys.readouterr().out
    assert "https://example.com/[masked]" in said and "private" not in said and "word" not in said
