"""Words for writing streams of events, and ways to watch them.

A word stands for what happens at one moment: `search(hits=0)` is a call together with its result. `watch` plays
words to one detector and tells at which words (counted from 1) it had news.
"""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from headway import Detector, Finding, Measurements
from headway.core import events
from headway.core.decision import CONTINUE, Decision
from headway.core.engine import Engine
from headway.core.events import Event
from headway.core.iteration import Iteration
from headway.core.notes import Found, Note
from headway.core.session import Session
from headway.core.step import Step
from headway.core.watch import Watch
from headway.scoring.round import scored
from headway.tools.meaning import Vocabulary

Word = Callable[[int], list[Event]]
"""Given its place in the stream, the events it stands for."""


def call(
    tool: str,
    args: dict[str, Any] | None = None,
    output: str = "done",
    *,
    failed: bool | None = False,
    batch: str | None = None,
    at: float | None = None,
    **result: Any,
) -> Word:
    """A tool call that comes back."""

    def spell(place: int) -> list[Event]:
        id = f"call-{place}"
        return [
            events.ToolCalled(call=id, tool=tool, args=args or {}, batch=batch, at=at),
            events.ToolReturned(call=id, output=output, failed=failed, at=at, **result),
        ]

    return spell


def missing(word: Word) -> Word:
    """The same call, whose result never comes."""
    return lambda place: [event for event in word(place) if not isinstance(event, events.ToolReturned)]


def in_other_order(order: tuple[int, ...], *words: Word) -> Word:
    """Calls that are requested one after another, and whose results come in this order (counted from 1)."""

    def spell(place: int) -> list[Event]:
        told = [word(100 * place + number) for number, word in enumerate(words)]
        return [called for called, _ in told] + [told[number - 1][1] for number in order]

    return spell


def search(query: str = "needle", hits: int = 1, **more: Any) -> Word:
    return call("Grep", {"pattern": query}, "\n".join(f"{query} {i}" for i in range(hits)), hits=hits, **more)


def read(
    path: str = "src/a.py", offset: int | None = None, limit: int | None = None, output: str = "", **more: Any
) -> Word:
    window = {name: value for name, value in (("offset", offset), ("limit", limit)) if value is not None}
    first, count = offset or 1, min(limit or 100, 100)
    text = output or "\n".join(f"{n:6}\tline {n} of {path}" for n in range(first, first + count))
    return call("Read", {"file_path": path, **window}, text, **more)


def edit(path: str = "src/a.py", old: str = "x", new: str = "y", **more: Any) -> Word:
    return call("Edit", {"file_path": path, "old_string": old, "new_string": new}, "The file was updated.", **more)


def write(path: str = "src/new.py", content: str = "x", **more: Any) -> Word:
    return call("Write", {"file_path": path, "content": content}, "The file was written.", **more)


def shell(command: str, output: str = "", **more: Any) -> Word:
    return call("Bash", {"command": command}, output, **more)


def failure(message: str = "Error: it broke", tool: str = "Bash", command: str = "make thing", **more: Any) -> Word:
    return call(tool, {"command": command}, message, failed=True, **more)


def suite(failed: int = 2, passed: int = 5, seconds: str = "0.31", command: str = "pytest -q") -> Word:
    """A run of tests, as pytest prints it."""
    names = "".join(f"FAILED tests/test_a.py::test_{n} - assert\n" for n in range(failed))
    summary = f"{failed} failed, {passed} passed in {seconds}s" if failed else f"{passed} passed in {seconds}s"
    return shell(command, f"{names}{summary}\n", failed=failed > 0, exit_code=int(failed > 0))


def user(text: str = "go on") -> Word:
    return lambda place: [events.UserSpoke(text=text)]


def news(text: str) -> Word:
    """A machine reports something in the user's place."""
    return lambda place: [events.UserSpoke(text=text, kind="news")]


def agent(text: str) -> Word:
    return lambda place: [events.AgentSpoke(text=text)]


def compaction() -> Word:
    return lambda place: [events.ContextCompacted()]


def used(tokens: int = 0, cost: float = 0.0, tokens_out: int = 0) -> Word:
    return lambda place: [events.Used(tokens_in=tokens, tokens_out=tokens_out, cost_usd=cost)]


def tick(at: float) -> Word:
    return lambda place: [events.Ticked(at=at)]


def ended(**round_: Any) -> Word:
    """A round of a work loop, over."""
    return lambda place: [events.IterationEnded(**round_)]


def measured(**numbers: Any) -> Word:
    """A round of which only the numbers matter."""
    return lambda place: [events.IterationEnded(output=f"round {place} " * 30, measured=Measurements(**numbers))]


def advice(tool: str | None = None, text: str = "have a look") -> Word:
    return lambda place: [events.Advised(text=text, tool=tool)]


def spelled(words: Iterable[Word]) -> list[list[Event]]:
    """The events of each word."""
    return [word(place) for place, word in enumerate(words, 1)]


def quiet_policy(session: Session, event: Event) -> Decision:
    return CONTINUE


class Listening(Session):
    """A session that keeps which of the latest findings were news to its ledger: new, back again, or more severe."""

    news: list[Finding] = msgspec.field(default_factory=list)

    def apply(self, what: Event | Note, vocabulary: Vocabulary | None = None) -> Step | Iteration | None:
        if isinstance(what, Found):
            self.news = [finding for finding in what.findings if not self._is_going_on(finding)]
        return super().apply(what, vocabulary)

    def _is_going_on(self, finding: Finding) -> bool:
        entry = self.ledger.entries.get(finding.key)
        if entry is None or not self.ledger.is_active(entry, self.clock):
            return False
        return finding.severity.rank <= entry.finding.severity.rank


def engine_of(*detectors: Detector, kind: type[Session] = Session, **session: Any) -> Engine:
    return Engine(kind(**session), [Watch.of(one) for one in detectors], quiet_policy, Vocabulary.packaged(), scored)


def watch(detector: Detector, *words: Word, **session: Any) -> list[tuple[int, Finding]]:
    """Play words to one detector; the findings that were news, each with the place of its word."""
    engine, news = engine_of(detector, kind=Listening, **session), []
    for place, happening in enumerate(spelled(words), 1):
        for event in happening:
            if engine.feed(event).findings:
                news += [(place, finding) for finding in engine.session.news]
    return news


def sightings(detector: Detector, *words: Word, **session: Any) -> list[int]:
    """The places of the words at which a detector sees its pattern, be it news or going on."""
    engine = engine_of(detector, **session)
    told = [[engine.feed(event).findings for event in happening] for happening in spelled(words)]
    return [place for place, found in enumerate(told, 1) if any(found)]


def moments(found: list[tuple[int, Finding]]) -> list[int]:
    """Only the places at which there was news."""
    return [place for place, _ in found]
