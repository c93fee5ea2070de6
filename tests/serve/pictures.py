"""Make the pictures of the dashboard anew: `python -m tests.serve.pictures`. Needs Chromium and Playwright."""

import os
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.hosts.hook.programs import Program
from tests.reports.conftest import CHROMIUM
from tests.serve.running import TOKEN, Running

PLACE = Path(__file__).parent.parent.parent / "docs" / "pictures"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        os.environ |= {"HEADWAY_STATE_DIR": f"{folder}/state", "XDG_CONFIG_HOME": f"{folder}/config"}
        with Running(Path(folder) / "state") as running:
            feed()
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for width, height, scheme in ((1_200, 560, "light"), (400, 760, "dark")):
                page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
                page.goto(f"http://{running.host}/#token={TOKEN}")
                page.locator(".sessions li").nth(3).wait_for()
                page.screenshot(path=PLACE / f"dashboard-{width}-{scheme}.png")
                page.locator(".sessions a").first.click()
                page.locator("#session .cell").nth(2).wait_for()
                page.wait_for_timeout(500)
                page.screenshot(path=PLACE / f"dashboard-session-{width}-{scheme}.png")
            browser.close()


def feed() -> None:
    """Four agents: one is stopped, one goes in circles, one works, one has finished its turn."""
    stopped, circling = Program("claude-code", "5f2c91aa"), Program("codex", "b7d01c9e")
    works, rests = Program("claude-code", "91e6a07b"), Program("gemini", "c90f55d2")
    stopped.prompt("Make the login test pass")
    for n in range(9):
        stopped.step(f"sed -n {10 * n},{10 * n + 10}p src/auth.py", f"def part_{n}(): ...")
    for _ in range(9):
        stopped.step("pytest tests/test_auth.py -q", "1 failed: AssertionError", failed=True)
    circling.prompt("Why is the nightly import slow?")
    for n in range(6):
        circling.step(f"rg -n import src/part{n}", f"src/part{n}/a.py:1")
    for _ in range(3):
        circling.step("cat logs/import.log", "No such file or directory", failed=True)
    works.prompt("Add pagination to the orders API")
    for n in range(14):
        works.step(f"sed -n {40 * n},{40 * n + 40}p src/orders.py", f"lines of part {n}")
    works.step("pytest -q", "12 passed")
    rests.prompt("Write a README")
    rests.step("ls", "pyproject.toml src tests")
    rests.end("It is written.")


if __name__ == "__main__":
    main()
