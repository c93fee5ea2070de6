"""Aider's chat history: `.aider.chat.history.md`.

Markdown for people: `####` is the user, `>` is Aider, the rest is the model. It contains no tool calls. The closest are
edits, which show in the model's SEARCH/REPLACE blocks and in Aider's messages that it applied them. Each start of Aider
is a run of its own.
"""

import re
from collections.abc import Iterator

from headway.core import events
from headway.core.events import Event
from headway.sources import Head, Source, seconds

_START = "# aider chat started at "
_FENCES = re.compile(r"(?:(<{5,9} SEARCH)|(={5,9})|(>{5,9} REPLACE))\s*")
_APPLIED = re.compile(r"Applied edit to (.+)")
_MODEL = re.compile(r"(?:Main )?[Mm]odel: (\S+)")
_TOKENS = re.compile(r"Tokens: (.*?) received")
_AMOUNT = re.compile(r"([\d.,]+)([kM]?) (sent|received)")
_COST = re.compile(r"Cost: \$([\d.]+) message")
_FAILED = re.compile(r".*(?:blocks? failed to match|did not conform to the edit format|SearchReplaceNoExactMatch)")
_ASKS = re.compile(r"/(?:ask|code|architect|context|help)\b\s*")
_MOST_LINES = 100_000
"""Lines of one answer that are kept."""
_LONGEST_NOTE = 2_000
"""Characters of a message from Aider itself that are read."""


class Aider:
    """Chats with Aider."""

    name = "aider"
    title = "Aider chat history"

    def recognises(self, head: Head) -> bool:
        """By the line that each chat begins with."""
        return head.data.lstrip().startswith(_START.encode())

    def read(self, source: Source) -> Iterator[Event]:
        """The events of all chats in the file."""
        chat = _Chat()
        for raw in source.lines(blank=True):
            line = raw.decode("utf-8-sig", "replace").rstrip("\r\n")
            if line.startswith(_START):
                yield from chat.begin(line.removeprefix(_START).strip())
            elif line.startswith("####"):
                yield from chat.hear("user", line[5:].rstrip())
            elif line.startswith("> "):
                yield from chat.note(line[2:])
            elif chat.note_goes_on:
                yield from chat.note(line)
            elif line or chat.speaker == "model":
                yield from chat.hear("model", line.rstrip())
        yield from chat.end_turn()


class _Chat:
    """What has to be remembered from one line to the next."""

    def __init__(self) -> None:
        self.run = ""
        self.at: float | None = None
        self.speaker = ""
        self.lines: list[str] = []
        self.edits: list[tuple[str, str, str]] = []
        self.count = 0
        self.complaint = ""
        self.note_goes_on = False

    def begin(self, when: str) -> Iterator[Event]:
        """Aider was started once more. Messages within a chat have no times."""
        yield from self.end_turn()
        self.run, self.at = when, seconds(when)
        yield events.RunStarted(run=when, at=self.at, program="aider")

    def hear(self, speaker: str, line: str) -> Iterator[Event]:
        """Read one line. A message is complete when another one starts."""
        self.note_goes_on = False
        if speaker != self.speaker:
            yield from self._say()
            self.speaker = speaker
        if len(self.lines) < _MOST_LINES:
            self.lines.append(line)

    def note(self, line: str) -> Iterator[Event]:
        """A line from Aider itself; the last line of a message ends with two spaces."""
        if self.speaker != "aider":
            yield from self._say()
            self.speaker = "aider"
        if self.note_goes_on and self.complaint:
            self.complaint = f"{self.complaint}\n{line.rstrip()}"[:_LONGEST_NOTE]
        self.note_goes_on = not line.endswith("  ")
        line = line[:_LONGEST_NOTE].rstrip()
        if match := _APPLIED.match(line):
            yield from self._applied(match[1].strip())
        elif match := _MODEL.match(line):
            yield events.RunStarted(run=self.run, model=match[1], program="aider")
        elif _TOKENS.match(line):
            yield self._used(line)
        elif not self.complaint and _FAILED.match(line):
            self.complaint = line

    def end_turn(self) -> Iterator[Event]:
        """The turn is over: edits that were not applied have failed if Aider reported an error."""
        yield from self._say()
        self.speaker, self.note_goes_on = "", False
        yield from self._unapplied()

    def _say(self) -> Iterator[Event]:
        text, self.lines = "\n".join(self.lines).strip(), []
        if self.speaker == "user" and (not text.startswith("/") or _ASKS.match(text)):
            yield from self._unapplied()
            yield events.UserSpoke(run=self.run, text=_ASKS.sub("", text, count=1))
        elif self.speaker == "model" and text:
            yield from self._unapplied()
            yield events.AgentSpoke(run=self.run, text=text)
            self.edits += _edits(text)

    def _applied(self, path: str) -> Iterator[Event]:
        mine = [edit for edit in self.edits if edit[0] == path]
        self.edits = [edit for edit in self.edits if edit[0] != path]
        for _, old, new in mine or [(path, "", "")]:
            args = {"path": path, "old_string": old, "new_string": new} if old or new else {"path": path}
            yield from self._edit(args, f"Applied edit to {path}", failed=False)

    def _unapplied(self) -> Iterator[Event]:
        edits, self.edits = self.edits, []
        complaint, self.complaint = self.complaint, ""
        for path, old, new in edits if complaint else ():
            yield from self._edit({"path": path, "old_string": old, "new_string": new}, complaint, failed=True)

    def _edit(self, args: dict[str, str], output: str, failed: bool) -> Iterator[Event]:
        self.count += 1
        call = f"edit-{self.count}"
        yield events.ToolCalled(run=self.run, call=call, tool="edit", args=dict(args))
        yield events.ToolReturned(run=self.run, call=call, output=output, failed=failed)

    def _used(self, line: str) -> Event:
        amounts = {name: _tokens(number, unit) for number, unit, name in _AMOUNT.findall(line)}
        cost = _COST.search(line)
        return events.Used(
            run=self.run,
            tokens_in=amounts.get("sent", 0),
            tokens_out=amounts.get("received", 0),
            cost_usd=_float(cost[1]) if cost else 0.0,
        )


def _edits(text: str) -> Iterator[tuple[str, str, str]]:
    """The SEARCH/REPLACE blocks of an answer: the file, which is named above the block, the old and the new text."""
    parts: list[list[str]] = []
    path = above = ""
    for line in text.split("\n"):
        fence = _FENCES.fullmatch(line) if line[:5] in ("<<<<<", "=====", ">>>>>") else None
        if fence and fence[1]:
            parts, path = [[]], above
        elif fence and fence[2] and len(parts) == 1:
            parts.append([])
        elif fence and fence[3] and len(parts) == 2:
            yield path, "\n".join(parts[0]), "\n".join(parts[1])
            parts = []
        elif parts:
            parts[-1].append(line)
        elif line and not line.startswith("```"):
            above = line.strip(" *`:#")


def _tokens(number: str, unit: str) -> int:
    return int(_float(number.replace(",", "")) * {"k": 1_000, "M": 1_000_000}.get(unit, 1))


def _float(number: str) -> float:
    try:
        return float(number[:20])
    except ValueError:
        return 0.0
