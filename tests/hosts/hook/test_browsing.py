"""An honest test of a shop in a browser, through the hook: each step is an action, and each look shows what the last one did."""

import pytest

from headway.store.overview import list_sessions

from .programs import ask, refusal_in, told_in

ACTIONS = {
    "playwright": (
        lambda n: ("mcp__playwright__browser_click", {"element": f"link {n}", "ref": f"e{n}"}, f"- heading 'Page {n}'"),
        lambda n: ("mcp__playwright__browser_console_messages", {}, ""),
    ),
    "chrome": (
        lambda n: ("mcp__claude-in-chrome__computer", {"action": "left_click", "coordinate": [n, 9]}, "Clicked"),
        lambda n: ("mcp__claude-in-chrome__read_console_messages", {"tabId": 7}, "No console messages found."),
    ),
    "requests": (
        lambda n: ("mcp__http__fetch", {"url": "https://a.example/orders", "method": "POST", "body": f"{n}"}, "422"),
        lambda n: ("mcp__http__fetch", {"url": "https://a.example/orders", "method": "GET"}, "[]"),
    ),
    "shell": (
        lambda n: ("Bash", {"command": f"export MODE=m{n}"}, ""),
        lambda n: ("Bash", {"command": "make check"}, "checked: 3 of 4 right"),
    ),
}


def step(number, mode, name, args, output):
    data = {"session_id": "s1", "cwd": "/home/dev/project", "permission_mode": "default"}
    data |= {"transcript_path": "/home/dev/t.jsonl"}
    call = {"tool_name": name, "tool_input": args, "tool_use_id": f"call-{number}"}
    before = ask(data | call | {"hook_event_name": "PreToolUse"}, "claude-code", mode)
    after = ask(data | call | {"hook_event_name": "PostToolUse", "tool_response": output}, "claude-code", mode)
    return before, after


@pytest.mark.parametrize("mode", ["nudge", "enforce"])
@pytest.mark.parametrize("world", ACTIONS)
def test_each_look_follows_an_action_and_nothing_is_said(world, mode):
    act, look = ACTIONS[world]
    calls = [make(n) for n in range(14) for make in (act, look)]
    answers = [answer for number, call in enumerate(calls) for answer in step(number, mode, *call)]
    assert [] == [text for answer in answers if (text := refusal_in(answer) or told_in(answer))]
    assert "continue" == list_sessions()[0].verdict


@pytest.mark.parametrize("mode", ["nudge", "enforce"])
def test_a_look_without_an_action_is_told(mode):
    answers = [step(number, mode, *ACTIONS["playwright"][1](number)) for number in range(4)]
    assert "3 times" in "".join(told_in(after) for _, after in answers)
