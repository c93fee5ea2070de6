"""The small parts of a loop."""

import io
import os

import pytest

from headway.config.settings import Settings
from headway.loop.agents import completed, filled, takes_prompt
from headway.loop.claim import says_complete, without_echo
from headway.loop.facts import Interrupted, Started
from headway.loop.journal import Journal, JournalError
from headway.loop.screen import Screen
from headway.loop.spec import LoopSpec
from headway.loop.spend import Meter
from headway.reports.words import duration
from tests.loop.projects import agent


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("claude", "claude --permission-mode acceptEdits -p {prompt}"),
        ("/opt/bin/claude --model opus", "/opt/bin/claude --model opus --permission-mode acceptEdits -p {prompt}"),
        ("claude --permission-mode plan", "claude --permission-mode plan -p {prompt}"),
        ("claude --dangerously-skip-permissions", "claude --dangerously-skip-permissions -p {prompt}"),
        ("claude -p --verbose", "claude -p --verbose"),
        ("codex", "codex exec --sandbox workspace-write --skip-git-repo-check {prompt}"),
        ("codex -s read-only", "codex exec -s read-only --skip-git-repo-check {prompt}"),
        ("codex exec --json", "codex exec --json"),
        ("gemini --yolo", "gemini --yolo -p {prompt}"),
        ("aider src/a.py", "aider src/a.py --yes-always --message {prompt}"),
        ("aider --message {prompt}", "aider --message {prompt}"),
        ("./mine --x", "./mine --x"),
    ],
)
def test_agent_forms(given, expected):
    assert tuple(expected.split()) == completed(tuple(given.split()))


def test_placeholders_are_filled_once():
    command = ("a", "{prompt}", "n{round}{round}", "@{prompt_file}")
    assert takes_prompt(command) and not takes_prompt(("a", "{round}"))
    assert ("a", "{round} {prompt}", "n33", "@f") == filled(
        command, prompt="{round} {prompt}", prompt_file="f", round=3
    )


def test_claims():
    prompt = "Work.\n  <promise>COMPLETE</promise>\nwhen done"
    assert says_complete("all good <promise> COMPLETE </promise>", "work")
    assert not says_complete("all good <promise>NOT YET</promise>")
    assert not says_complete("user: Work.\n<promise>COMPLETE</promise>\nwhen done", prompt)
    assert says_complete("user: …\n<promise>COMPLETE</promise> it is", prompt)
    assert "ab" == without_echo(f"a{prompt}b", prompt)


def cost_in(*pieces, prompt=""):
    meter = Meter(prompt)
    for piece in pieces:
        meter.feed(piece.encode())
    meter.end()
    return meter.usd()


def test_spend():
    assert 0.0036 == cost_in('{"total_cost_usd": 0.001}\n{"type":"result","total_cost_usd":3.6e-3}')
    assert 0.03 == cost_in("Tokens: 1k sent. Cost: $0.0052 message, $0.03 session.\n")
    assert cost_in("it costs $3") is None
    assert 0.5 == cost_in('{"total_cost', '_usd": 0.5}\nthe rest')
    assert cost_in('{"total_cost_usd": 9.0}\n', prompt='An example:\n{"total_cost_usd": 9.0}') is None


def test_several_sessions_of_a_round_add_up():
    one, other = ('{"session_id": "%s", "total_cost_usd": %s}\n' % pair for pair in (("a", 1.0), ("b", 2.5)))
    assert 3.5 == cost_in(one, other)
    assert 3.5 == cost_in(one, other, one)  # told twice
    assert 1.5 == cost_in('{"total_cost_usd": 1.5, "session', '_id": "a"}\n')
    assert 1.5 == cost_in('{"total_cost_usd": 1.0}\n', '{"total_cost_usd": 0.5}\n')  # a total never becomes less
    assert 0.03 == pytest.approx(
        cost_in("Cost: $0.01 message, $0.01 session.\n", "Cost: $0.02 message, $0.02 session.\n")
    )


def test_a_line_counts_when_it_is_complete():
    meter = Meter()
    meter.feed(b'{"total_cost_usd": 1.5')
    assert meter.usd() is None
    meter.feed(b'5, "session_id": "a"}\n')
    assert 1.55 == meter.usd()


def test_an_endless_line_is_read_quickly():
    """Each piece is looked at once; what is kept of a line is bounded."""
    meter = Meter()
    for _ in range(3000):
        meter.feed(b"x" * 65_536)
    meter.feed(b'"total_cost_usd": 2.0}\n')
    assert 2.0 == meter.usd()


def test_a_later_zero_does_not_reset_the_cost():
    assert 3.0 == cost_in('{"total_cost_usd": 3.0}\n', '{"total_cost_usd": 0.0}\n')
    assert 0.0 == cost_in('{"total_cost_usd": 0.0}\n')


