"""The parts of a session that belong together."""

import msgspec

from headway.core.call import Call
from headway.core.events import Used
from headway.core.step import Step
from headway.rolling.bounded import count, push, put
from headway.rolling.normalise import digest, normalise
from headway.rolling.text import clean
from headway.tools.kinds import Kind
from headway.tools.paths import folder_of, is_absolute, join, top_level

KEPT_SEARCHES = 50
KEPT_FOLDERS = 256
KEPT_REPORTS = 256
LONGEST_REPORT = 20_000
"""Characters of a report up to which times in it do not count."""
LONGEST_FOLDER = 4_000
"""Characters of the path of a shell's folder that are kept."""
_IN_FILES: frozenset[Kind] = frozenset(("read", "search", "list", "edit", "write"))
REPEATABLE: frozenset[Kind] = frozenset(("run", "test", "build", "web", "poll", "other"))
"""Kinds of calls that a user may mean when asking for repeats."""
MEANT = 4
"""Calls that a user may mean at once when asking for repeats."""
MOST = 10**15
"""Larger amounts of tokens or money in one report are implausible."""


class Spending(msgspec.Struct):
    """What the run has used, as far as it was reported."""

    count: int = 0
    """Number of reports. More output of a response that was reported before is part of its report."""
    tokens_in: int = 0
    """Tokens that the model read."""
    tokens_out: int = 0
    """Tokens that the model wrote."""
    cost_usd: float = 0.0
    """Money spent, as it was reported."""
    estimated_usd: float = 0.0
    """Money spent on requests whose cost was not reported, at list prices."""
    covered_usd: float = 0.0
    """Earlier estimates for requests whose cost was reported later, in one sum."""

    @property
    def tokens(self) -> int:
        """All tokens, read and written."""
        return self.tokens_in + self.tokens_out

    @property
    def known_usd(self) -> float:
        """Money spent, reported or estimated."""
        return self.cost_usd + self.estimated_usd

    def note(self, used: Used) -> None:
        """Add what was used. A cost without tokens is that of the requests before it, which are estimated no more."""
        is_more_output = used.tokens_out > 0 and not used.tokens_in
        self.count += not is_more_output or not self.count
        self.tokens_in += int(amount(used.tokens_in))
        self.tokens_out += int(amount(used.tokens_out))
        if used.estimated:
            self.estimated_usd += amount(used.cost_usd)
            return
        if used.cost_usd > 0 and not used.tokens_in + used.tokens_out:
            self.covered_usd, self.estimated_usd = self.covered_usd + self.estimated_usd, 0.0
        self.cost_usd += amount(used.cost_usd)


def amount(given: float) -> float:
    """The amount used; 0 if the number is NaN, negative or implausibly large."""
    return given if 0 <= given <= MOST else 0  # NaN fails every comparison


class Marks(msgspec.Struct):
    """Steps at which something last happened; 0 while it has not."""

    learnt: int = 0
    """Step of the latest success that showed something new."""
    checked: int = 0
    """Step of the latest test or build."""
    verified: int = 0
    """Step of the latest test or build that succeeded."""
    waited: int = 0
    """Step of the latest call that only let time pass."""
    compacted: int = 0
    """Step after which the context was last compacted."""
    heard: int = 0
    """Step after which a machine last reported something new."""


class Exploration(msgspec.Struct):
    """Looking around without changing anything."""

    count: int = 0
    """Reads, searches and listings since the last change."""
    target_read: bool = False
    """A file that the user named has been read."""
    since_target: int | None = None
    """Reads, searches and listings since a target was read; None while none was, or after a change."""


