"""What a scan says of every sample equals an independent count: `bench/count.py` parses each format in a few lines."""

import importlib.util
from pathlib import Path

import pytest

from headway.readers import readers
from headway.sources import Source
from headway.study.scan import scan

SPEC = importlib.util.spec_from_file_location("count", Path(__file__).parents[2] / "bench" / "count.py")
count = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(count)


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    found = count.samples(tmp_path_factory.mktemp("samples"))
    return {str(Path(reader) / path.name): (reader, path, figures) for reader, path, figures in found}


def scanned(path):
    reports = list(scan(Source(path)))
    return count.Count(
        sum(report.steps for report in reports),
        sum(report.failed_steps for report in reports),
        sum(report.spent.tokens_in for report in reports),
        sum(report.spent.tokens_out for report in reports),
        sum(report.spent.cost_usd or 0 for report in reports),
    )


NAMES = sorted(
    str(path.relative_to(count.SAMPLES)).replace(".sql", ".db")
    for path in count.SAMPLES.glob("*/*")
    if not path.name.endswith(".settings.json")
)


@pytest.mark.parametrize("name", NAMES)
def test_a_scan_says_what_was_counted(name, counted):
    _, path, figures = counted[name]
    assert [] == count.differences(figures, scanned(path))


def test_every_reader_is_counted():
    assert set(readers()) == set(count.COUNTERS)


def test_a_difference_is_told():
    assert ["steps: counted 2, scanned 3"] == count.differences(count.Count(2, None), count.Count(3, 7))
    assert ["refused"] == count.differences(count.Count(2), None)
