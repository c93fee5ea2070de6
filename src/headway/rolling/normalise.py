"""Normalise texts, so that two are equal if only the clock, the machine or the process differs, and fingerprint them.

Two forms, for two questions:

- `normalise` answers whether two **results** are the same. It sets aside only what is certainly an accident of the run:
  clock times, how long the run took, temporary names, process ids, addresses in memory, and ids in the shape of ids,
  unless the words beside an id say that it is the answer: a commit, a digest, a version.
  Every other number is content: a percentage, a row, a coordinate, a line number, a port. JSON is compared as JSON, so
  that the order of its keys does not count.
- `normalise_error` answers whether two **errors** are the same. It goes further: the same mistake shows up at another
  line, in another folder, on another port.

Both take longer than parsing the step, so they are called only if something else already looks like a repeat, and the
latest results are cached: half of the texts come again soon. All callers clip their texts.
Each pattern begins with a fixed set of characters, because that is what lets `re` skip over plain text.

What is compared later is stored as `digest`. Python's own `hash` is salted per process, so two processes would disagree
about the same event.
"""

import re
from functools import lru_cache
from typing import Any, Literal

import msgspec

from headway.rolling.forgiving import FAULTS, from_json
from headway.rolling.lazy import regex
from headway.rolling.text import has_any

try:
    from _blake2 import blake2b  # the same, without loading OpenSSL as hashlib does
except ImportError:
    from hashlib import blake2b

REMEMBERED = 64
"""Number of cached results."""

