"""Each kind of decision is written exactly as the host reads it."""

import pytest

from headway.hosts.hook.event import AFTER, BATCH, BEFORE, PROMPT, START, TURN_END, HookEvent
from headway.hosts.hook.host import Host
from headway.hosts.hook.recognise import HOSTS, host_called

from .programs import PROGRAMS

NESTED = "hookSpecificOutput"
SEEN = {"systemMessage": "why"}
"""What the person sees, where a program shows it."""
MOMENTS = {START, PROMPT, BEFORE, AFTER, BATCH, TURN_END}
ACTIONS = ("nudge", "block", "stop", "escalate")

EXACT = [
    ("claude-code", "PostToolUse", AFTER, "nudge", {"systemMessage": "why", NESTED: {"hookEventName": "PostToolUse", "additionalContext": "why"}}),
    ("claude-code", "PostToolBatch", BATCH, "nudge", {"systemMessage": "why", NESTED: {"hookEventName": "PostToolBatch", "additionalContext": "why"}}),
    (
        "claude-code", "PreToolUse", BEFORE, "block",
        {"systemMessage": "why", NESTED: {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "why"}},
    ),
    (
        "claude-code", "PreToolUse", BEFORE, "stop",
        {
            "continue": False, "stopReason": "why",
            NESTED: {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "why"},
        },
    ),
    ("claude-code", "PostToolUse", AFTER, "stop", {"continue": False, "stopReason": "why"}),
    (
        "claude-code", "PreToolUse", BEFORE, "escalate",
        {NESTED: {"hookEventName": "PreToolUse", "permissionDecision": "ask", "permissionDecisionReason": "why"}},
    ),
    ("claude-code", "Stop", TURN_END, "nudge", {"decision": "block", "reason": "why"}),
    ("codex", "PostToolUse", AFTER, "nudge", {NESTED: {"hookEventName": "PostToolUse", "additionalContext": "why"}}),
    ("codex", "PostToolUse", AFTER, "stop", {NESTED: {"hookEventName": "PostToolUse", "additionalContext": "why"}}),
    (
        "codex", "PreToolUse", BEFORE, "stop",
        {NESTED: {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "why"}},
    ),
    ("codex", "Stop", TURN_END, "nudge", {"decision": "block", "reason": "why"}),
    ("codex", "Stop", TURN_END, "stop", {"continue": False, "stopReason": "why"}),
    ("qwen", "PostToolUseFailure", AFTER, "nudge", {NESTED: {"hookEventName": "PostToolUseFailure", "additionalContext": "why"}, **SEEN}),
    ("qwen", "PreToolUse", BEFORE, "nudge", None),
    ("qwen", "Stop", TURN_END, "nudge", {"decision": "block", "reason": "why", **SEEN}),
    (
        "qwen", "PreToolUse", BEFORE, "block",
        {NESTED: {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "why"}, **SEEN},
    ),
    ("gemini", "AfterTool", AFTER, "nudge", {NESTED: {"hookEventName": "AfterTool", "additionalContext": "why"}, **SEEN}),
    ("gemini", "BeforeTool", BEFORE, "block", {"decision": "deny", "reason": "why", **SEEN}),
    ("gemini", "BeforeTool", BEFORE, "stop", {"continue": False, "stopReason": "why", "decision": "deny", "reason": "why", **SEEN}),
    ("gemini", "BeforeTool", BEFORE, "escalate", {"continue": False, "stopReason": "why", "decision": "deny", "reason": "why", **SEEN}),
    ("gemini", "AfterTool", AFTER, "stop", {"continue": False, "stopReason": "why", **SEEN}),
    ("gemini", "AfterAgent", TURN_END, "nudge", {"decision": "deny", "reason": "why", **SEEN}),
    ("copilot", "postToolUse", AFTER, "nudge", {"additionalContext": "why"}),
    ("copilot", "preToolUse", BEFORE, "block", {"permissionDecision": "deny", "permissionDecisionReason": "why"}),
    ("copilot", "preToolUse", BEFORE, "stop", {"permissionDecision": "deny", "permissionDecisionReason": "why"}),
    ("copilot", "agentStop", TURN_END, "nudge", {"decision": "block", "reason": "why"}),
    ("cursor", "postToolUse", AFTER, "nudge", {"additional_context": "why"}),
    ("cursor", "preToolUse", BEFORE, "block", {"permission": "deny", "user_message": "why", "agent_message": "why"}),
    ("cursor", "preToolUse", BEFORE, "escalate", {"permission": "ask", "user_message": "why", "agent_message": "why"}),
    ("cursor", "stop", TURN_END, "nudge", {"followup_message": "why"}),
    ("openhands", "PostToolUse", AFTER, "nudge", None),
    ("openhands", "PreToolUse", BEFORE, "nudge", {"decision": "deny", "reason": "why"}),
    ("openhands", "UserPromptSubmit", PROMPT, "nudge", {"decision": "allow", "additionalContext": "why"}),
    ("openhands", "PreToolUse", BEFORE, "block", {"decision": "deny", "reason": "why"}),
    ("openhands", "Stop", TURN_END, "nudge", {"decision": "deny", "reason": "why"}),
    ("opencode", "tool.execute.after", AFTER, "nudge", {"tell": "why"}),
    ("opencode", "tool.execute.before", BEFORE, "block", {"deny": "why"}),
    ("opencode", "tool.execute.before", BEFORE, "stop", {"stop": "why"}),
    ("kilo", "tool.execute.before", BEFORE, "block", {"deny": "why"}),
    ("pi", "tool_result", AFTER, "nudge", {"tell": "why"}),
    ("pi", "tool_call", BEFORE, "block", {"deny": "why"}),
    ("pi", "tool_call", BEFORE, "nudge", None),
    ("pi", "agent_before_settle", TURN_END, "nudge", {"go_on": "why"}),
    ("cline", "afterTool", AFTER, "nudge", {"tell": "why"}),
    ("cline", "beforeTool", BEFORE, "block", {"deny": "why"}),
    ("cline", "afterTool", AFTER, "stop", {"stop": "why"}),
]  # fmt: skip

