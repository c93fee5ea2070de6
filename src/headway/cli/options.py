"""Options that several commands share."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from headway.config.settings import Settings, SettingsError

Command = TypeVar("Command", bound=Callable[..., Any])


def with_settings(command: Command) -> Command:
    """Add `--set KEY=VALUE`, which may be given several times."""
    return click.option(
        "--set",
        "overrides",
        multiple=True,
        metavar="KEY=VALUE",
        help="Override a setting, as in --set detectors.exact_cycle.limit=5. `headway config` lists them all.",
    )(command)


def settings_found(overrides: Iterable[str] = ()) -> Settings:
    """The settings of this user and project, or a message that names the file and the key."""
    try:
        return Settings.find(overrides)
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
