"""Reads the agent's transcript while it works. Its steps go to monitors, and a stop ends the round.

A transcript that has grown is read again from its beginning. Events have numbers, and a monitor takes each event once,
so nothing is counted twice.
"""

import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from headway.config.settings import Settings
from headway.core.decision import Action, Decision
from headway.core.events import Event, EventError, Used
from headway.loop.agents import program_of
from headway.monitor import Monitor
from headway.readers import UnknownFormatError, read, recordings_in
from headway.sources import Source, UnreadableError

MIN_SECONDS_BETWEEN_READS = 1.0
SHARE = 10
"""The wait before the next read, as a multiple of how long reading takes."""
CLOCKS_DIFFER = 2.0

Places = Callable[[], Iterable[Path]]


class Transcripts:
    """The transcripts of one round. Events from before the round are not judged."""

    def __init__(self, places: Places, settings: Settings, *, since: float, only_in: Path | None = None) -> None:
        self._places, self._settings, self._since, self._only_in = places, settings, since, only_in
        self._monitors: dict[Path, dict[tuple[str, str], Monitor]] = {}
        self._sizes: dict[Path, int] = {}
        self._next_look = self.cost_usd = 0.0
        self.look(at_once=True)
        self.cost_usd = 0.0  # without the cost from before this round

    def look(self, *, at_once: bool = False) -> Decision | None:
        """Read new events; returns the decision that ends the round, if there is one."""
        began = time.monotonic()
        if began < self._next_look and not at_once:
            return None
        decisions = [self._read(path) for path in self._changed()]
        self._next_look = time.monotonic() + max(MIN_SECONDS_BETWEEN_READS, SHARE * (time.monotonic() - began))
        return next(filter(None, decisions), None)

    def _changed(self) -> Iterator[Path]:
        for path in self._places():
            try:
                about = path.stat()
            except OSError:
                continue
            if not stat.S_ISREG(about.st_mode):  # reading a pipe might never end
                continue
            if about.st_mtime >= self._since - CLOCKS_DIFFER and about.st_size != self._sizes.get(path):
                if about.st_size < self._sizes.get(path, 0):
                    self._monitors.pop(path, None)  # the file was replaced
                self._sizes[path] = about.st_size
                yield path

    def _read(self, path: Path) -> Decision | None:
        source, known = Source(path), self._monitors.setdefault(path, {})
        ending: Decision | None = None
        try:
            for event in read(source):
                if (event.run, event.agent) not in known:
                    if self._is_foreign(event):
                        break
                    known[event.run, event.agent] = Monitor(settings=self._settings)
                decision = self._take(event, known[event.run, event.agent])
                ending = ending or decision
        except (UnknownFormatError, UnreadableError, OSError):  # not there yet, or an unknown format
            return None
        return ending

    def _is_foreign(self, event: Event) -> bool:
        """Check whether a transcript that we found belongs to another session or folder."""
        if self._only_in is None:
            return False
        root = getattr(event, "root", None)
        elsewhere = root is not None and Path(root).resolve() != self._only_in.resolve()
        return elsewhere or (event.at is not None and event.at < self._since - CLOCKS_DIFFER)

    def _take(self, event: Event, monitor: Monitor) -> Decision | None:
        if event.seq is not None and event.seq <= monitor.session.last_seq:
            return None
        try:
            decision = monitor.feed(event).decision
        except EventError:
            return None
        if isinstance(event, Used):
            self.cost_usd += event.cost_usd
        return decision if decision.action in (Action.STOP, Action.ESCALATE) else None


def places_of(command: tuple[str, ...], folder: Path, given: str | None) -> Places:
    """The paths of the agent's transcripts: the given one, or where its program is known to write."""
    if given is not None:
        return lambda: _recordings_at(folder / given)
    known = _known_place(program_of(command), folder)
    if known is None:
        return list
    home, pattern = known
    return lambda: home.glob(pattern)


def _recordings_at(path: Path) -> list[Path]:
    """The file, or all files in the folder; empty while neither exists."""
    there = path.is_file() or path.is_dir()
    return [source.path for source in recordings_in(path) if source.path] if there else []


def _known_place(program: str, folder: Path) -> tuple[Path, str] | None:
    if program == "claude":
        home = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")
        name = "".join(char if char.isascii() and char.isalnum() else "-" for char in str(folder))
        return home / "projects", f"{name}/*.jsonl"
    if program == "codex":
        home = Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex")
        return home / "sessions", "*/*/*/rollout-*.jsonl"
    return None
