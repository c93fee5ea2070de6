"""Make the pictures in docs/scan.md anew: `python -m tests.reports.pictures`. Needs Chromium and Playwright."""

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from headway.reports.scan_html import MAX_RUNS, MAX_TIMELINE_BYTES, scan_page
from headway.reports.summary import Summary
from headway.sources import Source
from headway.study.scan import ScanOptions, scan_all
from tests.reports.conftest import CHROMIUM
from tests.reports.scans import a_month_of_runs

PLACE = Path(__file__).parent.parent.parent / "docs" / "pictures"
SIZES = {400: 800, 1_400: 860}


def main() -> None:
    PLACE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page_file = Path(folder) / "scan.html"
        page_file.write_text(page_of_a_month(Path(folder) / "runs"), "utf-8")
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            for width, height in SIZES.items():
                page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
                page.goto(page_file.as_uri())
                if (scheme == "dark") is (width > 1_000):
                    look_at_the_worst_run(page)
                page.wait_for_timeout(300)
                page.screenshot(path=PLACE / f"scan-{width}-{scheme}.png")
        browser.close()


def page_of_a_month(folder: Path) -> str:
    sources = [Source(path, name=path.name) for path in sorted(a_month_of_runs(folder).glob("*.jsonl"))]
    summary = Summary(MAX_RUNS, MAX_TIMELINE_BYTES)
    for file in scan_all(sources, ScanOptions(timelines=True)):
        summary.add(file)
    return "".join(scan_page(summary))


def look_at_the_worst_run(page) -> None:
    page.locator(".runs h3 a").first.click()
    page.locator(".cells").first.focus()
    for _ in range(6):
        page.keyboard.press("PageDown")
    page.evaluate("document.querySelector('.back').scrollIntoView()")


if __name__ == "__main__":
    main()
