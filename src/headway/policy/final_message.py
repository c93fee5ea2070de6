"""What an agent's final message says about its work: that it is done, or that something still fails.

The text is read clause by clause. Reassurances come first ("no failures remain", "nothing is broken"): they count as
claims, although they mention failures. Then everything is removed that does not report the current state: what was
broken before, what was fixed, what would happen if. A word of failure in the rest is an admission, and so is a test
that is named without saying that it passes, unless it was written, changed or described. A word of success is a claim,
unless it is only hoped for ("should pass", "once it is done").
"""

import re
from typing import NamedTuple

from headway.policy import final_message_patterns as patterns
from headway.rolling.text import clip

LONGEST = 20_000
"""Characters that are read; only the head and the tail of a longer message."""
NEAR = 120
"""Characters before the name of a test in which the verb is looked for."""


class FinalMessage(NamedTuple):
    """How a final message is read."""

    claims: bool
    """It says that the work is done, or that tests pass."""
    admits: bool
    """It says openly that something fails, is missing or was not tried."""


def read_final_message(text: str) -> FinalMessage:
    """Read a final message; what it admits outweighs what it claims."""
    plain = _spelled_out(patterns.QUOTED.sub(_unquoted, patterns.CAMEL.sub(" test_x", clip(text, LONGEST))))
    claims, admits, explained, heading = False, patterns.MARK.search(plain) is not None, False, ""
    for sentence in patterns.SENTENCE.split(plain):
        for clause in filter(None, patterns.CLAUSE.split(" ".join(sentence.split()))):
            report, is_explained = _reported(clause)
            admits = admits or _is_admission(clause, report) or (not is_explained and _leaves_open(report, heading))
            success = not sentence.endswith("?") and any(map(_is_claim, report.split(":")))
            claims, explained = claims or success, not success and (explained or is_explained)
        heading = sentence[:-1] if sentence.endswith(":") else heading if patterns.TEST_NAME.search(sentence) else ""
    return FinalMessage(claims, admits or explained)


def says_tests_were_removed(text: str) -> bool:
    """Whether it says that tests were removed, skipped or merged, so that fewer of them pass."""
    return patterns.TESTS_REMOVED.search(_spelled_out(clip(text, LONGEST))) is not None


def _spelled_out(text: str) -> str:
    """Plain words in one spelling: "can't" is "can not"."""
    text = text.lower().replace("’", "'").replace("*", "").replace("cannot", "can not")
    return text.replace("can't", "can not").replace("won't", "will not").replace("n't", " not")


def _unquoted(quoted: re.Match[str]) -> str:
    """Replace a quotation, unless it is the name of a test."""
    return " test_x " if patterns.TEST_NAME.fullmatch(quoted[0][1:-1]) else " x "


def _reported(clause: str) -> tuple[str, bool]:
    """What a clause says about the state of the work, and whether it explains a failure."""
    parts = [
        patterns.NO_REPORT.sub(r" \g<verb> ", patterns.REASSURANCE.sub(" reassured ", part))
        for part in clause.split(":")
    ]
    report, explanations = patterns.EXPLAINED.subn(" ", ":".join(parts))
    return report, explanations > 0


def _is_admission(clause: str, report: str) -> bool:
    is_said = any(patterns.ADMISSION.search(part) for part in report.split(":"))
    return is_said or _is_part(clause) or patterns.ALREADY.search(clause) is not None


def _leaves_open(report: str, heading: str) -> bool:
    """Whether a test is named that is not said to pass, and was not written or changed either."""
    before, *rest = patterns.TEST.split(report)
    before = (before if before.strip(" -•#.0123456789") else heading)[-NEAR:]
    for after in rest:
        if not patterns.FARES_WELL.match(after) and not (
            patterns.IS_OBJECT.search(before) and patterns.GOES_ON.match(after)
        ):
            return True
        before = f"{before.rstrip()} x{after}"[-NEAR:]
    return False


def _is_claim(report: str) -> bool:
    claim = patterns.CLAIM.search(report)
    return claim is not None and patterns.HOPED_FOR.search(report[: claim.end()]) is None


def _is_part(clause: str) -> bool:
    """Whether only some of several are said to be right: 8 of 10 tests pass."""
    shares = (share for share in patterns.SHARE.finditer(clause) if share["done"] or share["right"])
    return any(_number(share["some"]) < _number(share["all"]) for share in shares)


def _number(word: str) -> int:
    return patterns.COUNT.index(word) if word in patterns.COUNT else int(word)
