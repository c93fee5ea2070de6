"""What a live session of Claude Code is told at the ends of its turns, a scan of its transcript shows."""

import pytest

from headway.sources import Source
from headway.store.overview import list_sessions
from headway.study.scan import scan
from tests.study.test_turn_ends import TURNS, asked, change, live, transcript

from .programs import Program, kept_going_in


@pytest.mark.parametrize("names", [[name] for name in TURNS] + [[*TURNS]], ids="|".join)
@pytest.mark.parametrize("mode", ["nudge", "enforce"])
def test_hook_monitor_and_recording_decide_the_same(names, mode, tmp_path):
    turns = [TURNS[name] for name in names]
    program, held = Program("claude-code", mode=mode), []
    for place, (output, failed, text) in enumerate(turns):
        program.prompt(asked(place))
        program.step(change(place), "")
        program.step("pytest -q", output, failed=failed)
        held.append(kept_going_in(program.end(text)))
    said = live(turns)

    assert [reason for _, reason, _ in said] == [one.reason for one in list_sessions()[0].decisions]
    assert all(message in shown for (_, _, message), shown in zip(said, filter(None, held), strict=True))
    (report,) = scan(Source(transcript(tmp_path / "s1.jsonl", turns)))
    assert said == [(str(one.action), one.reason, one.message) for one in report.decisions]
