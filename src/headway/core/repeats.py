"""The first rule of Headway: equal call, equal result, nothing changed in between.

A repeated call shows a problem only if all three are true. Strong agents run the same test after every edit, poll a
job, or read the next page with the same key; that is honest work.

- *Equal call*: the same tool with the same arguments in the same folder (`Step.same_call`).
- *Equal result*: the same output, apart from clock times, how long the run took, temporary names, process ids,
  addresses in memory and ids (`Step.same_result`). Every other number is content.
- *Nothing changed in between*: no file was changed, nothing was done to a page, a service or a process, and no program
  of unknown effect ran (`Changes`), the user has not spoken, no machine has reported anything new, and the context was
  not compacted.

Only this module decides what counts as a repeat; detectors use it.

Four kinds of steps may change something. A **change** alters files that are known (an edit) or not (a patch, a
checkout). A **program** whose effect is not known (a script, a build, a sub-agent, an unknown tool) may
have altered any file. An **action** is done to a page, a service or a process (a click, a POST, `kill`). Other calls
may return something else after any of them, unless it ran before and printed nothing new; a key, a click or a page
turned does something else each time, and so does a restart, or an action that another effect may have undone since.
A **note** (words saved or sent) changes nothing for a
search; that it is one is known from its name.
A call that was denied or that failed changes nothing, except a command that changes files first and then fails in what
it runs (`sed -i … && pytest`), and an edit that says that it was made before a check failed. A call whose result is
missing may have changed something.
"""

from collections.abc import Iterable
from itertools import takewhile
from typing import TYPE_CHECKING

import msgspec

from headway.core.call import Call
from headway.core.step import KEPT_OUTPUT, Step
from headway.rolling.bounded import push, put
from headway.rolling.normalise import digest
from headway.tools.meaning import Meaning

if TYPE_CHECKING:
    from headway.core.session import Session


KEPT_NAMES = 256
AFTER_A_MALFORMED_CALL = "Send it once more with the arguments that the error asks for, or do the same in another way."
"""What to do instead of repeating a call that its tool did not take."""
AFTER_A_DENIAL = "It was not run, and asking again does not change that. Find another way instead, or ask the user."
"""What to do instead of repeating a call that was denied."""
SAME_AGAIN = 2
"""Number of earlier runs of a file operation after which running it once more counts as changing nothing."""


class Changes(msgspec.Struct):
    """The latest changes, and the latest programs whose effect is not known."""

    count: int = 0
    """Steps that changed files."""
    last: int = 0
    """Step of the latest change to any file."""
    last_anywhere: int = 0
    """Step of the latest effect that may have reached any file, known or not."""
    last_attempt: int = 0
    """Step of the latest call that ran and may have changed any file, even if it failed."""
    by_name: dict[str, tuple[int, str]] = {}
    """Step and path of the latest change to a file or folder of each name, wherever it is."""
    unanswered: int = 0
    """Step after which a call was requested that may change something and had no result at the latest step."""
    effects: list[tuple[int, int]] = []
    """Step and call of the latest changes, programs and actions: the last two, by different calls."""
    last_failed_action: int = 0
    """Step of the latest new action on a page, a service or a process that failed: it may have done a part of it."""
    last_but_notes: int = 0
    """Step of the latest effect that was more than words written down or sent."""
    by_tool: list[tuple[int, str]] = []
    """Steps of the latest effect and of the latest by another tool; its name, if nothing else is known of the tool."""

    @property
    def last_effect(self) -> int:
        """Step after which the same call may return something else."""
        return self.effects[-1][0] if self.effects else 0

    def last_effect_by_another(self, call: Call) -> int:
        """Like `last_effect`, without what the call itself did when it was made before."""
        return next((step for step, digest in reversed(self.effects) if digest != call.digest), 0)

    def last_effect_by_another_tool(self, tool: str) -> int:
        """Like `last_effect`, without what this tool, of which nothing is known, may have done."""
        return next((step for step, name in reversed(self.by_tool) if name != tool), 0)

    def is_idle(self, call: Call, times_before: int) -> bool:
        """Whether a file operation changes nothing: the same for the third time, with no other change since."""
        rewrites = call.meaning.kind == "write" and (call.meaning.command or call.edit)
        if times_before < SAME_AGAIN or not (rewrites or call.meaning.notes):
            return False
        return bool(self.effects) and self.effects[-1][1] == call.digest

    def of_other_spelling(self, path: str) -> int:
        """Step of the latest change under another path that may be the same file, or a folder that it is in."""
        if not self.by_name:
            return 0
        *folders, name = path.split("/")
        step, changed = self.by_name.get(name, (0, path))
        return max(0 if changed == path else step, *(self.by_name.get(one, (0,))[0] for one in folders), 0)

    def note(self, step: Step) -> None:
        """Note what a step did."""
        meaning = step.call.meaning
        if not may_act(meaning):
            return
        if _may_have_acted(step):
            self.last_attempt = step.number
        if meaning.acts and step.failed and not (step.denied or step.again):
            self.last_failed_action = step.number
        if not step.changed and meaning.may_change_anything and not (step.failed or step.denied):
            self.last_anywhere = step.number  # even if it ran before and printed nothing new
        if not (step.changed or may_have_changed(step) or self._acts_anew(step)):
            return
        if self.effects and self.effects[-1][1] == step.call.digest:
            self.effects.pop()
        push(self.effects, (step.number, step.call.digest), 2)
        if not meaning.notes:
            self.last_but_notes = step.number
        self._note_tool(step)
        if not (step.changed or meaning.may_change_anything or meaning.kind == "ask"):
            return  # a page, a service and a process are no files
        paths = meaning.paths or ((step.path,) if step.path else ())
        if not step.changed or meaning.runs or not paths or any(map(_is_pattern, paths)):
            self.last_anywhere = step.number
        for path in paths if step.changed else ():
            put(self.by_name, path.rpartition("/")[2], (step.number, path), KEPT_NAMES)
        if step.changed:
            self.count += 1
            self.last = step.number

    def _acts_anew(self, step: Step) -> bool:
        """Whether it does again what another effect since may have undone: a switch that goes on, off, and on again.

        Of a program whose effect is not known it cannot be ruled out either.
        """
        if step.failed or step.denied or not self.effects or self.effects[-1][1] == step.call.digest:
            return False
        meaning = step.meaning
        return meaning.acts or bool(meaning.may_change_anything and meaning.command)

    def _note_tool(self, step: Step) -> None:
        meaning = step.call.meaning
        name = step.tool_name if meaning.unknown and not (meaning.acts or step.changed) else ""
        if self.by_tool and self.by_tool[-1][1] == name:
            self.by_tool.pop()
        push(self.by_tool, (step.number, name), 2)


