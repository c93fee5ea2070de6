"""The packaged JSON files hold what the TOML files beside them and the detectors say."""

import sys
from pathlib import Path

import msgspec
import pytest

from headway.config.price_files import PriceTable, packaged_prices
from headway.core.watch import LooksAt
from headway.detectors import built_in, looks_at
from headway.rolling.lazy import packaged

sys.path.insert(0, str(Path(__file__).parents[2] / "dev"))
import make_data


@pytest.mark.parametrize("name", ["tools/shell/programs", "config/profiles"])
def test_a_json_file_equals_its_toml_file(name):
    assert make_data.told(name) == packaged(f"{name}.json", dict), "run `make data`"


def test_the_packaged_prices_are_those_of_their_toml_file():
    assert packaged_prices() == msgspec.convert(make_data.told("config/prices"), PriceTable), "run `make data`"


def test_the_packaged_vocabulary_is_made_from_its_toml_file():
    made = make_data.vocabulary(make_data.told("tools/vocabulary"))

    assert {**made, "tools": {name: list(line) for name, line in made["tools"].items()}} == packaged(
        "tools/vocabulary.json", dict
    ), "run `make data`"


def test_tools_of_two_agents_with_one_name_are_one_line_with_all_argument_names():
    lines = {
        "one": {"read_file": {"kind": "read", "path": "a"}},
        "other": {"readFile": {"kind": "list", "path": ["b", "a"]}},
    }

    assert {"readfile": ("read_file", {"kind": "list", "path": ["a", "b"]})} == make_data.vocabulary({"tools": lines})[
        "tools"
    ]


@pytest.mark.parametrize("id", packaged("detectors/looks_at.json", dict))
def test_what_a_detector_looks_at_is_what_its_class_says(id):
    assert LooksAt.of(built_in()[id]) == looks_at(id), "run `make data`"