def test_durations_are_shown_short():
    assert ["0.4s", "12s", "2m05s", "3h07m"] == [duration(seconds) for seconds in (0.4, 12.7, 125, 3 * 3600 + 7 * 60)]


def started():
    return Started(at=1.0, loop_id="it", folder="/f", spec=LoopSpec(command=("a",)), settings=Settings())


def test_a_partial_journal_line_is_dropped(tmp_path):
    journal = Journal(tmp_path)
    journal.append(started())
    with journal.path.open("ab") as file:
        file.write(b'{"fact":"interru')
    assert [started()] == journal.read()
    journal.append(Interrupted(at=2.0))
    assert [started(), Interrupted(at=2.0)] == journal.read()


CHANGED_IN_PLACE = {
    "emptied": lambda path: path.write_bytes(b""),
    "cut": lambda path: os.truncate(path, 20),
    "other bytes of the same number": lambda path: path.write_bytes(b"x" * path.stat().st_size),
    "added to": lambda path: path.write_bytes(path.read_bytes() + b'{"fact":"ended"}\n'),
    "removed": lambda path: path.unlink(),
}


@pytest.mark.parametrize("change", CHANGED_IN_PLACE.values(), ids=CHANGED_IN_PLACE)
@pytest.mark.parametrize("taken_up", [False, True])
def test_a_changed_journal_is_written_again(tmp_path, change, taken_up):
    journal = Journal(tmp_path)
    journal.append(started())
    if taken_up:
        journal.close()
        journal = Journal(tmp_path)
    journal.append(Interrupted(at=2.0))
    change(journal.path)
    journal.append(Interrupted(at=3.0))
    journal.append(Interrupted(at=4.0))
    journal.close()
    assert [started(), *(Interrupted(at=at) for at in (2.0, 3.0, 4.0))] == Journal(tmp_path).read()
    assert ["journal.jsonl"] == [path.name for path in tmp_path.iterdir() if path.is_file()]


def test_an_invalid_journal_is_refused(tmp_path):
    journal = Journal(tmp_path)
    with pytest.raises(JournalError, match=r"journal\.jsonl: No such file"):
        journal.read()
    journal.path.write_text('{"fact":"interrupted","at":1}\n')
    with pytest.raises(JournalError, match="expected the journal of a loop in format 1"):
        journal.read()
    journal.path.write_text('{"fact":"nonsense"}\n')
    with pytest.raises(JournalError, match="line 1: expected a fact"):
        journal.read()


def test_the_status_line_is_redrawn_after_output():
    seen = io.BytesIO()
    screen = Screen(to=seen, terminal=True)
    screen.status("round 1")
    screen.output(b"half a line")
    screen.status("round 1 later")  # not in the middle of a line
    screen.output(b" and the rest\n")
    screen.clear()
    assert b"half a line and the rest\n" in seen.getvalue()
    assert 2 == seen.getvalue().count(b"round 1") == seen.getvalue().count(b"\r\x1b[2K")
    assert b"later" not in seen.getvalue()


def test_no_status_line_without_a_terminal():
    seen = io.BytesIO()
    screen = Screen(to=seen, terminal=False, stream=False)
    screen.status("round 1")
    screen.output(b"not shown\n")
    screen.say("said")
    assert b"said\n" == seen.getvalue()


def test_the_result_for_people(loop, folder):
    code, text = loop.run(
        "--task", "x", "--test", "sh check.sh", "--id", "it", "--", agent(folder, each="echo nothing")
    )
    assert 1 == code
    first, second, *others = text.splitlines()
    assert first.startswith("stopped: Still stuck after 3 other approaches (rephrase, decompose, constrain)")
    assert "The baseline is in the working tree." == second
    assert not any("headway rollback" in line for line in others)  # no file had to give way
    assert "other approaches: rephrase (round 4), decompose (round 5), constrain (round 6)" in others
    assert "report: .headway/loops/it/reports/output-selection-report.md" == others[-1]


@pytest.mark.parametrize(("rounds", "threshold", "tried_in"), [(1, 1, 2), (1, 0.15, 3), (5, 0.15, 6)])
def test_seed_001s_flags_decide_when_another_approach_is_tried(loop, folder, rounds, threshold, tried_in):
    """The first output of all is progress, unless progress must be complete."""
    flags = ("--stuck-after", rounds, "--progress-threshold", threshold, "--max-rounds", tried_in)
    _, text = loop.run("--task", "x", "--test", "sh check.sh", *flags, "--", agent(folder, each="echo nothing"))
    assert f"other approaches: rephrase (round {tried_in})" in text.splitlines()


def test_invalid_costs_are_not_counted():
    assert 3.0 == cost_in('{"total_cost_usd": 3.0}\n', '{"total_cost_usd": 1e400}\n')
    assert cost_in('{"total_cost_usd": 1e400}\n') is None
