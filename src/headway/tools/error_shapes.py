"""Patterns that recognise a failed call, and the line of its output that explains the failure.

Each table is a list of regular expressions, one per line, combined once. They must be unambiguous: words that
merely occur near errors ("error handling", "0 errors", "installed") are not included.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from headway.rolling.lazy import regex


def _any_of(
    shapes: Iterable[str], before: str = "", flags: re.RegexFlag = re.NOFLAG, words: tuple[str, ...] = ()
) -> re.Pattern[str]:
    return regex(before + "(?:" + "|".join(shapes) + ")", flags, words)


_REFUSALS = (
    r"(?:[Pp]ermission denied|[Aa]ccess denied|[Oo]peration not permitted|Read-only file system|No space left on device"
    r"|a terminal is required to read the password)"
)
"""What an operating system prints when it does not let a program do something."""

FAILED_RESPONSE = regex(
    r"HTTP/\d(?:\.\d)? [45]\d\d\b|(?:<!doctype[^>]{0,80}>\s*)?<html[^>]{0,80}>\s*<head>\s*<title>[45]\d\d\b"
    r"|(?:http )?(?:error )?[45]\d\d:? (?:unauthorized|forbidden|not found|bad request|too many requests|bad gateway"
    r"|internal server error|service (?:temporarily )?unavailable|gateway time-?out|method not allowed|conflict|gone"
    r")\b|(?:http )?(?:error )?[45]\d\d:? \{",
    re.IGNORECASE,
)
"""The beginning of a web server's error response."""

FAILED_LINE_WORDS = (
    "fatal", "error", "traceback", "exception", "npm err", ": ***", "panic: ", "e: ", "sh: ", "not found", "cannot",
    "can't", "build fail", "apply_patch", "curl: (", "denied", "not permitted", "read-only", "no space left",
    "a terminal is", "cell in[",
)  # fmt: skip
"""One of these, in lower case, is in every such line."""

FAILED_LINE = _any_of(
    (
        r"(?:[\w./-]+: )?(?:fatal|FATAL|Fatal)(?: error)?: ",
        r"(?:\[\d+\] )?(?:error|Error|ERROR)(?:\[\w+\])?:(?! *\(?(?:none|None|null|0)\b)",
        r"<tool_use_error>|<error>",
        r"Traceback \(most recent call last\)",
        r"[A-Z]\w*(?:Error|Exception)\s+Traceback \(most",
        r"(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception): ",
        r"npm (?:ERR!|error) ",
        r"make(?:\[\d+\])?: \*\*\*",
        r"panic: ",
        r"E: \w",
        r"CMake Error\b",
        r"(?:-|/\S*/)?(?:ba|z|da|k)?sh: [^\n]{0,200}(?:not found|No such file|denied|cannot|syntax error|unexpected)",
        r"[\w./-]{1,60}: (?:command not found|cannot (?:access|open|stat|create|remove|touch)|can't open file)",
        r"BUILD (?:FAILED|FAILURE)\b",
        r"MCP error -?\d+:",
        r"apply_patch verification failed",
        r"curl: \(\d+\) ",
        r"(?:\w[\w.@/-]{0,60}: |zsh: )[^\n]{0,200}" + _REFUSALS + r"[^\n]{0,60}$",
        r"Got permission denied while",
        r"Cell In\[\d+\], line \d+",  # where a notebook's code is no code
    ),
    "^",
    re.MULTILINE,
    FAILED_LINE_WORDS,
)
"""A line that means failure wherever a program prints it."""

FAILED_FIRST_LINE_WORDS = (
    "no such file", "not found", "denied", "not exist", "n't exist", " must", " has not", "file not", "path not",
    "failed", "unable", "could", "cannot", "can't", "invalid", "missing required", "unknown ", "no replacement",
    "no exact match", "time", "blocked", "rejected", "cancelled", "aborted", "interrupted", "proposed edit",
    "declined", " want", "no changes", "last command", "exceeds maximum", "spawn ", "no edit history", "no module",
    "error", "forbidden", "bad request", "internal", " required", " missing",
)  # fmt: skip
"""One of these, in lower case, is in every such beginning."""

