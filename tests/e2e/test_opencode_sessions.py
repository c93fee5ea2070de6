"""What only OpenCode does: a call that failed has no event after it."""

import json

import pytest

from tests.e2e.agents import chosen
from tests.e2e.models import Call, Say
from tests.e2e.test_live import watched

pytestmark = pytest.mark.e2e
opencode = pytest.mark.parametrize("agent", chosen("opencode"), ids=lambda agent: agent.name)


def results(request):
    return [json.dumps(message) for message in request["messages"] if message["role"] == "tool"]


@opencode
def test_after_a_call_that_failed_the_error_and_the_nudge_are_both_told(agent, tmp_path):
    edit = [Call("edit", filePath="notes.txt", oldString="not there", newString="x")]
    model, ran, _ = watched(agent, tmp_path, edit, edit, edit, edit, [Say("I see.")])
    last = results(model.conversation[3])[-1]

    assert 0 == ran.exit_code and "I see." in ran.stdout
    assert "3 times" in last and "Could not find" in last, last
    assert "3 times" in results(model.conversation[4])[-2], "it stays in the conversation"
    assert ["Headway refused" in one for one in results(model.conversation[4])] == [False] * 3 + [True]


@opencode
def test_of_calls_that_failed_together_the_nudge_comes_with_the_next_request(agent, tmp_path):
    edits = [
        [Call("edit", filePath="notes.txt", oldString="not there", newString="x"), agent.shell("cat plan.txt")]
        for _ in range(5)
    ]
    model, ran, _ = watched(agent, tmp_path, *edits, [Say("I see.")])

    assert 0 == ran.exit_code
    told = [
        number for number, request in enumerate(model.conversation) if any("Headway" in one for one in results(request))
    ]
    refused = [
        n for n, request in enumerate(model.conversation) if any("Headway refused" in one for one in results(request))
    ]
    assert told and (not refused or told[0] < refused[0])
