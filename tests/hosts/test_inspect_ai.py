"""Inspect AI under watch, with its mock model."""

import pytest

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed here; `make test-frameworks` runs this")

from inspect_ai import Task, eval
from inspect_ai.agent import as_tool, react
from inspect_ai.approval import ApprovalPolicy, auto_approver
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageAssistant, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall
from with_inspect_ai import bash, task

from headway.hosts.frameworks.inspect_ai import Headway
from tests.hosts.said import NUDGE, REFUSAL, STOP


class Script:
    """A model that says what the script says, and keeps what it was asked."""

    def __init__(self, *turns):
        self.turns, self.asked = list(turns), []
        self.model = get_model("mockllm/model", custom_outputs=self.answer, memoize=False)

    def answer(self, input, tools, tool_choice, config):
        self.asked.append([(message.role, message.text) for message in input])
        return self.turns.pop(0)


def calls(*commands, id="c", tool="bash", argument="command", text=""):
    wanted = [ToolCall(id=f"{id}-{n}", function=tool, arguments={argument: c}) for n, c in enumerate(commands)]
    output = ModelOutput.from_message(ChatMessageAssistant(content=text, tool_calls=wanted), "tool_calls")
    output.usage = ModelUsage(input_tokens=100, output_tokens=10, total_tokens=110)
    return output


def says(text):
    return calls(text, id="submit", tool="submit", argument="answer")


def looping(times):
    return Script(*(calls("ls", id=f"c{n}") for n in range(times)), says("done"))


def run(task, script, tmp_path, **options):
    [log] = eval(task, model=script.model, display="none", log_dir=str(tmp_path), **options)
    assert "success" == log.status, log.error
    return log.samples


def watched_by(headway, samples=1, **options):
    agent = react(tools=[bash()], on_continue=headway.on_continue, **options)
    return Task(dataset=[Sample(input=f"go {n}") for n in range(samples)], solver=agent)


def results(sample):
    return [
        message.error.message if message.error else message.text
        for message in sample.messages
        if message.role == "tool"
    ]


def test_a_looping_agent_is_told_in_its_next_request(tmp_path):
    script = looping(3)
    [sample] = run(task(), script, tmp_path)
    assert "done" == sample.output.completion
    assert [False, False, False, True] == [("user", NUDGE) == asked[-1] for asked in script.asked]


def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason(tmp_path):
    script = looping(50)
    [sample] = run(task(), script, tmp_path)
    assert (STOP, {"headway": "exact_cycle"}) == (sample.output.completion, sample.output.metadata)
    assert STOP == sample.messages[-1].text and 6 == len(script.asked)
    assert [REFUSAL, REFUSAL, STOP] == results(sample)[3:]


def test_without_the_policies_no_call_is_refused_and_the_run_is_stopped_all_the_same(tmp_path):
    script = looping(50)
    [sample] = run(watched_by(Headway()), script, tmp_path)
    assert STOP == sample.output.completion
    assert {"a.py b.py"} == set(results(sample)) and len(script.asked) <= 6


def test_a_healthy_agent_is_left_alone_to_the_byte(tmp_path):
    def healthy():
        return Script(calls("ls", "pwd", id="a", text="I look."), calls("ls src", id="b"), says("done"))

    watched, alone = healthy(), healthy()
    [with_headway] = run(task(), watched, tmp_path)
    [without] = run(Task(dataset=[Sample(input="go")], solver=react(tools=[bash()])), alone, tmp_path)
    assert alone.asked == watched.asked
    said = [[m.model_dump(exclude={"id"}) for m in sample.messages] for sample in (without, with_headway)]
    assert said[0] == said[1]


def test_an_agent_that_calls_nothing_is_urged_on_as_ever(tmp_path):
    def quiet():
        return Script(calls(text="Let me think."), says("done"))

    watched, alone = quiet(), quiet()
    run(task(), watched, tmp_path)
    run(Task(dataset=[Sample(input="go")], solver=react(tools=[bash()])), alone, tmp_path)
    assert alone.asked == watched.asked


def test_equal_calls_in_one_parallel_batch_are_no_loop(tmp_path):
    script = Script(calls(*["ls"] * 6), says("done"))
    [sample] = run(task(), script, tmp_path)
    assert ["a.py b.py"] * 6 == results(sample) and "done" == sample.output.completion


def test_samples_and_epochs_are_kept_apart(tmp_path):
    headway = Headway()
    script = Script(
        *(turn for n in range(8) for turn in (calls("ls", id=f"a{n}"), calls("ls", id=f"b{n}"), says("done")))
    )
    samples = run(watched_by(headway, samples=4), script, tmp_path, epochs=2, max_samples=1)
    assert {"done"} == {sample.output.completion for sample in samples}
    assert 8 == len(headway.conversations)


def test_runs_of_a_sub_agent_are_kept_apart(tmp_path):
    headway = Headway()
    sub_agent = react(
        name="research", description="Looks things up.", tools=[bash()], on_continue=headway.on_continue,
        model=Script(*(turn for n in range(5) for turn in (calls("ls", id=f"s{n}"), says(f"found {n}")))).model,
    )  # fmt: skip
    agent = react(tools=[as_tool(sub_agent)], on_continue=headway.on_continue)
    asks = (calls(f"topic {n}", id=f"r{n}", tool="research", argument="input") for n in range(5))
    [sample] = run(Task(dataset=[Sample(input="go")], solver=agent), Script(*asks, says("done")), tmp_path)
    assert [f"found {n}" for n in range(5)] == [text.strip() for text in results(sample)]
    assert 6 == len(headway.conversations)


def test_the_users_own_policies_are_asked_as_well(tmp_path):
    headway = Headway()
    mine = ApprovalPolicy(auto_approver("reject"), "bash")
    script = Script(calls("ls"), says("done"))
    [sample] = run(
        watched_by(headway, approval=headway.policies(mine, ApprovalPolicy(auto_approver(), "*"))), script, tmp_path
    )
    assert ["a.py b.py"] != results(sample) and "done" == sample.output.completion


def test_what_the_model_used_counts_against_the_budget(tmp_path):
    script = Script(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)))
    [sample] = run(watched_by(Headway(settings={"global": {"max_tokens": 250}})), script, tmp_path)
    assert {"headway": "spend"} == sample.output.metadata and len(script.asked) <= 3
