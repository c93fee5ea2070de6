"""Do something for each named agent, even if it failed for another one."""

from collections.abc import Callable, Iterable
from typing import Any

import click

from headway.config.settings import nearest
from headway.setup import SetupError, agents
from headway.setup.agent import Agent


class AgentName(click.Choice):  # type: ignore[type-arg]  # generic since click 8.2 only
    """The name of an agent; a wrong one is answered with the closest."""

    def __init__(self) -> None:
        super().__init__(list(agents()))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name, if there is such an agent."""
        if value not in self.choices:
            self.fail(f"no agent {value!r}{nearest(value, self.choices)}", param, ctx)
        return value


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
