"""The same failure after many changes.

Why it matters: the failure does not depend on what is being changed, so another such change will not help.
Fires: when a test, a build or a program fails in the same way (the same tests, words and lines, times aside) after
`limit` rounds of changes, and again every `limit` rounds. Failures that alternate count as the same. A round in which a
file is changed for the first time counts half, because going through files is normal work. Advice only, unless it has
gone on for `high` rounds and not one test passes. Where the commands or outputs differ, the agent is nudged once after
16 rounds with the same failing tests, or with the same error of whichever program; a round in which something else was
printed counts half, because it may be new information.
Clears: when the command succeeds or fails in a new way, when test results improve or tests pass for the first time,
after a compaction, when git goes to another commit, and when the user sends a message.
Blind to: a cause that shows in other words each time.
"""

from functools import lru_cache

from headway.core.detector import Detector, Findings, state
from headway.core.failures import Failures, Lasting
from headway.core.finding import Finding, Severity
from headway.core.limits import Sizes
from headway.core.repeats import is_remembered
from headway.core.session import Session
from headway.core.step import Step, quoted
from headway.core.testing import command_of, what_is_tested
from headway.rolling.bounded import put
from headway.rolling.normalise import digest, normalise
from headway.rolling.secrets import mask
from headway.tools.paths import project_path

COMMANDS = 32
"""Number of commands that are remembered."""
_RUNS = ("run", "test", "build")
UNSURE = 0.45
"""Confidence of a finding that is advice only."""


class StubbornFailure(Detector):
    """A failure that persists through many changes."""

    severity: Severity = Severity.HIGH
    limit: int = 12
    """Rounds of changes with the same failure that trigger a finding."""
    high: int = 24
    """Rounds after which it may stop the run if not one test passes."""
    confidence = 0.8
    clears = "First check whether the failure depends on what you are changing."
    kinds = frozenset(("test", "run", "build", "vcs", "other", "edit", "write"))
    worth_saying = 16

    failing: dict[str, Failures] = state(factory=dict)
    lasting: dict[str, Lasting] = state(factory=dict)
    ran_anew: int = state(0)
    new_ground: int = state(0)
    new_file: str = state("")
    passed_anew: int = state(0)

    def on_change(self, paths: tuple[str, ...], session: Session) -> Findings:
        """Remember when a file is changed for the first time."""
        records = (session.files.get(project_path(session.root, path)) for path in paths)
        if any(record is not None and record.changes == 1 for record in records):
            self.new_ground, self.new_file = session.step_count, paths[0].rpartition("/")[2]
        return ()

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count the rounds of changes after which this command fails as before."""
        if step.kind in ("edit", "write") and not step.meaning.runs:
            return ()
        if not (step.failed or (step.tests and step.tests.failed)):
            self._note_success(step)
        elif not (step.denied or step.transient or step.let_time_pass or session.turn.asked_for(step)):
            failures = self._failures_of(step, session)
            before = failures.halves // 2
            rounds = failures.note(step, session.changes, self.new_ground)
            if rounds > before and (rounds % self.limit == 0 or rounds >= self.high):
                return (self._seen(step, rounds, failures),)
            return self._lasts(step, session) if rounds < self.limit else ()
        return ()

    def on_user_turn(self) -> None:
        """A new request starts a new count."""
        self.failing.clear()
        self.lasting.clear()

    def settings_error(self, sizes: Sizes) -> str | None:
        """At least one round of changes is needed."""
        return f"limit is {self.limit}, but at least 1 round is needed" if self.limit < 1 else None

    def _note_success(self, step: Step) -> None:
        if self.failing:
            self.failing.pop(_name_of(step), None)
        if step.is_first_success and step.kind in _RUNS:
            self.ran_anew = step.number
        if step.tests is not None and step.is_first_success:
            self.passed_anew = step.number

    def _lasts(self, step: Step, session: Session) -> Findings:
        """The same failing tests, or the same error, after so many rounds, although the outputs or commands differ."""
        cause = _cause_of(step)
        if not cause:
            return
        key = f"{digest(cause):x}"
        lasting = self.lasting.get(key)
        if lasting is None or not is_remembered(session, lasting.last_step):
            lasting = Lasting(last_step=step.number)
        put(self.lasting, key, lasting, COMMANDS)
        better = max(self._better(session), 0 if step.tests else self.ran_anew)
        own = self.new_file in (step.meaning.command or "")  # a new script that is run is no new ground
        lasted = lasting.note(step, session.changes, 0 if own else self.new_ground, better)
        if lasted >= self.worth_saying:
            yield self.finding(
                f"{cause} {lasting.rounds} times after work that may have changed something.",
                identity=f"lasts {key}",
                confidence=UNSURE,
                lasted=lasted,
                count=lasting.rounds,
            )

    def _better(self, session: Session) -> int:
        """Step of the latest sign that the work went on, or that other files are tested now."""
        return max(self.passed_anew, session.tests.improved_at, session.tests.jumped_at)

    def _failures_of(self, step: Step, session: Session) -> Failures:
        name, better = _name_of(step), self._better(session)
        failures = self.failing.get(name)
        if failures is None or failures.last_step < better or not is_remembered(session, failures.last_step):
            failures = Failures()
        put(self.failing, name, failures, COMMANDS)
        return failures

    def _seen(self, step: Step, rounds: int, failures: Failures) -> Finding:
        tells_nothing_else = step.tests is None or not step.tests.passed  # passing tests may be what matters
        is_sure = rounds >= self.high and tells_nothing_else and not failures.moved
        what = step.message or ", ".join(step.tests.failing if step.tests else ())
        ways, latest = "the same way", ": "
        if len(failures.seen) > 1:
            ways, latest = f"one of {len(failures.seen)} ways", "; the latest: "
        aside = ", line numbers aside," if failures.moved else ""
        work = "work that may have changed something" if failures.unsure else "changes"
        return self.finding(
            f"{_subject(step)} failed in {ways}{aside} after each of {rounds} rounds of {work}"
            f"{latest + quoted(what) if what else ''}.",
            identity=_name_of(step),
            confidence=self.confidence if is_sure else UNSURE,
            count=rounds,
            error_signature=step.signature,
        )


def _subject(step: Step) -> str:
    command = f"`{command_of(step)}`"
    return f"{command} has" if _name_of(step) else f"Commands that change files and run something, as {command}, have"


def _cause_of(step: Step) -> str:
    """What fails, as the beginning of a sentence: tests known by their names, or an error; empty if unknown."""
    tests = step.tests
    if tests and tests.failed:
        if len(tests.failing) != tests.failed:
            return ""
        names = ", ".join(sorted(tests.failing)[:3])
        more = f" and {tests.failed - 3} more" if tests.failed > 3 else ""
        return f"The same {tests.failed} test{'s' * (tests.failed > 1)} ({names}{more}) failed again"
    error = normalise(step.message, "none") if step.kind in _RUNS else ""
    return f"The error {quoted(error)} came back" if error else ""


def _name_of(step: Step) -> str:
    """Key of a command. Commands that change files themselves differ each time and share one key."""
    return "" if step.meaning.runs else _fingerprint(what_is_tested(step.call))


@lru_cache(maxsize=32)
def _fingerprint(command: str) -> str:
    return f"{digest(mask(command)):x}"