_TERMINAL = regex(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[@-Z\\-_])")
_DIGIT = regex(r"\d")
_SPACE = regex(r"  +")
_UUID = regex(r"[0-9a-fA-F][0-9a-fA-F]{7}-(?<![\w-].{9})(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b")
_REQUEST = regex(
    r"\b(?:req|request|msg|call|toolu|chatcmpl|resp|evt|trace|span)[_-](?=[A-Za-z]*\d)[A-Za-z0-9]{10,80}\b"
    r"|\b[Rr]equest(?: [Ii][Dd])?[ :=#]{1,3}[0-9a-fA-F]{10,64}\b"
)
_AMAZON = regex(
    r"[RrHhTtx](?<!\w.)(?:(?<=[Rr])equest|(?<=[Hh])ost|(?<=[Tt])race|(?<=x)-amzn?-[\w-]*)"
    r"[ _-]?[Ii][Dd]2?\b[\"']?[:= ]{1,3}[\"']?[\w+/=-]{8,120}"
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_WEEKDAY = regex(
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? +(?:\d{1,2} +)?"
    rf"(?:{'|'.join(_MONTHS)})[a-z]*[ \d:,+-]{{2,30}}"
    r"(?:(?:UTC|GMT|[A-Z]{3,4}|Z)(?: \d{4}\b)?)?"
)
_SYSLOG = regex(rf"(?:{'|'.join(_MONTHS)}) {{1,2}}\d{{1,2}} \d\d:\d\d:\d\d\b")
"""A day and a time as logs write them: `Jan  2 10:00:01`."""

# ---- results

_PLACEHOLDER = regex(r"<(?:time|id|pid|temp|address)>")
_ANYTHING = regex(r"[^\W_]")
_RANDOM_NAME = regex(
    r"/(?:private/)?(?:(?:var/)?tmp/(?:tmp[\w.]{4,}|pytest-of-[\w-]+/pytest-\d+|[\w-]+\.(?=\w*[A-Za-z])(?=\w*\d)\w{6,12}\b"
    r"|[\w.]+[-_.](?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{4,}\b)"
    r"|var/folders/[\w+]+/[\w+]+/T/[\w.+-]+)"
)
_HEX = regex(
    r"[0-9a-fA-F](?<!\w.)(?:(?<=[a-fA-F])|(?=[0-9a-fA-F]*[a-fA-F]))(?:(?<=\d)|(?=[0-9a-fA-F]*\d))[0-9a-fA-F]{11,63}\b"
)
_HINT = regex(
    r"(?P<answer>commit|sha(?:\d|sum|\b)|md5|digest|dgst|hash|checksum|cksum|etag|version|revision|rev-parse|ls-remote"
    r"|fingerprint|integrity|\bHEAD\b)|(?P<accident>request|trace|span|session|correlation|container|token|nonce|cookie)",
    re.IGNORECASE,
)
"""Words that say what an id beside them is: what was asked for, or an accident of the run."""
_DIGESTS = (40, 64)
"""Lengths of ids that are commits or digests unless a word beside them says otherwise."""
_MOMENT = regex(
    r"""[0-9](?<![\w.].)(?:
      (?P<time> \d{3} [-/] \d\d [-/] \d\d [T ,_-]{1,2} \d\d [:._] \d\d (?: [:._] \d\d (?: [.,_]\d+ )? )?
                (?: [ ]?Z | [ ]?[+-]\d\d:?\d\d )?
              | \d{7} T \d{6} Z?
              | (?<! : . ) \d : \d\d : \d\d (?! : ) (?: [.,]\d+ )? (?: Z | [ ]?[AaPp][Mm] )? \b
              | \d{0,8} (?: [.,]\d+ )? [ ]? (?: s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|days?|weeks? )
                [ ] ago \b )
    | (?P<address> (?: (?<= at[ ].) | (?<= @.) ) [xX] [0-9a-fA-F]{6,} \b )
    )""",
    re.VERBOSE,
)
_MAY_BE_MOMENT, _MAY_BE_DURATION, _MAY_BE_HEX = regex(r"\d[-/:TxX]"), regex(r"\d ?[nµumshdw]"), regex("[0-9a-fA-F]{12}")
"""Found in every text with a point in time (or " ago"), a duration or an id. Quick to compile and to search for."""
_EPOCH = regex(
    r"(?:time(?:stamp)?|\bts|epoch|\bnow|\bat)[\"']?[ :=]{1,3}1[5-9]\d{8}(?:\d{3}|\d{6}|\d{9})?(?:\.\d+)?\b"
    r"|(?<![\w.])1[5-9]\d{8}\.\d{3,9}\b",
    re.IGNORECASE,
)
_SECONDS = regex(r"1[5-9]\d{8}")
"""Seconds since 1970, in these years."""
_UNIT = r"(?:ns|µs|us|ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?)\b"
_AGO = regex(rf"(?:[Aa]bout )?\ban? {_UNIT} ago")
_UP = regex(r"[Uu]p (?:about )?(?:an? |\d[\d.]* ?)(?:secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|weeks?|months?)\b")
_PID = regex(r"[Pp](?<!\w.)(?:[Pp]?[Ii][Dd]|rocess [Ii][Dd])[ =:#]{1,3}\d+\b")
_JOB = regex(r"\[(?:(?<![^\n].)\d+\] \d+(?![^\n])|(?<=[a-z].)\d{2,7}\](?=: ))")
_ANY_DURATION = regex(rf"\d(?<![\w.].)\d*(?:[.,]\d+)?(?: ?{_UNIT} ?|[smhd](?=\d)|d\b)+")
_OWN_ROW = regex(
    r"(?m:^)[^\s\d]\S* +\d+ +\d[^\n]*? +(?:\S*/)?(?:[ef]?grep|ps|pgrep|awk|(?:ba)?sh -c)\b(?! *:)[^\n]*\n?"
)
_DURATION = regex(rf"\d(?<![\w.].)\d*(?:[.,]\d+)? ?(?:{_UNIT}(?: ?\d+(?:\.\d+)? ?{_UNIT})*|m ?[\d.]+s\b)[)\]]?")
_BEFORE_IT = regex(
    r"(?:\b(?:passed|failed|skipped|warnings?|errors?|tests?|done|finished|complete[ds]?|built|compiled|ran|executed|ready"
    r"|succeeded|total|ok)\b\W{0,3}in[ ~]{1,3}|\b(?:took|elapsed|real|user|sys|ran for|duration)[ \t:=~]{1,4}|[(\[])"
    r"(?:about )?\Z",
    re.IGNORECASE,
)
"""The words before a duration that states how long the run took."""
_GAVE_UP = regex(
    r"(?:time[d]?[- ]?out|gave up|giving up|failed|killed|aborted|cancell?ed) (?:after|in) (?:about )?\Z", re.IGNORECASE
)
"""The words before a duration that is never the answer."""
_TOOK = regex(r"\b(?:took|elapsed|real|user|sys|duration)\b", re.IGNORECASE)
"""The words of a result that says nothing but how long it took."""
_TOOK_NAMES = frozenset(("elapsed", "elapsedms", "elapsedseconds", "durationms", "took", "tookms"))

_ACCIDENT_NAMES = frozenset(
    ("pid", "ppid", "processid", "timestamp", "ts", "requestid", "reqid", "traceid", "spanid", "correlationid")
)
_LONGEST_JSON = 20_000


Durations = Literal["none", "stated", "any"]
"""Durations to ignore: none (they may be the answer), those that state how long the run took, or any."""


@lru_cache(maxsize=REMEMBERED)
def normalise(text: str, durations: Durations = "stated", ids: bool = True) -> str:
    """A result without what varies from run to run.

    Without `ids`, an id counts as content, because it may be the answer; ids of requests are still ignored.
    """
    text = text.strip()
    if text[:1] in ("{", "[") and text[-1:] in ("}", "]") and len(text) < _LONGEST_JSON:
        try:
            return _same_json(from_json(text, object), durations, ids)
        except FAULTS:
            pass
    return _same_text(text, durations, ids)


def _same_text(text: str, durations: Durations, ids: bool) -> str:
    found = _without_accidents(text, durations, ids)
    if found != text and _ANYTHING.search(_TOOK.sub("", _PLACEHOLDER.sub("", found))) is None:
        return text  # nothing but a time or an id: then that is the content
    return found


def asks_for_id(text: str) -> bool:
    """Whether a command, an address or a name speaks of what is told by an id: a commit, a digest, a version."""
    return any(hint.lastgroup == "answer" for hint in _HINT.finditer(text))


def _without_accidents(text: str, durations: Durations, ids: bool, name: str = "") -> str:
    """The text without what varies; `name` is that of the value, in JSON."""
    plain = _TERMINAL.sub("", text) if "\x1b" in text else text
    plain = plain.replace("\r", "\n")
    if _DIGIT.search(plain) is None and " ago" not in plain:
        return plain
    found = _OWN_ROW.sub("", plain) if has_any(plain, ("grep", " ps", "/ps", "awk", "sh -c")) else plain
    if "/" in found:
        found = _RANDOM_NAME.sub("<temp>", found)
    found = _without_request_ids(found)
    if ids and _MAY_BE_HEX.search(found):
        found = _without_ids(found, name)
    found = _WEEKDAY.sub(_with_clock, found) if ":" in found else found
    found = _SYSLOG.sub("<time>", found) if ":" in found else found
    if " ago" in found or _MAY_BE_MOMENT.search(found):
        found = _MOMENT.sub(_named, found)
    if _SECONDS.search(found):
        found = _EPOCH.sub("<time>", found)
    found = _without_process_ids(found)
    if " ago" in found:
        found = _AGO.sub("<time>", found)
    if has_any(found, ("up ", "Up ")):
        found = _UP.sub("<time>", found)
    if _MAY_BE_DURATION.search(found):
        stated = _time_if_stated if durations == "stated" else _time_if_given_up
        found = _ANY_DURATION.sub("<time>", found) if durations == "any" else _DURATION.sub(stated, found)
    return plain if found == plain else _SPACE.sub(" ", found)


def _without_ids(text: str, name: str) -> str:
    """The text without ids, but with those that the words before them call the answer."""

    def judged(match: re.Match[str]) -> str:
        line = match.string[max(0, match.start() - 40) : match.start()].rpartition("\n")[2]
        hint = next(reversed([*_HINT.finditer(f"{name} {line}")]), None)
        is_answer = len(match[0]) in _DIGESTS if hint is None else hint.lastgroup == "answer"
        return match[0] if is_answer else "<id>"

    return _HEX.sub(judged, _UUID.sub(judged, text) if text.count("-") > 3 else text)


def _without_request_ids(text: str) -> str:
    if has_any(text, ("req", "equest", "msg_", "call_", "toolu_", "chatcmpl", "resp_", "evt_", "trace", "span")):
        text = _REQUEST.sub("<id>", text)
    return _AMAZON.sub("<id>", text) if has_any(text, ("equest", "Host", "race", "x-amz")) else text


def _without_process_ids(text: str) -> str:
    if has_any(text, ("id", "ID", "Id", "iD")):
        text = _PID.sub("<pid>", text)
    return _JOB.sub("<pid>", text) if "[" in text else text


def _time_if_stated(match: re.Match[str]) -> str:
    """Replace a duration that states how long the run took, as in `in 0.31s` or `(0.31s)`."""
    before = match.string[max(0, match.start() - 24) : match.start()]
    is_whole = before[-1:] not in ("(", "[") or (match[0][-1] in ")]" and match[0].count(".") == 1)
    return "<time>" if (is_whole and _BEFORE_IT.search(before)) or _GAVE_UP.search(before) else match[0]


def _time_if_given_up(match: re.Match[str]) -> str:
    return "<time>" if _GAVE_UP.search(match.string[max(0, match.start() - 24) : match.start()]) else match[0]


def _named(match: re.Match[str]) -> str:
    return f"<{match.lastgroup}>"


def _with_clock(match: re.Match[str]) -> str:
    """Replace a date with a clock time, but not a mere date."""
    return "<time>" if ":" in match[0] else match[0]


def _same_json(value: object, durations: Durations, ids: bool) -> str:
    found = _plain_value(value, "", durations, ids)
    if _ANYTHING.search(_PLACEHOLDER.sub("", "".join(_leaves(found)))) is None:
        found = value  # nothing but times and ids: then that is the content
    return msgspec.json.encode(found, order="deterministic").decode()


def _plain_value(value: Any, name: str, durations: Durations, ids: bool) -> Any:
    if isinstance(value, dict):
        return {key: _plain_value(item, str(key), durations, ids) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain_value(item, name, durations, ids) for item in value]
    if value is None or isinstance(value, bool):
        return value
    known = name.lower().replace("_", "").replace("-", "") if name else ""
    if known in _ACCIDENT_NAMES or (known in _TOOK_NAMES and durations != "none"):
        return "<id>"
    return _without_accidents(value, durations, ids, name) if isinstance(value, str) else _number_or_time(value, known)


def _number_or_time(value: float, name: str) -> float | str:
    """Replace seconds or milliseconds since 1970 if the name or a fine fraction says so; other numbers are content."""
    is_epoch = 1.5e9 <= value < 2e9 or 1.5e12 <= value < 2e12
    says_so = name.endswith(("time", "at", "now", "date", "epoch", "timestamp")) or round(value, 2) != value
    return "<time>" if is_epoch and says_so else value


def _leaves(value: Any) -> list[str]:
    if value and isinstance(value, dict):
        return [leaf for item in value.values() for leaf in _leaves(item)]
    if value and isinstance(value, list):
        return [leaf for item in value for leaf in _leaves(item)]
    return [str(value) if value or value == 0 else "empty"]


# ---- errors

_BLOCKS = regex(r"[█▉▊▋▌▍▎▏▓▒░━╸╺]{2,}")
_BAR = regex(r"\[[=#>\-. ]{4,}\]")
_TEMPORARY = regex(r"/(?:private/)?(?:tmp|var/tmp|var/folders/[\w+]+/[\w+]+/T)/[\w.+@/-]+")
_PATH = regex(r"[/\\](?<![\w./:\\].)(?:[\w.+@~-]+[/\\])+(?=[\w.+@~-])")
_DRIVE = regex(r"\b[A-Za-z]:(?=[/\\])")
_HASH = regex(
    r"[0-9a-f](?=[0-9a-f]{6})(?<!\w.)(?:(?<=[a-f])|(?=[0-9]*[a-f]))(?:(?<=[0-9])|(?=[a-f]*[0-9]))[0-9a-f]{6,63}\b"
)
_NUMBERS = regex(
    r"""[0-9](?<![\w.].)(?:
      (?P<time>   (?<=\d) \d{3} [-/] \d\d [-/] \d\d
                  (?: [T ,_-]{1,2} \d\d [:._] \d\d (?: [:._] \d\d (?: [.,_]\d+ )? )?
                      (?: [ ]?Z | [ ]?[+-]\d\d:?\d\d )? )?
                | \d? : \d\d : \d\d (?: [.,]\d+ )? (?: Z | [ ]?[AaPp][Mm] )? \b
                | (?<= 1 ) [5-9]\d{8} (?: \d{3} | \d{6} | \d{9} )? (?: \.\d+ )? \b )
    | (?P<duration> \d* m [ ]? \d+ (?: \.\d+ )? s \b
                | \d* (?: [.,]\d+ )? [ ]? (?: ns|µs|us|ms|s|secs?|seconds?|mins?|minutes?|hrs?|hours?|h|m ) \b )
    | (?P<percent> \d{0,2} (?: \.\d+ )? [ ]? % )
    | (?P<address> [xX] [0-9a-fA-F]{4,} \b | \d{0,2} (?: \.\d{1,3} ){3} (?: :\d+ )? \b )
    | (?P<place>  (?: (?<= line[ ].) | (?<= lines[ ].) | (?<= column[ ].) | (?<= col[ ].) | (?<= row[ ].)
                  | (?<= pid[ =:].) | (?<= PID[ =:].) | (?<= process[ ].) | (?<= thread[ ].) | (?<= [Pp]ort[ =:].) )
                  \d* (?: [ ]?[-–][ ]?\d+ )? \b )
    | (?P<id>     \d{8,} \b )
    )""",
    re.VERBOSE,
)
_COLONS = regex(r":\d+(?::\d+)?\b|\(\d+, ?\d+\)|\[(?<![^\n].)\d{2,7}\](?= \w)")


@lru_cache(maxsize=REMEMBERED)
def normalise_error(message: str) -> str:
    """What identifies an error: one line, without times, ids, machine paths, progress bars and line numbers."""
    text = _TERMINAL.sub("", message) if "\x1b" in message else message
    if not text.isascii():
        text = _BLOCKS.sub("<bar>", text)
    if "[" in text:
        text = _BAR.sub("<bar>", text)
    if "/" in text or "\\" in text:
        text = _TEMPORARY.sub("<temp>", text)
        text = _PATH.sub("", _DRIVE.sub("", text) if ":\\" in text else text)
    text = _WEEKDAY.sub("<time>", text)
    text = _SYSLOG.sub("<time>", text) if ":" in text else text
    if text.count("-") > 3:
        text = _UUID.sub("<id>", text)
    if _DIGIT.search(text):
        text = _without_request_ids(text)
        text = _NUMBERS.sub(_named, _without_process_ids(text))
        text = _HASH.sub("<id>", text)
        text = _COLONS.sub(":<place>", text)
    return " ".join(text.split())


_EMPTY = blake2b(digest_size=8)


def digest(text: str | bytes) -> int:
    """Fingerprint a text of any size in one pass (64 bits)."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    made = _EMPTY.copy()  # quicker than a new one
    made.update(data)
    return int.from_bytes(made.digest(), "big")
