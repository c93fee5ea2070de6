"""With invalid usage, a loop says what is wrong before anything happens."""

import io
import os
import pty
import shutil
import signal
import subprocess
import sys
import time

import pytest

from headway.config.settings import Settings
from headway.loop.screen import Screen
from headway.loop.spec import LoopSpec
from headway.loop.starting import start_loop
from tests.loop.killing import RUN
from tests.loop.projects import agent, journal, repair, run_git
from tests.slow import slow


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "no agent given; write its command after --"),
        (("--task", "x", "--", "no-such-agent"), "there is no program 'no-such-agent'; is it installed"),
        (("--", "sh", "-c", "echo {prompt}"), "pass --task TEXT or --prompt FILE"),
        (("--prompt", "missing.md", "--", "true"), "missing.md: No such file or directory; expected the file with the prompt"),
        (("--for", "soon", "--", "true"), "'soon' is not a duration; expected something like 90s, 30m"),
        (("--for", "-1", "--", "true"), "'-1' is not a duration"),
        (("--round-timeout", "nan", "--", "true"), "'nan' is not a duration"),
        (("--budget-usd", "nan", "--", "true"), "nan is not a finite number"),
        (("--budget-usd", "inf", "--", "true"), "inf is not a finite number"),
        (("--budget-usd", "-1", "--", "true"), "-1.0 is not in the range x>0"),
        (("--progress-threshold", "nan", "--", "true"), "nan is not a finite number"),
        (("--target-quality", "nan", "--", "true"), "nan is not a finite number"),
        (("--set", "loop.progress_threshold=nan", "--", "true"), "loop.progress_threshold must be more than 0, not nan"),
        (("--max-rounds", "0", "--", "true"), "0 is not in the range x>=1"),
        (("--rollback", "ask", "--", "true"), "--rollback ask needs a terminal"),
        (("--resume", "nothing"), "no loop nothing in"),
        (("--id", "../up", "--", "true"), "is not a loop id"),
        (("--task", "x" * 200_000, "--", "sh", "-c", "{prompt}"), "use {prompt_file} in the agent's command"),
        (("--set", "loop.max_round=3", "--", "true"), "did you mean 'max_rounds'"),
        (("--then", "it's", "--", "true"), "No closing quotation"),
        (("--nonsense", "--", "true"), "No such option"),
        (("--test", "no-such-runner -q", "--", "true"), "--test no-such-runner -q: there is no program 'no-such-runner'"),
        (("--until", "no_such.check", "--", "true"), "--until no_such.check: there is no program 'no_such.check'"),
        (("--until", "./check.sh", "--", "true"), "./check.sh is not executable; chmod +x ./check.sh"),
        (("--task", "x", "--", "./check.sh"), "./check.sh is not executable; chmod +x ./check.sh"),
        (("--branch", "a..b", "--", "true"), "--branch a..b: git does not allow this branch name"),
        (("--branch", "@{-1}", "--", "true"), "--branch @{-1}: git does not allow this branch name"),
    ],
)  # fmt: skip
def test_bad_usage(loop, folder, monkeypatch, arguments, said):
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    code, _ = loop.run(*arguments)
    assert 2 == code
    assert said in " ".join(loop.said.split())
    assert "Traceback" not in loop.said
    assert "" == run_git(folder, "status", "--short")


def test_the_agent_needs_no_dashes_before_it(loop, folder):
    """Options after the first word of the agent's command are the agent's."""
    code, _ = loop("--max-rounds", 1, "sh", "-c", "echo $1 > ../got", "sh", "--until")
    assert 3 == code
    assert "--until\n" == (folder.parent / "got").read_text()


