"""A command line is ours if Headway could have written it; one that only speaks of our hook is somebody else's."""

import json

import pytest

from headway.cli import run
from headway.setup import SetupError, agents, installing, uninstalling
from headway.setup.form import UnfitError, is_ours
from headway.setup.toml_hooks import TomlHooks
from tests.setup.words import claude, everything, install, uninstall

HOOK = "headway hook --agent claude-code"
THEIRS = [
    f"./audit.sh --log all; {HOOK}",
    f"{HOOK}; ./audit.sh",
    f"{HOOK} && ./audit.sh",
    f"{HOOK} || ./audit.sh",
    f"{HOOK} || true; ./audit.sh",
    f"{HOOK} | tee log",
    f"{HOOK} > log",
    f"{HOOK} &",
    f"{HOOK}\n./audit.sh",
    f"{HOOK} $(./audit.sh)",
    f"{HOOK} `./audit.sh`",
    f"{HOOK} 'a b'",
    f"{HOOK} 'open",
    f"{HOOK} # mine",
    f"$(./audit.sh) {HOOK}",
    f"AUDIT=1 {HOOK}",
    f"sh -c '{HOOK}'",
    f"./{HOOK}",
    f"tools/{HOOK}",
    f"~/bin/{HOOK}",
    f"$HOME/bin/{HOOK}",
    f"& {HOOK}; ./audit.sh; exit 0",
    '"/x/$(./audit.sh)/headway" hook',
    '"C:\\%AUDIT%\\headway.exe" hook',
    "'/x'/headway hook",
    'grep -q "headway hook " notes.md && ./backup.sh',
    "echo headway hook",
    "my-headway hook",
    "headway hooks",
]
OURS = [
    "headway hook",
    HOOK,
    f"{HOOK} || true",
    f"{HOOK} --interrupt || true",
    f"& {HOOK}; exit 0",
    f"/old/bin/{HOOK}",
    f"'/with a space; and $more/{HOOK.replace(' ', chr(39) + ' ', 1)} || true",
    "C:\\Tools\\headway.exe hook --agent claude-code",
    '"C:\\Program Files (x86)\\R & D\\headway.EXE" hook --agent claude-code || true',
]


def group(*commands, **more):
    return {**more, "hooks": [{"type": "command", "command": command} for command in commands]}


@pytest.mark.parametrize("line", THEIRS)
def test_a_line_that_only_speaks_of_the_hook_is_theirs(line):
    assert not is_ours(line)


@pytest.mark.parametrize("line", OURS)
def test_a_line_that_headway_may_have_written_is_ours(line):
    assert is_ours(line)


@pytest.mark.parametrize("name", agents())
@pytest.mark.parametrize("folder", ["bin", "it's a; $(place) ü"])
def test_what_this_headway_writes_is_ours(name, folder, tmp_path, monkeypatch):
    program = tmp_path / folder / "headway"
    program.parent.mkdir()
    monkeypatch.setattr("sys.executable", str(program.with_name("python")))
    monkeypatch.setenv("PATH", "")
    path, form = agents()[name].place(None)
    install(path, form)
    assert form.commands(path.read_text()) and not installing(path, form).is_needed
    uninstall(path, form)
    assert not path.exists()


@pytest.mark.parametrize("line", THEIRS)
def test_uninstalling_leaves_the_lines_of_others_alone(line, home):
    path, form = claude(json.dumps({"hooks": {"PreToolUse": [group(line, matcher="Bash")]}}))
    assert uninstalling(path, form) is None


@pytest.mark.parametrize("line", THEIRS)
def test_installing_leaves_the_lines_of_others_alone_and_is_taken_back(line, home):
    path, form = claude(json.dumps({"hooks": {"PreToolUse": [group(line, matcher="Bash")]}}))
    files = everything(home)
    change = install(path, form)
    assert change.new_backup is not None
    assert group(line, matcher="Bash") == json.loads(path.read_text())["hooks"]["PreToolUse"][0]
    uninstall(path, form)
    assert files == everything(home)