FAILED_FIRST_LINE = _any_of(
    (
        # `a.py:10: …` is what a search found, not a complaint
        r"(?![^\s:]+:\d+:)[^\n]{0,300}(?:: |\[Errno 2\] )no such file or directory\b[^\n]{0,200}$",
        r"[^\n]{0,200}: (?:command not found|permission denied)$",
        r"(?:the )?(?:file|path|directory|folder|notebook)\b[^\n]{0,300}?\b(?:does not exist|doesn't exist|not found)",
        r"file (?:path )?(?:must|has not|not)\b",
        r"(?:string|text|pattern) to (?:replace|find)\b[^\n]{0,40}\bnot found",
        r"(?:failed|unable|could not|couldn't|cannot|can't) (?:to )?\w+",
        r"invalid [`'\"]?\w+",
        r"missing required",
        r"(?:the )?(?:required )?(?:parameter|argument)s? [`'\"]?\w{1,60}[`'\"]? (?:is|are) (?:required|missing)",
        r"unknown (?:tool|command|option)",
        r"no replacement was performed",
        r"no exact match found",
        r"old_str(?:ing)?\b[^\n]{0,80}\bnot found",
        r"(?:command|tool|operation|request) [^\n]{0,60}?\b(?:failed|timed out|blocked|denied|rejected)",
        r"(?:command|tool|operation|request) (?:was )?(?:cancelled|aborted|interrupted)",
        r"permission denied",
        r"your proposed edit has introduced",
        r"(?:the )?user (?:rejected|denied|declined|doesn't want|does not want)",
        r"no changes (?:were )?made\b",
        r"timed?[ -]?out\b",
        r"the last command <command>",  # mini-swe-agent begins so only where a command was killed for its time
        r"file content \([^\n)]{1,60}\) exceeds maximum allowed",
        r"spawn \S{1,200} e[a-z]{3,}\b",
        r"no edit history found\b",
        r"(?:/\S{1,200}/)?python[\d.]*: no module named \S{1,100}$",
        r"error\s*\Z",
        r"error code: [45]\d\d\b",
        r"(?:http )?(?:error )?[45]\d\d (?:client error|server error|not found|forbidden|bad request|internal)",
        r"usage: [^\n]{1,200}\n(?:[^\n]{0,200}\n){0,3}?[^\n]{0,60}\berror:",
    ),
    r"[\[<(\"'*\s]*+",
    re.IGNORECASE | re.MULTILINE,
    FAILED_FIRST_LINE_WORDS,
)
"""The beginning of an output in which a tool says that it could not do what was requested."""

FAILED_TESTS = _any_of(
    (
        r"\b[1-9]\d* (?:failed|failures?|errors?)\b",
        r"\btest result: FAILED",
        r"^\s*FAIL(?:ED)?\b",
        r"\bfailed tests [1-9]",
        r"\btests? failed\b",
        r"\b(?:failures|errors)=[1-9]",
    ),
    flags=re.MULTILINE | re.IGNORECASE,
)
"""What test runners print when a test did not pass."""

FAILED_BUILD = _any_of((r"(?:^|:\s?)(?:fatal )?error(?: TS\d+|\[E\d+\])?: ",), flags=re.MULTILINE)
"""What compilers and checkers print."""

FAILED_GIT = _any_of((r"fatal: ", r"error: ", r"- hook id: ", r"husky - \S+ \S+ (?:script )?failed"), "^", re.MULTILINE)
"""What version control and its hooks print; anything else may be a commit's own text."""

TELLING_LINE = _any_of(
    (
        r"E {2,}[^\n]+",
        r"FAILED [^\n]+",
        r"[^\n]{0,200}?\b(?:fatal )?error(?: TS\d+|\[E\d+\])?: [^\n]+",
        r"(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception)\b[^\n]*",
        r"npm (?:ERR!|error) [^\n]+",
        r"panic: [^\n]+",
        r"make[^\n]{0,10}: \*\*\*[^\n]+",
        r"[^\n]{0,200}(?:command not found|No such file or directory|Permission denied)[^\n]*",
    ),
    "^",
    re.MULTILINE | re.IGNORECASE,
)
"""A line that says what went wrong."""

TELLING_WORDS = (
    "error", "exception", "\ne  ", "\nfailed ", "\nnpm err", "\npanic: ", ": ***", "command not found",
    "no such file or directory", "permission denied",
)  # fmt: skip
"""One of these, in lower case, is in every such line, with the line break before it."""

