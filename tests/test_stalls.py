"""Work that gets nowhere, as a person watching would say: it is spoken to, at a step that is known."""

import re

import pytest

from headway import Monitor
from tests.agent_calls import bash, cases, change, decisions, edit, failing, tool, watched
from tests.stall_streams import circles, long, messages, names, polls, retries, shell, walls, worlds

TEST, ERROR = failing("pytest -q"), bash("make", "a.c:12:5: error: expected ';'\nmake: *** [a.o] Error 1", 2)


def first_said(rounds):
    """The round in which something is said first, and by whom."""
    monitor, number = Monitor(), 0
    monitor.user_spoke("please fix the cart")
    for at, steps in enumerate(rounds, 1):
        for name, args, output, more in steps:
            number += 1
            monitor.called(name, args, call=str(number))
            decision = monitor.returned(str(number), output, **more)
            if decision.action != "continue":
                return at, decision.reason
    return None


STALLS = {
    "edits that leave the failure as it is": (13, "stubborn_failure", [[change(n), TEST] for n in range(40)]),
    "edits in four files": (15, "stubborn_failure", [[change(n, f"m{n % 4}.py"), TEST] for n in range(40)]),
    "edits and looks": (
        13, "stubborn_failure", [[tool("Read", {"file_path": "cart.py"}, f"code {n}"), change(n), TEST] for n in range(40)]
    ),
    "edits and tests in one command": (
        13, "stubborn_failure", [[failing(f"sed -i 's/v{n}/v{n + 1}/' cart.py && pytest -q")] for n in range(40)]
    ),
    "one compile error": (13, "stubborn_failure", [[change(n), ERROR] for n in range(40)]),
    "packages that do not help": (
        13, "stubborn_failure", [[bash(f"pip install x=={n}", f"Successfully installed x-{n}"), ERROR] for n in range(40)]
    ),
    "two failures in turn": (
        14, "stubborn_failure", [[change(n), failing("pytest -q", test="ab"[n % 2])] for n in range(40)]
    ),
    "edited, taken back by git": (
        6, "doom_loop", [[change(0), TEST, bash("git checkout cart.py", "Updated 1 path")] for n in range(40)]
    ),
    "edited and taken back": (4, "edit_oscillation", [[edit("cart.py", "ab"[n % 2], "ba"[n % 2]), TEST] for n in range(40)]),
    "a file touched": (3, "doom_loop", [[bash("touch x"), TEST]] * 40),
    "a folder made that is there": (3, "doom_loop", [[bash("mkdir -p build"), TEST]] * 40),
    "permissions set again": (3, "doom_loop", [[bash("chmod +x run.sh"), TEST]] * 40),
    "the same text written again": (
        4, "test_rerun", [[tool("Write", {"file_path": "a.py", "content": "x"}, "written"), bash(f"git log -{n}", f"{n}"), TEST] for n in range(40)]
    ),
    "stashed and popped": (13, "stubborn_failure", [[bash("git stash; git stash pop", f"Dropped {n}"), TEST] for n in range(40)]),
}  # fmt: skip


@pytest.mark.parametrize("name", STALLS)
def test_it_is_said(name):
    at, by, rounds = STALLS[name]
    assert (at, by) == first_said(rounds)


IDLE = {name: (12, steps) for name, steps in circles.IDLE.items()}
DELETED = {name: (7, steps) for name, steps in circles.DELETED.items()}
LASTING = (circles, names, walls, shell, polls, retries, worlds, long, messages)
ALL = [*(module.STREAMS for module in LASTING), IDLE, DELETED]
TOLD = {name: stall for streams in ALL for name, stall in streams.items()}
NOT_YET = (
    "a hook that refuses the commit, the message in other words",
    "a migration that fails the same way, with looks in between",
    "a push that is refused, with other flags",
    "a query written in other words, the same rows",
    "a request that is refused, its body in another order, with curl",
    "a patch that does not apply, the tree put back each time",
    "an image built again after touching a file",
    "apt with another mirror each time, the same conflict",
    "deployed, unhealthy, rolled back, deployed",
    "git status and git diff in circles, nothing has changed",
    "the same query through psql, spaced and named differently",
)
"""Stalls that are not told in time today, and stay so until somebody finds a rule that leaves honest work alone.

- Told two or three calls late: the hook may change files itself, so each commit is a round of changes and the 12th is
  told; a look after each refused push leaves five failures among ten calls; who asks eight different questions twice has
  shown nothing new only at the tenth question that is not new.
- A command that may change anything lies in between (another look at the migrations, a patch read further, a mirror
  put in, a file touched): each round looks like an attempt, of which honest work needs up to 16.
- Each output is new by an id or a time (the deployments), or only its words tell that it is a refusal (curl without
  a status).
- Two queries are the same only for who understands SQL; different queries with the same rows are honest work.
"""