def test_the_command_says_that_there_is_nothing_of_ours(home, tmp_path, monkeypatch, capsys):
    settings = tmp_path / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"hooks": {"PreToolUse": [group(THEIRS[0], matcher="Bash")]}}))
    files = everything(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert 0 == run(["uninstall", "claude-code", "--project"])
    assert "no Headway hook found in" in capsys.readouterr().out
    assert files == everything(tmp_path)


def test_a_handler_with_a_line_of_theirs_beside_ours_stays(home):
    path, form = claude(json.dumps({"hooks": {"Stop": [{"bash": HOOK, "powershell": "./audit.ps1"}]}}))
    assert uninstalling(path, form) is None


def test_a_handler_of_another_kind_in_a_group_with_ours_stays(home):
    other = {"type": "prompt", "prompt": "Is it done?"}
    path, form = claude(json.dumps({"hooks": {"Stop": [{"hooks": [other, *group(HOOK)["hooks"]]}]}}))
    uninstall(path, form)
    assert {"hooks": {"Stop": [{"hooks": [other]}]}} == json.loads(path.read_text())


def test_a_long_line_is_judged_at_once():
    assert not is_ours("headway" + " hook" * 200_000 + ";")


def test_a_file_that_somebody_else_made_is_not_removed(home):
    path, form = claude('{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "headway hook"}]}]}}')
    uninstall(path, form)
    assert "{}" == path.read_text()


def test_a_file_that_an_earlier_headway_made_is_removed(home):
    agent = agents()["claude-code"]
    path, form = agent.place(None)
    install(path, agent.form(path, "/old/bin/headway hook --agent claude-code"))
    uninstall(path, form)
    assert not path.exists()


@pytest.mark.parametrize("name", ["cline", "copilot", "kilo", "opencode", "pi"])
@pytest.mark.parametrize(
    "text",
    [
        'export const mine = "./audit.sh; headway hook"\n',
        'export const mine = "headway hook"\n',
        '{"version": 1, "hooks": {"Stop": [{"bash": "headway hook; ./audit.sh"}]}}\n',
        '{"version": 1, "hooks": {"Stop": [{"bash": "headway hook"}, {"bash": "./audit.sh"}]}}\n',
    ],
)
def test_a_file_of_somebody_else_under_our_name_is_neither_replaced_nor_removed(name, text, home):
    path, form = agents()[name].place(None)
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(SetupError, match="Headway did not write this file"):
        installing(path, form)
    assert uninstalling(path, form) is None


def test_toml_lines_of_others_stay(home):
    form = TomlHooks({"Stop": group("headway hook")})
    text = f"[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = {json.dumps(THEIRS[0])}\n"
    assert [] == form.commands(text)
    assert form.installed(text).startswith(text)
    assert text == form.removed(form.installed(text), text)


@pytest.mark.parametrize("added", ["[tools]\nx = 1\n", '[hooks.state."x:stop:0:0"]\ntrusted_hash = "1"\n[[other]]\n'])
@pytest.mark.parametrize("before", ["", "a = 1\n"])
def test_tables_that_a_program_added_to_our_toml_block_stay(added, before):
    form = TomlHooks({"Stop": group("headway hook")})
    text = form.installed(before).replace(TomlHooks.end, added + TomlHooks.end)
    assert before + "\n" + added == form.removed(text, None)
    assert added in form.installed(text) and form.installed(text) == form.installed(form.installed(text))


def test_hooks_of_others_in_our_toml_block_are_not_removed_with_it():
    form = TomlHooks({"Stop": group("headway hook")})
    for line in ("./audit.sh", THEIRS[0]):
        more = f"[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = {json.dumps(line)}\n"
        with pytest.raises(UnfitError, match="other hooks are in the block"):
            form.removed(form.installed("").replace(TomlHooks.end, more + TomlHooks.end), None)