def _is_pattern(path: str) -> bool:
    """Whether a path stands for several files: `src/*.py`, a folder."""
    return path == "." or path.endswith(("/", "/.")) or any(sign in path for sign in "*?[")


def may_act(meaning: Meaning) -> bool:
    """Whether a call may change files: tests may rewrite what they compare with, and a person may do anything."""
    return meaning.may_change or meaning.kind in ("test", "ask")


def _may_have_acted(step: Step) -> bool:
    """Whether a call that may act ran. If it failed, only an edit of a single file certainly changed nothing."""
    meaning = step.call.meaning
    one_edit = meaning.changes and not (step.changed or meaning.command or meaning.paths or meaning.may_change_anything)
    return not (step.denied or (step.failed and one_edit))


def may_have_changed(step: Step) -> bool:
    """Whether it had an unknown effect: for the first time, with other output than before, or one place further."""
    meaning = step.call.meaning
    if meaning.kind == "ask":  # the person who answered may have changed something
        return not (step.failed or step.denied or (meaning.guessed and step.answers_the_same))
    if step.denied or not (meaning.may_change_anything or meaning.acts):
        return False
    if step.failed:
        return meaning.runs and not step.again
    return step.novelty > 0 or not step.again or step.acts_again


def anything_may_have_changed(session: "Session", since: int = 0) -> bool:
    """Whether anything in this turn and after a step may have changed files, even if it failed or has no result yet."""
    turn = session.turn
    if session.changes.last_attempt > max(since, turn.first_step - 1):
        return True
    if session.marks.heard and session.marks.heard >= max(since, turn.first_step - 1):
        return True  # who reports may have changed something
    return any(call.number >= turn.first_call and may_act(call.meaning) for call in session.pairing.may_run)


def follows_change(session: "Session") -> bool:
    """Whether the call being requested follows one in its parallel batch that may change something: edit, then test."""
    asking = session.asking
    if asking is None or asking.batch is None:
        return False
    others = [one for one in session.pairing.may_run if one.batch == asking.batch and one.digest != asking.digest]
    return any(one.meaning.may_change for one in others)


def acted(session: "Session", step: Step) -> bool:
    """Whether the latest step acted on a page, a service or a process, so that looks at it are counted again."""
    return step.meaning.acts and step.number in (session.changes.last_effect, session.changes.last_failed_action)


def is_remembered(session: "Session", number: int) -> bool:
    """Whether the agent can be expected to remember the step with this number."""
    return number >= session.fresh_from


def had_effect(session: "Session", step: Step) -> bool:
    """Whether the latest step changed something, or may have, even if it failed afterwards."""
    return step.number == session.changes.last_effect


def same_files_since(session: "Session") -> int:
    """Step after which no file is known to have been changed, as far as the agent can remember.

    Programs whose effect is not known are ignored here, and only here.
    """
    return max(session.changes.last, session.changes.unanswered, session.fresh_from - 1)


