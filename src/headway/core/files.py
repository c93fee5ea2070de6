"""Which lines of which files the agent has seen, what has changed since, and which files returned to an earlier state.

The state of a file is a number that each edit changes: removing a text subtracts its hash, adding one adds it. An edit
that reverts another one therefore restores the earlier state, even if other edits were made and reverted in between.
"""

from itertools import pairwise

import msgspec

from headway.core.call import Call
from headway.core.events import ToolReturned
from headway.core.step import Step
from headway.rolling.bounded import push, put
from headway.tools.meaning import END

KEPT_READS = 32
"""Reads of one file whose lines are remembered."""
KEPT_RANGES = 64
"""Ranges of lines of one file that are remembered."""
SILENT = 3
"""Looks that show nothing while none has shown anything: from then on, an empty result is one that was not recorded."""
KEPT_STATES = 20
"""States of one file that are remembered."""


class FileRecord(msgspec.Struct):
    """What is known of one file. Reads count from the last change, compaction or user turn on."""

    ever_read: bool = False
    """It was read in this run."""
    reads: int = 0
    """Reads of it."""
    parts: int = 0
    """Reads that showed lines of which less than half had been read before."""
    covered: list[tuple[int, int]] = []
    """The lines that were read, in order; ranges that touch are one."""
    known_reads: int = 0
    """Reads that returned mostly lines that had been read before."""
    rereads: int = 0
    """Known reads that were not a closer look at a part of what had been read."""
    last_reread: int = 0
    """Step of the latest read that returned known lines."""
    shown: list[tuple[tuple[int, int], int]] = []
    """Lines that the latest reads showed, with a fingerprint of the output, oldest first."""
    last_batch: str | None = None
    last_read: int = 0
    """Step of the latest read."""
    changes: int = 0
    """Changes of it."""
    shown_before_compaction: list[tuple[tuple[int, int], int]] = []
    """The value of `shown` when the context was compacted; empty after a change, or what may have been one."""
    states: list[int] = msgspec.field(default_factory=lambda: [0])
    """State after each of the latest changes of known effect in a row; 0 is the state before the first of them."""
    last_return: int = 0
    """Step of the latest change that restored an earlier state of the file."""
    last_repeat: int = 0
    """Step of the latest change that had been made before, from the same state to the same state."""
    folder: str | None = None
    """The folder that its path was last seen from, as `Call.folder_of` tells."""

    def note_read(self, step: Step, share: float, changed: int) -> None:
        """Count a read. It is a re-read if at least `share` of its lines were read before and have the same text now.

        `changed` is the latest step that may have changed the file, for any reason. Reads of one parallel batch
        count once: none of them could use what the others would show.
        """
        lines, output, batch = step.call.meaning.lines, step.digest, step.call.batch
        if batch is not None and batch == self.last_batch:
            return
        if changed >= self.last_read or self._says_something_else(step):
            self.forget_reads()
            self.shown_before_compaction = []
        self.last_batch, self.last_read = batch, step.number
        self.ever_read = True
        self.reads += 1
        is_known = self._is_known(step, share)
        self._note_part(shown_lines(step), is_known=is_known)
        if is_known:
            self.known_reads += 1
            self.rereads += not self._is_closer_look(lines)
            self.last_reread = step.number
        push(self.shown, (lines or (1, END), output), KEPT_READS)

    def note_change(self, edit: tuple[int, int] | None, step: int) -> None:
        """Record the state after an edit, and forget all reads: they no longer show what the file contains."""
        self.changes += 1
        self.shown_before_compaction = []
        self.forget_reads()
        if edit is not None:
            self._move(edit, step)
        else:
            self.states = [0]  # what comes next cannot restore a state from before it

    def note_compaction(self) -> None:
        """Forget all reads, because the agent has lost their output; remember only what they showed."""
        self.shown_before_compaction = self.shown or self.shown_before_compaction
        self.forget_reads()

    def was_known_before_compaction(self, step: Step) -> bool:
        """Whether a read shows the same lines, with the same text, as one before the context was compacted."""
        return (step.call.meaning.lines or (1, END), step.digest) in self.shown_before_compaction

    def forget_reads(self) -> None:
        """Forget all reads; reading the same lines again is not a re-read."""
        self.reads = self.known_reads = self.rereads = self.last_reread = self.parts = 0
        self.shown, self.covered = [], []

    def _note_part(self, lines: tuple[int, int], *, is_known: bool) -> None:
        """Count a read whose lines are mostly new."""
        if not self.covered:
            self.parts = 0  # an earlier version counted them, and did not save which lines they were
        self.parts += not is_known and 2 * sum(overlap(lines, seen) for seen in self.covered) < 1
        self.covered = merged(self.covered, lines)

    def _move(self, edit: tuple[int, int], step: int) -> None:
        out, in_ = edit
        state = in_ if out == 0 else (self.states[-1] + in_ - out) % 2**64
        if state == self.states[-1]:
            return
        if state in self.states:
            self.last_return = step
        if (self.states[-1], state) in pairwise(self.states):
            self.last_repeat = step
        push(self.states, state, KEPT_STATES)

    def _is_known(self, step: Step, share: float) -> bool:
        """Whether it shows the same lines and text as before, or a part of them, with mostly known text."""
        if step.opaque or not step.said:  # nothing was shown, so no lines either
            return False
        lines = step.call.meaning.lines
        if lines is None and step.call.meaning.command and not step.again and "\n" not in step.said.strip():
            return False  # a word that another command says too: another key of the file, or another page
        if (lines or (1, END), step.digest) in self.shown:
            return True
        if lines is None or step.novelty > 1 - share:  # it showed other text than was shown before
            return False
        return any(overlap(lines, seen) >= share for seen, _ in self.shown)

    def _says_something_else(self, step: Step) -> bool:
        """Whether the same lines were read before with different text, so the file has changed."""
        lines, digest = step.call.meaning.lines, step.digest
        for seen, said in (*self.shown_before_compaction, *self.shown):
            if said != digest and seen == (lines or (1, END)):
                return lines is not None or not step.call.meaning.moves  # the tool may keep its own position
        return False

    def _is_closer_look(self, lines: tuple[int, int] | None) -> bool:
        """Whether every earlier read that showed these lines showed more than twice as many."""
        return lines is not None and all(is_closer(lines, seen) for seen, _ in self.shown if overlap(lines, seen) > 0)


