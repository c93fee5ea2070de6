"""Calls that change something outside of files: an order, a page, a ticket. The last one of a turn may have failed.

What a tool does is guessed from its name, and only a plain verb counts; where any later call may have done the same in
another way, nothing is known.
"""

from headway.core.session import Session
from headway.core.step import Step
from headway.rolling.lazy import regex
from headway.tools.kinds import Meaning, name_words

_CHANGES = frozenset(
    [
        "add", "apply", "approve", "archive", "assign", "book", "cancel", "close", "create", "delete",
        "exchange", "grant", "insert", "invite", "merge", "modify", "move", "patch", "pay", "post", "publish",
        "put", "refund", "register", "remove", "rename", "reply", "reschedule", "return", "revoke", "schedule",
        "send", "set", "share", "submit", "transfer", "update",
    ]
)  # fmt: skip
"""Verbs that change something."""
_LOOKS = frozenset(
    [
        "calculate", "check", "count", "describe", "explain", "fetch", "find", "get", "inspect", "list",
        "lookup", "query", "read", "retrieve", "review", "search", "show", "think", "verify", "view",
    ]
)  # fmt: skip
"""Verbs that only look something up."""
_OTHER_OBJECTS = frozenset(
    [
        "cell", "code", "command", "dir", "directory", "editor", "file", "files", "find", "folder", "input",
        "key", "keys", "line", "lines", "memory", "notebook", "plan", "query", "search", "signal", "stdin",
        "string", "terminal", "text", "todo", "todos",
    ]
)  # fmt: skip
"""What such verbs may be about in an editor, a terminal or a search."""
_PREFIXES = frozenset(("api", "mcp"))
_LOOKING = frozenset(("read", "search", "list", "plan"))
_IS_SO = regex(
    r"(?i)\balready\b|\bduplicate|\bexists\b|\b409\b|\bno changes?\b|\bnothing to\b|\bnot modified\b|\b304\b"
)
"""Errors that say that things are as they were to be."""
_GONE = regex(r"(?i)\bnot found\b|\bno such\b|\bdoes not exist\b|\b404\b|\b410\b")
_REMOVES = frozenset(("delete", "remove", "archive", "cancel", "close", "revoke"))
_TROUBLE = regex(
    r"""(?ix)(?<!\w)(?:please|confirm\w*|let[ ]me[ ]know|bitte|bestätig\w*|veuillez|por[ ]favor
    |no|not|none|nor|never|neither|cannot|unable|fail\w*|error\w*|unfortunately|sorry|afraid
            |apolog\w+|den(?:y|ied)|refus\w+
    |reject\w+|block\w*|locked|invalid|unavailable|issue\w*|problem\w*|trouble|however|but|although|though|except\w*
            |instead|only|still
    |remain\w*|missing|left|skip\w*|manual\w*|yourself|unless|until|pending|partial\w*|some|most|nicht|kein\w*|leider
            |fehl\w*|konnte\w*
    |problem\w*|aber|au(?:ß|ss)er|noch|nur|offen|bis[ ]auf|échou\w*|erreur\w*|mais|sauf|impossible|pas|aucun\w*|pero
            |salvo|excepto|sin
    |imposible|fall\w*)(?!\w)|n't|n’t|[❌✗✘⚠🔴?]"""
)
"""Words with which a message may say that something did not go as it should, or ask what to do."""
_KNOWN_LANGUAGE = regex(
    r"(?i)(?<!\w)(?:the|and|is|are|all|has|have|been|for|your|die|der|das|und|ist|sind|wurde\w*|alle|le|la|les|est|et|los|las"
    r"|el)(?!\w)"
)
"""Only then it is known that it says nothing of this kind."""


def last_failed_change(session: Session) -> Step | None:
    """The last call of this turn to change something outside of files, if it failed and only looks followed."""
    if any(call.number >= session.turn.first_call for call in session.pairing.waiting.values()):
        return None
    looked = False
    of_this_turn = [step for step in session.steps if step.number >= session.turn.first_step]
    for step in sorted(of_this_turn, key=lambda step: -step.call.number):
        if _is_change(step.meaning, step.tool_name):
            return step if _is_lost(step, looked) else None
        if not _only_looks(step):
            return None
        looked = looked or not step.failed
    return None


def speaks_of_trouble(text: str) -> bool:
    """Whether a message may say that something failed: by any word, or in a language that is not read here."""
    return _TROUBLE.search(text) is not None or _KNOWN_LANGUAGE.search(text) is None


def _words(tool: str) -> tuple[str, ...]:
    words = name_words(tool)
    return words[1:] if words and words[0] in _PREFIXES else words


def _is_change(meaning: Meaning, tool: str) -> bool:
    words = _words(tool)
    if not words or words[0] not in _CHANGES or meaning.path or meaning.command:
        return False
    return len(words) > 1 and _OTHER_OBJECTS.isdisjoint(words)


def _only_looks(step: Step) -> bool:
    """Whether it cannot have changed anything: it was denied, reads files, or looks something up by its name."""
    if step.denied or step.meaning.idle:
        return True
    if step.meaning.kind in _LOOKING:
        return not step.meaning.may_change or step.meaning.unknown
    words = _words(step.tool_name)
    return bool(words) and words[0] in _LOOKS


def _is_lost(step: Step, looked: bool) -> bool:
    """Whether it failed, and things are not as they were to be: one that timed out may have been seen to be done."""
    if not step.failed or step.denied or _IS_SO.search(step.message):
        return False
    if looked and step.transient:
        return False
    return not (_GONE.search(step.message) and _words(step.tool_name)[0] in _REMOVES)
