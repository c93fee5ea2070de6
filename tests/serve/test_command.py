"""`headway serve` as a command, and `headway install --via`."""

import json
import os
import plistlib
import signal
import time
from pathlib import Path

import pytest

from headway.serve.run import Place, StartError
from headway.setup import service_unit
from headway.setup.agents import agents
from headway.setup.form import is_mention, is_ours
from tests.command import headway as run_headway
from tests.hosts.hook.programs import Program, refusal_in
from tests.serve.client_runs import run_client
from tests.slow import slow


def headway(*arguments: str):
    return run_headway(*arguments, text=True)


@pytest.fixture
def home(state, monkeypatch):
    folder = state.parent / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "HEADWAY_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return folder


def installed(home: Path, file: str = ".claude/settings.json") -> dict:
    return json.loads((home / file).read_text())["hooks"]


def handlers(hooks: dict) -> list[dict]:
    return [handler for groups in hooks.values() for group in groups for handler in group["hooks"]]


def test_a_service_in_the_background_outlives_its_command_and_answers(state, home):
    shown = headway("serve", "--detach", "--port", "0")
    record = json.loads((state / "serve.json").read_text())
    try:
        again = headway("serve", "--port", "0")
        doctor = headway("doctor")
        opened = state.parent / "opened"
        browser = state.parent / "bin" / "xdg-open"
        browser.parent.mkdir()
        browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
        browser.chmod(0o755)
        shown_again = run_headway("serve", "--open", PATH=f"{browser.parent}:{os.environ['PATH']}", text=True)
        done = run_client(
            json.dumps(Program("claude-code").spelled("prompt", prompt="please")).encode(), "--agent", "claude-code"
        )
    finally:
        os.kill(record["pid"], signal.SIGTERM)
    deadline = time.monotonic() + 20
    while (state / "serve.sock").exists() and time.monotonic() < deadline:
        time.sleep(0.02)

    serves = f"Headway is running at {record['url']}\n"
    assert (0, f"{serves}  Stop it: kill {record['pid']}\n") == (shown.returncode, shown.stdout)
    assert 2 == again.returncode and f"the service is running already: {record['url']}" in again.stderr
    assert f"the service runs at {record['url']}" in doctor.stdout
    assert (0, serves) == (shown_again.returncode, shown_again.stdout)
    assert f"{record['url']}/#token={(state / 'serve.token').read_text()}" == opened.read_text()
    assert b"" == done.stdout
    assert not (state / "serve.sock").exists()


def test_a_service_that_cannot_start_says_why(home):
    shown = headway("serve", "--detach", "--port", "0", "--token-file", "/nonexistent/token")

    assert (2, "Error: /nonexistent/token: No such file or directory\n") == (shown.returncode, shown.stderr)


def test_another_address_is_refused_by_the_command(home):
    for more in ((), ("--detach",), ("--install",)):
        shown = headway("serve", "--bind", "0.0.0.0", *more)
        assert (2, "Error: --bind 0.0.0.0 needs --token-file, --tls-cert and --tls-key\n") == (
            shown.returncode,
            shown.stderr,
        )


