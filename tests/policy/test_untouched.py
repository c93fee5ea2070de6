"""What a request lists and nobody mentions is recorded, and said only to those who want it."""

import pytest

from headway import Monitor
from headway.core import events
from headway.policy.end_of_turn import LastWords
from tests.agent_calls import bash, edit, read, tool, write
from tests.honest_streams import acting, asked_for, coding, looking, numbers, waiting

REQUEST = "Please do this:\n1. Fix the sum in `src/cart.py`\n2. Rename `load_all` to `load`\n3. Update docs/api.md"
DONE = "Done. I made the changes and everything works now."
CART, LOAD = edit("src/cart.py", "a", "b"), edit("src/io.py", "def load_all():", "def load():")


def left_out(*steps, text=DONE, request=REQUEST):
    monitor, words = Monitor(), LastWords()
    happened = [events.UserSpoke(text=request)]
    for number, (name, args, output, more) in enumerate(steps):
        happened.append(events.ToolCalled(call=str(number), tool=name, args=args))
        happened.append(events.ToolReturned(call=str(number), output=str(output), failed=more.get("failed")))
    for event in [*happened, events.AgentSpoke(text=text)]:
        monitor.feed(event)
        words.take(event, monitor.session)
    return [one for one in words.findings(monitor.session) if one.detector == "untouched_items"]


def test_one_item_that_nobody_mentioned():
    (found,) = left_out(CART, LOAD)
    assert (
        "The request lists 3 things to do. Apart from plans, no call or result that was recorded since then mentions "
        "`api.md`, and the final message does not either. Do what is missing, or say in your final message why it is not done."
        == found.message
    )
    assert ("medium", True, "turn") == (found.severity, found.advisory, found.unit)


def test_two_items():
    (found,) = left_out(CART)
    assert "recorded since then mentions `load_all` or `api.md`, and" in found.message


def test_a_plan_is_no_work():
    plan = tool("TodoWrite", {"todos": [{"content": "Update docs/api.md", "status": "pending"}]}, "Todos: docs/api.md")
    assert 1 == len(left_out(plan, CART, LOAD))


@pytest.mark.parametrize(
    "steps",
    [
        (CART, LOAD, edit("docs/api.md", "a", "b")),
        (CART, LOAD, read("docs/api.md", "# API")),
        (CART, LOAD, read("docs/API.md", "# API")),
        (CART, LOAD, bash("sed -i s/load_all/load/ docs/{index,api}.md")),
        (CART, LOAD, bash("ls docs", "api.md\nindex.md")),
        (CART, LOAD, write("change.py", "x" * 3_000 + "docs/api.md" + "x" * 3_000)),
        (CART, LOAD, tool("Task", {"prompt": "do the rest"}, "done")),
        (CART, LOAD, bash("sed -i s/load_all/load/ docs/*.md")),
        (bash("ls", "src"),),
    ],
)
def test_nothing_is_recorded_of(steps):
    assert [] == left_out(*steps)


@pytest.mark.parametrize(
    "text", ["Done, except docs/api.md.", "The sum is still wrong.", "Which of them should I do first?"]
)
def test_who_speaks_of_it_or_claims_nothing(text):
    assert [] == left_out(CART, LOAD, text=text)


def test_a_new_request_ends_the_list():
    monitor = Monitor()
    monitor.user_spoke(REQUEST)
    monitor.user_spoke("go on")
    assert [] == monitor.session.turn.unmentioned


@pytest.mark.parametrize(("recorded", "action"), [(None, "continue"), ([], "nudge")])
def test_the_agent_hears_of_it_only_where_that_is_set(recorded, action):
    monitor = Monitor(settings={} if recorded is None else {"policy": {"only_recorded": recorded}})
    monitor.user_spoke(REQUEST)
    name, args, output, _ = CART
    monitor.called(name, args, call="1")
    monitor.returned("1", output)
    assert action == monitor.feed(events.TurnEnding(text=DONE)).decision.action


ALL = (acting, asked_for, coding, looking, numbers, waiting)
HONEST = {name: steps for one in ALL for name, steps in one.STREAMS.items()}


def test_honest_work_whose_request_has_no_such_list_hears_nothing():
    request = "Please go through all of them:\n- look at each\n- tell me what you find"
    assert [] == [name for name, steps in HONEST.items() if left_out(*steps, request=request)]
