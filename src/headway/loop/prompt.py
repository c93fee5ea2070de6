"""What the agent is told in a round: the task, where the work stands, what was seen, and how progress is noticed."""

from pathlib import Path

from headway.core.finding import Severity
from headway.loop.course import Course
from headway.loop.evidence import failing_lines, standing
from headway.loop.moves import confirmation
from headway.loop.order import Order
from headway.loop.recovery import approach_text
from headway.store.loop_files import StorageError

HOW_PROGRESS_IS_SEEN = """\
## How progress is noticed

This is one round of several; the files are kept between rounds, the conversation is not.
- Put each thing that is finished between <progress> and </progress>, and keep a checklist: `- [x] done`, `- [ ] open`.
- Work in small steps; small commits are welcome.
- When the whole task is finished and its tests pass, write the word COMPLETE between <promise> and </promise>."""


def task_of(order: Order, folder: Path) -> str:
    """The task in the person's own words; a file is read anew each time, so that it can be edited meanwhile."""
    if order.prompt is None:
        return order.task or ""
    path = folder / order.prompt
    try:
        text = path.read_text("utf-8", "replace")
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}; expected the file with the prompt") from error
    return f"{order.task}\n\n{text}" if order.task else text


def round_prompt(task: str, course: Course, number: int, approach: str) -> str:
    """The whole prompt of a round."""
    parts = [task.strip()]
    if course.order.note:
        parts += _where_it_stands(course, number, with_tests=not approach)
    if approach:
        parts.append(approach_text(approach, course.rounds))
    if course.order.note:
        parts.append(HOW_PROGRESS_IS_SEEN)
    text = "\n\n".join(part for part in parts if part)
    return f"Task:\n{text}" if text.startswith("-") else text  # an option is not what is meant


def _where_it_stands(course: Course, number: int, *, with_tests: bool) -> list[str]:
    lines = [f"## Where the work stands before round {number} of at most {course.order.max_rounds}", ""]
    shown = course.rounds[course.base]
    stands = standing(shown.iteration.measured)
    if stands:
        lines.append(f"Measured {'before any round' if course.base == 0 else f'after round {course.base}'}: {stands}.")
    lines += failing_lines(course.rounds[: course.base + 1]) if with_tests else []
    lines += _what_was_seen(course)
    return ["\n".join(lines)] if len(lines) > 2 else []


def _what_was_seen(course: Course) -> list[str]:
    """What the latest round earned: being taken back, a word about its steps, a claim that does not hold, alerts."""
    report, agent = course.rounds[-1], course.last_agent
    if agent is None:
        return []
    lines = []
    if course.number in course.returns:
        to, why = course.returns[course.number]
        where = f"round {to}" if to else "the time before the first round"
        lines.append(f"Round {course.number} was taken back, and the files are those of {where} again: {why}")
    elif report.alerts:
        grave = [alert for alert in report.alerts if alert.severity.rank >= Severity.MEDIUM.rank]
        lines += [f"Seen in round {course.number}: {alert.message}" for alert in grave[:3]]
    if agent.cut:
        lines.append(f"Round {course.number} was ended before its time: {agent.message}")
    if agent.claimed and confirmation(course) is None:
        lines.append(f"Round {course.number} was called complete, which the measurements contradict.")
    elif agent.claimed and course.ends[-1].until is False:
        lines.append(f"Round {course.number} was called complete, but `{course.order.until}` does not succeed.")
    return lines
