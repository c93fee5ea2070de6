"""Reads the cost of a round from the agent's output: Claude Code's JSON, and aider's last line.

An agent's total grows during its session. A round may have several sessions, each with its own total. They are told
apart by their ids, or by a total that is smaller than the one before.
"""

import re

from headway.core.parts import amount

_TOTAL = re.compile(r'"total_cost_usd":\s*([0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)')
_SESSION = re.compile(r'"session_id":\s*"([^"]{1,200})"')
_AIDER = re.compile(r"Cost: \$([0-9.]+) message, \$([0-9]+(?:\.[0-9]+)?) session")
_LONGEST_LINE = 1_000_000
"""Bytes of a line to read, from its end: a session's result is one line, with the cost at the end."""


class Meter:
    """Reads an agent's output as it arrives. Lines repeated from the prompt are ignored."""

    def __init__(self, prompt: str = "") -> None:
        self._told = {line.strip() for line in prompt.splitlines() if "ost" in line}
        self._begun = bytearray()
        self._sessions: dict[str, float] = {}
        self._unnamed = 0

    def feed(self, piece: bytes) -> None:
        """Read the next piece of the output."""
        first, *others = piece.split(b"\n")
        self._begun += first
        for line in others:
            self._read(bytes(self._begun))
            self._begun = bytearray(line)
        if len(self._begun) > 2 * _LONGEST_LINE:
            del self._begun[:-_LONGEST_LINE]

    def end(self) -> None:
        """Read the last line, which may lack a newline."""
        self.feed(b"\n")

    def usd(self) -> float | None:
        """US dollars according to the agent's complete lines; None if it prints none."""
        return sum(self._sessions.values()) if self._sessions else None

    def _read(self, line: bytes) -> None:
        if b"total_cost_usd" not in line and b"Cost: $" not in line:
            return
        text = line.decode("utf-8", "replace")
        if text.strip() in self._told:
            return
        named = _SESSION.search(text)
        for found in _TOTAL.findall(text):
            self._count(float(found), named[1] if named else "", begins=False)
        for message, total in _AIDER.findall(text):
            self._count(float(total), "", begins=message == total)

    def _count(self, total: float, session: str, *, begins: bool) -> None:
        """Record the total of a session. A session without an id continues as long as its total grows."""
        if amount(total) != total:  # 1e400 is infinite
            return
        if not session:
            before = self._sessions.get(f" {self._unnamed}", 0.0)
            self._unnamed += total < before or (begins and 0.0 < before != total)
            session = f" {self._unnamed}"
        self._sessions[session] = max(total, self._sessions.get(session, 0.0))
