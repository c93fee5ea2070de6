"""Sessions that went wrong in the real programs, replayed from what those sent to the hook.

`tests/e2e/test_claude_code_sessions.py` and `test_codex_sessions.py` run the same in the programs themselves.
"""

import json
from time import sleep

import pytest

from headway.hosts.hook.agents.copilot_cli import CopilotCli
from headway.hosts.hook.watch import watch
from headway.policy.wording import RUNS_AGAIN
from headway.store.overview import list_sessions
from headway.store.sessions import SessionStore

from .programs import Program, ask, refusal_in, told_in

REPORT = "No further calls will run. Report what you found and what is missing."


class Claude:
    """Claude Code as it is installed now: an event before each call, and one after all calls of an answer."""

    def __init__(self, agent="", session="s1", cwd="/home/dev/project"):
        self.common = {"session_id": session, "cwd": cwd, "permission_mode": "default", "prompt_id": "p1"}
        self.common |= {"agent_id": agent, "agent_type": "general-purpose"} if agent else {}
        self.name, self.count = f"{session}-{agent}", 0

    def event(self, name, **fields):
        return ask({**self.common, "hook_event_name": name, **fields}, "claude-code")

    def call(self, tool, **args):
        self.count += 1
        return {"tool_name": tool, "tool_input": args, "tool_use_id": f"{self.name}-{self.count}"}

    def before(self, call):
        return self.event("PreToolUse", **call)

    def after(self, *results):
        return self.event("PostToolBatch", tool_calls=[call | {"tool_response": text} for call, text in results])

    def step(self, command, output="", tool="Bash", **args):
        """One call by itself; if it is refused, the program hands our own words back to us."""
        call = self.call(tool, **({"command": command} if tool == "Bash" else {}), **args)
        before = self.before(call)
        if command.startswith("sleep "):
            sleep(0.6)  # a wait that is over at once is none
        refusal = refusal_in(before)
        return before, self.after((call, f"PreToolUse:{tool} hook error: {refusal}" if refusal else output))


def sessions():
    return {one.agent: one for one in list_sessions()}


DENIALS = [
    "Claude requested permissions to use Bash, but you haven't granted it yet.",
    "Claude requested permissions to write to /home/dev/project/notes.txt, but you haven't granted it yet.",
    "sed in '/home/dev/project/notes.txt' needs approval. The path is inside the working directories for this session",
    "Output redirection to '/etc/zz' needs approval. The path is outside the working directories for this session",
    "This command requires approval",
    "This Bash command contains multiple operations. The following parts require approval: rm notes.txt, echo x",
    "Permission to use Bash with command sed -i s/a/b/ notes.txt has been denied.",
    "Permission to use Bash has been denied because Claude Code is running in don't ask mode.",
    "Cannot write to /home/dev/project/notes.txt while in plan mode.",
    "Auto mode is unavailable: its safety check does not run for this session, so Bash was not run.",
    "The user doesn't want to proceed with this tool use. The tool use was rejected",
]
FAILED_TEST = "Exit code 1\nFAILED test_a.py::test_one\n1 failed, 2 passed in 0.01s"


@pytest.mark.parametrize("denial", DENIALS)
def test_a_denied_change_does_not_count_as_a_change(denial):
    claude = Claude()
    claude.event("UserPromptSubmit", prompt="please fix it")
    told = []
    for _ in range(3):
        told += [
            told_in(claude.step("sed -i s/a/b/ notes.txt", denial)[1]),
            told_in(claude.step("pytest", FAILED_TEST)[1]),
        ]

    assert [""] * 5 == told[:5] and "the same 2 calls, repeated 3 times" in told[5]


@pytest.mark.parametrize(
    "output",
    [
        "PR 7 requires approval",
        "lint hook error: none",
        "pre-commit hook error: lint failed",
        "Permission to use the camera is never asked for.\n0 requests denied",
        "PR 7 needs approval. The path to a release is long.",
        "Tool use is not allowed here, says the manual",
    ],
)
def test_output_that_resembles_a_denial_is_not_a_denial(output):
    claude = Claude()
    for number in range(6):
        claude.step(f"echo {number} > a.py", output)
        assert "" == told_in(claude.step("pytest -q", FAILED_TEST)[1]), "each time after a change"


