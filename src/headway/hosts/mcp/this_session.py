"""Which session an agent asks about: the live one of its program in its folder."""

import os
import time
from contextlib import closing
from typing import NamedTuple

from headway.reports.text import plain
from headway.rolling.secrets import mask
from headway.rolling.text import shortened
from headway.store.overview import KeptStep, SessionOverview, changed_sessions, is_near, open_database, steps_of
from headway.store.place import database

DAY = 86_400.0
MOST_SESSIONS = 500
MOST_NAMED = 5
"""Maximum number of other sessions to name."""
LONGEST_PROMPT = 80


class NoSessionError(Exception):
    """There is no such session; the message says so to an agent."""


class Asked(NamedTuple):
    """One session with its steps, and how it was found."""

    session: SessionOverview
    steps: list[KeptStep]
    """The stored steps, oldest first."""
    others: list[SessionOverview]
    """Other live sessions that may be meant."""

    @property
    def about(self) -> str:
        """Which session the answer is about, and which others there are."""
        return "\n".join([f"This is about {_named(self.session)}.", *self._doubts()])

    def _doubts(self) -> list[str]:
        if not self.others:
            return []
        named = "; ".join(map(_named, self.others[:MOST_NAMED]))
        count = len(self.others) + 1
        return [
            f"{count} live sessions fit this folder, and this one was active last. If it is not yours, ask again with "
            f"`session` set to the beginning of another id. The other{'s' * (count > 2)}: {named}"
            f"{' …' * (len(self.others) > MOST_NAMED)}"
        ]


def find_session(program: str, name: str = "", folder: str | None = None) -> Asked:
    """The session of a program in a folder, or the one whose id begins with a name.

    A session that started in the folder itself is preferred to one that started above or below it, and then the one
    that was active last. Sub-agents have no sessions of their own here.
    """
    here = os.path.realpath(folder or ".")
    place = database()
    found: dict[int, SessionOverview] = {}
    if os.path.exists(place):  # noqa: PTH110
        with closing(open_database(place)) as connection:
            _, all_found = changed_sessions(connection, {}, since=time.time() - DAY, limit=MOST_SESSIONS)
            live = {id: one for id, one in all_found.items() if _is_meant(one, program)}
            found = _fitting(live, name, here)
            if found:
                first, *others = found
                return Asked(found[first], steps_of(connection, first), [found[id] for id in others])
    whose = f"of {program} " if program else ""
    which = f"whose id begins with {plain(name)[:40]!r}" if name else f"in {here}"
    raise NoSessionError(
        f"There is no live session {whose}{which}. A session counts only if Headway's hook is installed in the "
        "program (`headway install`), and if it was active in the last 24 hours and has not ended."
    )


def _is_meant(session: SessionOverview, program: str) -> bool:
    return not session.ended and not session.agent and program in ("", session.host)


def _fitting(live: dict[int, SessionOverview], name: str, here: str) -> dict[int, SessionOverview]:
    """The sessions that fit, the most likely one first."""
    if name:
        fitting = {id: one for id, one in live.items() if one.session.startswith(name)}
    else:
        there = {id: one for id, one in live.items() if one.cwd and os.path.realpath(one.cwd) == here}
        fitting = there or {id: one for id, one in live.items() if is_near(one, here)}
    return dict(sorted(fitting.items(), key=lambda item: -item[1].seen_at))


def _named(session: SessionOverview) -> str:
    prompt = plain(mask(session.prompt))
    first = f", first prompt “{shortened(prompt, LONGEST_PROMPT)}”" if prompt else ""
    return f"session {plain(session.session)[:40]} of {plain(session.host)} in {plain(session.cwd) or '?'}{first}"
