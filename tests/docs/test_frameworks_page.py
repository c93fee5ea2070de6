"""The page about frameworks is true: it is written from examples that have tests, and its promises match the extras."""

import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = sorted((ROOT / "examples" / "frameworks").glob("with_*.py"))
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
ADAPTERS = {
    path.stem: path
    for path in (ROOT / "src" / "headway" / "hosts" / "frameworks").glob("*.py")
    if "\nrequire(" in path.read_text()
}


def page():
    spec = importlib.util.spec_from_file_location("page", ROOT / "examples" / "frameworks" / "page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.page()


def test_the_page_about_frameworks_is_up_to_date():
    """If this fails, run `make docs`."""
    assert page().strip() == (ROOT / "docs" / "frameworks.md").read_text().strip()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_run_by_a_test_and_fits_on_a_screen(example):
    tests = (ROOT / "tests" / "hosts" / f"test_{example.stem.removeprefix('with_')}.py").read_text()
    assert f"from {example.stem} import" in tests
    assert len(example.read_text().splitlines()) <= 60


def test_what_an_adapter_costs_is_measured_and_told():
    """If this fails, run `python bench/frameworks.py --markdown docs/frameworks-cost.md`."""
    measured = {path.stem for path in (ROOT / "bench" / "framework_runs").glob("[a-z]*.py")}
    told = re.findall(r"^\| ([a-z0-9-]+) \| \d+ \| \d+ \|", (ROOT / "docs" / "frameworks-cost.md").read_text(), re.M)
    assert {*ADAPTERS, "guard"} == measured == {name.replace("-", "_") for name in told}


def test_every_adapter_has_an_example():
    assert set(ADAPTERS) <= {example.stem.removeprefix("with_") for example in EXAMPLES}


@pytest.mark.parametrize("name", sorted(ADAPTERS))
def test_an_adapter_supports_what_its_extra_installs(name):
    """The range in the error message is the range that pip is given."""
    required = re.search(r'require\("(.+?)", "(.+?)", "(.+?)", "(.+?)"\)', ADAPTERS[name].read_text())
    extra, distribution, at_least, below = required.groups()
    assert name == extra.replace("-", "_")
    assert any(need.split(";")[0].strip() == f"{distribution}>={at_least},<{below}" for need in EXTRAS[extra])
