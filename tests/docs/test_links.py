"""Links between our pages lead somewhere, and pages for users speak of Headway alone."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")])
FOR_USERS = [page for page in (ROOT / "docs").rglob("*.md") if page.parent.name != "development"] + [ROOT / "README.md"]
LINK = re.compile(r"(?:\]\(|(?:href|src)=\")([^)\"\s#]+)(#[^)\"\s]*)?")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def links(page):
    """Where a page leads to inside of the repository: the path, and the heading where one is named."""
    found = LINK.findall(CODE.sub("", page.read_text("utf-8")))
    return [(path, heading[1:]) for path, heading in found if not re.match(r"\w+:", path)]


def anchors(page):
    """The names that GitHub and the site give to the headings of a page."""
    headings = re.findall(
        r"^#+ (.+)$", re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL), re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page):
    assert [] == [path for path, _ in links(page) if not (page.parent / path).exists()]
    assert [] == [
        (path, heading)
        for path, heading in links(page)
        if heading and path.endswith(".md") and heading not in anchors(page.parent / path)
    ]


@pytest.mark.parametrize("page", FOR_USERS, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_for_users_speaks_of_headway_alone(page):
    """The documents that Headway grew from are of interest to those who develop it."""
    assert [] == re.findall(r".*\bseeds?\b.*", page.read_text("utf-8"), re.IGNORECASE)
