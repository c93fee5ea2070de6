"""DSPy

`headway.ReAct` makes a `dspy.ReAct` that is watched, with the same arguments. A nudge is added to the observation, a
refused call gets the reason as its observation, and a stop is the exception `RunStopped`, before the next request to
the model. Each call of the program is a conversation. Copies that an optimizer makes are watched, too. What the model
used is read from its `history`. A nudge is not added to an observation that is an error, but to the next one.
"""

import dspy

from headway.hosts.frameworks.dspy import Headway


def bash(command: str) -> str:
    """Run a command."""
    return "a.py b.py"


def agent() -> dspy.ReAct:
    headway = Headway()
    return headway.ReAct("question -> answer", tools=[bash])
