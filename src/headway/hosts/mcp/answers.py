"""The answers to an agent's questions about its session. They state only what is stored."""

from collections import Counter
from collections.abc import Iterable

from headway.detectors import built_in
from headway.hosts.mcp.this_session import Asked
from headway.policy.reasons import REASONS
from headway.reports.detectors import describe
from headway.reports.text import plain
from headway.rolling.secrets import mask
from headway.rolling.text import shortened
from headway.store.overview import KeptDecision, KeptFinding, KeptStep
from headway.store.sessions import LONGEST_TITLE
from headway.store.states import OPEN_FOR, open_findings

MOST_LINES = 20
LONGEST = 300
"""Characters of a message or command that are shown."""
EDITS = ("edit", "write")
LOOKS = ("read", "search", "list", "plan", "ask")
"""Kinds of steps that only look or plan, so they are not listed as attempts."""
OWN_TOOLS = ("am_i_stuck", "what_have_i_tried", "what_changed_since")
SINCE_USER, SINCE_TEST = "user", "test"


def am_i_stuck(asked: Asked) -> str:
    """The open findings, the latest decision, and what clears them."""
    session = asked.session
    found = open_findings(session)
    decided = [one for one in session.decisions if one.step > session.turn_step]
    lines = [_verdict(found)]
    for one in found[:MOST_LINES]:
        lines += [f"- {one.detector} ({one.severity}), seen at step {one.last_step}: {_shown(one.message)}"]
        lines += [f"  Clears: {clears}" for clears in filter(None, [_clears(one.detector)])]
    lines += [_decision(one) for one in decided[:1]]
    others = {one.reason for one in decided[:1]} - {one.detector for one in found}
    lines += [f"  {reason} clears: {clears}" for reason in others if (clears := _clears(reason))]
    if not decided:
        lines.append("Headway has made no decision since the user's last message.")
    if session.off:
        lines.append("Headway is turned off for this session, so it says and refuses nothing.")
    lines.append(
        f"Calls that returned: {session.steps}; since the user's last message: {session.steps - session.turn_step}."
    )
    return "\n".join([*lines, asked.about])


def _verdict(found: list[KeptFinding]) -> str:
    if not found:
        return f"No finding is open: none that led to a decision in this turn was seen in the last {OPEN_FOR} steps."
    return f"{len(found)} finding{'s are' if len(found) > 1 else ' is'} open:"


def _decision(one: KeptDecision) -> str:
    undone = ", which the mode prevented" if one.would else ""
    which = f"{one.action} ({one.reason}), at step {one.step}{undone}"
    return f"The latest decision of this turn was {which}: {_shown(one.message)}"


def _clears(id: str) -> str:
    """What clears a finding of a detector, or another reason; empty if it is a plug-in's."""
    if id in REASONS:
        return REASONS[id].clears
    kind = built_in().get(id)
    return describe(kind).sections.get("Clears", "") if kind else ""


def what_have_i_tried(asked: Asked) -> str:
    """Commands and edits with their results, the most repeated first."""
    own = _without_own(asked.steps)
    tried = [step for step in own if step.kind not in LOOKS]
    by_call: dict[tuple[str, str, str], list[KeptStep]] = {}
    for step in tried:
        by_call.setdefault((step.tool, step.title, step.kind if step.kind in EDITS else ""), []).append(step)
    groups = sorted(by_call.values(), key=lambda steps: (-len(steps), -steps[-1].number))
    lines = ["No commands or edits of this session are stored."]
    if groups:
        lines = [
            f"Commands and edits that are stored: {len(tried)}; different ones: {len(groups)}. The most repeated "
            "ones are first. ok means that no failure was seen."
        ]
    lines += [_group(steps) for steps in groups[:MOST_LINES]]
    if len(groups) > MOST_LINES:
        lines.append(f"{len(groups) - MOST_LINES} more are not shown.")
    lines += _left_out("Not listed", [step for step in own if step.kind in LOOKS])
    return "\n".join([*lines, *_unstored(asked), asked.about])


