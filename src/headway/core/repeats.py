"""The first rule of Headway: equal call, equal result, nothing changed in between.

A call that is made again says something about the agent only if all three hold. Strong agents run the same test after
every edit, poll a job, read the next page with the same key; that is honest work.

- *Equal call*: the same tool with the same arguments (`Step.same_call`).
- *Equal result*: the same output, apart from clock times, how long the run took, temporary names, process ids,
  addresses in memory and ids (`Step.same_result`). Every other number is content.
- *Nothing changed in between*: no file was changed and no program of unknown effect ran (`Changes`), the user has not
  spoken, and the context was not compacted.

Detectors ask here, and nowhere else, what counts as a repeat.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from headway.core.call import Call
from headway.core.step import Step

if TYPE_CHECKING:
    from headway.core.session import Session


def unchanged_since(session: "Session", call: Call | None = None) -> int:
    """Step after which nothing was changed, as far as is known and as the agent can remember.

    What `call` itself did when it was made before does not count.
    """
    changes = session.changes
    effect = changes.last_effect if call is None else changes.last_effect_by_another(call)
    return max(effect, session.fresh_from - 1)


def repeats_of(session: "Session", step: Step) -> list[Step]:
    """The steps that asked what this one asks and got the same answer, with nothing changed in between.

    This step is the last of them, and another answer in between ends the list. What was waited for may honestly be
    asked again; a program that may change something itself counts only as long as nothing new was seen.
    """
    since = max(unchanged_since(session, step.call), session.marks.waited)
    if not step.failed and (step.meaning.changes or step.meaning.may_change_anything):
        since = max(since, session.marks.learnt - 1)
    found: list[Step] = []
    digest = step.call.digest
    for other in reversed(session.steps):
        if other.number <= since:
            break
        if other.call.digest == digest:
            if not step.same_result(other):
                break
            found.append(other)
    return found[::-1]


def separate_asks(steps: Iterable[Step]) -> int:
    """How many times something was asked: calls of one parallel batch could not learn from each other, and are one."""
    return len({step.call.batch or step.call.id for step in steps})


def that_ran(steps: Iterable[Step]) -> str:
    """What makes "the last calls failed" true where some of the last ones were denied: those did not run."""
    return " that ran" if any(step.denied for step in steps) else ""
