"""A second opinion about every sentence, from the raw recording alone: nothing of Headway is imported here.

`problem(sentence, seen)` recounts what a sentence claims: its numbers, ranges and names, that results are the same, that
nothing was changed in between. It returns what is wrong, or nothing. A sentence of a shape it does not know is wrong.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

Check = Callable[[re.Match[str], "Seen"], str]
SHAPES: list[tuple[re.Pattern[str], Check]] = []
ASIDE = " apart from details such as times and ids,"


class Call(NamedTuple):
    """One recorded call."""

    number: int
    tool: str
    args: Any
    args_sha1: str
    output: str
    output_sha1: str
    error: bool | None
    """What the recording says; None where it was only guessed."""
    turn: int
    """How many messages of the user came before it."""

    @property
    def key(self) -> tuple[str, str]:
        """What was called with what, without the words that only explain the call; a command without stray blanks."""
        if not isinstance(self.args, dict) or (_EXPLAINS.isdisjoint(self.args) and "command" not in self.args):
            return self.tool, self.args_sha1
        told = {name: value for name, value in sorted(self.args.items()) if name not in _EXPLAINS}
        if len(json.dumps(told)) > 1000:  # what was recorded may be clipped, and its digest is of the whole
            return self.tool, self.args_sha1
        return self.tool, json.dumps(
            told | ({"command": told["command"].strip()} if isinstance(told.get("command"), str) else {})
        )

    @property
    def text(self) -> str:
        """All its arguments as one text."""
        return _flat(" ".join(_texts(self.args)))

    @property
    def failed(self) -> bool:
        """As the recording says, or as the words of its output do."""
        return bool(self.error) or _FAILS.search(self.output) is not None

    @property
    def surely_failed(self) -> bool:
        """As the recording says; where it only guessed, as the words of a short output do."""
        if self.error is not None:
            return self.error
        if re.search(r"has been (?:edited|created|updated)|successfully", self.output[:300]):
            return False
        return _FAILS.search(self.output[:200]) is not None or _FAILS.search(self.output[-200:]) is not None


class Seen(NamedTuple):
    """Everything up to the moment of a sentence."""

    calls: list[Call]
    messages: list[tuple[int, str]]
    """What the agent wrote, each with the number of calls before it."""
    evidence: dict[str, Any]

    @property
    def this_turn(self) -> list[Call]:
        return [call for call in self.calls if call.turn == self.calls[-1].turn] if self.calls else []


_FAILS = re.compile(
    r"error|exception|traceback|fail|denied|not found|no such|invalid|cannot|can't|could not|unable|missing|refused|"
    r"no replacement|did not|not performed|multiple occurrences|usage:|not allowed|not a |unexpected|not exist|[1-9]\d* failed|"
    r"no matches|timed out|timeout|killed|unrecognized|unknown|required|must |not defined|exit code [1-9]|✗|rejected|"
    r"out of (?:range|memory)|already exists|no module|is empty|aborted|warning|not in |no file|nothing to",
    re.IGNORECASE,
)
_ACCIDENT = re.compile(
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|0x[0-9a-f]+|\b[0-9a-f]{7,64}\b|/tmp/\S+|"
    r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*\b|\d+|[-=_.]{4,}|\b[AP]M\b|\s+",
    re.IGNORECASE,
)
_EXPLAINS = {"description", "thought", "security_risk", "timeout"}
_NO_COMMAND = re.compile(r"\s*[#:](?:\s|$)")
_WRITES = re.compile(
    r"edit_file|insert_content|append_file|create_file|%%writefile|write_text|\.write\(|open\([^)]*,\s*['\"][wax]|writeFile|\.dump\(|\.save\("
)
_FRAME = re.compile(
    r"\[(?:The command|Current working|Python interp|Command finished)|</?(?:returncode|output)>|<returncode>", re.I
)
_CHANGES = re.compile(
    r"(?<![0-9&<>=-])>{1,2}\|?\s*(?!/dev/|&|=)[\w./~$\"'{-]|\b(?:sed\b[^|;&\n]*\s-\w*i|perl\s+-\w*i|tee|mv|cp|rm|touch|mkdir|"
    r"ln|patch|truncate|dd|install|unzip|tar\s+-?\w*x|chmod)\b|\bgit\s+(?:checkout|apply|stash|reset|revert|clean|pull|merge|"
    r"restore|mv|rm|clone|am|cherry-pick|rebase|switch)\b|\b(?:pip|pip3|npm|conda|apt|apt-get|cargo|mvn|gradle|make|go)\s+"
    r"(?:install|add|get|build|i|update|upgrade)\b"
)
_EDIT_TOOLS = re.compile(r"^(?:edit|create|write|multi_?edit|insert|append|apply_patch|notebookedit|write_file|str_replace|"
                         r"edit_file|write_fix|write_patch|undo_edit|discard_changes|define_fix)$", re.IGNORECASE)  # fmt: skip
_EDIT_COMMANDS = ("create", "str_replace", "insert", "undo_edit", "write")


def problem(sentence: str, seen: Seen) -> str:
    """What is wrong with a sentence; empty if it is literally true."""
    for shape, check in SHAPES:
        if match := shape.fullmatch(sentence):
            return check(match, seen)
    return "no counter knows a sentence of this shape"


def shape(pattern: str) -> Callable[[Check], Check]:
    def known(check: Check) -> Check:
        SHAPES.append((re.compile(pattern, re.DOTALL), check))
        return check

    return known


QUOTE = r'(?:: "(?P<quote>.*)")?'


@shape(
    r"(?P<what>.+?) (?P<how>gave the same result|failed in the same way|returned nothing)(?P<aside>,[^\d]+,)? (?:at least )?(?P<n>\d+) times in a row"
    + QUOTE
    + r"\."
)
def in_a_row(said: re.Match[str], seen: Seen) -> str:
    last = seen.calls[-int(said["n"]) :]
    return (
        _equal_calls(last, int(said["n"]))
        or _same_results(last, said["how"], said["aside"])
        or _named(said["what"], last[-1])
        or _quoted(said["quote"], last[-1])
    )


@shape(
    r"(?P<what>.+?) (?P<how>gave the same result|failed in the same way|returned nothing)(?P<aside>,[^\d]+,)? (?:at least )?(?P<n>\d+) times, with no change seen in between"
    + QUOTE
    + r"\."
)
def now_and_then(said: re.Match[str], seen: Seen) -> str:
    equal = [call for call in seen.calls if call.key == seen.calls[-1].key][-int(said["n"]) :]
    return (
        _equal_calls(equal, int(said["n"]))
        or _same_results(equal, said["how"], said["aside"])
        or _nothing_changed(equal, seen)
        or _named(said["what"], equal[-1])
        or _quoted(said["quote"], equal[-1])
    )


@shape(
    r"(?P<what>.+?) (?P<how>gave the same result|returned nothing) (?P<n>\d+) times, whatever "
    r"(?:was saved or sent|(?P<tool>\S+) was called with) in between\."
)
def whatever_else(said: re.Match[str], seen: Seen) -> str:
    equal = [call for call in seen.calls if call.key == seen.calls[-1].key][-int(said["n"]) :]
    others = [call for call in seen.calls if call.tool == said["tool"] and call.key != seen.calls[-1].key]
    return (
        _equal_calls(equal, int(said["n"]))
        or _same_results(equal, said["how"], None)
        or _named(said["what"], equal[-1])
        or ("" if others or said["tool"] is None else f"{said['tool']} was called with nothing else")
    )


@shape(
    r"The same edit of (?P<what>.+?) failed (?:at least )?(?P<n>\d+) times, with no change seen in between"
    + QUOTE
    + r"\."
)
def failing_edit(said: re.Match[str], seen: Seen) -> str:
    equal = [call for call in seen.calls if call.key == seen.calls[-1].key and call.failed][-int(said["n"]) :]
    what = "" if said["what"] == "a file" else said["what"]
    return (
        _equal_calls(equal, int(said["n"]))
        or _nothing_changed(equal, seen)
        or (_named(what, equal[-1]) if what else "")
        or _quoted(said["quote"], equal[-1])
    )


@shape(
    r"The last (?P<n>\d+) calls were the same (?P<length>\d+) calls(?P<notes>[^,]*), repeated (?P<times>\d+) times with the same results(?P<aside>, apart from .+)?\."
)
def circle(said: re.Match[str], seen: Seen) -> str:
    count, length, times = int(said["n"]), int(said["length"]), int(said["times"])
    last = seen.calls[-count:]
    if count != length * times or len(last) != count:
        return f"{count} calls are not {times} times {length}"
    for start in range(length):
        place = last[start::length]
        if wrong := _equal_calls(place, times) or _same_results(
            place, "gave the same result", said["aside"], loose=True
        ):
            return wrong
    return ""


@shape(
    r"(?P<tool>.+?) failed (?P<n>\d+) times in the last (?P<of>\d+) steps with the same error(?P<aside>, details .+ aside)?: \"(?P<quote>.*)\"\."
)
def repeated_error(said: re.Match[str], seen: Seen) -> str:
    window = seen.calls[-int(said["of"]) :]
    failures = [call for call in window if call.tool == said["tool"] and call.failed]
    alike = [call for call in failures if _has_line_like(call.output, said["quote"], bool(said["aside"]))]
    if len(alike) < int(said["n"]):
        return f"{len(alike)} of the last {said['of']} calls are failures of {said['tool']} with this error"
    return _quoted(said["quote"], seen.calls[-1])


@shape(
    r"(?:At least )?(?P<n>\d+) (?P<tool>.+?) calls, (?P<different>\d+) of them different, failed in the same way: \"(?P<quote>.*)\"\."
)
def varied_failures(said: re.Match[str], seen: Seen) -> str:
    failures = [call for call in seen.calls[-10:] if call.tool == said["tool"] and call.failed]
    different = len({call.args_sha1 for call in failures})
    if len(failures) < int(said["n"]):
        return f"only {len(failures)} of the last 10 calls are failures of {said['tool']}"
    return "" if different >= int(said["different"]) else f"{different} of them are different"


@shape(r"The last (?P<n>\d+) calls(?: that ran)? all failed(?:, each time because the environment refused it)?\.")
def all_failed(said: re.Match[str], seen: Seen) -> str:
    last = seen.calls[-int(said["n"]) :]
    good = [call.number for call in last if not call.failed]
    return f"these did not fail: {good}" if good or len(last) < int(said["n"]) else ""


@shape(r"(?P<n>\d+) of the last (?P<of>\d+) calls failed(?: without anything new)?\.")
def most_failed(said: re.Match[str], seen: Seen) -> str:
    failed = sum(call.failed for call in seen.calls[-int(said["of"]) :])
    return "" if failed >= int(said["n"]) else f"{failed} of them failed"


@shape(r"Each of the last (?P<n>\d+) calls failed or showed nothing new, and no change of a file was seen\.")
def nothing_new(said: re.Match[str], seen: Seen) -> str:
    last = seen.calls[-int(said["n"]) :]
    before = {line for call in seen.calls[: -int(said["n"])] for line in _lines(call.output)}
    for call in last:
        if not call.failed and set(_lines(call.output)) - before and len(_lines(call.output)) > 1:
            known = len(set(_lines(call.output)) & before) / len(set(_lines(call.output)))
            if known < 0.5:
                return f"call {call.number} succeeded with new lines"
        before |= set(_lines(call.output))
    return _nothing_changed([last[0], last[-1]], seen)


@shape(r"The last (?P<n>\d+) calls showed hardly anything new, and no change of a file was seen\.")
def hardly_anything_new(said: re.Match[str], seen: Seen) -> str:
    last = seen.calls[-int(said["n"]) :]
    return _nothing_changed([last[0], last[-1]], seen)


@shape(
    r"(?P<n>\d+) of (?P<of>\d+) reads of (?P<path>.+) returned mostly lines that had been read before, with no change of the file seen in between\."
)
def read_before(said: re.Match[str], seen: Seen) -> str:
    name = said["path"].rsplit("/", 1)[-1]
    reads = [call for call in seen.calls if name in call.text and not call.surely_failed and not _may_change(call)]
    known, lines = 0, set[str]()
    for call in reads:
        own = set(_lines(call.output))
        known += bool(own) and 2 * len(own & lines) >= len(own)
        lines |= own
    if known < int(said["n"]) or len(reads) < int(said["of"]):
        return f"{known} of {len(reads)} reads of {name} show mostly lines of earlier ones"
    return ""


@shape(
    r"(?P<n>\d+) commands had no effect and printed nothing but their own text, and no call in between succeeded with anything new\."
)
def idle(said: re.Match[str], seen: Seen) -> str:
    idle_calls = [call for call in seen.calls if _is_idle(call)]
    return "" if len(idle_calls) >= int(said["n"]) else f"{len(idle_calls)} such commands were made"


@shape(r"(?P<n>\d+) messages in a row said hardly anything new, and nothing was done in between\.")
def monologue(said: re.Match[str], seen: Seen) -> str:
    last = seen.messages[-int(said["n"]) :]
    done = {calls for calls, _ in last}
    return "" if len(last) == int(said["n"]) and len(done) == 1 else f"calls were made in between: {sorted(done)}"


@shape(
    r"(?P<what>The same message|A message with the same first 2,000 characters) \(details such as times and ids aside\) was sent (?P<n>\d+) times with no call in between\."
)
def same_message(said: re.Match[str], seen: Seen) -> str:
    last = seen.messages[-1]
    equal = [
        text for calls, text in seen.messages if calls == last[0] and _blotted(text[:2000]) == _blotted(last[1][:2000])
    ]
    return "" if len(equal) >= int(said["n"]) else f"it was sent {len(equal)} times"


@shape(r"Towards its end, the message repeats the same phrase (?:at least )?(?P<n>[\d,]+) times: \"(?P<phrase>.*)\"\.")
def same_phrase(said: re.Match[str], seen: Seen) -> str:
    text, times = _letters(seen.messages[-1][1]), int(said["n"].replace(",", ""))
    count = text.count(_letters(said["phrase"])[:40])
    return "" if count >= times - 1 else f"it occurs {count} times"


@shape(r"(?P<path>.+) was changed back and forth: (?P<n>\d+) of the edits had been made before\.")
def back_and_forth(said: re.Match[str], seen: Seen) -> str:
    name = said["path"].rsplit("/", 1)[-1]
    edits = [call for call in seen.calls if _may_change(call) and name in call.text]
    again = len(edits) - len({call.key for call in edits})
    return "" if again >= int(said["n"]) else f"{again} edits were made again"


@shape(r"The latest edits of (?P<path>.+) cancel each other out\.")
def cancelled(said: re.Match[str], seen: Seen) -> str:
    name = said["path"].rsplit("/", 1)[-1]
    return "" if sum(name in call.text and _may_change(call) for call in seen.calls) >= 2 else "there are no two edits"


@shape(
    r"This is run (?P<n>\d+) of `(?P<what>.+)` with the same (?P<failing>\d+) failing tests? and no change seen in between\."
)
def same_tests(said: re.Match[str], seen: Seen) -> str:
    equal = [call for call in seen.calls if call.key == seen.calls[-1].key][-int(said["n"]) :]
    return (
        _equal_calls(equal, int(said["n"])) or _nothing_changed(equal, seen) or _named(f"`{said['what']}`", equal[-1])
    )


@shape(r"(?P<n>\d+) signs of lost context in the last (?P<of>\d+) steps: (?P<signs>.+)\.")
def lost_context(said: re.Match[str], seen: Seen) -> str:
    shown = said["signs"].split("; ")
    return "" if len(shown) == min(3, int(said["n"])) else f"{len(shown)} signs are listed"


@shape(r"The last (?P<n>\d+) searches with a known number of hits found nothing\.")
def nothing_found(said: re.Match[str], seen: Seen) -> str:
    empty = [call for call in seen.this_turn if len(_lines(call.output)) <= 3]
    return "" if len(empty) >= int(said["n"]) else f"only {len(empty)} calls printed three lines or less"


@shape(r"A search found nothing\.")
def one_empty(said: re.Match[str], seen: Seen) -> str:
    lines = [line for line in _lines(seen.calls[-1].output) if not line.startswith(("No matches", "Found 0"))]
    return "" if len(lines) <= 3 else "it printed more than three lines"


@shape(r"(?P<n>\d+) of the last (?P<of>\d+) searches with a known number of hits found nothing\.")
def mostly_nothing(said: re.Match[str], seen: Seen) -> str:
    empty = [call for call in seen.calls if len(_lines(call.output)) <= 3]
    return "" if len(empty) >= int(said["n"]) else f"only {len(empty)} calls printed three lines or less"


@shape(
    r"(?P<n>\d+) similar (?P<tool>.+?) calls among the last (?P<of>\d+) steps returned the same result(?P<aside>, .+)?\."
)
def similar(said: re.Match[str], seen: Seen) -> str:
    window = [call for call in seen.calls[-int(said["of"]) :] if call.tool == said["tool"]]
    same = [call for call in window if _blotted(call.output) == _blotted(seen.calls[-1].output)]
    return "" if len(same) >= int(said["n"]) else f"{len(same)} of them returned this result"


@shape(r"(?P<path>.+) was changed (?P<n>\d+) times in the last (?P<of>\d+) steps\.")
def churn(said: re.Match[str], seen: Seen) -> str:
    name = said["path"].rsplit("/", 1)[-1]
    changes = [call for call in seen.calls[-int(said["of"]) :] if _may_change(call)]
    count = sum(name in call.text or _names_no_file(call) for call in changes)
    return "" if count >= int(said["n"]) else f"{count} calls that may change it"


@shape(r"The same edit of (?P<path>.+) was made (?P<n>\d+) times, and changed the file each time\.")
def same_edit(said: re.Match[str], seen: Seen) -> str:
    equal = [call for call in seen.calls if call.key == seen.calls[-1].key and not call.surely_failed]
    return "" if len(equal) >= int(said["n"]) else f"it was made {len(equal)} times without a failure"


@shape(
    r"(?P<n>\d+) different calls failed because (?P<name>.+) (?:is not there|refuses connections|is denied in (?P<place>.+)), with no change seen in between\."
)
def wall(said: re.Match[str], seen: Seen) -> str:
    name = (said["place"] or said["name"]).strip("`").rsplit("/", 1)[-1]
    failed = [call for call in seen.this_turn if call.failed and name in f"{call.output} {call.text}"]
    last = list({call.key: call for call in failed}.values())[-int(said["n"]) :]
    if len(last) < int(said["n"]):
        return f"{len(last)} different calls failed with {name}"
    return _nothing_changed(last, seen)


@shape(r"(?P<n>\d+) top-level folders were visited for this request: (?P<folders>.+)\.")
def folders(said: re.Match[str], seen: Seen) -> str:
    shown = said["folders"].split(", ")
    if len(shown) != min(8, int(said["n"])):
        return f"{len(shown)} folders are listed"
    missing = [name for name in shown if not any(name.strip("/") in call.text for call in seen.this_turn)]
    return f"no call names {missing}" if missing else ""


@shape(r"(?P<path>.+) was read in (?P<n>\d+) parts\.")
def parts(said: re.Match[str], seen: Seen) -> str:
    name = said["path"].rsplit("/", 1)[-1]
    count = len({call.args_sha1 for call in seen.calls if name in call.text})
    return "" if count >= int(said["n"]) or _pages(seen) >= int(said["n"]) else f"{count} different calls name it"


@shape(r"In the last (?P<n>\d+) calls, (?P<alike>.+) series of (?P<length>\d+) tools occurred (?P<times>\d+) times\.")
def fuzzy_circle(said: re.Match[str], seen: Seen) -> str:
    return "" if int(said["n"]) == int(said["length"]) * int(said["times"]) else "the numbers do not agree"


@shape(r"(?P<now>\d+) tests? pass(?:es)?; (?P<before>\d+) passed earlier in this run(?P<names>: .+)?\.")
def fewer_pass(said: re.Match[str], seen: Seen) -> str:
    numbers = [
        int(n)
        for call in seen.calls
        for n in re.findall(r"\b(\d+) passed|Ran (\d+) tests", call.output)
        for n in n
        if n
    ]
    numbers += [0]
    tests = {int(said["now"]), int(said["before"])}
    shown = set(numbers) | {ran - failed for ran in numbers for failed in range(60)}
    return "" if tests <= shown else f"no output shows {tests - shown}"


@shape(
    r"Over (?P<n>\d+) runs of `(?P<what>.+)` that showed counts, the number of failing tests fell from (?P<a>\d+) to (?P<b>\d+), and .+\."
)
def vanishing(said: re.Match[str], seen: Seen) -> str:
    runs = [call for call in seen.calls if _flat(said["what"]).rstrip("…")[:30] in call.text]
    return "" if len(runs) >= int(said["n"]) else f"{len(runs)} calls run it"


@shape(
    r"(?P<subject>.+?) ha(?:s|ve) failed in (?P<ways>.+) after each of (?P<n>\d+) rounds of (?P<work>.+?)(?:; the latest: \".*\"|: \".*\")?\."
)
def stubborn(said: re.Match[str], seen: Seen) -> str:
    changes = [call for call in seen.calls if _may_change(call)]
    return "" if len(changes) >= int(said["n"]) else f"{len(changes)} calls may have changed something"


@shape(r"(?P<path>.+) was edited, and (?P<why>.+)\.")
def generated(said: re.Match[str], seen: Seen) -> str:
    name = said["path"].rsplit("/", 1)[-1]
    return "" if any(name in call.text and _may_change(call) for call in seen.calls) else "no call edits it"


@shape(
    r"The same status was queried (?:at least )?(?P<n>\d+) times(?: within .+?)?, and the answer was the same(?P<aside>.*)\."
)
def polled(said: re.Match[str], seen: Seen) -> str:
    equal = [call for call in seen.calls if call.key == seen.calls[-1].key][-int(said["n"]) :]
    return _equal_calls(equal, int(said["n"])) or _same_results(equal, "gave the same result", said["aside"] or None)


@shape(r"(?P<n>\d+) turns in a row had little text and no calls\.")
def low_output(said: re.Match[str], seen: Seen) -> str:
    last = seen.messages[-int(said["n"]) :]
    return "" if len({calls for calls, _ in last}) == 1 else "calls were made in between"


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    else:
        yield str(value)


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _flat(text: str) -> str:
    return " ".join(text.split())


def _lines(output: str) -> list[str]:
    """The lines of an output without those that the recording program put around it."""
    lines = [line.strip() for line in output.splitlines()]
    return [line for line in lines if line and not _FRAME.match(line)]


def _blotted(text: str) -> str:
    return _ACCIDENT.sub("#", text)


def _equal_calls(calls: Sequence[Call], count: int) -> str:
    if len(calls) != count:
        return f"there are only {len(calls)} such calls"
    return "" if len({call.key for call in calls}) == 1 else "the calls are not equal"


def _same_results(calls: Sequence[Call], how: str, aside: str | None, *, loose: bool = False) -> str:
    if len({call.output_sha1 for call in calls}) == 1 or len({call.output for call in calls}) == 1:
        return ""
    if how.startswith("failed"):
        return "" if _share_an_error(calls) else "the failures differ"
    if aside is None and not (loose and any(call.failed for call in calls)):
        return "the results are not equal to the letter, and the sentence does not say so"
    if len({_blotted(call.output) for call in calls}) == 1 or (loose and _share_an_error(calls)):
        return ""
    return "the results differ in more than numbers, times and ids"


def _share_an_error(calls: Sequence[Call]) -> bool:
    errors = [{_blotted(line) for line in _lines(call.output) if _FAILS.search(line)} for call in calls]
    return bool(set.intersection(*errors)) or len({_blotted(call.output) for call in calls}) == 1


def _has_line_like(output: str, quote: str, loosely: bool) -> bool:
    wanted = _blotted(_flat(quote).partition("[masked]")[0])
    if loosely:  # folders, numbers and ids differ: enough words of the quotation must be there
        words = re.findall(r"[A-Za-z]{3,}", quote)
        return sum(word in output for word in words) * 2 >= len(words)
    return wanted[:60] in _blotted(_flat(output))


def _quoted(quote: str | None, call: Call) -> str:
    """A quotation must stand in the output; `<place>` and `…` stand for something left out."""
    if not quote:
        return ""
    pieces = re.split(r"<\w+>|…|\[[^\]]*masked[^\]]*\]|\*{3,}", quote)
    output = _flat(call.output)
    missing = [piece for piece in pieces if _flat(piece)[:60] not in output]
    return f"the output does not say {missing[0]!r}" if missing else ""


def _named(what: str, call: Call) -> str:
    """The command or file that a sentence names must stand in the arguments."""
    named = re.search(r"`(.+)`", what, re.DOTALL)
    if named:
        pieces = [piece for piece in re.split(r"…|\[[^\]]*\]|\*{3,}", named[1]) if piece.strip()]
        return "" if all(_flat(piece) in call.text for piece in pieces) else f"the call does not contain {named[1]!r}"
    path = what.rpartition(" of ")[2] if " of " in what else ("" if what.startswith("The same") else what)
    return "" if path.rsplit("/", 1)[-1] in call.text + call.tool else f"the call does not name {path!r}"


def _may_change(call: Call) -> bool:
    """Whether a call can be seen to change a file: an editing tool or command that did not fail."""
    args = call.args if isinstance(call.args, dict) else {}
    command = args.get("command") if "path" not in args else None
    has_several = isinstance(command, str) and re.match(
        r"\s*(?:rm|mv|cp|mkdir|touch)\b.*(?:&&|;|\n)", command, re.DOTALL
    )
    if _NO_COMMAND.match(call.text) or (call.surely_failed and not has_several):
        return False
    if "already satisfied" in call.output and "Successfully installed" not in call.output:
        return False
    if _EDIT_TOOLS.match(call.tool):
        return True
    if args.get("command") in _EDIT_COMMANDS:
        return True
    return any(_CHANGES.search(text) or _WRITES.search(text) for text in _texts(call.args))


def _nothing_changed(equal: Sequence[Call], seen: Seen) -> str:
    first, last = equal[0].number, equal[-1].number
    own = {call.key for call in equal}
    for call in seen.calls:
        if (
            first < call.number < last
            and call.key not in own
            and _may_change(call)
            and not _was_made_before(call, seen)
        ):
            return f"call {call.number} in between may have changed something: {call.text[:80]}"
    return ""


def _was_made_before(call: Call, seen: Seen) -> bool:
    """A change that was made twice before with the same result changes nothing more."""
    equal = [other for other in seen.calls if other.key == call.key and other.number < call.number]
    return len(equal) >= 2 and all(other.output_sha1 == call.output_sha1 for other in equal)


def _is_idle(call: Call) -> bool:
    texts = list(_texts(call.args))
    return any(
        re.match(r"\s*(?::|#|true|echo|printf|sleep|exit|cd|pwd|export|set)\b|\s*$|\s*[:#]", text) for text in texts
    )


def _names_no_file(call: Call) -> bool:
    """An edit of lines in the file that is open."""
    return _EDIT_TOOLS.match(call.tool) is not None and re.search(r"\d+:\d+", call.text) is not None


def _pages(seen: Seen) -> int:
    return sum(re.search(r"scroll|next|page|down|goto", call.tool + call.text) is not None for call in seen.calls)


def call_of(record: dict[str, Any], number: int, turn: int, *, guessed: bool) -> Call:
    """A recorded step with a call."""
    return Call(
        number, record["tool"], record["args"], record["args_sha1"] or json.dumps(record["args"], sort_keys=True),
        record["output"] or "", record["output_sha1"] or (record["output"] or ""), None if guessed else record["error"], turn,
    )  # fmt: skip
