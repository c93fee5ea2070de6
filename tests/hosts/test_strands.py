"""Strands Agents under watch, with a scripted model."""

import asyncio
import gc
import json

import pytest

pytest.importorskip("strands", reason="strands-agents is not installed here; `make test-frameworks` runs this")

from strands import Agent, tool
from strands.models import Model
from with_strands import agent, bash, run

from headway.hosts.frameworks.strands import Headway
from tests.hosts.said import NUDGE, REFUSAL, STOP


class Scripted(Model):
    """Says what the script says, and keeps what it was asked."""

    def __init__(self, *turns):
        self.turns, self.asked = list(turns), []

    def update_config(self, **config):
        pass

    def get_config(self):
        return {}

    def structured_output(self, *args, **kwargs):
        raise NotImplementedError

    async def stream(self, messages, tool_specs=None, system_prompt=None, **options):
        self.asked.append(json.loads(json.dumps(messages)))
        yield {"messageStart": {"role": "assistant"}}
        stop = "end_turn"
        for part in self.turns.pop(0):
            if isinstance(part, str):
                yield {"contentBlockStart": {"start": {}}}
                yield {"contentBlockDelta": {"delta": {"text": part}}}
            else:
                stop = "tool_use"
                yield {"contentBlockStart": {"start": {"toolUse": {"name": part["name"], "toolUseId": part["id"]}}}}
                yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(part["input"])}}}}
            yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": stop}}
        yield {
            "metadata": {
                "usage": {"inputTokens": 100, "outputTokens": 10, "totalTokens": 110},
                "metrics": {"latencyMs": 1},
            }
        }


def calls(*commands, id="c", tool="bash", argument="command"):
    return [{"name": tool, "id": f"{id}-{n}", "input": {argument: c}} for n, c in enumerate(commands)]


def looping(times):
    return Scripted(*(calls("ls", id=f"c{n}") for n in range(times)), ["done"])


def ask(app, text="go"):
    return app(text)


def ask_async(app, text="go"):
    return asyncio.run(app.invoke_async(text))


def results(messages):
    found = [part["toolResult"] for message in messages for part in message["content"] if "toolResult" in part]
    return [[part["text"] for part in result["content"]] for result in found]


def measured_aside(messages):
    """Without what differs between any two runs."""
    if isinstance(messages, dict):
        return {key: measured_aside(value) for key, value in messages.items() if key not in ("metadata", "tracking_id")}
    return [measured_aside(one) for one in messages] if isinstance(messages, list) else messages


@pytest.mark.parametrize("ask", [ask, ask_async])
def test_a_looping_agent_is_told_in_its_next_request(ask):
    model = looping(3)
    assert "done" == str(ask(agent(model))).strip()
    assert [["a.py b.py"]] * 2 + [["a.py b.py", NUDGE]] == results(model.asked[3])


@pytest.mark.parametrize("ask", [ask, ask_async])
def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason(ask):
    model = looping(50)
    result = ask(agent(model))
    assert (STOP, "end_turn", "exact_cycle") == (str(result).strip(), result.stop_reason, result.state["headway"])
    assert [[REFUSAL], [REFUSAL]] == results(model.asked[-1])[3:]
    assert 6 == len(model.asked)


def test_the_reason_is_what_the_caller_sees():
    assert STOP == run(looping(50), "go")


@pytest.mark.parametrize("ask", [ask, ask_async])
def test_a_healthy_agent_is_left_alone_to_the_byte(ask):
    def healthy():
        return Scripted(["I look.", *calls("ls", "pwd", id="a")], calls("ls src", id="b"), ["done"])

    watched, alone = healthy(), healthy()
    with_headway, without = agent(watched), Agent(model=alone, tools=[bash], callback_handler=None)
    assert str(ask(without)) == str(ask(with_headway))
    assert measured_aside(alone.asked) == measured_aside(watched.asked)
    assert measured_aside(without.messages) == measured_aside(with_headway.messages)


def test_equal_calls_in_one_parallel_batch_are_no_loop():
    model = Scripted(calls(*["ls"] * 6), ["done"])
    assert "done" == run(model, "go")
    assert [["a.py b.py"]] * 6 == results(model.asked[-1])


def test_an_agent_is_a_conversation_and_each_call_a_turn():
    headway, model = Headway(), looping(50)
    app = Agent(model=model, tools=[bash], hooks=[headway], callback_handler=None)
    other = Agent(model=looping(2), tools=[bash], hooks=[headway], callback_handler=None)
    assert STOP == str(ask(app)).strip()
    model.turns = looping(2).turns
    assert "done" == str(ask(app, "go on")).strip()
    assert "done" == str(ask(other)).strip()
    assert [2, 1] == [headway.of(one).monitor.session.user_turn_count for one in (app, other)]


def test_an_agent_that_is_gone_is_forgotten():
    headway = Headway()
    for _ in range(3):
        ask(Agent(model=looping(1), tools=[bash], hooks=[headway], callback_handler=None))
    gc.collect()
    assert 0 == len(headway._known)


def test_runs_of_a_sub_agent_are_kept_apart():
    headway = Headway()
    turns = [turn for n in range(5) for turn in (calls("ls", id=f"s{n}"), [f"found {n}"])]
    scripted = Scripted(*turns)

    @tool
    def research(topic: str) -> str:
        """Ask the sub-agent."""
        return str(Agent(model=scripted, tools=[bash], hooks=[headway], callback_handler=None)(topic)).strip()

    asks = (calls(f"topic {n}", id=f"r{n}", tool="research", argument="topic") for n in range(5))
    model = Scripted(*asks, ["done"])
    ask(Agent(model=model, tools=[research], hooks=[headway], callback_handler=None))
    assert [[f"found {n}"] for n in range(5)] == results(model.asked[-1])


def test_what_the_model_used_counts_against_the_budget():
    model = Scripted(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)))
    headway = Headway(settings={"global": {"max_tokens": 250}})
    result = ask(Agent(model=model, tools=[bash], hooks=[headway], callback_handler=None))
    assert "spend" == result.state["headway"] and len(model.asked) <= 3


def test_a_tool_that_raises_is_noted_as_a_failure():
    @tool
    def broken(command: str) -> str:
        """Run a command."""
        raise RuntimeError("the disk is full")

    headway = Headway()
    app = Agent(
        model=Scripted(calls("ls", tool="broken"), ["done"]), tools=[broken], hooks=[headway], callback_handler=None
    )
    assert "done" == str(ask(app)).strip()
    assert 1 == headway.of(app).monitor.session.error_count
