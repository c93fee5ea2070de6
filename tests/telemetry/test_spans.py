"""What real instrumentations emit, live and in `scan`: loops are found, and honest runs are left alone."""

import pytest

from headway.readers import read
from headway.sources import Source
from tests.command import headway
from tests.telemetry.replayed import INSTRUMENTATIONS, file_of, live, scanned


@pytest.fixture(autouse=True)
def _switched_on(monkeypatch):
    monkeypatch.delenv("OTEL_SDK_DISABLED", raising=False)


@pytest.mark.parametrize("watch", [live, scanned])
@pytest.mark.parametrize("name", INSTRUMENTATIONS)
def test_a_loop_is_found(name, watch):
    assert "nudge" in watch(name, "loop")


@pytest.mark.parametrize("watch", [live, scanned])
@pytest.mark.parametrize("name", INSTRUMENTATIONS)
def test_honest_work_is_left_alone(name, watch):
    assert [] == watch(name, "honest")


BARE = {name: about for name, about in INSTRUMENTATIONS.items() if "options" in about or "off" in about}


@pytest.mark.parametrize("name", BARE)
def test_without_contents_nothing_is_concluded_and_one_warning_names_what_to_set(name, caplog):
    """Honest runs: what was left out is the same for every call, and must not look like a loop."""
    about = BARE[name]
    assert [] == live(name, "bare") == scanned(name, "bare")
    (warning,) = caplog.messages
    set_on = [f"{option}={value}" for option, value in about.get("options", {}).items()]
    named = about.get("warns", set_on or [*about["off"]])
    assert all(one in warning for one in named), warning

    told = headway("scan", str(file_of(name, "bare")), text=True)
    assert 0 == told.returncode and f"Warning: {warning}\n" == told.stderr


@pytest.mark.parametrize("run", ["honest", "loop"])
@pytest.mark.parametrize("name", INSTRUMENTATIONS)
def test_with_contents_nothing_is_missing(name, run, caplog):
    live(name, run)
    source = Source(file_of(name, run))
    assert [*read(source)]
    assert ([], "") == (caplog.messages, source.missing)