def test_without_git_it_says_so(loop, folder, tmp_path, monkeypatch):
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("sh", "grep", "sed", "true", "rm"):
        (programs / name).symlink_to(shutil.which(name))
    monkeypatch.setenv("PATH", str(programs))
    code, _ = loop("--", "true")
    assert 2 == code and "git is needed to save the files of each round" in loop.said
    code, result = loop("--rollback", "never", "--max-rounds", 1, "--", agent(folder, r1=repair("t3")))
    assert (3, "Round 1 is the best, but without git its files were not saved.") == (code, result["placed"])


def test_an_empty_folder(loop, tmp_path, monkeypatch):
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    given = ["--task", "x", "--format", "json", "--max-rounds", "1"]
    agent = ["--", "sh", "-c", "echo 'x = 1' > a.py"]
    assert 2 == loop.run(*given, *agent)[0]
    said = " ".join(loop.said.split())
    assert "nothing can be measured here" in said and "--test CMD" in said and "--no-tests" in said
    assert "for tests: pytest or unittest tests, an npm test script" in said
    assert not (empty / "a.py").exists() and not (empty / ".headway/loops").exists()
    code, result = loop.run(*given, "--no-tests", *agent)
    assert (3, 1, None) == (code, result["rounds"], result["selected"])
    assert "no tests were found" in loop.said and "the best so far" not in loop.said


def test_a_taken_branch_and_a_resumed_task(loop, folder):
    run_git(folder, "branch", "taken")
    assert 2 == loop("--branch", "taken", "--", "true")[0] and "branch taken already" in loop.said
    loop("--max-rounds", 1, "--", agent(folder, r1="echo"))
    assert 2 == loop.run("--resume", "it", "--task", "other")[0]
    assert "--task cannot be changed with --resume" in " ".join(loop.said.split())
    assert 2 == loop("--", "true")[0] and "loop it already" in loop.said


@pytest.mark.parametrize(("answer", "tests"), [(True, 4), (False, 3)])
def test_asking_before_going_back(folder, answer, tests):
    questions = []

    def agrees(question):
        questions.append(question)
        return answer

    seen = folder.parent / "seen"
    command = (agent(folder, r1="sed -i.bak /t1/d tests.txt", r2=f"cp tests.txt {seen}"),)
    spec = LoopSpec(command=command, task="x", test="sh check.sh", max_rounds=2, rollback="ask")
    with start_loop(spec, Settings(), folder, Screen(stream=False), loop_id="it", agrees=agrees) as runner:
        runner.run()
    assert tests == len(seen.read_text().splitlines())
    assert ["Test count decreased from 4 to 3. Go back to the baseline?"] == questions
    assert ("went_back" if answer else "stayed") in [fact["fact"] for fact in journal(folder)]


def test_a_round_that_the_user_kept_can_be_done(folder):
    """A test that was deleted with the user's consent stays deleted."""
    command = (agent(folder, r1="sed -i.bak /t1/d tests.txt", r2=repair("t3", "t4")),)
    until = "! grep -q bad tests.txt"
    spec = LoopSpec(command=command, task="x", test="sh check.sh", until=until, max_rounds=2, rollback="ask")
    with start_loop(
        spec, Settings(), folder, Screen(stream=False), loop_id="it", agrees=lambda question: False
    ) as runner:
        ending = runner.run().finishing.ending
    assert ("done", "until") == (ending.outcome, ending.reason)


@pytest.mark.parametrize(
    "line", ["cd . && true", "./later.sh", *slow("true", "X=1 true", "! false", "(exit 0)", "[ -e code.py ]")]
)
def test_command_lines_that_the_shell_can_read_are_not_refused(loop, folder, line):
    code, _ = loop(
        "--until", line, "--max-rounds", 1, "--", agent(folder, r1="printf '#!/bin/sh\n' > later.sh; chmod +x later.sh")
    )
    assert 0 == code


