"""What tokens cost at list prices: the right row, the right parts of a prompt, and never a guess."""

import json
from datetime import UTC, date, datetime

import pytest

from headway.config.price_files import Price, PriceTable, as_toml, find_prices, model_name, packaged_prices, read_prices
from headway.config.settings import SettingsError

TABLE = PriceTable(
    date(2026, 10, 1),
    (
        Price(model="plain-1", input=2, output=10),
        Price(model="cached-1", input=2, output=10, cached_input=0.5, cache_write=3),
        Price(model="long-1", input=1, output=4),
        Price(model="long-1", input=2, output=8, prompt_over=100_000),
        Price(model="cut-1", input=5, output=25),
        Price(model="cut-1", input=1, output=5, from_=date(2026, 7, 30)),
        Price(model="new-1", input=1, output=5, from_=date(2026, 7, 30)),
    ),
)
MILLION = 1_000_000


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def test_tokens_cost_what_the_table_says():
    assert TABLE.cost("plain-1", MILLION, 100_000) == 3.0


def test_cached_and_written_tokens_are_parts_of_the_prompt():
    assert TABLE.cost("cached-1", MILLION, 0, cached=600_000, written=300_000) == pytest.approx(0.2 + 0.3 + 0.9)
    assert TABLE.cost("plain-1", MILLION, 0, cached=600_000, written=300_000) == 2.0  # no discount is known


def test_the_price_of_a_prompt_with_more_cached_tokens_than_it_has_is_not_known():
    assert TABLE.cost("cached-1", 10, 0, cached=MILLION) is None
    assert TABLE.cost("cached-1", 10, 0, cached=6, written=5) is None
    assert TABLE.cost("cached-1", 10, 0, cached=6, written=4) == pytest.approx(15e-6)


def test_a_long_prompt_has_a_price_of_its_own():
    assert TABLE.cost("long-1", 100_000, 0) == 0.1
    assert TABLE.cost("long-1", 100_001, MILLION) == pytest.approx(8.200002)


def test_a_run_has_the_price_of_its_day():
    assert TABLE.cost("cut-1", MILLION, 0, at=at("2026-07-29T23:59")) == 5.0
    assert TABLE.cost("cut-1", MILLION, 0, at=at("2026-07-30T00:00")) == 1.0
    assert TABLE.cost("cut-1", MILLION, 0) == 1.0  # without a time: the latest
    assert TABLE.cost("new-1", MILLION, 0, at=at("2026-07-01")) is None  # what it cost before is not known
    assert TABLE.cost("cut-1", MILLION, 0, at=1e30) == 1.0
    assert TABLE.cost("cut-1", MILLION, 0, at=12.5) == 1.0  # seconds since the run began say nothing about the day


@pytest.mark.parametrize("model", ["", "plain", "plain-1-mini", "plain-12", "xplain-1", "gpt-99"])
def test_a_model_that_is_not_in_the_table_has_no_price(model):
    assert TABLE.cost(model, MILLION, MILLION) is None


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5"),
        ("anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"),
        ("us.anthropic.claude-opus-4-20250514-v1:0", "claude-opus-4"),
        ("claude-opus-4-1@20250805", "claude-opus-4-1"),
        ("claude-sonnet-4-5-20250929[1m]", "claude-sonnet-4-5"),
        ("claude-4.5-sonnet-thinking", "claude-sonnet-4-5"),
        ("claude-3-5-sonnet-latest", "claude-3-5-sonnet"),
        ("claude-opus-4-0", "claude-opus-4"),
        ("openrouter/openai/gpt-4.1-2025-04-14", "gpt-4.1"),
        ("models/gemini-2.5-pro", "gemini-2.5-pro"),
        ("gpt-5-mini", "gpt-5-mini"),
        ("gemini-2.5-pro-preview-06-05", "gemini-2.5-pro-preview-06-05"),
    ],
)
def test_snapshots_of_a_model_share_its_name(model, name):
    assert model_name(model) == name


def test_the_packaged_table_is_dated_and_plausible():
    table = packaged_prices()
    assert table.dated >= date(2026, 10, 1)
    assert table.cost("claude-sonnet-4-5-20250929", MILLION, MILLION) == 18.0
    assert table.cost("gpt-5", MILLION, 0, cached=MILLION) == 0.125
    for row in table.prices:
        assert model_name(row.model) == row.model, "a name that no lookup would find"
        assert (row.cached_input or 0) <= row.input < row.output
    rows = [(row.model, row.from_, row.prompt_over) for row in table.prices]
    assert len(rows) == len(set(rows))


def test_a_table_survives_being_written_and_read(tmp_path):
    path = tmp_path / "prices.toml"
    path.write_text(as_toml(TABLE))
    assert read_prices(path) == TABLE
    path.write_text(as_toml(packaged_prices()))
    assert read_prices(path) == packaged_prices()


def test_a_file_goes_first_and_the_rest_stays(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    own = tmp_path / "own.toml"
    own.write_text('dated = 2026-11-01\nprices = [{ model = "gpt-5", input = 1, output = 2 }]\n')
    found = find_prices(own)
    assert found.cost("gpt-5", MILLION, MILLION) == 3.0 and found.cost("gpt-5-mini", MILLION, MILLION) == 2.25
    assert found.dated == date(2026, 11, 1)
    assert find_prices().cost("gpt-5", MILLION, MILLION) == 11.25


def test_the_table_of_litellm_is_understood(tmp_path):
    path = tmp_path / "model_prices.json"
    row = {"mode": "chat", "input_cost_per_token": 1.25e-6, "output_cost_per_token": 1e-5}
    row |= {"cache_read_input_token_cost": 1.25e-7, "input_cost_per_token_above_200k_tokens": 2.5e-6}
    row |= {"output_cost_per_token_above_200k_tokens": 1.5e-5}
    other = {"mode": "embedding", "input_cost_per_token": 1e-7, "output_cost_per_token": 0}
    path.write_text(json.dumps({"sample_spec": "…", "gemini-9": row, "embedder": other, "free": {"mode": "chat"}}))
    table = read_prices(path)
    assert [price.model for price in table.prices] == ["gemini-9", "gemini-9"]
    assert table.cost("gemini-9", 200_000, 0, cached=100_000) == pytest.approx(0.1375)
    assert table.cost("gemini-9", 300_000, 0) == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("p.toml", "dated = 2026-11-01\nprices = []", "no prices in it"),
        ("p.toml", "dated = 2026-11-01", "prices"),
        ("p.toml", 'dated = 2026-11-01\nprices = [{ model = "a", input = -1, output = 2 }]', "0 or more"),
        ("p.toml", 'dated = 2026-11-01\nprices = [{ model = "a", input = 1, out = 2 }]', "out"),
        ("p.toml", "dated = ", "not a table of prices"),
        ("p.json", "[]", "not a table of prices"),
    ],
)
def test_a_file_that_is_no_table_is_refused_with_its_name(tmp_path, name, text, told):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(SettingsError, match=told) as error:
        read_prices(path)
    assert str(path) in str(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(SettingsError, match=r"none\.toml: No such file"):
        read_prices(tmp_path / "none.toml")