class Looks(msgspec.Struct):
    """Whether looks at files and folders show anything: some recordings hold no results, or few."""

    shown: bool = False
    """One has shown something, so results are recorded, and an empty one is empty."""
    silent: int = 0
    """Looks of which nothing is known, not even whether they succeeded: different ones, or such as name nothing."""

    def note(self, call: Call, result: ToolReturned, said: str, *, again: bool) -> bool:
        """Note a result; return whether it was recorded, as far as is known.

        A file is seldom empty, several hardly ever; and who looks for nothing at all is told so.
        """
        is_known = bool(said) or result.failed is not None or result.exit_code is not None or result.denied
        names_nothing = not call.params and call.meaning.kind in ("read", "list", "search")
        if self.shown:
            return is_known or not names_nothing
        if call.meaning.kind in ("read", "list"):
            self.shown = is_known
        self.silent += not is_known and (names_nothing or (call.meaning.kind in ("read", "list") and not again))
        return is_known or self.silent < SILENT


class Files(msgspec.Struct):
    """Records by path, the latest `limit` of them."""

    records: dict[str, FileRecord] = {}
    """The record of each file, by path."""
    limit: int = 1_000

    def get(self, path: str | None) -> FileRecord | None:
        """What is known of a file, if anything is."""
        return self.records.get(path) if path else None

    def touched(self, path: str, folder: str | None) -> FileRecord:
        """The record of a file that is being read or changed now. Seen from another folder, it may be another file."""
        record = self.records.get(path)
        if record is None or record.folder != folder:
            record = FileRecord(folder=folder)
        put(self.records, path, record, self.limit)
        return record

    def note_turn(self) -> None:
        """The user sent a message."""
        for record in self.records.values():
            record.forget_reads()
            record.states = record.states[-1:]  # the user may ask for a revert

    def note_compaction(self) -> None:
        """The context was compacted."""
        for record in self.records.values():
            record.note_compaction()


def overlap(lines: tuple[int, int], seen: tuple[int, int]) -> float:
    """The share of `lines` that lies inside `seen`."""
    shared = max(0, min(lines[1], seen[1]) - max(lines[0], seen[0]) + 1)
    return shared / max(1, lines[1] - lines[0] + 1)


def shown_lines(step: Step) -> tuple[int, int]:
    """The lines that a read showed: no more than its output has, if that is less than half of what it asked for."""
    first, last = step.call.meaning.lines or (1, END)
    if first > END // 2 or step.opaque or not step.said:  # counted from the end, or unknown
        return first, last
    count = (step.line_count + 1) * step.size // len(step.output)  # the output may have been clipped
    return (first, first + count - 1) if 2 * count < last - first + 1 else (first, last)


def merged(ranges: list[tuple[int, int]], lines: tuple[int, int]) -> list[tuple[int, int]]:
    """The ranges with one more, in order. If they are too many, the two that are closest become one."""
    first, last = lines
    apart = [one for one in ranges if one[1] + 1 < first or last + 1 < one[0]]
    touching = [lines, *(one for one in ranges if one[1] + 1 >= first and last + 1 >= one[0])]
    found = sorted([*apart, (min(touching)[0], max(one[1] for one in touching))])
    if len(found) > KEPT_RANGES:
        place = min(range(1, len(found)), key=lambda n: found[n][0] - found[n - 1][1])
        found[place - 1 : place + 1] = [(found[place - 1][0], found[place][1])]
    return found


def is_closer(lines: tuple[int, int], seen: tuple[int, int]) -> bool:
    """Whether `lines` are fewer than half as many as `seen`."""
    return 2 * (lines[1] - lines[0] + 1) < seen[1] - seen[0] + 1
