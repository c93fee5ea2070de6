"""What has been found so far, by identity, and what was done about it.

Detectors only report what they see now. The ledger records what is new, what continues, what the agent has already
been told and which calls were refused, so that no detector has to.

A finding expires in the unit it was seen in: one about a step after some steps, one about a round after some rounds,
one about a message after some turns. A long round therefore does not expire a finding about the round before it.
"""

from collections.abc import Collection, Iterable

import msgspec

from headway.core.finding import Finding

SHARED = ("call:", "stall:")
"""Identities that begin like this name a call or a stall, and mean the same whichever detector uses them."""

AT_THE_END = "end of turn "
"""Prefix of the identities that are about an agent's final message in a turn."""


class Clock(msgspec.Struct, frozen=True):
    """How far a session has come, counted in each unit."""

    step: int = 0
    round: int = 0
    turn: int = 0
    event: int = 0
    at: float | None = None


class Entry(msgspec.Struct):
    """One identity: when it was seen, how often, and what was done about it in this turn."""

    finding: Finding
    first_step: int
    last_step: int
    last_seen: int = 0
    """When it was last seen, counted in the finding's own unit."""
    last_moment: int = 0
    """Event at which it was last seen, counted from the first one."""
    first_at: float | None = None
    occurrences: int = 1
    nudged_at: int | None = None
    """Step of the nudge, or None while the agent has not been told in this turn."""
    nudged_call: int = 0
    """The latest call that had been requested when the agent was nudged."""
    since_nudge: int = 0
    """How often it was seen again in calls that were requested after the nudge."""
    refusals: int = 0
    """How often a call of it was refused."""
    rollbacks: int = 0
    """How often the work was rolled back because of it."""
    closed: bool = False
    """A new user turn closes it, unless it is about a round; being seen again opens it again."""


class Ledger(msgspec.Struct):
    """Entries by key, in the order they were last seen, never more than `limit`."""

    entries: dict[str, Entry] = {}
    limit: int = 256
    active_for: int = 10
    """Steps, rounds or turns after which an entry that is no longer seen is no longer active."""
    nudges: int = 0
    """Nudges in this turn."""
    ends_held: int = 0
    """How often the agent was kept from ending this turn."""
    last_nudge: int | None = None
    """Step of the latest nudge."""
    last_call: int = 0
    """The latest call that had been requested at the latest nudge."""
    last_rank: int = 0
    """Severity rank of the latest nudge."""
    told: dict[str, None] = {}
    """Identities that the agent was nudged about in this turn, by any detector."""

    def record(self, finding: Finding, now: Clock, call: int | None = None) -> None:
        """Note that a finding is seen now.

        `call` is the number of the call it was seen in: a call made before a nudge does not count against the agent.
        """
        key = finding.key
        entry = self.entries.pop(key, None)
        if entry is None:
            entry = Entry(finding=finding, first_step=now.step, last_step=now.step, first_at=now.at)
        else:
            if not self.is_active(entry, now):  # it had expired; if it comes back, the agent is nudged again first
                self._forgive(entry)
            entry.finding, entry.last_step, entry.closed = finding, now.step, False
            entry.occurrences += 1
            entry.since_nudge += entry.nudged_at is not None and (call is None or call > entry.nudged_call)
        entry.last_seen, entry.last_moment = getattr(now, finding.unit), now.event
        if entry.nudged_at is None and finding.identity.startswith(SHARED) and finding.identity in self.told:
            # another detector has told the agent about the same thing
            entry.nudged_at, entry.nudged_call = now.step, self.last_call
        self.entries[key] = entry
        if len(self.entries) > self.limit:
            del self.entries[next(iter(self.entries))]

    def is_active(self, entry: Entry, now: Clock) -> bool:
        """Seen within the last few steps of this turn, or rounds, or turns: whichever the finding is about.

        A loop of many calls stays active for two passes through it, however many steps these take.
        """
        since: int = getattr(now, entry.finding.unit) - entry.last_seen
        return not entry.closed and since < max(self.active_for, 2 * len(entry.finding.repeats) + 1)

    def active(self, now: Clock) -> list[Entry]:
        """Entries that are active now, in the order they were last seen."""
        return [entry for entry in self.entries.values() if self.is_active(entry, now)]

    def sees_something(self, event: int) -> bool:
        """Whether anything was seen at this event. Usually nothing was."""
        return bool(self.entries) and next(reversed(self.entries.values())).last_moment == event

    def seen_at(self, event: int) -> list[Entry]:
        """Entries that were seen at the latest event."""
        found: list[Entry] = []
        for entry in reversed(self.entries.values()):
            if entry.last_moment != event:
                break  # entries are in the order they were last seen
            found.append(entry)
        return found[::-1]

    def mark_nudged(self, findings: Iterable[Finding], step: int, call: int = 0) -> None:
        """Record that one nudge told the agent about these findings, after `call` calls."""
        self.nudges += 1
        self.last_nudge, self.last_call = step, call
        self.last_rank = 0
        for finding in findings:
            self.last_rank = max(self.last_rank, finding.severity.rank)
            entry = self.entries[finding.key]
            entry.nudged_at, entry.nudged_call = step, call
            if not finding.worth_saying:  # nothing follows from these, whichever detector sees the same
                self.told[finding.identity] = None
            self.ends_held += finding.identity.startswith(AT_THE_END)

    def mark_refused(self, findings: Iterable[Finding]) -> None:
        """Note that a call was refused because of findings."""
        for finding in findings:
            self.entries[finding.key].refusals += 1

    def mark_rolled_back(self, findings: Iterable[Finding]) -> None:
        """Note that the work was rolled back because of findings."""
        for finding in findings:
            self.entries[finding.key].rollbacks += 1

    def has_rolled_back(self, findings: Iterable[Finding]) -> bool:
        """Whether the work was rolled back before because of one of these."""
        return any(self.entries[finding.key].rollbacks for finding in findings if finding.key in self.entries)

    def forgive_rollbacks(self) -> None:
        """Reset the rollback counts, because the work has gone forward since."""
        for entry in self.entries.values():
            entry.rollbacks = 0

    def keep_only(self, detectors: Collection[str]) -> None:
        """Forget what was found by other detectors: they no longer run, or have other settings now."""
        for key, entry in list(self.entries.items()):
            if entry.finding.detector not in detectors and not entry.finding.identity.startswith(AT_THE_END):
                self._forgive(entry)
                del self.entries[key]

    def note_compaction(self) -> None:
        """Reset all nudges: they are no longer in the agent's context, so it must be told again before a block."""
        for entry in self.entries.values():
            if entry.finding.unit != "round":
                self._forgive(entry)

    def close_turn(self) -> None:
        """A new user turn resets everything except findings about rounds."""
        self.nudges, self.ends_held, self.last_nudge, self.last_rank = 0, 0, None, 0
        self.told.clear()
        for entry in self.entries.values():
            if entry.finding.unit != "round":
                entry.closed = True
                self._forgive(entry)

    def _forgive(self, entry: Entry) -> None:
        self.told.pop(entry.finding.identity, None)
        entry.nudged_at, entry.since_nudge, entry.refusals, entry.rollbacks = None, 0, 0, 0
