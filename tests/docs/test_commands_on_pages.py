"""Commands on the pages are true: those in `console` blocks are run, and all others have options that exist."""

import os
import re
import shlex
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import click
import pytest

from headway.cli.app import app
from tests.slow import slow

ROOT = Path(__file__).parent.parent.parent
PAGES = [
    ROOT / "README.md",
    *(ROOT / "docs" / f"{name}.md" for name in ("tutorial", "concepts", "faq", "commands", "settings")),
    *sorted((ROOT / "docs" / "how-to").glob("*.md")),
]


def blocks(page, *languages):
    found = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [block for language, block in found if language in languages]


def entries(block):
    """The commands of a block, each with the lines it is said to print."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def as_pattern(lines):
    """What may be printed: `…` stands for any words in a line, and alone on a line for any lines."""
    parts = [r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r"\n" for line in lines]
    return "".join(parts) or r"\n"


RUN = [page for page in PAGES if blocks(page, "console")]
WITH_A_LOOP = [page for page in RUN if "$ headway loop" in page.read_text("utf-8")]


@pytest.mark.parametrize(
    "page", [*(page for page in RUN if page not in WITH_A_LOOP), *slow(*WITH_A_LOOP)], ids=lambda page: page.stem
)
def test_a_command_prints_what_the_page_shows(page, tmp_path):
    """The commands of a page run one after the other, in one shell, with a home of their own."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "home").mkdir()
    shown = [entry for block in blocks(page, "console") for entry in entries(block)]
    script = "\n".join(f"{command}\necho '<end>'" for command, _ in shown)
    ran = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, text=True, check=False, timeout=250,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        env={
            "HOME": str(tmp_path / "home"),
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"]),
            "COLUMNS": "120",
            "LANG": "C.UTF-8",
            **{name: value for name, value in os.environ.items() if name.startswith("PYTEST_") and "PLUGIN" in name},
        },
    )  # fmt: skip
    printed = ran.stdout.replace(str(tmp_path / "home"), "~").split("<end>\n")[:-1]
    assert len(shown) == len(printed)
    for (command, lines), output in zip(shown, printed, strict=True):
        assert re.fullmatch(as_pattern(lines), output.rstrip("\n") + "\n"), f"$ {command}\n{output}"


def written(page):
    """The calls of Headway on a page, in blocks and in the middle of sentences."""
    text = page.read_text("utf-8")
    in_blocks = [line for block in blocks(page, "", "sh", "console", "yaml") for line in block.splitlines()]
    in_text = re.findall(r"(?<!`)`(headway [^`]+)`(?!`)", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    return [match[1] for line in (*in_blocks, *in_text) if (match := re.search(r"(?:^|[\s$:])(headway [a-z].*)", line))]


@pytest.mark.parametrize("page", [page for page in PAGES if written(page)], ids=lambda page: page.stem)
def test_a_command_on_a_page_has_the_options_it_is_given(page):
    for call in written(page):
        reader = shlex.shlex(call.replace("…", ""), posix=True, punctuation_chars=True)
        words = list(takewhile(lambda word: word[0] not in "();<>|&", filter(None, reader)))[1:]
        command = app.get_command(click.Context(app), words[0])
        assert command is not None, f"there is no `headway {words[0]}`"
        ours = words[1 : words.index("--")] if "--" in words else words[1:]
        known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        assert set() == {word for word in ours if re.match(r"--?[a-z]", word)} - known - {"--help"}, call
