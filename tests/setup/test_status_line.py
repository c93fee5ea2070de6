"""Claude Code's status line: set on request, kept, and removed with the hook."""

import json

import pytest

from tests.setup.test_commands import headway
from tests.setup.words import everything

OLD = [None, "{}\n", '{\n  "model": "opus"  // the big one\n}\n', '{"model": "opus"}']


@pytest.mark.parametrize("old", OLD)
def test_there_and_back(home, old):
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    if old is not None:
        path.write_text(old)
    before = everything(home)

    assert 0 == headway("install", "claude-code", "--statusline").returncode

    assert '"type": "command"' in path.read_text() and 'headway statusline"' in path.read_text()
    once = path.read_bytes()
    assert "already in" in headway("install", "claude-code").stdout and once == path.read_bytes(), "it is kept"
    assert "already in" in headway("install", "claude-code", "--statusline").stdout
    assert 0 == headway("uninstall", "claude-code").returncode
    assert {name: before.get(name) for name in before} == everything(home)


def test_the_line_of_another_is_left_alone(home):
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"statusLine": {"type": "command", "command": "my-line"}}')
    done = headway("install", "claude-code", "--statusline")
    assert 2 == done.returncode and "there is a status line already" in done.stderr
    assert '{"statusLine": {"type": "command", "command": "my-line"}}' == path.read_text()
    headway("install", "claude-code")
    headway("uninstall", "claude-code")
    assert {"type": "command", "command": "my-line"} == json.loads(path.read_text())["statusLine"]


def test_only_claude_code_has_one(home):
    assert 2 == headway("install", "codex", "--statusline").returncode
