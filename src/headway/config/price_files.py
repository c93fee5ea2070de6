"""Tables of prices in files: the packaged one, the user's own, and one for a single command. Nothing is fetched."""

import os
import tomllib
from collections.abc import Iterator
from datetime import UTC, date, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from headway.config.fingerprint import user_folder
from headway.config.prices import MILLION, Price, PriceTable
from headway.config.settings import SettingsError

_LITELLM = (
    "input_cost_per_token",
    "output_cost_per_token",
    "cache_read_input_token_cost",
    "cache_creation_input_token_cost",
)
_BANDS = (128, 200, 256, 272)
"""Thousands of input tokens above which LiteLLM's table has prices of their own."""


@cache
def packaged_prices() -> PriceTable:
    """The table that comes with Headway."""
    return msgspec.convert(tomllib.loads(files(__package__).joinpath("prices.toml").read_text("utf-8")), PriceTable)


def user_table() -> Path:
    """Where `headway prices --update` puts the user's table."""
    return Path(user_folder(os.environ)) / "headway" / "prices.toml"


def find_prices(file: Path | None = None) -> PriceTable:
    """The user's table if there is one, else the packaged one; models that are in the file have its prices."""
    user = user_table()
    found = read_prices(user) if user.is_file() else packaged_prices()
    return read_prices(file).over(found) if file else found


def read_prices(path: Path) -> PriceTable:
    """A table in a file: TOML like the packaged one, or LiteLLM's JSON file of model prices."""
    try:
        text = path.read_text("utf-8-sig")
        if path.suffix == ".json":
            changed = datetime.fromtimestamp(path.stat().st_mtime, UTC).date()
            table = PriceTable(changed, tuple(_of_litellm(msgspec.json.decode(text, type=dict[str, Any]))))
        else:
            table = msgspec.convert(tomllib.loads(text), PriceTable)
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{path}: not a table of prices: {error}") from error
    if not table.prices:
        raise SettingsError(f"{path}: there are no prices in it")
    return table


def as_toml(table: PriceTable) -> str:
    """The table as a file that can be read again."""
    rows = "".join(f"  {{ {', '.join(_entries(row))} }},\n" for row in table.prices)
    return f"dated = {table.dated}\n\nprices = [\n{rows}]\n"


def _entries(row: Price) -> Iterator[str]:
    for name, value in msgspec.to_builtins(row, builtin_types=(date,)).items():
        yield f"{name} = {value if isinstance(value, date) else msgspec.json.encode(value).decode()}"


def _of_litellm(models: dict[str, Any]) -> Iterator[Price]:
    """The prices of models that write text."""
    for name, row in models.items():
        if isinstance(row, dict) and row.get("mode") in ("chat", "responses"):
            for thousands in (0, *_BANDS):
                yield from _litellm_price(name, row, thousands)


def _litellm_price(name: str, row: dict[str, Any], thousands: int) -> Iterator[Price]:
    ending = f"_above_{thousands}k_tokens" if thousands else ""
    given = (row.get(f"{one}{ending}") for one in _LITELLM)
    plain, out, cached, written = map(_per_million, given)
    if plain is not None and out is not None:
        yield Price(
            model=name, input=plain, output=out, cached_input=cached, cache_write=written, prompt_over=thousands * 1000
        )


def _per_million(price: object) -> float | None:
    if isinstance(price, bool) or not isinstance(price, (int, float)):  # true is an int, and no price
        return None
    return round(price * MILLION, 6)