def test_no_stall_hides_another_of_the_same_name():
    assert sum(map(len, ALL)) == len(TOLD)


def test_the_stalls_of_repeated_attempts_are_long():
    assert min(len(steps) for _, steps in retries.STREAMS.values()) >= 25


@pytest.mark.parametrize("name", cases(TOLD, NOT_YET))
def test_it_is_told_in_time(name):
    by, steps = TOLD[name]
    assert by in range(3, len(steps) + 1)
    assert [] != [said for step, said in decisions(steps) if step <= by]


@pytest.mark.parametrize("name", polls.STREAMS)
def test_who_asks_too_often_is_told_to_wait_and_never_refused(name):
    said = [decision for _, decision in decisions(polls.STREAMS[name][1])]
    assert {"nudge"} == {str(decision.action) for decision in said}
    assert "wait" in said[0].message.lower()


@pytest.mark.parametrize("name", long.ONLY_TOLD)
def test_what_only_its_length_gives_away_is_told_and_nothing_else(name):
    assert {"nudge"} == set(watched(TOLD[name][1]))


@pytest.mark.parametrize("name", DELETED)
def test_that_tests_disappear_is_a_high_finding(name):
    by, steps = DELETED[name]
    found = [finding for step, decision in decisions(steps) if step <= by for finding in decision.findings]
    assert [] != [finding for finding in found if finding.severity in ("high", "critical")]


@pytest.mark.parametrize("name", names.MALFORMED)
def test_a_call_that_is_not_as_its_tool_asks_for_is_told_and_never_refused(name):
    said = [decision for _, decision in decisions(names.MALFORMED[name][1])]
    assert {"nudge"} == {str(decision.action) for decision in said}
    assert "argument" in said[0].message


def test_it_can_end_a_run_only_as_a_long_failure_run():
    _, (call, *_) = names.MALFORMED["a read without a path"]
    stopped = [(step, decision.reason) for step, decision in decisions([call] * 30) if decision.action == "stop"]
    assert "error_run" == stopped[0][1] and stopped[0][0] > 16


@pytest.mark.parametrize("name", [name for name in circles.STREAMS if "read" in name])
def test_reading_again_does_not_end_a_run_by_itself(name):
    said = [decision for _, decision in decisions(circles.STREAMS[name][1])]
    assert [] != said
    assert [] == [decision for decision in said if (decision.action, decision.reason) == ("stop", "repeated_file")]


QUOTED, ENDS = re.compile(r"`[^`]*`|“[^”]*”|\"[^\"]*\""), re.compile(r"(?<=[.!?])\s+(?=[A-Z`])")
CLEARS = re.compile(r"\b(?:after|until|once|unless|when|instead|wait|first|before|if|report)\b", re.IGNORECASE)


def sentences(message):
    """The sentences of a message; commands and words that it quotes are no sentences."""
    return ENDS.split(QUOTED.sub("`…`", message))


@pytest.mark.parametrize("name", [name for name in TOLD if name not in NOT_YET])
def test_every_message_is_plain(name):
    """What was seen, with its number; then what clears it."""
    said = [decision for _, decision in decisions(TOLD[name][1])]
    assert [] != said
    for decision in said:
        assert re.search(r"\d", decision.message)
        assert decision.message.endswith(".") and ".." not in decision.message.replace("...", "…")
        assert len(sentences(decision.message)) >= 2 and CLEARS.search(QUOTED.sub("", decision.message))
    for finding in (finding for decision in said for finding in decision.findings):
        assert len(sentences(finding.message)) <= 2
