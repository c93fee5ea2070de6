"""Codex: hooks in TOML, where the user keeps theirs there."""

import tomllib

import pytest

from headway.setup import SetupError, installing, uninstalling
from headway.setup.agents.codex import Codex
from headway.setup.form import UnfitError
from headway.setup.toml_hooks import TomlHooks
from tests.setup.words import install, uninstall

TOML = '# mine\nmodel = "gpt-5"\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "notify-send hi"\n'
TOMLS = {
    "ends well": TOML,
    "no line end": TOML.rstrip("\n"),
    "windows": TOML.replace("\n", "\r\n"),
    "byte order mark": "\ufeff" + TOML,
    "what was trusted": TOML + '\n[hooks.state."x:stop:0:0"]\ntrusted_hash = "sha256:1"\n',
    "blank lines": TOML + "\n\n\n",
}


@pytest.mark.parametrize("before", TOMLS.values(), ids=TOMLS)
def test_codex_hooks_go_where_the_user_keeps_theirs(before, home):
    config = home / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_bytes(before.encode())
    path, form = Codex().place(None)
    assert config == path

    install(path, form)
    text = config.read_bytes().decode("utf-8-sig")
    hooks = tomllib.loads(text)["hooks"]
    assert set(Codex.events) <= set(hooks)
    assert ["notify-send hi", form.commands(text)[0]] == [group["hooks"][0]["command"] for group in hooks["Stop"]]
    assert text.startswith(before.lstrip("\ufeff").rstrip())
    assert not installing(path, form).is_needed
    uninstall(path, form)
    assert before.encode() == config.read_bytes()
    assert ["config.toml"] == [file.name for file in config.parent.iterdir()]


def test_codex_hooks_are_found_in_both_files(home):
    config = home / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text(TOML)
    install(*Codex().place(None))
    (home / ".codex" / "hooks.json").write_text("{}")

    assert [None, TOML.encode()] == [
        change and change.after for change in (uninstalling(*place) for place in Codex().places(None))
    ]


def test_codex_settings_without_hooks_are_left_alone(home):
    config = home / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text('model = "gpt-5"\n[hooks.state."x"]\nenabled = true\n')
    assert home / ".codex" / "hooks.json" == Codex().place(None)[0]


def test_codex_hooks_in_an_inline_table_are_not_broken(home):
    config = home / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text('hooks = { Stop = [{ hooks = [{ type = "command", command = "x" }] }] }\n')
    path, form = Codex().place(None)
    with pytest.raises(SetupError, match=r"config\.toml: .*after our hooks were added"):
        installing(path, form)
    assert "headway" not in config.read_text()


def test_toml_hooks_that_others_moved_are_named():
    form = TomlHooks({"Stop": {"hooks": [{"type": "command", "command": "headway hook"}]}})
    text = form.installed("a = 1\n").replace("# headway ends", "")
    with pytest.raises(UnfitError, match="outside the block"):
        form.removed(text, None)
