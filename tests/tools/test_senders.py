"""Who wrote a message in the user's place, as each agent program says it."""

import pytest

from headway.core.events import SENDERS
from headway.tools.senders import sender_of, sender_of_all

NOTICE = "<task-notification>\n<task-id>a1</task-id>\n</task-notification>"


@pytest.mark.parametrize(
    ("program", "text", "fields", "sender"),
    [
        ("claude-code", NOTICE, {}, "news"),
        ("claude-code", f"\n  {NOTICE}", {"source": None}, "news"),
        ("claude-code", NOTICE, {"source": "user"}, "person"),
        ("claude-code", "Build 7 failed.", {"source": "poll_event"}, "news"),
        ("claude-code", "Check the inbox.", {"source": "loop_wakeup"}, "schedule"),
        ("claude-code", "Check the inbox.", {"source": "sdk"}, ""),
        ("claude-code", "Check the inbox.", {"source": ["user"]}, ""),
        ("claude-code", "Please rebase.", {"origin": "peer"}, "news"),
        ("claude-code", "<system-reminder>x</system-reminder>", {}, None),
        ("claude-code", "What does <task-notification> mean?", {}, ""),
        ("codex", "<subagent_notification>{}</subagent_notification>", {}, "news"),
        ("codex", '<codex_internal_context source="goal">\nContinue', {}, "continue"),
        ("codex", "<environment_context>x</environment_context>", {}, None),
        ("codex", NOTICE, {}, ""),
        ("gemini", "<session_context>x", {}, None),
        ("gemini-cli", "please", {"source": "system"}, ""),
        ("qwen", NOTICE, {}, "news"),
    ],
)
def test_who_wrote_it(program, text, fields, sender):
    assert sender == sender_of(program, text, **fields)


def test_a_message_is_news_only_if_all_of_it_is():
    assert ["news", "person", ""] == [
        sender_of_all(parts) for parts in (["news", "news"], ["news", "person"], ["", "news"])
    ]


def test_the_table_names_only_senders_that_there_are():
    from headway.tools import senders

    tables = [senders._CLAUDE_CODE, *senders._OF_PROGRAMS.values()]
    named = {
        sender
        for one in tables
        for sender in (*one.beginnings.values(), *(s for f in one.fields.values() for s in f.values()))
    }
    assert named <= {*SENDERS}