def test_install_writes_a_unit_for_systemd_and_starts_nothing(home, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    shown = headway("serve", "--install", "--port", "5000")
    path = Path(os.environ["XDG_CONFIG_HOME"]) / "systemd" / "user" / "headway.service"

    text = path.read_text()
    assert f'Environment="HEADWAY_STATE_DIR={os.environ["HEADWAY_STATE_DIR"]}"' in text
    assert '"serve" "--bind" "127.0.0.1" "--port" "5000"' in text and "WantedBy=default.target" in text
    assert "systemctl --user enable --now headway.service" in shown.stdout
    assert "already existed" in headway("serve", "--install", "--port", "5000").stdout


def test_another_version_of_the_service_is_noted(client, state, home):
    (state / "serve.json").write_text(json.dumps({"url": f"http://{client.host}", "pid": 1, "version": "0.0.1"}))

    assert f"the service at http://{client.host} is Headway 0.0.1" in headway("doctor").stdout


def test_other_names_are_known_to_the_service(state):
    from headway.serve.run import Place, _names

    assert {"box.example:5", "0.0.0.0:5"} <= _names(Place("0.0.0.0", 5, names=("box.example",)), 5)


def test_install_writes_a_property_list_for_launchd(home, monkeypatch):
    monkeypatch.setattr("sys.platform", "darwin")
    unit = service_unit.unit_of(("--port", "5000"))

    assert home / "Library" / "LaunchAgents" / "agents.headway.serve.plist" == unit.path
    assert ["serve", "--port", "5000"] == plistlib.loads(unit.text.encode())["ProgramArguments"][1:]
    assert unit.enable.startswith("launchctl bootstrap gui/")


def test_words_in_a_unit_are_what_they_are(home, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")

    assert '"--token-file" "/a \\"b\\" %%h"' in service_unit.unit_of(("--token-file", '/a "b" %h')).text


def test_hooks_start_a_process_unless_the_service_is_installed(home, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    first = headway("install", "claude-code")
    as_process = handlers(installed(home))
    headway("uninstall", "claude-code")
    headway("serve", "--install")
    second = headway("install", "claude-code")

    assert all(" hook --agent claude-code" in handler["command"] for handler in as_process)
    assert "Each event starts a process." in first.stdout
    assert all("client.py --agent claude-code" in handler["command"] for handler in handlers(installed(home)))
    assert "Events go to the socket of `headway serve`." in second.stdout
    assert "the service is installed but not running" in headway("doctor").stdout


@pytest.mark.parametrize(
    ("agent", "file"),
    [
        ("claude-code", ".claude/settings.json"),
        *slow(("codex", ".codex/hooks.json"), ("gemini", ".gemini/settings.json"), ("cursor", ".cursor/hooks.json")),
    ],
)
def test_the_client_is_installed_recognised_kept_and_removed(home, agent, file):
    shown = headway("install", agent, "--via", "socket", "--mode", "enforce")
    text = (home / file).read_text()
    again = headway("install", agent)
    lines = [line for path, form in agents()[agent].places(None) if path.exists() for line in form.commands(text)]
    doctor = headway("doctor", agent)

    assert 0 == shown.returncode
    assert (home / file).read_text() == text and "was already in" in again.stdout
    assert lines and all(is_ours(line) and is_mention(line) and "-I -S" in line for line in lines)
    assert "reported an invented loop" in doctor.stdout
    assert "different Headway" not in doctor.stdout
    assert 0 == headway("uninstall", agent).returncode
    assert not (home / file).exists() or "client.py" not in (home / file).read_text()


def test_claude_code_gets_http_hooks_and_a_command_for_the_start(home):
    shown = headway("install", "claude-code", "--via", "http", "--mode", "enforce")
    hooks = installed(home)
    (start,) = handlers({"SessionStart": hooks.pop("SessionStart")})

    assert "command" == start["type"] and " hook --agent claude-code --mode enforce" in start["command"]
    assert {"http"} == {handler["type"] for handler in handlers(hooks)}
    assert {"http://127.0.0.1:4319/hook/claude-code?mode=enforce"} == {one["url"] for one in handlers(hooks)}
    assert all({"Authorization": "Bearer ${HEADWAY_TOKEN}"} == one["headers"] for one in handlers(hooks))
    assert all(["HEADWAY_TOKEN"] == one["allowedEnvVars"] for one in handlers(hooks))
    assert "export HEADWAY_TOKEN=" in shown.stdout
    assert "already has the hook" in headway("install", "claude-code", "--dry-run").stdout
    assert "no service answers at http://127.0.0.1:4319/healthz" in headway("doctor", "claude-code").stdout
    assert "client.py" in json.dumps(
        [headway("install", "claude-code", "--via", "socket"), installed(home)], default=str
    )
    assert "http" not in {handler["type"] for handler in handlers(installed(home))}
    headway("uninstall", "claude-code")
    assert not (home / ".claude" / "settings.json").exists()


@pytest.mark.parametrize(("arguments", "said"), [
    (("codex", "--via", "http"), "Codex CLI works with --via process or socket only"),
    (("pi", "--via", "socket"), "works with --via process only"),
    (("claude-code", "--via", "socket", "--project"), "with --project only process works"),
])  # fmt: skip
def test_a_way_that_does_not_work_is_refused(home, arguments, said):
    shown = headway("install", *arguments)

    assert 2 == shown.returncode
    assert said in shown.stderr


@pytest.mark.parametrize("line", [
    "/usr/bin/python -I -S /x/headway/hosts/hook/client.py --agent claude-code; rm -rf /",
    "/usr/bin/python -I -S '/x; rm -rf /'/headway/hosts/hook/client.py --agent claude-code || true",
    "python -I -S /x/headway/hosts/hook/client.py --agent codex",
    "/usr/bin/python -I -S $(touch x)/headway/hosts/hook/client.py --agent codex",
    "http://127.0.0.1:80/hook/claude-code?mode=enforce&x=1", "http://evil.example/hook/claude-code",
])  # fmt: skip
def test_a_line_that_headway_did_not_write_is_not_taken_for_ours(line):
    assert not is_ours(line)


def test_a_stop_reaches_codex_through_the_client(client):
    """What is decided over the socket is what the process would decide."""
    from tests.serve.client_runs import ThroughClient

    program = ThroughClient("codex")
    answers = [program.step("cat x", "No such file") for _ in range(9)]

    assert refusal_in(answers[-1][0])


def test_a_damaged_database_does_not_keep_the_service_from_starting(state, home):
    state.mkdir()
    (state / "sessions.db").write_bytes(b"no database" * 1000)

    shown = headway("serve", "--detach", "--port", "0")

    assert 0 == shown.returncode, shown.stderr
    os.kill(json.loads((state / "serve.json").read_text())["pid"], signal.SIGTERM)
    assert (state / "sessions.db.damaged").exists()


@pytest.mark.parametrize("url", ["http://", "ftp://x", "http://x:99999999", "http://[::1", "http://a b"])
def test_an_address_that_is_none_is_refused_at_the_start(url):
    with pytest.raises(StartError, match="expected http"):
        Place(upstream=url).check()
    Place(upstream="https://collector:4318/x").check()
