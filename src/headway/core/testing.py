"""The results of tests, builds and linters, run after run, for each command that ran them.

Two runs are comparable when the same command ran them in the same folder; what only filters the output (`| tail -20`)
is not part of it.
"""

from collections.abc import Mapping

import msgspec

from headway.core.call import Call
from headway.core.step import LONGEST_TITLE, Step
from headway.rolling.bounded import put
from headway.rolling.lazy import regex
from headway.rolling.secrets import mask
from headway.rolling.text import shortened
from headway.tools.kinds import LONGEST_TEXT
from headway.tools.tests_seen import TestsSeen

_END = r"(?![^ |;&<>])"
_OPTIONS = rf"(?: (?:-[^ |;&<>]++|\+?\d++){_END})*+"
_PATTERN = r"""(?:"[^"]*+"|'[^']*+'|[^ "'|;&<>-][^ "'|;&<>]*+)"""
_FILTER = regex(
    rf"(?:\|&? ?(?:(?:tail|head|less|more|cat){_END}{_OPTIONS}"
    rf"|(?:grep|tee|sed|awk|cut|tr){_END}{_OPTIONS}(?: {_PATTERN}{_OPTIONS})?)"
    r"(?: ?\d?>&? ?[^ |;&<>]++)*+ ?)++(?:(?:;|&&|\|\|) ?echo [^;&|`(]*+)?+$"
)
"""Programs at the end of a command that only filter its output, with their options and at most one pattern."""
_PARTIAL = regex(
    r"--lf\b|--last-failed|--ff\b|--sw\b|--stepwise|(?:^|\s)-x\b|--exitfirst|--maxfail|--bail|--onlyFailures"
)


class TestHistory(msgspec.Struct):
    """The runs of one test command."""

    last: TestsSeen | None = None
    """The latest run."""
    best: TestsSeen | None = None
    """The run with the fewest failures so far, the one with more passes among equals."""
    last_step: int = 0
    """Step of the latest run."""
    same_since_change: int = 0
    """Runs in a row with the same result, with nothing changed in between. Those of one parallel batch count once."""
    repeated_in_batch: int = 0
    """Runs that are not counted there, because another one of the same batch is."""
    batch: str | None = None
    """The parallel batch of the latest run."""
    worse: int = 0
    """Runs in a row in which tests failed that had passed in the best run, or tests were gone."""
    broken: tuple[str, ...] = ()
    """Tests that failed in the latest of these runs and did not fail in the best run."""
    vanished: int = 0
    """By how many more the failing tests became fewer than the passing ones became more, since `vanished_from`."""
    vanishings: int = 0
    """Runs in which they did."""
    vanished_at: int = 0
    """Step of the latest of these runs."""
    vanished_from: TestsSeen | None = None
    """The run before the first of them. In no run since then did more tests fail, or fewer pass, than before it."""
    vanished_over: int = 0
    """Number of runs since then, including that one."""

    def note_same(self, *, is_same: bool, batch: str | None) -> None:
        """Count a run that had the same result as the one before, with nothing changed in between."""
        if not is_same:
            self.same_since_change = self.repeated_in_batch = 0
        is_parallel = self.same_since_change > 0 and batch is not None and batch == self.batch
        self.same_since_change += not is_parallel
        self.repeated_in_batch += is_parallel
        self.batch = batch

    def note_vanished(self, seen: TestsSeen, step: int) -> None:
        """Compare with the run before: count failures that are gone although no other test passes instead."""
        self.vanished_over += 1
        last = self.last or TestsSeen()
        less, more = _rise(seen.failed, last.failed), _rise(last.passed, seen.passed)
        if less < 0 or more < 0:
            self.forget_vanished()
        elif less > more:
            if self.vanished_from is None:
                self.vanished_from, self.vanished_over, self.vanishings = last, 2, 0
            first = self.vanished_from
            self.vanished = _rise(seen.failed, first.failed) - _rise(first.passed, seen.passed)
            self.vanishings, self.vanished_at = self.vanishings + 1, step

    def forget_vanished(self) -> None:
        """Start counting again."""
        self.vanished = self.vanishings = 0
        self.vanished_from = None


