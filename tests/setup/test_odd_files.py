"""What may stand under the name of a settings file and is none: it is refused before it is read, and stays as it is."""

import json
import os
import socket
import stat
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from headway.cli import run
from headway.setup import SetupError, agents, installing, uninstalling
from headway.setup.settings_file import LARGEST
from tests.setup.words import claude, everything, install, uninstall


def place():
    path, form = agents()["claude-code"].place(None)
    path.parent.mkdir(parents=True)
    return path, form


@pytest.mark.parametrize("act", [installing, uninstalling])
def test_a_link_to_a_device_is_refused(act, home):
    path, form = place()
    path.symlink_to(os.devnull)
    with pytest.raises(SetupError, match=r"settings\.json: It is a device; expected a settings file or nothing"):
        act(path, form)
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode) and path.is_symlink()


@pytest.mark.parametrize("act", [installing, uninstalling])
def test_a_pipe_is_refused_and_nobody_waits_for_it(act, home):
    path, form = place()
    os.mkfifo(path)
    with pytest.raises(SetupError, match=r"settings\.json: It is a pipe"):
        act(path, form)
    assert path.is_fifo()


def test_a_socket_is_refused(home, monkeypatch):
    path, form = place()
    monkeypatch.chdir(path.parent)  # the names of sockets have to be short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path.name)
        with pytest.raises(SetupError, match=r"settings\.json: It is a socket"):
            installing(path, form)


@pytest.mark.parametrize("name", agents())
def test_every_agent_refuses_a_pipe(name, home, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for path, _ in agents()[name].places(tmp_path):
        path.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path)
    assert 2 == run(["install", name, "--project"])
    run(["doctor", name])
    told = capsys.readouterr()
    assert "It is a pipe" in told.err and "It is a pipe" in told.out


def test_a_link_to_a_file_of_the_user_stays_a_link(home):
    path, form = place()
    (home / "dotfiles.json").write_text("{}")
    path.symlink_to(home / "dotfiles.json")
    install(path, form)
    assert path.is_symlink() and "headway hook" in (home / "dotfiles.json").read_text()
    uninstall(path, form)
    assert path.is_symlink() and "{}" == (home / "dotfiles.json").read_text()


def test_a_link_in_a_project_that_leads_out_of_it_is_refused(home, tmp_path, monkeypatch, capsys):
    project, theirs = tmp_path / "project", home / "other.json"
    (project / ".claude").mkdir(parents=True)
    theirs.write_text("{}")
    (project / ".claude" / "settings.json").symlink_to(theirs)
    monkeypatch.chdir(project)

    assert 2 == run(["install", "claude-code", "--project"])

    assert "the link points outside the project" in capsys.readouterr().err
    assert "{}" == theirs.read_text()


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_link_that_leads_to_itself_is_refused_in_one_line(command, home, tmp_path, monkeypatch, capsys):
    project = tmp_path / "project"
    (project / ".claude").mkdir(parents=True)
    (project / ".claude" / "settings.json").symlink_to("settings.json")
    monkeypatch.chdir(project)

    assert 2 == run([command, "claude-code", "--project"])

    told = capsys.readouterr().err
    assert "settings.json: " in told and "link" in told and 1 == len(told.splitlines())


def test_a_number_with_thousands_of_digits_is_refused_in_one_line(home, capsys):
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text(f"[[hooks.Stop]]\ncommand = 'headway hook'\nodd = {'9' * 5000}\n")

    assert 2 == run(["uninstall", "codex"])

    told = capsys.readouterr().err
    assert "config.toml: " in told and 1 == len(told.splitlines())


def test_a_link_in_the_place_of_the_backup_is_not_written_through(home):
    path, form = claude('{"model": "opus"}')
    planted, target = path.with_name("settings.json.headway-backup"), home / "written-through"
    planted.symlink_to(target)

    change = install(path, form)

    assert not target.exists() and planted.is_symlink()
    assert '{"model": "opus"}' == change.new_backup.read_text()


def test_a_file_that_is_far_too_large_is_refused_at_once(home):
    path, form = claude(json.dumps({"list": ["x" * 100] * (LARGEST // 100)}))
    with pytest.raises(SetupError, match=r"settings\.json: larger than 1,000,000 bytes"):
        installing(path, form)


def test_an_install_of_codex_beside_an_invalid_config_can_be_taken_back(home):
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text("model = \n")
    before = everything(home)
    assert 0 == run(["install", "codex"])
    assert before != everything(home)
    assert 0 == run(["uninstall", "codex"])
    assert before == everything(home)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such lock")
def test_installing_at_the_same_time_leaves_one_backup_and_uninstalling_none(home):
    """All look at the file before any of them writes it, as processes that were started together may."""
    path, form = claude('{\n  "model": "opus"\n}\n')
    before = everything(home)
    together = threading.Barrier(8)

    def one(_: int) -> None:
        change = installing(path, form)
        together.wait(120)
        change.apply()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(8)))

    assert {"settings.json", "settings.json.headway-backup"} == {file.name for file in path.parent.iterdir()}
    uninstall(path, form)
    assert before == everything(home)


def test_who_sees_the_backup_of_another_that_is_still_writing_tries_again(home):
    """A second installation looked in the moment between the backup and the file of the first."""
    path, form = claude("{}")
    path.with_name("settings.json.headway-backup").write_text("{}")
    second = installing(path, form)
    path.with_name("settings.json.headway-backup").unlink()  # the first could not write the file and has cleaned up
    with pytest.raises(SetupError, match="please try again"):
        second.apply()
    assert ["settings.json"] == [file.name for file in path.parent.iterdir()]
