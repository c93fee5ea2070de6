"""Episodes of Terminal-Bench's agent Terminus: in each it gets the screen, and answers with keys to be typed.

The effect of an episode's keys is the screen of the next one. Its answer is JSON, or XML in a variant of Terminus 2.
"""

import re
from collections.abc import Iterator
from itertools import count

from headway.core import events
from headway.core.events import Event
from headway.rolling.forgiving import FAULTS, from_json
from headway.shapes.conversation import Conversation
from headway.shapes.values import Record, fields, items, text
from headway.sources import Source
from headway.sources.packed import DamagedError, whole

_ANSWERS = ("response.txt", "response.json")
_KEYS = re.compile(r"<keystrokes[^>]*>(.*?)</keystrokes>", re.DOTALL)
_LARGEST = 16 * 1024 * 1024
_BLANK = re.compile(r"\n{3,}")
"""The rest of a screen that is not full."""


def episodes(trial: Source, talk: Conversation) -> Iterator[Event]:
    """What was said and typed in all episodes."""
    asked = ""
    for number in count():
        folder = f"agent-logs/episode-{number}"
        answer = next((text for name in _ANSWERS if (text := _read(trial, f"{folder}/{name}"))), "")
        prompt = _read(trial, f"{folder}/prompt.txt")
        if not answer and not prompt:
            break
        if asked and prompt:
            yield talk.answered(asked, output=_BLANK.sub("\n\n", prompt))
            asked = ""
        for event in _answered(answer, talk):
            yield event
            asked = event.call if isinstance(event, events.ToolCalled) else asked
    if asked:
        yield talk.unrecorded(asked)


def _read(trial: Source, name: str) -> str:
    if trial.path is None or not (trial.path / name).is_file():
        return ""
    member = trial.member(name)
    try:
        with member.open() as file:
            return whole(file, _LARGEST).decode("utf-8", "replace")
    except (OSError, DamagedError) as error:
        trial.skip(f"{name}: {error}")
        return ""


def _answered(answer: str, talk: Conversation) -> Iterator[Event]:
    parsed = _json_in(answer)
    said = "\n".join(
        filter(None, (text(parsed.get(name)) for name in ("analysis", "plan", "state_analysis", "explanation")))
    )
    if said or (answer and not parsed):
        yield events.AgentSpoke(run=talk.run, text=said or answer)
    keys = [text(fields(one).get("keystrokes")) for one in items(parsed.get("commands"))] or _KEYS.findall(answer)
    is_over = parsed.get("task_complete") is True or parsed.get("is_task_complete") is True
    if answer and (keys or (parsed and not is_over)):
        talk.turn()
        yield talk.asked("", "terminal", {"command": "".join(keys).strip()})


def _json_in(answer: str) -> Record:
    """The object in an answer, whatever stands around it."""
    try:
        return from_json(answer[answer.find("{") : answer.rfind("}") + 1], dict[str, object])
    except FAULTS:
        return {}
