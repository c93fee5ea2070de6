"""A tool call with its result: built once, read by every detector.

A step keeps the fingerprint of the whole output but only a clipped text of it, so that a megabyte of log
costs one pass and a few kilobytes. Whatever is derived from the text later is derived from the clipped one.
"""

import re
from typing import Any

import msgspec
from msgspec import structs

from headway.core.call import Call
from headway.core.events import ToolReturned
from headway.rolling.bounded import SHORT
from headway.rolling.lazy import lazy, regex
from headway.rolling.normalise import Durations, asks_for_id, digest, normalise, normalise_error
from headway.rolling.secrets import mask
from headway.rolling.text import clip, shortened
from headway.tools.envelope import Output, body, names_what_was_made
from headway.tools.error_shapes import (
    is_malformed,
    is_of_the_surroundings,
    is_over,
    is_refusal,
    is_transient,
    says_it_was_made,
    says_there_is_none,
)
from headway.tools.meaning import Kind, Meaning
from headway.tools.outcome import first_error_line, looks_failed
from headway.tools.tests_seen import TestsSeen

KEPT_OUTPUT = 4_000
"""Characters of an output that are kept."""
EXPLORING = ("read", "search", "list")
"""Kinds of calls that look around in files."""
LONGEST_TITLE = 80
"""Characters of a command that are shown in the name of a call."""
_RUNS = frozenset(("run", "test", "build", "poll", "web", "delegate"))
"""Kinds of calls whose results may contain ids that change with every run. In other results an id may be the answer."""
_CONTINUING = frozenset(("other", "run", "vcs"))
"""Kinds of calls that may continue from where they are."""
_MEASURES = regex(r"bench|tim(?:e|ing)|measur|profil|latenc|speed|perf|ping", re.IGNORECASE)
"""Names of tools whose answer may be how long something took."""
_AT_ONCE = 0.5
"""Seconds in which no wait is over that is worth the name."""
_CUT_OFF = (124, 137, 143)
"""Exit codes of a program that was ended when its time was over."""

_QUOTED = regex(r"`[^`]*`?|\"[^\"]*\"|'[^']*'")


