"""How a decision is put into words: what was seen, and what to do now."""

from collections.abc import Iterable

from headway.core.decision import Action, Decision
from headway.core.finding import Finding
from headway.core.ledger import SHARED

REPORT = "No further calls will run. Report what you found and what is missing."
"""What an agent is told to do when its run ends."""
RUNS_AGAIN = "Headway accepts it after you change a file or wait, for example with `sleep 30`."
"""What a refusal says about the call. The rule `refuse_the_repeat` keeps this promise."""
IN_A_FRAMEWORK = {
    Action.NUDGE: "[headway] {message}",
    Action.BLOCK: "[headway] This call was not run. {message}",
    Action.STOP: "Stopped by Headway ({reason}): {message}",
}
"""How the agents of frameworks are told, refused and stopped."""


def decide(action: Action, findings: Iterable[Finding]) -> Decision:
    """One decision about several findings. Its message spells out the two most severe."""
    ordered = sorted(findings, key=lambda f: (f.severity.rank, f.confidence), reverse=True)
    return Decision(
        action=action,
        reason=ordered[0].detector,
        confidence=max(finding.confidence for finding in ordered),
        message=_message(action, _one_for_each_call(ordered)[:2]),
        findings=tuple(ordered),
    )


def _one_for_each_call(findings: list[Finding]) -> list[Finding]:
    """The most severe finding about each call, and those about no call unless another one quotes the same error."""
    seen: set[str] = set()
    kept: list[Finding] = []
    for finding in findings:
        quotation = finding.message.partition('"')[2]
        is_quoted = bool(quotation) and any(quotation in other.message for other in kept)
        if not is_quoted and (not finding.identity.startswith(SHARED) or finding.identity not in seen):
            kept.append(finding)
        seen.add(finding.identity)
    return kept


def _message(action: Action, findings: list[Finding]) -> str:
    """What was seen and what clears it, or, when the run ends, a request to report."""
    sentences: dict[str, None] = {}
    for finding in findings:
        sentences[finding.message] = None
        if action is Action.NUDGE and finding.clears:
            sentences[finding.clears] = None
    if action is Action.BLOCK:
        sentences[RUNS_AGAIN] = None
    if action is Action.STOP and any(finding.unit != "round" for finding in findings):
        sentences[REPORT] = None
    return " ".join(sentences)