class TestLog(msgspec.Struct):
    """Histories by command, the latest `limit` of them."""

    histories: dict[str, TestHistory] = {}
    """The runs of each test command."""
    fewest_problems: dict[str, int] = {}
    """Errors of a build or linter, by command: the fewest so far."""
    limit: int = 32
    improved_at: int = 0
    """Step of the latest run of tests, build or linter that was better than all before it."""
    jumped_at: int = 0
    """Step of the latest move to another commit: results from before it are those of other files."""

    def note_problems(self, call: Call, errors: int, step: int) -> None:
        """Compare the errors that a compiler or linter counted with the fewest before; fewer are progress."""
        key = _key(call, self.fewest_problems)
        fewest = self.fewest_problems.get(key)
        if fewest is not None and errors < fewest:
            self.improved_at = step
        put(self.fewest_problems, key, errors if fewest is None else min(errors, fewest), self.limit)

    def note_turn(self) -> None:
        """A new request: from now on, compare with the current state."""
        for history in self.histories.values():
            history.best, history.worse = history.last, 0
            history.same_since_change = history.repeated_in_batch = 0
            history.forget_vanished()

    def note_jump(self, step: int) -> None:
        """The files are those of another commit now: a test that passed before may never have passed here."""
        self.jumped_at = step
        for history in self.histories.values():
            history.best, history.worse, history.broken = None, 0, ()
            history.forget_vanished()

    def of(self, call: Call) -> TestHistory | None:
        """What is known of the tests that a call runs."""
        return self.histories.get(_key(call, self.histories))

    def note(self, call: Call, seen: TestsSeen, step: int, last_change: int) -> None:
        """Compare a run with the ones before it."""
        key = _key(call, self.histories)
        history = self.histories.get(key) or TestHistory()
        put(self.histories, key, history, self.limit)
        history.note_same(is_same=history.last_step > last_change and _same(seen, history.last), batch=call.batch)
        recovering = history.last is not None and did_better(seen, history.last)
        if is_whole(call):
            history.note_vanished(seen, step)
        history.last, history.last_step = seen, step
        if history.best is None or not is_whole(call):
            history.best = seen
        elif did_better(seen, history.best):
            history.best, self.improved_at = seen, step
        history.broken = broken_tests(history.best, seen)
        history.worse = 0 if recovering or not is_worse(seen, history.best) else history.worse + 1


def what_is_tested(call: Call) -> str:
    """The command and its folder, or the digest of the call if it has no command."""
    command = _unfiltered(call)
    return f"{command} in {call.folder}" if call.folder and call.meaning.command else command


def _unfiltered(call: Call) -> str:
    """The command without what only filters its output, or the digest of the call if it has no command.

    A command that is too long to be kept whole is told from others by that digest.
    """
    command = call.meaning.command
    if not command:
        return f"{call.digest:x}"
    if len(command) >= LONGEST_TEXT:
        return f"{command} {call.digest:x}"
    if "|" in command:
        command = _FILTER.sub("", command)
    return command.rstrip().removesuffix("2>&1").strip()


def command_of(step: Step) -> str:
    """What a step runs, as a sentence names it: without secrets, and without what only filters the output."""
    return shortened(mask(_unfiltered(step.call) if step.meaning.command else step.tool_name), LONGEST_TITLE)


def _key(call: Call, known: Mapping[str, object]) -> str:
    """The key of a command, with its secrets masked; a known key has none and is not searched again."""
    key = what_is_tested(call)
    return key if key in known else mask(key)


def is_whole(call: Call) -> bool:
    """Whether a command runs the same tests each time, and not only those that failed or the first few."""
    return _PARTIAL.search(call.meaning.command or "") is None


def did_better(seen: TestsSeen, best: TestsSeen) -> bool:
    """Fewer failures without fewer passes, or more passes without more failures, as far as both are known."""
    if seen.failed is None or best.failed is None:
        return False
    fails = seen.failed - best.failed
    passes = 0 if seen.passed is None or best.passed is None else seen.passed - best.passed
    return (fails < 0 <= passes) or (fails <= 0 < passes)


def is_worse(seen: TestsSeen, best: TestsSeen) -> bool:
    """Fewer tests pass than did before: some of them fail now, or are gone. What is not known is not worse."""
    return best.passed is not None and seen.passed is not None and seen.passed < best.passed


def broken_tests(best: TestsSeen, seen: TestsSeen) -> tuple[str, ...]:
    """Tests that fail now and did not fail in the best run."""
    return tuple(test for test in seen.failing if test not in best.failing) if is_worse(seen, best) else ()


def _rise(one: int | None, other: int | None) -> int:
    """By how much the other number is higher; -1 if one of them is not known."""
    return -1 if one is None or other is None else other - one


def _same(seen: TestsSeen, last: TestsSeen | None) -> bool:
    if last is None:
        return False
    return (seen.passed, seen.failed, set(seen.failing)) == (last.passed, last.failed, set(last.failing))
