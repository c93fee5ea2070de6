"""A real browser for the pages that have a script."""

import shutil

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="module")  # its event loop must not be there any more when other tests want one of their own
def chromium():
    """Chromium as the system has it; nothing is downloaded."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here to open pages with (on Debian: apt-get install chromium)")
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed: pip install playwright"
    )
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium):
    """Open a file in a page of its own, and insist that it asks for nothing and complains about nothing."""
    contexts = []

    def open_file(path, **options):
        context = chromium.new_context(**{"viewport": {"width": 1400, "height": 900}, **options})
        page = context.new_page()
        page.complaints, page.requests = [], []
        page.on("console", lambda message: page.complaints.append(message.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on("request", lambda request: page.requests.append(request.url))
        page.goto(path.as_uri())
        contexts.append((context, page, path.as_uri()))
        return page

    yield open_file
    for context, page, address in contexts:
        complaints, requests = page.complaints, page.requests
        context.close()
        assert [] == complaints
        assert [address] == requests
