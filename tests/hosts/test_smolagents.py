"""smolagents under watch, with a scripted model."""

import pytest

pytest.importorskip("smolagents", reason="smolagents is not installed here; `make test-frameworks` runs this")

from smolagents import AgentError, ChatMessage, CodeAgent, Model, ToolCallingAgent, tool
from smolagents.models import ChatMessageToolCall, ChatMessageToolCallFunction, MessageRole
from smolagents.monitoring import LogLevel, TokenUsage
from with_smolagents import agent, bash, run

from headway.hosts.frameworks.smolagents import RunStopped, watch
from tests.hosts.said import NUDGE, REFUSAL, STOP


class Scripted(Model):
    """Says what the script says, and keeps what it was asked."""

    def __init__(self, *turns):
        super().__init__()
        self.turns, self.asked = list(turns), []

    def generate(self, messages, stop_sequences=None, response_format=None, tools_to_call_from=None, **options):
        self.asked.append([(str(message.role), str(message.content)) for message in messages])
        return self.turns.pop(0)


def calls(*commands, id="c", text="", tool="bash", argument="command"):
    wanted = [ChatMessageToolCall(id=f"{id}-{n}", type="function",
              function=ChatMessageToolCallFunction(name=tool, arguments={argument: c})) for n, c in enumerate(commands)]  # fmt: skip
    return ChatMessage(MessageRole.ASSISTANT, text, tool_calls=wanted, token_usage=TokenUsage(100, 10))


def says(text, id="f"):
    return calls(text, id=id, tool="final_answer", argument="answer")


def looping(times):
    return Scripted(*(calls("ls", id=f"c{n}") for n in range(times)), says("done"))


def quiet(app):
    app.logger.level = LogLevel.OFF
    return app


def observations(app):
    return [step.observations for step in app.memory.steps if hasattr(step, "observations")]


def test_a_looping_agent_is_told_in_its_next_request():
    model = looping(3)
    assert "done" == quiet(agent(model)).run("go")
    assert [False, False, False, True] == [NUDGE in asked[-1][1] for asked in model.asked]


def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason():
    model = looping(50)
    app = quiet(agent(model))
    with pytest.raises(AgentError) as caught:
        app.run("go")
    assert isinstance(caught.value, RunStopped) and STOP == str(caught.value)
    assert "exact_cycle" == caught.value.decision.reason
    assert ["a.py b.py"] * 2 + [f"a.py b.py\n\n{NUDGE}", REFUSAL, REFUSAL, STOP] == observations(app)


def test_the_reason_is_what_the_caller_sees(capsys):
    assert STOP == run(looping(50), "go")


def test_a_healthy_agent_is_left_alone_to_the_byte():
    def healthy():
        return Scripted(calls("ls", "pwd", id="a", text="I look."), calls("ls src", id="b"), says("done"))

    watched, alone = healthy(), healthy()
    with_headway, without = quiet(agent(watched)), quiet(ToolCallingAgent([bash], alone, max_steps=50))
    assert without.run("go") == with_headway.run("go") == "done"
    assert alone.asked == watched.asked
    assert observations(without) == observations(with_headway)


def test_equal_calls_in_one_parallel_batch_are_no_loop():
    app = quiet(agent(Scripted(calls(*["ls"] * 6), says("done"))))
    assert "done" == app.run("go")
    assert "\n".join(["a.py b.py"] * 6) == observations(app)[0]


def test_a_run_is_a_conversation_and_without_reset_a_turn():
    model = looping(50)
    app = quiet(agent(model))
    with pytest.raises(RunStopped):
        app.run("go")
    model.turns = looping(2).turns
    assert "done" == app.run("go on", reset=False), "a new turn begins anew"
    model.turns = looping(2).turns
    assert "done" == app.run("go")


def test_a_memory_that_forgets_its_steps_is_still_the_same_conversation():
    """A callback of the user's may drop old steps to save tokens; the loop goes on all the same."""

    def forget(step, agent):
        del agent.memory.steps[1:]

    model = looping(50)
    app = watch(quiet(ToolCallingAgent([bash], model, step_callbacks=[forget])))
    with pytest.raises(RunStopped, match="exact_cycle"):
        app.run("go")
    assert 6 == len(model.asked), "as soon as with a memory that keeps everything"


