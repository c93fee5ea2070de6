"""Record what agent programs send to their hook, for the tests that run without them.

    python -m tests.e2e.capture pi kilo cline     # writes tests/hosts/hook/captures/NAME.jsonl

The hook is installed as its user would. Then the command line in the settings is replaced by one that only records.
"""

import json
import sys
import tempfile
from pathlib import Path

from tests.e2e.agents import AGENTS
from tests.e2e.models import Say
from tests.e2e.place import Place

CAPTURES = Path(__file__).parent.parent / "hosts" / "hook" / "captures"


def recorded(agent, folder):
    """The events of one short session: a call, two at once, one that fails, and a last word."""
    look, missing = agent.shell("cat notes.txt"), agent.shell("cat missing.txt")
    with agent.model([look], [agent.shell("ls"), agent.shell("cat plan.txt")], [missing], [Say("all done")]) as model:
        place = Place(folder, model.url)
        agent.prepare(place)
        for name in ("notes", "plan"):
            (place.project / f"{name}.txt").write_text(f"{name}\n")
        place.run("headway", "install", agent.name, "--mode", "enforce")
        record_only(place)
        place.run(*agent.command())
    lines = (folder / "events.jsonl").read_text("utf-8").splitlines()
    return [line.replace(str(place.project), "/home/dev/proj").replace(str(place.home), "/home/dev") for line in lines]


def record_only(place):
    """Let the settings call a recorder in place of Headway."""
    recorder = place.folder / "recorder"
    recorder.write_text(f'#!/bin/sh\nevent=$(cat)\nprintf "%s\\n" "$event" >> {place.folder}/events.jsonl\n')
    recorder.chmod(0o755)
    place.call_in_place_of_headway(recorder)


def main(names):
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            events = recorded(AGENTS[name], Path(folder))
        assert events and all(map(json.loads, events))
        (CAPTURES / f"{name}.jsonl").write_text("\n".join(events) + "\n", "utf-8")
        sys.stdout.write(f"{name}: {len(events)} events\n")


if __name__ == "__main__":
    main(sys.argv[1:])
