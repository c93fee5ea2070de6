"""A ReAct of DSPy."""

import dspy
from dspy.utils import DummyLM
from tests.hosts.test_dspy import ANSWER, FINISH, ask, calls

from framework_runs import CALLS, COMMANDS, Run, text_of
from headway.hosts.frameworks.dspy import Headway


def bash(command: str) -> str:
    """Run a command."""
    return text_of(command)


def prepare() -> Run:
    makers = {"idle": lambda: dspy.ReAct, "watched": lambda: Headway().ReAct}

    def run(mode: str) -> None:
        model = DummyLM([*(calls(command) for command in COMMANDS), FINISH, ANSWER])
        ask(makers[mode]()("question -> answer", tools=[bash], max_iters=CALLS + 1), model)

    return run