def test_short_runs_are_conversations_of_their_own():
    model = Scripted(*(turn for _ in range(4) for turn in (calls("ls"), says("done"))))
    app = quiet(agent(model))
    assert ["done"] * 4 == [app.run("go") for _ in range(4)]
    assert not any(NUDGE in text for asked in model.asked for _, text in asked)


def test_managed_agents_are_kept_apart():
    """Each run of the managed agent lists the same folder; that is no loop of either."""
    turns = [turn for n in range(5) for turn in (calls("ls", id=f"s{n}"), says(f"found {n}"))]
    sub_agent = ToolCallingAgent([bash], Scripted(*turns), name="research", description="Looks things up.")
    quiet(sub_agent)
    asks = (calls(f"topic {n}", id=f"r{n}", tool="research", argument="task") for n in range(5))
    app = watch(quiet(ToolCallingAgent([], Scripted(*asks, says("done")), managed_agents=[sub_agent])))
    assert "done" == app.run("go")
    assert all(f"found {n}" in text for n, text in enumerate(observations(app)[:5]))
    assert not any("headway" in text for text in observations(app)[:5])


def test_an_agent_that_writes_code_is_told_and_stopped():
    code = "Thought: look\n<code>\nprint(bash('ls'))\n</code>"
    model = Scripted(*(ChatMessage(MessageRole.ASSISTANT, code) for _ in range(50)))
    app = quiet(watch(CodeAgent([bash], model, max_steps=50)))
    with pytest.raises(RunStopped) as caught:
        app.run("go")
    assert "exact_cycle" == caught.value.decision.reason
    told = ["gave the same result 3 times in a row" in text for text in observations(app)]
    assert [False, False, True, True, False] == told, "what would have been refused is told, then the run ends"


def in_code(*programs):
    model = Scripted(
        *(ChatMessage(MessageRole.ASSISTANT, f"Thought: look\n<code>\n{code}\n</code>") for code in programs)
    )
    return quiet(watch(CodeAgent([bash], model, max_steps=50)))


@pytest.mark.parametrize("shown", ["", "print('attempt', attempt)\n", "print(attempt * 2)\n"])
def test_comments_names_and_counters_in_code_hide_no_loop(shown):
    app = in_code(
        *(f"# attempt {n}\nattempt = {n}\nfound_{n} = bash('ls')\n{shown}print(found_{n})" for n in range(50))
    )
    with pytest.raises(RunStopped) as caught:
        app.run("go")
    assert "exact_cycle" == caught.value.decision.reason and len(app.memory.steps) <= 10


def test_different_work_in_code_is_left_alone():
    names = [f"bash('cat {n}.py')" for n in range(20)]
    app = in_code(*(f"print({name})" for name in names), "final_answer('done')")
    assert "done" == app.run("go")
    assert not any("headway" in text for text in observations(app))


def test_many_calls_in_one_program_are_one_ask():
    app = in_code("for _ in range(8):\n    print(bash('ls'))", "final_answer('done')")
    assert "done" == app.run("go")
    assert not any("headway" in text for text in observations(app))


def test_what_the_model_used_counts_against_the_budget():
    model = Scripted(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)))
    app = watch(quiet(ToolCallingAgent([bash], model)), settings={"global": {"max_tokens": 250}})
    with pytest.raises(RunStopped, match="spend"):
        app.run("go")
    assert len(model.asked) <= 3


def test_a_tool_that_raises_is_noted_as_a_failure():
    @tool
    def broken(command: str) -> str:
        """Run a command.

        Args:
            command: what to run

        """
        raise RuntimeError("the disk is full")

    told = []
    model = Scripted(*(calls("ls", id=f"c{n}", tool="broken") for n in range(3)), says("done"))
    app = watch(quiet(ToolCallingAgent([broken], model)), on_decision=told.append)
    assert "done" == app.run("go")
    assert ["nudge"] == [decision.action for decision in told]