def _group(steps: list[KeptStep]) -> str:
    results = ", ".join(f"{outcome} {count}" for outcome, count in Counter(one.outcome for one in steps).most_common())
    last = steps[-1]
    latest = f"step {last.number}: {last.outcome}" if len(steps) > 1 else f"step {last.number}"
    return f"- {len(steps)} × {_call(last)}: {results}; {'latest at ' if len(steps) > 1 else ''}{latest}"


def what_changed_since(asked: Asked, since: str = SINCE_USER) -> str:
    """The edits since a step, the user's last message or the last test run."""
    start, told = _start(asked, since.strip().lower())
    if start is None:
        return "\n".join([told, asked.about])
    after = [step for step in _without_own(asked.steps) if step.number > start]
    edits = [step for step in after if step.kind in EDITS]
    done: dict[str, list[KeptStep]] = {}
    for step in (one for one in edits if one.outcome == "ok"):
        done.setdefault(step.title, []).append(step)
    count = sum(map(len, done.values()))
    lines = [f"{told}: {count or 'no'} edit{'s' * (count != 1)} without a failure{':' if done else '.'}"]
    lines += [_edit(steps) for steps in list(done.values())[:MOST_LINES]]
    if len(done) > MOST_LINES:
        lines.append(f"{len(done) - MOST_LINES} more are not shown.")
    if failed := [step for step in edits if step.outcome != "ok"]:
        lines.append(f"Edits that failed or were denied: {len(failed)}.")
    others = [step for step in after if step.kind not in (*EDITS, *LOOKS) and step.outcome != "denied"]
    lines += _left_out("Other calls, which may have changed files too", others)
    return "\n".join([*lines, *_unstored(asked), asked.about])


def _start(asked: Asked, since: str) -> tuple[int | None, str]:
    """The step to start after, and the words for it; None and an explanation if there is no such step."""
    if since == SINCE_USER:
        return asked.session.turn_step, f"Since the user's last message (after step {asked.session.turn_step})"
    if since == SINCE_TEST:
        tests = [step for step in asked.steps if step.kind == "test"]
        if not tests:
            return None, "No test run of this session is stored."
        last = tests[-1]
        return last.number, f"Since the last test run (step {last.number}, {_call(last)}, {last.outcome})"
    if since.isdecimal():
        return int(since[:9]), f"After step {int(since[:9])}"
    return None, f"`since` is {plain(since)[:40]!r}; expected a step number, {SINCE_USER!r} or {SINCE_TEST!r}."


def _edit(steps: list[KeptStep]) -> str:
    where = ", ".join(str(one.number) for one in steps[-5:])
    steps_named = f"step{'s' * (len(steps) > 1)} {'… ' * (len(steps) > 5)}{where}"
    return f"- {_title(steps[-1])}: {len(steps)} edit{'s' * (len(steps) > 1)} ({steps_named})"


def _left_out(heading: str, steps: list[KeptStep]) -> list[str]:
    kinds = Counter(step.kind for step in steps)
    return [f"{heading}: {', '.join(f'{kind} {count}' for kind, count in kinds.most_common())}."] if steps else []


def _unstored(asked: Asked) -> list[str]:
    missing = asked.session.steps - len(asked.steps)
    return [f"The first {missing} steps of the session are no longer stored."] if missing > 0 else []


def _without_own(steps: Iterable[KeptStep]) -> list[KeptStep]:
    """The steps without calls of this server."""
    return [step for step in steps if not step.tool.endswith(OWN_TOOLS)]


def _call(step: KeptStep) -> str:
    title = _title(step)
    what = f"{step.kind} {title}" if step.kind in EDITS else f"`{title}`"
    return f"{what} ({plain(step.tool)})" if step.title else plain(step.tool)


def _title(step: KeptStep) -> str:
    return _shown(step.title) + ("…" if len(step.title) >= LONGEST_TITLE else "")


def _shown(text: str) -> str:
    return shortened(plain(mask(text)), LONGEST)
