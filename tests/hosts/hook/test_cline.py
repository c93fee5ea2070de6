"""Cline wraps prompts in tags, and commands and results in lists."""

import pytest

from headway.hosts.hook.event import AFTER, HookEvent, ToolUse
from headway.hosts.hook.recognise import host_called
from headway.tools.meaning import Vocabulary

CLINE = host_called("cline")


def event(name, **fields):
    return {"cline_event": name, "sessionID": "s", "directory": "/home/dev/proj", **fields}


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ('<user_input mode="act">fix <b>it</b> > now</user_input>', "fix <b>it</b> > now"),
        ('<user_input mode="plan">half', "half"),
        ("no tags", "no tags"),
    ],
)
def test_a_prompt_is_the_text_between_the_tags(sent, said):
    assert said == CLINE.event_from(event("beforeRun", prompt=sent)).text


@pytest.mark.parametrize(
    ("commands", "command"),
    [
        (["sleep 1; cat job.log"], "sleep 1; cat job.log"),
        (["cat a", "cat b"], "cat a cat b"),
        ([{"command": "ls", "args": ["-l"]}], "ls -l"),
    ],
)
def test_shell_commands_are_read_as_recordings_have_them(commands, command):
    (use,) = CLINE.event_from(event("beforeTool", tool="run_commands", callID="c", args={"commands": commands})).uses
    assert {"commands": commands} == use.args
    assert command == Vocabulary.packaged().meaning(use.tool, use.args).command


@pytest.mark.parametrize(
    ("output", "text", "failed"),
    [
        ([{"query": "a", "result": "one", "success": True}], "one", False),
        ([{"result": "one", "success": True}, {"result": "", "error": "gone", "success": False}], "one\ngone", True),
        ({"query": "edit:a", "result": "", "error": "no match found", "success": False}, "no match found", True),
        ("plain", "plain", None),
    ],
)
def test_a_result_is_the_text_of_its_parts(output, text, failed):
    found = CLINE.result(
        ToolUse("c", "run_commands", {}, response={"output": output}), HookEvent("afterTool", AFTER, "s")
    )
    assert (text, failed) == (found["output"], found["failed"])