class Talk(msgspec.Struct):
    """How much the agent says."""

    length: int | None = None
    """Characters the agent has said in a turn that has no call yet."""
    since_result: int = 0
    """Characters the agent has said since the latest result."""
    idle_turns: int = 0
    """Agent turns without a call."""
    low_output_turns: int = 0
    """Such turns in a row, lately, that said little."""
    goes_on: bool = False
    """The agent's turn is not over: nothing has come back since it spoke or called."""
    last_batch: str | None = None
    """The parallel batch of the latest call."""
    reports: dict[int, None] = {}
    """Fingerprints of the latest reports of machines."""
    answers_report: bool = False
    """What the agent says in this turn answers a report that was new."""
    is_woken: bool = False
    """A machine has repeated a report since the latest call: it wakes the agent, who has to say something."""

    def note_report(self, text: str) -> bool:
        """Remember the report of a machine; whether it was new. Another number is new, another time of day is not."""
        exact = len(text) > LONGEST_REPORT
        report = digest(text if exact else normalise(clean(text), ids=False))
        is_new = bool(text.strip()) and report not in self.reports
        put(self.reports, report, None, KEPT_REPORTS)
        return is_new


class Turn(msgspec.Struct):
    """The current user turn so far."""

    first_step: int = 1
    """Number of the first step of this turn."""
    first_call: int = 1
    """Number of the first call of this turn."""
    asked_repeats: int = 0
    """Repeats of a call that the user has asked for."""
    repeated: dict[int, int] = {}
    """How often each call was repeated that may be meant: "up and down six times" means two calls."""
    asked_until: int = 0
    """Step of the latest repeat that the user asked for."""
    file_access_count: dict[str, int] = {}
    """How often each file was read or changed."""
    total_searches: int = 0
    """Searches whose number of hits is known."""
    empty_results: int = 0
    """Searches that found nothing."""
    consecutive_empty: int = 0
    """Searches in a row, up to now, that found nothing."""
    found: list[bool] = []
    """Whether each of the latest searches found anything."""
    folders: list[str] = []
    unique_top_level_dirs: list[str] = []
    """Top-level folders that were visited."""

    def note_repeat(self, step: Step) -> None:
        """Count a repeated call as one of those that the user has asked for."""
        digest = step.call.digest
        if not _may_be_asked_for(step) or (digest not in self.repeated and len(self.repeated) >= MEANT):
            return
        self.repeated[digest] = times = self.repeated.get(digest, 0) + 1
        if times <= self.asked_repeats:
            self.asked_until = step.number

    def asked_for(self, step: Step) -> bool:
        """Whether the user has asked for this repeat."""
        return self.first_step <= step.number <= self.asked_until and _may_be_asked_for(step)

    def note_search(self, hits: int) -> None:
        """Count a search whose number of hits is known."""
        self.total_searches += 1
        push(self.found, hits > 0, KEPT_SEARCHES)
        self.consecutive_empty = 0 if hits else self.consecutive_empty + 1
        self.empty_results += hits == 0

    def note_place(self, step: Step, path: str, limit: int) -> None:
        """Count the file or folder that a step visited."""
        is_file = step.call.meaning.kind in ("read", "write", "edit")
        if is_file:
            count(self.file_access_count, path, limit)
        folder = folder_of(path, is_file)
        if folder not in self.folders:
            push(self.folders, folder, KEPT_FOLDERS)
            if folder.partition("/")[0] not in self.unique_top_level_dirs or len(self.folders) == KEPT_FOLDERS:
                self.unique_top_level_dirs = top_level(self.folders)


def _may_be_asked_for(step: Step) -> bool:
    return step.again and step.kind in REPEATABLE


class Shell(msgspec.Struct):
    """The agent's shell, which may last for the whole run: after `cd packages/a`, the next `npm test` runs there."""

    folder: str | None = None
    """The folder it is in, as far as its commands tell; None is the one it began in."""
    moved: int = 0
    """Step of the latest change to another folder."""

    def placed(self, call: Call, root: str | None) -> Call:
        """The call with the folder in which it is made."""
        begins, meaning = call.meaning.begins_in, call.meaning
        if begins is None and self.folder is None:
            return call
        folder = self.folder if begins is None else self._after(begins, call, root)
        needs_none = meaning.command is None and (meaning.kind not in _IN_FILES or is_absolute(meaning.path or "."))
        return call if needs_none else call.in_folder(folder)

    def note(self, step: Step, root: str | None) -> None:
        """Follow a command that leaves the shell in another folder. A `cd` that failed does not."""
        leaves = step.call.meaning.leaves_in
        if leaves is None or step.denied or (step.failed and (step.kind == "other" or "cd:" in step.message)):
            return
        before, self.folder = self.folder, self._after(leaves, step.call, root)
        if self.folder != before:
            self.moved = step.number

    def _after(self, target: str, call: Call, root: str | None) -> str | None:
        """The folder after a move; one that is not known is equal to no other."""
        now = self.folder
        if target[:1] == "-":
            return f"-{call.number}{target[1:]}"
        if now and target[:2] != ".." and f"/{now}".endswith(f"/{target}"):
            return now  # it has no such folder below it: the shell does not last
        folder = join(now, target)[-LONGEST_FOLDER:]
        return None if folder in (root, ".") else folder


