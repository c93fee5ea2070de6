"""Messages of a machine in recordings: they are events of their own kind, and no turn of the user."""

import pytest

from headway import Monitor
from headway.core import events
from tests.readers.counting import only
from tests.readers.test_claude_code import line
from tests.readers.test_claude_code import read as read_claude
from tests.readers.test_codex import item
from tests.readers.test_codex import read as read_codex

REPORT = "<task-notification>\n<task-id>a{0}</task-id>\n<result>{0} problems found.</result>\n</task-notification>"
QUEUED = {"type": "queued_command", "prompt": REPORT.format(4), "commandMode": "task-notification"}


def kinds(stream):
    return [event.kind for event in only(stream, events.UserSpoke)]


@pytest.mark.parametrize(
    "record",
    [
        line("user", "u1", None, REPORT.format(3)),
        line("user", "u1", None, "Build 4 failed.", origin={"kind": "task-notification"}),
        line("user", "u1", None, "Please rebase.", origin={"kind": "peer", "name": "bob"}),
        line("user", "u1", None, '<teammate-message teammate_id="bob">Task 3 is done.</teammate-message>'),
        line("attachment", "u1", None, attachment=QUEUED),
    ],
    ids=["task", "task by its field", "another session", "team", "while the agent works"],
)
def test_what_claude_code_reports_is_news(record):
    assert ["news"] == kinds(read_claude(record)[0])


def test_what_a_person_wrote_is_not():
    assert ["person", ""] == kinds(
        read_claude(line("user", "u1", None, "please", origin={"kind": "human"}), line("user", "u2", "u1", "more"))[0]
    )


def test_what_codex_reports_is_news():
    notice = '<subagent_notification>\n{"agent_id":"t2","status":"completed"}\n</subagent_notification>'
    content = [{"type": "input_text", "text": notice}]
    assert ["news"] == kinds(read_codex(item("message", role="user", content=content))[0])


def test_a_lead_that_notes_nine_reports_is_not_stopped_in_a_recording():
    lines = [line("user", "u0", None, "Review the nine parts")]
    for n in range(9):
        lines.append(line("user", f"u{n + 1}", f"a{n}", REPORT.format(n)))
        said = f"The reviewer found {n} problems. {8 - n} are still running."
        lines.append(line("assistant", f"a{n + 1}", f"u{n + 1}", [{"type": "text", "text": said}]))
    stream = read_claude(*lines)[0]
    assert 9 == kinds(stream).count("news")
    monitor = Monitor()
    assert {"continue"} == {str(monitor.feed(event).decision.action) for event in stream}
