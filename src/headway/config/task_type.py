"""Which kind of task a request is, read from its words.

It is cheap and deterministic, and says how sure it is. A guess only keeps Headway from saying what would be out of
place for such a task; limits follow from a guess only if the user wants that.
"""

from typing import NamedTuple

from headway.rolling.regex import regex

_WORDS = {
    "research": r"research|look up|on the web|online|documentation for|latest version|google",
    "design": r"design|propose|architecture|plan (?:for|the|a|how)|outline|brainstorm|think about|trade-?offs?",
    "analyze": r"analy[sz]e|count|measure|audit|review|profile|how many|summari[sz]e|explain|understand",
    "search": r"find|where|locate|search|which files?|list all|look for",
    "create_simple": r"hello.?world|single file|a (?:small|simple|tiny) (?:script|file|program)",
    "create": r"create|implement|build|generate|scaffold|write|add (?:a )?new|new (?:module|feature|class)",
    "edit": r"fix|change|edit|update|refactor|rename|remove|replace|modify|bug|failing|broken|improve|correct",
}
_TELLING = regex(r"\b(?=(?:" + "|".join(f"(?P<{task}>{words})" for task, words in _WORDS.items()) + r")\b)")
"""Where a telling word begins; the words are not used up, so that they may overlap."""
_CONFIDENCE = (0.8, 0.6, 0.4)
"""Confidence of a guess if the words fit one task type, two, or more."""


class Guess(NamedTuple):
    """A task type and how sure it is (0-1)."""

    task: str
    confidence: float


def guess_task(request: str) -> Guess:
    """Read the first 2,000 characters of a request; the earlier a telling word comes, the more it weighs."""
    found: list[str] = []
    for match in _TELLING.finditer(request[:2_000].lower()):
        task = match.lastgroup
        if task and task not in found:
            found.append(task)
            if len(found) == len(_CONFIDENCE):
                break
    return Guess(found[0], _CONFIDENCE[len(found) - 1]) if found else Guess("general", 0.2)