def unchanged_since(session: "Session", call: Call | None = None) -> int:
    """Step after which nothing was changed, as far as is known and as the agent can remember.

    What `call` itself did when it was made before does not count.
    """
    changes = session.changes
    effect = changes.last_effect if call is None else changes.last_effect_by_another(call)
    return max(effect, changes.unanswered, session.marks.heard, session.fresh_from - 1)


def same_answer_since(session: "Session", call: Call | None = None) -> int:
    """Like `unchanged_since`, and after the latest wait or attempt at an action, which may have changed the result."""
    return max(unchanged_since(session, call), session.marks.waited, session.changes.last_failed_action)


def _surer_since(session: "Session", call: Call) -> int:
    """Like `same_answer_since`, as if words written down, and an unknown tool that is called again, changed nothing."""
    changes, marks = session.changes, session.marks
    effect = changes.last_but_notes
    if call.meaning.unknown:
        effect = changes.last_effect_by_another_tool(call.tool_name)
    heard = max(marks.waited, marks.heard)
    return max(effect, changes.last_failed_action, changes.unanswered, session.fresh_from - 1, heard)


def same_file_since(session: "Session", path: str) -> int:
    """Step after which nothing is known that may have changed this file, apart from edits under this very path."""
    changes = session.changes
    marks = session.marks
    return max(changes.last_anywhere, changes.of_other_spelling(path), changes.unanswered, marks.waited, marks.heard)


def in_a_row(session: "Session", first: Step, last: Step, *, with_mates: bool = False) -> bool:
    """Whether the calls of these steps were requested one after another, with no other call in between.

    Results come in any order: a call in between may have none yet, or may have returned before the first of them. Equal
    calls of their parallel batches do not count, or any calls of these `with_mates`.
    """
    steps = session.steps[first.number - session.step_count - 1 : last.number - session.step_count or None]
    numbers = {step.call.number for step in steps}
    low, high = min(numbers), max(numbers)
    if high - low < len(numbers):
        return True
    batches, calls = {first.call.batch, last.call.batch} - {None}, (*session.calls, *session.pairing.waiting.values())
    others = [one for one in calls if low < one.number < high and one.number not in numbers]
    return all(one.batch in batches and (with_mates or one.digest == last.call.digest) for one in others)


def follows_gap(session: "Session", step: Step) -> bool:
    """Whether a call since the step before is without its result. It may have done or shown something."""
    previous = session.previous(step)
    if previous is None or previous.call.number == step.call.number - 1:  # nearly always
        return False
    return not in_a_row(session, previous, step, with_mates=True)


def repeats_of(session: "Session", step: Step, least: int = 1, *, beside_unsure: bool = False) -> list[Step]:
    """The steps with the same call and the same result as this one, with nothing changed in between.

    With `beside_unsure`, words that were written down or sent in between are no change, and neither are other calls of
    the same tool of which nothing is known.

    This step is the last of them; only the steps since the latest different result count. Steps before a wait do not
    count, because the result may have changed since; for a program that may change files itself, neither do steps
    before the latest new output. The list may be empty if fewer than `least` steps qualify, to save comparing results.
    """
    since = same_answer_since(session, step.call) if not beside_unsure else _surer_since(session, step.call)
    if not (step.failed or beside_unsure) and step.meaning.may_change:
        since = max(since, session.marks.learnt - 1)
    if step.number - since < least:
        return []
    digest = step.call.digest
    equal = [other for other in session.steps[since - step.number :] if other.call.digest == digest]
    return [*takewhile(step.same_result, reversed(equal))][::-1] if len(equal) >= least else []


def at_least(session: "Session", since: int, window: int | None = None) -> str:
    """The words "at least " if only a part of the steps after `since` was counted: the latest `window` at most."""
    counted = len(session.steps) if window is None else min(window, len(session.steps))
    return "at least " if session.step_count - counted > since else ""


def result_digest(step: Step) -> int:
    """Equal for steps with the same result; unique for a step whose result equals no other."""
    if step.opaque:
        return digest(f"{step.call.id} {step.number}")
    is_exact = step.may_advance_cursor or (not step.failed and step.size > KEPT_OUTPUT)
    return step.digest if is_exact else step.normal


def asked_in(step: Step) -> str:
    """What a call was part of: its parallel batch, or only itself."""
    return step.call.batch or step.call.id


def instead_of(step: Step) -> str | None:
    """What to do instead of a call that did not run, or that its tool did not take; None if a change may help."""
    if step.denied:
        return AFTER_A_DENIAL
    return AFTER_A_MALFORMED_CALL if step.malformed else None


def separate_asks(steps: Iterable[Step]) -> int:
    """How often a call was made. Calls of one parallel batch could not learn from each other, and count once."""
    return len(set(map(asked_in, steps)))


def that_ran(steps: Iterable[Step]) -> str:
    """The words " that ran" if some of the steps were denied, as in "the last 3 calls that ran failed"; else empty."""
    return " that ran" if any(step.denied for step in steps) else ""
