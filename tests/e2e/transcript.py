"""What Claude Code sees when it goes in circles: the two transcripts in docs/tutorial.md.

    python -m tests.e2e.transcript            # run both stories and show them
    python -m tests.e2e.transcript --write    # and put them on the page

The program is the real one, fetched with npm; a scripted model plays its part, so no account is needed and nothing is
paid for. Headway is installed as a user would. What is shown is read from what Claude Code printed and from what it sent
to the model.
"""

import json
import re
import sys
import tempfile
import textwrap
from pathlib import Path

from rich.console import Console
from rich.text import Text

from tests.e2e.agents import ClaudeCode
from tests.e2e.models import Call, Say
from tests.e2e.place import Place

PAGE = Path(__file__).parent.parent.parent / "docs" / "tutorial.md"
WIDTH = 80
PROMPT = "The test in test_cart.py fails. Please fix it."
FILES = {
    "cart.py": "def total(prices):\n    return sum(prices[1:])\n",
    "test_cart.py": "from cart import total\n\n\ndef test_total():\n    assert total([2, 3]) == 5\n",
}
TEST = [Call("Bash", command="python -m pytest -q test_cart.py | tail -2", description="Run the test")]
STORIES = {
    "followed": [
        *[TEST] * 3,
        [Call("Read", file_path="cart.py")],
        [Call("Edit", file_path="cart.py", old_string="prices[1:]", new_string="prices")],
        TEST,
        [Say("Fixed: total() left out the first price. The test passes now.")],
    ],
    "ignored": [*[TEST] * 8, [Say("I give up.")]],
}
"""What the model does in each story: it takes the hint, or it goes on whatever it is told."""
MODES = {"followed": (), "ignored": ("--mode", "enforce")}
"""How Headway is installed in each story."""
STYLES = {"you": "bold", "agent": "cyan", "result": "", "refused": "red", "headway": "bold yellow", "end": "dim"}


def main(*options):
    console = Console(width=WIDTH, highlight=False)
    for story in STORIES:
        lines = transcript(story)
        console.print(f"\n{story}\n", *map(styled, lines), sep="\n")
        if "--write" in options:
            PAGE.write_text(with_block(PAGE.read_text("utf-8"), story, as_text(lines)), "utf-8")


def transcript(story):
    """Who said what, in order: pairs of a speaker and a text."""
    with tempfile.TemporaryDirectory() as folder, ClaudeCode.model(*STORIES[story]) as model:
        place = Place(Path(folder), model.url)
        agent = ClaudeCode()
        agent.prepare(place)
        for name, content in FILES.items():
            (place.project / name).write_text(content)
        installed = place.run("headway", "install", agent.name, *MODES[story])
        assert 0 == installed.exit_code, installed.stderr
        ran = place.run(*agent.command(PROMPT))
        printed = [json.loads(line) for line in ran.stdout.splitlines()]
        told = told_after(model.messages(model.conversation[-1]))
        lines = [("you", PROMPT), *said(printed, told, str(place.project))]
        return [(who, re.sub(r"(?<=headway allow )[0-9a-f]{8}", "3f2a91c0", text)) for who, text in lines]


def told_after(messages):
    """What Headway put into the context, by the id of the call before it."""
    told, latest = {}, None
    for message in messages:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for part in parts:
            latest = part.get("tool_use_id", latest)
            if part["type"] == "text" and "Headway" in part["text"]:
                told[latest] = part["text"]
    return told


def said(printed, told, project):
    for event in printed:
        if event["type"] == "result":
            yield "end", f"Claude Code ends: {event['terminal_reason']}"
        if event["type"] not in ("assistant", "user"):
            continue
        for part in event["message"]["content"]:
            yield from spoken(part, project)
            if part["type"] == "tool_result" and part["tool_use_id"] in told:
                yield "headway", told[part["tool_use_id"]]


def spoken(part, project):
    if part["type"] == "text":
        yield "agent", part["text"]
    elif part["type"] == "tool_use":
        shown = {key: value for key, value in part["input"].items() if key not in ("description", "replace_all")}
        words = " ".join(shown.values()) if len(shown) == 1 else json.dumps(shown)
        yield "agent", f"{part['name']}: {words}".replace(f"{project}/", "")
    elif part["type"] == "tool_result":
        text = part["content"].replace(f"{project}/", "").rstrip()
        yield "refused" if "Headway" in text else "result", re.sub(r" {9,}", " … ", text).expandtabs(4)


def as_text(lines):
    return "\n".join(str(styled(line)) for line in lines)


def styled(line):
    """One entry, wrapped, with the name of the speaker in front."""
    speaker, text = line
    rows = [row for part in text.splitlines() for row in textwrap.wrap(part, WIDTH - 9) or [""]]
    shown = "\n".join(f"{speaker if n == 0 else '':9}{row.rstrip()}" for n, row in enumerate(rows))
    return Text(shown, STYLES[speaker])


def with_block(page, story, text):
    """The page with this story's block in it."""
    start, end = f"<!-- transcript: {story} -->\n", "<!-- end -->"
    before, rest = page.split(start)
    return f"{before}{start}```text\n{text}\n```\n{end}{rest.split(end, 1)[1]}"


def block_of(page, story):
    """The story as it stands on the page."""
    return re.search(rf"<!-- transcript: {story} -->\n```text\n(.*?)\n```", page, re.DOTALL)[1]


if __name__ == "__main__":
    main(*sys.argv[1:])
