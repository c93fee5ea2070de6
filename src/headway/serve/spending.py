"""Reads tokens and cost of live sessions from the recordings that programs write. Hooks do not report them.

A recording is read again when it has grown, using at most a twentieth of the time: the cost of a session may be some
seconds late, an answer to an agent may not.
"""

import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from headway.config.price_files import Pricer, PriceTable, find_prices
from headway.config.settings import SettingsError
from headway.core import parts
from headway.core.events import MAX_COUNT, MAX_DOLLARS, RunStarted, Used
from headway.readers import opened
from headway.sources import Source

CHECK_SECONDS = 2.0
SHARE = 20
"""Reading uses at most one part in this many of the time."""
MAX_RECORDING_BYTES = 256_000_000


class Spending(msgspec.Struct, frozen=True):
    """What a session has used so far, according to its recording."""

    tokens: int = 0
    cost_usd: float | None = None
    """None if neither the recording nor the price table has it."""
    estimated: bool = False
    """Whether the cost is an estimate from list prices."""


class SpendingReader:
    """A thread that keeps the spending of sessions up to date."""

    def __init__(self, transcripts: Callable[[], Iterable[str]], changed: Callable[[], None]) -> None:
        self.known: dict[str, Spending] = {}
        self._sizes: dict[str, int] = {}
        self._transcripts, self._changed = transcripts, changed
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="spending", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread."""
        self._over.set()
        self._thread.join()

    def _work(self) -> None:
        try:
            prices = find_prices()
        except SettingsError:
            prices = None
        while not self._over.wait(CHECK_SECONDS):
            self.look(prices)

    def look(self, prices: PriceTable | None) -> None:
        """Read every recording that has grown."""
        paths = {path for path in self._transcripts() if path}
        self.known = {path: spent for path, spent in self.known.items() if path in paths}
        for path in sorted(paths):
            began = time.monotonic()
            if self._over.is_set() or not self._has_grown(path):
                continue
            spent = spending_in(Path(path), prices)
            if spent is not None and spent != self.known.get(path):
                self.known[path] = spent
                self._changed()
            self._over.wait(min(30.0, SHARE * (time.monotonic() - began)))

    def _has_grown(self, path: str) -> bool:
        try:
            size = Path(path).stat().st_size
        except OSError:
            return False
        is_new = size != self._sizes.get(path) and size <= MAX_RECORDING_BYTES
        self._sizes[path] = size
        return is_new


def spending_in(path: Path, prices: PriceTable | None) -> Spending | None:
    """What the main agent of a recording has used; None if it cannot be read."""
    used, pricer, model = parts.Spending(), Pricer(prices), ""
    try:
        _, events = opened(Source(path))
        for event in events:
            if event.agent:
                continue
            pricer.note(event)
            if isinstance(event, RunStarted) and event.model:
                model = event.model
            elif isinstance(event, Used):
                used.note(pricer.priced(event, model))
    except (OSError, ValueError, RecursionError):
        return None
    is_known = bool(used.cost_usd) or (used.estimated_usd > 0 and not pricer.unpriced)
    cost_usd = min(used.known_usd, MAX_DOLLARS) if is_known else None
    return Spending(min(used.tokens, MAX_COUNT), cost_usd, estimated=is_known and used.estimated_usd > 0)
