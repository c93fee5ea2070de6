"""Which kind of task a request is, read from its words.

It is cheap and deterministic, and says how sure it is. A guess only keeps Headway from saying what would be out of
place for such a task; limits follow from a guess only if the user wants that.
"""

from typing import NamedTuple

from headway.rolling.regex import regex

_WORDS = {
    "research": r"\b(?:research|look up|on the web|online|documentation for|latest version|google)\b",
    "design": r"\b(?:design|propose|architecture|plan (?:for|the|a|how)|outline|brainstorm|think about|trade-?offs?)\b",
    "analyze": r"\b(?:analy[sz]e|count|measure|audit|review|profile|how many|summari[sz]e|explain|understand)\b",
    "search": r"\b(?:find|where|locate|search|which files?|list all|look for)\b",
    "create_simple": r"\b(?:hello.?world|single file|a (?:small|simple|tiny) (?:script|file|program))\b",
    "create": r"\b(?:create|implement|build|generate|scaffold|write|add (?:a )?new|new (?:module|feature|class))\b",
    "edit": r"\b(?:fix|change|edit|update|refactor|rename|remove|replace|modify|bug|failing|broken|improve|correct)\b",
}
_PATTERNS = {task: regex(words) for task, words in _WORDS.items()}


class Guess(NamedTuple):
    """A task type and how sure it is (0-1)."""

    task: str
    confidence: float


def guess_task(request: str) -> Guess:
    """Read the first 2,000 characters of a request; the earlier a telling word comes, the more it weighs."""
    text = request[:2_000].lower()
    found = {task: match.start() for task, pattern in _PATTERNS.items() if (match := pattern.search(text))}
    if not found:
        return Guess("general", 0.2)
    task = min(found, key=lambda name: (found[name], list(_WORDS).index(name)))
    return Guess(task, 0.8 if len(found) == 1 else 0.6 if len(found) == 2 else 0.4)
