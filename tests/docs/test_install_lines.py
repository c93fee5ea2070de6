"""`headway` on the package index is another project: nothing of ours may lead people there."""

import re
import subprocess
import tomllib
from importlib.metadata import entry_points, version
from pathlib import Path

import pytest

import headway

ROOT = Path(__file__).parent.parent.parent
NAME = "headway-agents"
INSTALL = r"(?:\b(?:pip|pipx|uv|poetry|conda)\b.*\b(?:install|add|run|inject|upgrade)|\buvx)\s+(?:-\S+\s+)*[\"'`]?headway(?![\w@-])"
EXTRA = r"(?<![\w\"'.-])headway\\?\[[a-z{]"
WRONG = re.compile(f"{INSTALL}|{EXTRA}")


def tracked():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return [ROOT / name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()]


def test_no_file_leads_to_the_other_project():
    files = {path: path.read_text("utf-8", errors="replace") for path in tracked()}
    assert len(files) > 500
    wrong = [f"{path.relative_to(ROOT)}: {found[0]}" for path, text in files.items() for found in WRONG.finditer(text)]
    assert [] == wrong


@pytest.mark.parametrize(
    "words",
    ["pip install", "pip install -U", "pipx install", "uv tool install", "uv add", "uvx", "uvx --from", "pipx run"],
)
@pytest.mark.parametrize("rest", ["{}", "'{}'", "{}[zstd]", "'{}[loop,zstd]'", "{} --quiet", "{}==0.2.0"])
def test_a_line_with_the_wrong_name_is_seen_and_one_with_the_right_name_is_not(words, rest):
    other = NAME.removesuffix("-agents")
    assert WRONG.search(f"`{words} {rest.format(other)}`")
    assert not WRONG.search(f"`{words} {rest.format(NAME)}`")


def test_headway_installing_itself_into_an_agent_is_something_else():
    assert not WRONG.search(
        'headway install claude-code; claude plugin install headway@headway; run `headway doctor`; metadata["headway"]'
    )


def test_the_package_has_this_name_and_both_commands():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (NAME, headway.__version__) == (project["name"], project["version"])
    assert headway.__version__ == version(NAME)
    commands = entry_points(group="console_scripts")
    assert {"headway.cli:main"} == {commands[name].value for name in ("headway", NAME)}


@pytest.mark.parametrize("page", ["README.md", "docs/install.md"])
def test_both_pages_tell_how_to_install_it(page):
    text = (ROOT / page).read_text()
    assert all(f"{words} {NAME}" in text for words in ("pipx install", "uv tool install", "uvx"))