def test_images_are_compared_by_content():
    def picture(number):
        return [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": f"iVBORw0{number}"}}]

    others, same = Claude(), Claude(session="s2")
    shots = [others.step("", picture(number), tool="mcp__browser__screenshot") for number in range(6)]
    again = [same.step("", picture(7), tool="Read", file_path="a.png") for _ in range(3)]

    assert [({}, {})] * 6 == shots
    assert "The same Read of a.png gave the same result 3 times in a row." in told_in(again[2][1])


def test_background_jobs_may_be_polled():
    claude, path = Claude(), "/tmp/claude-0/project/9ec16f79/tasks/bzz38db0m.output"
    steps = [claude.step("", "1\tbegun\n", tool="Read", file_path=path) for _ in range(18)]

    assert [] == [before for before, _ in steps if before]
    assert [14] == [number for number, (_, after) in enumerate(steps) if after]
    assert "Wait before you ask again" in told_in(steps[14][1])


@pytest.mark.parametrize("command", ["gh run view 7", "kubectl get pods", "docker ps"])
def test_a_status_may_be_polled(command):
    claude = Claude()
    steps = [claude.step(command, "still running") for _ in range(18)]

    assert [] == [before for before, _ in steps if before]
    assert [14] == [number for number, (_, after) in enumerate(steps) if after]


def stopped_sub_agent():
    parent, child = Claude(), Claude(agent="a1")
    parent.event("UserPromptSubmit", prompt="please look into it")
    task = parent.call("Agent", prompt="look", subagent_type="general-purpose")
    parent.before(task)
    assert {} == child.event("SubagentStart")
    last = [child.step("cat notes.txt", "nothing new")[0] for _ in range(6)][-1]
    assert "continue" not in last and "Headway stopped this sub-agent. The command `cat notes.txt`" in refusal_in(last)
    assert REPORT in refusal_in(last) and "until the user sends a message" not in refusal_in(last)
    return parent, child, task


def test_a_parent_is_told_why_its_sub_agent_ended():
    parent, child, task = stopped_sub_agent()
    child.event("SubagentStop", last_assistant_message="Nothing new.", stop_hook_active=False)

    told = told_in(parent.after((task, "[Subagent hand-back] Nothing new.")))

    assert (
        "One of your sub-agents was stopped. The command `cat notes.txt` gave the same result 3 times in a row." in told
    )
    assert "" == told_in(parent.step("ls", "notes.txt")[1]), "it is said once"


def test_a_parent_is_told_about_every_stopped_sub_agent():
    parent = Claude()
    parent.step("ls", "notes.txt")
    for agent in ("a1", "a2"):
        child = Claude(agent=agent)
        [child.step("cat notes.txt", "nothing new") for _ in range(6)]

    assert 2 == told_in(parent.step("pwd", "/home/dev/project")[1]).count("One of your sub-agents was stopped.")


@pytest.mark.parametrize("event", ["SubagentStart", "SubagentStop"])
def test_a_stopped_sub_agent_can_get_a_new_task(event):
    _, child, _ = stopped_sub_agent()
    assert refusal_in(child.step("echo fixed > notes.txt")[0])

    child.event(event)

    assert ({}, {}) == child.step("echo fixed > notes.txt")
    assert [({}, {})] * 2 == [child.step("cat notes.txt", "nothing new") for _ in range(2)]


def test_a_sub_agent_that_ended_shows_as_ended_and_one_that_only_compacts_not_at_all():
    parent, child, compacting = Claude(), Claude(agent="a1"), Claude(agent="a2")
    parent.step("ls", "notes.txt")
    child.step("ls", "notes.txt")
    parent.event("PreCompact", trigger="auto")
    compacting.event("SubagentStop", last_assistant_message="A summary.", stop_hook_active=False)
    assert {"": False, "a1": False} == {agent: one.ended for agent, one in sessions().items()}

    child.event("SubagentStop", stop_hook_active=False)

    assert {"": False, "a1": True} == {agent: one.ended for agent, one in sessions().items()}


def test_sub_agents_end_with_their_session():
    parent, child = Claude(), Claude(agent="a1")
    parent.step("ls", "notes.txt")
    child.step("ls", "notes.txt")

    parent.event("SessionEnd", reason="other")

    assert {"": True, "a1": True} == {agent: one.ended for agent, one in sessions().items()}


@pytest.mark.parametrize("length", [2, 5, 6])
def test_a_cycle_is_refused_twice_and_refusals_are_not_steps(length):
    claude, circle = Claude(), [f"cat {number}.txt" for number in range(length)]
    steps = [claude.step(command, f"this is what {command} shows") for command in circle * 6]

    told = [number for number, (_, after) in enumerate(steps, 1) if after]
    refused = [number for number, (before, _) in enumerate(steps, 1) if "refused this call" in refusal_in(before)]
    assert [3 * length] == told
    assert list(range(3 * length + 1, 5 * length + 1)) == refused
    assert REPORT in refusal_in(steps[5 * length][0]) and "continue" not in steps[5 * length][0]
    assert steps[5 * length + 1][0]["continue"] is False
    assert 3 * length == sessions()[""].steps


def test_two_detectors_share_one_message_with_the_current_count():
    claude = Claude()
    steps = [claude.step(f"cat {number % 9}.txt", f"this is file {number % 9}") for number in range(21)]

    assert [20] == [number for number, (_, after) in enumerate(steps) if after]
    told = told_in(steps[20][1])
    assert 1 == told.count("Each of the last 12 calls failed or showed nothing new, ") and "The last" not in told


def test_a_refusal_says_what_clears_it_and_that_works():
    def refused():
        claude = Claude(session=f"s{refused.count}")
        refused.count += 1
        [claude.step("pytest -q", FAILED_TEST) for _ in range(3)]
        assert RUNS_AGAIN in refusal_in(claude.step("pytest -q")[0])
        return claude

    refused.count = 0
    for way_out in ("echo x > a.py", "sleep 30"):
        claude = refused()
        claude.step(way_out)
        assert {} == claude.step("pytest -q", FAILED_TEST)[0], way_out


def test_parallel_calls_do_not_end_a_run_that_was_just_stopped():
    claude = Claude()
    [claude.step("cat notes.txt", "nothing new") for _ in range(5)]
    calls = [claude.call("Bash", command=command) for command in ("cat notes.txt", "ls", "pwd")]

    answers = [claude.before(call) for call in calls]

    assert all(REPORT in refusal_in(answer) for answer in answers)
    assert not any("continue" in answer for answer in answers), "none of them could heed the first refusal"
    claude.after(*((call, f"PreToolUse:Bash hook error: {REPORT}") for call in calls))
    assert claude.step("ls")[0]["continue"] is False


def test_a_nudge_is_repeated_after_a_compaction():
    claude = Claude()
    [claude.step("cat notes.txt", "nothing new") for _ in range(3)]
    claude.event("PreCompact", trigger="auto")

    told = told_in(claude.event("SessionStart", source="compact"))

    assert "Before the context was compacted, you were told: The command `cat notes.txt` gave the same result" in told
    assert {} == claude.step("cat notes.txt", "nothing new")[0], "after a compaction it may honestly look again"
    assert {} == claude.event("SessionStart", source="resume")
    claude.event("UserPromptSubmit", prompt="and now the docs")
    assert {} == claude.event("SessionStart", source="compact")


def test_a_loop_after_a_compaction_is_nudged_first():
    claude = Claude()
    [claude.step("cat notes.txt", "nothing new") for _ in range(3)]
    claude.event("PreCompact", trigger="auto")

    steps = [claude.step("cat notes.txt", "nothing new") for _ in range(4)]

    assert [{}, {}] == [after for _, after in steps[:2]] and "3 times" in told_in(steps[2][1])
    assert "refused" in refusal_in(steps[3][0])


def attended(folder):
    (folder / "headway.toml").write_text("[policy]\nattended = true\n")
    claude = Claude(cwd=str(folder))
    steps = [claude.step("cat notes.txt", "nothing new") for _ in range(5)]
    assert "refused" in refusal_in(steps[4][0])
    call = claude.call("Bash", command="cat notes.txt")
    assert "ask" == claude.before(call)["hookSpecificOutput"]["permissionDecision"]
    return claude, call


def test_a_users_approval_is_remembered(tmp_path):
    claude, call = attended(tmp_path)
    claude.after((call, "nothing new"))

    steps = [claude.step("cat notes.txt", "nothing new") for _ in range(12)]

    assert [] == [before for before, _ in steps if before]
    others = [claude.step("cat other.txt", "nothing new")[0] for _ in range(5)]
    assert "refused" in refusal_in(others[4]), "the yes was about one call"


def test_a_stop_applies_to_a_call_that_the_user_approved(tmp_path):
    claude, call = attended(tmp_path)
    claude.after((call, "nothing new"))
    assert [{}] * 4 == [claude.step("cat notes.txt", "nothing new")[0] for _ in range(4)]
    (tmp_path / "headway.toml").write_text("[policy]\nattended = true\n[global]\nmax_seconds = 0.000001\n")
    assert REPORT in refusal_in(claude.step("ls")[0])
    (tmp_path / "headway.toml").write_text("[policy]\nattended = true\n")

    assert REPORT in refusal_in(claude.step("cat notes.txt", "nothing new")[0])


def test_a_users_denial_stops_the_run(tmp_path):
    claude, call = attended(tmp_path)
    claude.after((call, "Headway asks the user to look at this. The command"))

    first, second = (claude.step("ls")[0] for _ in range(2))

    assert REPORT in refusal_in(first) and "continue" not in first
    assert second["continue"] is False


def test_a_program_that_cannot_ask_is_stopped_instead_of_escalated(tmp_path):
    (tmp_path / "headway.toml").write_text("[policy]\nattended = true\n")
    program = Program("gemini")
    spelled = program.spelled
    program.spelled = lambda *given, **said: spelled(*given, **said) | {"cwd": str(tmp_path)}

    last = [program.step("cat notes.txt", "nothing new")[0] for _ in range(7)][-1]

    assert last["continue"] is False


def test_arguments_are_equal_before_and_after_a_call():
    """Before a call Claude Code sends whole paths and defaults, after it what the model wrote."""
    claude = Claude()
    for _ in range(3):
        whole = claude.call(
            "Edit", file_path="/home/dev/project/a.py", old_string="x", new_string="y", replace_all=False
        )
        assert {} == claude.before(whole)
        written = whole | {"tool_input": {"file_path": "a.py", "old_string": "x", "new_string": "y"}}
        after = claude.after(
            (written, "<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>")
        )

    assert "The same edit of a.py failed in the same way 3 times in a row" in told_in(after)
    assert '"String to replace not found in file' in told_in(after) and '.".' not in told_in(after)
    again = claude.call("Edit", file_path="/home/dev/project/a.py", old_string="x", new_string="y", replace_all=False)
    assert "refused" in refusal_in(claude.before(again))
    assert 3 == sessions()[""].steps


def test_a_failing_edit_is_nudged_once_with_file_and_error():
    """With other calls in between two detectors see the same failure. No event comes before an edit that is invalid."""
    claude, told = Claude(), []
    error = "<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>"
    claude.step("ls", "a.py")
    for looks in (0, 1, 0, 1, 0, 0, 0):
        edit = claude.call("Edit", file_path="/home/dev/project/a.py", old_string="x", new_string="y")
        told.append(told_in(claude.after((edit, error))))
        [claude.step("ls", "a.py") for _ in range(looks)]

    spoken = [text for text in told if text]
    assert "The same edit of a.py failed 6 times" in spoken[0], told
    assert 1 == spoken[0].count("String to replace not found")
    assert all("It runs again" not in text for text in spoken), "it was not refused"


PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-nothing like this\n+x = 2\n*** End Patch\n"
MISFIT = "apply_patch verification failed: Failed to find expected lines in /home/dev/project/a.py:\nnothing like this"


class Codex:
    """Codex as its hooks and its recording show it."""

    def __init__(self, folder):
        self.rollout, self.count, self.seconds = folder / "rollout-1.jsonl", 0, 0
        self.rollout.touch()

    def event(self, name, **fields):
        common = {"session_id": "s1", "cwd": "/home/dev/project", "model": "gpt-5", "permission_mode": "default"}
        common |= {"turn_id": "t1", "transcript_path": str(self.rollout), "hook_event_name": name}
        return ask(common | fields, "codex")

    def call(self, tool, command, id="call"):
        self.count += 1
        return {"tool_name": tool, "tool_input": {"command": command}, "tool_use_id": f"{id}-{self.count}"}

    def record(self, kind, payload):
        line = {"timestamp": "2126-11-16T16:10:47.270Z", "type": kind, "payload": payload}
        with self.rollout.open("a") as file:
            file.write(json.dumps(line) + "\n")

    def run(self, command, output):
        call = self.call("Bash", command)
        return self.event("PreToolUse", **call), self.event("PostToolUse", **call, tool_response=output)

    def patch_through_shell(self, fits, text=PATCH):
        call = self.call("Bash", f"apply_patch <<'E'\n{text}E")
        before = self.event("PreToolUse", **call)
        if fits:
            item = {"type": "FileChange", "id": call["tool_use_id"], "status": "completed", "stdout": "Success."}
            self.record("event_msg", {"type": "item_completed", "item": item})
        output = "Exit code: 0\nOutput:\nSuccess. Updated the following files:\nM a.py\n" if fits else MISFIT
        self.record("response_item", {"type": "function_call_output", "call_id": call["tool_use_id"], "output": output})
        return before

    def patch_in_script(self, fits, text=PATCH):
        call = self.call("apply_patch", text, id="exec")
        before = self.event("PreToolUse", **call)
        if fits:
            self.event(
                "PostToolUse", **call, tool_response="Exit code: 0\nSuccess. Updated the following files:\nM a.py\n"
            )
        output = [
            {"type": "input_text", "text": "Script failed\nOutput:\n"},
            {"type": "input_text", "text": f"Script error:\n{MISFIT}"},
        ]
        self.record(
            "response_item",
            {"type": "custom_tool_call_output", "call_id": "call_9_0", "output": output if not fits else []},
        )
        return before


WAYS = pytest.mark.parametrize("patch", [Codex.patch_through_shell, Codex.patch_in_script], ids=["shell", "script"])


@WAYS
def test_a_codex_patch_that_never_fits_is_nudged_then_refused(patch, tmp_path):
    codex = Codex(tmp_path)
    answers = [patch(codex, fits=False) for _ in range(6)]

    assert [{}] * 3 == answers[:3]
    told = told_in(answers[3])
    assert "The same edit of a.py failed in the same way 3 times in a row" in told and "Failed to find expected" in told
    assert not refusal_in(answers[3]), "nobody is refused before being told"
    assert ["refused"] * 2 == [refusal_in(answer).split()[1] for answer in answers[4:]]


@WAYS
def test_a_codex_patch_that_never_fits_is_not_a_change(patch, tmp_path):
    codex, told = Codex(tmp_path), []
    for _ in range(12):
        patch(codex, fits=False)
        told.append(told_in(codex.run("pytest -q", "1 failed, 2 passed in 0.1s")[1]))

    assert "repeated 3 times" in next(filter(None, told)) and "" == "".join(told[:2])


@WAYS
def test_a_codex_patch_that_fits_is_a_change(patch, tmp_path):
    codex = Codex(tmp_path)
    for number in range(8):
        assert {} == patch(codex, fits=True, text=PATCH.replace("x = 2", f"x = {number}"))
        assert ({}, {}) == codex.run("pytest -q", "1 failed, 2 passed in 0.1s")
    codex.event("Stop", stop_hook_active=False, last_assistant_message="One test fails.")

    assert 16 == sessions()[""].steps


def test_a_patch_without_a_result_at_the_end_of_the_turn_has_failed(tmp_path):
    codex = Codex(tmp_path)
    codex.event("PreToolUse", **codex.call("apply_patch", PATCH, id="exec"))
    assert 0 == sessions()[""].steps

    codex.event("Stop", stop_hook_active=False, last_assistant_message="Done.")

    assert 1 == sessions()[""].steps


class Unreporting(CopilotCli):
    """A program that does not report denied calls."""

    def may_go_unreported(self, use):
        return True


def unreported_rounds(count):
    """The answers to a denied change and a failing test, if no event reports the denial."""
    host, seconds, said = Unreporting(), iter(range(100)), []

    def hear(**fields):
        at = 1_794_765_250_000 + next(seconds) * 1000
        data = {"sessionId": "s1", "cwd": "/home/dev/project", "timestamp": at, "toolName": "bash", **fields}
        store = SessionStore()
        store.prepare()
        heard = host.event_from(data)
        heard.mode = "enforce"
        said.append(watch(store, host, heard, ""))
        store.close()

    result = {
        "resultType": "success",
        "textResultForLlm": "1 failed, 2 passed\n<shellId: 0 completed with exit code 1>",
    }
    for _ in range(count):
        hear(toolArgs={"command": "sed -i s/a/b/ a.py"})
        hear(toolArgs={"command": "pytest -q"})
        hear(toolArgs={"command": "pytest -q"}, toolResult=result)
    return said


def test_a_decision_before_a_call_can_be_delivered_with_its_result():
    """The third round is complete when the call of the fourth is requested."""
    answers = unreported_rounds(5)
    spoken = [(number % 3, answer) for number, answer in enumerate(answers) if answer]

    assert 2 == spoken[0][0], "after the test, not before the next call"
    assert ("nudge", "block") == (spoken[0][1].action, spoken[1][1].action)


def test_an_announced_call_without_a_report_did_not_run():
    told = [answer.message for answer in unreported_rounds(5) if answer]

    assert "the same 2 calls, repeated 3 times" in told[0]


def test_a_loop_of_unannounced_calls_is_stopped():
    """Claude Code checks the arguments of an edit before it asks the hook."""
    claude, error = Claude(), "<tool_use_error>String to replace not found in file.</tool_use_error>"
    edit = {"file_path": "a.py", "old_string": "not there", "new_string": "x"}
    answers = [claude.after((claude.call("Edit", **edit), error)) for _ in range(12)]

    told = [number for number, answer in enumerate(answers, 1) if told_in(answer)]
    ended = [number for number, answer in enumerate(answers, 1) if answer.get("continue") is False]
    assert REPORT in told_in(answers[ended[0] - 2]), "first it is asked to report"
    assert ended == list(range(ended[0], 13)) and ended[0] <= 9 and told[0] <= 4


def test_a_fix_and_its_test_in_one_answer_may_run():
    claude = Claude()
    for _ in range(3):
        claude.step("pytest -q", FAILED_TEST)
    edit = claude.call("Edit", file_path="/home/dev/project/a.py", old_string="x", new_string="y")
    test = claude.call("Bash", command="pytest -q")

    assert ({}, {}) == (claude.before(edit), claude.before(test))
    claude.after((edit, "The file has been updated."), (test, "3 passed in 0.01s"))


def test_parallel_equal_calls_are_nudged_before_a_stop():
    claude, said = Claude(), []
    for _ in range(3):
        calls = [claude.call("Bash", command="cat notes.txt") for _ in range(3)]
        refused = [refusal_in(claude.before(call)) for call in calls]
        answer = claude.after(*((call, "nothing new") for call in calls))
        said += filter(None, [*refused, told_in(answer)])
    assert "in a row" in said[0] and REPORT not in said[0], said


def test_a_message_does_not_promise_that_a_denied_call_runs():
    claude = Claude()
    answers = [claude.step("npm install", DENIALS[0]) for _ in range(3)]
    told = told_in(answers[2][1])
    assert "was denied 3 times in a row" in told and "accepted" not in told and "ask the user" in told


def test_git_status_after_each_commit_is_not_a_repeat():
    claude, said = Claude(), []
    for number in range(8):
        said.append(
            claude.step(f"git commit -am 'part {number}'", f"[main {number}abc] part {number}\n 1 file changed")
        )
        said.append(claude.step("git status --short", ""))
    assert [({}, {})] * 16 == said


def test_a_users_answer_lets_the_same_call_run():
    claude, said = Claude(), []
    for _ in range(6):
        claude.step("", "User has answered: yes, now", tool="AskUserQuestion", questions=[{"question": "Again?"}])
        said.append(claude.step("pytest -q", FAILED_TEST))
    assert [({}, {})] * 6 == said


def test_files_may_be_read_again_after_each_compaction():
    claude = Claude()
    for _ in range(3):
        for number in range(12):
            assert ({}, {}) == claude.step(
                "", f"line {number}\n" * 3, tool="Read", file_path=f"/home/dev/project/{number}.py"
            )
        claude.event("PreCompact", trigger="auto")
