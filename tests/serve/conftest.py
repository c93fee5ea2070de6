"""Every test has a state folder and a service of its own, in this process unless the test is about processes."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.reports.conftest import chromium as chromium
from tests.serve.running import TOKEN, Running


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
def dashboard(chromium, client):
    """Open the dashboard as `headway serve --open` does, and insist that it asks only its own service."""
    contexts = []

    def open_page(view: str = "", running: Running = client, token: str = TOKEN, **options):
        context = chromium.new_context(**{"viewport": {"width": 1300, "height": 800}, **options})
        page = context.new_page()
        page.errors, page.asked = [], []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("dialog", lambda dialog: page.errors.append(dialog.message))
        page.goto(f"http://{running.host}/#token={token}")
        if view:
            page.goto(f"http://{running.host}/#{view}")
        contexts.append((context, page, running.host))
        return page

    yield open_page
    for context, page, host in contexts:
        errors, asked = page.errors, page.asked
        context.close()
        assert [] == errors
        assert {host} == {url.split("/")[2] for url in asked}
