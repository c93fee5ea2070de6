"""Do something for each named agent, even if it failed for another one."""

from collections.abc import Callable, Iterable

import click

from headway.setup import SetupError, agents
from headway.setup.agent import Agent


def for_each_agent(names: Iterable[str], act: Callable[[Agent], None]) -> int:
    """Act on every agent, print failures, and return the exit code: 2 if anything failed."""
    failed = 0
    for name in dict.fromkeys(names):
        try:
            act(agents()[name])
        except SetupError as error:
            click.ClickException(str(error)).show()
            failed = 2
    return failed