class Pairing(msgspec.Struct):
    """Which calls wait for their result, and how many calls and results could not be paired."""

    waiting: dict[str, Call] = {}
    finished: dict[str, None] = {}
    results_without_call: int = 0
    results_repeated: int = 0
    calls_without_result: int = 0

    @property
    def latest(self) -> str | None:
        """The id of the latest call that has no result yet."""
        return next(reversed(self.waiting), None)

    @property
    def may_run(self) -> list[Call]:
        """The calls without a result that may be running, or may have run: those that Headway did not refuse."""
        return [call for call in self.waiting.values() if not call.refused]

    def refuse(self, call: Call) -> None:
        """Note that a call was refused."""
        self.waiting[call.id] = msgspec.structs.replace(call, refused=True)

    def change_before(self, call: Call) -> int:
        """Number of the latest call before this one that has no result yet and may change something; 0 if none."""
        earlier = (one for one in self.may_run if one.number < call.number and one.digest != call.digest)
        return max((one.number for one in earlier if one.meaning.may_change), default=0)

    def knows(self, id: str | None) -> bool:
        """Whether a call with this id waits for its result, or got it recently."""
        return id in self.waiting or id in self.finished

    def is_repeated(self, call: Call) -> bool:
        """Whether this call is already open, wherever the shell is by now: some hosts announce a call twice."""
        waiting = self.waiting.get(call.id)
        return waiting is not None and waiting.digest == call.in_folder(waiting.folder).digest

    def open(self, call: Call, limit: int) -> None:
        """Wait for a call's result, unless it is pushed out by newer calls.

        A call whose id is used again keeps waiting, under a name of its own: it may have changed something.
        """
        earlier = self.waiting.pop(call.id, None)
        if earlier is not None:
            self.waiting[f"{call.id} (call {earlier.number})"] = earlier
        self.calls_without_result += len(self.waiting) >= limit
        self.finished.pop(call.id, None)
        put(self.waiting, call.id, call, limit)

    def close(self, id: str, limit: int) -> Call | None:
        """The call that a result belongs to; None for a repeated result, or one that no call waits for."""
        call = self.waiting.pop(id, None)
        if call is not None:
            put(self.finished, id, None, limit)
        elif id in self.finished:
            self.results_repeated += 1
        else:
            self.results_without_call += 1
        return call


OLD_PLACES = {
    "spending": {"use_count": "count", "tokens_in": "tokens_in", "tokens_out": "tokens_out", "cost_usd": "cost_usd"},
    "marks": {
        "last_learnt": "learnt", "last_check": "checked", "last_verified": "verified", "last_wait": "waited",
        "last_compaction": "compacted",
    },
    "exploration": {
        "exploration_count": "count", "target_read": "target_read", "explored_since_target": "since_target",
    },
    "talk": {
        "talk": "length", "message_length": "since_result", "idle_turn_count": "idle_turns",
        "low_output_turns": "low_output_turns", "agent_is_speaking": "goes_on", "last_batch": "last_batch",
    },
}  # fmt: skip
"""Where the fields of a part were before sessions had parts: in the session itself, under these names."""


def in_parts(saved: dict[str, object]) -> dict[str, object]:
    """A session that was saved before sessions had parts, as it is saved now."""
    parts = {
        part: {new: saved[old] for old, new in names.items() if old in saved} for part, names in OLD_PLACES.items()
    }
    return {**saved, **parts}
