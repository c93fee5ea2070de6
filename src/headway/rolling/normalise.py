"""What stays the same in an output when only the clock, the machine or the process changed.

Two runs of the same failing command differ in times, durations, ids, temporary names and addresses.
`normalise` takes those out and leaves everything else alone, so that equal results compare equal and
different ones do not. It costs more than parsing the step does, so it is asked for only when something
else already looks like a repeat.

Each pattern begins with a fixed set of characters, because that is what lets `re` skip over plain text.
"""

import re

from headway.rolling.regex import regex

_TERMINAL = regex(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[@-Z\\-_])")
_BLOCKS = regex(r"[█▉▊▋▌▍▎▏▓▒░━╸╺]{2,}")
_BAR = regex(r"\[[=#>\-. ]{4,}\]")
_TEMPORARY = regex(r"/(?:private/)?(?:tmp|var/tmp|var/folders/[\w+]+/[\w+]+/T)/[\w.+@/-]+")
_PATH = regex(r"[/\\](?<![\w./:\\].)(?:[\w.+@~-]+[/\\])+(?=[\w.+@~-])")
_DRIVE = regex(r"\b[A-Za-z]:(?=[/\\])")
_WEEKDAY = regex(
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? +(?:\d{1,2} +)?"
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*[ \d:,+-]{2,30}(?:UTC|GMT|Z)?"
)
_UUID = regex(r"[0-9a-fA-F](?<![\w-].)[0-9a-fA-F]{7}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b")
_HASH = regex(r"[0-9a-f](?<!\w.)(?:(?<=[a-f])|(?=[0-9]*[a-f]))(?:(?<=[0-9])|(?=[a-f]*[0-9]))[0-9a-f]{6,63}\b")
_NUMBERS = regex(
    r"""[0-9](?<![\w.].)(?:
      (?P<time>   (?<=\d) \d{3} [-/] \d\d [-/] \d\d
                  (?: [T ,_-]{1,2} \d\d [:.] \d\d (?: [:.] \d\d (?: [.,]\d+ )? )? (?: [ ]?Z | [ ]?[+-]\d\d:?\d\d )? )?
                | \d? : \d\d : \d\d (?: [.,]\d+ )? (?: Z | [ ]?[AaPp][Mm] )? \b )
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
_DIGIT = regex(r"\d")
_COLONS = regex(r":\d+(?::\d+)?\b|\(\d+, ?\d+\)")
_SPACE = regex(r"  +")


MEASURES = ("duration", "percent", "place")
"""Numbers that may be what somebody wanted to know."""
RESULTS = ("percent", "place")
"""Those among them that do not differ from run to run by themselves."""


def _number(match: re.Match[str]) -> str:
    return f"<{match.lastgroup}>"


def normalise(text: str, keep: tuple[str, ...] = ()) -> str:
    """Take times, durations, ids, addresses, machine paths and progress bars out of an output.

    Kinds of numbers to `keep` are left in: durations, percentages, places (numbers of lines).
    """
    if "\x1b" in text:
        text = _TERMINAL.sub("", text)
    if not text.isascii():
        text = _BLOCKS.sub("<bar>", text)
    if "[" in text:
        text = _BAR.sub("<bar>", text)
    if "/" in text or "\\" in text:
        text = _TEMPORARY.sub("<temp>", text)
        text = _PATH.sub("", _DRIVE.sub("", text) if ":\\" in text else text)
    text = _WEEKDAY.sub("<time>", text)
    if text.count("-") > 3:
        text = _UUID.sub("<id>", text)
    if _DIGIT.search(text):
        kept = (lambda match: match[0] if match.lastgroup in keep else f"<{match.lastgroup}>") if keep else _number
        text = _NUMBERS.sub(kept, text)
        text = _HASH.sub("<id>", text)
        text = text if "place" in keep else _COLONS.sub(":<place>", text)
    return _SPACE.sub(" ", text.replace("\r", "\n")).strip()


def normalise_error(message: str) -> str:
    """Reduce an error message to what identifies the error: one line, no number of any place or time."""
    return " ".join(normalise(message).split())
