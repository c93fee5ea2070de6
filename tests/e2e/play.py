"""Play a scenario in a real agent program, and tell what its model heard of Headway at which call."""

import json
import threading
import time
from dataclasses import dataclass, field

from tests.e2e.models import Call
from tests.e2e.place import Place
from tests.e2e.scenarios import FILES, SUBTASK, translated

TOLD = ("Headway: ",)
REFUSED = ("Headway refused", "Headway stopped")
"""How everything begins that Headway says to an agent. Its name alone may be part of a path."""


@dataclass
class HookEvent:
    """What the model heard, each time with the number of the call after or at which it did."""

    told: list = field(default_factory=list)
    refused: list = field(default_factory=list)
    ended: int | None = None
    """At which call the run ended although the model had more to say."""
    last: int = 0
    """How many calls the model asked for."""

    def __str__(self):
        parts = [f"told {_numbers(self.told)}"] * bool(self.told)
        parts += [f"refused {_numbers(self.refused)}"] * bool(self.refused)
        parts += [f"ended {self.ended}"] * (self.ended is not None)
        return ", ".join(parts) or "silent"


def _numbers(calls):
    """`4-6, 9` for 4, 5, 6 and 9."""
    groups = []
    for call in dict.fromkeys(calls):
        if groups and groups[-1][-1] == call - 1:
            groups[-1].append(call)
        else:
            groups.append([call])
    return ", ".join(f"{one[0]}-{one[-1]}" if len(one) > 1 else str(one[0]) for one in groups)


def played(scenario, agent, folder):
    """What each conversation of a scenario heard (by its opening), the runs, and the place."""
    turns = []
    with agent.model() as model:
        place = Place(folder, model.url)
        agent.prepare(place)
        for name, content in FILES.items():
            (place.project / name).write_text(content)
        options = agent.deny_sed(place) if "deny_sed" in scenario.needs else []
        for run in scenario.runs:
            turns += translated(run.turns, agent, place)
        others = {opening: translated(script, agent, place) for opening, script in scenario.others.items()}
        if "delegate" in agent.cannot:
            others.pop(SUBTASK, None)
        model.play(turns, others)
        installed = place.run("headway", "install", agent.name, "--mode", "enforce")
        assert 0 == installed.exit_code, installed.stderr
        ran = [_run(run, agent, place, model, options) for run in scenario.runs]
    heard = {None: _heard(model, None, turns)}
    heard |= {opening: _heard(model, opening, script) for opening, script in others.items()}
    return heard, ran, place


def _run(run, agent, place, model, options):
    command = [*(agent.resumed(run.prompt) if run.resumed else agent.command(run.prompt)), *options]
    if run.interrupted:
        asked = len(run.turns)
        return place.run(*command, interrupt_when=lambda: len(model.conversation) >= asked and _settled())
    if not run.beside:
        return place.run(*command)
    second = threading.Thread(target=place.run, args=agent.command(run.beside))
    second.start()
    try:
        return place.run(*command)
    finally:
        second.join()


def _settled():
    """The call has been announced and is running."""
    time.sleep(3)
    return True


def _heard(model, opening, script):
    heard, told, refused, calls = HookEvent(), 0, 0, 0
    requests = model.conversations[opening]
    for place, request in enumerate(requests):
        text = json.dumps(model.messages(request), ensure_ascii=False)
        told_now, refused_now = _count(text, TOLD), _count(text, REFUSED)
        heard.told += [calls] * (told_now > told)
        heard.refused += [calls] * (refused_now > refused)
        told, refused = told_now, refused_now
        calls += sum(isinstance(item, Call) for item in script[place]) if place < len(script) else 0
    heard.last = calls
    heard.ended = calls if len(requests) < len(script) else None
    return heard


def _count(text, words):
    return sum(text.count(word) for word in words)