READ = {
    "claude-code": {"continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason", NESTED},
    "codex": {"continue", "stopReason", "decision", "reason", NESTED},
    "gemini": {"decision", "reason", "continue", "stopReason", "systemMessage", "suppressOutput", NESTED},
    "qwen": {"continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason", NESTED},
    "copilot": {
        "permissionDecision",
        "permissionDecisionReason",
        "modifiedArgs",
        "additionalContext",
        "decision",
        "reason",
    },
    "cursor": {"permission", "user_message", "agent_message", "additional_context", "followup_message", "continue"},
    "openhands": {"decision", "reason", "additionalContext", "continue"},
    "opencode": {"tell", "deny", "stop"},
    "kilo": {"tell", "deny", "stop"},
    "pi": {"tell", "deny", "stop", "go_on"},
    "cline": {"tell", "deny", "stop", "go_on"},
}
"""The keys each program reads at the top level."""
READ_NESTED = {"hookEventName", "permissionDecision", "permissionDecisionReason", "additionalContext"}


@pytest.mark.parametrize(("program", "event", "moment", "action", "expected"), EXACT, ids=lambda part: str(part)[:30])
def test_a_decision_in_the_format_of_a_program(program, event, moment, action, expected):
    assert expected == host_called(program).answer(HookEvent(event, moment, "s"), action, "why")


@pytest.mark.parametrize("program", PROGRAMS)
def test_answers_have_only_keys_that_the_program_reads(program):
    host = host_called(program)
    for event, moment in host.moments.items():
        for action in ACTIONS:
            answer = host.answer(HookEvent(event, moment, "s"), action, "why") or {}

            assert answer.keys() <= READ[program], (event, action)
            assert answer.get(NESTED, {}).keys() <= READ_NESTED, (event, action)
            assert event == answer.get(NESTED, {"hookEventName": event})["hookEventName"]


@pytest.mark.parametrize("action", ACTIONS)
def test_codex_would_reject_these(action):
    """Before a call its schema knows neither `continue` nor `stopReason`, and at the end of a turn nothing nested."""
    codex = host_called("codex")

    assert {NESTED} == codex.answer(HookEvent("PreToolUse", BEFORE, "s"), action, "why").keys()
    assert NESTED not in (codex.answer(HookEvent("Stop", TURN_END, "s"), action, "why") or {})
    assert codex.answer(HookEvent("PostToolUse", AFTER, "s"), action, "why").keys() == {NESTED}


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_call_is_refused_for_every_decision_that_is_more_than_a_nudge(program):
    host = host_called(program)
    before = next(event for event, moment in host.moments.items() if moment == BEFORE)

    assert all(host.answer(HookEvent(before, BEFORE, "s"), action, "why") for action in ("block", "stop", "escalate"))


def test_all_programs_are_here():
    assert set(PROGRAMS) == set(HOSTS) == set(READ)


def test_a_host_without_an_answer_format_is_refused():
    class Mute(Host):
        name = "mute"

    with pytest.raises(TypeError, match="answer"):
        Mute()