class Step(msgspec.Struct, frozen=True, dict=True):
    """A call together with what came back."""

    number: int
    """Place of this step in the run, counted from 1."""
    call: Call
    """What the agent asked for."""
    output: str
    """The output, clipped in the middle when it is long."""
    digest: int
    """Fingerprint of the whole output."""
    size: int
    """Length of the whole output."""
    failed: bool
    """Whether it failed, according to the host or to its output."""
    exit_code: int | None = None
    """The exit code of a program; None if the host does not report one."""
    denied: bool = False
    """A person or the host refused it: it did not run."""
    hits: int | None = None
    """What a search found; None if it is not a search, or unknown."""
    message: str = ""
    """The line that says what went wrong, for a failed step."""
    at: float | None = None
    """When the result came back, in seconds since the epoch; None if unknown."""
    path: str | None = None
    """The file or folder it is about. All spellings of a path become the same one."""
    novelty: float = 0.0
    """The share of the output's lines that are new in this run, 0-1."""
    tests: TestsSeen | None = None
    """The test result in the output, if there is one."""
    news: bool = False
    """It changed something, did better in tests, or showed something that is new in this run."""
    changed: bool = False
    """It changed files, as far as the call and its result show."""
    again: bool = False
    """An equal call is among the steps that the session remembers."""
    differs: bool = False
    """Its result differs from that of the last equal call, although no line of it is new in this run."""
    opaque: bool = False
    """The result was not recorded as text (an image, for example), so results cannot be compared."""
    message_length: int = 0
    """Characters that the agent wrote between the previous result and this one."""
    portion: bool = False
    """It was made before, and its result says that this time, too, a portion of the work was done."""
    fingerprint: int | None = None
    """The value of `normal`, if the output was removed before the session was saved; otherwise None."""

    @classmethod
    def of(
        cls,
        call: Call,
        event: ToolReturned,
        number: int,
        *,
        output: Output | None = None,
        path: str | None = None,
        novelty: float = 1.0,
        tests: TestsSeen | None = None,
        better: bool = False,
        before: "Step | None" = None,
        idle: bool = False,
        message_length: int = 0,
        recorded: bool = True,
    ) -> "Step":
        """Pair a call with its result. The session provides the rest: `before` is the last equal step.

        An empty result that was not `recorded` says nothing, not even that it is empty.
        """
        output = output or Output.remembered(event.output, event.exit_code)
        meaning, failed = call.meaning, event.failed
        if failed is None:
            failed = event.denied or looks_failed(meaning, output)
        hits = None
        if meaning.kind == "search" and (recorded or output.body):
            from headway.tools.hits import count_hits  # most calls are no searches

            hits = count_hits(meaning, output, failed=failed) if event.hits is None else event.hits
        portion = False
        if before is not None and not failed:
            from headway.tools.portions import did_a_portion  # most calls are made once

            portion = did_a_portion(meaning, output)
        informative = not failed or meaning.kind in ("run", "test", "build")
        changed = meaning.changes and not (event.denied or idle)
        if changed and failed:  # a check that ran after the edit may have
            changed = meaning.command is None and says_it_was_made(output.body)
        opaque = output.opaque or not (recorded or output.body)
        step = cls(  # in the order of the fields: so many names would take longer than the rest
            number,
            call,
            clip(output.text, KEPT_OUTPUT),
            output.digest,
            len(output.text),
            failed,
            event.exit_code,
            event.denied,
            hits,
            mask(output.once(first_error_line)) if failed else "",
            event.at,
            path,
            novelty,
            tests,
            changed or better or (informative and (novelty > 0 or opaque) and not meaning.idle),
            changed,
            before is not None,
            opaque=opaque,
            message_length=message_length,
            portion=portion,
        )
        if step.size <= KEPT_OUTPUT:
            step.__dict__["said"] = output.body
        if before is None or novelty > 0 or step.same_result(before):
            return step
        return structs.replace(step, differs=True, news=step.news or informative)

    @property
    def tool_name(self) -> str:
        """Name of the tool, as the agent knows it."""
        return self.call.tool_name

    @property
    def params(self) -> dict[str, Any]:
        """Arguments of the call."""
        return self.call.params

    @property
    def meaning(self) -> Meaning:
        """What the call does."""
        return self.call.meaning

    @property
    def kind(self) -> Kind:
        """Read, search, edit, test, …"""
        return self.call.meaning.kind

    @property
    def title(self) -> str:
        """The subject of a sentence about a repeat: the edit of a file, the command, or the tool with its file."""
        command = self.call.meaning.command
        if self.path and self.kind in ("edit", "write"):
            return f"The same {self.kind} of {self.path}"
        if command and self.call.is_code:
            return f"The code `{shortened(mask(command), LONGEST_TITLE)}` (comments, names and unused values aside)"
        if command:
            return f"The command `{shortened(mask(command), LONGEST_TITLE)}`"
        return f"The same {self.tool_name} {f'of {self.path}' if self.path else 'call'}"

    @property
    def why_it_failed(self) -> str:
        """The error of a failed edit, as the end of a sentence; empty for other calls: the agent has just read it."""
        return f": {quoted(self.message)}" if self.message and self.kind in ("edit", "write") else ""

    @lazy
    def said(self) -> str:
        """The kept output, without the lines that a host added around it."""
        return body(self.output)

    @lazy
    def normal(self) -> int:
        """Fingerprint of the output without times, ids and the like; for an error, only of what identifies it.

        Where a tool only names the picture or the sound that it has made, another name is another result.
        """
        if self.fingerprint is not None:
            return self.fingerprint
        if not self.failed and self.call.meaning.kind == "other" and names_what_was_made(self.said):
            return digest(self.said)
        if self.failed:
            return digest(normalise_error(self.said))
        return digest(normalise(self.said, self._accidental_durations, ids=self._has_accidental_ids))

    @property
    def _has_accidental_ids(self) -> bool:
        """Whether ids in the result change with every run, and the call does not ask for one."""
        meaning = self.call.meaning
        return meaning.kind in _RUNS and not asks_for_id(f"{self.tool_name} {meaning.query} {meaning.command}")

    @property
    def _accidental_durations(self) -> Durations:
        """Which durations to ignore: in a status they always change; in a line or two they may be the result."""
        meaning = self.call.meaning
        if meaning.kind == "poll":
            return "any"
        is_program = meaning.kind in ("run", "other", "web") and meaning.command is not None
        measures = is_program or (meaning.kind in ("run", "other") and _MEASURES.search(self.tool_name))
        is_short = measures and self.tests is None and self.line_count < SHORT
        return "none" if is_short or (meaning.command or "").startswith("time ") else "stated"

    @lazy
    def wording(self) -> str:
        """The beginning of the arguments, as one text."""
        return " ".join(map(str, self.call.params.values()))[:500]

    @lazy
    def line_count(self) -> int:
        """Number of line breaks in the kept output."""
        text = self.said.strip()
        return text.count("\n") + text.count("\r")

    @lazy
    def signature(self) -> str:
        """What identifies the error of a failed step, without paths, numbers and times."""
        return normalise_error(self.message)

    @lazy
    def shape(self) -> str:
        """The signature without quoted parts: it stays the same if only the arguments of the call change.

        In JSON, everything that was said is quoted.
        """
        is_json = self.signature.startswith(("{", "[{"))
        return self.signature if is_json else _QUOTED.sub("…", self.signature)[:120]

    @lazy
    def transient(self) -> bool:
        """It failed because of the network, a limit or a busy machine, or it waited until its time was over."""
        if not self.failed:
            return False
        in_vain = self.let_time_pass and self.call.meaning.kind == "poll"
        return is_transient(self.message) or (in_vain and (self.exit_code in _CUT_OFF or is_over(self.message)))

    @property
    def let_time_pass(self) -> bool:
        """It waited: by what it is, and as far as its times tell. Equal times are those of one record for both."""
        if not self.call.meaning.waits:
            return False
        return self.at is None or self.call.at is None or not 0 < self.at - self.call.at < _AT_ONCE

    @lazy
    def malformed(self) -> bool:
        """The tool did not take its arguments: that says nothing about the work. A program's complaint is another."""
        return self.failed and self.call.meaning.command is None and is_malformed(self.message)

    @lazy
    def is_an_answer(self) -> bool:
        """A first look at something: a failure shows the agent that nothing is there. A refusal is not an answer.

        A tool's name does not matter. A command may do more than look, and a file that is not there cannot be edited.
        One that asks for a status says by its exit code what the status is.
        """
        meaning = self.call.meaning
        if self.again or self.malformed:
            return False
        if meaning.kind in EXPLORING and not meaning.guessed:
            return not is_refusal(self.message)
        if meaning.kind == "poll" and meaning.command and not (meaning.waits or meaning.may_change):
            return not is_of_the_surroundings(self.message)
        is_look = meaning.unknown or meaning.guessed or not (meaning.changes or meaning.acts)
        may_look = meaning.kind == "web" or (meaning.command is None and is_look)
        return may_look and says_there_is_none(self.message)

    @property
    def is_no_wait(self) -> bool:
        """A call that is meant to wait or to ask for a state, and that is refused: it will be refused again."""
        return self.failed and (is_refusal(self.message) or self.malformed)

    @property
    def answers_the_same(self) -> bool:
        """An equal call has given the same result before: no person, whatever the tool is called."""
        return self.again and not self.differs and self.novelty == 0

    @property
    def is_first_success(self) -> bool:
        """It succeeded, and no equal call came before it. It may count as progress even if its output is not new."""
        return not (self.failed or self.denied or self.again or self.call.meaning.idle)

    @property
    def may_advance_cursor(self) -> bool:
        """It may go on to the next page, key, row or portion with each call, even if the output stays the same."""
        meaning = self.call.meaning
        return not self.failed and (self.portion or (meaning.moves and meaning.kind in _CONTINUING))

    @property
    def acts_again(self) -> bool:
        """An equal call does something again, even if the output is the same: the next key, another restart."""
        meaning = self.call.meaning
        return self.may_advance_cursor or (meaning.acts and meaning.kind == "run" and meaning.query is None)

    def same_call(self, other: "Step") -> bool:
        """Same tool, same arguments, same folder."""
        return self.call.digest == other.call.digest

    def same_result(self, other: "Step") -> bool:
        """Same outcome and same output, apart from times, ids and the like; errors are compared more loosely.

        If that is not certain, the answer is no.
        """
        if self.failed != other.failed or self.denied != other.denied or self.opaque or other.opaque:
            return False
        if self.digest == other.digest:
            return True
        if self.may_advance_cursor:
            return False
        if not self.failed and max(self.size, other.size) > KEPT_OUTPUT:
            return False  # what was clipped may differ
        return self._may_look_alike(other) and self.normal == other.normal

    def _may_look_alike(self, other: "Step") -> bool:
        """A quick check: times and ids never change the number of lines, except in JSON."""
        if self.fingerprint is not None or other.fingerprint is not None or self.said.lstrip()[:1] in ("{", "["):
            return True
        return self.line_count == other.line_count


def quoted(text: str, longest: int = 120) -> str:
    """The beginning of an error or a command, in quotes, without a full stop at its end."""
    return f'"{" ".join(text.split())[:longest].rstrip(" .")}"'