def test_missing_commands_are_named_with_their_error(loop, folder):
    code, _ = loop.run(
        "--task", "x", "--test", "./no-tests.sh", "--until", "cd . && ./no-check.sh", "--max-rounds", 1, "--no-tests",
        "--", "true",
    )  # fmt: skip
    assert 3 == code
    baseline = loop.said.partition("round 1 of")[0]
    assert "--until could not be run: " in baseline and "no-check.sh: not found" in baseline.replace(
        "No such file or directory", "not found"
    )
    assert "the tests could not be run: the command printed no summary of a test runner" in baseline
    assert "it exited with 127 and printed last: " in baseline
    assert "the tests could not be run (./no-tests.sh), so broken tests cannot be detected" in baseline


def test_rollback_ask_needs_a_terminal_also_on_resume(loop, folder, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3")))
    assert 2 == loop.resume("--rollback", "ask", "--max-rounds", 2)[0]
    assert "--rollback ask needs a terminal" in " ".join(loop.said.split())
    assert "resumed" not in [fact["fact"] for fact in journal(folder)]


def interrupted(process):
    """Its output after Ctrl-C, pressed until it is noticed: right before a read it may be noticed only after it."""
    for _ in range(10):
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        try:
            return process.communicate(timeout=5)[1]
        except subprocess.TimeoutExpired:
            continue
    process.kill()
    return b"it does not end"


def test_an_interrupt_at_the_question_says_how_to_continue(folder):
    command = [*RUN, "--task", "x", "--test", "sh check.sh", "--id", "it"]
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*command, "--rollback", "ask", "--", agent(folder, r1="sed -i.bak /t1/d tests.txt")],
        stdin=theirs, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        said = b""
        while b"Go back to the baseline?" not in said and (piece := os.read(process.stderr.fileno(), 4096)):
            said += piece
        said += interrupted(process)
    os.close(ours)
    os.close(theirs)
    assert 130 == process.returncode, said.decode()
    assert b"Continue with: headway loop --resume it" in said
    assert "interrupted" == journal(folder)[-1]["fact"]


def test_the_result_says_how_to_continue_and_last_names_the_latest_loop(loop, folder):
    code, text = loop.run(
        "--task", "x", "--test", "sh check.sh", "--id", "it", "--", agent(folder, each="echo nothing")
    )
    assert 1 == code and "continue with: headway loop --resume it\n" in text
    agent(folder, r7=repair("t3", "t4") + "; echo '<promise>COMPLETE</promise>'")
    code, text = loop.run("--resume", "last")
    assert 0 == code and "continue with" not in text
    assert 7 == sum(fact["fact"] == "agent_ended" for fact in journal(folder))


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("tsets/", "no such file or folder in"),
        ("", "no such file or folder in"),
        (".env", "git ignores this, so changes would not be detected"),
        ("..", "this is outside"),
        (".", "this is the whole project"),
        (".git", "this is not part of the project's files"),
        (".headway/", "this is not part of the project's files"),
    ],
)
def test_a_protected_path_that_protects_nothing_is_refused(loop, folder, path, why):
    (folder / ".gitignore").write_text(".env\n")
    (folder / ".env").write_text("x\n")
    (folder / ".headway").mkdir(exist_ok=True)
    assert 2 == loop("--protect", path, "--", "true")[0]
    assert f"--protect {path}: {why}" in " ".join(loop.said.split())
    assert not (folder / ".headway" / "loops" / "it").exists()


@pytest.mark.parametrize("path", ["inner/tests.txt", "./inner", "inner/../inner/"])
def test_a_protected_path_is_relative_to_the_loops_folder(loop, folder, monkeypatch, path):
    inner = folder / "inner"
    inner.mkdir()
    (folder / "tests.txt").rename(inner / "tests.txt")
    (folder / "check.sh").rename(inner / "check.sh")
    monkeypatch.chdir(inner)
    loop("--max-rounds", 1, "--protect", f"../{path}", "--", agent(folder, r1="echo 't5 ok' >> tests.txt"))
    assert "critical protected_files: Protected files were changed: inner/tests.txt." in loop.said
