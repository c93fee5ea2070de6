"""`headway prices`: the list prices from which costs are estimated."""

import os
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from headway.cli.options import prices_found
from headway.config.price_files import Price, PriceTable, as_toml, read_prices, user_table
from headway.config.settings import SettingsError
from headway.reports.text import columns
from headway.reports.words import counted


@click.command()
@click.argument("models", nargs=-1, metavar="[MODEL]…")
@click.option(
    "--update", type=click.Path(path_type=Path, dir_okay=False),
    help="Replace the table with this file: TOML like --format toml prints, or LiteLLM's JSON file of model prices.",
)  # fmt: skip
@click.option("--reset", is_flag=True, help="Go back to the table that comes with Headway.")
@click.option("--format", "form", type=click.Choice(["text", "json", "toml"]), default="text", show_default=True)
def command(models: tuple[str, ...], update: Path | None, reset: bool, form: str) -> int:
    """Show the list prices that `headway scan` estimates costs with.

    Prices are US dollars per million tokens. They are used where a recording has tokens and no cost. MODEL shows the
    price of one model, however a recording spells its name. Nothing is fetched: `--update` reads a file.

    \b
      headway prices
      headway prices claude-sonnet-4-5-20250929
      headway prices --format toml > mine.toml
      headway prices --update mine.toml

    Exit codes: 0 shown or replaced; 1 a model has no price; 2 the file could not be read.
    """
    if update and reset:
        raise click.UsageError("--update and --reset cannot be used together")
    if reset:
        user_table().unlink(missing_ok=True)
    if update:
        _replace(update)
    table = prices_found(None)
    unknown = [model for model in models if table.price(model) is None]
    for model in unknown:
        click.echo(f"{model}: no list price", err=True)
    if models:
        wanted = {price.model for model in models if (price := table.price(model))}
        table = PriceTable(table.dated, tuple(row for row in table.prices if row.model in wanted))
    if table.prices or not models:
        _show(table, form)
    return int(bool(unknown))


def _replace(file: Path) -> None:
    """Write a checked copy of the file to the path of the user's table."""
    try:
        table = read_prices(file)
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    place = user_table()
    unfinished = place.with_name(f".{os.urandom(8).hex()}.unfinished")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_text(as_toml(table), "utf-8")
        unfinished.replace(place)
    except OSError as error:
        raise click.ClickException(f"{place}: cannot be written: {error.strerror or error}") from error
    finally:
        unfinished.unlink(missing_ok=True)
    click.echo(f"{counted(len(table.prices), 'price')} in {place}", err=True)


def _show(table: PriceTable, form: str) -> None:
    if form == "toml":
        click.echo(as_toml(table), nl=False)
    elif form == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(table), indent=2).decode())
    else:
        where = user_table() if user_table().is_file() else "packaged with Headway"
        click.echo(f"List prices of {table.dated} ({where}), US dollars per million tokens\n")
        for line in columns(list(_rows(table)), names=2):
            click.echo(line)


def _rows(table: PriceTable) -> Iterator[tuple[str, ...]]:
    yield "model", "for requests", "input", "cached input", "cache write", "output"
    for row in table.prices:
        amounts = (row.input, row.cached_input, row.cache_write, row.output)
        yield row.model, _condition(row), *("–" if one is None else f"{one:g}" for one in amounts)


def _condition(row: Price) -> str:
    since = f"since {row.from_}" if row.from_ else ""
    return ", ".join(filter(None, (f"over {row.prompt_over:,} tokens" if row.prompt_over else "", since)))
