"""One run step by step, as lines of text for a terminal or a pager."""

from collections.abc import Iterator

from rich.text import Text

from headway.core.decision import Action, Decision
from headway.core.finding import Finding
from headway.core.step import Step
from headway.reports.brief import call_in_brief, outcome_in_brief
from headway.reports.privacy import finding_without_content, step_without_content
from headway.reports.text import SEVERITY_STYLES, plain, verdict_style
from headway.reports.words import clock
from headway.rolling.secrets import excerpt, mask

_MARGIN = " " * 27
_KINDS = {
    **dict.fromkeys(("read", "search", "list", "web"), "blue"),
    **dict.fromkeys(("write", "edit"), "green"),
    **dict.fromkeys(("test", "build"), "magenta"),
}


def step_lines(step: Step, content: bool = True) -> Iterator[Text]:
    """The call and its outcome."""
    call, outcome = (call_in_brief(step), outcome_in_brief(step)) if content else step_without_content(step)
    head = Text(f"{step.number:>6}  {clock(step.at):>8}  ", style="dim")
    head.append(f"{step.kind:<9}", style=_KINDS.get(step.kind, "yellow"))
    yield head.append(plain(call), style="not dim")
    yield Text(f"{_MARGIN}{plain(outcome)}", style="red" if step.failed or step.denied else "dim")


def words_line(at: float | None, words: str, content: bool = True) -> Text:
    """Something that happened between steps; without content, no text of messages."""
    words = words if content else words.partition(": ")[0]
    return Text(f"        {clock(at):>8}  {plain(excerpt(words, 200))}", style="bold")


def between_line(number: int, at: float | None) -> Text:
    """The position of a decision between two steps, if the step before it is not shown."""
    return Text(f"{number:>6}  {clock(at):>8}  before the next call", style="dim")


def finding_line(finding: Finding, content: bool = True) -> Text:
    """A finding."""
    finding = finding if content else finding_without_content(finding)
    line = Text(_MARGIN + "! ").append(f"{finding.severity} ", style=SEVERITY_STYLES[finding.severity])
    return line.append(f"{finding.detector}: ", style="cyan").append(plain(mask(finding.message)))


def decision_line(decision: Decision) -> Text:
    """A decision."""
    line = Text(_MARGIN + "> ").append(f"{decision.action} ", style=verdict_style(decision.action))
    which = "the next call " if decision.action is Action.BLOCK else ""
    return line.append(f"{which}because of {decision.reason}")
