"""Every test has a state folder and a service of its own, in this process unless the test is about processes."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.reports.conftest import blank as blank
from tests.reports.conftest import shared_tab, started_chromium
from tests.serve.running import TOKEN, Running

# Tests of other modules want an event loop of their own, and the one of the browser would be in their way.
chromium = pytest.fixture(scope="module", name="chromium")(started_chromium)
tab = pytest.fixture(scope="module", name="tab")(shared_tab)


@pytest.fixture(autouse=True)
def state(monkeypatch):
    """A folder with a short path: that of a socket may have 100 bytes."""
    folder = Path(tempfile.mkdtemp(prefix="hw"))
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(folder / "state"))
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)  # an installed program has its bytecode
    for name in [name for name in os.environ if name.startswith("HEADWAY_") and "__" in name]:
        monkeypatch.delenv(name)
    yield folder / "state"
    shutil.rmtree(folder)


@pytest.fixture
def client(state):
    with Running(state) as running:
        yield running


@pytest.fixture
def dashboard(client, blank):
    """Open the dashboard as `headway serve --open` does, and insist that it asks only its own service."""
    pages = []

    def open_page(view: str = "", running: Running = client, token: str = TOKEN, **options):
        page = blank(**options)
        page.goto(f"http://{running.host}/#token={token}")
        if view:
            page.goto(f"http://{running.host}/#{view}")
        pages.append((page, running.host))
        return page

    yield open_page
    for page, host in pages:
        assert [] == page.errors
        assert {host} == {url.split("/")[2] for url in page.requests}
