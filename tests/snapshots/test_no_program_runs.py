"""No setting, attribute, hook or variable makes our git run a program: an agent could have written any of them."""

import os
import subprocess
from pathlib import Path

import pytest

from headway.snapshots import changes, export, forget, list_snapshots, patch, restore, take
from tests.snapshots.projects import found, git, project, write

HOOKS = ("reference-transaction", "post-index-change", "pre-commit", "post-checkout", "fsmonitor-watchman")
SETTINGS = """
[core]
    hooksPath = {hooks}
    fsmonitor = {program}
    pager = {program}
    editor = {program}
    askPass = {program}
    sshCommand = {program}
    gitProxy = {program}
    alternateRefsCommand = {program}
    attributesFile = {attributes}
[pager]
    diff-tree = true
    ls-files = true
[diff]
    external = {program}
[diff "evil"]
    command = {program}
    textconv = {program}
[filter "evil"]
    clean = {program}
    smudge = {program}
    process = {program}
    required = true
[merge "evil"]
    driver = {program}
[credential]
    helper = !{program}
[commit]
    gpgSign = true
[gpg]
    program = {program}
[init]
    templateDir = {template}
[alias]
    update-ref = !{program}
    diff-tree = !{program}
[sequence]
    editor = {program}
[interactive]
    diffFilter = {program}
[uploadpack]
    packObjectsHook = {program}
"""
ATTRIBUTES = b"* filter=evil diff=evil merge=evil text eol=crlf ident\n"
VARIABLES = (
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "PAGER",
    "GIT_EDITOR",
    "GIT_SSH_COMMAND",
    "GIT_ASKPASS",
    "GIT_PROXY_COMMAND",
)


@pytest.fixture
def witness(tmp_path: Path) -> Path:
    """A file that appears if the program in the trap is run."""
    return tmp_path / "witness"


@pytest.fixture
def trapped(tmp_path, witness, own_git_settings, monkeypatch) -> Path:
    """A project with a nested one; both, and the user's configuration, are full of traps."""
    folder = project(tmp_path / "project", {"a": b"a $Id$\r\n"})
    project(folder / "inner", {"i": b"i\n"})
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{witness}'\n")
    program.chmod(0o755)
    write(tmp_path, {"attributes": ATTRIBUTES})
    for place in (
        tmp_path / "hooks",
        tmp_path / "template" / "hooks",
        folder / ".git/hooks",
        folder / "inner/.git/hooks",
    ):
        for name in HOOKS:
            write(place, {name: program.read_bytes()})
            (place / name).chmod(0o755)
    text = SETTINGS.format(
        program=program, hooks=tmp_path / "hooks", template=tmp_path / "template", attributes=tmp_path / "attributes"
    )
    for settings in (own_git_settings, folder / ".git" / "config", folder / "inner" / ".git" / "config"):
        settings.write_text(settings.read_text() + text)
    write(
        folder, {".gitattributes": ATTRIBUTES, "inner/.gitattributes": ATTRIBUTES, ".git/info/attributes": ATTRIBUTES}
    )
    for name in VARIABLES:
        monkeypatch.setenv(name, str(program))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(program))
    return folder


def test_the_trap_fires_for_plain_git(trapped, witness):
    """Otherwise the next test would prove nothing."""
    git(trapped, "update-ref", "refs/test/a", "HEAD")

    assert witness.exists()


def test_no_snapshot_command_runs_a_configured_program(trapped, witness, tmp_path):
    before = found(trapped)
    first = take(trapped, "first", "m")
    write(trapped, {"a": b"edited\r\n", "inner/i": b"edited\n", "new": b"n\n"})
    second = take(trapped, "second", "m")
    assert {"a", "inner/i", "new"} == {file.path for file in changes(first, second).files}
    assert b"".join(patch(first, second)).count(b"diff --git") == 3
    restore(trapped, first, "kept")
    assert before == found(trapped)
    export(second, tmp_path / "out")
    list_snapshots(trapped)
    forget(trapped)

    assert not witness.exists(), witness.read_text()


def test_a_filter_of_a_nested_repository_does_not_run(tmp_path):
    """The cached index may name that repository, and git would look into it with its settings."""
    folder = project(tmp_path / "p", {"a.py": b"x\n"})
    take(folder, "loop/0", "m")
    inner = project(folder / "sub", {"f": b"one\n"})
    ran = tmp_path / "ran"
    git(inner, "config", "filter.evil.clean", f"touch {ran}; cat")
    (inner / ".git" / "info").mkdir(exist_ok=True)
    (inner / ".git" / "info" / "attributes").write_text("* filter=evil\n")
    write(inner, {"f": b"two\n"})  # as long as it was: only the filter could tell whether it has changed
    os.utime(inner / "f", (1, 1))
    head, index = git(inner, "rev-parse", "HEAD").strip(), folder / ".git" / "headway" / "index"
    room = {"GIT_DIR": str(folder / ".git" / "headway"), "GIT_INDEX_FILE": str(index)}
    subprocess.run(
        ["git", "update-index", "--add", "--cacheinfo", f"160000,{head},sub"],
        cwd=folder, env={**os.environ, **room}, check=True,
    )  # fmt: skip
    assert index.exists()
    take(folder, "loop/1", "m")
    assert not ran.exists()
