"""One thing done for each agent that was named, also after it failed for another one."""

from collections.abc import Callable, Iterable

import click

from headway.setup import SetupError, agents
from headway.setup.agent import Agent


def for_each_agent(names: Iterable[str], act: Callable[[Agent], None]) -> int:
    """Act on every agent, tell what failed, and give the exit code: 2 if anything did."""
    failed = 0
    for name in dict.fromkeys(names):
        try:
            act(agents()[name])
        except SetupError as error:
            click.ClickException(str(error)).show()
            failed = 2
    return failed
