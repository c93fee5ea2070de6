"""A step in a few words: the call and its outcome. Secrets are masked."""

from headway.core.step import Step
from headway.rolling.secrets import excerpt, mask, masked
from headway.rolling.text import clean
from headway.tools.envelope import body
from headway.tools.kinds import END
from headway.tools.tests_seen import TestsSeen

MAX_CHARACTERS = 160


def call_in_brief(step: Step, limit: int = MAX_CHARACTERS) -> str:
    """The tool and its main arguments."""
    return excerpt(f"{step.call.tool_name or 'a tool'} {_asked_for(step)}", limit)


def outcome_in_brief(step: Step, limit: int = MAX_CHARACTERS) -> str:
    """How the step ended, and the most informative line of its output."""
    known = status(step)
    if step.tests is not None:
        return known
    line = step.message or next((line for line in body(step.output).splitlines() if line.strip()), "")
    return excerpt(f"{known}: {line}" if line else known, limit)


def status(step: Step) -> str:
    """How a step ended, without content."""
    if step.denied:
        return "refused"
    words = "failed" if step.failed else "ok"
    if step.exit_code:
        words += f" (exit {step.exit_code})"
    if step.tests is not None:
        return f"{words}, {_tests(step.tests)}"
    if step.hits is not None:
        return f"{words}, {step.hits:,} found" if step.hits else f"{words}, nothing found"
    return f"{words}, no output" if not step.size else words


def _asked_for(step: Step) -> str:
    meaning = step.meaning
    if meaning.command:
        return meaning.command
    where = step.path or meaning.path or ""
    if meaning.lines:
        first, last = meaning.lines
        where += f":{first}–{last if last < END - 10_000 else ''}"
    if meaning.query:
        return (
            f"{mask(meaning.query)!r} {where}"  # mask before quoting, because quotes may hide the context of a secret
        )
    return where or " ".join(f"{name}={value}" for name, value in clean_params(step).items())


def clean_params(step: Step) -> dict[str, str]:
    """The arguments as text."""
    return {clean(str(name)): clean(str(value)) for name, value in masked(step.call.params).items()}


def _tests(tests: TestsSeen) -> str:
    counts = {"passed": tests.passed, "failed": tests.failed, "skipped": tests.skipped}
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or "no tests"
