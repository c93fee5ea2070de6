"""The prompt of a round: the task, the state of the work, recent findings, and how progress is measured."""

from pathlib import Path

from headway.core.finding import Severity
from headway.loop.agents import takes_prompt
from headway.loop.done import confirmation
from headway.loop.evidence import failing_lines, measuring_line, results_line
from headway.loop.programs import UsageError
from headway.loop.recovery import approach_text
from headway.loop.spec import LoopSpec
from headway.loop.state import LoopState

MAX_ARGUMENT_BYTES = 120_000

HOW_PROGRESS_IS_SEEN = """\
## How progress is measured

This is round {number} of at most {most}. Files are kept between rounds{except_when}; Headway keeps no conversation.
- Write each finished item between <progress> and </progress>, and keep a checklist: `- [x] done`, `- [ ] open`.
- Work in small steps; small commits are welcome.
- When the whole task is finished and its tests pass, write the word COMPLETE between <promise> and </promise>."""


def prompt_now(spec: LoopSpec, folder: Path, before: str | None = None) -> tuple[str | None, str]:
    """The content of the prompt file and an error. The file is read again for every round, so that it can be edited.

    Without a prompt file the content is None. If the file can no longer be read (agents do delete files), the content
    from before is used, and the error says why.
    """
    try:
        text = None if spec.prompt is None else _read(folder / spec.prompt, again=before is not None)
        _check_task(spec, task_of(spec, text))
    except UsageError as error:
        if before is None:
            raise
        return before, str(error)
    return text, ""


def task_of(spec: LoopSpec, text: str | None) -> str:
    """The task as the user wrote it: from the command line and from the prompt file."""
    return "\n\n".join(part for part in (spec.task, text) if part is not None)


def _read(path: Path, *, again: bool) -> str:
    """The content of the file. When it is read again it must not be a pipe, because reading that might never end."""
    try:
        if again and path.is_fifo():
            raise UsageError(f"{path}: this is a pipe now; expected the file with the prompt")
        text = path.read_text("utf-8", "replace")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; expected the file with the prompt") from error
    if not text.strip():
        raise UsageError(f"{path}: the file is empty; expected the prompt")
    return text


def _check_task(spec: LoopSpec, task: str) -> None:
    """Reject a task that cannot be passed to the agent."""
    words = spec.command + spec.then
    if takes_prompt(words) and not task.strip():
        raise UsageError("the agent needs a prompt; pass --task TEXT or --prompt FILE")
    if any("{prompt}" in word for word in words):
        if len(task.encode()) > MAX_ARGUMENT_BYTES:
            raise UsageError("the prompt is too long for an argument; use {prompt_file} in the agent's command")
        if "\0" in task:
            raise UsageError(
                "the prompt contains a NUL character, which arguments cannot have; remove it, or use {prompt_file} in "
                "the agent's command"
            )


def round_prompt(task: str, state: LoopState, number: int, approach: str) -> str:
    """The complete prompt of a round."""
    parts, tells = [task.strip()], state.spec.note and state.mode != "observe"
    if tells:
        parts += _where_it_stands(state, number, with_tests=not approach)
    if approach:
        parts.append(approach_text(approach, state.rounds))
    if tells:
        parts += [_protected(state), _how_progress_is_seen(state, number)]
    text = "\n\n".join(part for part in parts if part)
    return f"Task:\n{text}" if text.startswith("-") else text  # must not look like an option


def _how_progress_is_seen(state: LoopState, number: int) -> str:
    may_roll_back = state.mode == "enforce" and state.spec.rollback != "never"
    except_when = ", except that a round that breaks something may be rolled back" if may_roll_back else ""
    return HOW_PROGRESS_IS_SEEN.format(number=number, most=state.spec.max_rounds, except_when=except_when)


def _protected(state: LoopState) -> str:
    paths = state.settings.loop.protect
    return f"Do not change {', '.join(paths)}: a round that changes anything there is rolled back." if paths else ""


def _where_it_stands(state: LoopState, number: int, *, with_tests: bool) -> list[str]:
    lines = [f"## State of the work before round {number} of at most {state.spec.max_rounds}", ""]
    current = state.tracker.current(state.base)
    stands = results_line(current.measured)
    if stands:
        when = "before any round" if state.base == 0 else f"after round {state.base}"
        edited = ", with later changes by a person" * (state.tracker.start == state.base)
        lines.append(f"Measured {when}{edited}: {stands}.")
    lines += failing_lines(state.rounds[: state.base + 1], current) if with_tests else []
    lines += _what_was_seen(state)
    return ["\n".join(lines)] if len(lines) > 2 else []


def _what_was_seen(state: LoopState) -> list[str]:
    """Facts about the latest round: a rollback, findings, a contradicted claim, alerts."""
    report, agent = state.rounds[-1], state.last_agent
    if agent is None:
        return []
    lines = []
    if state.number in state.returns:
        to, why = state.returns[state.number]
        where = f"round {to}" if to else "the baseline"
        lines.append(f"Round {state.number} was rolled back; the files are those of {where} again. Reason: {why}")
    elif report.alerts:
        grave = [alert for alert in report.alerts if alert.severity.rank >= Severity.MEDIUM.rank]
        lines += [f"Seen in round {state.number}: {alert.message}" for alert in grave[:3]]
    end = state.ends[-1]
    if end.old_tests is not None and end.old_tests.measured.failing_tests:
        told = f"Round {state.number} {measuring_line(end)}"
        lines.append(f"{told}. A test that failed before the first round counts as failing until it passes unchanged.")
    if agent.cut:
        lines.append(f"Round {state.number} was ended early: {agent.message}")
    if agent.claimed and confirmation(state) is None:
        lines.append(f"Round {state.number} was reported as complete, but the measurements contradict that.")
    elif agent.claimed and state.ends[-1].until is False:
        lines.append(f"Round {state.number} was reported as complete, but `{state.spec.until}` fails.")
    return lines
