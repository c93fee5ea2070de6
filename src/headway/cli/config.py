"""`headway config`: effective settings and their sources."""

from difflib import get_close_matches

import click
import msgspec
from rich.text import Text

from headway.cli.options import with_settings
from headway.cli.output import Terminal
from headway.config.find import find_settings
from headway.config.settings import SettingsError
from headway.reports.settings import setting_lines


@click.command()
@click.argument("prefix", default="")
@click.option("--changed", is_flag=True, help="Show only settings that differ from the defaults.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@with_settings
def command(prefix: str, changed: bool, form: str, overrides: tuple[str, ...]) -> None:
    """Show every setting, its effective value and its source.

    PREFIX narrows the list: `headway config detectors.exact_cycle`. Later sources override earlier ones: defaults, the
    user's file, the project's file (headway.toml, headway.yaml or pyproject.toml), environment variables, the command
    line.

    Exit codes: 0 shown; 2 no such setting, or a settings file is invalid.
    """
    try:
        every = setting_lines(find_settings(overrides))
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    fitting = [line for line in every if line.key.startswith(prefix)]
    if not fitting:
        raise click.ClickException(f"no setting {prefix!r}{_nearest(prefix, [line.key for line in every])}")
    lines = [line for line in fitting if not changed or line.is_changed]
    if form == "json":
        shown = {line.key: {"value": line.value, "origin": line.origin} for line in lines}
        click.echo(msgspec.json.format(msgspec.json.encode(shown), indent=2).decode())
        return
    console = Terminal()
    for line in lines:
        value = msgspec.json.encode(line.value).decode()
        origin = "" if line.origin == "default" else f"  ({line.origin})"
        console.print(Text.assemble((line.key, "cyan"), f" = {value}", (origin, "dim")), soft_wrap=True)


def _nearest(name: str, keys: list[str]) -> str:
    """Suggestions for a mistyped setting or group of settings."""
    groups = {key[:place] for key in keys for place, char in enumerate(key) if char == "."}
    close = get_close_matches(name, [*sorted(groups), *keys], n=3)
    return f"; did you mean {' or '.join(close)}?" if close else "; `headway config` lists all settings"
