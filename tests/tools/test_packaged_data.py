"""The packaged modules hold what the TOML files beside them say."""

import tomllib
from importlib.resources import files

import pytest

from headway.config import profiles_data
from headway.core.watch import LooksAt
from headway.detectors import built_in, looks_at, looks_at_data
from headway.tools import vocabulary_data
from headway.tools.shell import programs_data


@pytest.mark.parametrize("module", [vocabulary_data, programs_data, profiles_data], ids=lambda one: one.__name__)
def test_a_data_module_equals_its_toml_file(module):
    package, name = module.__name__.rsplit(".", 1)
    written = files(package).joinpath(f"{name.removesuffix('_data')}.toml").read_text("utf-8")

    assert tomllib.loads(written) == module.DATA, "run `make data`"


@pytest.mark.parametrize("id", looks_at_data.DATA)
def test_what_a_detector_looks_at_is_what_its_class_says(id):
    assert LooksAt.of(built_in()[id]) == looks_at(id), "run `make data`"