SUSPICIOUS_WORDS = (
    "error", "errors", "exception", "fail", "failed", "failure", "fatal", "denied", "not found", "cannot", "can't",
    "unable", "undefined", "invalid", "timed out", "refused", "panicked",
)  # fmt: skip
SUSPICIOUS_LINE = regex(rf"^[^\n]*\b(?:{'|'.join(SUSPICIOUS_WORDS)})\b[^\n]*", re.MULTILINE | re.IGNORECASE)
"""A line that at least contains a word that suggests failure."""

ALL_WELL = regex(r"\b(?:0|no) (?:errors?|failed|failures?)\b", re.IGNORECASE)
SAYS_NOTHING = regex(
    r"\W*+(?:error:?\s*+)?(?:exit code:? -?\d+|error:?|none)?\W*+"
    r"|\W*+\d[\d,.]*+ (?:more )?(?:characters|chars|bytes|tokens|lines) (?:left out|omitted|truncated|clipped)\W*+",
    re.IGNORECASE,
)
"""A line without information: "Exit code 1" above the real message, or the mark where a host has cut the output."""


# ---- what a failure is about: the call itself, the surroundings, or what was looked for
#
# Some messages mean something else than that an attempt went wrong. A malformed call lacks an argument or has one that
# the tool does not take; that says nothing about the work. Where the surroundings refuse (a permission, a connection, a
# program that is not there), another call meets the same wall. "There is none" is an answer, as good as any other,
# whatever the tool is called. What is transient may be tried again; it overlaps with the surroundings.
# A program that is not found is no answer about what it was asked for: the surroundings come before the answer.

_NAMED = r"[`'\"“‘]?[\w.$\[\]-]{1,60}[`'\"”’]?"
_ARGUMENT = r"(?:parameters?|arguments?|propert(?:y|ies)|fields?|inputs?|keys?)"
_MALFORMED = regex(
    rf"\b{_ARGUMENT}:? {_NAMED} (?:is|are|was|were) (?:required|missing|not (?:allowed|expected|permitted|provided))\b"
    rf"|\b{_NAMED} (?:is|are) (?:a )?(?:required|missing) {_ARGUMENT}|\b{_NAMED} is a required property"
    rf"|\bmissing (?:a |the |\d+ )?(?:required )?(?:positional |keyword(?:-only)? )?{_ARGUMENT}\b"
    r"|\bmust (?:not have additional|have required) propert"
    r"|\b(?:unexpected|unknown|unrecogni[sz]ed|additional|extra) (?:keyword )?(?:parameter|argument|propert(?:y|ies))\b"
    rf"|\b(?:parameter|argument|property|field) {_NAMED} (?:type is expected as|must be (?:of type |an? )?"
    r"(?:string|number|integer|boolean|array|object|list)\b)"
    rf"|\bis not of type {_NAMED}|\bexpected (?:string|number|integer|boolean|array|object), received \w"
    r"|\binputvalidationerror\b|-32602\b|\b(?:schema validation|validation of the arguments) (?:failed|error)"
    r"|\binvalid (?:arguments|parameters) for tool\b|\bdoes(?:n't| not) match the (?:tool's |input )?schema\b"
    r"|\b\d+ validation errors? for\b|\bfield required\b"
    r"|\bjson_invalid\b|\barguments? (?:is|are) (?:not valid|invalid) JSON\b",
    re.IGNORECASE,
    (
        "requir", "missing", "additional", "unexpected", "unknown", "unrecogni", "extra", "type", "expected",
        "not allowed", "permitted", "provided", "valid", "schema", "-32602", "must be",
    ),
)  # fmt: skip
"""What tools answer whose arguments are not as their description says."""

_REFUSED = regex(
    _REFUSALS + r"|\bEACCES\b|\bEPERM\b|\b40[137]\b|\bunauthori[sz]ed\b|\bforbidden\b|not authori[sz]ed|invalid api key"
    r"|authentication (?:failed|required)",
    re.IGNORECASE,
)
"""The environment refused something, whatever the call was."""

_NO_PROGRAM = regex(
    r"command not found|\bsh: (?:line )?\d+: [^\n]{1,100}: not found|is not recognized as an? |no module named"
    r"|executable (?:file )?not found|\bspawn \S{1,200} enoent\b|no such tool|unknown tool|tool [^\n]{0,60}not found"
    r"|cannot connect to the docker daemon|is not set\b",
    re.IGNORECASE,
    ("not found", "recognized", "no module", "spawn ", "tool", "daemon", "not set"),
)
"""A program, a module, a service or a setting that the call needs is not there."""

