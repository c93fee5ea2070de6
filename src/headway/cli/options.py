"""Options that several commands share."""

from collections.abc import Callable, Iterable
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

import click

from headway.config.price_files import PriceTable, find_prices
from headway.config.settings import Settings, SettingsError, nearest

Command = TypeVar("Command", bound=Callable[..., Any])


class Amount(click.FloatRange):
    """A number within bounds. click accepts `nan`, and `inf` where there is no upper bound; this does not."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Convert and check the number."""
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


LONGEST = 100_000 * 86_400.0
"""Maximum duration of an option in seconds. Dates that far away can still be computed."""


def duration(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """Option callback: a duration in seconds."""
    from headway.rolling.dates import seconds_in  # most commands have no durations

    try:
        seconds = None if value is None else seconds_in(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from error
    if seconds is not None and seconds > LONGEST:
        raise click.BadParameter(f"{value!r} is too long; expected at most 100000d", ctx, param)
    return seconds


def with_output(help: str = "Write to this file.", **more: Any) -> Callable[[Command], Command]:
    """Add `-o FILE`, with the same three names in every command that writes a file."""
    place = click.Path(path_type=Path, dir_okay=False)
    return click.option("-o", "--output", "--out", "output", type=place, help=help, **more)


def with_engine(command: Command) -> Command:
    """Add `--engine` and `--address`."""
    engine = click.option(
        "--engine", type=click.Choice(["local", "ray"]), help="Where to run: processes on this machine, or Ray."
    )
    address = click.option("--address", metavar="HOST", help="Ray cluster to use: auto, or ray://host:10001.")
    return engine(address(command))


def with_reader(command: Command) -> Command:
    """Add `--reader NAME`."""
    return with_reader_named("`headway scan --help` lists the formats.")(command)


def with_reader_named(where: str) -> Callable[[Command], Command]:
    """Add `--reader NAME`, and say where the names are."""
    about = f"Format of the recordings, instead of detecting it. {where}"
    return click.option("--reader", metavar="NAME", callback=_known_reader, help=about)


def _known_reader(context: click.Context, option: click.Parameter, name: str | None) -> str | None:
    from headway.readers import plugin_readers, readers  # most commands read no recordings

    if name is None or name in readers() or name in plugin_readers():
        return name
    raise click.BadParameter(f"no reader {name!r}{nearest(name, readers() | plugin_readers())}")


def with_settings(command: Command) -> Command:
    """Add `--set KEY=VALUE`, which may be repeated."""
    return click.option(
        "--set",
        "overrides",
        multiple=True,
        metavar="KEY=VALUE",
        help="Override a setting: --set detectors.exact_cycle.limit=5. `headway config` lists all settings. Quote a "
        "name that contains a dot.",
    )(command)


def settings_found(overrides: Iterable[str] = ()) -> Settings:
    """The settings of this user and project. An error names the file and the key."""
    try:
        return Settings.find(overrides)
    except SettingsError as error:
        raise click.ClickException(str(error)) from error


def with_prices(command: Command) -> Command:
    """Add `--prices FILE`."""
    return click.option(
        "--prices",
        "prices_file",
        type=click.Path(path_type=Path, dir_okay=False),
        help="Prices to use in place of the list prices of some models. `headway prices` shows the table.",
    )(command)


def prices_found(file: Path | None) -> PriceTable:
    """The prices to estimate with, or a message that names the file and what is wrong."""
    try:
        return find_prices(file)
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
