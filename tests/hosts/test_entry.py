"""Every adapter has the same entry: a class `Headway`, options that are checked by name, and one kind of stop.

This runs in the environment of each framework, for the adapters whose framework is there.
"""

import re
from importlib import import_module

import pytest

from headway import RunStopped
from headway.hosts.frameworks.requirement import FrameworkError
from tests.hosts.test_framework import HOSTS, REQUIRED


def importable(name):
    try:
        import_module(f"headway.hosts.frameworks.{name}")
    except FrameworkError:
        return False
    return True


HERE = [name for name in REQUIRED if importable(name)]


@pytest.mark.parametrize("name", REQUIRED)
def test_the_class_is_called_headway_and_its_stop_is_headways(name):
    source = (HOSTS / f"{name}.py").read_text()
    assert re.search(r"^(class Headway\b|Headway = )", source, re.MULTILINE)
    assert re.findall(r"^class RunStopped\(", source, re.M) == re.findall(
        r"^class RunStopped\((?=\w+, AnyRunStopped)", source, re.M
    )


@pytest.mark.parametrize("name", HERE)
def test_an_option_that_does_not_exist_is_answered_by_name(name):
    adapter = import_module(f"headway.hosts.frameworks.{name}")
    with pytest.raises(TypeError, match=r"unknown option `max_token`: did you mean `max_tokens`\?"):
        adapter.Headway(max_token=1_000)
    with pytest.raises(TypeError, match="expected a store such as SQLiteStore"):
        adapter.Headway(store="shelf")
    assert adapter.Headway(max_tokens=1_000)


@pytest.mark.parametrize("name", HERE)
def test_a_stop_that_is_raised_is_one_of_headways(name):
    adapter = import_module(f"headway.hosts.frameworks.{name}")
    assert issubclass(getattr(adapter, "RunStopped", RunStopped), RunStopped)