_NONE = regex(
    r"\b404\b|\b410\b|\bnot[ _-]?found\b|\bNoSuch[A-Z]\w+|\bno such (?!host)\w|\bENOENT\b|\bnon-?existent\b"
    r"|\bdo(?:es)?(?:n't| not) exist\b|\bno longer exists?\b|\bnothing (?:was )?found\b"
    r"|\bnot (?:installed|registered|available|listed|known|in stock)\b"
    r"|\bno (?:[\w-]+ ){1,3}(?:with|for|named|called|found|match(?:es|ing)?|exists?|available)\b"
    r"|\bno (?:match|record|result|row|entr|hit)\w*\b|\b0 (?:results?|matches|rows?|records?|items?|hits?|entries)\b"
    r"|\bunknown (?:id|user|customer|order|item|record|name|key)\b",
    re.IGNORECASE,
    ("404", "410", "not", "n't", "found", "no", "0 "),
)
"""What was looked for is not there."""

_TRANSIENT = regex(
    r"rate.?limit|too many requests|\b429\b|\b50[234]\b|overloaded|temporar(?:y|ily)|try again later|timed? ?out"
    r"|connection (?:refused|reset|aborted|closed)|network is unreachable|could not resolve host|name resolution"
    r"|econn(?:refused|reset|aborted)|etimedout|eai_again|\benotfound\b|socket hang up|network error|early eof"
    r"|recv error|service unavailable|bad gateway|resource busy",
    re.IGNORECASE,
)
_HINTS = (
    "limit", "too many", "429", "502", "503", "504", "overload", "temporar", "again", "time", "connection", "network",
    "resol", "econn", "enotfound", "socket", "early eof", "recv error", "unavailable", "gateway", "busy",
)  # fmt: skip
"""Every such message contains one of these. Most errors are of another kind, and searching for words is fast."""

_OWN_TIMEOUT = regex(r"\b(?:command|process|execution|script|test|tool)\b[^\n]{0,40}\btimed out\b", re.IGNORECASE)
"""A command that takes too long will take too long again, so this is not worth a retry."""

_OVER = regex(
    r"\btimed? ?out\b|\btime limit\b|\bdeadline exceeded\b|\b(?:max(?:imum)?|too many) (?:wait )?attempts\b"
    r"|\bterminated\b",
    re.IGNORECASE,
    ("time", "deadline", "attempts", "terminated"),
)
"""What is said of a wait that did not see what it waited for."""


_MADE = r"(?:edited|updated|modified|replaced|applied|inserted|written|wrote|saved|created)"
_IT_WAS_MADE = regex(
    rf"[^\n]{{0,200}}?\b(?:successfully {_MADE}|{_MADE} successfully)\b", re.IGNORECASE, ("successfully",)
)
"""The first line of an edit that was made; what follows may be a check that was run after it and failed."""


def says_it_was_made(said: str) -> bool:
    """Whether an edit was made, by its first line, whatever came after it."""
    return _IT_WAS_MADE.match(said[:300].lstrip()) is not None


@lru_cache(maxsize=64)
def is_over(message: str) -> bool:
    """Whether a message says that the time, or the number of attempts, was over."""
    return _OVER.search(message) is not None


@lru_cache(maxsize=64)
def is_malformed(message: str) -> bool:
    """Whether a tool says that its arguments are not as its description asks for."""
    return _MALFORMED.search(message) is not None


@lru_cache(maxsize=64)
def is_refusal(message: str) -> bool:
    """Whether the environment refuses something: a permission, a key, a disk."""
    return _REFUSED.search(message) is not None


@lru_cache(maxsize=64)
def is_of_the_surroundings(message: str) -> bool:
    """Whether the cause lies outside the call: a refusal, the network, a program that is not there."""
    return is_refusal(message) or is_transient(message) or _NO_PROGRAM.search(message) is not None


@lru_cache(maxsize=64)
def says_there_is_none(message: str) -> bool:
    """Whether a message says that what was looked for is not there: an answer, unless something else is missing."""
    return _NONE.search(message) is not None and not (is_malformed(message) or is_of_the_surroundings(message))


@lru_cache(maxsize=64)
def is_transient(message: str) -> bool:
    """Whether an error message is about the network, a rate limit or a busy machine."""
    lowered = message.lower()
    if "timed out" in lowered and _OWN_TIMEOUT.search(message):
        return False
    for hint in _HINTS:
        if hint in lowered:
            return _TRANSIENT.search(message) is not None
    return False
