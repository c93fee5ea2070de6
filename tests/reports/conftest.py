"""A real browser for the pages that have a script."""

import shutil

import pytest

SCREEN = {"width": 1400, "height": 900}
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"))), None
)


def started_chromium():
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


# Its event loop must not be there any more when other tests want one of their own. Here none does.
chromium = pytest.fixture(scope="package", name="chromium")(started_chromium)


def listened_to(page):
    """A page that keeps what it asks for, says and complains about."""

    def refuse(dialog):
        page.errors.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", refuse)
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("request", lambda request: page.requests.append(request.url))
    return page


def shared_tab(chromium):
    """The page that tests share. Each loads a document of its own: a new page costs more than most tests do."""
    context = chromium.new_context(viewport=SCREEN)
    yield listened_to(context.new_page())
    context.close()


tab = pytest.fixture(scope="package", name="tab")(shared_tab)


@pytest.fixture
def blank(chromium, tab):
    """Give the shared page. A second one, or one with options, is new and shares nothing."""
    given = []

    def give(**options):
        page = tab
        if given or options:
            page = listened_to(chromium.new_context(**{"viewport": SCREEN, **options}).new_page())
        page.said, page.errors, page.requests = [], [], []
        given.append(page)
        return page

    yield give
    tab.goto("about:blank")
    for page in given:
        if page is not tab:
            page.context.close()


@pytest.fixture
def opened(blank):
    """Open a file in a page, and insist that it asks for nothing and complains about nothing."""
    pages = []

    def open_file(path, **options):
        page = blank(**options)
        page.goto(path.as_uri())
        pages.append((page, path.as_uri()))
        return page

    yield open_file
    for page, address in pages:
        assert [] == page.said + page.errors
        assert [address] == page.requests
