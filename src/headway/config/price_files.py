"""List prices of models, to estimate the cost if only the tokens are known.

There is a packaged table; a user may have another one, and a command may name one. Nothing is fetched. A model that is
not in the table has no price: nothing is guessed from similar names. Subscriptions, discounts and batches are not
considered.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from headway.config.fingerprint import user_folder
from headway.config.settings import SettingsError
from headway.core.events import AgentSpoke, Event, ToolCalled, ToolReturned, Used, UserSpoke
from headway.rolling.dates import day_of
from headway.rolling.lazy import packaged, regex

if TYPE_CHECKING:
    from pathlib import Path  # a hook that prices usage needs neither it nor `tomllib`

MILLION = 1_000_000
LONGEST_NAME = 100
"""Characters of the name of a model that is remembered."""
MAX_MODELS = 50
UNFITTING = " with more cached tokens than its prompt"
"""Beside the name of a model that has a list price, but not for counts that cannot be true."""
_SUFFIXES = regex(r"(?:\[\w+\]|@\d{8}|-\d{8}|-\d{4}-\d\d-\d\d|-latest|-v\d+(?::\d+)?)+$")
"""Suffixes of a name for a snapshot, a context size or a version of the service."""
_CLAUDE_OTHERWISE = regex(r"claude-(\d+(?:-\d+)?)-(opus|sonnet|haiku)")
"""Some programs write `claude-4.5-sonnet` for `claude-sonnet-4-5`."""


class Price(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a million tokens of a model cost, in US dollars."""

    model: str
    input: float
    output: float
    cached_input: float | None = None
    """Tokens of the prompt that came from a cache; None means that they cost what input costs."""
    cache_write: float | None = None
    """Tokens of the prompt that were written to a cache; None means that they cost what input costs."""
    prompt_over: int = 0
    """Only for requests with more input tokens than this."""
    from_: date | None = msgspec.field(default=None, name="from")
    """Only for requests on this day or later."""

    def __post_init__(self) -> None:
        amounts = (self.input, self.output, self.cached_input or 0, self.cache_write or 0, self.prompt_over)
        if not self.model.isprintable():
            raise ValueError(f"{self.model!r}: the name of a model has no control characters")
        if not self.model or not all(0 <= amount <= MILLION * MILLION for amount in amounts):
            raise ValueError(f"{self.model!r}: a price needs a model, and amounts of 0 or more")

    def holds_for(self, tokens_in: int, at: float | None) -> bool:
        """Whether it applies to a request with this many input tokens at this time. An unknown time fits any day."""
        if self.prompt_over and tokens_in <= self.prompt_over:
            return False
        day = day_of(at) if self.from_ else None
        return self.from_ is None or day is None or self.from_ <= day

    def of(self, tokens_in: int, tokens_out: int, cached: int = 0, written: int = 0) -> float:
        """What one request costs. `tokens_in` is the whole prompt: `cached` and `written` are parts of it."""
        cached_input = self.input if self.cached_input is None else self.cached_input
        cache_write = self.input if self.cache_write is None else self.cache_write
        plain = tokens_in - cached - written
        amounts = plain * self.input + cached * cached_input + written * cache_write + tokens_out * self.output
        return amounts / MILLION


class PriceTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """List prices, and the day on which they were looked up."""

    dated: date
    prices: tuple[Price, ...]

    def cost(
        self,
        model: str,
        tokens_in: int,
        tokens_out: int,
        cached: int = 0,
        written: int = 0,
        at: float | None = None,
        requests: int = 1,
    ) -> float | None:
        """What requests of about equal length cost at list prices; None if that is not known.

        It is not known for a model without a price, and if more of the prompt is cached than the prompt has.
        """
        if cached + written > tokens_in:
            return None
        price = self.price(model, tokens_in // requests, at)
        return None if price is None else price.of(tokens_in, tokens_out, cached, written)

    def price(self, model: str, tokens_in: int = 0, at: float | None = None) -> Price | None:
        """The price of a request with so many input tokens at a time; None if it is not known."""
        rows = self._by_name.get(model.lower()) or self._by_name.get(model_name(model)) or []
        return next((row for row in rows if row.holds_for(tokens_in, at)), None)

    def over(self, other: "PriceTable") -> "PriceTable":
        """These prices, and those of the other table for all other models."""
        more = (row for row in other.prices if row.model.lower() not in self._by_name)
        return PriceTable(self.dated, (*self.prices, *more))

    @cached_property
    def _by_name(self) -> Mapping[str, list[Price]]:
        """The prices of each model. The latest comes first, and of these the one for the longest prompts."""
        found: dict[str, list[Price]] = {}
        for row in sorted(self.prices, key=lambda row: (row.from_ or date.min, row.prompt_over), reverse=True):
            found.setdefault(row.model.lower(), []).append(row)
        return found


class Pricer:
    """Gives the usage of one run its list price before a monitor sees it; without prices, usage stays as it is.

    This is the one place where tokens become money. A scan, a hook and the service do this before they hand usage to a
    monitor, so that limits hold, and live runs and recordings agree. The monitor itself knows no prices.
    """

    def __init__(self, prices: PriceTable | None) -> None:
        self._prices = prices
        self.unpriced: Counter[str] = Counter()
        """Tokens of requests without a cost whose list price is not known, by model."""
        self._answers = 0
        """The model's answers since tokens were told."""
        self._is_answering = False
        self._batch: str | None = None

    def note(self, event: Event) -> None:
        """Count the model's answers since usage was told: many requests have not the price of one long request."""
        kind = type(event)  # `isinstance` is slow for events of other kinds
        if kind is ToolReturned or kind is UserSpoke:
            self._is_answering = False
        elif kind is ToolCalled or kind is AgentSpoke:
            batch = event.batch if isinstance(event, ToolCalled) else None
            if not self._is_answering and (batch is None or batch != self._batch):
                self._answers += 1
            self._is_answering, self._batch = True, batch

    def priced(self, used: Used, model: str | None) -> Used:
        """The usage with its list price, if its cost was not reported."""
        requests, self._answers = max(1, self._answers), 0
        tokens = used.tokens_in + used.tokens_out
        if self._prices is None or used.cost_usd or not tokens:
            if used.cost_usd and not tokens:
                self.unpriced.clear()  # the sum of all requests before it
            return used
        cached, written = used.tokens_cached, used.tokens_written
        cost = self._prices.cost(model or "", used.tokens_in, used.tokens_out, cached, written, used.at, requests)
        if cost is None:
            self._note_unpriced((model or "unknown") + (UNFITTING if cached + written > used.tokens_in else ""), tokens)
            return used
        return msgspec.structs.replace(used, cost_usd=cost, estimated=True)

    def _note_unpriced(self, name: str, tokens: int) -> None:
        is_known = name in self.unpriced or len(self.unpriced) < MAX_MODELS
        self.unpriced[name if is_known else "others"] += tokens


def model_name(model: str) -> str:
    """The name that all snapshots of a model share: `us.anthropic.claude-opus-4-20250514-v1:0` is `claude-opus-4`."""
    return _remembered_name(model) if len(model) <= LONGEST_NAME else _shared_name(model)


def _shared_name(model: str) -> str:
    name = _SUFFIXES.sub("", model.strip().lower().rpartition("/")[2].rpartition("anthropic.")[2])
    if name.startswith("claude-"):
        name = name.replace(".", "-").removesuffix("-thinking").removesuffix("-0")
        name = _CLAUDE_OTHERWISE.sub(_in_order, name)
    return name


_remembered_name = lru_cache(maxsize=16)(_shared_name)
"""Cached, because it is needed at every request, and most requests go to the same models."""


def _in_order(found: re.Match[str]) -> str:
    version, family = found[1], found[2]
    return found[0] if version.startswith("3") else f"claude-{family}-{version}"


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
    """The table that comes with Headway: `prices.toml`, as `make data` has written it."""
    return packaged("config/prices.json", PriceTable)


def user_table() -> "Path":
    """Where `headway prices --update` puts the user's table."""
    from pathlib import Path

    return Path(_user_table())


def _user_table() -> str:
    return os.path.join(user_folder(os.environ), "headway", "prices.toml")


def find_prices(file: "Path | None" = None) -> PriceTable:
    """The user's table if there is one, else the packaged one; models that are in the file have its prices."""
    user = user_table()
    found = read_prices(user) if user.is_file() else packaged_prices()
    return read_prices(file).over(found) if file else found


def live_prices() -> PriceTable:
    """The prices for a program that must go on: those that come with Headway if the user's table has a mistake."""
    try:
        changed = os.stat(_user_table()).st_mtime_ns
    except OSError:
        return packaged_prices()
    return _live_prices(changed)


@lru_cache(maxsize=1)
def _live_prices(changed: int) -> PriceTable:
    """The user's table as it was at a time, read once by a process that lives for long."""
    try:
        return read_prices(user_table())
    except SettingsError:
        return packaged_prices()


def read_prices(path: "Path") -> PriceTable:
    """A table in a file: TOML like the packaged one, or LiteLLM's JSON file of model prices."""
    import tomllib

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
